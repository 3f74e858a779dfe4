public import ICCProfiles
public import ImageBuffer

/// How to write a file, where its format leaves a choice. Formats without the choice do not look at it.
public struct WritingOptions: Sendable {
  /// Whether the file leaves out what its numbers mean. Formats that cannot say it are only written so.
  public var isUntagged = false
  /// The ICC profile that the file holds, byte for byte; nil for the one that describes its space, or that of its ink channels. Values
  /// are not converted: a picture that is written with the profile of another space shows other colors.
  public var profile: ICCProfile?
  /// The metadata of the file. What it states of orientation, size, color space and resolution is corrected for the file, thumbnails are
  /// removed, and ``WritingReport/notes`` name the kinds that the format has no place for. More EXIF or XMP than a JPEG can hold is
  /// an error.
  public var metadata = ImageMetadata()
  /// How the pixels lie in the file. Pass ``ImageFileInfo/orientation`` for pixels that were read with `isUpright: false`, so that readers
  /// still turn them; whatever ``metadata`` says of it does not count.
  public var orientation = Orientation.upright
  /// How much detail is kept where a format has loss (JPEG, WebP, JPEG XL, HEIF, AVIF), 1…100. Values beyond are taken as the nearest.
  public var quality = 90
  /// Whether nothing is lost where a format has a choice (WebP, JPEG XL, HEIF, AVIF). ``quality`` does not count then. HEIF and AVIF have
  /// no more than 12 bits, whatever the samples.
  public var isLossless = false
  /// How many pixels of a JPEG, HEIF or AVIF share their chroma; nil for each its own from quality 90 up, and four below.
  public var chroma: ChromaSampling?
  /// Whether a JPEG's coarse picture comes first in the file, and its details later. Takes memory for all of it.
  public var isProgressive = false
  /// How a TIFF's pixels are packed. OpenEXR packs as ZIP does, or not at all.
  public var compression = LosslessCompression.deflate

  /// The most bytes of memory that writing may take besides the picture: what the encoder holds, and the bytes that
  /// ``ImageFile/encode(_:as:options:progress:)`` returns; no limit when nil. Rendering into files counts encoders by
  /// `RenderOptions.memoryLimit`.
  public var memoryLimit: Int?

  /// Options for writing; what is not named is as usual.
  public init(
    quality: Int = 90, chroma: ChromaSampling? = nil, isLossless: Bool = false,
    isProgressive: Bool = false, compression: LosslessCompression = .deflate,
    metadata: ImageMetadata = ImageMetadata(), orientation: Orientation = .upright,
    isUntagged: Bool = false, memoryLimit: Int? = nil
  ) {
    (self.quality, self.chroma, self.isLossless) = (quality, chroma, isLossless)
    (self.isProgressive, self.compression) = (isProgressive, compression)
    (self.metadata, self.orientation, self.isUntagged) = (metadata, orientation, isUntagged)
    self.memoryLimit = memoryLimit
  }
}

extension WritingOptions {
  /// What ``chroma`` leaves open depends on the quality that is asked for.
  var chromaInUse: ChromaSampling { chroma ?? (quality >= 90 ? .full : .quarter) }
}

/// How many pixels share their chroma.
@nonexhaustive
public enum ChromaSampling: Hashable, Sendable, CaseIterable {
  /// Each pixel has its own: 4:4:4.
  case full
  /// Two side by side share it: 4:2:2.
  case half
  /// Four share it: 4:2:0.
  case quarter
}

/// A way to pack pixels without loss.
@nonexhaustive
public enum LosslessCompression: Hashable, Sendable, CaseIterable {
  /// None: large, and quick to read.
  case none
  /// Deflate, after the differences of neighbours.
  case deflate
  /// LZW, after the differences of neighbours: for readers that know nothing newer.
  case lzw
}
