/// What a conversion between devices keeps of a picture (ICC.1:2022, annex D).
public enum RenderingIntent: Int, CaseIterable, Hashable, Sendable {
  /// The impression: the whole range of one device is fitted into that of the other.
  case perceptual
  /// The colors, as far as the target has them, with its white for white.
  case relativeColorimetric
  /// Vividness, for charts and maps.
  case saturation
  /// The colors with the tint of the paper, for proofs.
  case absoluteColorimetric

  /// The last character of the tags that hold tables for it; measured colors are stored once, under the relative intent.
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
