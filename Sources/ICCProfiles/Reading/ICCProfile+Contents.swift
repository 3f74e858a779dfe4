extension ICCProfile {
  /// The version of the format, such as “4.3”.
  public var version: String { "\(header.version.major).\(header.version.minor)" }

  /// What the profile's own numbers are: “RGB”, “CMYK”, “GRAY”, “Lab”, “XYZ” or what the header says.
  public var modelName: String { "\(header.colorSpace)".filter { $0 != " " } }

  /// What the profile leads to: “Lab” or “XYZ”; for device links, the numbers of the other device.
  public var connectionName: String { "\(header.connectionSpace)".filter { $0 != " " } }

  /// How many numbers a color of the profile has; nil where the header names no model that profiles have.
  public var channelCount: Int? { ColorModel(header.colorSpace)?.channelCount }

  /// The tags, in alphabetical order.
  public var tags: [String] { tagSignatures.map(\.description).sorted() }

  /// The intents that the profile has tables of its own for; without tables every intent is the same.
  public var intents: [RenderingIntent] {
    let tables = RenderingIntent.allCases.filter { intent in
      intent != .absoluteColorimetric
        && ["A2B", "B2A"].contains {
          has(Signature(stringLiteral: "\($0)\(intent.rawValue)"))
        }
    }
    return tables.isEmpty ? RenderingIntent.allCases : tables
  }

  /// The colors that a profile lists by name, such as those of an ink maker's catalog; none in other profiles.
  public func namedColors() throws(ICCProfileError) -> [NamedProfileColor] {
    guard has("ncl2") else { return [] }
    return try parser().namedColors(
      header.connectionSpace == "XYZ " ? .xyz : .lab)
  }

  /// Whether the profile converts the numbers of one device to those of another.
  public var isDeviceLink: Bool { header.profileClass == "link" }

  /// Whether the profile describes its colors by tables.
  public var hasTables: Bool { has("A2B0") || has("A2B1") || has("A2B2") }
}
