import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Conformance of filters with many parameters, and neutral ones. `FilterCatalogTests.lawsHold` checks every filter of the catalog with
/// the sample of its declaration.
@Suite struct FilterLawTests {
  @Test(arguments: [InversionMeaning.encoded, .light])
  func invert(meaning: InversionMeaning) throws { FilterLaws.check(Inversion(meaning)) }

  @Test func reciprocalInverts() throws {
    // Both divide by values down to a hundredth of 1, which amplifies errors; a negative may be a hundred times as
    // bright.
    FilterLaws.check(Inversion(.density(range: 2)), tolerance: 4e-4)
    FilterLaws.check(Inversion(.value), tolerance: 4e-4)
  }

  @Test func contrast() throws {
    FilterLaws.check(try Contrast(1.3), identity: try Contrast(1))
    // Below 1 a contrast has an infinite slope at black, where the rounding error of conversions is 10⁻⁸: to the power
    // of 0.8, 4·10⁻⁷.
    FilterLaws.check(try Contrast(0.8, pivot: 0.5))
  }

  @Test func brightness() throws {
    FilterLaws.check(Brightness(0.1), identity: Brightness(0))
  }

  @Test func gamma() throws {
    FilterLaws.check(try Gamma(exponent: 1.2), identity: try Gamma(exponent: 1))
  }

  @Test func saturation() throws {
    FilterLaws.check(Saturation(1.4), identity: Saturation(1))
    FilterLaws.check(Saturation(0))
  }

  /// Oklab's roots have an infinite slope where a cone response is zero, as for imaginary colors; changing the hue or
  /// chroma moves that error to other cones. Among 5000 colors some cone response is as close to zero as 10⁻⁴, where a
  /// rounding error of 10⁻⁷ becomes 2·10⁻⁵ in its root, and three times that in linear light.
  @Test func oklab() throws {
    FilterLaws.check(
      HueRotation(degrees: 40), identity: HueRotation(degrees: 0), tolerance: 1e-4)
    FilterLaws.check(try Vibrance(0.6), identity: try Vibrance(0), tolerance: 1e-4)
  }

  @Test func levels() throws {
    let same = try ChannelLevels()
    let red = try ChannelLevels(black: 0.05, white: 0.9, gamma: 1.2)
    let green = try ChannelLevels(outputBlack: 1, outputWhite: 0)
    // Gamma has an infinite slope at the black level, where a rounding error of 10⁻⁸ becomes 10⁻⁷ and more.
    FilterLaws.check(
      Levels(red: red, green: green, blue: same),
      identity: Levels(red: same, green: same, blue: same), tolerance: 1e-5)
  }

  @Test func liftGammaGain() throws {
    FilterLaws.check(
      try LiftGammaGain(lift: [0.05, 0, -0.02], gamma: [1.1, 0.9, 1], gain: [1.2, 1, 0.8]),
      identity: try LiftGammaGain(), tolerance: 1e-5)
  }

  // Powers and logarithms of values up to 4 with slopes up to 5, in single precision.
  @Test(arguments: GradingStyle.allCases) func grades(style: GradingStyle) throws {
    FilterLaws.check(
      try ExposureContrast(exposure: 0.4, contrast: 1.2, style: style),
      identity: try ExposureContrast(style: style), tolerance: 1e-5)
    FilterLaws.check(
      try GradingPrimary(
        style: style, contrast: style == .video ? .one : [1.2, 1, 0.9, 1.1],
        gain: style == .video ? [1.2, 1, 0.9, 1.1] : .one, saturation: 1.2),
      identity: try GradingPrimary(style: style), tolerance: 1e-5)
    FilterLaws.check(
      try GradingTone(
        style: style, blacks: ToneZone(0.9), shadows: ToneZone([1, 1.3, 1, 0.9]),
        midtones: ToneZone(1.2), highlights: ToneZone(0.8), whites: ToneZone(1.3), sContrast: 1.1),
      identity: try GradingTone(style: style), tolerance: 1e-5)
    let curve = try GradingCurve(through: [[-3, -2.5], [0.2, 0.1], [0.6, 0.7], [1, 0.9]])
    FilterLaws.check(
      GradingCurves(style: style, red: curve, master: curve),
      identity: GradingCurves(style: style), tolerance: 1e-5)
  }

