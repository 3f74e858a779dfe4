internal import ColorSpaces
internal import ImageBuffer

/// The properties of a new file that its metadata states too.
struct WrittenPicture {
  /// The color space; nil for an untagged file.
  var space: ColorSpace?
  var orientation = Orientation.upright
  /// The size of the stored picture, before orientation is applied.
  var size: PixelSize
  var resolution: ImageMetadata.Resolution?
  /// Whether the format cannot hold the resolution, so that fields of EXIF and XMP that state another one are removed.
  var losesResolution = false
  /// Whether EXIF data is the format's only place for the orientation, and for the resolution.
  var needsEXIFForOrientation = false, needsEXIFForResolution = false
}

extension EXIF {
  /// Returns the data corrected for another picture.
  ///
  /// Fields that state color, orientation, size or resolution are corrected, or removed where the new file does not state them. Fields
  /// that state how pixels are stored are removed, because the new file's own structure states it. The thumbnail (IFD1), SubIFDs and pixels
  /// of the main directory are removed with their bytes, because they may show what a crop removed;
  /// so are JPEG previews, such as those in maker notes. All other values keep their offsets, so that the offsets in maker notes stay
  /// valid.
  ///
  /// - Returns: The corrected data; nil where it is so damaged that it would still state something else.
  func describing(_ picture: WrittenPicture) -> [UInt8]? {
    guard var editor = EXIFEditor(self) else { return nil }
    let isSRGB = picture.space.map { $0.isInterchangeable(with: .sRGB) } ?? false
    let isAdobeRGB = picture.space.map { $0.isInterchangeable(with: .adobeRGB) } ?? false
    editor.removePreviews()
    editor.clearPreviews()
    editor.edit([Tag.camera, Tag.interoperability]) { entry in
      switch entry.tag {
      case Tag.interoperabilityIndex:
        isSRGB ? .text("R98") : isAdobeRGB ? .text("R03") : .remove
      case Tag.relatedWidth: .whole(picture.size.width)
      case Tag.relatedHeight: .whole(picture.size.height)
      default: .keep
      }
    }
    editor.edit([Tag.camera]) { entry in
      switch entry.tag {
      case Tag.colorSpace: .whole(isSRGB ? ColorSpaceTag.sRGB : ColorSpaceTag.uncalibrated)
      case Tag.pixelWidth: .whole(picture.size.width)
      case Tag.pixelHeight: .whole(picture.size.height)
      case Tag.gamma: .remove
      default: .keep
      }
    }
    let resolution = picture.resolution?.tiffFields
    let withoutResolution: EXIFEditor.Change = picture.losesResolution ? .remove : .keep
    editor.edit([]) { entry in
      switch entry.tag {
      case Tag.orientation: .whole(picture.orientation.rawValue)
      case Tag.width: .whole(picture.size.width)
      case Tag.height: .whole(picture.size.height)
      case Tag.horizontalResolution: resolution.map { .fraction($0.across) } ?? withoutResolution
      case Tag.verticalResolution: resolution.map { .fraction($0.down) } ?? withoutResolution
      case Tag.resolutionUnit: resolution.map { .whole($0.unit) } ?? withoutResolution
      // The encoders in use site chroma at the center of the pixels that share it.
      case Tag.chromaSiting: .whole(1)
      case Tag.white, Tag.primaries, Tag.transferFunction, Tag.subdirectories: .remove
      case Tag.bitsPerSample, Tag.compression, Tag.colorModel, Tag.samplesPerPixel: .remove
      case Tag.thumbnail, Tag.thumbnailByteCount, Tag.stripOffsets, Tag.stripByteCounts: .remove
      case Tag.tileOffsets, Tag.tileByteCounts: .remove
      default: .keep
      }
    }
    editor.append(picture.missingFields(in: EXIF(editor.bytes), editor.isBigEndian))
    editor.clearRemoved()
    // Directories of hostile data may overlap, so that one edit undoes another one; the result is parsed again to verify it.
    guard let edited = EXIF(editor.bytes), edited.agrees(with: picture) else { return nil }
    return editor.bytes
  }

  /// Returns the data without the GPS directory, whose bytes and values are cleared. All other values keep their offsets.
  ///
  /// - Returns: The data; nil where it is so damaged that it would still refer to a GPS directory.
  func withoutLocation() -> [UInt8]? {
    guard var editor = EXIFEditor(self) else { return nil }
    editor.removeDirectory(Tag.position)
    editor.clearRemoved()
    guard let edited = EXIF(editor.bytes), edited.main?[Tag.position] == nil else { return nil }
    return editor.bytes
  }

