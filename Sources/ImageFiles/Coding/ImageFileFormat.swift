internal import ColorSpaces
public import ImageBuffer

/// A kind of image file.
///
/// Each format is one value, declared in a file of its own and listed in ``all``.
public struct ImageFileFormat: Sendable {
  /// The name of the format, such as “JPEG”.
  public let name: String
  /// The file extensions in lower case, the usual one first.
  public let fileExtensions: [String]
  /// The MIME types, the preferred one first; empty for formats without a registered or usual one.
  public let mimeTypes: [String]
  /// The sample formats that can be written, the default one first.
  public let samples: [SampleFormat]
  /// The channels that can be written.
  public let channels: Set<Channels>
  /// The alpha representations that can be written: straight, premultiplied or both.
  public let alpha: Set<Alpha>
  /// Whether its files can state a color space.
  public let statesColor: Bool
  /// The kinds of metadata that files of this format hold when they are written.
  public let metadataKinds: Set<MetadataKind>

  /// The file extension by which the format was asked for, instead of that of the file: `ppm`, `pgm` and `pam` are one format.
  var requestedExtension: String?
  /// Of orientation and resolution, those that have a field of the format; EXIF data alone states the others.
  let fieldKinds: Set<MetadataKind>
  /// Whether its files can hold an ICC profile.
  package let holdsProfiles: Bool
  /// The numbers of ink channels that its files can hold; nil for none.
  package let inkCounts: ClosedRange<Int>?
  /// The most bits of a sample that it keeps with lossless compression; nil for all 16.
  package let losslessBits: Int?
  /// Whether a file that begins with these bytes is of this format.
  let recognizes: @Sendable (_ start: [UInt8]) -> Bool
  /// Whether its files can hold a gain map beside the picture.
  package let holdsGainMaps: Bool
  /// Whether its files can hold named layers beside the picture.
  package let holdsLayers: Bool
  /// Whether its files can have a palette.
  package let holdsPalettes: Bool
  /// Whether the compression that the options choose has a setting of effort.
  package let hasEffort: @Sendable (WritingOptions) -> Bool
  /// Whether the compression that the options choose is lossy, and so has a setting of quality.
  package let hasQuality: @Sendable (WritingOptions) -> Bool
  /// Whether its encoder only appends bytes.
  let writesInOrder: Bool
  /// The peak memory of its encoder in bytes, without metadata and profile. A floating-point value, because sizes could overflow an
  /// integer.
  let encoderBytes: @Sendable (EncodingJob) -> Double
  /// Whether its decoder can decode a reduced picture for less work.
  package let readsReduced: Bool
  let decoder: @Sendable (DecodingJob) throws(ImageFileError) -> any ImageDecoder
  let encoder: @Sendable (EncodingJob, any ByteSink) throws(ImageFileError) -> any ImageEncoder

  /// Every format that can be read and written.
  public static let all: [ImageFileFormat] = {
    var formats: [ImageFileFormat] = [.png, .jpeg]
    #if COLORLOOM_TIFF
      formats.append(.tiff)
    #endif
    #if COLORLOOM_OPENEXR
      formats.append(.openEXR)
    #endif
    formats += [.bmp, .pnm, .pfm, .numpy]
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
  }()

  /// The formats that can be read and not written.
  package static var readOnly: [ImageFileFormat] {
    #if RAW
      [.gif, .cameraRAW]
    #else
      [.gif]
    #endif
  }

  /// Every format that can be read: those of ``all``, and those that are only read.
  package static var readable: [ImageFileFormat] { all + readOnly }

  /// Creates the format of a path's file extension; nil where no format has this extension.
  public init?(ofFileNamed path: String) {
    guard let ending = ending(of: path),
      let format = Self.all.first(where: { $0.fileExtensions.contains(ending) })
    else { return nil }
    self = format
  }

  /// The package trait that enables the format of a path's file extension; nil where none does.
  static func missingTrait(ofFileNamed path: String) -> String? {
    guard self.init(ofFileNamed: path) == nil else { return nil }
    return ending(of: path).flatMap { ending in
      FormatTrait.all.first { $0.fileExtensions.contains(ending) && !$0.isEnabled }?.name
    }
  }

  /// How many bytes at the start of a file tell its format.
  static let startByteCount = 64

  /// Creates the format of a file that begins with the bytes `start`: up to ``startByteCount``.
  init(ofStart start: [UInt8], file: String) throws(ImageFileError) {
    guard let format = Self.readable.first(where: { $0.recognizes(start) }) else {
      throw .unknownFormat(file: file, found: appearance(of: start))
    }
    self = format
  }

  /// Creates the format that the bytes are of, regardless of the file's name.
  init(of bytes: ByteSource) throws(ImageFileError) {
    let start = try bytes.array(0..<min(bytes.count, Self.startByteCount))
    let format = try ImageFileFormat(ofStart: start, file: bytes.name)
    #if RAW
      // Most raw files begin as TIFF files do; what they hold tells them apart.
      let isRaw = format == .tiff ? try TIFFPages.rawFormat(bytes) != nil : false
      self = isRaw ? .cameraRAW : format
    #else
      self = format
    #endif
  }

