internal import CPNG
internal import ImageBuffer

/// The header of a PNG file and its chunks of color and metadata, parsed without libpng.
///
/// libpng before 1.6.45 does not know cICP, and judges the other chunks by rules of its own; PNG's third edition orders them
/// differently.
struct PNGChunks {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// The chunks that are kept, the first of each.
  private static let wanted: Set = [
    "cICP", "iCCP", "sRGB", "gAMA", "cHRM", "mDCV", "cLLI", "eXIf", "PLTE", "tRNS", "pHYs", "acTL",
    "fcTL",
  ]
  /// The chunks of which a second, different one is noted.
  private static let unique: Set = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM"]
  private static let textual: Set = ["tEXt", "zTXt", "iTXt"]
  private static let ofPixels: Set = ["IDAT", "fdAT"]
  /// The most chunks that hold no pixels. Each takes time, however small it is.
  private static let chunkLimit = 1 << 16

  let file: String
  let size: PixelSize
  let bitDepth: Int
  let colorType: Int
  let isInterlaced: Bool
  /// The header behind the size: bits, kind of color, and methods.
  let pixelKind: [UInt8]
  private(set) var bodies: [String: [UInt8]] = [:]
  /// Whether the second chunk of a name differs from the first one, which counts.
  private(set) var repetitions: [String: Bool] = [:]
  /// Texts, and the metadata that is stored as texts.
  private(set) var texts = PNGTexts()
  /// The names of the chunks of metadata behind the pixels that are damaged or beyond the limit.
  private(set) var unreadNames: Set<String> = []
  /// The bytes of the kept chunks. With those of unpacked texts they are at most `limit`.
  private var keptCount = 0
  private let limit: Int

  /// Whether pixels are grays.
  var isGray: Bool { colorType == 0 || colorType == 4 }

  init(_ bytes: ByteSource, limits: FileLimits) throws(ImageFileError) {
    file = bytes.name
    let chunks = ChunkReader(bytes)
    let header = try Self.header(chunks, of: bytes)
    let numbers = try bytes.array(header.body)
    size = PixelSize(Int(numbers.bigEndian32(at: 0)), Int(numbers.bigEndian32(at: 4)))
    (bitDepth, colorType) = (Int(numbers[8]), Int(numbers[9]))
    (isInterlaced, pixelKind) = (numbers[12] == 1, Array(numbers[8...]))
    guard (1...0x7FFF_FFFF).contains(size.width), (1...0x7FFF_FFFF).contains(size.height) else {
      throw .damaged(file: file, reason: "its header states \(size) pixels")
    }
    limit = limits.metadataBytes
    var (position, count) = (header.end, 0)
    func checkCount() throws(ImageFileError) {
      count += 1
      guard count <= Self.chunkLimit else {
        throw .damaged(
          file: file, reason: "it has more than \(Self.chunkLimit) chunks that hold no pixels")
      }
    }
    while true {
      guard let chunk = try chunks.chunk(at: position) else {
        throw .truncated(file: file, rows: 0, of: size.height)
      }
      if chunk.name == "IDAT" { break }
      if chunk.name == "IEND" { throw .damaged(file: file, reason: "it has no pixels") }
      try checkCount()
      if Self.textual.contains(chunk.name)
        || Self.wanted.contains(chunk.name) && bodies[chunk.name] == nil
      {
        guard try keep(chunk, of: bytes) else { throw .tooMuchMetadata(file: file, limit: limit) }
      } else if Self.unique.contains(chunk.name), repetitions[chunk.name] == nil {
        let known = bodies[chunk.name] ?? []
        let body = known.count == chunk.body.count ? try bytes.array(chunk.body) : []
        repetitions[chunk.name] = body != known
      }
      position = chunk.end
    }
    // EXIF data and texts may also follow the pixels. libpng only warns of their damage, and the pixels are intact.
    while let chunk = try chunks.outline(at: position), chunk.name != "IEND" {
      position = chunk.end
      if !Self.ofPixels.contains(chunk.name) || chunk.body.isEmpty { try checkCount() }
      let isEXIF = chunk.name == "eXIf" && bodies[chunk.name] == nil
      guard isEXIF || Self.textual.contains(chunk.name) else { continue }
      if fits(chunk), try chunks.isIntact(chunk), try keep(chunk, of: bytes) { continue }
      unreadNames.insert(chunk.name)
    }
  }