  /// Returns data with only the fields that the picture requires; nil where it requires none.
  static func stating(_ picture: WrittenPicture) -> [UInt8]? {
    let fields = picture.missingFields(in: nil, true)
    if fields.isEmpty { return nil }
    return data(of: .init(fields: fields), isBigEndian: true)
  }

  /// Returns data whose main directory has the fields and the directories of a tree.
  static func data(of tree: TIFFStructure.Tree, isBigEndian: Bool) -> [UInt8] {
    Array((isBigEndian ? "MM" : "II").utf8) + 42.bytes(2, isBigEndian: isBigEndian)
      + 8.bytes(4, isBigEndian: isBigEndian)
      + TIFFStructure.bytes(of: tree, at: 8, isBigEndian: isBigEndian)
  }

  private func agrees(with picture: WrittenPicture) -> Bool {
    let states = space.map { stated in
      picture.space.map { $0.isInterchangeable(with: stated) } ?? false
    }
    // Formats that state the orientation elsewhere need no field.
    let isTurned =
      (orientation ?? (picture.needsEXIFForOrientation ? .upright : picture.orientation))
      == picture.orientation
    return isTurned && states ?? true && (main?.next ?? 0) == 0
  }
}

extension WrittenPicture {
  /// The fields of the main directory that existing data lacks.
  fileprivate func missingFields(in exif: EXIF?, _ isBigEndian: Bool) -> [TIFFStructure.Field] {
    func whole(_ tag: Int, _ value: Int) -> TIFFStructure.Field {
      let bytes = value.bytes(2, isBigEndian: isBigEndian)
      return TIFFStructure.Field(tag: tag, type: 3, count: 1, value: bytes)
    }
    func fraction(_ tag: Int, _ value: (Int, Int)) -> TIFFStructure.Field {
      let bytes = [value.0, value.1].flatMap {
        $0.bytes(4, isBigEndian: isBigEndian)
      }
      return TIFFStructure.Field(tag: tag, type: 5, count: 1, value: bytes)
    }
    var fields: [TIFFStructure.Field] = []
    if needsEXIFForOrientation, orientation != .upright {
      fields.append(whole(EXIF.Tag.orientation, orientation.rawValue))
    }
    if needsEXIFForResolution, let resolution = resolution?.tiffFields {
      fields += [
        fraction(EXIF.Tag.horizontalResolution, resolution.across),
        fraction(EXIF.Tag.verticalResolution, resolution.down),
        whole(EXIF.Tag.resolutionUnit, resolution.unit),
      ]
    }
    return fields.filter { exif?.main?[$0.tag] == nil }
  }
}

/// Edits EXIF data in place.
private struct EXIFEditor {
  private(set) var bytes: [UInt8]
  let isBigEndian: Bool
  /// The removed ranges, whose bytes are cleared where nothing else lies.
  private var removed: [Range<Int>] = []

  /// A change of an entry.
  enum Change {
    case keep, remove
    case whole(Int)
    case fraction((Int, Int))
    case text(String)
  }

  init?(_ exif: EXIF) {
    guard exif.main != nil else { return nil }
    (bytes, isBigEndian) = (exif.bytes, exif.structure.isBigEndian)
  }

  /// Changes the entries of the directory at the end of a path of tags.
  mutating func edit(_ path: [Int], _ change: (TIFFStructure.Entry) -> Change) {
    guard let structure = TIFFStructure(bytes) else { return }
    var directory = structure.directory(at: structure.first)
    for tag in path { directory = structure.directory(tag, of: directory) }
    guard let directory else { return }
    var kept: [[UInt8]] = []
    // Entries that cannot be parsed are edited by their tags too, because other readers may be more lenient.
    let count = number(at: directory.start)
    let known = Dictionary(directory.entries.map { ($0.position, $0) }) { first, _ in first }
    for index in 0..<count {
      let position = directory.start + 2 + 12 * index
      let entry =
        known[position]
        ?? TIFFStructure.Entry(
          tag: number(at: position), type: 0, count: 0, position: position, value: 0..<0)
      if let changed = apply(change(entry), to: entry) { kept.append(changed) }
    }
    let next =
      directory.end - directory.start > 2 + 12 * count
      ? Array(bytes[directory.end - 4..<directory.end]) : []
    let table = number(kept.count, 2) + kept.joined() + next
    let spare = [UInt8](repeating: 0, count: directory.end - directory.start - table.count)
    bytes.replaceSubrange(directory.start..<directory.end, with: table + spare)
  }