  init(
    _ name: String, fileExtensions: [String], mimeTypes: [String], samples: [SampleFormat],
    channels: Set<Channels> = [.gray, .grayAlpha, .rgb, .rgba], alpha: Set<Alpha> = [.straight],
    statesColor: Bool = true, holdsProfiles: Bool, inkCounts: ClosedRange<Int>? = nil,
    metadata: Set<MetadataKind>, besidesEXIF fieldKinds: Set<MetadataKind> = [],
    losslessBits: Int? = nil, writesInOrder: Bool = true, readsReduced: Bool = false,
    holdsGainMaps: Bool = false, holdsLayers: Bool = false, holdsPalettes: Bool = false,
    hasEffort: @escaping @Sendable (WritingOptions) -> Bool = { _ in false },
    hasQuality: @escaping @Sendable (WritingOptions) -> Bool = { _ in false },
    encoderBytes: @escaping @Sendable (EncodingJob) -> Double,
    recognizes: @escaping @Sendable (_ start: [UInt8]) -> Bool,
    decoder: @escaping @Sendable (DecodingJob) throws(ImageFileError) -> any ImageDecoder,
    encoder:
      @escaping @Sendable (
        EncodingJob, any ByteSink
      ) throws(ImageFileError) -> any ImageEncoder
  ) {
    (self.name, self.fileExtensions, self.mimeTypes) = (name, fileExtensions, mimeTypes)
    (self.samples, self.holdsProfiles, self.inkCounts) = (samples, holdsProfiles, inkCounts)
    (metadataKinds, self.fieldKinds, self.losslessBits) = (metadata, fieldKinds, losslessBits)
    (self.channels, self.alpha, self.statesColor) = (channels, alpha, statesColor)
    (self.writesInOrder, self.encoderBytes) = (writesInOrder, encoderBytes)
    (self.holdsGainMaps, self.hasEffort, self.recognizes) = (holdsGainMaps, hasEffort, recognizes)
    (self.holdsLayers, self.holdsPalettes) = (holdsLayers, holdsPalettes)
    self.hasQuality = hasQuality
    (self.readsReduced, self.decoder, self.encoder) = (readsReduced, decoder, encoder)
  }
}

extension ImageFileFormat: Hashable {
  /// Whether the names agree.
  public static func == (a: ImageFileFormat, b: ImageFileFormat) -> Bool { a.name == b.name }

  /// Hashes the name, which formats are compared by.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension ImageFileFormat: CustomStringConvertible {
  /// The name, such as “JPEG”.
  public var description: String { name }
}

/// A decoder of a file whose header was read. It delivers the rows from the top, each once.
protocol ImageDecoder: AnyObject {
  /// The content of the header.
  var info: ImageFileInfo { get }

  /// Seeks to the first row of `region`, or to a row above it, where that is less work than decoding all rows before it; returns the row.
  /// Rows may from then on be undefined in columns outside of `region`.
  func begin(with region: Region) -> Int

  /// Reads the next stored row, without applying orientation: interleaved samples in native byte order.
  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError)

  /// Reads the data behind the rows, and checks that the file is complete.
  func finish() throws(ImageFileError)
}

extension ImageDecoder {
  func begin(with _: Region) -> Int { 0 }
}

/// An encoder of a file whose header was written. It takes the rows from the top, each once.
protocol ImageEncoder: AnyObject {
  /// Writes the next row: interleaved samples in native byte order.
  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError)

  /// Writes the part of the file behind the rows.
  func finish() throws(ImageFileError)
}

/// Returns the file extension of a path in lower case.
func ending(of path: String) -> String? {
  guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
  return path[path.index(after: dot)...].lowercased()
}

/// Returns the kind of file that the first bytes suggest, for error messages.
private func appearance(of bytes: [UInt8]) -> String {
  func has(_ text: String, at offset: Int = 0) -> Bool {
    bytes.dropFirst(offset).starts(with: text.utf8)
  }
  if bytes.isEmpty { return "an empty file" }
  if has("II*\0") || has("II+\0") || has("MM\0*") || has("MM\0+") {
    return "a TIFF, for which the trait TIFF is needed"
  }
  if bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) {
    return "an OpenEXR file, for which the trait OpenEXR is needed"
  }
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
  if has("GIF") { return "a GIF that is neither GIF87a nor GIF89a" }
  if has("8BPS") { return "a Photoshop file" }
  if has("%PDF") { return "a PDF" }
  if has("BM") { return "a BMP whose header is cut off or of an unknown length" }
  if bytes.dropFirst().starts(with: "PNG".utf8) {
    return "a PNG that was cut off or damaged in its first 8 bytes"
  }
  if bytes.allSatisfy({ (0x20..<0x7F).contains($0) || (0x09...0x0D).contains($0) }) {
    return "text"
  }
  let start = bytes.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
  return "something else, beginning with the bytes \(start.joined(separator: " "))"
}
