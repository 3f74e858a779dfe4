import Colorloom
import Foundation

/// N1: medians; N2: dilation; N3: Sobel gradients; N4: a 7 × 7 convolution; N5: the guided filter; N6: a rotation.
/// All in single-precision RGBA.
func neighborhoods(_ bench: Bench) throws {
  guard ["N1", "N2", "N3", "N4", "N5", "N6"].contains(where: bench.wants) else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .linearSRGB) { Float($0) }
  var target = Bitmap<Float>(source.size, in: .linearSRGB)
  let options = options(bench)
  func time<Filter: AreaFilter>(
    _ work: String, _ name: String, _ filter: Filter, limit: Double, places: Int = 200
  ) throws {
    guard bench.wants(work) else { return }
    try bench.run(
      work, name, limit: limit,
      error: { worstPixel(of: filter, from: source, target, places: places) { Double($0) } }
    ) { try Picture(source).applying(filter).render(into: &target, options: options) }
  }
  for radius in [1, 2, 5, 20] {
    // A median selects values and computes none, so it is exact.
    try time("N1", "f32 median \(radius)", try Median(radius: radius), limit: 0, places: 20)
  }
  for radius in [2, 50] {
    try time("N2", "f32 dilate \(radius)", try Morphology(.dilate, radius: radius), limit: 0)
  }
  // A sum of eight products, and a root.
  try time("N3", "f32 sobel", Sobel(), limit: 1e-6)
  // Weights that sum to 1, so that alpha stays; 49 roundings of partial sums of at most 2.
  let rows = (0..<7).map { row in
    (0..<7).map { column -> Double in
      let step = (3 * row + 5 * column) % 7
      return (Double(step) - 2.5) / 24.5
    }
  }
  try time("N4", "f32 convolve 7x7", try Convolution(rows), limit: 6e-6)
  // Variances are differences of squares up to 1, over ε = 0.01: 10⁻⁷ / 0.01.
  try time(
    "N5", "f32 guided 4", try GuidedFilter(radius: 4, contrast: 0.1), limit: 1e-5, places: 3)
  // Weights between entries of a table are off by 10⁻⁷, and 16 roundings add up.
  let (x, y) = (Double(source.size.width) / 2, Double(source.size.height) / 2)
  let turn = PlaneTransform.moved(x: -x, y: -y).followed(by: .rotated(degrees: 12))
    .followed(by: .moved(x: x, y: y))
  try time("N6", "f32 rotate 12", try Transform(from: turn), limit: 2e-6)
}