  /// Returns the entry's bytes after a change; nil where the entry is removed. A value that its type cannot hold removes it.
  private mutating func apply(_ change: Change, to entry: TIFFStructure.Entry) -> [UInt8]? {
    let old = Array(bytes[entry.position..<entry.position + 12])
    var value: [UInt8]
    switch change {
    case .keep: return old
    case .remove: value = []
    case .whole(let whole):
      let limits = [
        1: 0xFF, 3: 0xFFFF, 4: 0xFFFF_FFFF, 6: 0x7F, 8: 0x7FFF, 9: 0x7FFF_FFFF,
      ]
      guard entry.count == 1, whole <= limits[entry.type] ?? -1 else {
        value = []
        break
      }
      value = number(whole, TIFFStructure.size(ofType: entry.type) ?? 4)
    case .fraction(let (numerator, denominator)):
      value =
        entry.type == 5 && entry.count == 1 ? number(numerator, 4) + number(denominator, 4) : []
    case .text(let text):
      let letters = Array(text.utf8) + [0]
      value = entry.type == 2 && entry.count == letters.count ? letters : []
    }
    guard value.count == entry.value.count, !value.isEmpty else {
      if entry.value.count > 4 { removed.append(entry.value) }
      return nil
    }
    if value.count <= 4 {
      return Array(old[..<8]) + value + [UInt8](repeating: 0, count: 4 - value.count)
    }
    bytes.replaceSubrange(entry.value, with: value)
    return old
  }

  /// Cuts off the directories after the main one, and marks them and SubIFDs for removal, with their values and pixels.
  ///
  /// The main directory has pixels too, where it is that of a TIFF file.
  mutating func removePreviews() {
    guard let structure = TIFFStructure(bytes),
      let main = structure.directory(at: structure.first)
    else { return }
    var left = structure.byteCount
    var (pending, seen) = ([main], [main.start] as Set)
    while let directory = pending.popLast() {
      removePixels(of: directory, in: structure, within: &left)
      let others =
        structure.chain(from: directory.next, most: 1, within: &left)
        + structure.directories(EXIF.Tag.subdirectories, of: directory, within: &left)
      for other in others where seen.insert(other.start).inserted {
        markRemoved(other)
        pending.append(other)
      }
    }
    if main.next != 0 {
      bytes.replaceSubrange(main.end - 4..<main.end, with: [0, 0, 0, 0])
    }
  }

  /// Removes the pointer to a directory from the main directory, and marks that directory for removal.
  mutating func removeDirectory(_ tag: Int) {
    guard let structure = TIFFStructure(bytes) else { return }
    let main = structure.directory(at: structure.first)
    if let directory = structure.directory(tag, of: main) { markRemoved(directory) }
    edit([]) { $0.tag == tag ? .remove : .keep }
  }

  /// Marks a directory and its values for removal.
  private mutating func markRemoved(_ directory: TIFFStructure.Directory) {
    removed.append(directory.start..<directory.end)
    removed += directory.entries.filter { $0.value.count > 4 }.map(\.value)
  }

  /// Marks the thumbnail, strips and tiles of a directory for removal.
  ///
  /// - Parameter left: How many bytes directories and lists of strips may still have, as in a chain of directories.
  private mutating func removePixels(
    of directory: TIFFStructure.Directory, in structure: TIFFStructure, within left: inout Int
  ) {
    for (offsets, counts) in [
      (EXIF.Tag.thumbnail, EXIF.Tag.thumbnailByteCount),
      (EXIF.Tag.stripOffsets, EXIF.Tag.stripByteCounts),
      (EXIF.Tag.tileOffsets, EXIF.Tag.tileByteCounts),
    ] {
      guard let offsets = directory[offsets], let counts = directory[counts] else { continue }
      left -= offsets.value.count
      guard left >= 0 else { return }
      let starts = structure.wholes(offsets, most: offsets.count)
      let lengths = structure.wholes(counts, most: offsets.count)
      for (start, length) in zip(starts, lengths) where start < bytes.count {
        removed.append(start..<start + min(length, bytes.count - start))
      }
    }
  }

