import CPixelKernels
import Testing

/// The search for the first and the last pixel that differ from a background, against its definition.
@Suite struct ContentTests {
  /// A value near the background, equal to it, or a special one; mostly equal.
  private func value(_ background: Float, _ random: inout SplitMix64) -> Float {
    switch Int.random(in: 0..<100, using: &random) {
    case 0: background + 0.06
    case 1: .nan
    case 2: .infinity
    case 3, 4: background - 0.04
    default: background
    }
  }

  private func differs(_ pixel: [Float], _ background: [Float], _ tolerance: Float) -> Bool {
    let alpha = pixel.count == 4 ? pixel[3] : 1
    return zip(pixel.indices, background).contains { channel, background in
      let value = alpha == 0 ? 0 : channel == 3 ? alpha : pixel[channel] * alpha
      return value != background && !(abs(value - background) <= tolerance)
    }
  }

  @Test(arguments: Kernels.available, [3, 4]) func theFirstAndTheLastPixelThatDifferAreFound(
    kernels: Kernels, channels: Int
  ) {
    let backgrounds: [[Float]] = [
      [0.25, 0.5, 1, 1], [0, 0, 0, 0], [.infinity, 0, -.infinity, 1], [.nan, 0, 0, 1],
    ]
    for count in 0...70 {
      for (index, background) in backgrounds.map({ Array($0.prefix(channels)) }).enumerated() {
        for tolerance: Float in [0, 0.05] {
          var random = SplitMix64(UInt64(8 * count + 2 * index) + (tolerance == 0 ? 0 : 1))
          let pixels = (0..<count).map { _ in background.map { value($0, &random) } }
          let expected = pixels.indices.filter { differs(pixels[$0], background, tolerance) }
          var (first, last) = (-1, -1)
          let found = kernels.table.content_ends(
            pixels.flatMap(\.self), channels, count, background, tolerance, &first, &last)
          #expect(found == !expected.isEmpty)
          if found { #expect((first, last) == (expected.first, expected.last), "\(background)") }
        }
      }
    }
  }

  /// Where a row is uniform but for one pixel, that pixel is both.
  @Test(arguments: Kernels.available) func aSinglePixelIsFoundAnywhere(kernels: Kernels) {
    for channels in [3, 4] {
      for (count, place) in (1...40).flatMap({ count in (0..<count).map { (count, $0) } }) {
        var row = [Float](repeating: 1, count: channels * count)
        row[channels * place + place % channels] = 0.5
        var (first, last) = (-1, -1)
        let found = kernels.table.content_ends(
          row, channels, count, [1, 1, 1, 1], 0.25, &first, &last)
        #expect(found && first == place && last == place, "\(place) of \(count)")
      }
    }
  }
}
