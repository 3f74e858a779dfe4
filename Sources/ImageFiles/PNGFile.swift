public import ColorSpaces
public import ImageBuffer

/// PNG files: 8 and 16 bits, with the color space that gives the numbers a meaning.
public enum PNGFile {
  /// Reads a file of any PNG type. 1 to 8 bits become `UInt8`, 16 bits `UInt16`; palettes are expanded, and transparency of any
  /// kind becomes alpha.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - assumption: What the numbers mean where the file does not say, or says it in a way that cannot be used. Without it
  ///     such a file is an error.
  ///   - limits: How much the file may ask for.
  ///   - progress: Called now and then with the part that is done, 1 at the end.
  public static func read(
    _ path: String, assuming assumption: ColorSpace? = nil, limits: FileLimits = FileLimits(),
    progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> AnyBitmap {
    let bytes = try contents(of: path, limit: limits.bytes)
    return try decodePNG(
      bytes, file: path, assuming: assumption, limits: limits, progress: progress)
  }

  /// Reads a file's bytes; see ``read(_:assuming:limits:progress:)``.
  public static func read(
    bytes: [UInt8], assuming assumption: ColorSpace? = nil, limits: FileLimits = FileLimits(),
    progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> AnyBitmap {
    guard bytes.count <= limits.bytes else {
      throw .tooManyBytes(file: unnamed, limit: limits.bytes)
    }
    return try decodePNG(
      bytes, file: unnamed, assuming: assumption, limits: limits, progress: progress)
  }

  /// The bytes of a PNG file with the bitmap's pixels, bit for bit, and its color space.
  ///
  /// Bitmaps of `UInt8` and `UInt16` with straight alpha can be written.
  public static func encode(
    _ bitmap: AnyBitmap, progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    try encodePNG(
      bitmap, file: unnamed, progress: progress,
      store: { part in
        bytes.append(contentsOf: part)
        return true
      }, failure: { nil })
    return bytes
  }

  /// Writes a PNG file; see ``encode(_:progress:)``.
  ///
  /// The file appears when it is complete. Where writing fails, nothing is left behind, and a file that was there before is as
  /// it was.
  public static func write(
    _ bitmap: AnyBitmap, to path: String, progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) {
    try checkPNGCanHold(bitmap)
    let file = try AtomicFile(path)
    try encodePNG(
      bitmap, file: path, progress: progress, store: file.write, failure: { file.failure })
    try file.commit()
  }

  /// What stands for the path of bytes in memory.
  private static let unnamed = "PNG data"
}