  @Test(arguments: GradingDirection.allCases) func logarithms(direction: GradingDirection) throws {
    FilterLaws.check(
      try LogCurve(
        base: 10, logSideSlope: SIMD3(repeating: 0.25), logSideOffset: [0.39, 0.4, 0.3],
        linSideSlope: SIMD3(repeating: 5.5), linSideOffset: SIMD3(repeating: 0.05),
        linSideBreak: SIMD3(repeating: 0.01), direction: direction), tolerance: 1e-5)
  }

  @Test(arguments: [ColorDecisions.Style.clamped, .unclamped])
  func colorDecisions(style: ColorDecisions.Style) throws {
    FilterLaws.check(
      try ColorDecisions(
        slope: [1.1, 0.9, 1], offset: [0.02, -0.05, 0], power: [1.2, 0.8, 1], saturation: 1.3,
        style: style),
      identity: style == .unclamped ? try ColorDecisions(style: style) : nil, tolerance: 1e-5)
  }

  @Test func whiteBalance() throws {
    FilterLaws.check(
      try WhiteBalance(kelvin: 3200, tint: 8), identity: try WhiteBalance(light: .d65))
  }

  @Test func channelMix() throws {
    FilterLaws.check(
      ChannelMix(
        ColorMatrix(rows: [0.7, 0.2, 0.1], [0, 1, 0], [-0.2, 0.4, 0.8]), offset: [0, 0.1, 0]),
      identity: ChannelMix(.identity))
    FilterLaws.check(ChannelMix.extracting(.green))
    FilterLaws.check(ChannelMix.rearranging(red: .blue, green: .green, blue: .red))
  }

  @Test func fourChannelMix() throws {
    FilterLaws.check(
      FourChannelMix(
        red: [0.7, 0.2, 0.1, -0.1], blue: [-0.2, 0, 0.8, 0.4], alpha: [0.1, 0.2, 0, 0.5],
        offset: [0, 0.1, 0, 0.05]), inputs: 1)
    FilterLaws.check(FourChannelMix(green: [0, 0.5, 0, 0]), inputs: 1)
  }

  @Test func monochrome() throws {
    FilterLaws.check(Monochrome())
    FilterLaws.check(Monochrome(weights: [1.2, -0.1, -0.1]))
  }

  @Test func threshold() throws { FilterLaws.check(Threshold(level: 0.3)) }

  @Test func exposure() throws {
    FilterLaws.check(try Exposure(stops: 1.5), identity: try Exposure(stops: 0))
  }

  @Test func toneCurves() throws {
    let diagonal = try CubicCurve(through: [[0, 0], [0.5, 0.5], [1, 1]])
    // Film curves have slopes of up to sixteen, which amplify errors before them.
    FilterLaws.check(
      ToneCurves(red: FilmCurves.red, green: FilmCurves.green, blue: FilmCurves.blue),
      identity: ToneCurves(red: diagonal, green: diagonal, blue: diagonal), tolerance: 4e-5)
  }

  @Test(arguments: [ToneScale.light, .stored, .encoded(.sRGB), .encoded(.acescct)])
  func toneCurves(over scale: ToneScale) throws {
    let curve = try CubicCurve(
      through: [[0, 0], [0.25, 0.2], [0.7, 0.8], [1, 1]], interpolation: .akima,
      extrapolation: .held)
    // A logarithm expands shadows: its exponential amplifies errors by up to 12.
    FilterLaws.check(
      ToneCurves(red: curve, green: curve, blue: curve, over: scale), tolerance: 2e-5,
      except: [.range])
  }

  @Test(arguments: [ColorTable.Interpolation.tetrahedral, .trilinear])
  func look(interpolation: ColorTable.Interpolation) throws {
    let table = try ColorTable(size: 17, highest: [1, 1, 1.5], interpolation: interpolation) {
      [$0.x * $0.y, 1 - $0.y * $0.y, $0.z]
    }
    let curve = Curve.sampled(SampledCurve([0, 0.3, 0.6, 1]))
    FilterLaws.check(
      Look(steps: [.curves(curve, .identity, curve), .table(table)]), identity: Look())
  }

