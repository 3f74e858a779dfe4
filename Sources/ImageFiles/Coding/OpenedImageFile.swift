public import ColorSpaces
public import FilterGraph

/// An image file of which the header was read and checked. Its pixels are read when a picture of it is rendered.
public struct OpenedImageFile: Sendable {
  /// What the file says about its picture.
  public let info: ImageFileInfo
  private let job: DecodingJob

  /// Reads the header of a file. The path `-` is standard input. CMYK values are converted as `inks` says. Without a `page` it is the
  /// first one, or the one that the file prefers.
  public init(
    _ path: String, page: Int? = nil, inks: ProfileRendering = ProfileRendering(),
    limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    job = DecodingJob(
      bytes: try ByteSource(contentsOf: path, limit: limits.bytes), limits: limits, inks: inks,
      page: page)
    info = try job.decoder.info
  }

  /// The picture, upright unless it shall lie as it is stored. A file that does not say what its numbers mean is refused, unless
  /// `assuming` says it.
  public func picture(
    assuming assumption: ColorSpace? = nil, isUpright: Bool = true
  ) throws(ImageFileError) -> Picture {
    let space = try info.space(assuming: assumption, file: job.file)
    let picture = Picture(FileRows(job, info, space))
    return isUpright ? picture.oriented(info.orientation) : picture
  }
}
