public import ColorSpaces

/// The white of the profile connection space, as profiles store it (ICC.1:2022, 7.2.16).
let connectionWhite = SIMD3(Double(0xF6D6), Double(0x1_0000), Double(0xD32D)) / 65_536

extension Chromaticity {
  /// The chromaticity of an XYZ color.
  init(xyz: SIMD3<Double>) {
    let sum = xyz.x + xyz.y + xyz.z
    // A light without luminance has no XYZ of luminance 1. Half a step of a profile's numbers gives it one.
    let y = xyz.y / sum
    self.init(xyz.x / sum, abs(y) < 1e-6 ? 1e-6 : y)
  }
}

extension ICCProfile {
  /// The color space that the profile describes.
  ///
  /// RGB profiles of three lights and a curve can be used. A profile that means the same as a named space becomes that space,
  /// so that converting to it from itself changes nothing.
  public func colorSpace() throws(ICCProfileError) -> ColorSpace {
    try checkEvaluable()
    guard layout.colorSpace == "RGB " else { throw .unsupported(sentenceAboutSpace) }
    try refuseTables()
    if let space = try spaceOfCodePoints() { return space }

    let reader = try LittleCMSProfile(self)
    let transfer = try sharedCurve(reader).transfer
    let colorants = try colorants(reader)
    let found = ColorSpace.named.first { named in
      // Compared under the named space's own white: v2 profiles often do not tell theirs.
      let primaries = primaries(colorants, white: named.primaries.white)
      return ColorSpace(named.name, primaries: primaries, transfer: transfer)
        .isInterchangeable(with: named)
    }
    if let found { return found }
    return ColorSpace(
      description, primaries: primaries(colorants, white: try white(reader)), transfer: transfer)
  }

  /// A space whose grays are the profile's: for gray pictures with gray profiles, whose only colors are grays.
  package func graySpace() throws(ICCProfileError) -> ColorSpace {
    try checkEvaluable()
    guard layout.colorSpace == "GRAY" else { return try colorSpace() }
    try refuseTables()
    guard layout.connectionSpace == "XYZ " else {
      throw .unsupported(
        "“\(self)” is a gray profile whose curve yields L*, which this version does not evaluate. "
          + "Use a gray profile with connection space XYZ.")
    }
    let reader = try LittleCMSProfile(self)
    let transfer = try ProfileCurve("kTRC", of: self, through: reader).transfer
    let space = ColorSpace(description, primaries: .rec709, transfer: transfer)
    return ColorSpace.named.first { $0.isInterchangeable(with: space) } ?? space
  }

  /// Whether the profile describes gray pictures.
  package var isGray: Bool { layout.colorSpace == "GRAY" }

  private func checkEvaluable() throws(ICCProfileError) {
    guard layout.version.major <= 4 else {
      throw .unsupported(
        "“\(self)” is a profile of version \(layout.version.major).\(layout.version.minor) "
          + "(iccMAX). Versions 2 and 4 can be read: save the profile as one of them.")
    }
    guard ["mntr", "scnr", "prtr", "spac"].contains(layout.profileClass) else {
      throw .unsupported(
        "“\(self)” is a profile of kind “\(kind)”, which describes no space of colors. "
          + "Use a profile of a display, camera, scanner or color space.")
    }
  }

  private var sentenceAboutSpace: String {
    let what: String? =
      switch layout.colorSpace {
      case "CMYK": "four inks through a lookup table"
      case "GRAY": "gray values alone"
      case "Lab ": "CIELAB colors"
      case "XYZ ": "XYZ colors"
      default: nil
      }
    return "“\(self)” is a profile of kind “\(kind)”" + (what.map { ": \($0)" } ?? "")
      + ". Profiles of RGB spaces can be used here: convert to one, such as sRGB, first."
  }

  /// Tables take precedence over lights and curves (ICC.1:2022, 8.10), so a profile that has them means them.
  private func refuseTables() throws(ICCProfileError) {
    let tables: [Signature] = ["D2B0", "D2B1", "D2B2", "D2B3", "A2B0", "A2B1", "A2B2"]
    guard let table = tables.first(where: layout.has) else { return }
    throw .unsupported(
      "“\(self)” describes its colors by a lookup table (tag “\(table)”), which this version does "
        + "not evaluate. Use an RGB profile of three lights and a curve, such as sRGB.")
  }

  /// What the tag `cicp` says. Little CMS before 2.18 cannot read it.
  private func spaceOfCodePoints() throws(ICCProfileError) -> ColorSpace? {
    guard let data = data("cicp") else { return nil }
    // 12 bytes (ICC.1:2022, 9.2.17); Little CMS before 2.18 writes 16.
    guard data.count >= 12, data.signature(at: 0) == "cicp" else {
      throw .malformedTag("cicp", reason: "it has \(data.count) bytes; 12 are right")
    }
    let values = data.dropFirst(8).prefix(4).map { $0 }
    let points = CodePoints(values[0], values[1], values[2], values[3])
    guard points.isSpecified else { return nil }
    guard points.isFullRangeRGB, let space = try? ColorSpace(cicp: points) else {
      throw .unsupported(
        "“\(self)” has code points \(points), \(points.explanation), where RGB in full range "
          + "(0/1) is needed. Convert to a named space such as Display P3 first.")
    }
    return space
  }

