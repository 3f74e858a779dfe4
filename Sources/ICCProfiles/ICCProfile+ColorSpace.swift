public import ColorSpaces

extension Chromaticity {
  /// Creates the chromaticity of an XYZ color.
  init(xyz: SIMD3<Double>) {
    let sum = xyz.x + xyz.y + xyz.z
    // A primary without luminance has no XYZ of luminance 1. Half a step of a profile's precision gives it one.
    let y = xyz.y / sum
    self.init(xyz.x / sum, abs(y) < 1e-6 ? 1e-6 : y)
  }
}

extension ICCProfile {
  /// Returns the color space that the profile describes.
  ///
  /// Gray profiles and those of three device channels (RGB, CMY, HSV and others) are supported. A gray profile becomes
  /// a gray space, unless it declares that it has the grays of a named RGB space, as those of
  /// ``init(describingGraysOf:version:)`` do. Other profiles, such as those of CMYK and of two channels, are no color
  /// spaces, and a profile whose own values are Lab or XYZ describes no device: convert through an ``ICCTransform``. A
  /// profile that agrees with a named space becomes that space, so that converting between them changes nothing.
  ///
  /// Code points in the tag `cicp` of an input or display profile that name an RGB space in full range define the space,
  /// whatever tables and curves are beside them; an ``ICCTransform`` and programs such as Little CMS use those. A malformed
  /// tag is an error. Tables take precedence over colorants and
  /// curves (ICC.1:2022, 8.10), which define the space where a table without a grid has the same colors.
  ///
  /// - Parameter intent: The rendering intent of the profile's LUTs, if it has any; by default that of its header.
  ///   Perceptual and saturation tables of version 4 are scaled so that their black has no luminance. A profile without
  ///   a table from the PCS to the device, such as that of a scanner, is inverted by search, which takes a few
  ///   microseconds per color, some tens where its tables fold.
  public func colorSpace(intent: RenderingIntent? = nil) throws(ICCProfileError) -> ColorSpace {
    try checkReadable()
    let (model, intent) = (try model(), intent ?? self.intent)
    guard !isLink, !model.isConnection, model.channelCount == 3 || model == .device("GRAY") else {
      throw .unsupported(sentenceAboutSpace(model))
    }
    if let space = try spaceOfCodePoints() { return space }
    // A profile of floating-point elements is refused, also where it has curves.
    let side = try inputSide(intent)
    if try hasTable(intent), !agreesWithCurves(side) { return try tableSpace(intent) }
    return model == .device("GRAY") ? try graySpace(side) : try spaceOfLights()
  }

  /// Returns why the profile cannot describe the values of a gray file, or of one of red, green and blue; nil where it can.
  package func mismatch(withGrays fileIsGray: Bool) throws(ICCProfileError) -> String? {
    try checkReadable()
    let model = try model()
    let kind = "“\(self)” is a profile of kind “\(self.kind)”"
    if isLink { return "\(kind), which converts colors and describes those of no file." }
    if model.isConnection {
      return "\(kind), whose values are \(model) and not those of a device or a file."
    }
    guard model.channelCount != 3, model != .device("GRAY") || !fileIsGray else { return nil }
    let channels = model.channelCount == 1 ? "1 channel" : "\(model.channelCount) channels"
    return "\(kind) for \(channels), and the file holds \(fileIsGray ? 1 : 3): it belongs to "
      + "another file."
  }

  /// The name in recipes of a profile that defines a color space.
  package static let originFormat = "profile"

  /// The profile as the origin of a space that its curves define, whatever the intent.
  var origin: SpaceOrigin { SpaceOrigin(bytes, as: Self.originFormat) }

  /// Whether the profile is a gray profile.
  package var isGray: Bool { header.colorSpace == "GRAY" }

  private func sentenceAboutSpace(_ model: ColorModel) -> String {
    if isLink {
      return
        "“\(self)” is a profile of kind “\(kind)”, which converts colors and describes no space of "
        + "them. Use it in a transform between two profiles."
    }
    // A transform takes L* of 0…100 and XYZ with a white of 1, and a color space has values of 0…1.
    if model.isConnection {
      return
        "“\(self)” is a profile of kind “\(kind)”, whose values are \(model) and not those of a "
        + "device. Convert to a space such as sRGB through a transform first."
    }
    return
      "“\(self)” is a profile of kind “\(kind)”: \(model.channelCount) channels, where a color "
      + "space has three. Convert to a space such as sRGB through a transform first."
  }
}

// MARK: - Tables

