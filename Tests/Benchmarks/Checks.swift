import Colorloom
import _TestSupport

/// The positions of every 97th pixel.
private func samplePositions(of size: PixelSize) -> [(x: Int, y: Int)] {
  stride(from: 0, to: size.pixelCount, by: 97).map { ($0 % size.width, $0 / size.width) }
}

/// The largest difference from the exact result, over every 97th pixel.
func worstPixel<Source: PixelSample, Target: PixelSample>(
  _ source: Bitmap<Source>, _ target: Bitmap<Target>, value: (Source) -> Double,
  result: (Target) -> Double, exact: (SIMD3<Double>) -> SIMD3<Double>
) -> Double {
  worstColor(source, target, value: value, result: result) { color, result in
    difference(exact(color), result)
  }
}

/// The same for samples of one format.
func worstPixel<Sample: PixelSample>(
  _ source: Bitmap<Sample>, _ target: Bitmap<Sample>, value: (Sample) -> Double,
  exact: (SIMD3<Double>) -> SIMD3<Double>
) -> Double {
  worstPixel(source, target, value: value, result: value, exact: exact)
}

/// The largest error over every 97th pixel, where `error` takes the pixel's color in the source and that in the result.
func worstColor<Source: PixelSample, Target: PixelSample>(
  _ source: Bitmap<Source>, _ target: Bitmap<Target>, value: (Source) -> Double,
  result: (Target) -> Double, error: (SIMD3<Double>, SIMD3<Double>) -> Double
) -> Double {
  samplePositions(of: source.size).reduce(0) { worst, place in
    let (x, y) = place
    return larger(
      worst,
      error(
        SIMD3(value(source[x, y, 0]), value(source[x, y, 1]), value(source[x, y, 2])),
        SIMD3(result(target[x, y, 0]), result(target[x, y, 1]), result(target[x, y, 2]))))
  }
}

/// The largest difference from what the reference evaluator makes of every 97th pixel by the same steps: in order, in double
/// precision. The steps must be point filters and conversions, so that the sampled pixels can stand side by side.
func worstPixel<Source: PixelSample, Target: PixelSample>(
  _ source: Bitmap<Source>, _ target: Bitmap<Target>, result: (Target) -> Double,
  steps: (Picture) -> Picture
) throws -> Double {
  let places = samplePositions(of: source.size)
  var samples = Bitmap<Source>(PixelSize(places.count, 1), in: source.space)
  for (index, place) in places.enumerated() {
    for k in 0..<4 { samples[index, 0, k] = source[place.x, place.y, k] }
  }
  let reference = try ReferenceEvaluator().render(steps(Picture(samples)))
  var worst = 0.0
  for (index, place) in places.enumerated() {
    let expected = reference[index, 0]
    for k in 0..<3 {
      worst = larger(
        worst,
        abs(result(target[place.x, place.y, k]) - held(expected[k], by: Target.self)))
    }
  }
  return worst
}

/// The largest difference from a filter's definition, at positions all over an opaque picture. `pixel` takes a position of the result, and
/// a function that gives the color at a position of the source, as numbers by `value`.
func worstPixel<Sample: PixelSample>(
  from source: Bitmap<Sample>, _ target: Bitmap<Sample>, places: Int,
  value: (Sample) -> Double, source color: (SIMD3<Double>) -> SIMD3<Double> = { $0 },
  result: (SIMD3<Double>) -> SIMD3<Double> = { $0 },
  pixel: @escaping (_ x: Int, _ y: Int, _ read: (Int, Int) -> SIMD4<Double>) -> SIMD4<Double>
) -> Double {
  var worst = 0.0
  for index in 0..<places {
    let (x, y) = (index * 7919 % target.size.width, index * 104_729 % target.size.height)
    let found = pixel(x, y) { x, y in
      let (x, y) = (
        min(max(x, 0), source.size.width - 1), min(max(y, 0), source.size.height - 1)
      )
      let stored = SIMD3(value(source[x, y, 0]), value(source[x, y, 1]), value(source[x, y, 2]))
      return SIMD4(color(stored), 1)
    }
    let expected = result(SIMD3(found.x, found.y, found.z))
    for k in 0..<3 {
      worst = larger(
        worst, abs(value(target[x, y, k]) - held(expected[k], by: Sample.self)))
    }
    if target.channels == .rgba { worst = larger(worst, abs(value(target[x, y, 3]) - found.w)) }
  }
  return worst
}

/// The largest difference from a filter's definition.
func worstPixel<Sample: PixelSample>(
  of filter: some AreaFilter, from source: Bitmap<Sample>, _ target: Bitmap<Sample>, places: Int,
  value: (Sample) -> Double
) -> Double {
  worstPixel(from: source, target, places: places, value: value) {
    filter.pixel(x: $0, y: $1, of: source.size, read: $2)
  }
}

/// The largest difference of two colors in a channel.
func difference(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
  (0..<3).reduce(0) { larger($0, abs(a[$1] - b[$1])) }
}

/// A value that samples of a type can hold: integers hold 0…1.
private func held<Sample: PixelSample>(_ value: Double, by _: Sample.Type) -> Double {
  let isWhole = Sample.format == .uint8 || Sample.format == .uint16
  return isWhole ? min(max(value, 0), 1) : value
}
