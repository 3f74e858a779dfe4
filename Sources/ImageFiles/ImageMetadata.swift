public import ColorSpaces

/// What a file holds beside pixels and their meaning.
///
/// Pictures do not carry it. To keep it, pass it on: from ``ImageFileInfo/metadata`` to ``WritingOptions/metadata``.
public struct ImageMetadata: Hashable, Sendable {
  /// EXIF data: a TIFF structure, from its byte-order mark on.
  public var exif: [UInt8]?
  /// XMP: a packet of XML.
  public var xmp: [UInt8]?
  /// How bright the content is, in candelas per square metre.
  public var contentLight: ContentLight?

  /// The display on which the content was finished.
  public var masteringDisplay: MasteringDisplay?

  /// The brightest pixel and the brightest frame (ANSI/CTA-861-H, annex P).
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

  /// What a display can show (SMPTE ST 2086).
  public struct MasteringDisplay: Hashable, Sendable {
    /// Its lights and its white.
    public var primaries: Primaries
    /// Its darkest and its brightest light, in candelas per square metre.
    public var luminance: ClosedRange<Double>

    /// A display from its lights and what they can do.
    public init(primaries: Primaries, luminance: ClosedRange<Double>) {
      (self.primaries, self.luminance) = (primaries, luminance)
    }
  }

  /// Nothing.
  public init() {}
}