extension ICCProfile {
  /// Whether a conversion by tables has the colors of the profile's colorants and curves, so that these define the space: a table may
  /// consist of the same curves and the same matrix. False where there is a grid, or no curves.
  func agreesWithCurves(_ side: ProfileSide) -> Bool {
    let hasGrid = side.stages.contains { if case .lattice = $0 { true } else { false } }
    guard !hasGrid, let curves = try? curveSide() else { return false }
    let steps = (0...8).map { Double($0) / 8 }
    let colors =
      isGray
      ? steps.map { [$0] }
      : steps.flatMap { red in steps.flatMap { green in steps.map { [red, green, $0] } } }
    // A tenth of a just noticeable difference: profiles store both in steps of 1/65,536.
    return colors.allSatisfy {
      ColorDifference.ciede2000()(side.lab($0), curves.lab($0)) < 0.1
    }
  }
}

extension ProfileSide {
  /// Returns the Lab color of device values.
  fileprivate func lab(_ color: [Double]) -> SIMD3<Double> {
    SIMD3(
      (stages + ConnectionStep(from: target, to: .lab).stages)(color, outputCount: 3))
  }
}

extension ICCProfile {
  private func tableSpace(_ intent: RenderingIntent) throws(ICCProfileError) -> ColorSpace {
    let isScaled = header.version.major >= 4 && (intent == .perceptual || intent == .saturation)
    let decoding = try ICCTransform(
      from: .profile(self), to: .space(.xyzD50), intent: intent, blackPointCompensation: isScaled)
    let encoding = try wayBack(decoding, intent, isScaled: isScaled)
    let origin = SpaceOrigin(bytes, as: Self.originFormat, choices: ["intent": intent.name])
    let coordinates = Coordinates(
      "\(self), \(intent) tables", origin: origin,
      decoding: stages(of: decoding) + [.matrix(ColorMatrix(diagonal: .one / connectionWhite))],
      encoding: [.matrix(ColorMatrix(diagonal: connectionWhite))] + encoding)
    return ColorSpace(
      description, primaries: .xyz(white: Chromaticity(xyz: connectionWhite)),
      transfer: TransferFunction(coordinates), isGray: isGray, origin: origin)
  }
}

extension ICCProfile {
  /// From XYZ to device values: by the profile's tables, or by search for profiles of scanners, which have none.
  ///
  /// A curve or colorants beside a table without a way back would lead to the values of other colors, unlike in a transform, which follows
  /// Little CMS: pictures that are changed and stored in the space keep their colors.
  private func wayBack(
    _ decoding: ICCTransform, _ intent: RenderingIntent, isScaled: Bool
  ) throws(ICCProfileError) -> [PointProgram.Stage] {
    if try hasTable(intent, towardsDevice: true) {
      let transform = try ICCTransform(
        from: .space(.xyzD50), to: .profile(self), intent: intent, blackPointCompensation: isScaled)
      return stages(of: transform)
    }
    if isGray {
      let toColors = PointProgram(stages(of: decoding))
      let search = GrayInverse { toColors(SIMD3(repeating: $0)).y }
      return [.map("search of the profile's tables") { SIMD3(repeating: search($0.y)) }]
    }
    if has("rXYZ"), let inverse = decoding.program.stages.inverse {
      return ChannelProgram(inverse, inputCount: 3, outputCount: 3).pointProgram.stages
    }
    let search = TableInverse(of: decoding.program.stages)
    return [.map("search of the profile's tables") { search($0) }]
  }

  /// A transform of three channels or of gray, as stages.
  private func stages(of transform: ICCTransform) -> [PointProgram.Stage] {
    transform.pixelProgram.pointProgram.stages
  }
}

// MARK: - Gray

