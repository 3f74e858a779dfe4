/// What a pixel is made of: 1 to 16 samples, each with a role, in the order in which they are stored.
///
/// The usual ones have names. Others are lists of roles, such as `.rgb.adding(.named("depth"))`.
public struct Channels: Hashable, Sendable {
  /// What one sample of a pixel stands for.
  @nonexhaustive
  public enum Role: Hashable, Sendable {
    /// One brightness: equal amounts of red, green and blue.
    case gray
    /// An amount of a light of the bitmap's space.
    case red, green, blue
    /// Coverage.
    case alpha
    /// An amount of an ink.
    case cyan, magenta, yellow, black
    /// Nothing: never looked at, and filled with ones where a bitmap is converted.
    case unused
    /// Something else, which has this name: depth, a mask, a light of another wavelength.
    case named(String)
  }

  /// What each sample of a pixel stands for.
  public let roles: [Role]
  /// How many samples a pixel has.
  public let count: Int
  /// Which sample of a pixel holds red, green, blue and, if there is one, alpha. Nil where a pixel is not made of light.
  package let colorPlanes: ColorPlanes?
  /// The same for a pixel of four inks; black stands where alpha stands in pictures.
  package let inkPlanes: ColorPlanes?

  package struct ColorPlanes: Sendable {
    package let red, green, blue: Int
    package let alpha: Int?
  }

  /// Samples with these roles, in this order. Each role occurs once, `.unused` as often as needed; gray stands without red, green
  /// and blue.
  public init(_ roles: [Role]) {
    precondition(
      Self.allowedCounts.contains(roles.count),
      "A pixel has \(Self.allowedCounts.lowerBound) to \(Self.allowedCounts.upperBound) samples; "
        + "got \(roles.count).")
    let used = roles.filter { $0 != .unused }
    precondition(Set(used).count == used.count, "No role occurs twice in a pixel; got \(roles).")
    let lights = [Role.red, .green, .blue].compactMap(roles.firstIndex)
    let gray = roles.firstIndex(of: .gray)
    precondition(
      gray == nil || lights.isEmpty, "A pixel is gray or has lights, not both; got \(roles).")
    (self.roles, count) = (roles, roles.count)
    let planes = gray.map { [$0, $0, $0] } ?? lights
    colorPlanes =
      planes.count == 3
      ? ColorPlanes(
        red: planes[0], green: planes[1], blue: planes[2], alpha: roles.firstIndex(of: .alpha))
      : nil
    let inks = [Role.cyan, .magenta, .yellow, .black].compactMap(roles.firstIndex)
    inkPlanes =
      inks.count == 4
      ? ColorPlanes(red: inks[0], green: inks[1], blue: inks[2], alpha: inks[3]) : nil
  }

  /// How many samples a pixel may have.
  public static let allowedCounts = 1...16

  /// One brightness.
  public static let gray = Channels([.gray])
  /// One brightness, and coverage.
  public static let grayAlpha = Channels([.gray, .alpha])
  /// Three lights, fully opaque.
  public static let rgb = Channels([.red, .green, .blue])
  /// Three lights, and coverage.
  public static let rgba = Channels([.red, .green, .blue, .alpha])
  /// Three lights, blue first.
  public static let bgr = Channels([.blue, .green, .red])
  /// Three lights, blue first, and coverage.
  public static let bgra = Channels([.blue, .green, .red, .alpha])
  /// Coverage, and three lights.
  public static let argb = Channels([.alpha, .red, .green, .blue])
  /// Coverage, and three lights, blue first.
  public static let abgr = Channels([.alpha, .blue, .green, .red])
  /// Three lights, and a sample that nobody looks at.
  public static let rgbx = Channels([.red, .green, .blue, .unused])
  /// Three lights, blue first, and a sample that nobody looks at.
  public static let bgrx = Channels([.blue, .green, .red, .unused])
  /// Four inks.
  public static let cmyk = Channels([.cyan, .magenta, .yellow, .black])

  /// Samples that have nothing but names.
  public static func named(_ names: String...) -> Channels { Channels(names.map { .named($0) }) }

  /// These samples, and more after them.
  public func adding(_ more: Role...) -> Channels { Channels(roles + more) }

  /// Whether there is coverage.
  public var hasAlpha: Bool { roles.contains(.alpha) }

  /// Whether a picture can be made of them without leaving anything out: light, perhaps coverage, and nothing else.
  package var areOfPictures: Bool {
    colorPlanes != nil && roles.allSatisfy { $0.isLight || $0 == .alpha || $0 == .unused }
  }

  /// The same samples in the order in which files have them, where they are those of pictures.
  package var inFileOrder: Channels {
    guard areOfPictures else { return self }
    return roles.contains(.gray)
      ? (hasAlpha ? .grayAlpha : .gray) : (hasAlpha ? .rgba : .rgb)
  }

  /// Whether both have the same roles in the same order.
  public static func == (a: Channels, b: Channels) -> Bool { a.roles == b.roles }

  /// Hashes the roles.
  public func hash(into hasher: inout Hasher) { hasher.combine(roles) }
}

extension Channels.Role {
  /// Whether it is an amount of light.
  fileprivate var isLight: Bool { [.gray, .red, .green, .blue].contains(self) }

  /// Whether it is multiplied by coverage where color is: light and ink are, other things are not.
  var isCovered: Bool { isLight || [.cyan, .magenta, .yellow, .black].contains(self) }
}

extension Channels.Role: CustomStringConvertible {
  /// The name.
  public var description: String {
    switch self {
    case .gray: "gray"
    case .red: "red"
    case .green: "green"
    case .blue: "blue"
    case .alpha: "alpha"
    case .cyan: "cyan"
    case .magenta: "magenta"
    case .yellow: "yellow"
    case .black: "black"
    case .unused: "unused"
    case .named(let name): "“\(name)”"
    }
  }
}

extension Channels: CustomStringConvertible {
  /// The name of usual ones, or else those of the roles.
  public var description: String {
    Self.usual.first { $0.channels == self }?.name
      ?? roles.map(\.description).joined(separator: " ")
  }

  private static let usual: [(name: String, channels: Channels)] = [
    ("gray", .gray), ("grayAlpha", .grayAlpha), ("rgb", .rgb), ("rgba", .rgba), ("bgr", .bgr),
    ("bgra", .bgra), ("argb", .argb), ("abgr", .abgr), ("rgbx", .rgbx), ("bgrx", .bgrx),
    ("cmyk", .cmyk),
  ]
}
