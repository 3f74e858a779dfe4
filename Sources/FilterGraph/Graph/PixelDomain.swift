/// The light a filter works in: which numbers it wants to see.
///
/// Every filter states its domain, and the graph inserts the conversions. Transfer functions only ever see straight alpha.
public struct PixelDomain: Hashable, Sendable {
  enum Light: Hashable, Sendable { case any, linear, encoded, perceptual }
  enum Coverage: Hashable, Sendable { case any, straight, premultiplied }

  var light: Light
  var coverage: Coverage

  /// Whether it wants the numbers as the picture's space stores them.
  package var isEncoded: Bool { light == .encoded }

  /// Whatever the picture holds: for filters that move pixels without mixing them.
  public static let any = PixelDomain(light: .any, coverage: .any)
  /// Amounts of light: exposure, white balance, everything that imitates a lens or a lamp.
  public static let linear = PixelDomain(light: .linear, coverage: .straight)
  /// Amounts of light that count by their coverage: everything that mixes neighbouring pixels.
  public static let linearPremultiplied = PixelDomain(light: .linear, coverage: .premultiplied)
  /// The numbers as the picture's color space stores them.
  public static let encoded = PixelDomain(light: .encoded, coverage: .straight)
  /// The numbers as stored, that count by their coverage: where designers mix layers.
  public static let encodedPremultiplied = PixelDomain(light: .encoded, coverage: .premultiplied)
  /// The square root of light, in which equal steps look about alike: where tone curves are drawn.
  public static let perceptual = PixelDomain(light: .perceptual, coverage: .straight)
}

extension PixelDomain: CustomStringConvertible {
  /// The values in words, such as “linear light, premultiplied”.
  public var description: String {
    let light =
      switch light {
      case .any: "whatever the picture holds"
      case .linear: "linear light"
      case .encoded: "encoded values"
      case .perceptual: "the square root of linear light"
      }
    return coverage == .premultiplied ? "\(light), premultiplied" : light
  }
}
