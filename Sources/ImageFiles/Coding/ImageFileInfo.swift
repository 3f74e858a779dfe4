public import ColorSpaces
public import ICCProfiles
public import ImageBuffer

/// The properties of a picture file that are known before the first pixel is decoded.
public struct ImageFileInfo: Sendable {
  /// The format, recognized by content.
  public let format: ImageFileFormat
  /// The size of the stored picture, before orientation is applied.
  public let storedSize: PixelSize
  /// The channels of the decoded pixels.
  public let channels: Channels
  /// The sample format of the decoded pixels.
  public let samples: SampleFormat
  /// The sample format of the stored values. Ink channels and Lab are decoded to floats, whatever their depth.
  package let storedSamples: SampleFormat
  /// Whether the file's alpha is straight or premultiplied.
  public let alpha: Alpha
  /// The pixel encoding of the file itself, in words, such as “palette of 4 bits, interlaced”.
  public let storage: String
  /// The color space that the file states.
  public let color: StatedColor
  /// The ICC profile, whether it can be used or not.
  public let profile: ICCProfile?
  /// The orientation of the stored pixels.
  public let orientation: Orientation
  /// The metadata, such as EXIF, XMP, resolution and texts.
  public let metadata: ImageMetadata
  /// Which page, frame, picture or part of the file this is.
  public let pages: ImagePages
  /// The name of the layer, the channel, the part or the extra sample that was chosen; nil where none was.
  public let layer: String?
  /// The layers and channels of an OpenEXR part, and the extra samples of a TIFF page, that can be read by name, the chosen one among them
  /// unless it is a part.
  public let layers: [ImageFileLayer]
  /// The names of the parts of an OpenEXR file in order, which can be read by name, too; empty where there is one part.
  public let partNames: [String]
  /// Warnings about how the file was interpreted.
  public let notes: [ImageFileNote]

  /// The peak memory of a decoder in bytes while it delivers rows. A floating-point value, because a header's sizes could overflow an
  /// integer.
  var readingBytes: Double
  /// An estimate of the largest error of a sample by lossy compression; the largest code is 1.
  var compressionError: Double
  /// The CMYK or n-color channels of the file; nil where it holds none. Reading converts them to colors.
  public let inks: ImageFileInks?
  /// The gain map of the file; nil where it holds none that can be used.
  public let gainMap: ImageFileGainMap?
  /// The timing of the animation whose frame is read; nil for files of other formats than GIF, PNG and WebP, and for a single frame.
  public let animation: ImageAnimation?

  /// Whether the file holds CMYK or n-color channels, which reading converts to colors.
  public var holdsInks: Bool { inks != nil }

  /// The size of the upright picture.
  public var size: PixelSize { orientation.uprightSize(of: storedSize) }

  init(
    format: ImageFileFormat, storedSize: PixelSize, channels: Channels, samples: SampleFormat,
    storedSamples: SampleFormat? = nil, alpha: Alpha = .straight, storage: String,
    color: StatedColor, profile: ICCProfile? = nil, orientation: Orientation = .upright,
    metadata: ImageMetadata = ImageMetadata(), pages: ImagePages = ImagePages(),
    layer: String? = nil, layers: [ImageFileLayer] = [], partNames: [String] = [],
    notes: [ImageFileNote] = [],
    readingBytes: Double = 0, compressionError: Double = 0, inks: ImageFileInks? = nil,
    gainMap: ImageFileGainMap? = nil, animation: ImageAnimation? = nil
  ) {
    (self.format, self.storedSize, self.channels) = (format, storedSize, channels)
    (self.samples, self.alpha, self.storage) = (samples, alpha, storage)
    (self.color, self.profile) = (color, profile)
    (self.orientation, self.pages) = (orientation, pages)
    (self.layer, self.layers, self.partNames) = (layer, layers, partNames)
    // Files state the resolution of their stored pixels.
    var upright = metadata
    upright.resolution = metadata.resolution?.oriented(by: orientation)
    self.metadata = upright
    let isKnown = gainMap != nil || notes.contains { $0.isOfGainMap }
    let parts = (metadata.xmp.map { XMP($0).unreadParts } ?? [])
      .filter { !(isKnown && $0 == XMP.gainMapPart) }
    let others: [ImageFileNote] = pages.count > 1 ? [.otherPages(pages)] : []
    let unusable: [ImageFileNote] =
      if case .unusable(let error) = color { [.unusableSpace(reason: error.finding)] } else { [] }
    self.notes = unusable + notes + others + parts.map { .unread($0) }
    (self.readingBytes, self.compressionError) = (readingBytes, compressionError)
    (self.inks, self.gainMap, self.animation) = (inks, gainMap, animation)
    self.storedSamples = storedSamples ?? inks?.format ?? samples
  }

