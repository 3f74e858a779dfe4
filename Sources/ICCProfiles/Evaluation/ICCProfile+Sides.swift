internal import ColorSpaces

/// One direction of a profile: from device values to the PCS, from the PCS to device values, or through a link.
struct ProfileSide {
  var stages: [ChannelStage]
  let source, target: ColorModel
}

extension ICCProfile {
  /// Whether the profile is a device link or an abstract profile.
  var isLink: Bool { header.profileClass == "link" || header.profileClass == "abst" }

  /// Returns the color model of the profile's device side.
  func model() throws(ICCProfileError) -> ColorModel {
    guard let model = ColorModel(header.colorSpace) else {
      throw .unsupported(
        "“\(self)” is a profile of “\(header.colorSpace)”, a kind of numbers that ICC profiles do "
          + "not have. It is damaged: get it again from its source.")
    }
    return model
  }

  private func connection() throws(ICCProfileError) -> ColorModel {
    guard let model = ColorModel(header.connectionSpace), isLink || model.isConnection else {
      throw .unsupported(
        "“\(self)” is connected by “\(header.connectionSpace)”; Lab and XYZ connect profiles. It is "
          + "damaged: get it again from its source.")
    }
    return model
  }

  /// Throws where the structure is not that of version 2 or 4.
  func checkReadable() throws(ICCProfileError) {
    guard header.version.major <= 4 else {
      throw .unsupported(
        "“\(self)” is a profile of version \(header.version.major).\(header.version.minor) "
          + "(iccMAX). Versions 2 and 4 can be read: save the profile as one of them.")
    }
    guard
      (["mntr", "scnr", "prtr", "spac", "link", "abst"] as [Signature])
        .contains(header.profileClass)
    else {
      throw .unsupported(
        "“\(self)” is a profile of kind “\(kind)”, which converts no colors. "
          + "Use a profile of a display, camera, scanner, printer or color space.")
    }
  }

  /// Returns the conversion from device values to the PCS (ICC.1:2022, 8.10, defines the precedence of tags).
  func inputSide(_ intent: RenderingIntent) throws(ICCProfileError) -> ProfileSide {
    try checkReadable()
    let (model, connection) = (try model(), try connection())
    if let tag = try tableTag("A2B", floating: "D2B", intent) {
      return ProfileSide(
        stages: try TagReader(tag, of: self).table(
          from: model, to: connection, towardsDevice: false, isTetrahedral: true),
        source: model, target: connection)
    }
    return try curveSide()
  }

  /// Whether the profile has a table for the intent: from device values to the PCS, or back.
  func hasTable(
    _ intent: RenderingIntent, towardsDevice: Bool = false
  ) throws(ICCProfileError) -> Bool {
    towardsDevice
      ? try tableTag("B2A", floating: "B2D", intent) != nil
      : try tableTag("A2B", floating: "D2B", intent) != nil
  }

  /// Returns the conversion from device values to the PCS by the profile's colorants and curves, also where it has lookup tables.
  func curveSide() throws(ICCProfileError) -> ProfileSide {
    let model = try model()
    if model == .device("GRAY") { return try graySide(try connection()) }
    let curves = try colorantCurves(model, insteadOf: "A2B0")
    return ProfileSide(
      stages: [.curves(curves), .mix(ChannelMatrix(try colorantMatrix()))], source: model,
      target: .xyz)
  }

  /// Returns the conversion from the PCS to device values.
  func outputSide(_ intent: RenderingIntent) throws(ICCProfileError) -> ProfileSide {
    try checkReadable()
    let (model, connection) = (try model(), try connection())
    if let tag = try tableTag("B2A", floating: "B2D", intent) {
      return ProfileSide(
        // Lab is interpolated multilinearly, as in Little CMS, so that grays stay on the gray axis of the table.
        stages: try TagReader(tag, of: self).table(
          from: connection, to: model, towardsDevice: true, isTetrahedral: connection != .lab),
        source: connection, target: model)
    }
    if model == .device("GRAY") { return try graySide(connection).reversed() }
    let curves = try colorantCurves(model, insteadOf: "B2A0")
    let matrix = try colorantMatrix()
    guard abs(matrix.determinant) > 1e-9 else {
      throw .malformedTag(
        "rXYZ",
        reason: "the colorants are linearly dependent, so the matrix has no inverse")
    }
    return ProfileSide(
      stages: [.mix(ChannelMatrix(matrix.inverse)), .curves(curves.map(\.inverse))], source: .xyz,
      target: model)
  }

