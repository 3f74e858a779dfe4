public import ColorSpaces
public import FilterGraph
public import ICCProfiles

/// An image file of which the header was read and checked. Its pixels are read when a picture of it is rendered.
public struct OpenedImageFile: Sendable {
  /// What the file says about its picture.
  public let info: ImageFileInfo
  let job: DecodingJob

  /// Reads the header of a file. The path `-` is standard input. CMYK values are converted as `inks` says, by the profile `assumedInks`
  /// where the file has none. Without a `page` it is the first one, or the one that the file prefers.
  public init(
    _ path: String, page: Int? = nil, inks: ProfileRendering = ProfileRendering(),
    assumingInks assumedInks: ICCProfile? = nil, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    job = DecodingJob(
      bytes: try ByteSource(contentsOf: path, limit: limits.bytes), limits: limits, inks: inks,
      assumedInks: assumedInks, page: page)
    // What a file of inks is can be said without their profile.
    var header = job
    header.keepsInks = true
    info = try header.decoder.info
  }

  /// The picture, upright unless it shall lie as it is stored. A file that does not say what its numbers mean is refused, unless
  /// `assuming` says it.
  public func picture(
    assuming assumption: ColorSpace? = nil, isUpright: Bool = true
  ) throws(ImageFileError) -> Picture {
    let picture: Picture
    if let inks = info.inks {
      let conversion = try InkConversion(info, inks, job)
      picture =
        inks.count == 4
        ? Picture(InkFileRows(job, info, conversion))
        : Picture(FileRows(job, info, InkConversion.space))
    } else {
      picture = Picture(FileRows(job, info, try info.space(assuming: assumption, file: job.file)))
    }
    return isUpright ? picture.oriented(info.orientation) : picture
  }
}
