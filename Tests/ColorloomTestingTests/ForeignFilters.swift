import Colorloom

// Filters of every kind by another package, with the public API only.

/// Scales each channel by its own factor.
struct Tint: PointFilter {
  var factors: SIMD3<Double>
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.affine(scale: factors, offset: .zero))
  }
}

/// Exchanges red and blue.
struct RedBlueSwap: PointFilter {
  var domain: PixelDomain { .encoded }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.rows("swap red and blue") { strip in
      for i in strip.indices { (strip.red[i], strip.blue[i]) = (strip.blue[i], strip.red[i]) }
    }
  }
}

/// Darkens with the distance from a point.
struct Vignette: PointFilter {
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.rows("vignette") { strip in
      for i in strip.indices {
        let (x, y) = (Float(strip.x + i - 20), Float(strip.y - 10))
        let light = 1 / (1 + (x * x + y * y) / 400)
        (strip.red[i], strip.green[i], strip.blue[i]) = (
          strip.red[i] * light, strip.green[i] * light, strip.blue[i] * light
        )
      }
    }
  }
}

/// The mean of a horizontal window.
struct RowMean: AreaFilter {
  var reach: Int

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    Region(
      x: output.x - reach, y: output.y, width: output.width + 2 * reach, height: output.height)
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    (x - reach...x + reach).reduce(.zero) { $0 + read($1, y) } / Double(2 * reach + 1)
  }

  func scratchCount(for output: Region, from input: Region, planes: Int) -> Int { input.width + 16 }

  func render(into output: Tile, from input: Tile, with preparation: Void) {
    var copy = output.scratch(input.region.width)
    for plane in 0..<output.planeCount {
      for y in output.region.rows {
        let row = input.row(y, plane: plane)
        for index in row.indices { copy[index] = row[index] }
        var result = output.mutableRow(y, plane: plane)
        for index in result.indices {
          var sum: Float = 0
          for step in 0...2 * reach { sum += copy[index + step] }
          result[index] = sum / Float(2 * reach + 1)
        }
      }
    }
  }
}

/// Translates a picture, possibly entirely outside of its region, where it shows the edge pixels.
struct Shift: AreaFilter {
  var columns: Int, rows: Int

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.moved(by: Offset(columns, rows))
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(x + columns, y + rows)
  }

  func render(into output: Tile, from input: Tile, with preparation: Void) {
    for plane in 0..<output.planeCount {
      for y in output.region.rows {
        let shifted = input.row(y + rows, plane: plane)
        var row = output.mutableRow(y, plane: plane)
        for index in row.indices { row[index] = shifted[index] }
      }
    }
  }
}

/// A filter that reads nothing of the picture.
struct Erased: AreaFilter {
  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    Region(x: 0, y: 0, width: 0, height: 0)
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    SIMD4(0.25, 0.5, 0.75, 1)
  }
}

/// The mean of all inputs.
struct Average: BlendFilter {
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    inputs.reduce(.zero, +) / Double(inputs.count)
  }
}

/// The lesser value of two pictures in each channel, and the greater alpha.
struct Darkest: BlendFilter {
  var domain: PixelDomain { .encoded }
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    var least = pointwiseMin(inputs[0], inputs[1])
    least.w = max(inputs[0].w, inputs[1].w)
    return least
  }
}

/// The red of one picture, and the other channels of another.
struct RedFromSecond: BlendFilter {
  var domain: PixelDomain { .encoded }

  func channelSources(inputs: Int) -> ChannelSources? {
    ChannelSources(red: 1, green: 0, blue: 0)
  }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    SIMD4(inputs[1].x, inputs[0].y, inputs[0].z, inputs[0].w)
  }
}

/// Displaces pixels horizontally by the red of another picture; 0.5 is no displacement.
struct Displacement: AreaBlendFilter {
  var reach: Int

  func inputRegion(_ input: Int, for output: Region, of size: PixelSize) -> Region {
    if input == 1 { return output }
    return Region(
      x: output.x - reach, y: output.y, width: output.width + 2 * reach + 1, height: output.height)
  }