extension ICCProfile {
  /// A gray space that has the grays of the profile.
  private func graySpace(_ side: ProfileSide) throws(ICCProfileError) -> ColorSpace {
    let curve = try curves(["kTRC"])[0]
    try curve.checkInvertible("kTRC")
    let transfer: TransferFunction
    if side.target == .lab, let lightness = TransferFunction.lStar.curves {
      let (decoding, encoding) = try curve.curves("kTRC")
      let (light, back) = (lightness.decoding, lightness.encoding)
      transfer = TransferFunction(
        Coordinates(
          "\(self), lightness", origin: origin,
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

// MARK: - Matrix profiles

extension ICCProfile {
  private func spaceOfLights() throws(ICCProfileError) -> ColorSpace {
    let (colorants, light) = try colorants()
    let transfer = try transfer(light: light)
    let space = ColorSpace(
      description, primaries: primaries(colorants, white: try white()), transfer: transfer,
      origin: transfer.origin)
    return Self.known(space) { known in
      // Compared relative to the named space's own white point: version 2 profiles often do not state theirs.
      let primaries = primaries(colorants, white: known.primaries.white)
      return ColorSpace(known.name, primaries: primaries, transfer: transfer)
        .isInterchangeable(with: known)
    } ?? space
  }

  /// One curve for all channels, or three.
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
        reason: "colorants that sum to \(light) times white need one curve for all channels")
    }
    let red = try curves[0].curves(tags[0])
    let green = try curves[1].curves(tags[1])
    let blue = try curves[2].curves(tags[2])
    return TransferFunction(
      Coordinates(
        "\(self), a curve for each channel", origin: origin,
        decoding: [.curves("curves of the profile", red.decoding, green.decoding, blue.decoding)],
        encoding: [
          .curves("curves of the profile, back", red.encoding, green.encoding, blue.encoding)
        ]))
  }

  /// Colorants whose sum exceeds this encode values beyond white. Those of profiles for values up to white are within
  /// 0.0004 of it.
  static let brightestWhite = 1.002

  /// Returns the matrix from linear RGB to XYZ relative to the PCS white, for colorants that make a space, and the
  /// ratio of their sum to white: more than 1 with curves that exceed white.
  private func colorants() throws(ICCProfileError) -> (ColorMatrix, light: Double) {
    guard header.connectionSpace == "XYZ " else {
      throw .malformedTag(
        "rXYZ",
        reason: "colorants need the connection space XYZ, not “\(header.connectionSpace)”")
    }
    let stored = try colorantMatrix()
    let brightest = (stored.column0 + stored.column1 + stored.column2).y
    let light = brightest > Self.brightestWhite ? brightest : 1
    let matrix = ColorMatrix(
      columns: stored.column0 / light, stored.column1 / light, stored.column2 / light)
    let white = matrix.column0 + matrix.column1 + matrix.column2
    let apart = white - connectionWhite
    // A space's primaries sum to its white point, so a small difference from rounding is corrected. Profiles are within
    // 0.0004; those with values beyond white differ by rounding only.
    let allowed = light == 1 ? 0.002 : 0.0001
    guard [apart.x, apart.y, apart.z].allSatisfy({ abs($0) < allowed }) else {
      throw .malformedTag(
        "rXYZ",
        reason:
          "the colorants sum to XYZ \(text(white)), not to the PCS white \(text(connectionWhite))"
      )
    }
    guard Self.areUsable(matrix) else {
      let columns = [matrix.column0, matrix.column1, matrix.column2]
      throw .malformedTag(
        "rXYZ", reason: "the colorants \(columns.map(text)) are linearly dependent or too dark")
    }
    return (matrix, light)
  }

  /// Whether colorants, relative to the PCS white, are bright and independent enough to make a space. They are negative where the white
  /// point lies outside of the triangle of the primaries.
  static func areUsable(_ colorants: ColorMatrix) -> Bool {
    abs(colorants.determinant) > 1e-5
      && [colorants.column0, colorants.column1, colorants.column2].allSatisfy {
        abs($0.sum()) > 1e-3
      }
  }

  /// Whether a white point may be that of a light or a paper.
  static func isPlausible(white: SIMD3<Double>) -> Bool {
    (0.2...5).contains(white.x) && (0.5...2).contains(white.y) && (0.05...5).contains(white.z)
  }

  /// Returns the chromaticities of the primaries. The PCS values are adapted back by Bradford, whatever adaptation the
  /// profile used, because color spaces adapt by Bradford: colors relative to the PCS white are preserved.
  private func primaries(_ colorants: ColorMatrix, white: Chromaticity) -> Primaries {
    let matrix =
      ColorMatrix.adapting(from: Chromaticity(xyz: connectionWhite), to: white) * colorants
    return Primaries(
      red: Chromaticity(xyz: matrix.column0), green: Chromaticity(xyz: matrix.column1),
      blue: Chromaticity(xyz: matrix.column2), white: white)
  }

  /// Returns the white point before adaptation: by the inverse of `chad`, or, in version 2, the media white point.
  private func white() throws(ICCProfileError) -> Chromaticity {
    var white = connectionWhite
    if has("chad") {
      let n = try parser().adaptation()
      let adaptation = ColorMatrix(
        rows: [n[0], n[1], n[2]], [n[3], n[4], n[5]], [n[6], n[7], n[8]])
      guard abs(adaptation.determinant) > 1e-3 else {
        throw .malformedTag("chad", reason: "the matrix is singular")
      }
      white = adaptation.inverse * connectionWhite
    } else if header.version.major < 4, has("wtpt") {
      white = try mediaWhite()
    }
    guard Self.isPlausible(white: white) else {
      throw .malformedTag(
        has("chad") ? "chad" : "wtpt", reason: "XYZ \(text(white)) is no plausible white point")
    }
    return Chromaticity(xyz: white)
  }
}

private func text(_ color: SIMD3<Double>) -> String { "(\(color.x), \(color.y), \(color.z))" }
