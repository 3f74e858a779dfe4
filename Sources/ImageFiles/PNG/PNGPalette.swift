internal import CPNG
internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// The palette of a PNG file, and the entry of each pixel.
final class PNGPalette {
  /// Red, green, blue and alpha of each entry. Opaque ones come last, so that no opacity is stored for them.
  let colors: [UInt8]
  /// The bits of an index: the fewest that hold all.
  let bits: Int32
  /// The colors of the pixels, where each is an entry of its own.
  private let known: PNGColorCounts?
  /// The distances of colors; nil where they are known.
  private let metric: PaletteMetric?
  private var errors: [Float]

  /// Creates a palette of at most `count` colors for the pixels that were counted.
  init(
    of counts: PNGColorCounts, count: Int, in space: ColorSpace, width: Int, isDithered: Bool,
    file: String
  ) throws(ImageFileError) {
    let isExact = counts.isExact && counts.count <= count
    let found = counts.colors
    metric = isExact ? nil : try PaletteMetric(space, file: file)
    let entries = metric?.entries(for: found, count: count) ?? found.map(\.rounded)
    let order = Self.order(of: entries)
    colors = order.flatMap { place in (0..<4).map { entries[place][$0] } }
    bits = entries.count <= 2 ? 1 : entries.count <= 4 ? 2 : entries.count <= 16 ? 4 : 8
    known = isExact ? counts : nil
    if isExact { counts.number(order.map { found[$0].slot }) }
    metric?.use(colors)
    errors = isDithered && !isExact ? [Float](repeating: 0, count: 4 * (width + 1)) : []
  }

  /// Writes the entries of the pixels of a row. Rows must come in order.
  func find(
    _ pixels: UnsafeRawBufferPointer, channels: Int, into entries: UnsafeMutableRawBufferPointer
  ) {
    known?.find(pixels, channels: channels, into: entries)
    metric?.find(pixels, channels: channels, errors: &errors, into: entries)
  }

  /// The places of entries in the order of the palette: by alpha, then roughly by lightness, so that similar pixels have similar indices.
  private static func order(of entries: [SIMD4<UInt8>]) -> [Int] {
    func key(_ place: Int) -> (UInt8, Int, UInt8, UInt8, Int) {
      let entry = entries[place]
      let luma = 2 * Int(entry.x) + 5 * Int(entry.y) + Int(entry.z)
      return (entry.w, luma, entry.x, entry.y, place)
    }
    return entries.indices.sorted { key($0) < key($1) }
  }
}

/// Some pixels of one color, or of similar ones.
struct CountedColor {
  /// The mean of straight red, green, blue and alpha, 0…255.
  let mean: SIMD4<Float>
  let pixelCount: Double
  /// Where ``PNGColorCounts`` has it.
  let slot: Int

  var rounded: SIMD4<UInt8> { SIMD4<UInt8>(mean.rounded(.toNearestOrAwayFromZero)) }
}

/// The colors of pixels, in a table of limited size: where there are too many, similar ones are counted together.
final class PNGColorCounts {
  private let table: UnsafeMutablePointer<cpng_colors>
  private let file: String

  init(file: String) throws(ImageFileError) {
    guard let table = cpng_colors_create() else { throw Self.refusal(file) }
    (self.table, self.file) = (table, file)
  }

  deinit { cpng_colors_destroy(table) }

  /// The number of colors that are told apart.
  var count: Int { table.pointee.count }
  /// Whether none are counted together.
  var isExact: Bool { table.pointee.bits == 8 }

  private var slots: UnsafeMutableBufferPointer<cpng_color> {
    UnsafeMutableBufferPointer(start: table.pointee.slots, count: CPNG_COLOR_SLOTS)
  }

  /// The colors in the order of the table, which depends on the order of pixels.
  var colors: [CountedColor] {
    slots.indices.filter { slots[$0].key != 0 }.map { index in
      let (sums, count) = (slots[index].sums, Float(slots[index].pixel_count))
      let mean = SIMD4(Float(sums.0), Float(sums.1), Float(sums.2), Float(sums.3)) / count
      return CountedColor(mean: mean, pixelCount: Double(slots[index].pixel_count), slot: index)
    }
  }

  /// Counts the pixels of a row.
  func add(_ pixels: UnsafeRawBufferPointer, channels: Int) throws(ImageFileError) {
    let bytes = pixels.bindMemory(to: UInt8.self)
    guard cpng_colors_add(table, bytes.baseAddress, bytes.count / channels, Int32(channels)) == 1
    else { throw Self.refusal(file) }
  }

  /// Numbers the colors in these slots from 0.
  func number(_ numbered: [Int]) {
    for (number, slot) in numbered.enumerated() { slots[slot].entry = Int32(number) }
  }

  /// Writes the number of each pixel's color.
  func find(
    _ pixels: UnsafeRawBufferPointer, channels: Int, into numbers: UnsafeMutableRawBufferPointer
  ) {
    cpng_colors_find(
      table, pixels.bindMemory(to: UInt8.self).baseAddress, numbers.count, Int32(channels),
      numbers.bindMemory(to: UInt8.self).baseAddress)
  }

  private static func refusal(_ file: String) -> ImageFileError {
    .notEnoughMemory(
      file: file, bytes: CPNG_COLOR_SLOTS * MemoryLayout<cpng_color>.stride)
  }
}

