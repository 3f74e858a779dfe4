internal import ColorSpaces

/// The curves of a tonal grade.
struct ToneCurvesOfGrade {
  /// A zone whose places are known.
  struct Zone {
    var values: SIMD4<Double>
    var start, width: Double

    init(_ zone: ToneZone, start: Double, width: Double) {
      (values, self.start, self.width) = (zone.values, zone.start ?? start, zone.width ?? width)
    }
  }

  let blacks, shadows, midtones, highlights, whites: Zone
  /// The ends of midtones and of the S-shaped contrast, and what that contrast keeps.
  private let top, contrastTop, bottom, pivot: Double

  init(_ grade: GradingTone) {
    func zone(
      _ zone: ToneZone, linear: (Double, Double), video: (Double, Double), log: (Double, Double)
    ) -> Zone {
      let place = grade.style == .linear ? linear : grade.style == .video ? video : log
      return Zone(zone, start: place.0, width: place.1)
    }
    blacks = zone(grade.blacks, linear: (0, 4), video: (0.4, 0.4), log: (0.4, 0.4))
    shadows = zone(grade.shadows, linear: (2, -7), video: (0.6, 0), log: (0.5, 0))
    midtones = zone(grade.midtones, linear: (0, 8), video: (0.4, 0.7), log: (0.4, 0.6))
    highlights = zone(grade.highlights, linear: (-2, 9), video: (0.2, 1), log: (0.3, 1))
    whites = zone(grade.whites, linear: (0, 8), video: (0.5, 0.5), log: (0.4, 0.5))
    (top, contrastTop, bottom, pivot) =
      grade.style == .linear ? (7.5, 6.5, -5.5, 0) : (1, 1, 0, 0.4)
  }

  /// The changes in OpenColorIO's order: each for red, green and blue, then for all channels.
  func stages(sContrast: Double) -> [PointProgram.Stage] {
    // Highlights and shadows of all channels move the places of whites and blacks.
    let moved = (highlight(highlights.values.w), shadow(shadows.values.w))
    func place(_ curve: QuadraticCurve?, _ x: Double) -> Double { curve?(x) ?? x }
    let whiteStart = place(moved.0, whites.start)
    let whiteWidth = place(moved.0, whites.start + whites.width) - whiteStart
    let blackStart = place(moved.1, blacks.start)
    let blackWidth = blackStart - place(moved.1, blacks.start - blacks.width)
    let changes: [(name: String, values: SIMD4<Double>, curve: (Double) -> QuadraticCurve?)] = [
      ("midtones", midtones.values, midtone), ("highlights", highlights.values, highlight),
      ("whites", whites.values, { white($0, from: whiteStart, width: whiteWidth) }),
      ("shadows", shadows.values, shadow),
      ("blacks", blacks.values, { black($0, from: blackStart, width: blackWidth) }),
    ]
    var stages: [PointProgram.Stage] = []
    for (name, values, curve) in changes {
      let channels = [curve(values.x), curve(values.y), curve(values.z)]
      if channels.contains(where: { $0 != nil }) {
        stages.append(.quadratics(name, channels[0], channels[1], channels[2]))
      }
      if let all = curve(values.w) { stages.append(.quadratics("\(name) of all", all, all, all)) }
    }
    if let curve = contrast(sContrast) {
      stages.append(.quadratics("S-shaped contrast", curve, curve, curve))
    }
    return stages
  }

  private func midtone(_ value: Double) -> QuadraticCurve? {
    if value == 1 { return nil }
    let width = min(max(midtones.width, 0.01), (top - bottom) * 0.95)
    let center = min(max(midtones.start, bottom + width * 0.51), top - width * 0.51)
    let first = center - width / 2
    let x = [bottom, first, first + width * 0.25, first + width * 0.75, first + width, top]
    let change = (value - 1) * 0.9
    var m = [1, 1 + change * 0.4, 1 + change, 1 - change, 1 - change * 0.4, 1]
    // The slope at one side follows from the area at the other, so that white stays.
    if center <= (bottom + top) / 2 {
      let area =
        (x[1] - x[0]) * (m[1] - m[0]) * 0.5
        + (x[2] - x[1]) * ((m[1] - m[0]) + (m[2] - m[1]) * 0.5)
        + (center - x[2]) * (m[2] - m[0]) * 0.5
      let rest = -0.5 * (x[5] - x[4]) * m[5] + (x[4] - x[3]) * (0.5 * m[3] - m[5])
      m[4] = (rest + (x[3] - center) * (m[3] - m[5]) * 0.5 + area) / (-0.5 * (x[5] - x[3]))
    } else {
      let area =
        (x[5] - x[4]) * (m[4] - m[5]) * 0.5
        + (x[4] - x[3]) * ((m[4] - m[5]) + (m[3] - m[4]) * 0.5)
        + (x[3] - center) * (m[3] - m[5]) * 0.5
      let rest = -0.5 * (x[1] - x[0]) * m[0] + (x[2] - x[1]) * (0.5 * m[2] - m[0])
      m[1] = (rest + (center - x[2]) * (m[2] - m[0]) * 0.5 + area) / (-0.5 * (x[2] - x[0]))
    }
    var points = [SIMD2(x[0], x[0])]
    for index in 1..<6 {
      let rise = (m[index - 1] + m[index]) * (x[index] - x[index - 1]) * 0.5
      points.append(SIMD2(x[index], points[index - 1].y + rise))
    }
    return QuadraticCurve(through: points, slopes: m)
  }

