internal import ColorSpaces
public import ImageBuffer

/// A kind of image file.
///
/// A format is one value: a declaration in its own file, and its name in ``all``.
public struct ImageFileFormat: Sendable {
  /// What people call it.
  public let name: String
  /// How names of its files end, the usual one first, in small letters.
  public let fileExtensions: [String]
  /// The samples that can be written, the usual one first.
  public let samples: [SampleFormat]
  /// The channels that can be written.
  public let channels: Set<Channels>
  /// How it holds color and coverage together.
  public let alpha: Set<Alpha>
  /// Whether its files can say what their numbers mean.
  public let statesColor: Bool

  /// Whether a file that begins with these bytes is of this format.
  let recognizes: @Sendable (_ start: [UInt8]) -> Bool
  /// Whether its encoder only ever adds bytes at the end.
  let writesInOrder: Bool
  /// The most bytes of memory that its encoder holds, besides metadata and profile. Not a whole number, which sizes could exceed.
  let encoderBytes: @Sendable (EncodingJob) -> Double
  /// Whether its decoder can read a picture in fewer pixels, for less work.
  let readsReduced: Bool
  let decoder: @Sendable (DecodingJob) throws(ImageFileError) -> any ImageDecoder
  let encoder: @Sendable (EncodingJob, any ByteSink) throws(ImageFileError) -> any ImageEncoder

  /// Every format that can be read and written.
  public static let all: [ImageFileFormat] =
    [.png, .jpeg, .tiff, .openEXR, .pnm, .pfm, .numpy] + ofTraits

  /// The formats that the package's traits add.
  private static var ofTraits: [ImageFileFormat] {
    var formats: [ImageFileFormat] = []
    #if WebP
      formats.append(.webP)
    #endif
    #if JPEGXL
      formats.append(.jpegXL)
    #endif
    #if HEIF
      formats += [.avif, .heif]
    #endif
    return formats
  }

  /// The format that a file's name asks for; nil where no format has this ending.
  public init?(ofFileNamed path: String) {
    guard let ending = ending(of: path),
      let format = Self.all.first(where: { $0.fileExtensions.contains(ending) })
    else { return nil }
    self = format
  }

  /// The package's trait that would bring the format of a file's name.
  static func missingTrait(ofFileNamed path: String) -> String? {
    guard self.init(ofFileNamed: path) == nil else { return nil }
    return switch ending(of: path) {
    case "webp": "WebP"
    case "jxl": "JPEGXL"
    case "heic", "heif", "hif", "avif": "HEIF"
    default: nil
    }
  }

  /// The format that the bytes are of, whatever the file's name.
  init(of bytes: ByteSource) throws(ImageFileError) {
    let start = try bytes.array(0..<min(bytes.count, 64))
    guard let format = Self.all.first(where: { $0.recognizes(start) }) else {
      throw .unknownFormat(file: bytes.name, found: appearance(of: start))
    }
    self = format
  }

  init(
    _ name: String, fileExtensions: [String], samples: [SampleFormat],
    channels: Set<Channels> = [.gray, .grayAlpha, .rgb, .rgba], alpha: Set<Alpha> = [.straight],
    statesColor: Bool = true, writesInOrder: Bool = true, readsReduced: Bool = false,
    encoderBytes: @escaping @Sendable (EncodingJob) -> Double,
    recognizes: @escaping @Sendable (_ start: [UInt8]) -> Bool,
    decoder: @escaping @Sendable (DecodingJob) throws(ImageFileError) -> any ImageDecoder,
    encoder:
      @escaping @Sendable (
        EncodingJob, any ByteSink
      ) throws(ImageFileError) -> any ImageEncoder
  ) {
    (self.name, self.fileExtensions, self.samples) = (name, fileExtensions, samples)
    (self.channels, self.alpha, self.statesColor) = (channels, alpha, statesColor)
    (self.writesInOrder, self.encoderBytes) = (writesInOrder, encoderBytes)
    self.recognizes = recognizes
    (self.readsReduced, self.decoder, self.encoder) = (readsReduced, decoder, encoder)
  }
}

extension ImageFileFormat: Hashable {
  /// Whether the names agree.
  public static func == (a: ImageFileFormat, b: ImageFileFormat) -> Bool { a.name == b.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ImageFileFormat: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

/// A file of which the header was read. Its rows come next, from the top, each once.
protocol ImageDecoder: AnyObject {
  /// What the header says.
  var info: ImageFileInfo { get }

  /// Goes to the first row of `region`, or to one above, where that is less work than reading all before it; returns the row. What it
  /// says of other columns does not count any more.
  func begin(with region: Region) -> Int

  /// Reads the next row as it is stored, without orientation: samples in native byte order, side by side.
  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError)

  /// Reads what follows the rows, and checks that all is there.
  func finish() throws(ImageFileError)
}

extension ImageDecoder {
  func begin(with _: Region) -> Int { 0 }
}

/// A file whose header was written. Its rows come next, from the top, each once.
protocol ImageEncoder: AnyObject {
  /// Writes the next row: samples in native byte order, side by side.
  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError)

  /// Writes what follows the rows.
  func finish() throws(ImageFileError)
}

/// What follows the last point of a file's name, in small letters.
private func ending(of path: String) -> String? {
  guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
  return path[path.index(after: dot)...].lowercased()
}

/// What a file seems to be, by its first bytes: for messages.
private func appearance(of bytes: [UInt8]) -> String {
  func has(_ text: String, at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: text.utf8)
  }
  if bytes.isEmpty { return "an empty file" }
  if has("RIFF"), has("WEBP", at: 8) { return "a WebP, for which the trait WebP is needed" }
  if has("ftyp", at: 4) {
    #if HEIF
      return "a film, or a HEIF of another kind"
    #else
      return "a HEIF or AVIF, for which the trait HEIF is needed, or a film"
    #endif
  }
  if bytes.starts(with: [0xFF, 0x0A]) || has("JXL ", at: 4) {
    return "a JPEG XL, for which the trait JPEGXL is needed"
  }
  if has("GIF8") { return "a GIF" }
  if has("8BPS") { return "a Photoshop file" }
  if has("%PDF") { return "a PDF" }
  if has("BM") { return "a BMP" }
  if bytes.dropFirst().starts(with: "PNG".utf8) {
    return "a PNG that was cut off or damaged in its first 8 bytes"
  }
  if bytes.allSatisfy({ (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }) {
    return "text"
  }
  let start = bytes.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
  return "something else, beginning with the bytes \(start.joined(separator: " "))"
}
