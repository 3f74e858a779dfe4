import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Which colors count as out of gamut at the precision of their samples: those of which every color that rounds to the same samples is.
@Suite struct RoundingBoxTests {
  /// The spaces whose samples are rounded channel by channel.
  private static let spaces = ColorSpace.all.filter { $0.transfer.curves != nil }

  /// Half the distance of a stored value from its neighbors.
  private static func error<Sample: PixelSample>(of value: Double, _: Sample.Type) -> Double {
    switch Sample.format {
    case .uint8: 0.5 / 255
    case .uint16: 0.5 / 65535
    case .float16: Double(max(Float16(value).magnitude.ulp, .leastNonzeroMagnitude)) / 2
    default: Double(Float(value).magnitude.ulp) / 2
    }
  }

  /// How far the box around stored values is out of sRGB's gamut, beyond the tolerance of 2.5e-5 per unit of light; negative inside.
  private static func excess<Sample: PixelSample>(
    of stored: SIMD3<Double>, in space: ColorSpace, _: Sample.Type
  ) -> Double {
    let light = space.transfer.decode(stored)
    var (low, high) = (stored, stored)
    for k in 0..<3 {
      let error = error(of: stored[k], Sample.self)
      let ends = [stored[k] - error, stored[k] + error].map { space.transfer.decode($0) }
      (low[k], high[k]) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
    }
    let scale = max(1, abs(light.x), abs(light.y), abs(light.z))
    let beyond = space.matrix(to: .sRGB).rows.map { row in
      let (raising, lowering) = (
        row.replacing(with: 0, where: row .< 0), row.replacing(with: 0, where: row .> 0)
      )
      let least = (raising * low + lowering * high).sum()
      let greatest = (raising * high + lowering * low).sum()
      return max(-greatest, least - 1)
    }
    return beyond.max().map { $0 / scale - 2.5e-5 } ?? 0
  }

  private func check<Sample: PixelSample>(
    _ space: ColorSpace, as _: Sample.Type, stored: (Double) -> Sample, value: (Sample) -> Double
  ) throws {
    var random = SeededGenerator(seed: 11)
    let size = PixelSize(80, 80)
    // Colors about the surface of sRGB, as far as two steps of 8 bits, and a few that are far from it.
    let frame = Bitmap<Sample>(size, in: space, channels: .rgb) { x, y in
      var color = SIMD3<Double>.random(in: 0...1, using: &random)
      let away = Double.random(in: -1...1, using: &random)
      color[y % 3] = Double(x % 2) + (x % 10 == 0 ? 1 : 0.016 * away * away * away)
      let samples = ColorPoint(color, in: .linearSRGB).converted(to: space).components
      return (0..<3).map { stored(samples[$0]) }
    }
    let mask = try Picture(frame).gamutMask(outside: .sRGB, marking: .mask)
      .converted(to: .linearSRGB).render(as: UInt8.self)
    var (outside, inside, near) = (0, 0, 0)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let samples = SIMD3(value(frame[x, y, 0]), value(frame[x, y, 1]), value(frame[x, y, 2]))
        let excess = Self.excess(of: samples, in: space, Sample.self)
        // The light that the mask sees has single precision.
        guard abs(excess) > 2e-6 else {
          near += 1
          continue
        }
        let isMarked = mask[x, y, 0] == 255
        if isMarked { outside += 1 } else { inside += 1 }
        #expect(
          isMarked == (excess > 0), "\(space), \(Sample.format): \(samples), beyond by \(excess)")
      }
    }
    // Integers hold no color out of their own gamut, and grays are in all.
    let isHeld = Sample.format == .uint8 || Sample.format == .uint16 || space.isGray
    #expect(
      inside > 300 && (outside > 300 || isHeld), "\(space), \(Sample.format): \(outside), \(inside)"
    )
    #expect(near < size.pixelCount / 4)
  }

  @Test(arguments: spaces) func verdictsAreThoseOfDoublePrecision(space: ColorSpace) throws {
    func code(_ value: Double, _ largest: Double) -> Double {
      (min(max(value, 0), 1) * largest).rounded()
    }
    try check(space, as: UInt8.self, stored: { UInt8(code($0, 255)) }, value: { Double($0) / 255 })
    try check(
      space, as: UInt16.self, stored: { UInt16(code($0, 65535)) }, value: { Double($0) / 65535 })
    try check(space, as: Float16.self, stored: { Float16($0) }, value: { Double($0) })
    try check(space, as: Float.self, stored: { Float($0) }, value: { Double($0) })
  }
}
