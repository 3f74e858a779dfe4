public import ColorSpaces
internal import FilterGraph
public import ImageBuffer

/// Reads and writes image files: PNG and others, recognized by content, with their color space.
///
/// The path `-` is standard input, or standard output; a file of that name is `./-`.
public enum ImageFile {
  /// Returns what a file says about its picture. No pixel is decoded.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - page: The page of a TIFF file, picture of a HEIF file, part of an OpenEXR file or frame of a GIF, PNG or WebP file, from 1; nil
  ///     for the first, or the primary picture.
  ///   - limits: The limits of the file's size and of the memory that reading it takes.
  public static func info(
    _ path: String, page: Int? = nil, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) -> ImageFileInfo {
    try OpenedImageFile(path, page: page, limits: limits).info
  }

  /// Returns what a file's bytes say about its picture; see ``info(_:page:limits:)``.
  public static func info(
    bytes: [UInt8], page: Int? = nil, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) -> ImageFileInfo {
    try DecodingJob(
      bytes: ByteSource(bytes, limit: limits.bytes), limits: limits, keepsInks: true, page: page
    ).decoder.info
  }

  /// Reads a file. Samples keep their depth; those of less than 8 bits fill 8, palettes are expanded, and transparency of any kind
  /// becomes alpha.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - assumption: The color space of a file that does not state one, or states one that cannot be used. Without it such a file is
  ///     an error.
  ///   - page: The page of a TIFF file, picture of a HEIF file, part of an OpenEXR file or frame of a GIF, PNG or WebP file, from 1; nil
  ///     for the first, or the primary picture.
  ///   - isUpright: Whether the picture is rotated as its orientation says. If false, pass ``ImageFileInfo/orientation`` to
  ///     ``WritingOptions/orientation`` when the pixels are written again.
  ///   - limits: The limits of the file's size and of the memory that reading it takes.
  ///   - progress: Called repeatedly with the finished part, 1 at the end.
  public static func read(
    _ path: String, page: Int? = nil, assuming assumption: ColorSpace? = nil,
    isUpright: Bool = true,
    limits: FileLimits = FileLimits(), progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> AnyBitmap {
    let bytes = try ByteSource(pictureAt: path, limit: limits.bytes)
    return try decode(
      DecodingJob(bytes: bytes, limits: limits, page: page), assumption, isUpright,
      RowWatch(progress: progress))
  }

  /// Reads a file's bytes; see ``read(_:page:assuming:isUpright:limits:progress:)``.
  public static func read(
    bytes: [UInt8], page: Int? = nil, assuming assumption: ColorSpace? = nil,
    isUpright: Bool = true,
    limits: FileLimits = FileLimits(), progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> AnyBitmap {
    let bytes = try ByteSource(bytes, limit: limits.bytes)
    return try decode(
      DecodingJob(bytes: bytes, limits: limits, page: page), assumption, isUpright,
      RowWatch(progress: progress))
  }

  /// Writes a bitmap to a file, with its color space.
  ///
  /// The file appears when it is complete. Where writing fails, nothing is left behind, and an older file of that name is unchanged.
  /// A `.ppm` holds colors only: grays are written to it as equal red, green and blue.
  ///
  /// - Parameters:
  ///   - bitmap: What to write.
  ///   - path: The path of the file.
  ///   - format: The format; nil for the one of the path's file extension.
  ///   - options: Compression, metadata and other options of the format.
  ///   - progress: Called repeatedly with the finished part, 1 at the end.
  /// - Returns: The requested metadata that the file does not hold.
  @discardableResult
  public static func write(
    _ bitmap: AnyBitmap, to path: String, as format: ImageFileFormat? = nil,
    options: WritingOptions = WritingOptions(), progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> WritingReport {
    try write(bitmap, to: path, as: format, options, RowWatch(progress: progress))
  }

  static func write(
    _ bitmap: AnyBitmap, to path: String, as format: ImageFileFormat?, _ options: WritingOptions,
    _ watch: RowWatch
  ) throws(ImageFileError) -> WritingReport {
    let format = try self.format(format, ofFileNamed: path)
    let bitmap = try arranged(bitmap, for: format, options, file: path)
    var job = try EncodingJob(bitmap, file: path, format: format, options: options)
      .withGainMap(options: RenderOptions())
    job.isCancelled = watch.isCancelled
    try job.write { encoder throws(ImageFileError) in
      try bitmap.surface.write(to: encoder, file: path, watch)
    }
    withExtendedLifetime(bitmap) {}
    watch.progress?(1)
    return WritingReport(job)
  }

  /// Returns the bytes of a file; see ``write(_:to:as:options:progress:)``. ``ImageMetadata/omissions(in:)`` lists the omitted metadata.
  public static func encode(
    _ bitmap: AnyBitmap, as format: ImageFileFormat, options: WritingOptions = WritingOptions(),
    progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> [UInt8] {
    try encode(bitmap, as: format, options, RowWatch(progress: progress))
  }

  static func encode(
    _ bitmap: AnyBitmap, as format: ImageFileFormat, _ options: WritingOptions, _ watch: RowWatch
  ) throws(ImageFileError) -> [UInt8] {
    let file = "\(format) data"
    let format = try self.format(format, ofFileNamed: file)
    let bitmap = try arranged(bitmap, for: format, options, file: file)
    var job = try EncodingJob(bitmap, file: file, format: format, options: options)
      .withGainMap(options: RenderOptions())
    job.isCancelled = watch.isCancelled
    let memory = MemorySink(limit: options.memoryLimit.map { $0 - job.memoryBytes } ?? .max)
    try job.write(into: memory) { encoder throws(ImageFileError) in
      try bitmap.surface.write(to: encoder, file: job.file, watch)
    }
    withExtendedLifetime(bitmap) {}
    watch.progress?(1)
    return memory.bytes
  }

  /// Returns the pixels with their channels in the order that files use, and grays as colors for a file that holds only those.
  private static func arranged(
    _ bitmap: AnyBitmap, for format: ImageFileFormat, _ options: WritingOptions, file: String
  ) throws(ImageFileError) -> AnyBitmap {
    var channels = bitmap.channels.inFileOrder
    if channels.isGray, format.hasPalette(options) { channels = channels.hasAlpha ? .rgba : .rgb }
    if channels == .gray, format.channels(ofFileNamed: file) == [.rgb] { channels = .rgb }
    do throws(BitmapError) { return try bitmap.with(channels) } catch {
      throw .rendering(.bitmap(error))
    }
  }

  /// Returns the requested format, or else that of the path's file extension.
  static func format(
    _ format: ImageFileFormat?, ofFileNamed path: String
  ) throws(ImageFileError) -> ImageFileFormat {
    guard let format = format ?? ImageFileFormat(ofFileNamed: path) else {
      throw .unknownEnding(file: path)
    }
    guard !format.samples.isEmpty else { throw .readOnly(file: path, format) }
    return format
  }

  static func decode(
    _ job: DecodingJob, _ assumption: ColorSpace?, _ isUpright: Bool, _ watch: RowWatch
  ) throws(ImageFileError) -> AnyBitmap {
    let decoder = try job.decoder
    let info = decoder.info
    try job.checkMemory(for: info, besides: bitmapBytes(of: info))
    let space = try info.space(assuming: assumption, file: job.file)
    return try job.stop.asking(watch.isCancelled) { () throws(ImageFileError) in
      try bitmap(from: decoder, in: space, file: job.file, isUpright: isUpright, watch)
    }
  }

  private static func bitmapBytes(of info: ImageFileInfo) throws(ImageFileError) -> Int {
    do throws(BitmapError) {
      return try info.samples.byteCount(of: info.storedSize, info.channels)
    } catch {
      throw .rendering(.bitmap(error))
    }
  }

  /// Returns all rows of a file as a bitmap in `space`.
  static func bitmap(
    from decoder: any ImageDecoder, in space: ColorSpace, file: String, isUpright: Bool = true,
    _ watch: RowWatch = RowWatch()
  ) throws(ImageFileError) -> AnyBitmap {
    let info = decoder.info
    let orientation = isUpright ? info.orientation : .upright
    let stored = info.storedSize
    let bitmap: AnyBitmap
    do throws(BitmapError) {
      bitmap = try AnyBitmap(
        uninitialized: orientation.uprightSize(of: stored), in: space, channels: info.channels,
        format: info.samples, alpha: info.alpha)
    } catch {
      throw .rendering(.bitmap(error))
    }
    let surface = bitmap.surface
    if orientation == .upright {
      try watch.forEachRow(of: stored) { y throws(ImageFileError) in
        try decoder.readRow(into: surface.bytes(ofRow: y))
      }
    } else {
      let bytes = stored.width * surface.bytesPerPixel
      try withRow(of: bytes, file: file) { row throws(ImageFileError) in
        try watch.forEachRow(of: stored) { y throws(ImageFileError) in
          try decoder.readRow(into: row)
          orientation.place(UnsafeRawBufferPointer(row), y: y, of: stored, in: surface)
        }
      }
    }
    try decoder.finish()
    watch.progress?(1)
    return bitmap
  }
}

extension BitmapSurface {
  /// Writes all rows, with the samples of each pixel interleaved.
  fileprivate func write(
    to encoder: any ImageEncoder, file: String, _ watch: RowWatch
  ) throws(ImageFileError) {
    if arrangement == .interleaved {
      try watch.forEachRow(of: size) { y throws(ImageFileError) in
        try encoder.writeRow(UnsafeRawBufferPointer(bytes(ofRow: y)))
      }
      return
    }
    try withRow(of: size.width * bytesPerPixel, file: file) { row throws(ImageFileError) in
      try watch.forEachRow(of: size) { y throws(ImageFileError) in
        for plane in 0..<channels.count {
          copyChannel(
            UnsafeRawBufferPointer(bytes(ofRow: y, plane: plane)), 0, of: 1, to: row, plane,
            of: channels.count, pixels: size.width, bytesPerSample: format.byteCount)
        }
        try encoder.writeRow(UnsafeRawBufferPointer(row))
      }
    }
  }
}

private func withRow(
  of byteCount: Int, file: String,
  _ body: (UnsafeMutableRawBufferPointer) throws(ImageFileError) -> Void
) throws(ImageFileError) {
  let row = try MemoryBlock(byteCount: byteCount, for: file)
  try body(row.bytes)
}

/// Reports progress row by row, and stops where the work is cancelled.
struct RowWatch {
  var progress: ((Double) -> Void)?
  var isCancelled: (@Sendable () -> Bool)?

  /// Calls `body` with the number of each row. Throws where the work was cancelled.
  func forEachRow(
    of size: PixelSize, _ body: (Int) throws(ImageFileError) -> Void
  ) throws(ImageFileError) {
    let step = max(size.height / 64, 1)
    for y in 0..<size.height {
      if isCancelled?() == true { throw .rendering(.cancelled) }
      try body(y)
      if y % step == step - 1 { progress?(Double(y) / Double(size.height)) }
    }
  }
}