  /// Clears every JPEG file within a value, or outside of all values: previews, which maker notes hold.
  ///
  /// Each byte is searched once, between the ends of values next to it, even where values of hostile data overlap.
  mutating func clearPreviews() {
    let ends = usedRanges.flatMap { [$0.lowerBound, $0.upperBound] }.filter { $0 < bytes.count }
    var position = 0
    for end in Set(ends + [bytes.count]).sorted() {
      while let start = bytes[position..<end].firstIndex(of: 0xFF) {
        position = start + 1
        guard bytes[start..<end].starts(with: [0xFF, 0xD8, 0xFF]) else { continue }
        position = endOfJPEG(in: start..<end)
        clear(start..<position)
      }
      position = end
    }
  }

  /// The end of a JPEG file's segments and scans (ITU-T T.81, B.1): behind its last marker, or where something else follows.
  private func endOfJPEG(in range: Range<Int>) -> Int {
    var position = range.lowerBound + 2
    while position + 4 <= range.upperBound, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xD9 { return position + 2 }
      let length = bytes.bigEndian16(at: position + 2)
      position += 2 + max(length, 2)
      guard marker == 0xDA else { continue }
      // Entropy-coded data: zero follows each 0xFF that is not of a marker, and markers of restarts belong to it.
      while position + 1 < range.upperBound,
        bytes[position] != 0xFF || bytes[position + 1] == 0 || bytes[position + 1] & 0xF8 == 0xD0
      {
        position += 1
      }
      // A last byte that no other follows is of the scan.
      if position + 1 == range.upperBound { position = range.upperBound }
    }
    let endsAsMarker = position + 1 < range.upperBound && bytes[position] == 0xFF
    return endsAsMarker ? position + 2 : min(position, range.upperBound)
  }

  /// Adds fields to the main directory, which moves to the end for that.
  mutating func append(_ fields: [TIFFStructure.Field]) {
    guard !fields.isEmpty, let structure = TIFFStructure(bytes),
      let main = structure.directory(at: structure.first)
    else { return }
    var entries = main.entries.map {
      (tag: $0.tag, bytes: Array(bytes[$0.position..<$0.position + 12]))
    }
    removed.append(main.start..<main.end)
    bytes += [UInt8](repeating: 0, count: bytes.count % 2)
    for field in fields {
      let head = number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
      if field.value.count <= 4 {
        let rest = [UInt8](repeating: 0, count: 4 - field.value.count)
        entries.append((field.tag, head + field.value + rest))
      } else {
        entries.append((field.tag, head + number(bytes.count, 4)))
        bytes += field.value
      }
    }
    bytes.replaceSubrange(4..<8, with: number(bytes.count, 4))
    bytes += number(entries.count, 2) + entries.sorted { $0.tag < $1.tag }.flatMap(\.bytes)
    bytes += number(0, 4)
  }

  /// Clears the bytes of removed values that no remaining value shares, and truncates them at the end.
  mutating func clearRemoved() {
    let used = usedRanges
    for range in RangeSet(removed).subtracting(RangeSet(used)).ranges { clear(range) }
    let end = used.map(\.upperBound).max() ?? bytes.count
    if removed.contains(where: { $0.upperBound >= bytes.count }),
      bytes[end...].allSatisfy({ $0 == 0 })
    {
      bytes.removeSubrange(end...)
    }
  }

  /// The header, the directories and their values.
  private var usedRanges: [Range<Int>] {
    guard let structure = TIFFStructure(bytes) else { return [] }
    let main = structure.directory(at: structure.first)
    let camera = structure.directory(EXIF.Tag.camera, of: main)
    let directories = [
      main, camera, structure.directory(EXIF.Tag.position, of: main),
      structure.directory(EXIF.Tag.interoperability, of: camera),
    ].compactMap(\.self)
    return [0..<8] + directories.flatMap { [$0.start..<$0.end] + $0.entries.map(\.value) }
  }

  private mutating func clear(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<bytes.count)
    bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
  }

  /// Returns the number in two bytes.
  private func number(at position: Int) -> Int {
    bytes[position..<position + 2].number(isBigEndian: isBigEndian)
  }

  private func number(_ number: Int, _ byteCount: Int) -> [UInt8] {
    number.bytes(byteCount, isBigEndian: isBigEndian)
  }
}
