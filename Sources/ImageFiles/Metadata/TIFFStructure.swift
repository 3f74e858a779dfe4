/// The directories of a TIFF structure: a TIFF or BigTIFF file, or EXIF data (TIFF 6.0, section 2).
///
/// Every offset, count and length is checked before it is used, so hostile data gives fewer entries, never a crash, a loop or
/// a large allocation.
struct TIFFStructure {
  let isBigEndian: Bool
  /// Whether offsets have 64 bits (BigTIFF).
  let isBig: Bool
  /// Where the first directory is.
  let first: Int
  let byteCount: Int
  private let storage: Storage

  private enum Storage {
    case memory([UInt8])
    case file(ByteSource)
  }

  /// A field of a directory.
  struct Entry {
    let tag, type, count: Int
    /// Where the entry itself is.
    let position: Int
    /// Where the value is, within the entry or elsewhere.
    let value: Range<Int>
  }

  /// A directory whose entries are all there.
  struct Directory {
    let start: Int
    /// Where the entries and the offset after them end.
    let end: Int
    /// The entries whose values are all there. Of equal tags the first one counts.
    let entries: [Entry]
    /// Where the next directory is; 0 after the last one.
    let next: Int

    subscript(tag: Int) -> Entry? { entries.first { $0.tag == tag } }
  }

  init?(_ bytes: [UInt8]) { self.init(.memory(bytes), count: bytes.count) }
  init?(_ file: ByteSource) { self.init(.file(file), count: file.count) }

  private init?(_ storage: Storage, count: Int) {
    (self.storage, byteCount) = (storage, count)
    let start = Self.bytes(in: storage, 0..<min(16, count)) ?? []
    guard start.count >= 8 else { return nil }
    switch Array(start[..<2]) {
    case Array("II".utf8): isBigEndian = false
    case Array("MM".utf8): isBigEndian = true
    default: return nil
    }
    let order = isBigEndian
    let number = { (range: Range<Int>) in start[range].number(isBigEndian: order) }
    switch number(2..<4) {
    case 42: (isBig, first) = (false, number(4..<8))
    case 43 where start.count == 16 && number(4..<6) == 8: (isBig, first) = (true, number(8..<16))
    default: return nil
    }
  }

  /// The type of texts in UTF-8, which EXIF has and TIFF has not (Exif 3.0, 4.6.2).
  static let utf8Type = 129
  /// The types of texts: ASCII, and that of EXIF.
  static let textTypes: Set = [2, utf8Type]

