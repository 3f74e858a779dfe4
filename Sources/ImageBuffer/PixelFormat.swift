internal import CPixelKernels

/// The format of one sample.
@nonexhaustive
public enum SampleFormat: String, Hashable, Sendable, Codable {
  /// Unsigned 8-bit integers; 255 is 1.
  case uint8
  /// Unsigned 16-bit integers; 65,535 is 1.
  case uint16
  /// IEEE 754 half precision.
  case float16
  /// IEEE 754 single precision.
  case float32

  /// The bytes of a sample.
  public var byteCount: Int {
    switch self {
    case .uint8: 1
    case .uint16, .float16: 2
    case .float32: 4
    }
  }

  /// The constant of this format in the kernels.
  package var kernelFormat: Int32 {
    switch self {
    case .uint8: Int32(CPK_U8)
    case .uint16: Int32(CPK_U16)
    case .float16: Int32(CPK_F16)
    case .float32: Int32(CPK_F32)
    }
  }
}

/// A type of samples.
public protocol PixelSample: BitwiseCopyable, Equatable, Sendable {
  /// The format of its values.
  static var format: SampleFormat { get }
}

extension UInt8: PixelSample {
  /// 8-bit integers.
  public static var format: SampleFormat { .uint8 }
}
extension UInt16: PixelSample {
  /// 16-bit integers.
  public static var format: SampleFormat { .uint16 }
}
extension Float: PixelSample {
  /// Single precision.
  public static var format: SampleFormat { .float32 }
}

/// The relation of color and alpha.
public enum Alpha: Hashable, Sendable {
  /// Straight: color is independent of alpha.
  case straight
  /// Premultiplied: color is multiplied by alpha.
  case premultiplied
}

/// The order of samples in memory.
public enum Arrangement: Hashable, Sendable {
  /// Interleaved: R G B A R G B A …
  case interleaved
  /// Planar: R R R … G G G …
  case planar
}
