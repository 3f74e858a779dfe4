public import ColorSpaces
public import FilterGraph
public import ICCProfiles
public import ImageBuffer

extension Picture {
  /// Opens the picture in an image file without blocking the caller; see
  /// ``init(contentsOf:page:assuming:isUpright:inks:assumingInks:limits:)``.
  public init(
    contentsOf path: String, page: Int? = nil, assuming space: ColorSpace? = nil,
    isUpright: Bool = true, inks: ProfileRendering = ProfileRendering(),
    assumingInks assumedInks: ICCProfile? = nil, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) {
    self = try await inTurn { _ throws(ImageFileError) in
      try Picture(
        contentsOf: path, page: page, assuming: space, isUpright: isUpright, inks: inks,
        assumingInks: assumedInks, limits: limits)
    }
  }

  /// Opens the picture in an image file whose bytes are in memory, without blocking the caller; see
  /// ``init(contentsOf:page:assuming:isUpright:inks:assumingInks:limits:)``.
  public init(
    bytes: [UInt8], page: Int? = nil, assuming space: ColorSpace? = nil, isUpright: Bool = true,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) {
    self = try await inTurn { _ throws(ImageFileError) in
      try Picture(
        bytes: bytes, page: page, assuming: space, isUpright: isUpright, inks: inks,
        assumingInks: assumedInks, limits: limits)
    }
  }

  /// Opens the picture in an image file whose bytes come part by part, such as the body of a request.
  ///
  /// Up to 64 KiB are kept in memory, more go to a temporary file without a name, where `TMPDIR` says. Throws what `bytes` throws,
  /// ``ImageFileError/unknownFormat(file:found:)`` as soon as the first bytes are those of no format, and
  /// ``ImageFileError/tooManyBytes(file:limit:)`` as soon as there are more than ``FileLimits/bytes``.
  public nonisolated(nonsending) init<Bytes: AsyncSequence>(
    bytes: Bytes, page: Int? = nil, assuming space: ColorSpace? = nil, isUpright: Bool = true,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    limits: FileLimits = FileLimits()
  ) async throws where Bytes.Element: Sequence<UInt8> {
    let source = try await ByteSource.spooled(bytes, limit: limits.bytes)
    self = try await inTurn { _ throws(ImageFileError) in
      try OpenedImageFile(
        source, page: page, inks: inks, assumingInks: assumedInks, limits: limits
      ).picture(assuming: space, isUpright: isUpright)
    }
  }

  /// Opens the picture in an image file whose bytes come one by one, such as `URLSession.AsyncBytes`; see the form for bytes that come in
  /// parts, which is quicker.
  public nonisolated(nonsending) init<Bytes: AsyncSequence>(
    bytes: Bytes, page: Int? = nil, assuming space: ColorSpace? = nil, isUpright: Bool = true,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    limits: FileLimits = FileLimits()
  ) async throws where Bytes.Element == UInt8 {
    let source = try await ByteSource.spooled(bytes, limit: limits.bytes)
    self = try await inTurn { _ throws(ImageFileError) in
      try OpenedImageFile(
        source, page: page, inks: inks, assumingInks: assumedInks, limits: limits
      ).picture(assuming: space, isUpright: isUpright)
    }
  }

  /// Renders this picture into an image file without blocking the caller; cancelling the task ends it within one tile, and leaves no
  /// file. See ``write(to:as:samples:dither:options:writing:)`` for the parameters.
  @discardableResult
  public func write(
    to path: String, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) async throws(ImageFileError) -> WritingReport {
    try await inTurn(options) { options throws(ImageFileError) in
      try write(
        to: path, as: format, samples: samples, dither: dither, options: options, writing: writing)
    }
  }

  /// Renders several pictures into files in one pass without blocking the caller; cancelling the task ends it within one tile, and leaves
  /// no file. See ``write(_:options:)``.
  @discardableResult
  public static func write(
    _ files: [PictureFile], options: RenderOptions = RenderOptions()
  ) async throws(ImageFileError) -> [WritingReport] {
    try await inTurn(options) { options throws(ImageFileError) in
      try write(files, options: options)
    }
  }

  /// Renders several pictures into the bytes of image files in one pass without blocking the caller; cancelling the task ends it within one
  /// tile. See ``encoded(_:options:)``.
  public static func encoded(
    _ files: [PictureFile], options: RenderOptions = RenderOptions()
  ) async throws(ImageFileError) -> [(bytes: [UInt8], report: WritingReport)] {
    try await inTurn(options) { options throws(ImageFileError) in
      try encoded(files, options: options)
    }
  }

  /// Renders this picture into the bytes of an image file without blocking the caller; cancelling the task ends it within one tile. See
  /// ``encoded(as:samples:dither:options:writing:)`` for the parameters.
  public func encoded(
    as format: ImageFileFormat, samples: SampleFormat? = nil, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) async throws(ImageFileError) -> [UInt8] {
    try await encodedWithReport(
      as: format, samples: samples, dither: dither, options: options, writing: writing
    ).bytes
  }

  /// Renders this picture into the bytes of an image file without blocking the caller, and reports clipped samples and omitted metadata.
  /// Cancelling the task ends it within one tile. See ``encodedWithReport(as:samples:dither:options:writing:)``.
  public func encodedWithReport(
    as format: ImageFileFormat, samples: SampleFormat? = nil, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(), writing: WritingOptions = WritingOptions()
  ) async throws(ImageFileError) -> (bytes: [UInt8], report: WritingReport) {
    try await inTurn(options) { options throws(ImageFileError) in
      try encodedWithReport(
        as: format, samples: samples, dither: dither, options: options, writing: writing)
    }
  }
}
