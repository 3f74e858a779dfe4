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

  @Test(arguments: names) func endsOfRangesAreExact(name: String) throws {
    let entry = try #require(FilterCatalog.builtIn[name])
    let sample = try #require(entry.sample)
    var count = 0
    for parameter in entry.parameters {
      guard let range = parameter.range else { continue }
      for end in [range.lowerBound, range.upperBound] {
        guard let filter = filter(entry, sample, setting: parameter.name, to: end) else { continue }
        try expectExact(filter, "\(name) with \(parameter.name) = \(end)")
        count += 1
      }
    }
    // The densities of “invert” go with another meaning than the sample's.
    #expect(count > 0 || name == "invert")
  }

  /// Returns the sample with a parameter, or each component of it, set to a number; nil where the filter refuses that.
  private func filter(
    _ entry: FilterCatalog.Entry, _ sample: RecipeValue, setting name: String, to number: Double
  ) -> (any PointFilter)? {
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
    return try? entry.filter(.object(members), at: entry.name) as? any PointFilter
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
      for channel in 0..<3 where abs(exact[channel]) < 1e36 {
        // Sums of large terms may nearly cancel.
        let limit = 1e-4 * max(abs(exact[channel]), 1e-2)
        #expect(
          abs(found[channel] - exact[channel]) <= limit,
          "\(name): \(color) gives \(found), not \(exact)")
      }
    }
  }
}
