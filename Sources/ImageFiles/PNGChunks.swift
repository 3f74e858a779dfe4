internal import CPNG
internal import ImageBuffer

/// The header of a PNG file and those of its chunks that say what its colors mean, read without libpng.
///
/// libpng before 1.6.45 does not know cICP, and judges the other chunks by rules of its own; PNG's third edition orders them
/// differently.
struct PNGChunks {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// What is kept.
  private static let wanted: Set = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM"]

  let file: String
  let size: PixelSize
  let bitDepth: Int
  let colorType: Int
  private(set) var bodies: [String: ArraySlice<UInt8>] = [:]

  /// Whether pixels are grays.
  var isGray: Bool { colorType == 0 || colorType == 4 }

  init(_ bytes: [UInt8], file: String) throws(ImageFileError) {
    guard bytes.starts(with: Self.signature) else {
      throw .wrongFormat(file: file, expected: "PNG", found: appearance(of: bytes))
    }
    self.file = file
    guard let (name, header, end) = try Self.chunk(at: 8, in: bytes, file: file) else {
      throw .damaged(file: file, reason: "it ends after \(bytes.count) bytes, before its header")
    }
    guard name != "CgBI" else {
      throw .wrongFormat(
        file: file, expected: "PNG",
        found: "Apple's variant of PNG for iOS, which pngcrush -revert-iphone-optimizations undoes")
    }
    guard name == "IHDR", header.count == 13 else {
      throw .damaged(file: file, reason: "its first chunk is “\(name)”, not the header “IHDR”")
    }
    size = PixelSize(Int(header.uint32(at: 0)), Int(header.uint32(at: 4)))
    (bitDepth, colorType) = (Int(header[header.startIndex + 8]), Int(header[header.startIndex + 9]))
    guard (1...0x7FFF_FFFF).contains(size.width), (1...0x7FFF_FFFF).contains(size.height) else {
      throw .damaged(file: file, reason: "its header states \(size) pixels")
    }
    var position = end
    while true {
      guard let (name, body, end) = try Self.chunk(at: position, in: bytes, file: file) else {
        throw .truncated(file: file, rows: 0, of: size.height)
      }
      if name == "IDAT" { return }
      if name == "IEND" { throw .damaged(file: file, reason: "it has no pixels") }
      if Self.wanted.contains(name), bodies[name] == nil { bodies[name] = body }
      position = end
    }
  }

  /// The chunk at `position`; nil where the file ends before the chunk does. Of pixels only the beginning is looked at.
  private static func chunk(
    at position: Int, in bytes: [UInt8], file: String
  ) throws(ImageFileError) -> (name: String, body: ArraySlice<UInt8>, end: Int)? {
    guard bytes.count - position >= 8 else { return nil }
    let rest = bytes[position...]
    let length = Int(rest.uint32(at: 0))
    let name = String(decoding: rest[(position + 4)..<(position + 8)], as: UTF8.self)
    if name == "IDAT" { return (name, [], position) }
    guard length <= 0x7FFF_FFFF else {
      throw .damaged(file: file, reason: "a chunk states \(length) bytes")
    }
    guard bytes.count - position >= length + 12 else { return nil }
    let body = rest[(position + 8)..<(position + 8 + length)]
    // All are checked, for a chunk that is not what it was may have been the one that says what a pixel means.
    let stated = rest.uint32(at: 8 + length)
    let computed = bytes[(position + 4)..<(position + 8 + length)].withUnsafeBufferPointer {
      crc32_z(0, $0.baseAddress, $0.count)
    }
    guard UInt(stated) == UInt(computed) else {
      throw .damaged(file: file, reason: "the checksum of its chunk “\(name)” is wrong")
    }
    return (name, body, position + 12 + length)
  }

  /// The fewest bytes that a file with this header can have: deflate packs 1032 to 1 at best.
  var smallestByteCount: Int {
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colorType] ?? 1
    let bits = size.pixelCount.multipliedReportingOverflow(by: channels * max(bitDepth, 1))
    return bits.overflow ? .max : bits.partialValue / 8 / 1032
  }
}

extension ArraySlice<UInt8> {
  /// The number at `offset` from the slice's start. The caller has checked that the bytes are there.
  func uint32(at offset: Int) -> UInt32 {
    self[(startIndex + offset)..<(startIndex + offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// What a file seems to be, by its first bytes: for messages.
private func appearance(of bytes: [UInt8]) -> String {
  func has(_ text: String, at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: text.utf8)
  }
  if bytes.isEmpty { return "an empty file" }
  if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "a JPEG" }
  if has("II*\0") || has("MM\0*") || has("II+\0") || has("MM\0+") { return "a TIFF" }
  if has("RIFF"), has("WEBP", at: 8) { return "a WebP" }
  if has("ftyp", at: 4) { return "a HEIF, AVIF or film" }
  if bytes.starts(with: [0xFF, 0x0A]) || has("JXL ", at: 4) { return "a JPEG XL" }
  if has("GIF8") { return "a GIF" }
  if bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) { return "an OpenEXR" }
  if has("8BPS") { return "a Photoshop file" }
  if has("%PDF") { return "a PDF" }
  if has("BM") { return "a BMP" }
  if bytes.dropFirst().starts(with: "PNG".utf8) {
    return "a PNG that was cut off or damaged in its first 8 bytes"
  }
  if bytes.prefix(64).allSatisfy({ (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }) {
    return "text"
  }
  let start = bytes.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
  return "something else, beginning with the bytes \(start.joined(separator: " "))"
}
