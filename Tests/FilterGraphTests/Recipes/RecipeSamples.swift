import ColorSpaces
import FilterGraph
import ImageBuffer
import _TestSupport

/// Sample pictures for every filter, by its name in recipes.
enum RecipeSamples {
  static let photo = Picture(TestPictures.floats(PixelSize(41, 23)))

  private static let red = ColorPoint(1, 0, 0, in: .sRGB)
  private static let blue = ColorPoint(0.1, 0.2, 0.9, in: .displayP3)
  private static let mask = Picture(TestPictures.floats(PixelSize(41, 23), seed: 3))
  private static let other = Picture(TestPictures.floats(PixelSize(30, 30), in: .sRGB, seed: 4))
    .moved(by: Offset(3, -2))

  static let all: [String: [@Sendable (Picture) -> Picture]] = [
    // Spaces.
    "convert": [{ $0.converted(to: .rec2020) }, { $0.converted(to: .oklab) }],
    "tag": [{ $0.tagged(as: .adobeRGB) }],
    "store": [{ $0.stored(as: .float16) }, { $0.stored(as: .uint8) }],
    "gamut-fit": [
      { $0.fitted(into: .sRGB) }, { $0.fitted(into: .sRGB, by: .clipped) },
      { $0.fitted(into: .sRGB, by: .rayTraced) }, { $0.fitted(into: .sRGB, by: .softKnee()) },
      { $0.fitted(into: .sRGB, by: .compressed()) },
    ],
    "gamut-mask": [
      { $0.gamutMask(outside: .sRGB, tolerance: 0.01) },
      {
        $0.gamutMask(
          outside: .sRGB, tolerance: 3, metric: .difference(.cie76), marking: .tintOutside(red))
      },
      { $0.gamutMask(outside: .sRGB, marking: .mask) },
    ],
    "gamut-compress": [
      { $0.gamutCompressed() },
      { picture in
        guard
          let compression = try? GamutCompression(
            threshold: [0.8, 0.7, 0.9], limit: [1.2, 1.3, 1.1], power: 1.5)
        else { return picture }
        return picture.gamutUncompressed(by: compression)
      },
    ],
    "hlg-rendering": [
      { $0.hlgRendered() },
      { picture in
        guard let display = try? HLGDisplay(peak: 600, gamma: 1.25) else {
          return picture
        }
        return picture.hlgSceneLight(on: display, white: 100)
      },
    ],
    "gain-map": [
      { picture in
        guard
          let gain = try? GainMap(
            least: [-0.5, 0, 0.25], greatest: [2, 3, 1.5], gamma: [1, 1.5, 0.75],
            alternateHeadroom: 3, displayHeadroom: 2)
        else { return picture }
        return picture.gainMapped(gain, map: mask)
      }
    ],
    "compute-gain-map": [
      {
        $0.computingGainMap(
          to: $0.exposure(1.5), least: [-0.5, 0, 0.25], greatest: [2, 3, 1.5],
          gamma: [1, 1.5, 0.75])
      }
    ],
    "develop-by-curves": [{ $0.developed(by: .published()) }],
    "paper-curve": [{ $0.paperCurve(contrast: 1.4, blackest: 1.9, gray: 0.2) }],
    // Exposure and color.
    "exposure": [{ $0.exposure(0.3) }],
    "contrast": [{ $0.contrast(1.3, pivot: 0.2) }],
    "brightness": [{ $0.brightness(-0.1) }],
    "saturation": [{ $0.saturation(1.4) }],
    "vibrance": [{ $0.vibrance(0.6) }],
    "hue-rotation": [{ $0.hueRotation(40) }],
    "gamma": [{ $0.gamma(exponent: 1.2) }],
    "levels": [
      { $0.levels(black: 0.05, white: 0.9, gamma: 1.2, outputBlack: 0.1, outputWhite: 0.95) },
      { picture in
        guard let red = try? ChannelLevels(black: 0.1), let green = try? ChannelLevels() else {
          return picture
        }
        return picture.levels(red: red, green: green, blue: green)
      },
    ],
    "lift-gamma-gain": [
      { $0.liftGammaGain(lift: [0.05, 0, -0.02], gamma: [1.1, 0.9, 1], gain: [1.2, 1, 0.8]) }
    ],
    "exposure-contrast": [
      { $0.exposureContrast(exposure: 0.5, contrast: 1.2, gamma: 0.9, style: .video) },
      { $0.exposureContrast(exposure: 0.5, style: .logarithmic, direction: .inverse) },
    ],
    "grading-primary": [
      { $0.gradingPrimary(brightness: [1, 2, 3, 4], pivot: 0.1, saturation: 0.8, clampWhite: 1) },
      { $0.gradingPrimary(style: .linear, offset: [0.1, 0, 0, 0], exposure: [0, 0, 0, 1]) },
      { $0.gradingPrimary(style: .video, lift: [0, 0, 0, 0.1], gain: [1, 1.2, 1, 1]) },
    ],
    "grading-tone": [
      {
        $0.gradingTone(
          style: .linear, blacks: ToneZone([1, 1.2, 1, 0.9], start: 0.5), whites: ToneZone(1.3),
          sContrast: 1.2)
      },
      { $0.gradingTone(shadows: ToneZone(1.4), highlights: ToneZone(1.4, width: 0.9)) },
    ],
    "grading-curves": [
      { picture in
        guard
          let curve = try? GradingCurve(
            through: [[0, 0], [0.4, 0.3], [1, 1]], slopes: [1, 0.7, 1]),
          let red = try? GradingCurve(through: [[0, 0.1], [1, 0.9]])
        else { return picture }
        return picture.gradingCurves(style: .video, red: red, master: curve)
      }
    ],
    "log-curve": [
      { $0.logCurve(logSideSlope: [0.1, 0.2, 0.3], linSideOffset: [0.1, 0.1, 0.1]) },
      {
        $0.logCurve(
          base: 10, linSideOffset: [0.1, 0.1, 0.1], linSideBreak: [0.01, 0.01, 0.01],
          linearSlope: [4, 4, 4], direction: .inverse)
      },
    ],
    "color-decisions": [
      {
        $0.colorDecisions(
          slope: [1.1, 0.9, 1], offset: [0.02, -0.05, 0], power: [1.2, 0.8, 1], saturation: 1.3,
          style: .unclamped)
      }
    ],
    "white-balance": [
      { $0.whiteBalance(kelvin: 3200, tint: 8) },
      { picture in
        (try? WhiteBalance(light: .d50, by: .cat16)).map { picture.applying($0) } ?? picture
      },
    ],
    "channel-mix": [
      { $0.channel(.green) }, { $0.channels(.blue, .green, .red) },
      {
        $0.channelMix(
          ColorMatrix(rows: [0.7, 0.2, 0.1], [0, 1, 0], [-0.2, 0.4, 0.8]), offset: [0, 0.1, 0],
          in: .perceptual)
      },
    ],
    "four-channel-mix": [
      {
        $0.channelMix(
          red: [0.7, 0.2, 0.1, 0], alpha: [0.2, 0.7, 0.1, 0], offset: [0, 0, 0, 0.125],
          in: .encoded)
      }
    ],
    "monochrome": [{ $0.monochrome() }, { $0.monochrome(weights: [1.2, -0.1, -0.1]) }],
    "threshold": [{ $0.threshold(level: 0.3) }],
    "invert": [
      { $0.inverted() }, { $0.inverted(.light) }, { $0.inverted(.value) },
      { $0.inverted(.density(range: 2)) },
    ],
    "tone-curves": [
      { $0.toneCurves(red: FilmCurves.red, green: FilmCurves.green, blue: FilmCurves.blue) },
      { picture in
        [ToneScale.light, .stored, .encoded(.acescct)].reduce(picture) { picture, scale in
          CubicCurve.Interpolation.allCases
            .reduce(picture) { picture, interpolation in
              let curve = try? CubicCurve(
                through: [[0, 0], [0.25, 0.2], [0.7, 0.8], [1, 1]], interpolation: interpolation,
                extrapolation: .held)
              return curve.map { picture.toneCurve($0, over: scale) } ?? picture
            }
        }
      },
    ],
    "look": [
      { picture in
        let curve = Curve.sampled(SampledCurve([0, 0.3, 0.6, 1]))
        let power = Curve.power(PowerCurve(exponent: 1.1))
        guard let decisions = try? ColorDecisions(slope: [1.1, 1, 1]),
          let table = try? ColorTable(
            size: 3, highest: [1, 1, 1.5], interpolation: .trilinear,
            { [$0.x * $0.y, 1 - $0.y * $0.y, $0.z / 3] })
        else { return picture }
        return picture.look(
          Look(
            title: "A “look”\n",
            steps: [
              .affine(scale: [1, 0.9, 1], offset: [0, 0.1, 0]), .curves(curve, .identity, power),
              .matrix(ColorMatrix(rows: [0.7, 0.2, 0.1], [0, 1, 0], [-0.2, 0.4, 0.8])),
              .clamp(-0.5...1.5), .decisions(decisions), .table(table),
            ]))
      }
    ],
    "reinhard": [{ $0.reinhard(white: 4) }],
    "sigmoid-view": [{ $0.sigmoidView(contrast: 1.4, gray: 0.2) }],
    "display-mapping": [{ $0.displayMapping(from: 1000, to: 200) }],
    "bt2446a": [{ $0.bt2446A() }, { $0.bt2446A(from: 4000, to: 200, unit: 100) }],
    "bt2446c": [{ $0.bt2446C() }, { $0.bt2446C(crosstalk: 0.1, unit: 100) }],
    "aces-output": [{ $0.acesOutput() }, { $0.acesOutput(.v13, on: .p3, peak: 2000) }],
    "develop": [
      {
        $0.developed(
          NegativeFilm(
            base: .region(Region(x: 1, y: 2, width: 5, height: 4)),
            white: .transmittance([0.05, 0.02, 0.01]), contrast: [0.5, 0.6, 0.7],
            offset: [0.01, 0, 0.02], isGray: true))
      },
      { $0.developed(.colorNegative()) },
      {
        $0.developed(
          .blackAndWhite(
            base: .transmittance([0.8, 0.8, 0.8]), white: .transmittance([0.05, 0.05, 0.05])))
      },
    ],
    "negative-development": [
      { picture in
        film.map { picture.applying($0) } ?? picture
      }
    ],
    "negative-exposure": [
      { picture in
        film.map { picture.applying(NegativeExposure(undoneBy: $0)) } ?? picture
      }
    ],
    "power-negative": [
      { picture in
        (try? PowerNegative(clear: [0.8, 0.5, 0.3], dense: [0.05, 0.02, 0.01], level: 0.9))
          .map { picture.developed(by: $0) } ?? picture
      }
    ],
    "density-print": [
      { picture in
        (try? DensityPrint(base: [1.13, 0.49, 0.27], range: 1.6, offset: 0.1))
          .map { picture.developed(by: $0) } ?? picture
      }
    ],
    // Several pictures.
    "layer": [
      { other.composited(onto: $0) },
      { other.composited(onto: $0, by: .softLight, operator: .sourceAtop, in: .oklab) },
      { Picture.constant(red, in: .sRGB).composited(onto: $0, by: .colorDodge) },
    ],
    "composite": [
      { $0.applying(Composite(.exclusiveOr, mode: .hue, extent: .first), with: [other]) }
    ],
    "blend-by-mask": [{ $0.blended(with: other, mask: mask, channel: .alpha) }],
    "blend-by-linear-mask": [
      { $0.applying(MaskBlend(by: .green, extent: .union), with: [other, mask]) }
    ],
    "alpha-mask": [{ $0.alphaMasked(by: mask, channel: .blue) }],
    "linear-alpha-mask": [{ $0.applying(AlphaMask(), with: [mask]) }],
    "dissolve": [{ $0.dissolved(into: other, amount: 0.4, seed: .max - 5) }],
    "dissolve-by-mask": [{ $0.applying(Dissolve(amount: 0.4), with: [other, mask]) }],
    "flatten": [{ $0.flattened(onto: red) }],
    "channel-composite": [
      { Picture(red: $0, green: $0.exposure(1), blue: other, alpha: .least, extent: .first) },
      { Picture(red: $0, green: $0.exposure(1), blue: other, alpha: mask, extent: .union) },
    ],
    "difference-map": [
      { $0.difference(from: mask) }, { $0.difference(from: mask, by: .cmc(l: 1)) },
      { $0.difference(from: mask, by: .cie94(.textiles)) },
      { $0.difference(from: mask, by: .hyAB) },
    ],
    // Geometry.
    "crop": [{ $0.cropped(to: Region(x: 3, y: 2, width: 20, height: 400)) }],
    "aspect-crop": [
      { $0.cropped(toAspect: 1.25) }, { $0.cropped(toAspect: 2.39, 1, x: 0, y: 0.25) },
      { $0.cropped(toAspect: 2, 3, x: 1) },
    ],
    "pad": [
      { $0.padded(to: Region(x: -3, y: 2, width: 60, height: 9), edges: .mirrored) },
      { $0.padded(to: PixelSize(60, 9), edges: .repeated, x: 0.25, y: 1) },
    ],
    "frame": [
      { $0.padded(to: Region(x: -3, y: 2, width: 60, height: 9), with: blue) },
      { $0.padded(to: PixelSize(60, 9), with: blue, x: 0, y: 0.75) },
    ],
    "extend": [{ $0.extended(by: .wrapped) }],
    "move": [{ $0.moved(by: Offset(-3, 4)) }],
    "place": [{ $0.moved(by: Offset(2, 2)).placed(at: Offset(9, -4)) }],
    "orient": Orientation.allCases.dropFirst().map { orientation in
      { $0.oriented(orientation) }
    },
    "resize": [
      { $0.resized(to: .exact(20, 30)) },
      { picture in
        guard let kernel = try? ResamplingKernel.lanczos(5) else { return picture }
        return picture.resized(to: .fit(20, 30), by: kernel)
      },
      { $0.resized(to: .fill(20, 30), by: .cubic(b: 0.2, c: 1e-5), limitsRinging: true) },
      { $0.resized(to: .fill(20, 30), x: 0, y: 0.75) },
      { $0.resized(to: .scaled(by: 1.3), by: .magicKernelSharp2021) },
    ],
    "resample": [
      { picture in
        (try? Resize(to: .fill(20, 30), by: .nearest)).map { picture.applying($0) } ?? picture
      }
    ],
    "transform": [{ $0.transformed(by: .sheared(x: 0.2, y: 0.1), kernel: .triangle) }],
    "rotate": [
      { $0.rotated(degrees: 17) }, { $0.rotated(degrees: 90) },
      { $0.rotated(degrees: 17, around: [5, 7.5]) },
    ],
    "perspective": [{ $0.perspective(to: [[0, 0], [40, 5], [38, 20], [-3, 25]]) }],
    "straighten": [
      { $0.straightened([[2, 2], [35, 5], [33, 20], [4, 21]], to: PixelSize(30, 20)) }
    ],
    "transform-from": [
      { picture in
        (try? Transform(
          from: .rotated(degrees: 12), size: PixelSize(33, 12),
          part: Region(x: 3, y: 3, width: 20, height: 9), by: .mitchell))
          .map { picture.applying($0) } ?? picture
      }
    ],
    "remap": [
      {
        $0.remapped(
          by: Bitmap<Float>(PixelSize(17, 9), in: .linearSRGB, channels: .rgb) { x, y in
            [Float(x * y) / 3 - 10, x == 5 ? .nan : Float(y) - Float(x) / 4, 9]
          }, kernel: .bSpline)
      }
    ],
    "reduce-source": [{ $0.reduced(toAtLeast: PixelSize(9, 9)) }],
    "thumbnail": [{ $0.thumbnail(16, 9, in: nil) }],
    // Neighborhoods.
    "gaussian-blur": [{ $0.blurred(sigma: 1.7) }],
    "box-blur": [{ $0.boxBlurred(radius: 2) }],
    "blur-by-mask": [{ $0.blurred(sigma: 3, mask: mask) }],
    "mix-blurs": [
      { photo in
        (try? VariableBlur(sigmas: [0, 2]))
          .map { photo.applying($0, with: [photo.blurred(sigma: 2), mask]) } ?? photo
      }
    ],
    "sharpen": [
      { $0.sharpened(sigma: 1, amount: 1.5, threshold: 0.01, channels: .luminance) }
    ],
    "unsharp-mask": [
      {
        $0.applying(
          UnsharpMask(amount: 2, threshold: 0.1, luminanceWeights: [0.3, 0.6, 0.1]), with: [other])
      }
    ],
    "median": [{ $0.median(radius: 1) }],
    "morphology": [{ $0.dilated(by: 2) }, { $0.eroded(by: 1) }],
    "convolution": [
      { $0.convolved([[1, 2, 0], [-1, 0.5, 3], [0, -2, 1]]) }, { $0.laplacian() },
    ],
    "sobel": [{ $0.edges() }],
    "guided-filter": [{ $0.guidedSmoothed(radius: 2, contrast: 0.1) }],
    "mean": [{ $0.columnMeans() }, { $0.rowMeans() }],
    // Painters.
    "solid-color": [{ _ in .constant(blue, in: .sRGB) }],
    "checker": [{ _ in .checker(red, blue, side: 3, in: .adobeRGB) }],
    "gradient": [
      { _ in gradient(.linear(from: [3, 4], to: [30, 17]), mixedIn: .oklch) },
      { _ in gradient(.radial(center: [9, 9], radius: 20), mixedIn: nil) },
    ],
    "color-triangle": [TriangleMixing.light, .encoded].map { mixing in
      { _ in
        .triangle(
          top: red, left: blue, right: red, mixing: mixing, in: .displayP3,
          size: PixelSize(20, 17))
      }
    },
    "triangle-mesh": [
      { _ in
        .mesh(
          [
            MeshVertex([3, 2], red), MeshVertex([30, 9], blue),
            MeshVertex([11, 20], red),
          ], triangles: [[0, 1, 2]], mixedIn: .oklab, in: .sRGB)
      }
    ],
    "noise": [{ _ in .noise(seed: 7, isGray: false, in: .sRGB) }],
    "gradient-noise": [{ _ in .gradientNoise(seed: 9, cell: 7.5, octaves: 2, in: .sRGB) }],
    "stripes": [
      { _ in .stripes(red, blue, width: 3, in: .adobeRGB) },
      { _ in .stripes(red, blue, width: 5, direction: .horizontal, in: .sRGB) },
    ],
    "gaussian-spot": [
      { _ in .gaussianSpot(red, on: blue, center: [9, 7.5], sigma: 4, in: .sRGB) }
    ],
    "zone-plate": [{ _ in .zonePlate(center: [20, 11.5], radius: 30, in: .displayP3) }],
    "broadcast-bars": [{ _ in .broadcastBars(size: PixelSize(56, 24)) }],
    "color-bars": [{ _ in .colorBars(level: 0.8, in: .rec709, size: PixelSize(16, 4)) }],
    "color-checker": [{ _ in .colorChecker(patch: 9, in: .sRGB) }],
    "hue-sweep": [{ _ in .hueSweep(chroma: 0.1, in: .sRGB, size: PixelSize(31, 9)) }],
    "chromaticity-diagram": [{ (try? $0.chromaticityDiagram(side: 16)) ?? $0 }],
    "canary": [{ _ in Picture(Canary(size: PixelSize(31, 9)), in: .displayP3) }],
  ]

