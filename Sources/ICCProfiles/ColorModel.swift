internal import ColorSpaces

/// The color model of one side of a profile.
enum ColorModel: Hashable, Sendable {
  /// CIELAB relative to the PCS white (D50), L* of 0…100.
  case lab
  /// XYZ relative to the PCS white (D50), whose Y is 1.
  case xyz
  /// Device values of the profile's own channels, 0…1.
  case device(Signature)

  /// Creates the model of a header's signature; nil for one that profiles cannot have (ICC.1:2022, 7.2.8).
  init?(_ signature: Signature) {
    switch signature {
    case "Lab ": self = .lab
    case "XYZ ": self = .xyz
    default:
      let signature = Self.aliases[signature] ?? signature
      guard Self.channelCounts[signature] != nil else { return nil }
      self = .device(signature)
    }
  }

  private static let channelCounts: [Signature: Int] = {
    var counts: [Signature: Int] = [
      "GRAY": 1, "RGB ": 3, "CMY ": 3, "HSV ": 3, "HLS ": 3, "Luv ": 3, "YCbr": 3, "Yxy ": 3,
      "CMYK": 4,
    ]
    for (index, digit) in "123456789ABCDEF".enumerated() where digit != "4" {
      counts[Signature(stringLiteral: "\(digit)CLR")] = index + 1
    }
    return counts
  }()

  /// Older profiles have other signatures for n-color models; the one of four channels means CMYK, as in Little CMS.
  private static let aliases: [Signature: Signature] = {
    var aliases: [Signature: Signature] = ["4CLR": "CMYK", "MCH4": "CMYK"]
    for digit in "12356789ABCDEF" {
      aliases[Signature(stringLiteral: "MCH\(digit)")] = Signature(stringLiteral: "\(digit)CLR")
    }
    return aliases
  }()

  var channelCount: Int {
    switch self {
    case .lab, .xyz: 3
    case .device(let signature): Self.channelCounts[signature] ?? 3
    }
  }

  /// Whether this is a profile connection space.
  var isConnection: Bool { self == .lab || self == .xyz }

  /// Whether the channels are subtractive: larger values are darker.
  var isInks: Bool {
    guard case .device(let signature) = self else { return false }
    return !(["GRAY", "RGB ", "HSV ", "HLS ", "Luv ", "YCbr", "Yxy "] as [Signature])
      .contains(signature)
  }

  /// The darkest color, for models with known channels; for CMYK, 400 % of ink, whatever the paper can take.
  var darkest: [Double]? {
    switch self {
    case .lab: [0, 0, 0]
    case .device("GRAY"): [0]
    case .device("RGB "): [0, 0, 0]
    case .device("CMY "): [1, 1, 1]
    case .device("CMYK"): [1, 1, 1, 1]
    default: nil
    }
  }
}

extension ColorModel: CustomStringConvertible {
  var description: String {
    switch self {
    case .lab: "Lab"
    case .xyz: "XYZ"
    case .device(let signature): signature.description.filter { $0 != " " }
    }
  }
}

/// The encoding of a model's values as fractions 0…1 (ICC.1:2022, 6.3.4).
enum TableEncoding {
  case current
  /// The encoding of `lut16Type`, where L* of 100 is 65,280 (ICC.1:2022, 10.10).
  case legacy

  /// From fractions to the model's values.
  func decoding(_ model: ColorModel) -> ChannelMatrix {
    switch model {
    case .lab:
      let scale = self == .legacy ? 65_535.0 / 65_280 : 1
      return ChannelMatrix(
        scale: [100 * scale, 255 * scale, 255 * scale], offset: [0, -128, -128])
    case .xyz:
      // u1Fixed15Number: the largest value is almost 2.
      return ChannelMatrix(
        scale: [Double](repeating: 65_535.0 / 32_768, count: 3), offset: [0, 0, 0])
    case .device:
      return ChannelMatrix(
        scale: [Double](repeating: 1, count: model.channelCount),
        offset: [Double](repeating: 0, count: model.channelCount))
    }
  }

  /// From the model's values to fractions.
  func encoding(_ model: ColorModel) -> ChannelMatrix {
    let decoding = decoding(model)
    let scale = decoding.rows.indices.map { 1 / decoding.rows[$0][$0] }
    return ChannelMatrix(scale: scale, offset: zip(scale, decoding.offset).map { -$0 * $1 })
  }
}
