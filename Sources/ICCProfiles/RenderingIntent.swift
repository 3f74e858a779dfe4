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

  /// The name in recipes and in coded values: “perceptual”, “relative”, “saturation” or “absolute”.
  package var name: String {
    switch self {
    case .perceptual: "perceptual"
    case .relativeColorimetric: "relative"
    case .saturation: "saturation"
    case .absoluteColorimetric: "absolute"
    }
  }

  /// The last character of the LUT tags for it; both colorimetric intents share the tables of the relative one.
  var tableNumber: Int {
    self == .absoluteColorimetric ? RenderingIntent.relativeColorimetric.rawValue : rawValue
  }
}

extension RenderingIntent: CustomStringConvertible {
  /// “perceptual”, “relative colorimetric”, “saturation” or “absolute colorimetric”.
  public var description: String {
    switch self {
    case .perceptual, .saturation: name
    case .relativeColorimetric, .absoluteColorimetric: "\(name) colorimetric"
    }
  }
}

extension RenderingIntent: Codable {
  /// Decodes the name of an intent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let intent = Self.allCases.first(where: { $0.name == name }) else {
      let names = Self.allCases.map { "“\($0.name)”" }.joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "There is no rendering intent “\(name)”; there are \(names).")
    }
    self = intent
  }

  /// Encodes the name: “perceptual”, “relative”, “saturation” or “absolute”.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
