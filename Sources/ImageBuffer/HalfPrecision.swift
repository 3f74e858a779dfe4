#if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
  internal import CPixelKernels

  /// A number in IEEE 754 half precision, on Intel Macs only, where that of the standard library is unavailable.
  ///
  /// It stores samples and converts them; it has no arithmetic.
  public struct Float16: BitwiseCopyable, Sendable {
    /// The encoding of the number.
    public let bitPattern: UInt16

    /// Creates a number from its encoding.
    public init(bitPattern: UInt16) { self.bitPattern = bitPattern }

    /// Creates the nearest number to a value; of two that are equally near, the even one.
    public init(_ value: Float) { bitPattern = cpk_half_from_float(value) }
  }

  extension Float16: Equatable {
    /// Whether two numbers are equal; a NaN is equal to none.
    public static func == (first: Float16, second: Float16) -> Bool {
      Float(first) == Float(second)
    }
  }

  extension Float {
    /// Creates a number from one in half precision, exactly.
    public init(_ half: Float16) { self = cpk_float_from_half(half.bitPattern) }
  }
#endif

extension Float16: PixelSample {
  /// Half precision.
  public static var format: SampleFormat { .float16 }
}
