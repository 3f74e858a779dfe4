public import ColorSpaces
public import FilterGraph
public import ICCProfiles
public import ImageBuffer

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Forms with `Data` and `URL` for the parameters that are bytes and paths elsewhere. Those of `Picture` lack the parameters of CMYK files,
// which `OpenedImageFile` has.
extension Picture {
  /// Opens the picture in an image file whose bytes are in memory; see ``init(bytes:page:assuming:isUpright:inks:assumingInks:limits:)``.
  public init(
    data: Data, page: Int? = nil, assuming space: ColorSpace? = nil, isUpright: Bool = true,
    limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    try self.init(
      bytes: data.array(limit: limits.bytes), page: page, assuming: space, isUpright: isUpright,
      limits: limits)
  }

  /// Opens the picture in an image file whose bytes are in memory, without blocking the caller.
  public init(
    data: Data, page: Int? = nil, assuming space: ColorSpace? = nil, isUpright: Bool = true,
    limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) {
    try await self.init(
      bytes: data.array(limit: limits.bytes), page: page, assuming: space, isUpright: isUpright,
      limits: limits)
  }

  /// Opens the picture in an image file; see ``init(contentsOf:page:assuming:isUpright:inks:assumingInks:limits:)``.
  public init(
    contentsOf url: URL, page: Int? = nil, assuming space: ColorSpace? = nil,
    isUpright: Bool = true, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    try self.init(
      contentsOf: url.filePath, page: page, assuming: space, isUpright: isUpright, limits: limits)
  }

  /// Opens the picture in an image file without blocking the caller.
  public init(
    contentsOf url: URL, page: Int? = nil, assuming space: ColorSpace? = nil,
    isUpright: Bool = true, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) {
    try await self.init(
      contentsOf: url.filePath, page: page, assuming: space, isUpright: isUpright, limits: limits)
  }

  /// Renders this picture into an image file; see ``write(to:as:samples:dither:options:writing:)``.
  @discardableResult
  public func write(
    to url: URL, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) -> WritingReport {
    try write(
      to: url.writtenFilePath, as: format, samples: samples, dither: dither, options: options,
      writing: writing)
  }

  /// Renders this picture into an image file without blocking the caller.
  @discardableResult
  public func write(
    to url: URL, as format: ImageFileFormat? = nil, samples: SampleFormat? = nil,
    dither: Dither? = nil, options: RenderOptions = RenderOptions(),
    writing: WritingOptions = WritingOptions()
  ) async throws(ImageFileError) -> WritingReport {
    try await write(
      to: url.writtenFilePath, as: format, samples: samples, dither: dither, options: options,
      writing: writing)
  }
}

extension Data {
  /// Returns a copy of the bytes, if they are not too many.
  fileprivate func array(limit: Int) throws(ImageFileError) -> [UInt8] {
    guard count <= limit else { throw .tooManyBytes(file: ByteSource.unnamed, limit: limit) }
    return Array(self)
  }
}

extension OpenedImageFile {
  /// Reads the header of a file whose bytes are in memory; see ``init(bytes:page:layer:inks:assumingInks:salvaging:limits:)``.
  public init(
    data: Data, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    try self.init(
      bytes: data.array(limit: limits.bytes), page: page, layer: layer, inks: inks,
      assumingInks: assumedInks, salvaging: salvaging, limits: limits)
  }

  /// Reads the header of a file whose bytes are in memory, without blocking the caller.
  public init(
    data: Data, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) {
    try await self.init(
      bytes: data.array(limit: limits.bytes), page: page, layer: layer, inks: inks,
      assumingInks: assumedInks, salvaging: salvaging, limits: limits)
  }

  /// Reads the header of a file; see ``init(_:page:layer:inks:assumingInks:salvaging:limits:)``.
  public init(
    _ url: URL, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    try self.init(
      url.filePath, page: page, layer: layer, inks: inks, assumingInks: assumedInks,
      salvaging: salvaging, limits: limits)
  }

  /// Reads the header of a file without blocking the caller.
  public init(
    _ url: URL, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) {
    try await self.init(
      url.filePath, page: page, layer: layer, inks: inks, assumingInks: assumedInks,
      salvaging: salvaging, limits: limits)
  }
}

extension ImageFile {
  /// Returns what a file says about its picture; see ``info(_:page:limits:)``.
  public static func info(
    _ url: URL, page: Int? = nil, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) -> ImageFileInfo {
    try info(url.filePath, page: page, limits: limits)
  }

  /// Returns what a file says about its picture, without blocking the caller.
  public static func info(
    _ url: URL, page: Int? = nil, limits: FileLimits = FileLimits()
  ) async throws(ImageFileError) -> ImageFileInfo {
    try await info(url.filePath, page: page, limits: limits)
  }

  /// Reads a file; see ``read(_:page:assuming:isUpright:limits:progress:)``.
  public static func read(
    _ url: URL, page: Int? = nil, assuming assumption: ColorSpace? = nil, isUpright: Bool = true,
    limits: FileLimits = FileLimits(), progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> AnyBitmap {
    try read(
      url.filePath, page: page, assuming: assumption, isUpright: isUpright, limits: limits,
      progress: progress)
  }

  /// Reads a file without blocking the caller; cancelling the task ends it within a row.
  public static func read(
    _ url: URL, page: Int? = nil, assuming assumption: ColorSpace? = nil, isUpright: Bool = true,
    limits: FileLimits = FileLimits(), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(ImageFileError) -> AnyBitmap {
    try await read(
      url.filePath, page: page, assuming: assumption, isUpright: isUpright, limits: limits,
      progress: progress)
  }

  /// Writes a file; see ``write(_:to:as:options:progress:)``.
  @discardableResult
  public static func write(
    _ bitmap: AnyBitmap, to url: URL, as format: ImageFileFormat? = nil,
    options: WritingOptions = WritingOptions(), progress: ((Double) -> Void)? = nil
  ) throws(ImageFileError) -> WritingReport {
    try write(bitmap, to: url.writtenFilePath, as: format, options: options, progress: progress)
  }

  /// Writes a file without blocking the caller; cancelling the task ends it within a row, and leaves no file.
  @discardableResult
  public static func write(
    _ bitmap: AnyBitmap, to url: URL, as format: ImageFileFormat? = nil,
    options: WritingOptions = WritingOptions(), progress: (@Sendable (Double) -> Void)? = nil
  ) async throws(ImageFileError) -> WritingReport {
    try await write(
      bitmap, to: url.writtenFilePath, as: format, options: options, progress: progress)
  }
}

extension PictureFile {
  /// Creates a file for a picture. Throws for a URL that is not of a file.
  public init(
    _ picture: Picture, at url: URL, as format: ImageFileFormat? = nil,
    samples: SampleFormat? = nil, dither: Dither? = nil, writing: WritingOptions = WritingOptions()
  ) throws(ImageFileError) {
    try self.init(
      picture, at: url.writtenFilePath, as: format, samples: samples, dither: dither,
      writing: writing)
  }
}

extension URL {
  /// The path that a file's URL names.
  fileprivate var filePath: String {
    get throws(ImageFileError) {
      guard isFileURL else {
        throw .cannotRead(
          file: absoluteString, reason: "it is no file; pass the bytes that it leads to")
      }
      return path(percentEncoded: false)
    }
  }

  /// The same, for a file to write.
  var writtenFilePath: String {
    get throws(ImageFileError) {
      guard isFileURL else {
        throw .cannotWrite(file: absoluteString, reason: "it is no file; send encoded bytes to it")
      }
      return path(percentEncoded: false)
    }
  }
}
