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
  }

  /// Bakes adjustments over encoded values of `space` into a table, for programs that support lookup tables only.
  ///
  /// The adjustments must be point operations: operations that depend on neighbors or on the position of a pixel
  /// cannot be baked.
  ///
  /// The colors are rendered with `options`, whose memory limit counts the table's entries.
  ///
  /// - Throws: `RenderError.recipe` for a `RecipeError` of `recipe`, and `RenderError.source` with any other error that it throws, such as
  ///   that of a look which cannot be read.
  public static func baking(
    _ title: String = "", size: Int = 33, in space: ColorSpace,
    over spread: Spread = .even(0...1), interpolation: ColorTable.Interpolation = .tetrahedral,
    options: RenderOptions = RenderOptions(), _ recipe: (Picture) throws -> Picture
  ) throws(RenderError) -> Baked {
    do {
      return try baking(
        title, size: size, in: space, over: spread, interpolation: interpolation, options: options,
        reading: { $0 }, recipe)
    } catch let error as RenderError {
      throw error
    } catch let error as RecipeError {
      throw .recipe(error)
    } catch {
      throw .source(SourceError(error))
    }
  }

  /// Bakes adjustments into a table over one box of encoded values, and measures its error over another one.
  ///
  /// A file format without a domain needs a table over 0…1, also of a look that has one. The error over the look's
  /// domain then counts the colors that the table clips.
  ///
  /// `storing` returns the look as its file holds it. That look is measured and returned. Errors of `storing` and `recipe` are rethrown.
  package static func baking(
    _ title: String, size: Int, in space: ColorSpace, over box: ColorBox,
    measuredOver measured: ColorBox, options: RenderOptions, storing: (Look) throws -> Look,
    _ recipe: (Picture) throws -> Picture
  ) throws -> Baked {
    let (table, target) = try table(
      size: size, Sampling(box), in: space, interpolation: .tetrahedral, options, recipe)
    return try storing(Look(table, title: title)).measured(
      against: recipe, over: measured.color, in: space, target: target, options)
  }

  /// Bakes adjustments into a table, and measures the error of the look that `reading` makes of it: of the look as readers of a file
  /// understand it. Errors of `reading` and `recipe` are rethrown.
  package static func baking(
    _ title: String, size: Int, in space: ColorSpace, over spread: Spread,
    interpolation: ColorTable.Interpolation = .tetrahedral, options: RenderOptions,
    reading: (Look) throws -> Look, _ recipe: (Picture) throws -> Picture
  ) throws -> Baked {
    if case .stops(let range) = spread {
      try checked("The lower end of a range of stops", range.lowerBound, in: stops)
      try checked("The upper end of a range of stops", range.upperBound, in: stops)
    }
    let sampling = Sampling(spread)
    let (table, target) = try table(
      size: size, sampling, in: space, interpolation: interpolation, options, recipe)
    let shaper = sampling.curve.map {
      Step.curves(.segmented($0), .segmented($0), .segmented($0))
    }
    let look = Look(title: title, steps: (shaper.map { [$0] } ?? []) + [.table(table)])
    let measured = try reading(look).measured(
      against: recipe, over: sampling.color, in: space, target: target, options)
    return Baked(
      look: look, space: target, largestError: measured.largestError,
      meanError: measured.meanError)
  }

  /// The ends that a range of stops may have.
  package static let stops = -100.0...100.0

  /// The table's box, the shaper curve before the table, and the color at a place of 0…1 in the table.
  private struct Sampling: Sendable {
    let box: ColorBox
    let curve: SegmentedCurve?
    let color: @Sendable (SIMD3<Double>) -> SIMD3<Double>

    init(_ box: ColorBox) {
      (self.box, curve, color) = (box, nil, box.color)
    }

    init(_ spread: Spread) {
      switch spread {
      case .even(let range):
        self.init(
          ColorBox(SIMD3(repeating: range.lowerBound), SIMD3(repeating: range.upperBound)))
      case .stops(let range):
        self.init(stops: range)
      }
    }

    private init(stops: ClosedRange<Double>) {
      let (lowest, foot) = (stops.lowerBound, exp2(stops.lowerBound))
      let width = log2(exp2(stops.upperBound) + foot) - lowest
      let scale = 1 / width
      box = .unit
      curve = SegmentedCurve([.log(base: 2, shift: foot, scale: scale, offset: -lowest * scale)])
      color = { place in
        let logarithms = lowest + width * place
        return SIMD3(exp2(logarithms.x), exp2(logarithms.y), exp2(logarithms.z)) - foot
      }
    }
  }

  /// Samples a recipe at a table's grid points. Returns the table, and the color space of its output.
  private static func table(
    size: Int, _ sampling: Sampling, in space: ColorSpace,
    interpolation: ColorTable.Interpolation, _ options: RenderOptions,
    _ recipe: (Picture) throws -> Picture
  ) throws -> (ColorTable, ColorSpace) {
    guard ColorTable.sizes.contains(size) else {
      throw RenderError.recipe(RecipeError(ColorTable.refusal(ofSize: size)))
    }
    let (lattice, target) = try colors(recipe, in: space, PixelSize(size * size, size), options) {
      // The order of a table's grid points.
      sampling.color(
        SIMD3(Double($0 % size), Double($0 / size % size), Double($0 / size / size))
          / Double(size - 1))
    }
    do throws(ColorError) {
      let table = try ColorTable(
        size: size, entries: lattice, lowest: sampling.box.lowest, highest: sampling.box.highest,
        interpolation: interpolation)
      return (table, target)
    } catch {
      throw RenderError.recipe(RecipeError(error))
    }
  }

  /// Returns this look with its error against `recipe`, over colors that `color` makes from places of 0…1.
  private func measured(
    against recipe: (Picture) throws -> Picture,
    over color: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>,
    in space: ColorSpace, target: ColorSpace, _ options: RenderOptions
  ) throws -> Baked {
    // Roberts's R₃ sequence: low discrepancy, and not aligned with any grid.
    let probe = { @Sendable (index: Int) in
      let ratio = 1.220_744_084_605_759_5
      let walk =
        Double(index + 1) * SIMD3(1 / ratio, 1 / (ratio * ratio), 1 / (ratio * ratio * ratio))
      return color(walk - walk.rounded(.down))
    }
    let probes = PixelSize(256, 128)
    let (exact, _) = try Self.colors(recipe, in: space, probes, options, probe)
    let (baked, _) = try Self.colors({ $0.look(self) }, in: space, probes, options, probe)
    let errors = zip(exact, baked).map { abs(Double($0) - Double($1)) }
    return Baked(
      look: self, space: target, largestError: errors.max() ?? 0,
      meanError: errors.reduce(0, +) / Double(errors.count))
  }

  /// Returns the encoded results of `recipe` for the colors of a picture's pixels in row order, and their space.
  private static func colors(
    _ recipe: (Picture) throws -> Picture, in space: ColorSpace, _ size: PixelSize,
    _ options: RenderOptions, _ color: @escaping @Sendable (Int) -> SIMD3<Double>
  ) throws -> ([Float], ColorSpace) {
    let source = Picture(ColorRows(size: size, space: space, color: color))
    let picture = try recipe(source)
    if let failure = picture.failure { throw RenderError.recipe(failure) }
    guard picture.isPointwise(on: source) else { throw RenderError.recipe(.notPointwise) }
    return (try picture.render(as: Float.self, options: options).samples, picture.space)
  }
}

/// A box of colors between two corners.
package struct ColorBox: Hashable, Sendable {
  /// The box of 0…1 in each channel.
  package static let unit = ColorBox(.zero, .one)

  /// The corners of the box.
  package let lowest, highest: SIMD3<Double>

  /// Creates a box from its corners.
  package init(_ lowest: SIMD3<Double>, _ highest: SIMD3<Double>) {
    (self.lowest, self.highest) = (lowest, highest)
  }

  /// Whether `other` lies within this box.
  package func contains(_ other: ColorBox) -> Bool {
    all(other.lowest .>= lowest) && all(other.highest .<= highest)
  }

  /// Returns the color at a place of 0…1 between the corners.
  @Sendable package func color(at place: SIMD3<Double>) -> SIMD3<Double> {
    lowest + (highest - lowest) * place
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
  package func isPointwise(on source: Picture) -> Bool {
    node.chain { $0.program == nil ? .end : .descend }.end === source.node
  }
}
