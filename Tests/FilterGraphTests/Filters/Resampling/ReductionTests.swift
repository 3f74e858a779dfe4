import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Box and nearest-neighbor reductions: the input pixels that contribute.
@Suite struct ReductionTests {
  /// The number of input pixels whose center is after the start of an output pixel's box and up to its end, counted one
  /// by one.
  private static func count(in index: Int, from input: Int, to output: Int) -> Int {
    // Only pixels around the box can be inside: in halves of input pixels, times the output's size.
    let around = max(0, index * input / output - 2)..<min(input, (index + 1) * input / output + 2)
    return around.filter { pixel in
      let middle = (2 * pixel + 1) * output
      return middle > 2 * index * input && middle <= 2 * (index + 1) * input
    }.count
  }

  /// Boxes partition the input: each input pixel contributes to the box that contains its center, and on a boundary to
  /// the left one.
  @Test func boxesCountEveryPixelOnce() {
    for input in Array(1...120) + [121, 127, 255, 256, 360, 625, 1001, 1080] {
      // All reductions up to 120, and every eleventh beyond.
      for output in stride(from: 1, to: max(input, 2), by: input > 120 ? 11 : 1) {
        let boxes = Resampling(from: input, to: output, by: .box)
        var next = 0
        for index in 0..<output {
          let taps = boxes.taps(of: index)
          let expected = Self.count(in: index, from: input, to: output)
          guard taps.start == next, taps.weights.count == expected,
            taps.weights.allSatisfy({ $0 == 1 / Double(expected) })
          else {
            Issue.record("\(input) → \(output): \(taps) of \(index) instead of \(expected) pixels")
            return
          }
          next += expected
        }
        guard next == input else {
          Issue.record("\(input) → \(output): \(next) pixels count")
          return
        }
      }
    }
  }

  /// The nearest pixel is the one that contains an output pixel's center, and on a boundary the right one.
  @Test func nearestIsThePixelUnderTheMiddle() {
    for input in Array(1...120) + [127, 256, 1001] {
      for output in stride(from: 1, through: 150, by: 4) {
        let nearest = Resampling(from: input, to: output, by: .nearest)
        for index in 0..<output {
          let taps = nearest.taps(of: index)
          guard taps.start == (2 * index + 1) * input / (2 * output), taps.weights == [1] else {
            Issue.record("\(input) → \(output): \(taps) of \(index)")
            return
          }
        }
      }
    }
  }

  /// Impulses in every column and every row, through the tiled evaluator, from a picture at any position.
  @Test(arguments: [(19, 6), (21, 6), (25, 10), (27, 14), (35, 10), (45, 18), (50, 20), (9, 2)])
  func impulsesAreKept(from input: Int, to output: Int) throws {
    let size = PixelSize(input, input)
    let columns = Bitmap<Float>(size, in: .linearSRGB, channels: .gray) { [$0 == $1 ? 1 : 0] }
    for offset in [Offset(0, 0), Offset(7, -3)] {
      let moved = Picture(columns).moved(by: offset)
      for (target, transposed) in [
        (ResizeTarget.exact(output, input), false), (.exact(input, output), true),
      ] {
        let reduced = moved.resized(to: target, by: .box)
        for tile in [3, 16, 256] {
          var options = RenderOptions()
          options.tile = PixelSize(tile, tile)
          let result = try reduced.render(as: Float.self, options: options)
          for source in 0..<input {
            let total = (0..<output).reduce(Float(0)) { sum, index in
              let value = transposed ? result[source, index, 0] : result[index, source, 0]
              // Each output pixel is the mean of so many input pixels.
              let count = Self.count(in: index, from: input, to: output)
              return sum + value * Float(count)
            }
            // The rounding errors of one product and of the weight.
            #expect(abs(total - 1) <= 1e-6, "pixel \(source) of \(input) → \(output)")
          }
        }
      }
    }
  }

  /// The same reductions as transforms: where two boxes meet at a pixel's center, it contributes to one of them.
  @Test(arguments: [(18, 6), (21, 6), (19, 6), (35, 10), (27, 14), (50, 20)])
  func transformsCountEveryPixelOnce(from input: Int, to output: Int) throws {
    let row = Bitmap<Float>(PixelSize(input, input), in: .linearSRGB, channels: .gray) {
      [$0 == $1 ? 1 : 0]
    }
    let scale = Double(output) / Double(input)
    let reduced = try Picture(row).transformed(by: .scaled(x: scale, y: 1), kernel: .box)
      .render(as: Float.self)
    for source in 0..<input {
      let parts = (0..<reduced.size.width).filter { reduced[$0, source, 0] > 0 }
      #expect(parts.count == 1, "pixel \(source) of \(input) → \(output) is in \(parts)")
    }
  }
}