  /// How many bytes a value of a type has; nil for unknown types.
  static func size(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7, utf8Type: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// How long an entry is, and the number of entries before the first one.
  var entryBytes: Int { isBig ? 20 : 12 }
  var countBytes: Int { isBig ? 8 : 2 }
  var offsetBytes: Int { isBig ? 8 : 4 }

  /// The most entries of a directory, and directories of a chain, that are read.
  private static let mostEntries = 4096
  static let mostDirectories = 65_536

  /// The directory at an offset; nil where not all of it is there.
  func directory(at start: Int) -> Directory? {
    guard start >= 8, let count = wholeNumber(start..<start + countBytes),
      count <= Self.mostEntries
    else { return nil }
    let lastEntryEnd = start + countBytes + count * entryBytes
    // Some writers leave out the offset after the last directory.
    guard let table = bytes(start..<lastEntryEnd + offsetBytes) ?? bytes(start..<lastEntryEnd)
    else { return nil }
    let hasNext = table.count > lastEntryEnd - start
    func number(_ offset: Int, _ byteCount: Int) -> Int {
      table[offset..<offset + byteCount].number(isBigEndian: isBigEndian)
    }
    let entries = (0..<count).compactMap { index -> Entry? in
      let offset = countBytes + index * entryBytes
      let (type, count) = (number(offset + 2, 2), number(offset + 4, offsetBytes))
      guard let size = Self.size(ofType: type), count <= byteCount / size else { return nil }
      let inside = offset + 4 + offsetBytes
      let place = count * size <= offsetBytes ? start + inside : number(inside, offsetBytes)
      guard place <= byteCount - count * size else { return nil }
      return Entry(
        tag: number(offset, 2), type: type, count: count, position: start + offset,
        value: place..<place + count * size)
    }
    return Directory(
      start: start, end: start + table.count, entries: entries,
      next: hasNext ? number(lastEntryEnd - start, offsetBytes) : 0)
  }

  /// The directories of a chain, each once, up to the first one that is longer than the bytes that are left.
  ///
  /// - Parameter left: How many bytes directories may still have. Those of a structure have no more than it has, unless they overlap, as in
  ///   hostile data.
  func chain(
    from start: Int, most: Int = TIFFStructure.mostDirectories, within left: inout Int
  ) -> [Directory] {
    var directories: [Directory] = []
    var seen: Set<Int> = []
    var position = start
    while position != 0, directories.count < most, seen.insert(position).inserted,
      let directory = directory(at: position, within: &left)
    {
      directories.append(directory)
      position = directory.next
    }
    return directories
  }

  /// The directory that an entry points to.
  func directory(_ tag: Int, of directory: Directory?) -> Directory? {
    whole(tag, of: directory).flatMap { self.directory(at: $0) }
  }

  /// The directories that an entry points to, up to 64 of them, and within the bytes that are left, as in a chain.
  func directories(_ tag: Int, of directory: Directory, within left: inout Int) -> [Directory] {
    guard let entry = directory[tag] else { return [] }
    var directories: [Directory] = []
    for position in wholes(entry, most: 64) {
      if let found = self.directory(at: position, within: &left) { directories.append(found) }
    }
    return directories
  }

  private func directory(at start: Int, within left: inout Int) -> Directory? {
    guard left > 0, let directory = directory(at: start) else { return nil }
    left -= directory.end - directory.start
    return left >= 0 ? directory : nil
  }

  /// The bytes of a value, as long as they are no more than `most`.
  func value(_ entry: Entry, most: Int = 1 << 26) -> [UInt8]? {
    entry.value.count <= most ? bytes(entry.value) : nil
  }

  /// The first whole number of a value.
  func whole(_ entry: Entry) -> Int? { wholes(entry, most: 1).first }

  /// The first whole number of an entry of a directory.
  func whole(_ tag: Int, of directory: Directory?) -> Int? { directory?[tag].flatMap { whole($0) } }

  /// The first whole numbers of a value of any integer type; none where one of them is negative.
  func wholes(_ entry: Entry, most: Int) -> [Int] {
    let isSigned = [6, 8, 9, 17].contains(entry.type)
    guard isSigned || [1, 3, 4, 13, 16, 18].contains(entry.type),
      let size = Self.size(ofType: entry.type)
    else { return [] }
    let count = min(entry.count, most)
    guard let bytes = bytes(entry.value.prefix(count * size)) else { return [] }
    let numbers = (0..<count).map {
      bytes[$0 * size..<($0 + 1) * size].number(isBigEndian: isBigEndian)
    }
    // Numbers with the sign bit of two's complement; those of 64 bits saturate below it.
    let negative = 1 << min(8 * size - 1, 60)
    return isSigned && numbers.contains { $0 >= negative } ? [] : numbers
  }

  /// The fractions of a value that has so many of them.
  func fractions(_ entry: Entry, _ count: Int) -> [Double]? {
    guard entry.type == 5, entry.count == count, let bytes = bytes(entry.value) else { return nil }
    func number(at offset: Int) -> Double {
      Double(bytes[offset..<offset + 4].number(isBigEndian: isBigEndian))
    }
    return (0..<count).map { number(at: 8 * $0) / number(at: 8 * $0 + 4) }
  }

  /// A text up to its first zero byte.
  func text(_ entry: Entry) -> String? {
    guard Self.textTypes.contains(entry.type), let bytes = value(entry, most: 1 << 20)
    else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }

  private func wholeNumber(_ range: Range<Int>) -> Int? {
    bytes(range).map { $0.number(isBigEndian: isBigEndian) }
  }

  private func bytes(_ range: Range<Int>) -> [UInt8]? { Self.bytes(in: storage, range) }

  private static func bytes(in storage: Storage, _ range: Range<Int>) -> [UInt8]? {
    guard range.lowerBound >= 0 else { return nil }
    switch storage {
    case .memory(let bytes): return range.upperBound <= bytes.count ? Array(bytes[range]) : nil
    case .file(let file): return range.upperBound <= file.count ? try? file.array(range) : nil
    }
  }
}

extension TIFFStructure {
  /// A field with its value, in the byte order of the structure that it belongs to.
  struct Field {
    var tag, type, count: Int
    var value: [UInt8]
    /// Where the value was. Maker notes count offsets from the beginning of the structure, so they stay there if they can.
    var position: Int?
  }