  /// Returns the chunk IHDR, the first one.
  private static func header(
    _ chunks: ChunkReader, of bytes: ByteSource
  ) throws(ImageFileError) -> ChunkReader.Chunk {
    let file = bytes.name
    guard let header = try chunks.chunk(at: signature.count) else {
      throw .damaged(file: file, reason: "it ends after \(bytes.count) bytes, before its header")
    }
    guard header.name != "CgBI" else {
      throw .unsupportedStorage(
        file: file,
        reason: "it is Apple's variant of PNG for iOS; pngcrush -revert-iphone-optimizations makes "
          + "a PNG of it")
    }
    guard header.name == "IHDR" else {
      throw .damaged(
        file: file, reason: "its first chunk is “\(header.name)”, not the header “IHDR”")
    }
    guard header.body.count == 13 else {
      throw .damaged(file: file, reason: "its header has \(header.body.count) bytes, not 13")
    }
    return header
  }

  /// Whether the bytes of a chunk are within the limit.
  private func fits(_ chunk: ChunkReader.Chunk) -> Bool {
    keptCount + texts.unpackedCount + chunk.body.count <= limit
  }

  /// Keeps a text, or the body of another chunk. Returns whether its bytes, and those that a text unpacks to, are within the limit.
  private mutating func keep(
    _ chunk: ChunkReader.Chunk, of bytes: ByteSource
  ) throws(ImageFileError) -> Bool {
    guard fits(chunk) else { return false }
    keptCount += chunk.body.count
    let body = try bytes.array(chunk.body)
    if Self.textual.contains(chunk.name) {
      texts.add(chunk.name, body, limit: limit - keptCount - texts.unpackedCount)
    } else {
      bodies[chunk.name] = body
    }
    return keptCount + texts.unpackedCount <= limit
  }

  /// The smallest possible size of a file with this header: deflate compresses at most 1032 to 1.
  var smallestByteCount: Int {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
    let bits = size.pixelCount.multipliedReportingOverflow(by: channels * max(bitDepth, 1))
    return bits.overflow ? .max : bits.partialValue / 8 / 1032
  }
}

/// Reads the chunks of a file in order. Reads are buffered, because a file may have millions of small chunks.
struct ChunkReader {
  typealias Chunk = (name: String, body: Range<Int>, end: Int)

  private let bytes: ByteSource
  private let window: ByteWindow

  init(_ bytes: ByteSource) {
    (self.bytes, window) = (bytes, ByteWindow(bytes, length: 1 << 12))
  }

  /// The big-endian number at `position`. The caller has checked that the bytes are there.
  func number(at position: Int) throws(ImageFileError) -> UInt32 {
    UInt32(truncatingIfNeeded: try window.number(4, at: position, isBigEndian: true))
  }

  private func name(at position: Int) throws(ImageFileError) -> String {
    let number = try number(at: position)
    return withUnsafeBytes(of: number.bigEndian) { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the extent of the chunk at `position`; nil where the file ends before the chunk does.
  func outline(at position: Int) throws(ImageFileError) -> Chunk? {
    guard bytes.count - position >= 8 else { return nil }
    let length = Int(try number(at: position))
    guard bytes.count - position >= length + 12 else { return nil }
    return (
      try name(at: position + 4), position + 8..<position + 8 + length, position + 12 + length
    )
  }

  /// Returns the chunk at `position`; nil where the file ends before the chunk does. Of IDAT only the beginning is read.
  func chunk(at position: Int) throws(ImageFileError) -> Chunk? {
    guard bytes.count - position >= 8 else { return nil }
    if try name(at: position + 4) == "IDAT" { return ("IDAT", position..<position, position) }
    let length = try number(at: position)
    guard length <= 0x7FFF_FFFF else {
      throw .damaged(file: bytes.name, reason: "a chunk states \(length) bytes")
    }
    guard let chunk = try outline(at: position) else { return nil }
    // Unknown chunks are checked too: a chunk whose name is damaged may have been the one that states the color space.
    guard try isIntact(chunk) else {
      throw .damaged(
        file: bytes.name, reason: "the checksum of its chunk “\(chunk.name)” is wrong")
    }
    return chunk
  }

  /// Whether the checksum of a chunk's name and body is the stored one.
  func isIntact(_ chunk: Chunk) throws(ImageFileError) -> Bool {
    try checksum(of: chunk.body.lowerBound - 4..<chunk.body.upperBound)
      == number(at: chunk.body.upperBound)
  }

  /// Returns the checksum of some bytes, and a range of the file behind them.
  func checksum(of range: Range<Int>, behind first: [UInt8] = []) throws(ImageFileError) -> UInt32 {
    var checksum = crc32_z(0, first, first.count)
    if range.count <= 64 {
      for position in range {
        var byte = try window[position]
        checksum = crc32_z(checksum, &byte, 1)
      }
    } else {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 16) {
        let part = try bytes.array(start..<min(start + 1 << 16, range.upperBound))
        checksum = crc32_z(checksum, part, part.count)
      }
    }
    return UInt32(truncatingIfNeeded: checksum)
  }
}