  private static let film = try? NegativeDevelopment(
    base: [0.8, 0.5, 0.3], white: [0.05, 0.02, 0.01], contrast: [0.6, 0.66, 0.7])

  private static func gradient(_ shape: GradientShape, mixedIn space: ColorSpace?) -> Picture {
    let stops = [
      GradientStop(red, at: 0), GradientStop(blue, at: 0.3), GradientStop(red, at: 1),
    ]
    return (try? .gradient(shape, stops, mixedIn: space, in: .sRGB)) ?? photo
  }
}

extension Picture {
  /// The picture itself, or a crop of it for infinite extent.
  var piece: Picture {
    isEndless ? cropped(to: Region(x: -3, y: -2, width: 37, height: 19)) : self
  }
}

extension RecipeValue {
  /// Variants of the value with one part changed, for each part and every change of it.
  ///
  /// The version is kept, and so are the inputs' names. `change` takes the name of the member that a part belongs to.
  func changed(
    of name: String = "", _ change: (_ name: String, _ part: RecipeValue) -> [RecipeValue]
  ) -> [RecipeValue] {
    switch self {
    case .null, .bool, .integer, .number, .string: change(name, self)
    case .array(let values):
      values.indices.flatMap { index in
        values[index].changed(of: name, change).map { value in
          var values = values
          values[index] = value
          return .array(values)
        }
      }
    case .object(let members):
      members.indices.filter { !["version", "inputs"].contains(members[$0].name) }.flatMap {
        index in
        members[index].value.changed(of: members[index].name, change).map { value in
          var members = members
          members[index].value = value
          return .object(members)
        }
      }
    @unknown default: []
    }
  }
}
