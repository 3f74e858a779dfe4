public import ColorSpaces
internal import ImageBuffer

extension Look {
  /// A recipe baked into a lookup table, and the error of the table.
  public struct Baked: Hashable, Sendable {
    /// The look with the lookup table.
    public let look: Look
    /// The color space of the table's output.
    public let space: ColorSpace
    /// The maximum and the mean error of an encoded channel, over 32,768 colors of the box between the table's grid
    /// points.
    public let largestError, meanError: Double
  }

  /// The spacing of a baked table's grid points.
  @nonexhaustive
  public enum Spread: Hashable, Sendable {
    /// Uniform over a range of encoded values.
    case even(ClosedRange<Double>)
    /// Logarithmic, from 0 up to 2 to the power of the upper end: `log₂(x + a)` with a = 2^lower, so that grid points
    /// are uniform below about a, and above it uniform in stops. A shaper curve before the table implements it.
    case stops(ClosedRange<Double>)

    /// The shaper curve from encoded values to positions in the table; nil for uniform spacing.
    fileprivate var curve: SegmentedCurve? {
      guard case .stops(let range) = self else { return nil }
      let foot = exp2(range.lowerBound)
      let scale = 1 / (log2(exp2(range.upperBound) + foot) - range.lowerBound)
      return SegmentedCurve([
        .log(base: 2, shift: foot, scale: scale, offset: -range.lowerBound * scale)
      ])
    }

    /// The encoded value at a position, 0 to 1, in the table.
    fileprivate func number(at place: Double) -> Double {
      switch self {
      case .even(let range): range.lowerBound + (range.upperBound - range.lowerBound) * place
      case .stops(let range):
        exp2(
          range.lowerBound
            + (log2(exp2(range.upperBound) + exp2(range.lowerBound)) - range.lowerBound) * place)
          - exp2(range.lowerBound)
      }
    }
  }

  /// Bakes a recipe over encoded values of `space` into a table, for programs that support lookup tables only.
  ///
  /// The recipe must consist of point operations: operations that depend on neighbors or on the position of a pixel
  /// cannot be baked.
  ///
  /// The colors are rendered with `options`, whose memory limit counts the table's entries.
  public static func baking(
    _ title: String = "", size: Int = 33, in space: ColorSpace,
    over spread: Spread = .even(0...1), interpolation: ColorTable.Interpolation = .tetrahedral,
    options: RenderOptions = RenderOptions(), _ recipe: (Picture) -> Picture
  ) throws(RenderError) -> Baked {
    guard ColorTable.sizes.contains(size) else {
      throw .recipe(RecipeError(ColorTable.refusal(ofSize: size)))
    }
    if case .stops(let range) = spread {
      do throws(RecipeError) {
        try checked("The lower end of a range of stops", range.lowerBound, in: -100...100)
        try checked("The upper end of a range of stops", range.upperBound, in: -100...100)
      } catch {
        throw .recipe(error)
      }
    }
    @Sendable func color(at place: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3(
        spread.number(at: place.x), spread.number(at: place.y), spread.number(at: place.z))
    }
    let (lattice, target) = try colors(recipe, in: space, PixelSize(size * size, size), options) {
      // The order of a table's grid points.
      color(
        at: SIMD3(Double($0 % size), Double($0 / size % size), Double($0 / size / size))
          / Double(size - 1))
    }
    let curve = spread.curve
    let (lowest, highest) =
      curve == nil ? (color(at: .zero), color(at: .one)) : (SIMD3.zero, SIMD3.one)
    let table: ColorTable
    do throws(ColorError) {
      table = try ColorTable(
        size: size, entries: lattice, lowest: lowest, highest: highest,
        interpolation: interpolation)
    } catch {
      throw .recipe(RecipeError(error))
    }
    let shaper = curve.map { Step.curves(.segmented($0), .segmented($0), .segmented($0)) }
    let look = Look(title: title, steps: (shaper.map { [$0] } ?? []) + [.table(table)])
    // Roberts's R₃ sequence: low discrepancy, and not aligned with any grid.
    let probe = { @Sendable (index: Int) in
      let ratio = 1.220_744_084_605_759_5
      let walk =
        Double(index + 1) * SIMD3(1 / ratio, 1 / (ratio * ratio), 1 / (ratio * ratio * ratio))
      return color(at: walk - walk.rounded(.down))
    }
    let probes = PixelSize(256, 128)
    let (exact, _) = try colors(recipe, in: space, probes, options, probe)
    let (baked, _) = try colors({ $0.look(look) }, in: space, probes, options, probe)
    let errors = zip(exact, baked).map { abs(Double($0) - Double($1)) }
    return Baked(
      look: look, space: target, largestError: errors.max() ?? 0,
      meanError: errors.reduce(0, +) / Double(errors.count))
  }

  /// Returns the encoded results of `recipe` for the colors of a picture's pixels in row order, and their space.
  private static func colors(
    _ recipe: (Picture) -> Picture, in space: ColorSpace, _ size: PixelSize,
    _ options: RenderOptions, _ color: @escaping @Sendable (Int) -> SIMD3<Double>
  ) throws(RenderError) -> ([Float], ColorSpace) {
    let source = Picture(ColorRows(size: size, space: space, color: color))
    let picture = recipe(source)
    if let failure = picture.failure { throw .recipe(failure) }
    guard picture.isPointwise(on: source) else { throw .recipe(.notPointwise) }
    return (try picture.render(as: Float.self, options: options).samples, picture.space)
  }
}

/// Colors by the index of their pixel, which take no memory but that of a row.
private struct ColorRows: RowSource {
  let size: PixelSize
  let space: ColorSpace
  let color: @Sendable (Int) -> SIMD3<Double>
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .float32 }

  func makeReader() -> any RowReader { Reader(self) }

  private final class Reader: RowReader {
    private let source: ColorRows
    private var index = 0

    init(_ source: ColorRows) { self.source = source }

    func readRow(into row: UnsafeMutableRawBufferPointer) {
      let samples = row.bindMemory(to: Float.self)
      for x in 0..<source.size.width {
        let color = source.color(index)
        for channel in 0..<3 { samples[3 * x + channel] = Float(color[channel]) }
        index += 1
      }
    }
  }
}

extension Picture {
  /// Whether each pixel depends on the same pixel of `source` only.
  fileprivate func isPointwise(on source: Picture) -> Bool {
    node.chain { $0.program == nil ? .end : .descend }.end === source.node
  }
}
