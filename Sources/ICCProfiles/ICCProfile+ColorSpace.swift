public import ColorSpaces

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
  /// Profiles of up to three channels can be used; a gray profile becomes a space of grays alone, unless it says that it has the grays of
  /// a named space of colors, as those do that ``init(describingGraysOf:version:)`` makes. Profiles of inks
  /// are no spaces of three numbers: convert through an ``ICCTransform``. A profile that means the same as a named space becomes
  /// that space, so that converting to it from itself changes nothing.
  ///
  /// - Parameter intent: Which of a profile's tables are meant, if it has tables; by default those of the intent in its header.
  ///   Perceptual and saturation tables of version 4 are scaled so that their black is no light. Where a profile has no tables from
  ///   colors to numbers, as those of scanners, these are found by search, which takes a fraction of a millisecond a color.
  public func colorSpace(intent: RenderingIntent? = nil) throws(ICCProfileError) -> ColorSpace {
    try checkReadable()
    let (model, intent) = (try model(), intent ?? self.intent)
    guard !isLink, model.channelCount == 3 || model == .device("GRAY") else {
      throw .unsupported(sentenceAboutSpace(model))
    }
    if model == .device("RGB "), let space = try spaceOfCodePoints() { return space }
    let side = try inputSide(intent)
    // Tables may consist of curves and a matrix alone.
    let isDescribedByTables = hasTables && !has("rXYZ") && !has("kTRC")
    if side.isTable || isDescribedByTables { return try tableSpace(intent) }
    return model == .device("GRAY") ? try graySpace(side) : try spaceOfLights()
  }

  /// Whether the profile describes gray pictures.
  package var isGray: Bool { header.colorSpace == "GRAY" }

  private func sentenceAboutSpace(_ model: ColorModel) -> String {
    isLink
      ? "“\(self)” is a profile of kind “\(kind)”, which converts colors and describes no space of "
        + "them. Use it in a transform between two profiles."
      : "“\(self)” is a profile of kind “\(kind)”: \(model.channelCount) channels, where a color "
        + "space has three. Convert to a space such as sRGB through a transform first."
  }

  /// What the tag `cicp` says.
  private func spaceOfCodePoints() throws(ICCProfileError) -> ColorSpace? {
    guard let data = try rawTag("cicp") else { return nil }
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
}

// MARK: - Tables

extension ProfileSide {
  fileprivate var isTable: Bool {
    stages.contains { if case .lattice = $0 { true } else { false } }
  }
}

extension ICCProfile {
  private func tableSpace(_ intent: RenderingIntent) throws(ICCProfileError) -> ColorSpace {
    let isScaled = header.version.major >= 4 && (intent == .perceptual || intent == .saturation)
    let decoding = try ICCTransform(
      from: .profile(self), to: .space(.xyzD50), intent: intent, blackPointCompensation: isScaled)
    let encoding = try wayBack(decoding, intent, isScaled: isScaled)
    let coordinates = Coordinates(
      "\(self), \(intent) tables", origin: SpaceOrigin(bytes),
      decoding: stages(of: decoding) + [.matrix(ColorMatrix(diagonal: .one / connectionWhite))],
      encoding: [.matrix(ColorMatrix(diagonal: connectionWhite))] + encoding)
    return ColorSpace(
      description, primaries: .xyz(white: Chromaticity(xyz: connectionWhite)),
      transfer: TransferFunction(coordinates), origin: SpaceOrigin(bytes))
  }
}

extension ICCProfile {
  /// From XYZ to the profile's numbers: by its tables, or, for profiles of scanners that have none for it, by search.
  private func wayBack(
    _ decoding: ICCTransform, _ intent: RenderingIntent, isScaled: Bool
  ) throws(ICCProfileError) -> [PointProgram.Stage] {
    do throws(ICCProfileError) {
      let transform = try ICCTransform(
        from: .space(.xyzD50), to: .profile(self), intent: intent, blackPointCompensation: isScaled)
      return stages(of: transform)
    } catch {
      guard case .missingTag = error, case .device = try model() else { throw error }
    }
    let toColors = PointProgram(stages(of: decoding))
    let search = NumericInverse { lab(ofXYZ: toColors($0)) }
    return [.map("search of the profile's tables") { search(lab(ofXYZ: $0)) }]
  }

  /// A transform of three channels, as stages.
  private func stages(of transform: ICCTransform) -> [PointProgram.Stage] {
    guard let program = transform.program.pointProgram else {
      preconditionFailure("Transforms between spaces of three channels are point programs.")
    }
    return program.stages
  }
}

// MARK: - Gray

