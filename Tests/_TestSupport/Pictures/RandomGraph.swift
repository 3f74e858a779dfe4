internal import ColorSpaces
public import FilterGraph
public import ImageBuffer

/// Pictures of random steps.
///
/// `scale` enlarges them from some dozens of pixels.
public enum RandomGraph {
  /// Returns a picture of up to so many steps.
  public static func picture(
    depth: Int, scale: Int = 1, using generator: inout SeededGenerator
  ) -> Picture {
    if depth == 0 || Int.random(in: 0..<6, using: &generator) == 0 {
      return source(scale, using: &generator)
    }
    return step(
      after: picture(depth: depth - 1, scale: scale, using: &generator), depth: depth - 1,
      scale: scale, using: &generator)
  }

  /// Returns several results of one graph for joint rendering: single pixels, rows and columns, and large pictures
  /// derived from them, in most of whose tiles the small results are empty.
  public static func narrowResults(
    depth: Int, scale: Int = 1, using generator: inout SeededGenerator
  ) -> [Picture] {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    var picture = picture(depth: depth, scale: scale, using: &generator)
    var results: [Picture] = []
    for _ in 0..<number(2...4) {
      let region = picture.region
      let size = PixelSize(
        number(0...2) == 0 ? min(region.width, number(2...9)) : 1,
        number(0...2) == 0 ? min(region.height, number(2...9)) : 1)
      let narrow = picture.cropped(
        to: Region(
          x: region.x + number(0...region.width - size.width),
          y: region.y + number(0...region.height - size.height), width: size.width,
          height: size.height))
      results.append(narrow)
      let next =
        number(0...1) == 0
        ? narrow.resized(to: .exact(scale * number(1...90), scale * number(1...60)))
        : mean(picture, reach: 1, scale)
      if number(0...2) > 0 { results.append(next) }
      picture = next
    }
    return results
  }

  /// Returns a picture with another step. Steps with further inputs create them with up to `depth` steps.
  public static func step(
    after picture: Picture, depth: Int, scale: Int = 1, using generator: inout SeededGenerator
  ) -> Picture {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    switch number(0...16) {
    case 0: return picture.inverted()
    case 1: return picture.exposure(Double(number(-2...1)) / 2)
    case 2: return picture.converted(to: [.sRGB, .displayP3, .linearSRGB][number(0...2)])
    case 3: return picture.resized(to: .exact(scale * number(1...40), scale * number(1...20)))
    case 4: return mean(picture, reach: number(1...3), scale)
    case 5:
      let region = picture.region
      return picture.cropped(
        to: Region(
          x: region.x + number(0...region.width - 1), y: region.y + number(0...region.height - 1),
          width: scale * number(1...30), height: scale * number(1...30)))
    case 6:
      let edges = Edges.allCases[number(0...Edges.allCases.count - 1)]
      return picture.padded(
        to: Region(
          x: picture.region.x - scale * number(-3...9),
          y: picture.region.y - scale * number(-3...9),
          width: scale * number(1...40), height: scale * number(1...30)), edges: edges)
    case 7: return picture.moved(by: Offset(number(-5...5), number(-5...5)))
    case 8: return picture.applying(Mean(extent: .union), with: [picture.exposure(0.5)])
    case 9:
      let edges = Edges.allCases[number(0...Edges.allCases.count - 1)]
      return mean(picture.extended(by: edges), reach: 2, scale)
        .cropped(
          to: Region(x: -number(0...4), y: number(0...4), width: scale * 20, height: scale * 9))
    case 10:
      return picture.applying(Mean(extent: .first), with: [Picture(Ramp(), in: .sRGB)])
    case 11:
      return Picture(red: picture, green: picture.exposure(0.25), blue: picture.inverted())
    case 12: return curve.map { picture.toneCurve($0) } ?? picture
    case 13: return picture.saturation(Double(number(2...6)) / 4)
    case 14:
      return picture.oriented(Orientation.allCases[number(0...Orientation.allCases.count - 1)])
    default:
      let other = self.picture(depth: depth, scale: scale, using: &generator)
      // Disjoint pictures have no intersection.
      let common = picture.region.intersection(other.region)
      let isShared = common.width > 0 && common.height > 0
      return picture.applying(
        Mean(extent: BlendExtent.allCases[number(0...(isShared ? 2 : 1))]), with: [other])
    }
  }

  private static let curve = try? CubicCurve(through: [[0, 0], [0.3, 0.35], [0.7, 0.6], [1, 1]])

  /// The mean over a square: by a filter that implements only its definition, or by a fast one for large pictures.
  private static func mean(_ picture: Picture, reach: Int, _ scale: Int) -> Picture {
    scale == 1
      ? picture.applying(SquareMean(reach: reach)) : picture.boxBlurred(radius: reach)
  }

  private static func source(_ scale: Int, using generator: inout SeededGenerator) -> Picture {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let size = PixelSize(scale * number(1...45), scale * number(1...25))
    return switch number(0...4) {
    case 0: Picture(TestPictures.codes(as: UInt8.self, size))
    case 1: Picture(TestPictures.codes(as: UInt16.self, size, channels: .grayAlpha))
    case 2: Picture(TestPictures.floats(size, arrangement: .planar))
    case 3: Picture(premultiplied(TestPictures.floats(size)))
    default: Picture(Ramp(), in: .displayP3).cropped(to: Region(size))
    }
  }
}

/// The same colors, premultiplied.
private func premultiplied(_ straight: Bitmap<Float>) -> Bitmap<Float> {
  Bitmap(straight.size, in: straight.space, channels: .rgba, alpha: .premultiplied) { x, y in
    (0..<3).map { straight[x, y, $0] * straight[x, y, 3] } + [straight[x, y, 3]]
  }
}

/// The mean of all inputs.
public struct Mean: BlendFilter {
  /// The region of the result.
  public var extent: BlendExtent

  /// Creates a mean.
  public init(extent: BlendExtent) { self.extent = extent }

  /// Returns the sum divided by the count.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    inputs.reduce(.zero, +) / Double(inputs.count)
  }
}

extension Mean: RecipeFilter {
  /// The declaration of its name and parameter in recipes.
  public static let declaration = Declaration<Mean>("test.mean", "", Parameter("extent", \.extent))
  {
    Mean(extent: $0)
  }
}

/// The mean over a square window.
public struct SquareMean: AreaFilter {
  /// The radius of the window.
  public var reach: Int

  /// Creates a mean.
  public init(reach: Int) { self.reach = reach }

  /// Returns the region expanded by the radius.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: reach)
  }

  /// Returns the sum divided by the count.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    for row in y - reach...y + reach {
      for column in x - reach...x + reach { sum += read(column, row) }
    }
    return sum / Double((2 * reach + 1) * (2 * reach + 1))
  }
}

extension SquareMean: RecipeFilter {
  /// The declaration of its name and parameter in recipes.
  public static let declaration = Declaration<SquareMean>(
    "test.square-mean", "", Parameter("reach", \.reach)
  ) { SquareMean(reach: $0) }
}

/// Waves of 32 pixels, of red to the right and green downwards.
public struct Ramp: Painter {
  /// Creates a ramp.
  public init() {}

  /// Returns one pixel.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    SIMD4(Double(x & 31) / 32, Double(y & 31) / 32, 0.25, 1)
  }
}

extension Ramp: RecipePainter {
  /// The declaration of its name and parameters in recipes.
  public static let declaration = Declaration<Painting<Ramp>>(
    "test.ramp", "", Parameter("in", \.space)
  ) { Painting(Ramp(), in: $0) }
}