  func pixel(
    x: Int, y: Int, of size: PixelSize, read: (_ input: Int, _ x: Int, _ y: Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let red = read(1, x, y).x
    let shift = red.isNaN ? 0 : (min(max(red, 0), 1) * 2 - 1) * Double(reach)
    let (left, part) = (Int(shift.rounded(.down)), shift - shift.rounded(.down))
    return read(0, x + left, y) * (1 - part) + read(0, x + left + 1, y) * part
  }
}

extension Displacement: RecipeFilter {
  static let declaration = Declaration<Displacement>(
    "test-displacement", "Moves pixels as another picture says.",
    Parameter("reach", \.reach, "the longest way", unit: "pixels", sample: 3)
  ) { Displacement(reach: $0) }
}

/// The mean of a vertical window, mixed with the pixel itself by a mask, computed row by row.
struct MaskedMean: AreaBlendFilter {
  var reach: Int

  func inputRegion(_ input: Int, for output: Region, of size: PixelSize) -> Region {
    if input == 1 { return output }
    return Region(
      x: output.x, y: output.y - reach, width: output.width, height: output.height + 2 * reach)
  }

  func pixel(
    x: Int, y: Int, of size: PixelSize, read: (_ input: Int, _ x: Int, _ y: Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let sum = (y - reach...y + reach).reduce(SIMD4<Double>.zero) { $0 + read(0, x, $1) }
    let (pixel, mask) = (read(0, x, y), read(1, x, y).y)
    return pixel + (sum / Double(2 * reach + 1) - pixel) * mask
  }

  func scratchCount(for output: Region, from inputs: [Region], planes: Int) -> Int {
    output.width + 16
  }

  func render(into output: Tile, from inputs: [Tile], with preparation: Void) {
    let (picture, masks) = (inputs[0], inputs[1])
    var sum = output.scratch(output.region.width)
    for plane in 0..<output.planeCount {
      for y in output.region.rows {
        for x in sum.indices { sum[x] = 0 }
        for row in y - reach...y + reach {
          let values = picture.row(row, plane: plane)
          for x in sum.indices { sum[x] += values[x] }
        }
        let values = picture.row(y, plane: plane)
        let mask = masks.row(y, plane: 1)
        var result = output.mutableRow(y, plane: plane)
        for x in result.indices {
          result[x] = values[x] + (sum[x] / Float(2 * reach + 1) - values[x]) * mask[x]
        }
      }
    }
  }
}

/// Mirrors horizontally, independent of the resolution.
struct Mirror: AreaFilter {
  var domain: PixelDomain { .any }

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    Region(
      x: input.width - output.columns.upperBound, y: output.y, width: output.width,
      height: output.height)
  }

  func inputSize(forAtLeast output: PixelSize) -> PixelSize? { output }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(input.width - 1 - x, y)
  }
}

/// Rows of gray levels that can be read at half the resolution.
struct HalvedRows: RowSource {
  var size: PixelSize
  let space = ColorSpace.sRGB
  let channels = Channels.rgb
  let alpha = Alpha.straight
  let format = SampleFormat.uint8

  func reduced(toAtLeast size: PixelSize) -> (any RowSource)? {
    let half = PixelSize((self.size.width + 1) / 2, (self.size.height + 1) / 2)
    guard half.width >= size.width, half.height >= size.height else { return nil }
    return HalvedRows(size: half)
  }

  func makeReader() throws -> any RowReader { Reader() }

  private final class Reader: RowReader {
    var y: UInt8 = 0

    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      for index in row.indices { row[index] = UInt8(truncatingIfNeeded: index) &+ y }
      y &+= 1
    }
  }
}

/// Infinite bars, each eight pixels wide.
struct Bars: Painter {
  func pixel(x: Int, y: Int) -> SIMD4<Double> {
    SIMD4(Double(x >> 3 & 3) / 3, Double(y >> 3 & 1), 0.25, 1)
  }
}

/// The largest sum of a pixel's channels.
struct Brightest: Reduction {
  func start(in space: ColorSpace) -> Float { 0 }
  func add(_ pixel: SIMD4<Float>, to state: inout Float) {
    state = max(state, pixel.x + pixel.y + pixel.z)
  }
}