extension ICCProfile {
  /// A space whose grays are the profile's: for gray pictures, whose only colors are grays.
  private func graySpace(_ side: ProfileSide) throws(ICCProfileError) -> ColorSpace {
    let curve = try curves(["kTRC"])[0]
    try curve.checkInvertible("kTRC")
    let transfer: TransferFunction
    if side.target == .lab, let lightness = TransferFunction.lStar.curves {
      let (decoding, encoding) = try curve.curves("kTRC")
      let (light, back) = (lightness.decoding, lightness.encoding)
      transfer = TransferFunction(
        Coordinates(
          "\(self), lightness", origin: SpaceOrigin(bytes),
          decoding: [
            .curves("to lightness", decoding, decoding, decoding),
            .curves("from lightness", light, light, light),
          ],
          encoding: [
            .curves("to lightness", back, back, back),
            .curves("from lightness", encoding, encoding, encoding),
          ]))
    } else {
      transfer = try curve.transfer("kTRC", of: self)
    }
    let space = ColorSpace(
      description, primaries: .rec709, transfer: transfer, isGray: true, origin: transfer.origin)
    return Self.knownSpaces.first { known in
      description == Self.name(ofGraysOf: known)
        && known.transfer.isInterchangeable(with: transfer, within: 1e-4)
    } ?? Self.known(space) { $0.isInterchangeable(with: space) } ?? space
  }
}

// MARK: - Three lights

extension ICCProfile {
  private func spaceOfLights() throws(ICCProfileError) -> ColorSpace {
    let (colorants, light) = try colorants()
    let transfer = try transfer(light: light)
    let space = ColorSpace(
      description, primaries: primaries(colorants, white: try white()), transfer: transfer,
      origin: transfer.origin)
    return Self.known(space) { known in
      // Compared under the named space's own white: v2 profiles often do not tell theirs.
      let primaries = primaries(colorants, white: known.primaries.white)
      return ColorSpace(known.name, primaries: primaries, transfer: transfer)
        .isInterchangeable(with: known)
    } ?? space
  }

  /// One curve for all channels, or else three.
  private func transfer(light: Double) throws(ICCProfileError) -> TransferFunction {
    let tags: [Signature] = ["rTRC", "gTRC", "bTRC"]
    let curves = try curves(tags)
    for (curve, tag) in zip(curves, tags) { try curve.checkInvertible(tag) }
    if curves.dropFirst().allSatisfy({ $0 == curves[0] || $0.agrees(with: curves[0]) }) {
      return try curves[0].transfer(tags[0], light: light, of: self)
    }
    guard light == 1 else {
      throw .malformedTag(
        "\(tags[0])",
        reason: "lights \(light) times as bright as white need one curve for all channels")
    }
    let red = try curves[0].curves(tags[0])
    let green = try curves[1].curves(tags[1])
    let blue = try curves[2].curves(tags[2])
    return TransferFunction(
      Coordinates(
        "\(self), a curve for each channel", origin: SpaceOrigin(bytes),
        decoding: [.curves("curves of the profile", red.decoding, green.decoding, blue.decoding)],
        encoding: [
          .curves("curves of the profile, back", red.encoding, green.encoding, blue.encoding)
        ]))
  }

  /// Lights that add up to more than this mean light beyond white. Those of profiles for light up to white are found within 0.0004 of it.
  static let brightestWhite = 1.002

  /// From linear RGB to XYZ under the connection white, for lights that make a space, and how many times as bright as white they are
  /// together: more than once with curves that go beyond white.
  private func colorants() throws(ICCProfileError) -> (ColorMatrix, light: Double) {
    guard header.connectionSpace == "XYZ " else {
      throw .malformedTag(
        "rXYZ", reason: "lights need the connection space XYZ, not “\(header.connectionSpace)”")
    }
    let stored = try colorantMatrix()
    let brightest = (stored.column0 + stored.column1 + stored.column2).y
    let light = brightest > Self.brightestWhite ? brightest : 1
    let matrix = ColorMatrix(
      columns: stored.column0 / light, stored.column1 / light, stored.column2 / light)
    let white = matrix.column0 + matrix.column1 + matrix.column2
    let apart = white - connectionWhite
    // A space's lights make its white, so a small difference, by rounding, is mended. Profiles are found within 0.0004, those with light
    // beyond white are only rounded.
    let allowed = light == 1 ? 0.002 : 0.0001
    guard [apart.x, apart.y, apart.z].allSatisfy({ abs($0) < allowed }) else {
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
    return (matrix, light)
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
  private func white() throws(ICCProfileError) -> Chromaticity {
    var white = connectionWhite
    if has("chad") {
      let n = try parser().adaptation()
      let adaptation = ColorMatrix(
        rows: [n[0], n[1], n[2]], [n[3], n[4], n[5]], [n[6], n[7], n[8]])
      guard abs(adaptation.determinant) > 1e-3 else {
        throw .malformedTag("chad", reason: "the matrix cannot be undone")
      }
      white = adaptation.inverse * connectionWhite
    } else if header.version.major < 4, has("wtpt") {
      white = try color("wtpt")
    }
    guard (0.2...5).contains(white.x), (0.5...2).contains(white.y), (0.05...5).contains(white.z)
    else {
      throw .malformedTag(
        has("chad") ? "chad" : "wtpt", reason: "XYZ \(text(white)) is the color of no white")
    }
    return Chromaticity(xyz: white)
  }
}

private func text(_ color: SIMD3<Double>) -> String { "(\(color.x), \(color.y), \(color.z))" }
