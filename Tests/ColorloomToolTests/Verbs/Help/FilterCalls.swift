// The Swift calls that `colorloom filters` shows, so that the compiler checks them. FilterCallTests writes this file with
// COLORLOOM_RECORD=1.
// swift-format-ignore-file

import Colorloom
import ICCProfiles
import ImageFiles

extension FilterCalls {
  /// Returns what the call of a filter makes; nil where none is declared.
  func picture(of filter: String) throws -> Picture? {
    switch filter {
    case "convert":
      return picture.converted(to: .rec2020)
    case "tag":
      return picture.tagged(as: .adobeRGB)
    case "gamut-fit":
      return picture.fitted(into: .sRGB, by: .softKnee(threshold: 0.5))
    case "gamut-mask":
      return picture.gamutMask(outside: .sRGB)
    case "gamut-compress":
      return try picture.gamutCompressed(by: GamutCompression(threshold: [0.2, 0.2, 0.2], limit: [1.2, 1.3, 1.3], power: 1.2))
    case "store":
      return picture.stored(as: .float16)
    case "exposure":
      return picture.exposure(0.5)
    case "contrast":
      return picture.contrast(1.2)
    case "brightness":
      return picture.brightness(0.1)
    case "saturation":
      return picture.saturation(1.5)
    case "vibrance":
      return picture.vibrance(0.5)
    case "hue-rotation":
      return picture.hueRotation(90)
    case "gamma":
      return picture.gamma(exponent: 1.5)
    case "levels":
      return picture.levels(black: 0.1, white: 0.9, gamma: 1.2)
    case "lift-gamma-gain":
      return picture.liftGammaGain(lift: [0.05, 0, -0.02], gamma: [1.2, 1.1, 1], gain: [1.1, 1, 0.9])
    case "color-decisions":
      return picture.colorDecisions(slope: [1.1, 1, 0.95], offset: [0.02, 0, -0.02], power: [1.1, 1, 0.9], saturation: 1.2)
    case "white-balance":
      return picture.whiteBalance(kelvin: 3200, tint: 8)
    case "channel-mix":
      return picture.channelMix(ColorMatrix(rows: [0.8, 0.2, 0], [0.1, 0.8, 0.1], [0, 0.2, 0.8]), offset: [0.02, 0, -0.02])
    case "four-channel-mix":
      return picture.channelMix(red: [0.8, 0.2, 0, 0], green: [0.1, 0.9, 0, 0], blue: [0, 0.2, 0.8, 0], alpha: [0, 0, 0, 0.5], offset: [0.05, 0, 0, 0])
    case "monochrome":
      return picture.monochrome()
    case "threshold":
      return picture.threshold(level: 0.18)
    case "invert":
      return picture.inverted()
    case "tone-curves":
      return try picture.toneCurve(CubicCurve(through: [[0, 0], [0.5, 0.4], [1, 1]]))
    case "exposure-contrast":
      return picture.exposureContrast(exposure: 0.5, contrast: 1.2, style: .video)
    case "grading-primary":
      return picture.gradingPrimary(style: .logarithmic, brightness: [2, 0, -1, 3], contrast: [1, 1, 1.1, 1.2])
    case "grading-tone":
      return picture.gradingTone(style: .video, shadows: ToneZone(1.3), midtones: ToneZone(0.9))
    case "grading-curves":
      return picture.gradingCurves(style: .video, master: try GradingCurve(through: [[0, 0], [0.4, 0.3], [1, 1]]))
    case "log-curve":
      return picture.logCurve(base: 10, logSideSlope: [0.25, 0.25, 0.25], logSideOffset: [0.39, 0.39, 0.39], linSideSlope: [5.5, 5.5, 5.5], linSideOffset: [0.05, 0.05, 0.05], linSideBreak: [0.01, 0.01, 0.01], linearSlope: [1.2, 1.2, 1.2])
    case "look":
      return picture.look(Look(steps: [.affine(scale: [1.1, 1, 0.9], offset: .zero), .clamp(0...1)]))
    case "reinhard":
      return picture.reinhard(white: 4)
    case "sigmoid-view":
      return picture.sigmoidView()
    case "display-mapping":
      return picture.displayMapping(from: 1000, to: 100)
    case "bt2446a":
      return picture.bt2446A()
    case "bt2446c":
      return picture.bt2446C()
    case "aces-output":
      return picture.acesOutput(.v20, on: .p3)
    case "hlg-rendering":
      return picture.hlgRendered()
    case "gain-map":
      return try picture.gainMapped(GainMap(greatest: [2, 2, 2], alternateHeadroom: 2, displayHeadroom: 1.5), map: other)
    case "compute-gain-map":
      return picture.computingGainMap(to: other)
    case "develop":
      return picture.developed(.colorNegative())
    case "negative-exposure":
      return picture.exposed(on: .colorNegative(base: .transmittance([1, 0.8, 0.7]), white: .transmittance([0.1, 0.08, 0.07])))
    case "power-negative":
      return try picture.developed(by: PowerNegative(exponents: [1.9, 1.5, 1.3], neutral: [0.2, 0.15, 0.1]))
    case "density-print":
      return try picture.developed(by: DensityPrint())
    case "develop-by-curves":
      return picture.developed(by: .published())
    case "paper-curve":
      return picture.paperCurve()
    case "layer":
      return other.composited(onto: picture)
    case "blend-by-mask":
      return picture.blended(with: other, mask: mask)
    case "alpha-mask":
      return picture.alphaMasked(by: mask)
    case "chroma-key":
      return picture.chromaKeyed(ColorPoint(0, 0.7, 0.25, in: .sRGB), softness: 0.5)
    case "dissolve":
      return picture.dissolved(into: other, amount: 0.5)
    case "flatten":
      return picture.flattened(onto: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))
    case "channel-composite":
      return Picture(red: picture, green: other, blue: mask)
    case "difference-map":
      return picture.difference(from: other)
    case "crop":
      return picture.cropped(to: Region(x: 6, y: 4, width: 24, height: 18))
    case "aspect-crop":
      return picture.cropped(toAspect: 16, 9)
    case "pad":
      return picture.padded(to: Region(x: -4, y: -3, width: 48, height: 36))
    case "frame":
      return picture.padded(to: Region(x: -4, y: -3, width: 48, height: 36), with: ColorPoint(0.2, 0.4, 0.6, in: .sRGB))
    case "extend":
      return picture.extended(by: .mirrored)
    case "move":
      return picture.moved(by: Offset(5, 3))
    case "place":
      return picture.placed(at: Offset(5, 3))
    case "orient":
      return picture.oriented(.quarterTurned)
    case "resize":
      return picture.resized(to: .exact(24, 24))
    case "thumbnail":
      return picture.thumbnail(20, 15, in: nil)
    case "transform":
      return picture.transformed(by: .sheared(x: 0.3, y: 0.1))
    case "rotate":
      return picture.rotated(degrees: 12)
    case "perspective":
      return picture.perspective(to: [[3, 1], [38, 5], [34, 28], [0, 24]])
    case "straighten":
      return picture.straightened([[3, 1], [38, 5], [34, 28], [0, 24]], to: PixelSize(30, 24))
    case "remap":
      return picture.remapped(by: places)
    case "reduce-source":
      return picture.reduced(toAtLeast: PixelSize(20, 15))
    case "gaussian-blur":
      return picture.blurred(sigma: 2.5)
    case "box-blur":
      return picture.boxBlurred(radius: 3)
    case "blur-by-mask":
      return picture.blurred(sigma: 3, mask: mask)
    case "sharpen":
      return picture.sharpened(sigma: 1.5, amount: 1.5)
    case "median":
      return picture.median(radius: 2)
    case "morphology":
      return picture.dilated(by: 2)
    case "convolution":
      return picture.convolved([[-1, 0, 0], [0, 1, 0], [0, 0, 1]])
    case "sobel":
      return picture.edges()
    case "guided-filter":
      return picture.guidedSmoothed(radius: 3, contrast: 0.1)
    case "mean":
      return picture.columnMeans()
    case "solid-color":
      return Picture.constant(ColorPoint(1, 0, 0, in: .sRGB), in: .sRGB)
    case "checker":
      return Picture.checker(white, black, side: 8, in: .sRGB)
    case "gradient":
      return try Picture.gradient(.linear(from: [0, 0], to: [40, 30]), [GradientStop(red, at: 0), GradientStop(blue, at: 1)], mixedIn: .sRGB, in: .sRGB)
    case "color-triangle":
      return Picture.triangle(top: red, left: green, right: blue, in: .sRGB, size: PixelSize(40, 30))
    case "triangle-mesh":
      return Picture.mesh([.init([2, 2], red), .init([38, 5], blue), .init([15, 28], white)], triangles: [[0, 1, 2]], mixedIn: .sRGB, in: .sRGB)
    case "noise":
      return Picture.noise(seed: 1, in: .sRGB)
    case "gradient-noise":
      return Picture.gradientNoise(seed: 1, cell: 10, in: .sRGB)
    case "stripes":
      return Picture.stripes(white, black, width: 4, in: .sRGB)
    case "gaussian-spot":
      return Picture.gaussianSpot(white, on: black, center: [20, 15], sigma: 6, in: .sRGB)
    case "zone-plate":
      return Picture.zonePlate(center: [20, 15], radius: 25, in: .sRGB)
    case "broadcast-bars":
      return Picture.broadcastBars(size: PixelSize(40, 30))
    case "color-bars":
      return Picture.colorBars(in: .sRGB, size: PixelSize(40, 30))
    case "color-checker":
      return Picture.colorChecker(patch: 8, in: .sRGB)
    case "hue-sweep":
      return Picture.hueSweep(chroma: 0.15, in: .oklab, size: PixelSize(40, 30))
    case "canary":
      return Picture(Canary(size: PixelSize(40, 30)), in: .displayP3)
    case "chromaticity-diagram":
      return try picture.chromaticityDiagram()
    case "convert-by-profile":
      return try picture.converted(to: .space(.proPhoto), by: ProfileRendering(intent: .absoluteColorimetric))
    case "soft-proof":
      return try picture.softProof(on: profile)
    case "print-distance":
      return try picture.applying(PrintDistance(on: profile))
    default: return nil
    }
  }
}
