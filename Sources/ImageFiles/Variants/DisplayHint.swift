internal import ColorSpaces
internal import FilterGraph

/// The capabilities of a display, stated in one line: `gamut=p3; hdr=no; dpr=2; width=800`.
///
/// Fields may be missing, and their order and case do not matter; they are separated by semicolons or commas. Other fields are
/// collected in ``ignored``, so that a hint from a newer sender is still usable.
public struct DisplayHint: Hashable, Sendable {
  /// A gamut class of displays and pictures.
  public enum Gamut: String, Codable, Hashable, Sendable, CaseIterable {
    /// That of sRGB.
    case sRGB = "srgb"
    /// That of Display P3.
    case p3
    /// That of Rec. 2020, or a larger one.
    case rec2020
  }

  /// The widest of the gamuts that the display shows.
  public var gamut = Gamut.sRGB
  /// Whether it shows highlights far above reference white.
  public var showsHighDynamicRange = false
  /// The ratio of device pixels to layout pixels.
  public var pixelRatio = 1.0
  /// The width of the picture in the layout; nil where it is unknown.
  public var width: Double?
  /// The fields that are not understood, unchanged.
  public private(set) var ignored: [String] = []
  /// Why each of ``ignored`` is not understood, in sentences.
  package private(set) var problems: [String] = []

  /// Parses a hint. Missing fields keep their defaults: a gamut of sRGB, no high dynamic range.
  public init(_ text: String) {
    for field in text.split(whereSeparator: { $0 == ";" || $0 == "," }) {
      let parts = field.split(separator: "=", maxSplits: 1).map {
        $0.drop(while: \.isWhitespace).split(separator: " ").joined(separator: " ").lowercased()
      }
      if parts.count != 2 || !take(parts[0], parts[1]) {
        let words = field.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if !words.isEmpty { ignore(words, named: parts.first ?? "") }
      }
    }
  }

  /// Collects a field that is not understood, with what would be.
  private mutating func ignore(_ field: String, named name: String) {
    ignored.append(field)
    let properties = Self.properties
    if let (_, values) = properties.first(where: { $0.name == name }) {
      problems.append("“\(field)” is ignored: “\(name)” is \(values).")
    } else {
      let names = properties.map(\.name)
      problems.append(
        "“\(field)” is no known display property. The properties are "
          + "\(names.dropLast().joined(separator: ", ")) and \(names[names.count - 1]).")
    }
  }

  private static let ratios = 0.1...100.0
  private static let widths = 1...1e6

  /// The properties, with their values in words.
  private static var properties: [(name: String, values: String)] {
    let gamuts = Gamut.allCases.map(\.rawValue)
    return [
      ("gamut", "\(gamuts.dropLast().joined(separator: ", ")) or \(gamuts[gamuts.count - 1])"),
      ("hdr", "yes or no"), ("dpr", "a number from 0.1 to 100, in device pixels per layout pixel"),
      ("width", "a number from 1 to 1000000, in layout pixels"),
    ]
  }

  /// Sets a field; returns whether it is understood.
  private mutating func take(_ name: String, _ value: String) -> Bool {
    let flags = ["yes": true, "true": true, "1": true, "no": false, "false": false, "0": false]
    switch name {
    case "gamut":
      guard let known = Gamut(rawValue: value) else { return false }
      gamut = known
    case "hdr":
      guard let known = flags[value] else { return false }
      showsHighDynamicRange = known
    case "dpr":
      guard let number = decimalNumber(value), Self.ratios.contains(number) else { return false }
      pixelRatio = number
    case "width":
      guard let number = decimalNumber(value), Self.widths.contains(number) else { return false }
      width = number
    default: return false
    }
    return true
  }
}

extension DisplayHint.Gamut: Comparable {
  /// Returns whether the first gamut is the narrower one.
  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  /// The position among all classes, from the narrowest.
  var rank: Int {
    switch self {
    case .sRGB: 0
    case .p3: 1
    case .rec2020: 2
    }
  }

  private var space: ColorSpace {
    switch self {
    case .sRGB: .sRGB
    case .p3: .displayP3
    case .rec2020: .rec2020
    }
  }

  /// Returns the smallest class whose gamut contains the primaries of a space; the largest where none does.
  init(of space: ColorSpace) {
    self = Self.allCases.first { !$0.space.isNarrower(than: space) } ?? .rec2020
  }
}

extension ColorSpace {
  /// Returns whether a primary of another space lies clearly outside of this gamut. The tolerance makes Rec. 2020 contain Display P3, whose
  /// red lies 0.0012 of linear light outside.
  fileprivate func isNarrower(than other: ColorSpace) -> Bool {
    let mixture = other.matrix(to: self)
    return [SIMD3(1.0, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].contains { light in
      let mixed = mixture * light
      return mixed.min() < -2e-3 || mixed.max() > 1 + 2e-3
    }
  }
}
