public import ColorSpaces
internal import ImageBuffer

extension Look {
  /// A recipe as a table, and how far from the recipe the table is.
  public struct Baked: Hashable, Sendable {
    /// The table.
    public let look: Look
    /// The space of the numbers that come out of it.
    public let space: ColorSpace
    /// The largest and the mean distance of a stored channel from what the recipe gives, over 32,768 colors within the box that lie
    /// spread between the table's entries.
    public let largestError, meanError: Double
  }

  /// A table of what `recipe` makes of the numbers of `space`, for programs that know nothing but tables.
  ///
  /// The recipe may change each pixel by itself only: anything that depends on neighbours, or on where a pixel lies, has no table.
  public static func baking(
    _ title: String = "", size: Int = 33, in space: ColorSpace,
    range: ClosedRange<Double> = 0...1, interpolation: ColorTable.Interpolation = .tetrahedral,
    _ recipe: (Picture) -> Picture
  ) throws(RenderError) -> Baked {
    guard ColorTable.sizes.contains(size) else { throw .recipe(ColorTable.refusal(ofSize: size)) }
    let lowest = SIMD3(repeating: range.lowerBound)
    let width = SIMD3(repeating: range.upperBound - range.lowerBound)
    let (lattice, target) = try colors(recipe, in: space, count: size * size * size) {
      // The order of a table's entries.
      lowest + width * SIMD3(Double($0 % size), Double($0 / size % size), Double($0 / size / size))
        / Double(size - 1)
    }
    let table: ColorTable
    do throws(RecipeError) {
      table = try ColorTable(
        size: size, entries: lattice, lowest: lowest, highest: lowest + width,
        interpolation: interpolation)
    } catch {
      throw .recipe(error)
    }
    let look = Look(table, title: title)
    // Roberts's sequence: even in space and in step with no lattice.
    let probe = { (index: Int) in
      let ratio = 1.220_744_084_605_759_5
      let walk =
        Double(index + 1) * SIMD3(1 / ratio, 1 / (ratio * ratio), 1 / (ratio * ratio * ratio))
      return lowest + width * (walk - walk.rounded(.down))
    }
    let count = 32_768
    let (exact, _) = try colors(recipe, in: space, count: count, probe)
    let (baked, _) = try colors({ $0.look(look) }, in: space, count: count, probe)
    let errors = zip(exact, baked).map { abs(Double($0) - Double($1)) }
    return Baked(
      look: look, space: target, largestError: errors.max() ?? 0,
      meanError: errors.reduce(0, +) / Double(errors.count))
  }

  /// The stored numbers that `recipe` makes of colors, and their space.
  private static func colors(
    _ recipe: (Picture) -> Picture, in space: ColorSpace, count: Int,
    _ color: (Int) -> SIMD3<Double>
  ) throws(RenderError) -> ([Float], ColorSpace) {
    let source = Bitmap<Float>(PixelSize(count, 1), in: space, channels: .rgb) { x, _ in
      let color = color(x)
      return [Float(color.x), Float(color.y), Float(color.z)]
    }
    let picture = recipe(Picture(source))
    if let failure = picture.failure { throw .recipe(failure) }
    guard picture.isPointwise else { throw .recipe(.notPointwise) }
    return (try picture.render(as: Float.self).row(0), picture.space)
  }
}

extension Picture {
  /// Whether each of its pixels comes from one pixel of its source.
  fileprivate var isPointwise: Bool {
    var node = node
    while case .point(let input, _) = node.kind { node = input }
    if case .source = node.kind { return true }
    return false
  }
}
