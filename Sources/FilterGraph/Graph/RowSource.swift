public import ColorSpaces
public import ImageBuffer

/// A source that gives rows in order, as decoders do.
///
/// Rendering reads it once, from the top, and keeps only the rows that the filters after it still need.
public protocol RowSource: Sendable {
  /// The width and height in pixels.
  var size: PixelSize { get }
  /// The color space of the samples.
  var space: ColorSpace { get }
  /// The channels of a pixel.
  var channels: Channels { get }
  /// Whether the samples have alpha, straight or premultiplied.
  var alpha: Alpha { get }
  /// The format of a sample.
  var format: SampleFormat { get }

  /// The maximum number of bytes that a reader holds besides the requested rows: for example all rows, where the format
  /// stores the first one last. Rendering counts them in advance. The default is 0.
  var readingBytes: Int { get }

  /// The maximum error of a sample from lossy compression, as a fraction of the largest code. The default is 0. Colors
  /// out of gamut by no more than that are not counted (``ColorPrecision``).
  var compressionError: Double { get }

  /// Returns the same picture with fewer pixels, at least as wide and as high as `size`, where that is less work;
  /// otherwise nil.
  func reduced(toAtLeast size: PixelSize) -> (any RowSource)?

  /// Returns a reader at the first row. Each rendering has a reader of its own.
  func makeReader() throws -> any RowReader

  /// Returns a reader of which only `region` is used: it begins with the region's first row or one above
  /// (``RowReader/firstRow``), and other columns may have any values. Implement it for formats with random access; the
  /// default begins at the first row.
  func makeReader(for region: Region) throws -> any RowReader
}

extension RowSource {
  /// Returns nil: the source has one resolution.
  public func reduced(toAtLeast size: PixelSize) -> (any RowSource)? { nil }

  /// No further memory.
  public var readingBytes: Int { 0 }

  /// No compression error.
  public var compressionError: Double { 0 }

  /// Returns a reader at the first row.
  public func makeReader(for _: Region) throws -> any RowReader { try makeReader() }
}

/// A reader of a picture's rows, from the first to the last. Threads call it one at a time.
public protocol RowReader: AnyObject {
  /// The first row that it returns; 0 by default.
  var firstRow: Int { get }

  /// Writes the interleaved samples of the next row: red, green, blue, alpha, red …
  func readRow(into row: UnsafeMutableRawBufferPointer) throws
}

extension RowReader {
  /// The first row of the picture.
  public var firstRow: Int { 0 }
}

/// A reader that may take much longer for one row than for another, such as the first row of a file that stores all rows in several scans.
package protocol StoppableRowReader: RowReader {
  /// Writes the next row as ``RowReader/readRow(into:)`` does, and asks `isCancelled` meanwhile.
  ///
  /// - Throws: ``RenderError/cancelled`` if `isCancelled` returns true.
  func readRow(
    into row: UnsafeMutableRawBufferPointer, isCancelled: (@Sendable () -> Bool)?) throws
}

extension RowReader {
  /// Writes the next row. A reader that can stop within it asks `isCancelled`.
  package func readStoppableRow(
    into row: UnsafeMutableRawBufferPointer, isCancelled: (@Sendable () -> Bool)?
  ) throws {
    if let stoppable = self as? any StoppableRowReader {
      try stoppable.readRow(into: row, isCancelled: isCancelled)
    } else {
      try readRow(into: row)
    }
  }
}

extension RowSource {
  /// Reads all rows into a bitmap.
  func bitmap() throws -> AnyBitmap {
    let reader = try makeReader()
    let bitmap = try AnyBitmap(
      uninitialized: size, in: space, channels: channels, format: format, alpha: alpha)
    let surface = bitmap.surface
    for y in 0..<size.height { try reader.readRow(into: surface.bytes(ofRow: y)) }
    return bitmap
  }
}
