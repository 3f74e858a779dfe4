internal import ColorSpaces

/// Curves for red, green and blue that preserve the relative position of the middle channel between the smallest and
/// the largest one.
///
/// The “DW3” hue adjustment of the Common LUT Format: per-channel curves alone shift the hue of saturated colors. Equal
/// channels are ordered red, green, blue, as in OpenColorIO.
struct HueAdjustedCurves {
  let red, green, blue: Curve

  /// The curves as a stage: a formula, unless one of them is a function.
  var stage: PointProgram.Stage {
    let name = "hue-adjusted curves of a look"
    return if let formula = Formula.hueAdjusted(name, red, green, blue) {
      .formula(formula)
    } else {
      .map(name, callAsFunction)
    }
  }

  func callAsFunction(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var result = SIMD3(red(color.x), green(color.y), blue(color.z))
    // A stable insertion sort.
    var (low, middle, high) = (0, 1, 2)
    if color[low] > color[middle] { swap(&low, &middle) }
    if color[middle] > color[high] { swap(&middle, &high) }
    if color[low] > color[middle] { swap(&low, &middle) }
    let chroma = color[high] - color[low]
    let place = chroma == 0 ? 0 : (color[middle] - color[low]) / chroma
    result[middle] = result[low] + place * (result[high] - result[low])
    return result
  }
}
