internal import ColorSpaces
public import FilterGraph
internal import ImageBuffer

/// A picture through every filter, for properties of all of them.
public enum EveryFilter {
  /// Returns each filter applied to `source`, which begins at (0, 0) and is at least some dozens of pixels wide and
  /// high.
  public static func pictures(
    of source: Picture
  ) throws -> [(name: String, picture: Picture)] {
    let points = try points(source)
    let neighbors = try neighbors(source)
    let mixtures = try mixtures(source)
    return points + neighbors + mixtures + (try painted(like: source)) + (try declared(source))
  }

  /// The filters of the catalog with the samples in their declarations, so that new filters are tested automatically.
  private static func declared(
    _ source: Picture
  ) throws -> [(name: String, picture: Picture)] {
    try FilterCatalog.builtIn.entries.compactMap { entry in
      guard let sample = entry.sample else { return nil }
      let filter = try entry.filter(sample, at: entry.name)
      let inputs = (0..<entry.inputs.lowerBound).map { source.exposure(Double($0) / 2) }
      let picture = filter.picture(of: inputs)
      return (
        "--\(entry.name)",
        picture.isEndless ? picture.cropped(to: Region(source.size)) : picture
      )
    }
  }

  private static func points(
    _ source: Picture
  ) throws -> [(name: String, picture: Picture)] {
    let curve = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.7, 0.8], [1, 1]])
    let table = try ColorTable(size: 9, highest: [1, 1, 1.5], interpolation: .tetrahedral) {
      [$0.x * $0.y, 1 - $0.y * $0.y, $0.z]
    }
    let film = try NegativeDevelopment(
      base: [0.8, 0.5, 0.3], white: [0.05, 0.02, 0.01], contrast: [0.6, 0.66, 0.7])
    let levels = try ChannelLevels(black: 0.05, white: 0.9, gamma: 1.2)
    return [
      ("ACES 1.3", source.acesOutput(.v13)),
      ("ACES 2.0", source.acesOutput(.v20, on: .p3)),
      ("conversion", source.converted(to: .rec2020)),
      ("conversion by curves of segments", source.converted(to: .acescct)),
      ("brightness", source.applying(Brightness(0.1))),
      ("BT.2446 method A", source.bt2446A()),
      ("BT.2446 method C", source.bt2446C()),
      ("channel mix", source.applying(ChannelMix.extracting(.green))),
      (
        "color decisions",
        source.applying(try ColorDecisions(slope: [1.1, 0.9, 1], power: [1.2, 0.8, 1]))
      ),
      ("contrast", source.contrast(1.2)),
      ("curve development", source.developed(by: .published())),
      ("display mapping", source.displayMapping(from: 1000, to: 200)),
      ("density print", source.developed(by: try DensityPrint())),
      ("exposure", source.exposure(0.5)),
      (
        "four channel mix",
        source.channelMix(red: [0.5, 0.25, 0, 0.25], alpha: [0.25, 0.5, 0, 0])
      ),
      ("gamma", source.gamma(exponent: 1.2)),
      ("gamut compression", source.gamutCompressed()),
      ("gamut fit, clipped", source.applying(try GamutFit(mapping: .clipped))),
      ("gamut fit, less chroma", source.applying(try GamutFit())),
      ("gamut fit, ray traced", source.applying(try GamutFit(mapping: .rayTraced))),
      ("gamut fit, soft knee", source.applying(try GamutFit(mapping: .softKnee()))),
      ("gamut fit, compressed", source.applying(try GamutFit(mapping: .compressed()))),
      ("gamut mask", source.gamutMask(outside: .sRGB)),
      ("HLG rendering", source.hlgRendered()),
      ("hue rotation", source.hueRotation(40)),
      ("inversion", source.inverted()),
      ("inversion of density", source.inverted(.density(range: 2))),
      ("levels", source.applying(Levels(red: levels, green: levels, blue: levels))),
      (
        "lift, gamma, gain",
        source.applying(try LiftGammaGain(lift: [0.05, 0, -0.02], gamma: [1.1, 0.9, 1]))
      ),
      (
        "exposure and contrast",
        source.exposureContrast(exposure: 0.5, contrast: 1.2, style: .video)
      ),
      (
        "grading primary",
        source.gradingPrimary(
          brightness: [2, 0, -1, 3], contrast: [1, 1, 1.1, 1.2], gamma: [1, 1.1, 1, 1],
          saturation: 0.9)
      ),
      (
        "grading tone",
        source.gradingTone(
          style: .linear, blacks: ToneZone(0.8), shadows: ToneZone([1, 1.3, 1, 0.9]),
          midtones: ToneZone(1.2), whites: ToneZone(1.3), sContrast: 1.1)
      ),
      (
        "grading curves",
        source.gradingCurves(
          style: .linear, green: try GradingCurve(through: [[-7, -7], [-1, -1.5], [7, 7]]),
          master: try GradingCurve(through: [[-7, -6], [0, 0.3], [7, 6]]))
      ),
      (
        "logarithm",
        source.logCurve(
          base: 10, logSideSlope: SIMD3(repeating: 0.25), linSideSlope: SIMD3(repeating: 5.5),
          linSideOffset: SIMD3(repeating: 0.05), linSideBreak: SIMD3(repeating: 0.01))
      ),
      ("look", source.look(Look(steps: [.table(table)]))),
      ("monochrome", source.monochrome()),
      (
        "negative, measured",
        source.developed(
          NegativeFilm(
            base: .region(Region(x: 1, y: 2, width: 9, height: 6)),
            white: .transmittance([0.05, 0.02, 0.01]),
            contrast: [0.6, 0.66, 0.7]))
      ),
      ("negative development", source.applying(film)),
      ("negative exposure", source.applying(NegativeExposure(undoneBy: film))),
      ("paper curve", source.paperCurve()),
      (
        "power negative",
        source.developed(
          by: try PowerNegative(clear: [0.8, 0.5, 0.3], dense: [0.05, 0.02, 0.01]))
      ),
      ("Reinhard", source.reinhard(white: 4)),
      ("saturation", source.saturation(1.4)),
      ("sigmoid view", source.sigmoidView()),
      ("storing as halves", source.stored(as: .float16)),
      ("threshold", source.threshold(level: 0.3)),
      ("tone curves", source.toneCurve(curve)),
      ("vibrance", source.vibrance(0.6)),
      ("white balance", source.whiteBalance(kelvin: 3200)),
    ]
  }

  private static func neighbors(
    _ source: Picture
  ) throws -> [(name: String, picture: Picture)] {
    let size = source.size
    let places = Bitmap<Float>(size, in: .linearSRGB, channels: .grayAlpha) { x, y in
      [Float(size.width - x), Float(y) + Float(x) / 16]
    }
    return [
      ("box blur", source.boxBlurred(radius: 3)),
      ("cache", source.boxBlurred(radius: 3).cached(in: PictureCache(bytes: 1 << 22))),
      ("convolution", source.convolved([[1, 2, 0], [-1, 0.5, 3], [0, -2, 1]])),
      ("chromaticity diagram", try source.chromaticityDiagram(side: 64)),
      (
        "crop",
        source.cropped(to: Region(x: 3, y: 2, width: size.width - 9, height: size.height - 5))
      ),
      ("crop to an aspect", source.cropped(toAspect: 3, 2, x: 0.25)),
      ("dilation", source.dilated(by: 2)),
      ("dilation by 20", source.dilated(by: 20)),
      ("erosion", source.eroded(by: 1)),
      ("extension", source.extended(by: .wrapped).cropped(to: source.region.expanded(by: 7))),
      ("Gaussian blur", source.blurred(sigma: 2.5)),
      ("Gaussian blur over a grid", source.blurred(sigma: 9)),
      ("guided filter", source.guidedSmoothed(radius: 2, contrast: 0.1)),
      ("Laplacian", source.laplacian()),
      ("means of columns", source.columnMeans()),
      ("means of rows", source.rowMeans()),
      ("median", source.median(radius: 1)),
      ("median of 25", source.median(radius: 2)),
      ("median of 121", source.median(radius: 5)),
      ("median of 441", source.median(radius: 10)),
      ("mirror", source.mirrored()),
      (
        "padding with a color",
        source.padded(
          to: source.region.expanded(by: 5), with: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))
      ),
      ("padding", source.padded(to: source.region.expanded(by: 5), edges: .mirrored)),
      (
        "padding to a size",
        source.padded(to: PixelSize(size.width + 7, size.height - 3), edges: .repeated, y: 1)
      ),
      ("perspective", source.perspective(to: [[2, 1], [40, 4], [43, 30], [0, 25]])),
      ("remap", source.remapped(by: places)),
      (
        "reduced source",
        Picture(ReducibleRows(size: size)).reduced(toAtLeast: PixelSize(size.width / 3, 9))
      ),
      ("resampling", source.applying(try Resize(to: .fill(40, 30), by: .nearest))),
      ("resize, larger", source.resized(to: .scaled(by: 1.6), by: .catmullRom)),
      ("resize, smaller", source.resized(to: .scaled(by: 0.37))),
      ("rotation", source.rotated(degrees: 17)),
      ("shear", source.transformed(by: .sheared(x: 0.2, y: 0.1), kernel: .triangle)),
      (
        "straightening",
        source.straightened([[2, 2], [35, 5], [33, 20], [4, 21]], to: PixelSize(70, 50))
      ),
      (
        "transformation",
        source.applying(
          try Transform(
            from: .rotated(degrees: 12), size: size, part: source.region.expanded(by: -3),
            by: .mitchell))
      ),
      ("quarter turn", source.turned(quarters: 1)),
      ("Sobel", source.edges()),
    ]
  }

  private static func mixtures(
    _ source: Picture
  ) throws -> [(name: String, picture: Picture)] {
    let other = source.inverted().moved(by: Offset(5, 3))
    var pictures: [(name: String, picture: Picture)] = [
      ("channel composite", Picture(red: source, green: source.exposure(1), blue: other)),
      (
        "channel composite of four",
        Picture(red: source, green: source.exposure(1), blue: other, alpha: other)
      ),
      ("composite", source.applying(Composite(.exclusiveOr, mode: .hue), with: [other])),
      ("coverage mask", source.applying(AlphaMask(), with: [other])),
      ("covered", source.alphaMasked(by: other)),
      ("difference", source.difference(from: source.exposure(0.1))),
      ("dissolve by die", source.applying(Dissolve(amount: 0.4), with: [other, source])),
      ("flattening", source.flattened(onto: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))),
      ("dissolve", source.dissolved(into: other, amount: 0.5)),
      (
        "gain map",
        source.gainMapped(
          try GainMap(greatest: [2, 3, 2], alternateHeadroom: 3, displayHeadroom: 2),
          map: source.resized(to: .scaled(by: 0.5)))
      ),
      ("gain map between", source.computingGainMap(to: source.exposure(1.5), greatest: [2, 3, 2])),
      ("mask blend", source.blended(with: source.exposure(-1), mask: source)),
      ("mix by mask", source.applying(MaskBlend(by: .green), with: [other, source])),
      ("sharpening", source.sharpened(sigma: 1.5, amount: 0.8)),
      ("unsharp mask", source.applying(UnsharpMask(amount: 2, threshold: 0.1), with: [other])),
      (
        "mixed blurs",
        source.applying(
          try VariableBlur(sigmas: [0, 2]), with: [source.blurred(sigma: 2), source])
      ),
      ("variable blur", source.blurred(sigma: 4, mask: source)),
    ]
    for mode in BlendMode.allCases {
      pictures.append(("blend mode \(mode)", other.composited(onto: source, by: mode)))
    }
    for `operator` in CompositeOperator.allCases {
      pictures.append(
        ("operator \(`operator`)", other.composited(onto: source, operator: `operator`)))
    }
    return pictures
  }

  private static func painted(
    like source: Picture
  ) throws -> [(name: String, picture: Picture)] {
    let (region, space) = (Region(source.size), source.space)
    let (red, blue) = (ColorPoint(1, 0, 0, in: .sRGB), ColorPoint(0, 0, 1, in: .displayP3))
    func fill(_ painter: some Painter) -> Picture {
      Picture(painter, in: space).cropped(to: region)
    }
    let gradient = try Gradient(
      .radial(center: [20, 20], radius: 60),
      [GradientStop(red, at: 0), GradientStop(blue, at: 0.3), GradientStop(red, at: 1)],
      mixedIn: space)
    let mesh = try TriangleMesh(
      [
        MeshVertex([3, 2], red), MeshVertex([40, 9], blue),
        MeshVertex([11, 30], red), MeshVertex([50, 31], blue),
      ], triangles: [[0, 1, 2], [1, 2, 3]], mixedIn: space)
    return [
      ("broadcast bars", fill(BroadcastBars(size: source.size))),
      ("canary", fill(Canary(size: source.size))),
      ("checker", fill(try Checker(red, blue, side: 5, in: space))),
      ("color bars", fill(try ColorBars(size: source.size))),
      ("ColorChecker", fill(try ColorChecker(patch: 8, in: space))),
      (
        "color triangle",
        fill(
          ColorTriangle(
            top: red, left: blue, right: red, mixing: .light, in: space, size: source.size))
      ),
      (
        "Gaussian spot",
        fill(try GaussianSpot(red, on: blue, center: [20, 20], sigma: 9, in: space))
      ),
      ("gradient", fill(gradient)),
      ("gradient noise", fill(try GradientNoise(seed: 1, cell: 9, octaves: 3))),
      ("hue sweep", fill(try HueSweep(chroma: 0.1, size: source.size))),
      ("noise", fill(Noise(seed: 1, isGray: false))),
      ("solid color", fill(SolidColor(red, in: space))),
      ("stripes", fill(try Stripes(red, blue, width: 5, in: space))),
      ("triangle mesh", fill(mesh)),
      ("zone plate", fill(try ZonePlate(center: [20, 20], radius: 60))),
    ]
  }
}
