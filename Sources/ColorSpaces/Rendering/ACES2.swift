internal import Synchronization

extension Formula {
  /// The output transform of ACES 2 (aces-core 2.0), whose result is held in the display's gamut. `unit` is the luminance of a result
  /// of 1, in cd/m².
  package static func aces2(
    for display: ACESDisplay, unit: Double, in space: ColorSpace
  ) -> Formula {
    let rendering = ACES2.rendering(for: display)
    return aces("ACES 2.0", for: display, unit: unit, in: space, rendering.callAsFunction)
  }
}

/// The rendering of ACES 2 for a display.
private struct ACES2: Sendable {
  typealias Value = Formula.Value
  typealias Vector = Formula.Vector

  private let scene = ACES2Appearance(of: .acesAP0)
  private let display: ACES2Appearance
  private let tones: ACES2ToneScale
  private let chroma: ACES2ChromaCompression
  private let limits: ACES2Limits
  private let tables: ACES2Tables

  private init(_ display: ACESDisplay) {
    self.display = ACES2Appearance(of: display.primaries)
    tones = ACES2ToneScale(peak: display.peak)
    chroma = ACES2ChromaCompression(tones)
    limits = ACES2Limits(tones, scene)
    tables = ACES2Tables(display.primaries, tones, limits)
  }

  /// The renderings that were made last: the searches for the tables take some 20 ms.
  private static let known = Mutex<[(display: ACESDisplay, rendering: ACES2)]>([])

  static func rendering(for display: ACESDisplay) -> ACES2 {
    if let found = known.withLock({ $0.first { $0.display == display } }) {
      return found.rendering
    }
    let rendering = ACES2(display)
    known.withLock { known in
      known.removeAll { $0.display == display }
      known.insert((display, rendering), at: 0)
      known = Array(known.prefix(8))
    }
    return rendering
  }

  /// From ACES2065-1 to linear light in the display's primaries.
  func callAsFunction(_ color: Vector) -> Vector {
    let toFilm = ColorSpace.aces2065.matrix(to: .acescg)
    let held =
      ColorSpace.acescg.matrix(to: .aces2065) * (toFilm * color).clamped(to: 0...tones.limit)
    let opponents = scene.opponents(of: held)
    let achromatic = opponents.x.atLeast(0)
    let (a, b) = (opponents.y, opponents.z)
    let isGray = ((a .== 0) .& (b .== 0)) .| (achromatic .== 0)
    let m = (a * a + b * b).squareRoot()
    let divisor = Value.select(isGray, 1, m)
    let (cosine, sine) = (a / divisor, b / divisor)
    let degrees = Value.arctangentInDegrees(b, a)
    let hue = Value.select(degrees .< 0, degrees + 360, degrees)
    let j = scene.lightness(
      luminance: tones(scene.luminance(achromatic: achromatic)))
    let reach = tables.reach(at: hue)
    let compressed = chroma(
      m, j: scene.lightness(achromatic: .select(isGray, 1, achromatic)), toned: j,
      ofLargest: limits.largest, reach: reach, cosine: cosine, sine: sine)
    let (mapped, colorfulness) = inGamut(j, compressed, hue: hue, reach: reach)
    // Grays, and what is brighter than the display, have no color.
    let isColored = (.!isGray .& (0 .< compressed)) .& (j .<= Value(limits.largest))
    let (lightness, chroma) = (
      Value.select(isColored, mapped, j), Value.select(isColored, colorfulness, 0)
    )
    return display.light(lightness: lightness, chroma * cosine, chroma * sine)
      .clamped(to: 0...(tones.peak / 100))
  }

  /// Lightness and colorfulness after gamut compression, along a line to the axis of grays.
  private func inGamut(
    _ j: Value, _ m: Value, hue: Value, reach: Value
  ) -> (j: Value, m: Value) {
    let cusp = tables.cusp(at: hue)
    let hull = ACES2Hull(j: cusp.j, m: cusp.m, upper: cusp.upper, limits)
    let line = hull.line(j, m)
    let boundary = hull.boundary(line)
    let largest = Value(limits.largest)
    let source = ACES2Hull<Value>.crossing(
      line.gray, line.slope, Value(1 / ACES2Appearance.exponent), largest: largest, reach,
      reference: largest)
    // Between the threshold and the boundary of the source, distances are compressed by x / (1 + x).
    let proportion = (boundary / source).atLeast(0.75)
    let threshold = proportion * boundary
    let (inside, outside) = (boundary - threshold, source - threshold)
    let scale = outside / (outside / inside - 1)
    let excess = (m - threshold) / scale
    let compressed = threshold + scale * excess / (1 + excess)
    let result = Value.select((m .<= threshold) .| (1 .<= proportion), m, compressed)
    let isEmpty = boundary .<= 0
    return (
      .select(isEmpty, j, line.gray + result * line.slope), .select(isEmpty, 0, result)
    )
  }
}

extension ACES2Tables {
  /// The largest colorfulness of a hue in ACEScg.
  fileprivate func reach(at hue: Formula.Value) -> Formula.Value {
    let degree = hue.integerBelow.atMost(359)
    let steps = zip(reach, reach.dropFirst()).map { $1 - $0 }
    return degree.element(of: reach) + (hue - degree) * degree.element(of: steps)
  }

  /// The cusp of a hue, by linear interpolation.
  fileprivate func cusp(
    at hue: Formula.Value
  ) -> (j: Formula.Value, m: Formula.Value, upper: Formula.Value) {
    var index = hue.element(of: starts)
    for _ in 0..<steps {
      index = .select((index + 1).element(of: hues) .< hue, index + 1, index)
    }
    let start = index.element(of: hues)
    let widths = zip(hues, hues.dropFirst()).map { $1 - $0 }
    let t = (hue - start) / index.element(of: widths)
    func interpolated(_ values: [Double]) -> Formula.Value {
      let steps = zip(values, values.dropFirst()).map { $1 - $0 }
      return index.element(of: values) + t * index.element(of: steps)
    }
    return (interpolated(j), interpolated(m), interpolated(upper))
  }
}