  @Test func toneMappings() throws {
    FilterLaws.check(try Reinhard(white: 4))
    FilterLaws.check(try SigmoidView())
    // PQ expands shadows, and errors before it; its inverse compresses both.
    FilterLaws.check(try DisplayMapping(from: 1000, to: 200), tolerance: 2e-5)
    FilterLaws.check(try BT2446A())
    FilterLaws.check(try BT2446C())
    for version in ACESVersion.allCases {
      FilterLaws.check(try ACESOutput(version))
      FilterLaws.check(try ACESOutput(version, on: .p3, peak: 1000))
    }
  }

  @Test func negativeDevelopment() throws {
    let film = try NegativeDevelopment(
      base: [0.8, 0.5, 0.3], white: [0.05, 0.02, 0.01], contrast: [0.6, 0.66, 0.7])
    // Density is a logarithm: at the dark end a development amplifies errors by the reciprocal of the linear value.
    FilterLaws.check(film, tolerance: 4e-3)
    FilterLaws.check(NegativeExposure(undoneBy: film))
  }

  @Test func powerNegative() throws {
    // A power of −2 amplifies errors by up to 2 · 100² where the film is a hundred times as dense as its neutral tone;
    // linear values of non-flat pictures are as large there.
    FilterLaws.check(
      try PowerNegative(exponents: [1.9, 1.5, 1.3], neutral: [0.2, 0.15, 0.1]), tolerance: 4e-3)
  }

  @Test func densityPrint() throws {
    // The paper's fourth power and the film's low contrast: errors near the densest film are amplified a thousandfold.
    FilterLaws.check(try DensityPrint(), tolerance: 4e-3)
  }

  @Test func filmPrints() throws {
    // The published curves have slopes of up to sixteen, which amplify errors before them.
    FilterLaws.check(CurveDevelopment.published(), tolerance: 4e-5)
    FilterLaws.check(try PaperCurve())
  }

  @Test(
    arguments: [
      GamutMarking.grayInside, .tintOutside(ColorPoint(0, 0, 1, in: .sRGB)), .mask,
    ])
  func gamutMask(marking: GamutMarking) throws {
    let except: Set<FilterLaw> = marking == .grayInside ? [] : [.range]
    FilterLaws.check(try GamutMask(outside: .sRGB, marking: marking), except: except)
    FilterLaws.check(
      try GamutMask(
        outside: .sRGB, tolerance: 2, metric: .difference(.ciede2000()), marking: marking),
      except: [.range])
  }

  @Test func gamutCompress() {
    FilterLaws.check(GamutCompress())
    // The inverse has a pole where the most distant colors lie, and is as steep there as the remaining distance is
    // small.
    FilterLaws.check(GamutCompress(.aces13, .outwards), tolerance: 1e-3)
  }

  @Test func hlgRendering() throws {
    FilterLaws.check(try HLGRendering())
    // A root of the remainder where positive and negative values nearly cancel: an infinite slope.
    FilterLaws.check(try HLGRendering(.undone), tolerance: 1e-3)
  }

  @Test func gainMap() throws {
    FilterLaws.check(
      GainMapApplication(
        try GainMap(
          least: [-1, 0, 0.5], greatest: [2, 3, 2.5], gamma: [1, 0.5, 2], alternateHeadroom: 3,
          displayHeadroom: 2)), tolerance: 2e-5)
  }

  @Test func gainMapComputation() throws {
    // The declaration of `compute-gain-map` says that it clamps.
    FilterLaws.check(
      try GainMapComputation(least: [-1, 0, 0.5], greatest: [2, 3, 2.5]), except: [.range])
  }

  @Test(arguments: [TriangleMixing.light, .encoded])
  func colorTriangle(mixing: TriangleMixing) throws {
    FilterLaws.check(
      ColorTriangle(
        top: ColorPoint(1, 0, 0, in: .displayP3), left: ColorPoint(0, 1, 0, in: .displayP3),
        right: ColorPoint(0, 0, 1, in: .displayP3), mixing: mixing, in: .displayP3,
        size: PixelSize(61, 37)))
  }