  /// Returns the color space of the values: the stated one, or `assumption` where the file states none that can be used.
  func space(assuming assumption: ColorSpace?, file: String) throws(ImageFileError) -> ColorSpace {
    if case .space(let space, _) = color { return space }
    try checkProfileMemory()
    if let assumption { return assumption }
    if case .unusable(let error) = color { throw error }
    throw .untagged(file: file)
  }

  /// Throws where parsing the file's profile takes more memory than the limit. An assumption does not replace such a profile: colors
  /// would depend on the limit.
  package func checkProfileMemory() throws(ImageFileError) {
    guard case .unusable(let error) = color else { return }
    switch error {
    case .profile(_, .tooMuchMemory), .inkProfile(_, .tooMuchMemory): throw error
    default: return
    }
  }
}

/// A picture of a file that is read by its name: a layer, a single channel or an extra sample.
///
/// Channels of OpenEXR files are listed whatever they store; those of whole numbers, and subsampled ones, are refused when they are read.
public struct ImageFileLayer: Hashable, Sendable {
  /// The name, as ``OpenedImageFile/init(_:page:layer:inks:assumingInks:salvaging:limits:)`` takes it.
  public let name: String
  /// The file's names of its channels, in the order of samples: “beauty.R”, “beauty.G”, “beauty.B” for colors, one for a gray picture of
  /// data, and “uv.U”, “uv.V” for vectors, which are read as three channels of data; a third one that is missing is 0.
  public let channels: [String]

  init(name: String, channels: [String]) { (self.name, self.channels) = (name, channels) }
}

/// The CMYK or n-color channels of a file.
public struct ImageFileInks: Hashable, Sendable {
  /// The names of the channels in order: those that the file or its profile lists, or “ink 1”, “ink 2” …
  public let names: [String]
  /// The sample format of a stored value.
  public let format: SampleFormat

  /// How many channels there are.
  public var count: Int { names.count }

  /// The channels of a bitmap of these ink channels.
  public var channels: Channels {
    if count == 4 { return .cmyk }
    let unique = Set(names).count == count ? names : ICCProfile.inkNames(count)
    return Channels(unique.map { .named($0) })
  }

  init(names: [String], format: SampleFormat) {
    (self.names, self.format) = (names, format)
  }
}

extension ImageFileInks: CustomStringConvertible {
  /// The kind and the names, such as “cmyk” or “5 ink channels (cyan, magenta, yellow, black, orange)”.
  public var description: String {
    names == ICCProfile.inkNames(4)
      ? "cmyk" : "\(count) ink channels (\(names.joined(separator: ", ")))"
  }
}

/// A file's statement of the color space of its values.
@nonexhaustive
public enum StatedColor: Sendable {
  /// A color space, and the part of the file that names it.
  case space(ColorSpace, by: ColorStatement)
  /// Something that cannot be used, for the reason given.
  case unusable(ImageFileError)
  /// Nothing.
  case unstated
}

/// The part of a file that states its color space.
@nonexhaustive
public enum ColorStatement: String, Hashable, Sendable, Codable {
  /// Code points of Rec. ITU-T H.273.
  case codePoints
  /// An ICC profile.
  case profile
  /// A marker that stands for sRGB, such as PNG's sRGB chunk.
  case sRGBMark
  /// The chromaticities of primaries and white point, and a transfer function.
  case chromaticities
  /// The identifier of a color space by the Color Interop Forum, in the attribute colorInteropID of OpenEXR files.
  case colorInteropID
  /// A camera's EXIF data.
  case exif
  /// The format's own rule for files that say nothing else.
  case formatRule
  /// None: the values are data without color, such as an extra sample of a TIFF file or vectors of an OpenEXR file, and are
  /// read as linear.
  case data
}

extension ColorStatement: CustomStringConvertible {
  /// A short description, such as “by its ICC profile”.
  public var description: String {
    switch self {
    case .codePoints: "by its code points (H.273)"
    case .profile: "by its ICC profile"
    case .sRGBMark: "by its mark “sRGB”"
    case .chromaticities: "by its chromaticities"
    case .colorInteropID: "by its colorInteropID"
    case .exif: "by its EXIF data"
    case .formatRule: "by the rule of its format"
    case .data: "as data without color"
    }
  }
}
