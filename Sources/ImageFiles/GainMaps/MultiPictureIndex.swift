/// The index of a Multi-Picture Format file: where the pictures of a JPEG file are (CIPA DC-007, 5.2).
///
/// Ultra HDR and ISO 21496-1 files list the base picture and the gain map in it.
struct MultiPictureIndex {
  /// The start and the length of each picture, as the file states them. Nothing of it is checked against the file.
  let pictures: [(start: Int, count: Int)]

  static let name = Array("MPF\0".utf8)
  /// The most pictures that are read of an index. Cameras write two to four.
  private static let mostPictures = 16
  private static let entryBytes = 16

  private enum Tag {
    static let version = 0xB000, count = 0xB001, entries = 0xB002
  }

  /// Reads the TIFF structure after the segment's name; `position` is where it begins in the file.
  init?(_ bytes: [UInt8], at position: Int) {
    guard let structure = TIFFStructure(bytes),
      let directory = structure.directory(at: structure.first),
      let entry = directory[Tag.entries], let list = structure.value(entry)
    else { return nil }
    let count = min(list.count / Self.entryBytes, Self.mostPictures)
    pictures = (0..<count).map { index in
      func number(_ offset: Int) -> Int {
        let start = index * Self.entryBytes + offset
        return list[start..<start + 4].number(isBigEndian: structure.isBigEndian)
      }
      // The offset of the first picture is 0; all others count from the structure.
      return (start: index == 0 ? 0 : position + number(8), count: number(4))
    }
  }

  /// How many bytes the body of a segment with two pictures has.
  static let segmentBytes = name.count + 8 + 2 + 3 * 12 + 4 + 2 * entryBytes

  /// The body of a segment with two pictures: `primary` bytes from the file's start, and `second` bytes right behind them.
  ///
  /// - Parameter position: Where the body begins in the file.
  static func segment(primary: Int, second: Int, at position: Int) -> [UInt8]? {
    let structureStart = position + name.count
    guard let primaryCount = UInt32(exactly: primary), let secondCount = UInt32(exactly: second),
      let offset = UInt32(exactly: primary - structureStart)
    else { return nil }
    func field(_ tag: Int, type: Int, count: Int, value: [UInt8]) -> [UInt8] {
      [tag, type].flatMap { $0.bytes(2, isBigEndian: true) }
        + bigEndianBytes([UInt32(count)]) + value
    }
    let listStart = 8 + 2 + 3 * 12 + 4
    // A baseline MP primary image, which is JPEG; the second picture is of no type that DC-007 knows.
    let primaryKind: UInt32 = 0x030000
    return name + Array("MM\0*".utf8) + bigEndianBytes([8]) + [0, 3]
      + field(Tag.version, type: 7, count: 4, value: Array("0100".utf8))
      + field(Tag.count, type: 4, count: 1, value: bigEndianBytes([2]))
      + field(
        Tag.entries, type: 7, count: 2 * entryBytes, value: bigEndianBytes([UInt32(listStart)]))
      + bigEndianBytes([0])
      + bigEndianBytes([primaryKind, primaryCount, 0, 0, 0, secondCount, offset, 0])
  }
}