/// The distances of colors, and the entries of a palette by them.
private final class PaletteMetric {
  private let metric: OpaquePointer

  /// How far Oklab's a and b count, compared with L. With equal weights, differences of hue and chroma count for less than in CIEDE2000,
  /// whose mean over photographs is then 3 to 23 percent higher.
  private static let chromaWeight: Float = 2

  init(_ space: ColorSpace, file: String) throws(ImageFileError) {
    let colors = try Self.gridColors(in: space)
    guard let metric = cpng_metric_create(), let grid = cpng_metric_grid(metric) else {
      throw .notEnoughMemory(file: file, bytes: 1 << 20)
    }
    self.metric = metric
    for y in 0..<colors.size.height {
      for x in 0..<colors.size.width {
        let color = (0..<3).map { Self.bounded(colors[x, y, $0]) }
        grid[y * colors.size.width + x].values = (
          color[0], color[1] * Self.chromaWeight, color[2] * Self.chromaWeight, 0
        )
      }
    }
  }

  /// Curves of damaged profiles may give NaN, infinity or huge values, which have no distances.
  private static func bounded(_ value: Float) -> Float {
    value.isNaN ? 0 : min(max(value, -1000), 1000)
  }

  /// Oklab of the grid: a row for each pair of red and green.
  private static func gridColors(in space: ColorSpace) throws(ImageFileError) -> Bitmap<Float> {
    let side = CPNG_GRID_SIDE
    let grid = Bitmap<Float>(PixelSize(side, side * side), in: space, channels: .rgb) { x, y in
      [y / side, y % side, x].map { Float($0) / Float(side - 1) }
    }
    do throws(RenderError) {
      return try Picture(grid).converted(to: .oklab).render(as: Float.self)
    } catch {
      throw .rendering(error)
    }
  }

  deinit { cpng_metric_destroy(metric) }

  private func point(of color: SIMD4<Float>) -> cpng_point {
    let components = [color.x, color.y, color.z, color.w]
    return cpng_metric_point(metric, components)
  }

  /// The means of clusters of colors, at most `count`, rounded to bytes. Some may be equal.
  func entries(for colors: [CountedColor], count: Int) -> [SIMD4<UInt8>] {
    let points = colors.map { point(of: $0.mean) }
    let weighted = zip(points, colors).map { point, color in
      WeightedColor(point.vector, weight: color.pixelCount)
    }
    // Far below the difference of two colors; it keeps apart from rounding errors.
    let clusters = ColorClusters(of: weighted, count: count, leastDeviation: 1e-5)
    cpng_metric_set_points(
      metric, clusters.means.map { cpng_point($0.point) }, Int32(clusters.means.count))
    var sums = [EntrySum](repeating: EntrySum(), count: clusters.means.count)
    for (point, color) in zip(points, colors) {
      sums[Int(cpng_metric_nearest(metric, point))].add(color)
    }
    return sums.filter { $0.pixelCount > 0 }.map(\.entry)
  }

  /// Makes these colors the entries, of which each has red, green, blue and alpha.
  func use(_ colors: [UInt8]) {
    cpng_metric_set_colors(metric, colors, Int32(colors.count / 4))
  }

  /// Writes the nearest entry of each pixel. Where `errors` is empty, they are not diffused.
  func find(
    _ pixels: UnsafeRawBufferPointer, channels: Int, errors: inout [Float],
    into entries: UnsafeMutableRawBufferPointer
  ) {
    errors.withUnsafeMutableBufferPointer { errors in
      cpng_metric_map(
        metric, pixels.bindMemory(to: UInt8.self).baseAddress, entries.count, Int32(channels),
        errors.isEmpty ? nil : errors.baseAddress,
        entries.bindMemory(to: UInt8.self).baseAddress)
    }
  }
}

/// The pixels of an entry: their mean weighted by alpha is the entry.
private struct EntrySum {
  private(set) var pixelCount = 0.0
  private var opaqueCount = 0.0
  private var color = SIMD3<Double>.zero
  private var alpha = 0.0

  mutating func add(_ pixels: CountedColor) {
    let alpha = pixels.pixelCount * Double(pixels.mean.w) / 255
    color += SIMD3(Double(pixels.mean.x), Double(pixels.mean.y), Double(pixels.mean.z)) * alpha
    self.alpha += alpha
    pixelCount += pixels.pixelCount
    if pixels.mean.w == 255 { opaqueCount += pixels.pixelCount }
  }

  /// The mean, opaque where most of the pixels are.
  var entry: SIMD4<UInt8> {
    guard alpha > 0 else { return .zero }
    let opacity = 2 * opaqueCount >= pixelCount ? 255 : alpha / pixelCount * 255
    let mean = color / alpha
    return SIMD4<UInt8>(
      SIMD4(mean.x, mean.y, mean.z, opacity).rounded(.toNearestOrAwayFromZero)
        .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
  }
}

extension cpng_point {
  fileprivate init(_ vector: SIMD4<Double>) {
    self.init(values: (Float(vector.x), Float(vector.y), Float(vector.z), Float(vector.w)))
  }

  fileprivate var vector: SIMD4<Double> {
    SIMD4(Double(values.0), Double(values.1), Double(values.2), Double(values.3))
  }
}
