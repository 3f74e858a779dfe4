extension ICCProfile {
  /// The version of the ICC format, such as “4.3”.
  public var version: String { "\(header.version.major).\(header.version.minor)" }

  /// The color model of the device side: “RGB”, “CMYK”, “GRAY”, “Lab”, “XYZ” or the header's signature.
  public var modelName: String { "\(header.colorSpace)".filter { $0 != " " } }

  /// The profile connection space: “Lab” or “XYZ”; for device links, the color model of the other device.
  public var connectionName: String { "\(header.connectionSpace)".filter { $0 != " " } }

  /// The number of device channels; nil for an unknown color model.
  public var channelCount: Int? { ColorModel(header.colorSpace)?.channelCount }

  /// The tag signatures, sorted.
  public var tags: [String] { tagSignatures.map(\.description).sorted() }

  /// The intents for which the profile has tables of its own; empty for profiles without tables, where all intents are
  /// equal.
  public var intents: [RenderingIntent] {
    let tables = RenderingIntent.allCases.filter { intent in
      intent != .absoluteColorimetric
        && ["A2B", "B2A"].contains {
          has(Signature(stringLiteral: "\($0)\(intent.rawValue)"))
        }
    }
    return tables.isEmpty ? RenderingIntent.allCases : tables
  }

  /// The named colors of the profile, such as those of an ink maker's catalog; empty for other profiles.
  public func namedColors() throws(ICCProfileError) -> [NamedProfileColor] {
    guard has("ncl2") else { return [] }
    return try parser().namedColors(
      header.connectionSpace == "XYZ " ? .xyz : .lab)
  }

  /// Whether the profile is a device link, which converts between two devices.
  public var isDeviceLink: Bool { header.profileClass == "link" }

  /// Whether the profile has LUTs.
  public var hasTables: Bool { has("A2B0") || has("A2B1") || has("A2B2") }
}
