public import ColorSpaces
public import ImageBuffer

/// A picture whose rows can only be had one after the other, as decoders give them.
///
/// Rendering reads it once, from the top, and keeps no more rows than the filters after it look back on.
public protocol RowSource: Sendable {
  /// Its width and height.
  var size: PixelSize { get }
  /// What its samples mean.
  var space: ColorSpace { get }
  /// What a pixel is made of.
  var channels: Channels { get }
  /// How color and coverage are stored together.
  var alpha: Alpha { get }
  /// How a sample is stored.
  var format: SampleFormat { get }

  /// The most bytes that a reader holds besides the rows that it is asked for: those of all rows, where the first one is only known at
  /// the end. Rendering counts them before it begins; none, where this is not declared.
  var readingBytes: Int { get }

  /// How far lossy compression may have moved a sample, with the largest code as 1; 0 where this is not declared. Colors outside of a
  /// gamut by less are not counted (``ColorPrecision``).
  var compressionError: Double { get }

  /// The same picture in fewer pixels, at least as wide and as high as `size`, where that is less work; nil where it is not.
  func reduced(toAtLeast size: PixelSize) -> (any RowSource)?

  /// Begins at the first row. Every rendering asks for a reader of its own.
  func makeReader() throws -> any RowReader

  /// A reader for which only `region` counts: it begins with the first row of it, or one above (``RowReader/firstRow``), and what it
  /// says of other columns may be anything. Sources that can go to any place need not read the others; what is not declared here
  /// begins at the first row.
  func makeReader(for region: Region) throws -> any RowReader
}

extension RowSource {
  /// Nothing: the source has its pixels and no others.
  public func reduced(toAtLeast size: PixelSize) -> (any RowSource)? { nil }

  /// None.
  public var readingBytes: Int { 0 }

  /// None.
  public var compressionError: Double { 0 }

  /// Begins at the first row.
  public func makeReader(for _: Region) throws -> any RowReader { try makeReader() }
}

/// Gives the rows of a picture, from the first to the last. It is asked by one thread at a time.
public protocol RowReader: AnyObject {
  /// The row that it begins with; 0 unless declared otherwise.
  var firstRow: Int { get }

  /// Writes the samples of the next row side by side: red, green, blue, alpha, red …
  func readRow(into row: UnsafeMutableRawBufferPointer) throws
}

extension RowReader {
  /// The first.
  public var firstRow: Int { 0 }
}

extension RowSource {
  /// All of its rows.
  func bitmap() throws -> AnyBitmap {
    func bitmap<Sample: PixelSample>(of _: Sample.Type) throws -> AnyBitmap {
      let reader = try makeReader()
      var bitmap = try Bitmap<Sample>(
        validating: size, in: space, channels: channels, alpha: alpha, arrangement: .interleaved)
      for y in 0..<size.height {
        try bitmap.withUnsafeMutableRow(y) { row in
          try reader.readRow(into: UnsafeMutableRawBufferPointer(row))
        }
      }
      return AnyBitmap(bitmap)
    }
    switch format {
    case .uint8: return try bitmap(of: UInt8.self)
    case .uint16: return try bitmap(of: UInt16.self)
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      case .float16: return try bitmap(of: Float16.self)
    #endif
    case .float32: return try bitmap(of: Float.self)
    @unknown default: preconditionFailure("There are no bitmaps of \(format) samples here.")
    }
  }
}
