import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// Another seed is other noise, not the same noise at another place.
@Suite struct SeedTests {
  /// Two pixels of 2²⁴ values are equal once in 4096 shifts of 64 × 64 pixels.
  @Test(arguments: [(UInt64(0), UInt64(1)), (1, 3), (.max, 0)])
  func noiseOfSeedsSharesNoValues(first: UInt64, second: UInt64) throws {
    let one = try Picture.noise(seed: first, in: .sRGB)
      .cropped(to: Region(PixelSize(64, 64))).render(as: Float.self)
    let other = try Picture.noise(seed: second, in: .sRGB)
      .cropped(to: Region(x: -8, y: -8, width: 80, height: 80)).render(as: Float.self)
    for shift in shifts(upTo: 8) {
      var shared = 0
      for y in 0..<64 {
        for x in 0..<64 where one[x, y, 0] == other[x + 8 + shift.x, y + 8 + shift.y, 0] {
          shared += 1
        }
      }
      #expect(shared < 3, "of 4096, moved by \(shift)")
    }
  }

  /// Clouds of two seeds differ at every shift by whole cells.
  @Test func cloudsOfSeedsAreDifferent() throws {
    let one = try GradientNoise(seed: 0, cell: 16)
    let other = try GradientNoise(seed: 1, cell: 16)
    for shift in shifts(upTo: 3) {
      let difference = largestDifference { x, y in
        one.pixel(x: x, y: y).x - other.pixel(x: x + 16 * shift.x, y: y + 16 * shift.y).x
      }
      #expect(difference > 0.1, "moved by \(shift)")
    }
  }

  /// The second octave of a cloud is the first one of no neighboring seed, at no shift by whole cells.
  @Test(arguments: UInt64(4)...6) func octavesAreTheirOwn(seed: UInt64) throws {
    let first = try GradientNoise(seed: 5, cell: 16)
    let both = try GradientNoise(seed: 5, cell: 16, octaves: 2)
    let fine = try GradientNoise(seed: seed, cell: 8)
    for shift in shifts(upTo: 3) {
      let difference = largestDifference { x, y in
        // The sum has the weights 1 and ½, divided by their sum.
        let second = 3 * (both.pixel(x: x, y: y).x - 0.5) - 2 * (first.pixel(x: x, y: y).x - 0.5)
        return second - (fine.pixel(x: x + 8 * shift.x, y: y + 8 * shift.y).x - 0.5)
      }
      #expect(difference > 0.1, "moved by \(shift)")
    }
  }

  private func shifts(upTo distance: Int) -> [Offset] {
    (-distance...distance).flatMap { y in (-distance...distance).map { x in Offset(x, y) } }
  }

  private func largestDifference(_ difference: (Int, Int) -> Double) -> Double {
    var largest = 0.0
    for y in 0..<32 {
      for x in 0..<32 {
        let here = difference(x, y).magnitude
        if here > largest { largest = here }
      }
    }
    return largest
  }
}
