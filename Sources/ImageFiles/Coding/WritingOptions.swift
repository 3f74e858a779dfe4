public import ICCProfiles
public import ImageBuffer

/// Options for writing a file. Formats ignore the options that do not apply to them.
public struct WritingOptions: Sendable {
  /// Whether the file is written without a color space. Formats that cannot state one require this.
  public var isUntagged = false
  /// Whether a picture is written as gray, with its alpha, where the format holds gray. Its red, green and blue must then be equal:
  /// apply `monochrome()` where they may differ. Other formats get three equal channels. ``ImageFile`` writes a bitmap's own channels
  /// instead.
  public var isGray = false
  /// The ICC profile to embed, byte for byte; nil for a profile of the picture's space or of its ink channels.
  ///
  /// Values are not converted: a picture that is written with the profile of another space shows other colors. The profile is then the only
  /// statement of the color space in the file.
  public var profile: ICCProfile?
  /// The metadata of the file.
  ///
  /// Statements of orientation, size, color space and resolution are corrected for the file, and thumbnails are removed.
  /// ``WritingReport/notes`` lists what the format cannot hold and is left out: kinds of metadata, and of a JPEG file EXIF, XMP and
  /// comments that are larger than a segment. XMP shares its segment with the announcement of a gain map.
  public var metadata = ImageMetadata()
  /// The orientation of the stored pixels.
  ///
  /// Pass ``ImageFileInfo/orientation`` for pixels that were read with `isUpright: false`, so that readers still rotate them. An
  /// orientation in ``metadata`` is ignored.
  public var orientation = Orientation.upright
  /// The quality of lossy compression (JPEG, WebP, JPEG XL, HEIF, AVIF), 1…100. Values outside are clamped.
  public var quality = 90
  /// The most bytes of the file; nil for no limit. In a lossy file (JPEG, WebP, JPEG XL, HEIF, AVIF), the quality is lowered to meet it.
  ///
  /// A lossy file has ``quality`` if it fits, and otherwise the highest one from ``minimumQuality`` that a bisection finds. The picture is
  /// rendered once, kept in memory as the samples of the file, and encoded up to eight times; a note states a lower quality. Where it does
  /// not fit even at the lowest one, no file is written, and ``ImageFileError/cannotWrite(file:reason:)`` states both sizes.
  ///
  /// Other files have no quality to lower: one that does not fit is not written either, with the same error. Profile, metadata and gain map
  /// count; only the quality of the picture is lowered.
  public var maximumBytes: Int?
  /// The lowest quality that ``maximumBytes`` may lead to, 1…100. Values outside, or above ``quality``, are clamped.
  public var minimumQuality = 30
  /// Whether compression is lossless where a format has a choice (WebP, JPEG XL, HEIF, AVIF). ``quality`` is then ignored. HEIF and AVIF
  /// hold at most 12 bits, whatever the samples.
  public var isLossless = false
  /// The chroma subsampling of a JPEG, HEIF or AVIF file; nil for 4:4:4 from quality 90 up, and 4:2:0 below.
  public var chroma: ChromaSampling?
  /// Whether a JPEG is progressive: a coarse picture first, details later. All coefficients are then kept in memory.
  public var isProgressive = false
  /// The compression of a TIFF file. OpenEXR uses ZIP, or none.
  public var compression = LosslessCompression.deflate
  /// The effort of compression, from 0 for the fastest to 9 for the smallest file; nil for the default of the format. Values outside are
  /// clamped.
  ///
  /// Other programs call it compression level, method, speed or preset. It never changes the pixels of lossless files. Lossy files look
  /// alike, but their pixels and sizes differ, and a greater effort need not make them smaller.
  ///
  /// - PNG: the level of zlib, by default 6. Rows are filtered by Sub or Up at 1 and 2, and by all five filters from 3 on.
  /// - TIFF with ``LosslessCompression/deflate``, and OpenEXR with ZIP: the level of deflate, 1 for an effort of 0. The default is 6 for
  ///   TIFF, and that of the OpenEXR library.
  /// - WebP: the method 0…6 of a lossy file (`cwebp -m`), by default 4, which an effort of 6 is; the preset 0…9 of a lossless one
  ///   (`cwebp -z`), by default 6.
  /// - JPEG XL: the effort 1…9 (`cjxl -e`), 1 for an effort of 0. The default is 7; 8 and 9 take several times the memory.
  /// - AVIF: the speed 9…0 of libaom, by default 6, which an effort of 3 is.
  /// - HEIF: the preset of x265, from “ultrafast” to “placebo”. The default is “slow”, which an effort of 6 is.
  ///
  /// JPEG, uncompressed and LZW files have no such setting and ignore it.
  public var effort: Int?

