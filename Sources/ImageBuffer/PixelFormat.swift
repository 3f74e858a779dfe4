internal import CPixelKernels

/// How one sample is stored.
@nonexhaustive
public enum SampleFormat: Hashable, Sendable {
  /// Whole numbers; 255 stands for 1.
  case uint8
  /// Whole numbers; 65,535 stands for 1.
  case uint16
  /// IEEE 754 half precision.
  case float16
  /// IEEE 754 single precision.
  case float32

  /// How many bytes a sample takes.
  public var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .float32: 4
    }
  }

  /// The number by which the kernels know this format.
  package var kernelFormat: Int32 {
    switch self {
    case .uint8: Int32(CPK_U8)
    case .uint16: Int32(CPK_U16)
    case .float16: Int32(CPK_F16)
    case .float32: Int32(CPK_F32)
    }
  }
}

/// A type that pixels can be made of.
public protocol PixelSample: BitwiseCopyable, Equatable, Sendable {
  /// How it is stored.
  static var format: SampleFormat { get }
}

extension UInt8: PixelSample {
  /// How it is stored.
  public static var format: SampleFormat { .uint8 }
}
extension UInt16: PixelSample {
  /// How it is stored.
  public static var format: SampleFormat { .uint16 }
}
extension Float: PixelSample {
  /// How it is stored.
  public static var format: SampleFormat { .float32 }
}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: PixelSample {
    /// How it is stored.
    public static var format: SampleFormat { .float16 }
  }
#endif

/// How color and coverage are stored together.
public enum Alpha: Hashable, Sendable {
  /// The color stands by itself; coverage only says how much of it there is.
  case straight
  /// The color is multiplied by its coverage.
  case premultiplied
}

/// Where the samples of a pixel lie.
public enum Arrangement: Hashable, Sendable {
  /// Side by side: R G B A R G B A …
  case interleaved
  /// In planes of their own: R R R … G G G …
  case planar
}
