/// The channels of a pixel: 1 to 16 samples, each with a role, in memory order.
///
/// The usual ones have names. Others are lists of roles, such as `.rgb.adding(.named("depth"))`.
public struct Channels: Hashable, Sendable {
  /// The role of a channel.
  @nonexhaustive
  public enum Role: Hashable, Sendable {
    /// Gray: equal red, green and blue.
    case gray
    /// A primary of the bitmap's space.
    case red, green, blue
    /// Opacity.
    case alpha
    /// An ink channel.
    case cyan, magenta, yellow, black
    /// Padding: ignored on reading, and filled with ones by conversions.
    case unused
    /// Another quantity with this name: depth, a mask, a spectral band.
    case named(String)
  }

  /// The roles in memory order.
  public let roles: [Role]
  /// The number of samples of a pixel.
  public let count: Int
  /// The indices of red, green, blue and, if present, alpha. Nil where the channels are not colors.
  package let colorPlanes: ColorPlanes?
  /// The indices of cyan, magenta, yellow and black, with black in the place of alpha. Nil for other channels.
  package let inkPlanes: ColorPlanes?

  package struct ColorPlanes: Sendable {
    package let red, green, blue: Int
    package let alpha: Int?
  }

  /// Creates channels from their roles, in memory order.
  ///
  /// - Precondition: There are 1 to 16 roles, each of them once, except `.unused`; gray excludes red, green and blue.
  public init(_ roles: [Role]) {
    precondition(
      Self.allowedCounts.contains(roles.count),
      "A pixel has \(Self.allowedCounts.lowerBound) to \(Self.allowedCounts.upperBound) samples; "
        + "got \(roles.count).")
    let used = roles.filter { $0 != .unused }
    precondition(Set(used).count == used.count, "No role occurs twice in a pixel; got \(roles).")
    let rgb = [Role.red, .green, .blue].compactMap(roles.firstIndex)
    let gray = roles.firstIndex(of: .gray)
    precondition(
      gray == nil || rgb.isEmpty,
      "A pixel is gray or has red, green and blue, not both; got \(roles).")
    (self.roles, count) = (roles, roles.count)
    let planes = gray.map { [$0, $0, $0] } ?? rgb
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

  /// The allowed number of channels.
  public static let allowedCounts = 1...16

  /// Gray.
  public static let gray = Channels([.gray])
  /// Gray with alpha.
  public static let grayAlpha = Channels([.gray, .alpha])
  /// RGB, opaque.
  public static let rgb = Channels([.red, .green, .blue])
  /// RGB with alpha.
  public static let rgba = Channels([.red, .green, .blue, .alpha])
  /// RGB, blue first.
  public static let bgr = Channels([.blue, .green, .red])
  /// RGB with alpha, blue first.
  public static let bgra = Channels([.blue, .green, .red, .alpha])
  /// Alpha, then RGB.
  public static let argb = Channels([.alpha, .red, .green, .blue])
  /// Alpha, then RGB with blue first.
  public static let abgr = Channels([.alpha, .blue, .green, .red])
  /// RGB with a padding channel.
  public static let rgbx = Channels([.red, .green, .blue, .unused])
  /// RGB with a padding channel, blue first.
  public static let bgrx = Channels([.blue, .green, .red, .unused])
  /// CMYK.
  public static let cmyk = Channels([.cyan, .magenta, .yellow, .black])

  /// Creates channels of other quantities by their names.
  ///
  /// - Precondition: There are 1 to 16 names, each of them once.
  public static func named(_ names: String...) -> Channels { Channels(names.map { .named($0) }) }

  /// Returns these channels, followed by more.
  ///
  /// - Precondition: Together they are 1 to 16, and each role occurs once, except `.unused`; gray excludes red, green and blue.
  public func adding(_ more: Role...) -> Channels { Channels(roles + more) }

  /// Whether there is an alpha channel.
  public var hasAlpha: Bool { roles.contains(.alpha) }

  /// Whether the color is one gray channel.
  package var isGray: Bool { roles.contains(.gray) }

  /// Whether all channels are those of a picture: gray or RGB, and optionally alpha.
  package var areOfPictures: Bool {
    colorPlanes != nil && roles.allSatisfy { $0.isLight || $0 == .alpha || $0 == .unused }
  }

  /// The same channels in the order that files use, if they are those of a picture.
  package var inFileOrder: Channels {
    guard areOfPictures else { return self }
    return isGray ? (hasAlpha ? .grayAlpha : .gray) : (hasAlpha ? .rgba : .rgb)
  }

  /// Whether the roles and their order are equal.
  public static func == (a: Channels, b: Channels) -> Bool { a.roles == b.roles }

  /// Hashes the roles.
  public func hash(into hasher: inout Hasher) { hasher.combine(roles) }
}

extension Channels.Role {
  /// Whether it is a gray or RGB channel.
  fileprivate var isLight: Bool { [.gray, .red, .green, .blue].contains(self) }

  /// Whether premultiplied colors scale it by alpha: colors and inks, but no other quantities.
  var isCovered: Bool { isLight || [.cyan, .magenta, .yellow, .black].contains(self) }
}

extension Channels.Role: CustomStringConvertible {
  /// The name in words, such as “red” or “alpha”.
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
  /// The name of usual channels; otherwise the names of the roles.
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