  @Test func gamutFit() throws {
    FilterLaws.check(try GamutFit(mapping: .clipped))
    // The search stops at chroma steps of 10⁻⁴ (CSS Color 4, 13.2.2), so rounding may change its path: the
    // specification's own tolerance is a thousandth of a channel.
    FilterLaws.check(try GamutFit(), tolerance: 1e-3)
    FilterLaws.check(try GamutFit(mapping: .rayTraced), tolerance: 1e-5)
    FilterLaws.check(try GamutFit(mapping: .softKnee()), tolerance: 1e-5)
    FilterLaws.check(try GamutFit(mapping: .compressed()))
  }

  @Test(arguments: [ResizeTarget.exact(100, 30), .fit(40, 40), .scaled(by: 2.3), .exact(3, 57)])
  func resize(target: ResizeTarget) throws { FilterLaws.check(try Resize(to: target)) }

  @Test(arguments: ResamplingKernel.named) func resizeKernel(kernel: ResamplingKernel) throws {
    FilterLaws.check(try Resize(to: .exact(50, 31), by: kernel))
    FilterLaws.check(try Resize(to: .scaled(by: 1.7), by: kernel, limitsRinging: true))
  }

  @Test(arguments: Orientation.allCases) func orient(orientation: Orientation) throws {
    FilterLaws.check(Reorientation(orientation))
  }

  @Test(arguments: [ResamplingKernel.nearest, .triangle, .catmullRom, .lanczos3])
  func transform(kernel: ResamplingKernel) throws {
    let turned = PlaneTransform.rotated(degrees: 17).followed(by: .moved(x: 3, y: -2))
    // Weights are interpolated in a table, with errors of 10⁻⁷; nine of them per axis, and positions in double
    // precision.
    FilterLaws.check(try Transform(from: turned, by: kernel), tolerance: 1e-5)
    let aside = try PlaneTransform.square(to: [[0, 0], [200, 6], [260, 20], [3, 17]])
      .followed(by: .scaled(x: 1.5, y: 2))
    let small = PlaneTransform.scaled(x: 1 / 90.0, y: 1 / 12.0).followed(by: aside)
    FilterLaws.check(
      try Transform(
        from: small, size: PixelSize(90, 12), part: Region(x: 0, y: 0, width: 1, height: 1),
        by: kernel), tolerance: 1e-5, except: [.alpha])
  }

  @Test func remap() throws {
    let places = Bitmap<Float>(PixelSize(33, 17), in: .linearSRGB, channels: .grayAlpha) { x, y in
      [Float(x * y) / 3 - 10, x == 5 ? .nan : Float(y) - Float(x) / 4]
    }
    FilterLaws.check(try Remap(places), tolerance: 1e-5)
  }

  // A sum of products of values up to 1.75, once per axis, in single precision.
  @Test(arguments: [0.3, 2.5, 6.0]) func gaussianBlur(sigma: Double) throws {
    FilterLaws.check(try GaussianBlur(sigma: sigma), tolerance: 1e-5)
  }

  @Test(arguments: [1, 2, 5]) func squares(radius: Int) throws {
    FilterLaws.check(try BoxBlur(radius: radius), tolerance: 1e-5)
    FilterLaws.check(try Median(radius: radius))
    for operation in Morphology.Operation.allCases {
      FilterLaws.check(try Morphology(operation, radius: radius))
    }
  }

  @Test(arguments: AxisMean.Axis.allCases) func means(axis: AxisMean.Axis) throws {
    FilterLaws.check(AxisMean(of: axis))
  }

  @Test func guidedFilter() throws {
    // Sums are doubles. The samples, values up to 3, and the results are rounded to single precision.
    FilterLaws.check(try GuidedFilter(radius: 2, contrast: 0.1), tolerance: 2e-6)
  }

  @Test func convolutions() throws {
    FilterLaws.check(Sobel(), tolerance: 2e-5)
    FilterLaws.check(Convolution.laplacian, tolerance: 2e-5)
    FilterLaws.check(
      try Convolution([[1, 2, 0], [-1, 0.5, 3], [0, -2, 1], [0, 0, -1], [2, 1, -0.5]]),
      tolerance: 2e-5, except: [.alpha])
  }

  @Test func mixturesWithBlurs() throws {
    FilterLaws.check(UnsharpMask(amount: 1.5))
    FilterLaws.check(UnsharpMask(amount: 1.5, luminanceWeights: [0.25, 0.5, 0.25]))
    FilterLaws.check(try VariableBlur(sigmas: [0, 1, 3]), inputs: 4, tolerance: 1e-5)
  }