  /// The most colors of a PNG file with a palette, 2…256; nil for a file without one. Values outside are clamped.
  ///
  /// Other programs call such files PNG8, or pictures of indexed colors. A picture of no more colors, of which all transparent pixels are
  /// one, is written without loss. Others get the colors of clusters in Oklab, and all pixels the nearest one. Samples have 8 bits.
  /// Colors and alpha are stored together, gray as equal red, green and blue, and indices take 1, 2, 4 or 8 bits.
  ///
  /// The palette is known after the last row: until then, pixels beyond 4 MiB are in a temporary file without a name, where `TMPDIR` says.
  public var paletteColors: Int?
  /// Whether the palette's errors are diffused to neighboring pixels (Floyd and Steinberg), so that gradients do not become bands. Files
  /// without ``paletteColors`` ignore it; they are dithered as the call that writes them says.
  public var isPaletteDithered = true

  /// The gain map that a JPEG, HEIF or AVIF file holds beside the picture, which is its base; nil for none. ISO 21496-1 describes it, in
  /// JPEG files the metadata of Ultra HDR as well.
  ///
  /// The map is rendered and encoded before the picture, and kept in memory until the picture is written.
  public var gainMap: PictureGainMap?
  /// What the values of the file mean, for the file of a gain map.
  var mapDescription: GainMapDescription?
  /// Where to record which quality ``maximumBytes`` leads to.
  package var qualitySearch: QualitySearch?

  /// The layers that an OpenEXR file holds beside the picture, which has no name; none by default. Other formats, and bitmaps, are refused
  /// with layers.
  ///
  /// They are rendered in the same pass as the picture, and stored in the same part of the file, as rows.
  public var layers: [PictureLayer] = []

  /// The most bytes of memory that writing may take besides the picture; nil for no limit.
  ///
  /// It counts the encoder, and the bytes that ``ImageFile/encode(_:as:options:progress:)`` returns. Rendering into files counts encoders
  /// toward `RenderOptions.memoryLimit` instead.
  public var memoryLimit: Int?

  /// Creates options. Each parameter has the default of its property.
  public init(
    quality: Int = 90, chroma: ChromaSampling? = nil, isLossless: Bool = false,
    isProgressive: Bool = false, compression: LosslessCompression = .deflate,
    metadata: ImageMetadata = ImageMetadata(), orientation: Orientation = .upright,
    isUntagged: Bool = false, isGray: Bool = false, memoryLimit: Int? = nil, effort: Int? = nil,
    paletteColors: Int? = nil, maximumBytes: Int? = nil
  ) {
    (self.quality, self.chroma, self.isLossless) = (quality, chroma, isLossless)
    (self.isProgressive, self.compression) = (isProgressive, compression)
    (self.metadata, self.orientation, self.isUntagged) = (metadata, orientation, isUntagged)
    (self.isGray, self.memoryLimit, self.effort) = (isGray, memoryLimit, effort)
    (self.paletteColors, self.maximumBytes) = (paletteColors, maximumBytes)
  }
}

extension WritingOptions {
  /// The chroma subsampling in effect: ``chroma``, or the default of the quality.
  var chromaInUse: ChromaSampling { chroma ?? (quality >= 90 ? .full : .quarter) }
}

/// Chroma subsampling.
@nonexhaustive
public enum ChromaSampling: Hashable, Sendable, CaseIterable {
  /// 4:4:4: each pixel has its own chroma.
  case full
  /// 4:2:2: two pixels side by side share chroma.
  case half
  /// 4:2:0: four pixels share chroma.
  case quarter
}

/// A lossless compression method.
@nonexhaustive
public enum LosslessCompression: Hashable, Sendable, CaseIterable {
  /// No compression: large, and fast to read.
  case none
  /// Deflate, with horizontal prediction.
  case deflate
  /// LZW, with horizontal prediction: for old readers.
  case lzw
}