  /// The fields of a directory that are included. Numbers of 64 bits become 32 where they fit, and texts get the type that TIFF has.
  ///
  /// Values that together are longer than the structure overlap, as in hostile data; those after that are left out.
  func fields(
    of directory: Directory?, where isIncluded: (Entry) -> Bool = { _ in true }
  ) -> [Field] {
    var left = byteCount
    return (directory?.entries ?? []).compactMap { entry in
      guard isIncluded(entry) else { return nil }
      left -= entry.value.count
      guard left >= 0, var value = value(entry) else { return nil }
      var type = entry.type
      if type == 16 || type == 18 {
        let numbers = wholes(entry, most: entry.count)
        guard numbers.allSatisfy({ $0 <= Int(UInt32.max) }) else { return nil }
        value = numbers.flatMap { $0.bytes(4, isBigEndian: isBigEndian) }
        type = 4
      } else if type == 17 {
        return nil
      } else if type == Self.utf8Type {
        type = 2
      }
      return Field(
        tag: entry.tag, type: type, count: entry.count, value: value,
        position: entry.tag == EXIF.Tag.makerNote ? entry.value.lowerBound : nil)
    }
  }

  /// The bytes of a directory and of directories that it points to, each by a tag.
  struct Tree {
    var fields: [Field]
    var children: [(tag: Int, tree: Tree)] = []

    var isEmpty: Bool { fields.isEmpty && children.allSatisfy(\.tree.isEmpty) }
  }

  /// The bytes of a tree that begins at `start` of its file: values and directories behind the directory that needs them.
  ///
  /// The directory itself comes first.
  static func bytes(of tree: Tree, at start: Int, isBigEndian: Bool, isBig: Bool = false) -> [UInt8]
  {
    let (offsetBytes, countBytes, entryBytes) = isBig ? (8, 8, 20) : (4, 2, 12)
    func number(_ number: Int, _ count: Int) -> [UInt8] {
      number.bytes(count, isBigEndian: isBigEndian)
    }
    let children = tree.children.filter { !$0.tree.isEmpty }
    let entryCount = tree.fields.count + children.count
    var end = start + countBytes + entryCount * entryBytes + offsetBytes
    var entries: [(tag: Int, bytes: [UInt8])] = []
    var outside: [UInt8] = []
    func append(_ part: [UInt8]) {
      outside += part + [UInt8](repeating: 0, count: part.count % 2)
      end += part.count + part.count % 2
    }
    // Fields that should keep their offset (maker notes) are placed last, in order, so that the offset is still ahead of the end.
    for field in tree.fields.sorted(by: { ($0.position ?? -1) < ($1.position ?? -1) }) {
      let head = number(field.tag, 2) + number(field.type, 2) + number(field.count, offsetBytes)
      if field.value.count <= offsetBytes {
        let rest = [UInt8](repeating: 0, count: offsetBytes - field.value.count)
        entries.append((field.tag, head + field.value + rest))
      } else {
        if let position = field.position, end < position, position - end <= 1 << 15 {
          outside += [UInt8](repeating: 0, count: position - end)
          end = position
        }
        entries.append((field.tag, head + number(end, offsetBytes)))
        append(field.value)
      }
    }
    for (tag, child) in children {
      let head = number(tag, 2) + number(isBig ? 18 : 4, 2) + number(1, offsetBytes)
      entries.append((tag, head + number(end, offsetBytes)))
      append(bytes(of: child, at: end, isBigEndian: isBigEndian, isBig: isBig))
    }
    let sorted = entries.sorted { $0.tag < $1.tag }.flatMap(\.bytes)
    return number(entryCount, countBytes) + sorted + number(0, offsetBytes) + outside
  }
}
