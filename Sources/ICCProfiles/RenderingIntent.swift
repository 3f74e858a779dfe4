/// The rendering intent of a conversion between devices (ICC.1:2022, annex D).
public enum RenderingIntent: Int, CaseIterable, Hashable, Sendable {
  /// Perceptual: maps the gamut and tonal range of one device into that of the other.
  case perceptual
  /// Media-relative colorimetric: preserves in-gamut colors relative to the media white.
  case relativeColorimetric
  /// Saturation: preserves vividness, for charts and maps.
  case saturation
  /// ICC-absolute colorimetric: preserves colors including the tint of the paper, for proofs.
  case absoluteColorimetric

  /// The last character of the LUT tags for it; both colorimetric intents share the tables of the relative one.
  var tableNumber: Int {
    self == .absoluteColorimetric ? RenderingIntent.relativeColorimetric.rawValue : rawValue
  }
}

extension RenderingIntent: CustomStringConvertible {
  /// “perceptual”, “relative colorimetric”, “saturation” or “absolute colorimetric”.
  public var description: String {
    switch self {
    case .perceptual: "perceptual"
    case .relativeColorimetric: "relative colorimetric"
    case .saturation: "saturation"
    case .absoluteColorimetric: "absolute colorimetric"
    }
  }
}
