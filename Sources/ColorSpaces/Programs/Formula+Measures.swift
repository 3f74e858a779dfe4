// The formulas of measurements: they judge colors, and no picture shows what they compute.

extension Formula {
  /// Compares linear values of `space` with the same clipped to 0…``ColorSpace/peak`` in `gamut`: 1 in all three channels where they
  /// differ by more than `tolerance`, and 0 elsewhere, also where the difference is NaN.
  ///
  /// In double precision from the linear values to the verdict: formulas amplify what rounding leaves of the hue of grays.
  package static func clippingDifference(
    by formula: ColorDifference, above tolerance: Double, of gamut: ColorSpace,
    in space: ColorSpace
  ) -> Formula {
    let (toGamut, kept) = (space.matrix(to: gamut), 0...gamut.peak)
    let toAxes = PointProgram(converting: gamut.linear, to: formula.axes.space)
    return Formula("\(formula) from \(gamut), above \(tolerance), in \(space)") { color in
      let light = toGamut * color
      let difference = formula.value(toAxes(light.clamped(to: kept)), toAxes(light))
      return Vector(repeating: .select(difference .> Value(tolerance), 1, 0))
    }
  }

  /// The place of each channel on a scale of stops, the logarithm to base 2: 0 at the first stop of the range, 1 at the last one.
  ///
  /// Values of 0 or less are at the first stop. NaN stays.
  package static func places(onStops range: ClosedRange<Double>) -> Formula {
    Formula("places on \(range) stops") { color in color.map { place(ofNumber: $0, onStops: range) }
    }
  }

  /// The place of one value; the same bits as ``places(onStops:)``.
  package static func place(of value: Double, onStops range: ClosedRange<Double>) -> Double {
    place(ofNumber: value, onStops: range)
  }

  private static func place<Number: FormulaNumber>(
    ofNumber number: Number, onStops range: ClosedRange<Double>
  ) -> Number {
    // Infinity lies beyond all scales, and so does this.
    let bounded = number.atMost(0x1p200)
    let first = Number(range.lowerBound)
    let stops = Number.select(bounded .> 0, bounded.binaryLogarithm, first)
    let place = (stops - first) / Number(range.upperBound - range.lowerBound)
    return .select(Number.isUnordered(number, number), number, place)
  }
}
