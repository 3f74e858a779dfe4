import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Every point filter at both ends of the range of each parameter, by the kernels and in double precision.
@Suite struct ParameterRangeTests {
  private static let names = FilterCatalog.builtIn.entries.filter { entry in
    entry.type is any PointFilter.Type && entry.sample != nil
      && entry.parameters.contains { $0.range != nil }
  }.map(\.name)

  /// The ends that a filter refuses beside the sample's other parameters.
  private static let refusedEnds: Set = [
    // These are densities, and go with another meaning than the sample's.
    "invert meaning 0.0", "invert meaning 10.0",
    // These make the white brighter than the base.
    "negative-development base 1e-09", "negative-development white 1000000.0",
    "negative-exposure base 1e-09", "negative-exposure white 1000000.0",
    // These take the lift of the sample's gain, or the logarithm of the sample's slope, below 0.
    "lift-gamma-gain lift -1.0", "log-curve lin-side-offset -1000000.0",
    "log-curve lin-side-break -1000000.0",
    // These leave no distance between the pivots, or too much of it.
    "grading-primary pivot-black -1000000.0", "grading-primary pivot-black 1000000.0",
    "grading-primary pivot-white -1000000.0",
    // These are of other styles than the sample's.
    "grading-primary offset -1000.0", "grading-primary offset 1000.0",
    "grading-primary exposure -100.0", "grading-primary exposure 100.0",
    "grading-primary lift -1000.0", "grading-primary lift 1000.0", "grading-primary gain 0.01",
    "grading-primary gain 100.0",
  ]

  @Test(arguments: names) func endsOfRangesAreExact(name: String) throws {
    let entry = try #require(FilterCatalog.builtIn[name])
    let sample = try #require(entry.sample)
    for parameter in entry.parameters {
      guard let range = parameter.range else { continue }
      for end in [range.lowerBound, range.upperBound] {
        let place = "\(name) \(parameter.name) \(end)"
        let changed = try #require(changing(sample, parameter.name, to: end))
        if Self.refusedEnds.contains(place) {
          #expect(throws: RecipeDecodingError.self, "\(place)") {
            try entry.filter(changed, at: name)
          }
        } else {
          let filter = try #require(try entry.filter(changed, at: name) as? any PointFilter)
          try expectExact(filter, "\(name) with \(parameter.name) = \(end)")
        }
      }
    }
  }

  /// Returns the sample with a parameter, or each component of it, set to a number.
  private func changing(
    _ sample: RecipeValue, _ name: String, to number: Double
  ) -> RecipeValue? {
    guard case .object(var members) = sample else { return nil }
    let old = members.first { $0.name == name }?.value
    let value: RecipeValue =
      if case .array(let parts)? = old {
        .array(parts.map { _ in .number(number) })
      } else {
        .number(number)
      }
    members.removeAll { $0.name == name }
    members.append(RecipeValue.Member(name, value))
    return .object(members)
  }

  private static let colors: [SIMD3<Float>] = (0..<97).map { index in
    let light = Float(exp2(Double(index % 29) / 2 - 10))
    return [light, light * Float(index % 7 - 1) / 5, light * Float(index % 11) / 7]
  }

  private func signedRoot(_ color: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3([color.x, color.y, color.z].map { $0 < 0 ? -(-$0).squareRoot() : $0.squareRoot() })
  }

  private func signedSquare(_ color: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3([color.x, color.y, color.z].map { $0 * abs($0) })
  }

  private func expectExact(_ filter: any PointFilter, _ name: String) throws {
    var program = PointProgram()
    filter.describe(to: &program, in: .linearSRGB)
    let colors = Self.colors
    let bitmap = Bitmap<Float>(
      PixelSize(colors.count, 1), in: .linearSRGB, channels: .rgb
    ) { x, _ in [colors[x].x, colors[x].y, colors[x].z] }
    let row = try Picture(bitmap).applying(filter).render(as: Float.self).row(0)
    for (index, color) in colors.enumerated() {
      let exact =
        filter.domain == .perceptual
        ? signedSquare(program(signedRoot(SIMD3<Double>(color)))) : program(SIMD3<Double>(color))
      let found = SIMD3<Double>(SIMD3(row[3 * index], row[3 * index + 1], row[3 * index + 2]))
      for channel in 0..<3 {
        #expect(!exact[channel].isNaN, "\(name): \(color) gives \(exact)")
        // Greater values may overflow single precision in between.
        guard abs(exact[channel]) < 1e36 else { continue }
        // Sums of large terms may nearly cancel.
        let limit = 1e-4 * max(abs(exact[channel]), 1e-2)
        #expect(
          abs(found[channel] - exact[channel]) <= limit,
          "\(name): \(color) gives \(found), not \(exact)")
      }
    }
  }
}
