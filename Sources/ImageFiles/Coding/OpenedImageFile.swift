public import ColorSpaces
public import FilterGraph
public import ICCProfiles

/// An image file whose header was read and checked. Its pixels are decoded when a picture of it is rendered.
///
/// The initializers read the file, and have asynchronous forms for that. ``picture(assuming:isUpright:)``, ``inkPicture(isUpright:)``,
/// ``gainMap(isUpright:)`` and ``hdrPicture(headroom:assuming:isUpright:)`` read nothing of it, so they have none.
public struct OpenedImageFile: Sendable {
  /// The properties that the header states.
  public let info: ImageFileInfo
  let job: DecodingJob

  /// How much of a damaged file renderings have read so far; nil where salvaging is off or no damage was found.
  public var salvage: Salvage? { job.salvages ? job.damage.salvage : nil }

  /// Whether a rendering failed because of damage, other than truncation, below intact rows, which salvaging reads.
  package var refusedIntactRows: Bool {
    guard !job.salvages, case .damaged? = job.damage.salvage?.error else { return false }
    return true
  }

  /// Reads the header of a file. The path `-` is standard input.
  ///
  /// CMYK values are converted as `inks` says, by the profile `assumedInks` where the file has none. Without a `page`, the first page or
  /// part, or the primary picture is opened.
  ///
  /// `layer` names a layer of an OpenEXR part, such as “beauty” for the channels “beauty.R”, “beauty.G” and “beauty.B”; of a layer only
  /// its own channel A is alpha. Where no layer with channels R, G and B, or Y, has this name, the channel of this name, such as “Z”, is
  /// read as gray, or a layer of X, Y and Z, or U, V and W, as three channels of data; without Z or W the third one is 0. A layer of a
  /// single channel is gray. Where the part has neither a layer nor a channel of this name, the part of this name is read. In a TIFF file
  /// `layer` names an extra sample, such as “extra 1”, or as Photoshop named it; it is read as gray data. ``ImageFileInfo/layers`` and
  /// ``ImageFileInfo/partNames`` list the names. Nil reads the colors outside of layers.
  ///
  /// With `salvaging`, rendering a truncated or damaged file reads the rows that are present, and ``salvage`` says how many. Otherwise, and
  /// where not a single row can be read, damage is an error of the rendering.
  public init(
    _ path: String, page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    try self.init(
      ByteSource(pictureAt: path, limit: limits.bytes), page: page, layer: layer, inks: inks,
      assumingInks: assumedInks, salvaging: salvaging, limits: limits)
  }

  /// Reads the header of a file whose bytes are in memory; see ``init(_:page:layer:inks:assumingInks:salvaging:limits:)``.
  ///
  /// The bytes count toward the memory of a rendering.
  public init(
    bytes: [UInt8], page: Int? = nil, layer: String? = nil,
    inks: ProfileRendering = ProfileRendering(), assumingInks assumedInks: ICCProfile? = nil,
    salvaging: Bool = false, limits: FileLimits = FileLimits()
  ) throws(ImageFileError) {
    try self.init(
      ByteSource(bytes, limit: limits.bytes), page: page, layer: layer, inks: inks,
      assumingInks: assumedInks, salvaging: salvaging, limits: limits)
  }

  init(
    _ bytes: ByteSource, page: Int?, layer: String? = nil, inks: ProfileRendering,
    assumingInks assumedInks: ICCProfile?, salvaging: Bool = false, limits: FileLimits
  ) throws(ImageFileError) {
    job = DecodingJob(
      bytes: bytes, limits: limits, inks: inks, assumedInks: assumedInks, page: page,
      layer: layer, salvages: salvaging, findsGainMap: false)
    // The header of a CMYK file can be read without a profile.
    var header = job
    (header.keepsInks, header.findsGainMap) = (true, true)
    info = try header.decoder.info
  }

  /// Opens the picture in the file, upright unless `isUpright` is false.
  ///
  /// A file without a color space, or with a damaged or unsupported profile, is refused, unless `assuming` names a space. The profile that is
  /// replaced so is a note, ``ImageFileNote/unusableSpace(reason:)``, in ``info``. Nothing of the file is read before the picture is
  /// rendered. For a CMYK or n-color file, the transform of its profile is computed, where none is kept from an earlier file.
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