  @Test func painters() throws {
    let (red, blue) = (ColorPoint(1, 0, 0, in: .sRGB), ColorPoint(0, 0, 1, in: .displayP3))
    FilterLaws.check(SolidColor(red, in: .displayP3))
    FilterLaws.check(try Checker(red, blue, side: 5, in: .displayP3))
    FilterLaws.check(
      try Gradient(
        .linear(from: [3, 4], to: [90, 17]),
        [GradientStop(red, at: 0), GradientStop(blue, at: 0.3), GradientStop(red, at: 1)],
        mixedIn: .displayP3))
    FilterLaws.check(try ColorBars(size: PixelSize(61, 7)))
    FilterLaws.check(BroadcastBars(size: PixelSize(97, 31)))
    FilterLaws.check(try Stripes(red, blue, width: 3, direction: .horizontal, in: .displayP3))
    FilterLaws.check(try GaussianSpot(red, on: blue, center: [40, 9], sigma: 12, in: .displayP3))
    FilterLaws.check(try ZonePlate(center: [40, 9.5], radius: 100))
    FilterLaws.check(try GradientNoise(seed: 3, cell: 9.5, octaves: 3))
    FilterLaws.check(try ColorChecker(patch: 8, in: .displayP3))
    FilterLaws.check(try HueSweep(chroma: 0.1, size: PixelSize(61, 37)))
    FilterLaws.check(
      try TriangleMesh(
        [
          MeshVertex([3, 2], red), MeshVertex([40, 9], blue),
          MeshVertex([11, 30], red), MeshVertex([50, 31], blue),
        ], triangles: [[0, 1, 2], [1, 2, 3]], mixedIn: .displayP3))
  }

  /// The catalog's sample, since only pictures and recipes create diagrams.
  @Test func chromaticityDiagram() throws {
    let entry = try #require(FilterCatalog.builtIn["chromaticity-diagram"])
    let filter = try entry.filter(#require(entry.sample), at: entry.name)
    FilterLaws.check(try #require(filter as? Painting<ChromaticityDiagram>).painter)
  }

  @Test func resizeToTheSameSize() throws {
    let source = TestPictures.floats()
    let same = Picture(source).resized(to: .exact(source.size.width, source.size.height))
    #expect(try same.render(as: Float.self).isIdentical(to: source))
  }

  @Test(arguments: CompositeOperator.allCases) func composite(operator: CompositeOperator) throws {
    FilterLaws.check(Composite(`operator`))
  }

  @Test(arguments: BlendMode.allCases) func blendMode(mode: BlendMode) throws {
    // Dodging divides by the source's distance from white, division by the source, and saturation by the distance of a
    // color from gray: among ten thousand random pixels some have only a ten-thousandth of that, which amplifies errors
    // accordingly.
    let steep: Set<BlendMode> = [
      .colorDodge, .colorBurn, .vividLight, .divide, .hue, .saturation,
    ]
    FilterLaws.check(Composite(mode: mode), tolerance: steep.contains(mode) ? 1e-2 : 1e-5)
  }

  @Test(arguments: MaskChannel.allCases) func masks(channel: MaskChannel) throws {
    FilterLaws.check(MaskBlend(by: channel), inputs: 3)
    FilterLaws.check(AlphaMask(by: channel))
  }

  @Test func dissolve() throws { FilterLaws.check(Dissolve(amount: 0.5), inputs: 3) }

  @Test(arguments: ChannelAlpha.allCases)
  func channelComposite(alpha: ChannelAlpha) throws {
    for extent in BlendExtent.allCases {
      for inputs in 3...4 {
        FilterLaws.check(ChannelComposite(alpha: alpha, extent: extent), inputs: inputs)
      }
    }
  }

  @Test func noise() throws {
    FilterLaws.check(Noise(seed: 1))
    FilterLaws.check(Noise(seed: 2, isGray: false))
  }

  @Test func differenceMap() throws {
    FilterLaws.check(DifferenceMap(by: .cie76), inputs: 2)
  }

  @Test func canary() throws { FilterLaws.check(Canary(size: PixelSize(97, 41))) }
}
