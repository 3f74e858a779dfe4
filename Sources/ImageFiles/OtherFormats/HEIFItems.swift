#if HEIF
  internal import ImageBuffer

  /// The pictures of an HEIF file as its container states them (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6 and 9.3). The decoders trust
  /// none of it; it is read to bound their work before they begin.
  struct HEIFItems {
    /// The most items that are read, and the most references of auxiliary pictures. libheif compares each item with each other one.
    private static let mostItems = 4096
    /// The most references and targets of references.
    private static let mostReferences = 1 << 16
    /// The most properties: their numbers have 15 bits.
    private static let mostProperties = 0x7FFF

    let file: UnsafeRawBufferPointer
    private let name: String
    private var data: Slice<UnsafeRawBufferPointer>?
    /// The primary item, as far as the container states it.
    private(set) var primary: UInt32?
    private(set) var types: [UInt32: String] = [:]
    /// The contents of the boxes that list the items.
    private(set) var entries: [UInt32: Slice<UnsafeRawBufferPointer>] = [:]
    /// Where the bytes of an item are: in the file, or in the box of data.
    private var extents: [UInt32: (isInData: Bool, ranges: [Range<Int>])] = [:]
    private(set) var references: [UInt32: [(type: String, to: [UInt32])]] = [:]
    /// The pictures that say that they belong to a picture, as alpha does.
    private var auxiliaries: [UInt32: [UInt32]] = [:]
    private(set) var boxes: [(type: String, content: Slice<UnsafeRawBufferPointer>)] = []
    private(set) var associations: [UInt32: [Association]] = [:]

    /// A property of an item.
    struct Association {
      /// Its number among all properties, from 1.
      var number: Int
      /// Whether a reader must know the property.
      var isEssential: Bool
    }

    /// Reads the container. Structures that could be read in two ways are refused.
    init(_ file: UnsafeRawBufferPointer, name: String) throws(ImageFileError) {
      (self.file, self.name) = (file, name)
      let whole = HEIFBoxes(file[...])
      guard let meta = try only("meta", in: whole).map({ HEIFBoxes($0.dropFirst(4)) }) else {
        return
      }
      data = try only("idat", in: meta)
      if let box = try only("pitm", in: meta) {
        var words = HEIFWords(box.dropFirst(4))
        primary = words.next(box.first == 0 ? 2 : 4).map { UInt32($0) }
      }
      if let box = try only("iinf", in: meta) { try readTypes(box) }
      if let box = try only("iref", in: meta) { try readReferences(box) }
      if let box = try only("iloc", in: meta) { try readLocations(box) }
      guard let properties = try only("iprp", in: meta).map({ HEIFBoxes($0) }) else { return }
      if let box = try only("ipco", in: properties) {
        boxes = Array(HEIFBoxes(box).prefix(Self.mostProperties + 1))
        try checkCount(boxes.count, of: "properties", limit: Self.mostProperties)
      }
      for box in properties where box.type == "ipma" { try readAssociations(box.content) }
      // Each coded picture is copied with its decoder's configuration.
      var copied = 0
      for item in types.keys {
        for (type, content) in self.properties(of: item) where ["hvcC", "av1C"].contains(type) {
          copied += content.count
        }
        guard copied <= 4 * file.count + 1 << 28 else {
          throw .damaged(
            file: name, reason: "its items take \(copied) bytes of a file of \(file.count)")
        }
      }
    }

    /// Clears the flag by which an item is hidden, in the bytes that this was read from.
    func show(_ item: UInt32, in file: UnsafeMutableRawBufferPointer) {
      // A version, and flags of 24 bits.
      if let entry = entries[item], entry.count > 3 { file[entry.startIndex + 3] &= 0xFE }
    }

    private func only(
      _ type: String, in boxes: HEIFBoxes
    ) throws(ImageFileError) -> Slice<UnsafeRawBufferPointer>? {
      var (content, count): (Slice<UnsafeRawBufferPointer>?, Int) = (nil, 0)
      for box in boxes where box.type == type { (content, count) = (box.content, count + 1) }
      guard count < 2 else {
        throw .damaged(file: name, reason: "it has \(count) boxes “\(type)” in one place")
      }
      return content
    }

    private mutating func readTypes(
      _ box: Slice<UnsafeRawBufferPointer>
    ) throws(ImageFileError) {
      let isShort = box.first == 0
      for entry in HEIFBoxes(box.dropFirst(isShort ? 6 : 8)) where entry.type == "infe" {
        var words = HEIFWords(entry.content)
        guard let version = words.next(1), words.next(3) != nil,
          let item = words.next(version < 3 ? 2 : 4), words.next(2) != nil,
          let type = words.next(4)
        else { continue }
        let kind = Self.typeName(type)
        (types[UInt32(item)], entries[UInt32(item)]) = (kind, entry.content)
        try checkCount(types.count, of: "items")
        // The item's name, content type and encoding. libheif inflates it without a limit.
        let texts = entry.content.dropFirst(version < 3 ? 12 : 14).split(
          separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
        guard kind != "mime" || texts.count < 3 || texts[2].isEmpty else {
          throw .unsupportedStorage(file: name, reason: "its metadata is compressed")
        }
      }
    }

    /// Refuses more things than a limit, as soon as one more is found, so that they take no memory.
    private func checkCount(
      _ count: Int, of things: String, limit: Int = Self.mostItems
    ) throws(ImageFileError) {
      guard count <= limit else {
        throw .unsupportedStorage(
          file: name, reason: "it has more than \(limit) \(things)")
      }
    }

    private mutating func readReferences(
      _ box: Slice<UnsafeRawBufferPointer>
    ) throws(ImageFileError) {
      let width = box.first == 0 ? 2 : 4
      var words = HEIFWords(box.dropFirst(4))
      var (referenceCount, auxiliaryCount) = (0, 0)
      while let size = words.next(4), let code = words.next(4), let item = words.next(width),
        let count = words.next(2)
      {
        // libheif goes by the number of targets, other readers by the size.
        let needed = 8 + width + 2 + count * width
        guard size == needed else {
          throw .damaged(
            file: name, reason: "a reference states \(size) bytes, and its targets take \(needed)")
        }
        referenceCount += 1 + count
        try checkCount(
          referenceCount, of: "references and targets of them", limit: Self.mostReferences)
        let targets = (0..<count).compactMap { _ in words.next(width).map { UInt32($0) } }
        let type = Self.typeName(code)
        references[UInt32(item), default: []].append((type, targets))
        if type == "auxl" {
          for target in targets { auxiliaries[target, default: []].append(UInt32(item)) }
          auxiliaryCount += targets.count
          try checkCount(auxiliaryCount, of: "references of auxiliary pictures")
        }
      }
    }

    private static func typeName(_ code: Int) -> String {
      String(
        decoding: (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }, as: UTF8.self)
    }

    /// Reads the locations of items, each of which has a list of extents (ISO/IEC 14496-12, 8.11.3).
    private mutating func readLocations(
      _ box: Slice<UnsafeRawBufferPointer>
    ) throws(ImageFileError) {
      var words = HEIFWords(box)
      guard let version = words.next(1), words.next(3) != nil, let sizes = words.next(2) else {
        return
      }
      let (base, index) = (sizes >> 4 & 15, version > 1 ? sizes & 15 : 0)
      let widths = (offset: sizes >> 12, length: sizes >> 8 & 15, index: index)
      // libheif takes fields of other sizes for fields that are not there.
      let otherSize = [widths.offset, widths.length, base, index].first { ![0, 4, 8].contains($0) }
      if let otherSize {
        throw .unsupportedStorage(
          file: name,
          reason: "its box “iloc” has a field size of \(otherSize); libheif reads 0, 4 and 8")
      }
      // libheif 1.15 takes the indices of version 1 for fields that are not there.
      guard version != 1 || sizes & 15 == 0 else {
        throw .unsupportedStorage(
          file: name,
          reason: "its box “iloc” has indices in version 1, which libheif 1.15 ignores; "
            + "they are allowed in version 2")
      }
      let itemCount = words.next(version < 2 ? 2 : 4) ?? 0
      try checkCount(itemCount, of: "item locations")
      var (total, kept) = (0, 0)
      for _ in 0..<itemCount {
        guard let item = words.next(version < 2 ? 2 : 4),
          let method = version > 0 ? words.next(2) : 0, words.next(2) != nil,
          let start = words.next(base), let count = words.next(2)
        else { throw endOfLocations }
        guard count <= 32 else {
          throw .unsupportedStorage(
            file: name, reason: "its item \(item) has \(count) extents, more than 32")
        }
        let ranges = try ranges(of: count, from: start, &words, widths)
        let own = ranges.reduce(0) { $0 + $1.count }
        total += own
        if references[UInt32(item)]?.contains(where: { $0.type == "cdsc" }) == true { kept += own }
        // An item is not larger than its file.
        guard own <= file.count else {
          throw .damaged(
            file: name, reason: "its item \(item) takes \(own) bytes of a file of \(file.count)")
        }
        guard extents.updateValue((method & 15 == 1, ranges), forKey: UInt32(item)) == nil else {
          throw .damaged(file: name, reason: "it states the location of its item \(item) twice")
        }
      }
      // Pictures may share their bytes. libheif copies each item once while it reads the container, and keeps metadata.
      guard total <= 4 * file.count + 1 << 28, kept <= 2 * file.count else {
        throw .damaged(
          file: name, reason: "its items take \(total) bytes of a file of \(file.count)")
      }
    }

    private var endOfLocations: ImageFileError {
      .damaged(file: name, reason: "its box “iloc” ends too early")
    }

    /// Reads the extents of an item, as far as they are in the file.
    private func ranges(
      of count: Int, from start: Int, _ words: inout HEIFWords,
      _ widths: (offset: Int, length: Int, index: Int)
    ) throws(ImageFileError) -> [Range<Int>] {
      var ranges: [Range<Int>] = []
      for _ in 0..<count {
        guard words.next(widths.index) != nil, let from = words.next(widths.offset),
          let bytes = words.next(widths.length)
        else { throw endOfLocations }
        let (first, isTooFar) = start.addingReportingOverflow(from)
        // Beyond the file; libheif says so.
        guard !isTooFar, first >= 0, bytes >= 0, bytes <= file.count, first <= file.count - bytes
        else { continue }
        // 0 bytes are all from there on.
        ranges.append(first..<(bytes == 0 && count == 1 ? file.count : first + bytes))
      }
      return ranges
    }

    /// Reads the properties of items. An item has one entry at most in all these boxes (ISO/IEC 23008-12, 9.3.1); of several, libheif
    /// takes the first one.
    private mutating func readAssociations(
      _ box: Slice<UnsafeRawBufferPointer>
    ) throws(ImageFileError) {
      var words = HEIFWords(box)
      guard let version = words.next(1), let flags = words.next(3), let count = words.next(4) else {
        return
      }
      let isWide = flags & 1 == 1
      for _ in 0..<count {
        guard let item = words.next(version < 1 ? 2 : 4), let found = words.next(1) else { return }
        var list: [Association] = []
        for _ in 0..<found {
          guard let number = words.next(isWide ? 2 : 1) else { return }
          let flag = isWide ? 0x8000 : 0x80
          list.append(Association(number: number & (flag - 1), isEssential: number & flag != 0))
        }
        guard associations.updateValue(list, forKey: UInt32(item)) == nil else {
          throw .damaged(file: name, reason: "it states the properties of its item \(item) twice")
        }
        try checkCount(associations.count, of: "items with properties")
      }
    }

    /// The properties of an item in order.
    func properties(
      of item: UInt32
    ) -> [(type: String, content: Slice<UnsafeRawBufferPointer>)] {
      (associations[item] ?? []).compactMap {
        boxes.indices.contains($0.number - 1) ? boxes[$0.number - 1] : nil
      }
    }

    /// The size of a picture before it is cropped and turned; nil where the file states none.
    private func size(of item: UInt32) -> PixelSize? {
      guard let box = properties(of: item).last(where: { $0.type == "ispe" }),
        box.content.count >= 12
      else { return nil }
      let bytes = Array(box.content.prefix(12))
      return PixelSize(Int(bytes.bigEndian32(at: 4)), Int(bytes.bigEndian32(at: 8)))
    }

    /// The bytes of a sample by the configuration of a coded picture's decoder.
    private func sampleBytes(of item: UInt32) -> Int {
      for (type, content) in properties(of: item) {
        let bytes = Array(content.prefix(19))
        if type == "hvcC", bytes.count == 19, (bytes[17] | bytes[18]) & 7 > 0 { return 2 }
        if type == "av1C", bytes.count > 2, bytes[2] & 0x40 > 0 { return 2 }
      }
      return 1
    }

    /// Whether a picture is coded without chroma. Those that are made of others are decoded as colors.
    func isGray(_ item: UInt32) -> Bool {
      properties(of: item).contains { type, content in
        let bytes = Array(content.prefix(17))
        return type == "hvcC" && bytes.count == 17 && bytes[16] & 3 == 0
          || type == "av1C" && bytes.count > 2 && bytes[2] & 0x10 > 0
      }
    }

    /// The pictures of which a picture is made.
    func parts(of item: UInt32) -> [UInt32] {
      (references[item] ?? []).filter { $0.type == "dimg" }.flatMap(\.to)
    }

    /// The first bytes of an item.
    func bytes(of item: UInt32, _ count: Int = .max) -> [UInt8] {
      guard let (isInData, ranges) = extents[item], let source = isInData ? data : file[...] else {
        return []
      }
      var bytes: [UInt8] = []
      for range in ranges where bytes.count < count {
        bytes += source.dropFirst(range.lowerBound).prefix(min(range.count, count - bytes.count))
      }
      return bytes
    }
  }

  /// What decoding a picture takes.
  struct HEIFDemand {
    /// The largest width and height of a coded picture.
    var coded = PixelSize(0, 0)
    /// The pixels of pictures made of others.
    var canvas = 0.0
    /// The pixels of all coded pictures.
    var pixels = 0
    /// The number of pictures, counted as often as they are used.
    var count = 0
    var sampleBytes = 1
    var hasAV1 = false
    /// Whether a picture is coded in layers, of which one refers to another.
    var isLayered = false
    /// The pictures on the longest way from this one to a coded one.
    var depth = 1

    /// Adds what a part takes.
    fileprivate mutating func add(_ part: HEIFDemand) {
      coded = PixelSize(max(coded.width, part.coded.width), max(coded.height, part.coded.height))
      (canvas, pixels, count) = (
        canvas + part.canvas, pixels + part.pixels, count + part.count
      )
      sampleBytes = max(sampleBytes, part.sampleBytes)
      (hasAV1, isLayered) = (hasAV1 || part.hasAV1, isLayered || part.isLayered)
      depth = max(depth, part.depth + 1)
    }
  }

  extension HEIFItems {
    /// Follows a picture to all coded ones that it is made of. Those that refer to themselves, or have many times more pixels than the
    /// picture, are refused, and so are sizes that contradict each other.
    func demand(of item: UInt32, limits: FileLimits) throws(ImageFileError) -> HEIFDemand {
      let stated = size(of: item) ?? PixelSize(0, 0)
      let own = min(stated.width, 1 << 16) * min(stated.height, 1 << 16)
      var known: [UInt32: HEIFDemand] = [:]
      return try demand(of: item, within: own, &known, path: [], limits)
    }

    /// Follows a picture once, however often others are made of it.
    private func demand(
      of item: UInt32, within own: Int, _ known: inout [UInt32: HEIFDemand], path: [UInt32],
      _ limits: FileLimits
    ) throws(ImageFileError) -> HEIFDemand {
      guard !path.contains(item) else {
        throw .damaged(file: name, reason: "its picture \(item) is made of itself")
      }
      guard path.count + (known[item]?.depth ?? 1) <= 8 else {
        throw .damaged(
          file: name,
          reason:
            "its picture \(path.first ?? item) is made of more than 8 pictures, one from the next")
      }
      if let demand = known[item] { return demand }
      guard let type = types[item], let size = size(of: item), size.width > 0, size.height > 0
      else {
        throw .damaged(file: name, reason: "it does not state the size of its picture \(item)")
      }
      try check(size, of: item, limits)
      var demand = HEIFDemand(pixels: size.pixelCount, count: 1)
      try check(demand, within: own)
      var others = auxiliaries(of: item, endingWith: "auxid:1", "alpha")
      switch type {
      case "grid", "iovl":
        let made = try sizeOfParts(item, of: type)
        // Writers state the size of a turned picture before or after the turn.
        guard made == size || made == PixelSize(size.height, size.width) else {
          throw .damaged(
            file: name, reason: "its parts make \(made) pixels, and its container states \(size)")
        }
        demand.canvas += Double(size.pixelCount)
        others = parts(of: item) + others
      case "iden": others = parts(of: item) + others
      default:
        demand.coded = size
        demand.sampleBytes = sampleBytes(of: item)
        demand.hasAV1 = type == "av01"
        demand.isLayered = properties(of: item).contains {
          ["a1lx", "a1op", "lsel"].contains($0.type)
        }
      }
      for other in others {
        demand.add(
          try self.demand(of: other, within: own, &known, path: path + [item], limits))
        try check(demand, within: own)
      }
      known[item] = demand
      return demand
    }

    /// Throws where a picture is larger than those that are read.
    private func check(
      _ size: PixelSize, of item: UInt32, _ limits: FileLimits
    ) throws(ImageFileError) {
      guard size.width <= 1 << 16, size.height <= 1 << 16 else {
        throw .unsupportedStorage(
          file: name,
          reason: "its picture \(item) has \(size) pixels; those of up to 65536 a side can be read")
      }
      try limits.check(size, in: name)
    }

    /// Returns the size of the picture that a grid or an overlay makes of its parts.
    private func sizeOfParts(
      _ item: UInt32, of type: String
    ) throws(ImageFileError) -> PixelSize {
      // A version, flags, and numbers of rows and columns or the color behind the parts; then the size.
      let start = type == "grid" ? 4 : 10
      let bytes = bytes(of: item, start + 8)
      let isWide = bytes.count > 1 && bytes[1] & 1 == 1
      guard bytes.count >= start + (isWide ? 8 : 4) else {
        throw .damaged(file: name, reason: "its picture \(item) of parts ends too early")
      }
      return isWide
        ? PixelSize(Int(bytes.bigEndian32(at: start)), Int(bytes.bigEndian32(at: start + 4)))
        : PixelSize(bytes.bigEndian16(at: start), bytes.bigEndian16(at: start + 2))
    }

    /// Each picture takes a decoder; tiles have 64 × 64 pixels or more (ISO/IEC 23000-22, 7.3.11.4.2).
    private func check(_ demand: HEIFDemand, within own: Int) throws(ImageFileError) {
      guard demand.pixels <= 4 * own + 1 << 20, demand.count <= 64 + own / 1024 else {
        throw .damaged(
          file: name,
          reason:
            "it is made of \(demand.count) pictures or more, of \(demand.pixels) pixels, and has \(own)"
        )
      }
    }

    /// The pictures that say that they belong to a picture, by the end of the name of their type.
    func auxiliaries(of item: UInt32, endingWith names: String...) -> [UInt32] {
      (auxiliaries[item] ?? []).filter { auxiliary in
        properties(of: auxiliary).contains { type, content in
          guard type == "auxC" else { return false }
          // No known name is longer.
          let name = content.dropFirst(4).prefix(128).prefix { $0 != 0 }
          let text = String(decoding: name, as: UTF8.self)
          return names.contains { text.hasSuffix($0) }
        }
      }
    }
  }

  extension HEIFDemand {
    /// The bytes of the decoder's pictures: what it may allocate for them, and not more.
    var pictureBytes: Int {
      let (wide, high) = (
        (coded.width + 127) / 128 * 128 + 64, (coded.height + 127) / 128 * 128 + 1
      )
      // Three planes. AV1 has up to four layers, or a picture with and without film grain.
      return (isLayered ? 4 : hasAV1 ? 2 : 1) * (3 * sampleBytes * wide * high + 4096)
    }

    /// The bytes of libheif and its decoders beside the file.
    var libraryBytes: Double {
      let (wide, high) = ((coded.width + 63) / 64 * 64, (coded.height + 63) / 64 * 64)
      let (pixels, bytes) = (Double(wide * high), Double(sampleBytes))
      // While it decodes: its state, its notes for each block, a copy, and the colors to which an alpha channel will be added.
      let state = hasAV1 ? 0x1p22 + 4 * pixels : 0x1p20 + (4 + bytes) * pixels
      let decoding = Double(pictureBytes) + state + 7 * bytes * pixels
      // Then three pictures of four channels, of which one is the step between two conversions.
      let converting = 13 * bytes * pixels
      return max(decoding, converting) + 12 * bytes * canvas + 0x1p18
    }
  }
#endif
