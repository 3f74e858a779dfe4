/// How bright something is, in candelas per square meter.
public struct Luminance: Hashable, Sendable {
  /// The number of candelas per square meter.
  public var candelas: Double

  /// So many candelas per square meter.
  public init(candelas: Double) { self.candelas = candelas }

  /// White paper and white letters in pictures of high dynamic range: 203 cd/m² (Report ITU-R BT.2408).
  public static let graphicsWhite: Luminance = 203

  /// White in a studio's pictures of standard dynamic range: 100 cd/m² (Rec. ITU-R BT.2035).
  public static let studioWhite: Luminance = 100

  /// The most that the perceptual quantizer can state: 10,000 cd/m² (SMPTE ST 2084).
  public static let quantizerPeak: Luminance = 10_000
}

extension Luminance: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// So many candelas per square meter.
  public init(integerLiteral candelas: Int) { self.init(candelas: Double(candelas)) }

  /// So many candelas per square meter.
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
