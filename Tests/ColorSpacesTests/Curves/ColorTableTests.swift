import ColorSpaces
import Testing
import _TestSupport

/// Properties of 3D lookup tables.
@Suite struct ColorTableTests {
  private static let all: [ColorTable.Interpolation] = [.tetrahedral, .trilinear]
  private static let channel = Generator<Double>.double(in: -0.5...1.5)

  /// A linear function is interpolated exactly.
  @Test(arguments: all) func linearFunctionsAreInterpolatedExactly(
    _ interpolation: ColorTable.Interpolation
  ) throws {
    let matrix = ColorMatrix(rows: [0.5, 0.25, 0.125], [-1, 2, 0], [0.25, 0.25, 0.5])
    let table = try ColorTable(
      size: 9, lowest: [-0.5, 0, -1], highest: [1.5, 1, 3], interpolation: interpolation
    ) { matrix * $0 }
    checkProperty("\(interpolation) of a mix", Self.channel, Self.channel, Self.channel) {
      red, green, blue in
      let inside = SIMD3(red, green, blue)
        .clamped(lowerBound: table.lowest, upperBound: table.highest)
      let difference = table([red, green, blue]) - matrix * inside
      // Values are floats up to 5, with weights that sum to 1.
      return (0..<3).allSatisfy { abs(difference[$0]) <= 3e-7 }
    }
  }

  @Test(arguments: all) func gridPointsAreExact(_ interpolation: ColorTable.Interpolation) throws {
    var random = SeededGenerator(seed: 3)
    let entries = (0..<3 * 125).map { _ in Float.random(in: -1...2, using: &random) }
    let table = try ColorTable(size: 5, entries: entries, interpolation: interpolation)
    for index in 0..<125 {
      let place = SIMD3(Double(index % 5), Double(index / 5 % 5), Double(index / 25)) / 4
      let color = table(place)
      for channel in 0..<3 { #expect(color[channel] == Double(entries[3 * index + channel])) }
    }
  }

  /// Interpolation between gray grid points gives gray for any other grid points: the purpose of tetrahedral interpolation.
  @Test func graysStayGray() throws {
    let table = try ColorTable(size: 4) { color in
      color.x == color.y && color.y == color.z
        ? SIMD3(repeating: color.x * color.x) : [color.y, 1 - color.z, color.x * color.z]
    }
    for step in 0...100 {
      let color = table(SIMD3(repeating: Double(step) / 100))
      // The weights of two corners are rounding errors of zero.
      #expect(color.spread <= 2e-15)
    }
  }

  @Test func nanInOneChannelGivesNaNInAll() throws {
    let table = try ColorTable(size: 2) { $0 }
    for channel in 0..<3 {
      var color = SIMD3(0.5, 0.25, 1)
      color[channel] = .nan
      #expect((0..<3).allSatisfy { table(color)[$0].isNaN })
    }
    #expect(table([.infinity, -.infinity, 0.5]) == [1, 0, 0.5])
  }

  /// A function of a user's size would otherwise run without an end before the size is refused.
  @Test(arguments: [Int.min, -1, 0, 1, 257, 2000, .max])
  func impossibleTablesAreRefusedBeforeTheyAreSampled(size: Int) {
    #expect(throws: ColorTable.refusal(ofSize: size)) {
      try ColorTable(size: size) { color in
        // The closure would be called too often to go on.
        fatalError("\(color) is sampled for a table of \(size)³ colors.")
      }
    }
  }

  @Test func impossibleTablesAreRefused() {
    #expect(throws: ColorError.self) { try ColorTable(size: 1) { $0 } }
    #expect(throws: ColorError.self) { try ColorTable(size: 257) { $0 } }
    #expect(throws: ColorError.self) { try ColorTable(size: 2) { _ in [.nan, 0, 0] } }
    #expect(throws: ColorError.self) { try ColorTable(size: 2, lowest: .one) { $0 } }
    #expect(
      throws: ColorError.parameter("The width of a table's box", value: 6e38, allowed: 1e-6...1e18)
    ) {
      try ColorTable(size: 2, lowest: .one * -3e38, highest: .one * 3e38) { _ in .zero }
    }
    for count in [0, 23, 25] {
      #expect(
        throws: ColorError.parameter(
          "The number of values of a 2³ color table", value: Double(count), allowed: 24...24)
      ) { try ColorTable(size: 2, entries: [Float](repeating: 0, count: count)) }
    }
  }
}
