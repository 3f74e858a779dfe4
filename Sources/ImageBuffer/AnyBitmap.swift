public import ColorSpaces

/// A bitmap whose sample type is known at run time only, such as one read from a file.
@nonexhaustive
public enum AnyBitmap: Sendable {
  /// Samples of 8 bits.
  case uint8(Bitmap<UInt8>)
  /// Samples of 16 bits.
  case uint16(Bitmap<UInt16>)
  /// Samples in half precision.
  case float16(Bitmap<Float16>)
  /// Samples in single precision.
  case float32(Bitmap<Float>)

  /// The width and height in pixels.
  public var size: PixelSize { surface.size }
  /// The channels of a pixel.
  public var channels: Channels { surface.channels }
  /// The sample format, such as `uint16`.
  public var format: SampleFormat { surface.format }

  /// The color space of the samples.
  public var space: ColorSpace {
    switch self {
    case .uint8(let bitmap): bitmap.space
    case .uint16(let bitmap): bitmap.space
    case .float16(let bitmap): bitmap.space
    case .float32(let bitmap): bitmap.space
    }
  }

  /// Whether colors are premultiplied by alpha.
  public var alpha: Alpha {
    switch self {
    case .uint8(let bitmap): bitmap.alpha
    case .uint16(let bitmap): bitmap.alpha
    case .float16(let bitmap): bitmap.alpha
    case .float32(let bitmap): bitmap.alpha
    }
  }

  /// The layout of the samples in memory, for the evaluator.
  package var surface: BitmapSurface {
    switch self {
    case .uint8(let bitmap): bitmap.surface
    case .uint16(let bitmap): bitmap.surface
    case .float16(let bitmap): bitmap.surface
    case .float32(let bitmap): bitmap.surface
    }
  }

  /// Creates a bitmap that erases the sample type.
  public init<Sample: PixelSample>(_ bitmap: Bitmap<Sample>) {
    if let bitmap = bitmap as? Bitmap<UInt8> {
      self = .uint8(bitmap)
    } else if let bitmap = bitmap as? Bitmap<UInt16> {
      self = .uint16(bitmap)
    } else if let bitmap = bitmap as? Bitmap<Float16> {
      self = .float16(bitmap)
    } else if let bitmap = bitmap as? Bitmap<Float> {
      self = .float32(bitmap)
    } else {
      preconditionFailure("Pixels are made of UInt8, UInt16, Float16 or Float, not \(Sample.self).")
    }
  }
}
