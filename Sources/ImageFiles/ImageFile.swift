public import ColorSpaces
public import ImageBuffer

/// Image files: PNG and others, recognised by content, with the color space that gives their numbers a meaning.
///
/// The path `-` is standard input, or standard output; a file of that name is `./-`.
public enum ImageFile {
  /// What a file says about its picture. No pixel is decoded.
  public static func info(
    _ path: String, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) -> ImageFileInfo {
    try opened(FileBytes(contentsOf: path, limit: limits.bytes), limits).info
  }

  /// What a file's bytes say about its picture; see ``info(_:limits:)``.
  public static func info(
    bytes: [UInt8], limits: FileLimits = FileLimits()
  ) throws(ImageFileError) -> ImageFileInfo {
    try opened(FileBytes(bytes, limit: limits.bytes), limits).info
  }

  /// Reads a file. Samples keep their depth; those of less than 8 bits fill 8, palettes are expanded, and transparency of any kind
  /// becomes alpha.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - assumption: What the numbers mean where the file does not say, or says it in a way that cannot be used. Without it
  ///     such a file is an error.
  ///   - isUpright: Whether the picture is turned as the file says it should be.
  ///   - limits: How much the file may ask for.
  ///   - progress: Called now and then with the part that is done, 1 at the end.
  public static func read(
    _ path: String, assuming assumption: ColorSpace? = nil, isUpright: Bool = true,
    limits: FileLimits = FileLimits(), progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> AnyBitmap {
    try decode(
      FileBytes(contentsOf: path, limit: limits.bytes), assumption, isUpright, limits, progress)
  }

  /// Reads a file's bytes; see ``read(_:assuming:isUpright:limits:progress:)``.
  public static func read(
    bytes: [UInt8], assuming assumption: ColorSpace? = nil, isUpright: Bool = true,
    limits: FileLimits = FileLimits(), progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> AnyBitmap {
    try decode(FileBytes(bytes, limit: limits.bytes), assumption, isUpright, limits, progress)
  }

  /// Writes a file with the bitmap's pixels and their meaning.
  ///
  /// The file appears when it is complete. Where writing fails, nothing is left behind, and a file that was there before is as
  /// it was.
  ///
  /// - Parameters:
  ///   - bitmap: What to write.
  ///   - path: Where the file shall be.
  ///   - format: The format; nil for the one that the path's ending names.
  ///   - options: What the format leaves open.
  ///   - progress: Called now and then with the part that is done, 1 at the end.
  public static func write(
    _ bitmap: AnyBitmap, to path: String, as format: ImageFileFormat? = nil,
    options: WritingOptions = WritingOptions(), progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) {
    let format = try self.format(format, ofFileNamed: path)
    let job = try job(for: bitmap, file: path, format, options)
    let file = try AtomicFile(path)
    if format.writesInOrder || file.canGoBack {
      try writeRows(of: bitmap, job, format, into: file, progress)
    } else {
      let memory = MemorySink()
      try writeRows(of: bitmap, job, format, into: memory, progress)
      guard memory.bytes.withUnsafeBytes({ file.put($0, at: 0) }) else {
        throw .cannotWrite(file: path, reason: file.failure ?? "it takes no bytes")
      }
    }
    try file.commit()
  }

  /// The bytes of a file; see ``write(_:to:as:options:progress:)``.
  public static func encode(
    _ bitmap: AnyBitmap, as format: ImageFileFormat, options: WritingOptions = WritingOptions(),
    progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> [UInt8] {
    let job = try job(for: bitmap, file: "\(format) data", format, options)
    let memory = MemorySink()
    try writeRows(of: bitmap, job, format, into: memory, progress)
    return memory.bytes
  }

  /// The format that was asked for, or else the one that the path's ending names.
  static func format(
    _ format: ImageFileFormat?, ofFileNamed path: String
  ) throws(ImageFileError) -> ImageFileFormat {
    guard let format = format ?? ImageFileFormat(ofFileNamed: path) else {
      throw .unknownEnding(file: path)
    }
    return format
  }
}

private func opened(
  _ bytes: FileBytes, _ limits: FileLimits
) throws(ImageFileError) -> any ImageDecoder {
  let decoder = try ImageFileFormat(of: bytes).decoder(bytes, limits)
  try limits.check(decoder.info, in: bytes)
  return decoder
}

private func decode(
  _ bytes: FileBytes, _ assumption: ColorSpace?, _ isUpright: Bool, _ limits: FileLimits,
  _ progress: ((Double) -> Void)?
) throws(ImageFileError) -> AnyBitmap {
  let decoder = try opened(bytes, limits)
  let info = decoder.info
  let orientation = isUpright ? info.orientation : .upright
  let stored = info.storedSize
  let bitmap = AnyBitmap(
    uninitialized: orientation.uprightSize(of: stored),
    in: try info.space(assuming: assumption, file: bytes.name), channels: info.channels,
    format: info.samples, alpha: info.alpha)
  let surface = bitmap.surface
  if orientation == .upright {
    try forEachRow(of: stored, progress) { y throws(ImageFileError) in
      try decoder.readRow(into: surface.bytes(ofRow: y))
    }
  } else {
    let row = UnsafeMutableRawBufferPointer.allocate(
      byteCount: stored.width * surface.bytesPerPixel, alignment: 16)
    defer { row.deallocate() }
    try forEachRow(of: stored, progress) { y throws(ImageFileError) in
      try decoder.readRow(into: row)
      orientation.place(UnsafeRawBufferPointer(row), y: y, of: stored, in: surface)
    }
  }
  try decoder.finish()
  progress?(1)
  return bitmap
}

/// What of a bitmap an encoder must know, once it is certain that the format can hold it.
private func job(
  for bitmap: AnyBitmap, file: String, _ format: ImageFileFormat, _ options: WritingOptions
) throws(ImageFileError) -> EncodingJob {
  try format.checkSamples(bitmap.format)
  guard format.channels.contains(bitmap.channels) else {
    throw .unsupportedChannels(bitmap.channels, format: format)
  }
  // Without coverage the two kinds are the same.
  guard !bitmap.channels.hasAlpha || format.alpha.contains(bitmap.alpha) else {
    throw .unsupportedAlpha(bitmap.alpha, format: format)
  }
  guard format.statesColor || options.isUntagged else {
    throw .cannotStateColor(bitmap.space.name, format: format)
  }
  return EncodingJob(
    file: file, size: bitmap.size, channels: bitmap.channels, samples: bitmap.format,
    alpha: bitmap.alpha, space: options.isUntagged ? nil : bitmap.space, options: options)
}

private func writeRows(
  of bitmap: AnyBitmap, _ job: EncodingJob, _ format: ImageFileFormat, into sink: any ByteSink,
  _ progress: ((Double) -> Void)?
) throws(ImageFileError) {
  let encoder = try format.encoder(job, sink)
  let surface = bitmap.surface
  defer { withExtendedLifetime(bitmap) {} }
  if surface.arrangement == .interleaved {
    try forEachRow(of: job.size, progress) { y throws(ImageFileError) in
      try encoder.writeRow(UnsafeRawBufferPointer(surface.bytes(ofRow: y)))
    }
  } else {
    let row = UnsafeMutableRawBufferPointer.allocate(
      byteCount: job.size.width * surface.bytesPerPixel, alignment: 16)
    defer { row.deallocate() }
    try forEachRow(of: job.size, progress) { y throws(ImageFileError) in
      for plane in 0..<job.channels.count {
        scatter(
          UnsafeRawBufferPointer(surface.bytes(ofRow: y, plane: plane)), to: row, channel: plane,
          of: job.channels.count, bytesPerSample: job.samples.byteCount)
      }
      try encoder.writeRow(UnsafeRawBufferPointer(row))
    }
  }
  try encoder.finish()
  progress?(1)
}

private func forEachRow(
  of size: PixelSize, _ progress: ((Double) -> Void)?,
  _ body: (Int) throws(ImageFileError) -> Void
) throws(ImageFileError) {
  let step = max(size.height / 64, 1)
  for y in 0..<size.height {
    try body(y)
    if y % step == step - 1 { progress?(Double(y) / Double(size.height)) }
  }
}

/// Copies a plane's samples to their channel among interleaved ones.
func scatter(
  _ plane: UnsafeRawBufferPointer, to row: UnsafeMutableRawBufferPointer, channel: Int,
  of channelCount: Int, bytesPerSample: Int
) {
  func copy<Bits: BitwiseCopyable>(_: Bits.Type) {
    let (source, target) = (plane.assumingMemoryBound(to: Bits.self), row.bindMemory(to: Bits.self))
    for x in source.indices { target[x * channelCount + channel] = source[x] }
  }
  switch bytesPerSample {
  case 1: copy(UInt8.self)
  case 2: copy(UInt16.self)
  default: copy(UInt32.self)
  }
}