  private func sharedCurve(
    _ reader: borrowing LittleCMSProfile
  ) throws(ICCProfileError) -> ProfileCurve {
    let tags: [Signature] = ["rTRC", "gTRC", "bTRC"]
    let first = try ProfileCurve(tags[0], of: self, through: reader)
    for tag in tags.dropFirst() where data(tag) != data(tags[0]) {
      let other = try ProfileCurve(tag, of: self, through: reader)
      guard ProfileCurve.agree(other.callAsFunction, first.callAsFunction) else {
        throw .unsupported(
          "“\(self)” has a curve of its own for each channel: “\(tag)” is not “\(tags[0])”. "
            + "This version needs one curve for all three; profiles of spaces, such as sRGB, have it."
        )
      }
    }
    return first
  }

  /// From linear RGB to XYZ under the connection white.
  private func colorants(
    _ reader: borrowing LittleCMSProfile
  ) throws(ICCProfileError) -> ColorMatrix {
    guard layout.connectionSpace == "XYZ " else {
      throw .malformedTag(
        "rXYZ", reason: "lights need the connection space XYZ, not “\(layout.connectionSpace)”")
    }
    let matrix = ColorMatrix(
      columns: try color("rXYZ", reader), try color("gXYZ", reader), try color("bXYZ", reader))
    let white = matrix.column0 + matrix.column1 + matrix.column2
    let apart = white - connectionWhite
    // A space's lights make its white, so a small difference, by rounding, is mended. Profiles are found within 0.0004.
    guard [apart.x, apart.y, apart.z].allSatisfy({ abs($0) < 0.002 }) else {
      throw .malformedTag(
        "rXYZ",
        reason:
          "the three lights add up to XYZ \(text(white)), not to the white \(text(connectionWhite))"
      )
    }
    let lights = [matrix.column0, matrix.column1, matrix.column2]
    guard lights.allSatisfy({ $0.x + $0.y + $0.z > 1e-3 }), abs(matrix.determinant) > 1e-5 else {
      throw .malformedTag(
        "rXYZ", reason: "the three lights \(lights.map(text)) span no space of colors")
    }
    return matrix
  }

  /// A tag of type `XYZ `, checked before Little CMS reads it.
  private func color(
    _ tag: Signature, _ reader: borrowing LittleCMSProfile
  ) throws(ICCProfileError) -> SIMD3<Double> {
    guard let data = data(tag) else { throw .missingTag(tag.description) }
    guard data.count >= 20, data.signature(at: 0) == "XYZ " else {
      throw .malformedTag(
        tag.description,
        reason: "it is \(data.count) bytes of “\(data.signature(at: 0))”, not 20 of “XYZ ”")
    }
    return try reader.color(tag)
  }

  /// The lights' chromaticities. The way back from the connection white is Bradford's, whatever the profile's own way there was,
  /// because Bradford's is the way that spaces go: what the profile means under its connection white stays what it is.
  private func primaries(_ colorants: ColorMatrix, white: Chromaticity) -> Primaries {
    let matrix =
      ColorMatrix.adapting(from: Chromaticity(xyz: connectionWhite), to: white) * colorants
    return Primaries(
      red: Chromaticity(xyz: matrix.column0), green: Chromaticity(xyz: matrix.column1),
      blue: Chromaticity(xyz: matrix.column2), white: white)
  }

  /// The white before it was adapted: what `chad` undoes to, or, in version 2, the media white.
  private func white(_ reader: borrowing LittleCMSProfile) throws(ICCProfileError) -> Chromaticity {
    var white = connectionWhite
    if let data = data("chad") {
      guard data.count >= 44, data.signature(at: 0) == "sf32" else {
        throw .malformedTag("chad", reason: "it is \(data.count) bytes; nine numbers need 44")
      }
      let n = try reader.nineNumbers("chad")
      let adaptation = ColorMatrix(
        rows: [n[0], n[1], n[2]], [n[3], n[4], n[5]], [n[6], n[7], n[8]])
      guard abs(adaptation.determinant) > 1e-3 else {
        throw .malformedTag("chad", reason: "the matrix cannot be undone")
      }
      white = adaptation.inverse * connectionWhite
    } else if layout.version.major < 4, layout.has("wtpt") {
      white = try color("wtpt", reader)
    }
    guard (0.2...5).contains(white.x), (0.5...2).contains(white.y), (0.05...5).contains(white.z)
    else {
      throw .malformedTag(
        layout.has("chad") ? "chad" : "wtpt", reason: "XYZ \(text(white)) is the color of no white")
    }
    return Chromaticity(xyz: white)
  }
}

private func text(_ color: SIMD3<Double>) -> String { "(\(color.x), \(color.y), \(color.z))" }
