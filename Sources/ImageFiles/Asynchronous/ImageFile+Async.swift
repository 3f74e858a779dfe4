public import ColorSpaces
internal import FilterGraph
public import ImageBuffer

// The asynchronous forms take turns with renderings, and never block a thread of the caller's (decision 24).
extension ImageFile {
  /// Returns what a file says about its picture, without blocking the caller; see ``info(_:page:limits:)``.
  public static func info(
    _ path: String, page: Int? = nil, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) -> ImageFileInfo {
    try await inTurn { _ throws(ImageFileError) in try info(path, page: page, limits: limits) }
  }

  /// Returns what a file's bytes say about its picture, without blocking the caller; see ``info(_:page:limits:)``.
  public static func info(
    bytes: [UInt8], page: Int? = nil, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) -> ImageFileInfo {
    try await inTurn { _ throws(ImageFileError) in
      try info(bytes: bytes, page: page, limits: limits)
    }
  }

  /// Reads a file without blocking the caller; cancelling the task ends it within a row. See
  /// ``read(_:page:assuming:isUpright:limits:progress:)``.
  public static func read(
    _ path: String, page: Int? = nil, assuming assumption: ColorSpace? = nil,
    isUpright: Bool = true, limits: FileLimits = FileLimits(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(ImageFileError) -> AnyBitmap {
    try await inTurn { isCancelled throws(ImageFileError) in
      let bytes = try ByteSource(pictureAt: path, limit: limits.bytes)
      return try decode(
        DecodingJob(bytes: bytes, limits: limits, page: page), assumption, isUpright,
        RowWatch(progress: progress, isCancelled: isCancelled))
    }
  }

  /// Reads a file's bytes without blocking the caller; cancelling the task ends it within a row. See
  /// ``read(_:page:assuming:isUpright:limits:progress:)``.
  public static func read(
    bytes: [UInt8], page: Int? = nil, assuming assumption: ColorSpace? = nil,
    isUpright: Bool = true, limits: FileLimits = FileLimits(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(ImageFileError) -> AnyBitmap {
    try await inTurn { isCancelled throws(ImageFileError) in
      let bytes = try ByteSource(bytes, limit: limits.bytes)
      return try decode(
        DecodingJob(bytes: bytes, limits: limits, page: page), assumption, isUpright,
        RowWatch(progress: progress, isCancelled: isCancelled))
    }
  }

  /// Writes a file without blocking the caller; cancelling the task ends it within a row, and leaves no file. See
  /// ``write(_:to:as:options:progress:)``.
  @discardableResult
  public static func write(
    _ bitmap: AnyBitmap, to path: String, as format: ImageFileFormat? = nil,
    options: WritingOptions = WritingOptions(), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(ImageFileError) -> WritingReport {
    try await inTurn { isCancelled throws(ImageFileError) in
      try write(
        bitmap, to: path, as: format, options,
        RowWatch(progress: progress, isCancelled: isCancelled))
    }
  }

  /// Returns the bytes of a file without blocking the caller; cancelling the task ends it within a row. See
  /// ``encode(_:as:options:progress:)``.
  public static func encode(
    _ bitmap: AnyBitmap, as format: ImageFileFormat, options: WritingOptions = WritingOptions(),
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(ImageFileError) -> [UInt8] {
    try await inTurn { isCancelled throws(ImageFileError) in
      try encode(
        bitmap, as: format, options, RowWatch(progress: progress, isCancelled: isCancelled))
    }
  }
}

/// Runs work on files when the rendering queue has a slot, on a thread of its own. `body` is told how to find out whether the task, or
/// the caller, was cancelled.
func inTurn<Value: Sendable>(
  isCancelled: (@Sendable () -> Bool)? = nil,
  _ body:
    @escaping @Sendable (
      _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(ImageFileError) -> Value
) async throws(ImageFileError) -> Value {
  let result = await RenderQueue.current.run(isCancelled: isCancelled) { isCancelled in
    Result { () throws(ImageFileError) in try body(isCancelled) }
  }
  guard let result else { throw .rendering(.cancelled) }
  return try result.get()
}

/// Runs a rendering into files when the rendering queue has a slot, on a thread of its own. The options that `body` gets tell whether the
/// task, or the caller, was cancelled.
func inTurn<Value: Sendable>(
  _ options: RenderOptions,
  _ body: @escaping @Sendable (RenderOptions) throws(ImageFileError) -> Value
) async throws(ImageFileError) -> Value {
  try await inTurn(isCancelled: options.isCancelled) { isCancelled throws(ImageFileError) in
    var options = options
    options.isCancelled = isCancelled
    return try body(options)
  }
}
