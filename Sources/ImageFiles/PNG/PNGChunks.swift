internal import CPNG
internal import ImageBuffer

/// The header of a PNG file and those of its chunks that say what its colors mean, read without libpng.
///
/// libpng before 1.6.45 does not know cICP, and judges the other chunks by rules of its own; PNG's third edition orders them
/// differently.
struct PNGChunks {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// What is kept, the first of each.
  private static let wanted: Set = [
    "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "mDCV", "cLLI", "eXIf", "tRNS",
  ]
  static let xmpKeyword = Array("XML:com.adobe.xmp".utf8)
  /// How the body of a chunk with an XMP packet begins that is not packed.
  fileprivate static let xmpStart = xmpKeyword + [0, 0, 0]

  let file: String
  let size: PixelSize
  let bitDepth: Int
  let colorType: Int
  let isInterlaced: Bool
  private(set) var bodies: [String: [UInt8]] = [:]
  /// An XMP packet that is not packed.
  private(set) var xmp: [UInt8]?

  /// Whether pixels are grays.
  var isGray: Bool { colorType == 0 || colorType == 4 }

  init(_ bytes: ByteSource, limits: FileLimits) throws(ImageFileError) {
    file = bytes.name
    guard let header = try bytes.chunk(at: Self.signature.count) else {
      throw .damaged(file: file, reason: "it ends after \(bytes.count) bytes, before its header")
    }
    guard header.name != "CgBI" else {
      throw .unsupportedStorage(
        file: file,
        reason: "it is Apple's variant of PNG for iOS; pngcrush -revert-iphone-optimizations makes "
          + "a PNG of it")
    }
    guard header.name == "IHDR", header.body.count == 13 else {
      throw .damaged(
        file: file, reason: "its first chunk is “\(header.name)”, not the header “IHDR”")
    }
    let numbers = try bytes.array(header.body)
    size = PixelSize(Int(numbers.bigEndian32(at: 0)), Int(numbers.bigEndian32(at: 4)))
    (bitDepth, colorType) = (Int(numbers[8]), Int(numbers[9]))
    isInterlaced = numbers[12] == 1
    guard (1...0x7FFF_FFFF).contains(size.width), (1...0x7FFF_FFFF).contains(size.height) else {
      throw .damaged(file: file, reason: "its header states \(size) pixels")
    }
    var (position, kept) = (header.end, 0)
    while true {
      guard let chunk = try bytes.chunk(at: position) else {
        throw .truncated(file: file, rows: 0, of: size.height)
      }
      if chunk.name == "IDAT" { break }
      if chunk.name == "IEND" { throw .damaged(file: file, reason: "it has no pixels") }
      let isXMP = xmp == nil ? try bytes.holdsXMP(chunk) : false
      if isXMP || Self.wanted.contains(chunk.name) && bodies[chunk.name] == nil {
        kept += chunk.body.count
        guard kept <= limits.metadataBytes else {
          throw .tooMuchMetadata(file: file, limit: limits.metadataBytes)
        }
        let body = try bytes.array(chunk.body)
        if isXMP { xmp = Self.xmp(in: body) } else { bodies[chunk.name] = body }
      }
      position = chunk.end
    }
    // EXIF data may also follow the pixels. What is wrong from here on is found when the pixels are read.
    while bodies["eXIf"] == nil, let chunk = try bytes.chunkOutline(at: position),
      chunk.name != "IEND"
    {
      if chunk.name == "eXIf", chunk.body.count <= limits.metadataBytes - kept,
        let checked = try? bytes.chunk(at: position)
      {
        bodies[chunk.name] = try bytes.array(checked.body)
      }
      position = chunk.end
    }
  }

  /// A keyword, a zero, whether the text is packed and how, language and translated keyword, each with a zero, and the text.
  private static func xmp(in body: [UInt8]) -> [UInt8]? {
    let texts = body.dropFirst(xmpStart.count).split(
      separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    return texts.count == 3 ? Array(texts[2]) : nil
  }

  /// The fewest bytes that a file with this header can have: deflate packs 1032 to 1 at best.
  var smallestByteCount: Int {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
    let bits = size.pixelCount.multipliedReportingOverflow(by: channels * max(bitDepth, 1))
    return bits.overflow ? .max : bits.partialValue / 8 / 1032
  }
}

extension ByteSource {
  fileprivate typealias Chunk = (name: String, body: Range<Int>, end: Int)

  /// Where the chunk at `position` begins and ends; nil where the file ends before the chunk does.
  fileprivate func chunkOutline(at position: Int) throws(ImageFileError) -> Chunk? {
    guard count - position >= 8 else { return nil }
    let start = try array(position..<position + 8)
    let name = String(decoding: start[4...], as: UTF8.self)
    let length = Int(start.bigEndian32(at: 0))
    guard count - position >= length + 12 else { return nil }
    return (name, position + 8..<position + 8 + length, position + 12 + length)
  }

  /// The chunk at `position`; nil where the file ends before the chunk does. Of pixels only the beginning is looked at.
  fileprivate func chunk(at position: Int) throws(ImageFileError) -> Chunk? {
    guard count - position >= 8 else { return nil }
    let start = try array(position..<position + 8)
    if start.dropFirst(4).elementsEqual("IDAT".utf8) {
      return ("IDAT", position..<position, position)
    }
    let length = start.bigEndian32(at: 0)
    guard length <= 0x7FFF_FFFF else {
      throw .damaged(file: name, reason: "a chunk states \(length) bytes")
    }
    guard let chunk = try chunkOutline(at: position) else { return nil }
    // All are checked, for a chunk that is not what it was may have been the one that says what a pixel means.
    let stated = try array(chunk.body.upperBound..<chunk.end).bigEndian32(at: 0)
    guard try checksum(of: position + 4..<chunk.body.upperBound) == UInt(stated) else {
      throw .damaged(file: name, reason: "the checksum of its chunk “\(chunk.name)” is wrong")
    }
    return chunk
  }

  private func checksum(of range: Range<Int>) throws(ImageFileError) -> UInt {
    var checksum: uLong = 0
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 16) {
      let part = try array(start..<min(start + 1 << 16, range.upperBound))
      checksum = crc32_z(checksum, part, part.count)
    }
    return UInt(checksum)
  }

  fileprivate func holdsXMP(_ chunk: Chunk) throws(ImageFileError) -> Bool {
    let start = PNGChunks.xmpStart
    guard chunk.name == "iTXt", chunk.body.count >= start.count else { return false }
    return try array(chunk.body.prefix(start.count)) == start
  }
}

extension [UInt8] {
  /// The number at `offset`. The caller has checked that the bytes are there.
  func bigEndian32(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
