/// The encoding of values and alpha that a filter computes in.
///
/// Every filter declares its domain, and the graph inserts the conversions. Transfer functions are applied to straight
/// alpha only.
public struct PixelDomain: Hashable, Sendable {
  enum Light: Hashable, Sendable { case any, linear, encoded, perceptual }
  enum Coverage: Hashable, Sendable { case any, straight, premultiplied }

  var light: Light
  var coverage: Coverage

  /// Whether the values are encoded in the picture's space.
  package var isEncoded: Bool { light == .encoded }

  /// Any values: for filters that move pixels without mixing them.
  public static let any = PixelDomain(light: .any, coverage: .any)
  /// Linear light, straight alpha: exposure, white balance, simulations of lenses and illumination.
  public static let linear = PixelDomain(light: .linear, coverage: .straight)
  /// Linear light, premultiplied: everything that mixes neighboring pixels.
  public static let linearPremultiplied = PixelDomain(light: .linear, coverage: .premultiplied)
  /// Encoded values of the picture's color space, straight alpha.
  public static let encoded = PixelDomain(light: .encoded, coverage: .straight)
  /// Encoded values, premultiplied: layers as design programs mix them.
  public static let encodedPremultiplied = PixelDomain(light: .encoded, coverage: .premultiplied)
  /// The square root of linear light, approximately perceptually uniform: tone curves.
  public static let perceptual = PixelDomain(light: .perceptual, coverage: .straight)
}

extension PixelDomain: CustomStringConvertible {
  /// The values in words, such as “linear light, premultiplied”.
  public var description: String {
    let light =
      switch light {
      case .any: "the picture's own encoding"
      case .linear: "linear light"
      case .encoded: "encoded values"
      case .perceptual: "the square root of linear light"
      }
    return coverage == .premultiplied ? "\(light), premultiplied" : light
  }
}
