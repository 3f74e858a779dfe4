// The reference rendering transform and the output device transforms of ACES 1.3 (aces-dev 1.3). Where OpenColorIO 2 departs from the
// reference code, in the saturation of colors below a hundredth, this follows OpenColorIO.

extension Formula {
  /// The output transform of ACES 1.3: for a peak of 100 cd/m² that of video in a dim surround, for others that of high dynamic range.
  ///
  /// The result is held in the display's gamut. `unit` is the luminance of a result of 1, in cd/m².
  package static func aces13(
    for display: ACESDisplay, unit: Double, in space: ColorSpace
  ) -> Formula {
    aces("ACES 1.3", for: display, unit: unit, in: space) { scene in
      let rendered = ACES13.sweetened(scene).map { decimalLogarithm($0.atLeast(1e-10)) }
      return display.peak == 100
        ? ACES13.video(rendered, for: display) : ACES13.highRange(rendered, for: display)
    }
  }
}

private enum ACES13 {
  typealias Value = Formula.Value
  typealias Vector = Formula.Vector

  /// The adjustments before the tone curve, from ACES2065-1 to ACEScg.
  static func sweetened(_ scene: Vector) -> Vector {
    let glowing = scene * glow(scene)
    let (hue, saturation) = (redness(glowing), saturation(glowing))
    let red = glowing.x + hue * saturation * (0.03 - glowing.x) * (1 - 0.82)
    let positive = Vector(red, glowing.y, glowing.z).map { $0.atLeast(0) }
    let film = (ColorSpace.aces2065.matrix(to: .acescg) * positive).map { $0.atLeast(0) }
    return desaturation(0.96) * film
  }

  /// The factor that brightens dark saturated colors.
  private static func glow(_ scene: Vector) -> Value {
    let (red, green, blue) = (scene.x, scene.y, scene.z)
    let square = blue * (blue - green) + green * (green - red) + red * (red - blue)
    let brightness = (scene.sum() + 1.75 * square.atLeast(0).squareRoot()) / 3
    let x = (saturation(scene) - 0.4) * 5
    let t = (1 - 0.5 * x.magnitude).atLeast(0)
    let gain = 0.05 * (1 + Value(1).withSign(of: x) * (1 - t * t)) * 0.5
    let middle = 0.08
    let between = gain * (Value(middle) / brightness - 0.5)
    return 1
      + Value.select(
        brightness .>= Value(2 * middle), 0,
        .select(brightness .<= Value(2 * middle / 3), gain, between))
  }

  private static func saturation(_ color: Vector) -> Value {
    let (high, low) = (color.max(), color.min())
    return (high.atLeast(1e-10) - low.atLeast(1e-10)) / high.atLeast(1e-2)
  }

  /// How near the hue is to red: a cubic B-spline, 135° wide.
  private static func redness(_ color: Vector) -> Value {
    let a = 2 * color.x - (color.y + color.z)
    let b = 1.732_050_807_568_877_2 * (color.y - color.z)
    let u = Value.arctangentInDegrees(b, a).magnitude * Value(4.0 / 135)
    let rest = 2 - u
    return .select(
      u .< 1, (0.75 * u - 1.5) * u * u + 1,
      .select(u .< 2, 0.25 * rest * rest * rest, 0))
  }

  /// The matrix that moves ACEScg towards its luminance.
  private static func desaturation(_ saturation: Double) -> ColorMatrix {
    let gray = ColorSpace.acescg.luminanceWeights * (1 - saturation)
    return ColorMatrix(
      rows: gray + [saturation, 0, 0], gray + [0, saturation, 0], gray + [0, 0, saturation])
  }

  private static func raised(_ logarithm: Value) -> Value {
    (logarithm * Value(1 / decimalLogarithm(2.0))).binaryExponential
  }

  /// From logarithms of ACEScg to a display of 100 cd/m²: the tone curve of cinema, a dim surround, and less saturation.
  static func video(_ scene: Vector, for display: ACESDisplay) -> Vector {
    let cinema = scene.map { x in
      (raised(SegmentedSpline.cinema(SegmentedSpline.reference(x))) - 0.02) / (48 - 0.02)
    }
    let luminance = (Vector(ColorSpace.acescg.luminanceWeights) * cinema).sum().atLeast(1e-10)
    let dim = cinema * luminance.raised(to: 0.9811 - 1)
    let toDisplay = ColorSpace.acescg.matrix(to: display.space) * desaturation(0.93)
    return (toDisplay * dim).clamped(to: 0...1)
  }

  /// From logarithms of ACEScg to a display of high dynamic range. The gamut is limited before adaptation to the display's white.
  static func highRange(_ scene: Vector, for display: ACESDisplay) -> Vector {
    let curve = SegmentedSpline.singleStage(peak: display.peak)
    let light = scene.map { x in (raised(curve(x)) - 1e-4) / Value(display.peak - 1e-4) }
    let film = Primaries.acesAP1
    let toLimit = display.primaries.toXYZ.inverse * film.toXYZ
    let adaptation =
      display.primaries.toXYZ.inverse
      * .adapting(from: film.white, to: display.primaries.white) * display.primaries.toXYZ
    let scaled = adaptation * ColorMatrix(diagonal: .one * (display.peak / 100))
    return scaled * (toLimit * light).clamped(to: 0...1)
  }
}
