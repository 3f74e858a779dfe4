public import ColorSpaces

/// The metadata of a file: everything except pixels and their color space.
///
/// Pictures do not carry it. To keep it, pass it on: from ``ImageFileInfo/metadata`` to ``WritingOptions/metadata``. Each format holds
/// the kinds that ``ImageFileFormat/metadataKinds`` lists; ``omissions(in:)`` names what a format leaves out.
///
/// Writing corrects the orientation, size, color space and resolution that EXIF and XMP state. It removes thumbnails, previews, and
/// properties that no longer hold, such as those of gain maps; the guide “Pictures and plans” lists them. All other bytes are unchanged.
public struct ImageMetadata: Hashable, Sendable {
  /// EXIF data: a TIFF structure, from its byte-order mark on.
  public var exif: [UInt8]?
  /// XMP: a packet of XML.
  public var xmp: [UInt8]?
  /// IPTC-IIM: datasets, each beginning with 0x1C.
  public var iptc: [UInt8]?
  /// Photoshop image resource blocks, each beginning with “8BIM”, other than those of IPTC, EXIF, XMP, profiles and thumbnails.
  public var photoshop: [UInt8]?
  /// Keywords with texts, as PNG files hold them. The comment of a JPEG file has the keyword “Comment”.
  public var text: [Text] = []
  /// How many pixels of the upright picture are shown or printed on a length.
  public var resolution: Resolution?
  /// The content light level, in candelas per square meter.
  public var contentLight: ContentLight?

  /// The data and display windows; nil where both are the picture. OpenEXR files state them.
  public var framing: Framing?
  /// The luminance of red = green = blue = 1, in candelas per square meter. OpenEXR files state it.
  public var whiteLuminance: Double?
  /// The display on which the content was finished.
  public var masteringDisplay: MasteringDisplay?

  /// The content light level: MaxCLL and MaxFALL (ANSI/CTA-861-H, annex P).
  public struct ContentLight: Hashable, Sendable {
    /// The largest light level of any pixel.
    public var maximum: Double
    /// The largest mean light level of any frame.
    public var frameAverage: Double

    /// Both light levels.
    public init(maximum: Double, frameAverage: Double) {
      (self.maximum, self.frameAverage) = (maximum, frameAverage)
    }
  }

  /// The color volume of a mastering display (SMPTE ST 2086).
  public struct MasteringDisplay: Hashable, Sendable {
    /// The primaries and the white point.
    public var primaries: Primaries
    /// The minimum and maximum luminance, in candelas per square meter.
    public var luminance: ClosedRange<Double>

    /// Creates a display from its primaries and its luminance range.
    public init(primaries: Primaries, luminance: ClosedRange<Double>) {
      (self.primaries, self.luminance) = (primaries, luminance)
    }
  }

  /// A text with its keyword, such as “Title” or “Author” (PNG, third edition, 11.3.3).
  public struct Text: Hashable, Sendable {
    /// The keyword: 1 to 79 Latin-1 characters.
    public var keyword: String
    /// The text, in any language and script.
    public var value: String
    /// The language of the text (RFC 5646), if stated.
    public var language: String?
    /// The keyword in that language, if stated.
    public var translatedKeyword: String?

    /// Creates a text.
    public init(
      keyword: String, value: String, language: String? = nil, translatedKeyword: String? = nil
    ) {
      (self.keyword, self.value) = (keyword, value)
      (self.language, self.translatedKeyword) = (language, translatedKeyword)
    }
  }

  /// Pixels per unit of length, or the shape of a pixel where the unit is ``Unit/none``.
  public struct Resolution: Hashable, Sendable {
    /// The length that pixels are counted on.
    @nonexhaustive
    public enum Unit: Hashable, Sendable {
      /// No length: only the ratio of the two numbers has a meaning.
      case none
      /// An inch, 25.4 mm.
      case inch
      /// A centimeter.
      case centimetre
    }

    /// Pixels in a row, and in a column, of one unit of length of the upright picture.
    public var horizontal, vertical: Double
    /// The unit of length; without one, the two numbers are an aspect ratio.
    public var unit: Unit

    /// Creates a resolution. Both numbers are positive.
    public init(horizontal: Double, vertical: Double, unit: Unit) {
      (self.horizontal, self.vertical, self.unit) = (horizontal, vertical, unit)
    }
  }

  /// Creates metadata that holds nothing.
  public init() {}
}
