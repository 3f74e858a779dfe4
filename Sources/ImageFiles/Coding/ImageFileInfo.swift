public import ColorSpaces
public import ICCProfiles
public import ImageBuffer

/// What a file says about its picture before the first pixel.
public struct ImageFileInfo: Sendable {
  /// The format, recognised by content.
  public let format: ImageFileFormat
  /// The size as stored, before orientation.
  public let storedSize: PixelSize
  /// What pixels are made of when read.
  public let channels: Channels
  /// How samples are stored when read.
  public let samples: SampleFormat
  /// How the file holds color and coverage together.
  public let alpha: Alpha
  /// How the file itself holds the pixels, in words, such as “palette of 4 bits, interlaced”.
  public let storage: String
  /// What the file says its numbers mean.
  public let color: StatedColor
  /// The ICC profile, whether it can be used or not.
  public let profile: ICCProfile?
  /// Where the first stored pixel belongs.
  public let orientation: Orientation
  /// The metadata.
  public let metadata: ImageMetadata
  /// Which page or frame of the file this is.
  public let pages: ImagePages
  /// What a reader should know about how the file was understood.
  public let notes: [ImageFileNote]

  /// The most bytes that a decoder of it holds while it gives rows. Not a whole number, which a header's numbers could exceed.
  var readingBytes: Double
  /// How far lossy compression may have moved a sample, with the largest code as 1.
  var compressionError: Double
  /// The CMYK or n-color channels that the file holds; nil where it holds none. When it is read they are converted to colors.
  public let inks: ImageFileInks?

  /// Whether the file holds CMYK or n-color channels, which are converted to colors when it is read.
  public var holdsInks: Bool { inks != nil }

  /// The size of the upright picture.
  public var size: PixelSize { orientation.uprightSize(of: storedSize) }

  init(
    format: ImageFileFormat, storedSize: PixelSize, channels: Channels, samples: SampleFormat,
    alpha: Alpha = .straight, storage: String, color: StatedColor, profile: ICCProfile? = nil,
    orientation: Orientation = .upright, metadata: ImageMetadata = ImageMetadata(),
    pages: ImagePages = ImagePages(), notes: [ImageFileNote] = [], readingBytes: Double = 0,
    compressionError: Double = 0, inks: ImageFileInks? = nil
  ) {
    (self.format, self.storedSize, self.channels) = (format, storedSize, channels)
    (self.samples, self.alpha, self.storage) = (samples, alpha, storage)
    (self.color, self.profile) = (color, profile)
    (self.orientation, self.metadata, self.pages) = (orientation, metadata, pages)
    let parts = metadata.xmp.map { XMP($0).unreadParts } ?? []
    let others: [ImageFileNote] = pages.count > 1 ? [.otherPages(pages)] : []
    self.notes = notes + others + parts.map { .unread($0) }
    (self.readingBytes, self.compressionError) = (readingBytes, compressionError)
    self.inks = inks
  }

  /// What the numbers mean. A file that does not say, or says it in a way that cannot be used, means `assumption`.
  func space(assuming assumption: ColorSpace?, file: String) throws(ImageFileError) -> ColorSpace {
    if case .space(let space, _) = color { return space }
    if let assumption { return assumption }
    if case .unusable(let error) = color { throw error }
    throw .untagged(file: file)
  }
}

/// The CMYK or n-color channels of a file.
public struct ImageFileInks: Hashable, Sendable {
  /// The names of the channels, in their order: those that the file or its profile lists, or “ink 1”, “ink 2” …
  public let names: [String]
  /// How a value is stored.
  public let format: SampleFormat

  /// How many channels there are.
  public var count: Int { names.count }

  /// The channels as bitmaps name them.
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
  /// The kind and the names, such as “cmyk” or “5 inks (cyan, magenta, yellow, black, orange)”.
  public var description: String {
    names == ICCProfile.inkNames(4)
      ? "cmyk" : "\(count) inks (\(names.joined(separator: ", ")))"
  }
}

/// What a file says its numbers mean.
@nonexhaustive
public enum StatedColor: Sendable {
  /// A color space, and which part of the file names it.
  case space(ColorSpace, by: ColorStatement)
  /// Something that cannot be used, for the reason given.
  case unusable(ImageFileError)
  /// Nothing.
  case unstated
}

/// By which of its parts a file says what its numbers mean.
@nonexhaustive
public enum ColorStatement: Hashable, Sendable {
  /// Code points of Rec. ITU-T H.273.
  case codePoints
  /// An ICC profile.
  case profile
  /// A mark that says sRGB and nothing else.
  case sRGBMark
  /// The chromaticities of lights and white, and a curve.
  case chromaticities
  /// A camera's EXIF data.
  case exif
  /// The format's own rule for files that say nothing else.
  case formatRule
}

extension ColorStatement: CustomStringConvertible {
  /// A few words, such as “by its ICC profile”.
  public var description: String {
    switch self {
    case .codePoints: "by its code points (H.273)"
    case .profile: "by its ICC profile"
    case .sRGBMark: "by its mark “sRGB”"
    case .chromaticities: "by its chromaticities"
    case .exif: "by its EXIF data"
    case .formatRule: "by the rule of its format"
    }
  }
}