  /// Returns the conversion of a device link or an abstract profile.
  func linkSide(_ intent: RenderingIntent) throws(ICCProfileError) -> ProfileSide {
    try checkReadable()
    let (source, target) = (try model(), try connection())
    if has("D2B0") { throw floatingTables("D2B0") }
    guard let tag = try tableTag("A2B", floating: "D2B", intent) else {
      throw .missingTag("A2B0")
    }
    return ProfileSide(
      stages: try TagReader(tag, of: self).table(
        // As in Little CMS, which has a multilinear interpolation to Lab of three channels alone.
        from: source, to: target, towardsDevice: false,
        isTetrahedral: target != .lab || source.channelCount > 3),
      source: source, target: target)
  }

  /// Returns the LUT tag of the intent, or else of the perceptual intent; nil where the profile has neither.
  private func tableTag(
    _ name: String, floating: String, _ intent: RenderingIntent
  ) throws(ICCProfileError) -> Signature? {
    let floatingTag = Signature(stringLiteral: "\(floating)\(intent.rawValue)")
    if has(floatingTag) { throw floatingTables(floatingTag) }
    return [intent.tableNumber, 0].map { Signature(stringLiteral: "\(name)\($0)") }
      .first(where: has)
  }

  /// The error for floating-point tables, which a reader that supports them must prefer (ICC.1:2022, 8.10).
  private func floatingTables(_ tag: Signature) -> ICCProfileError {
    .unsupported(
      "“\(self)” describes its colors by floating-point elements (tag “\(tag)”), which this version "
        + "does not evaluate. Ask for an intent that has a table, or make the profile without them."
    )
  }

  private func graySide(_ connection: ColorModel) throws(ICCProfileError) -> ProfileSide {
    let curve = try curves(["kTRC"])[0]
    // The curve yields luminance, or lightness where the connection space has it (ICC.1:2022, 9.2.34).
    let unit = connection == .lab ? SIMD3(100, 0, 0) : connectionWhite
    return ProfileSide(
      stages: [
        .curves([curve]),
        .mix(ChannelMatrix(rows: [[unit.x], [unit.y], [unit.z]], offset: [0, 0, 0])),
      ],
      source: .device("GRAY"), target: connection)
  }

  private func colorantCurves(
    _ model: ColorModel, insteadOf table: Signature
  ) throws(ICCProfileError) -> [ChannelCurve] {
    guard model == .device("RGB "), has("rXYZ") || !has("A2B0") else {
      throw .missingTag(table.description)
    }
    return try curves(["rTRC", "gTRC", "bTRC"])
  }

  /// Returns the matrix from linear RGB to PCS XYZ.
  func colorantMatrix() throws(ICCProfileError) -> ColorMatrix {
    let parser = try parser()
    return ColorMatrix(
      columns: try parser.color("rXYZ"), try parser.color("gXYZ"), try parser.color("bXYZ"))
  }
}

extension ProfileSide {
  /// Returns the inverse for gray, by luminance or lightness alone.
  fileprivate func reversed() throws(ICCProfileError) -> ProfileSide {
    guard case .curves(let curves) = stages[0] else { return self }
    let rows = target == .lab ? [[0.01, 0, 0]] : [[0, 1, 0]]
    return ProfileSide(
      stages: [.mix(ChannelMatrix(rows: rows, offset: [0])), .curves(curves.map(\.inverse))],
      source: target, target: source)
  }
}
