/// A luminance in candelas per square meter (nits).
public struct Luminance: Hashable, Sendable {
  /// The luminance in cd/m².
  public var candelas: Double

  /// Creates a luminance in cd/m².
  public init(candelas: Double) { self.candelas = candelas }

  /// Reference white of high dynamic range: 203 cd/m² (Report ITU-R BT.2408).
  public static let graphicsWhite: Luminance = 203

  /// Reference white of standard dynamic range in a studio: 100 cd/m² (Rec. ITU-R BT.2035).
  public static let studioWhite: Luminance = 100

  /// The peak luminance of the perceptual quantizer: 10,000 cd/m² (SMPTE ST 2084).
  public static let quantizerPeak: Luminance = 10_000
}

extension Luminance: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a luminance in cd/m².
  public init(integerLiteral candelas: Int) { self.init(candelas: Double(candelas)) }

  /// Creates a luminance in cd/m².
  public init(floatLiteral candelas: Double) { self.init(candelas: candelas) }
}

extension Luminance: Comparable {
  /// Whether the first is darker.
  public static func < (a: Luminance, b: Luminance) -> Bool { a.candelas < b.candelas }
}

extension Luminance: CustomStringConvertible {
  /// The number and its unit.
  public var description: String {
    candelas == candelas.rounded() && abs(candelas) < 1e15
      ? "\(Int(candelas)) cd/m²" : "\(candelas) cd/m²"
  }
}
