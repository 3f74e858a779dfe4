/// The arithmetic of gain maps (ISO 21496-1), from linear light and a map to light and back: for colors in double precision, and for the
/// kernels with the same bits.
package struct GainFormula: Hashable, Sendable {
  /// The gains in stops of the map's values 0 and 1.
  private let least, greatest: SIMD3<Double>
  /// The gamma encoding of the map.
  private let gamma: SIMD3<Double>
  /// The linear offsets of the base and of the alternate rendition.
  private let baseOffset, alternateOffset: SIMD3<Double>

  /// Creates the arithmetic of a map. Each gamma is above 0.
  package init(
    least: SIMD3<Double>, greatest: SIMD3<Double>, gamma: SIMD3<Double>,
    baseOffset: SIMD3<Double>, alternateOffset: SIMD3<Double>
  ) {
    (self.least, self.greatest, self.gamma) = (least, greatest, gamma)
    (self.baseOffset, self.alternateOffset) = (baseOffset, alternateOffset)
  }

  /// Returns light with the fraction `weight` of the gain that a map holds. A weight of 0 changes nothing.
  package func light(
    _ light: SIMD3<Double>, map: SIMD3<Double>, weight: Double
  ) -> SIMD3<Double> {
    lit(FormulaVector<Double>(light), map: FormulaVector(map), weight).simd
  }

  /// The operations of ``light(_:map:weight:)``: planes 0 to 2 are the light, planes 4 to 6 the map.
  package func lightCode(weight: Double) -> FormulaCode {
    FormulaCode(ofTwo: { lit($0, map: $1, weight) })
  }

  /// Returns the map that leads from a base, clamped to 0…1, to another rendition of it.
  package func map(from base: SIMD3<Double>, to other: SIMD3<Double>) -> SIMD3<Double> {
    mapped(FormulaVector<Double>(base), FormulaVector(other)).simd
  }

  /// The operations of ``map(from:to:)``: planes 0 to 2 are the base, planes 4 to 6 the other rendition.
  package var mapCode: FormulaCode { FormulaCode(ofTwo: { mapped($0, $1) }) }

  private func lit<Number: FormulaNumber>(
    _ light: FormulaVector<Number>, map: FormulaVector<Number>, _ weight: Double
  ) -> FormulaVector<Number> {
    if weight == 0 { return light }
    return [
      lit(light.x, map: map.x, 0, weight), lit(light.y, map: map.y, 1, weight),
      lit(light.z, map: map.z, 2, weight),
    ]
  }

  private func lit<Number: FormulaNumber>(
    _ light: Number, map: Number, _ channel: Int, _ weight: Double
  ) -> Number {
    let stored = map.atLeast(0).atMost(1)
    let part = stored.raised(to: 1 / gamma[channel])
    let stops = Number(least[channel]) + Number(greatest[channel] - least[channel]) * part
    return (light + Number(baseOffset[channel])) * (Number(weight) * stops).binaryExponential
      - Number(alternateOffset[channel])
  }

  private func mapped<Number: FormulaNumber>(
    _ base: FormulaVector<Number>, _ other: FormulaVector<Number>
  ) -> FormulaVector<Number> {
    [
      mapped(base.x, other.x, 0), mapped(base.y, other.y, 1), mapped(base.z, other.z, 2),
    ]
  }

  private func mapped<Number: FormulaNumber>(
    _ base: Number, _ other: Number, _ channel: Int
  ) -> Number {
    let span = greatest[channel] - least[channel]
    if span == 0 { return Number(power(0, gamma[channel])) }
    let base = base.atLeast(0).atMost(1) + Number(baseOffset[channel])
    let other = other.atLeast(0) + Number(alternateOffset[channel])
    // The ratio of values that are not above 0 is undefined; their gain is 0 stops.
    let isDefined = (base .> 0) .& (other .> 0)
    let stops = Number.select(isDefined, (other / base).binaryLogarithm, 0)
    let part = ((stops - Number(least[channel])) / Number(span)).atLeast(0).atMost(1)
    return part.raised(to: gamma[channel])
  }
}

extension FormulaCode {
  /// Records what `body` computes of two colors: planes 0 to 2 and planes 4 to 6.
  fileprivate init(
    ofTwo body: (_ first: Formula.Vector, _ second: Formula.Vector) -> Formula.Vector
  ) {
    let recorder = FormulaRecorder()
    let planes = (0..<8).map { recorder.append(.load, plane: $0) }
    self.init(
      recorder.recording(
        of: body([planes[0], planes[1], planes[2]], [planes[4], planes[5], planes[6]])))
  }
}