  private func highlight(_ value: Double) -> QuadraticCurve? {
    bent(2 - value, from: highlights.start, to: highlights.width, isShadow: false)
  }

  private func shadow(_ value: Double) -> QuadraticCurve? {
    bent(value, from: shadows.width, to: shadows.start, isShadow: true)
  }

  /// A curve that keeps both ends and has a slope at one of them; above 1 it is the inverse of that for two minus as much.
  private func bent(
    _ value: Double, from start: Double, to end: Double, isShadow: Bool
  ) -> QuadraticCurve? {
    if value == 1 { return nil }
    let slope = max(0.01, value < 1 ? value : 2 - value)
    let (m0, m2) = isShadow ? (slope, 1) : (1, slope)
    let half = (end - start) / 2
    let middle = (start + end) / 2 + (m0 - m2) * half / 4
    let curve = QuadraticCurve(
      through: [SIMD2(start, start), SIMD2(start + half, middle), SIMD2(end, end)],
      slopes: [m0, 2 * (middle - start) / half - m0, m2])
    return value < 1 ? curve : curve.inverse
  }

  private func white(_ value: Double, from start: Double, width: Double) -> QuadraticCurve? {
    if value == 1 { return nil }
    let slope = max(0.01, value < 1 ? value : 2 - value)
    let gain = (1 + slope) / 2
    let end = start + width
    let curve = QuadraticCurve(
      through: [SIMD2(start, start), SIMD2(end, start + gain * width)], slopes: [1, slope])
    if value < 1 { return curve }
    // Above the zone the last hundredth of its bend goes on.
    let steep = curve.inverse.shrunk(by: gain, about: start)
    let last = start + width * 0.99
    let slopeBefore = 1 / (1 + (last - start) * (slope - 1) / width)
    let bend = 0.5 * (1 / slope - slopeBefore) / (end - last)
    return QuadraticCurve(
      steep.pieces.dropLast() + [
        QuadraticCurve.Piece(
          from: end, origin: end, value: width / gain + start, slope: 1 / slope, bend: bend)
      ])
  }

  private func black(_ value: Double, from end: Double, width: Double) -> QuadraticCurve? {
    if value == 1 { return nil }
    let slope = max(0.01, value > 1 ? 2 - value : value)
    let gain = (1 + slope) / 2
    let start = end - width
    let curve = QuadraticCurve(
      through: [SIMD2(start, end - gain * width), SIMD2(end, end)], slopes: [slope, 1])
    return value > 1 ? curve : curve.inverse.shrunk(by: gain, about: end)
  }

  private func contrast(_ value: Double) -> QuadraticCurve? {
    if value == 1 { return nil }
    // Limited, so that no tones are reversed.
    let slope =
      value > 1 ? 1 / (1.8125 - 0.8125 * min(value, 1.99)) : 0.28125 + 0.71875 * max(value, 0.01)
    let upper = contrastEnd(slope, to: contrastTop)
    let lower = contrastEnd(slope, to: bottom)
    return QuadraticCurve([
      QuadraticCurve.Piece(origin: lower.far.x, value: lower.far.y, slope: lower.slope),
      QuadraticCurve.Piece(
        from: lower.far.x, origin: lower.far.x, value: lower.far.y, slope: lower.slope,
        bend: (slope - lower.slope) / (2 * (lower.near.x - lower.far.x))),
      QuadraticCurve.Piece(from: lower.near.x, origin: pivot, value: pivot, slope: slope),
      QuadraticCurve.Piece(
        from: upper.near.x, origin: upper.near.x, value: upper.near.y, slope: slope,
        bend: (upper.slope - slope) / (2 * (upper.far.x - upper.near.x))),
      QuadraticCurve.Piece(
        from: upper.far.x, origin: upper.far.x, value: upper.far.y, slope: upper.slope),
    ])
  }

  /// Where the contrast ends on one side, near and far from the pivot, and the slope beyond.
  private func contrastEnd(
    _ slope: Double, to end: Double
  ) -> (near: SIMD2<Double>, far: SIMD2<Double>, slope: Double) {
    let level = pivot + (end - pivot) / 4
    let place = pivot + (level - pivot) / slope
    let least = (end - place) * 0.3
    var outer = 1 / slope
    let center = (end - level - outer * end + slope * place) / (slope - outer)
    var (near, far) = (place, 2 * center - place)
    // With the lowest contrasts, the far end would lie nearer to the pivot than the near end: the interval counts as too short.
    let isUpper = end > pivot
    let isBeyond = isUpper ? far > end : far < end
    let isShort = isUpper ? far - near < least : far - near > least
    if isBeyond {
      (near, far) = (2 * center - end, end)
    } else if isShort {
      far = near + least
      let middle = (near + far) / 2
      outer = (end - level + slope * (place - middle)) / (end - middle)
    }
    return (
      SIMD2(near, level), SIMD2(far, level + (slope + outer) * (far - near) / 2), outer
    )
  }
}
