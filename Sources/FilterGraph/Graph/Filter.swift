public import ColorSpaces
public import ImageBuffer

/// A filter that changes each pixel by itself.
///
/// It describes itself as stages of a program, so that neighbours fuse and nothing is computed twice.
public protocol PointFilter: Hashable, Sendable {
  /// The light it works in.
  var domain: PixelDomain { get }

  /// Adds its stages; `space` is the space whose lights the channels are.
  func describe(to program: inout PointProgram, in space: ColorSpace)
}

/// A filter whose pixels depend on their neighbours.
///
/// ``pixel(x:y:of:read:)`` is what the filter means; ``render(into:from:with:)`` computes the same for a tile, faster. A filter
/// that does without the second is complete, only slow.
public protocol AreaFilter: Hashable, Sendable {
  /// What is computed once for a picture and used for each of its tiles: weights, tables.
  associatedtype Preparation: Sendable = Void

  /// The light it works in.
  var domain: PixelDomain { get }

  /// The size that comes out for the size that goes in.
  func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize

  /// Returns the region of the input that is needed to compute a region of the output.
  ///
  /// The evaluator repeats the pixels of the input's edges where the region reaches beyond the picture. The region may lie wholly
  /// outside, as that of a filter that shifts pixels: the nearest pixels of the edge then fill it.
  func inputRegion(for output: Region, of input: PixelSize) -> Region

  /// Returns the size of the input that makes an output at least as large as `output`, for a filter that means the same at every
  /// resolution: it moves pixels, as a mirror image does, and no parameter counts pixels.
  ///
  /// ``Picture/reduced(toAtLeast:)`` passes such filters on its way to the source. The default, nil, says that the filter means something
  /// else for a picture of fewer pixels.
  func inputSize(forAtLeast output: PixelSize) -> PixelSize?

  /// One pixel of the result in double precision; `read` answers for every pixel, beyond the edges too.
  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double>

  /// What all tiles share.
  func prepare(for input: PixelSize) -> Preparation

  /// Returns how many bytes ``prepare(for:)`` allocates at most, for a plan to promise how much memory it takes.
  ///
  /// Filters whose preparation holds arrays implement it. The default is the size of the preparation itself.
  func preparationByteCount(for input: PixelSize) -> Int

  /// How many floats ``render(into:from:with:)`` asks of ``Tile/scratch(_:)`` at most, for a plan to promise how much memory it takes.
  func scratchCount(for output: Region, from input: Region, planes: Int) -> Int

  /// Computes the pixels of `output` from those of `input`.
  func render(into output: Tile, from input: Tile, with preparation: Preparation)
}

extension AreaFilter {
  /// Linear and premultiplied, as mixing wants it.
  public var domain: PixelDomain { .linearPremultiplied }

  /// The size that goes in.
  public func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize { input }

  /// Nil: the filter depends on the resolution.
  public func inputSize(forAtLeast output: PixelSize) -> PixelSize? { nil }

  /// Returns the size of the preparation itself, without what it refers to.
  public func preparationByteCount(for input: PixelSize) -> Int {
    MemoryLayout<Preparation>.stride
  }

  /// None.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    0
  }

  /// Asks for one pixel after the other.
  public func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    for y in output.region.rows {
      for x in output.region.columns {
        output[x, y] = SIMD4<Float>(
          pixel(x: x, y: y, of: input.pictureSize) { SIMD4<Double>(input[$0, $1]) })
      }
    }
  }
}

extension AreaFilter where Preparation == Void {
  /// Nothing.
  public func prepare(for input: PixelSize) {}
}

/// A filter that makes one picture of several, each pixel by itself.
///
/// ``pixel(_:)`` is what the filter means; ``render(into:from:)`` computes the same for a tile, faster. A filter that does without
/// the second is complete, only slow.
public protocol BlendFilter: Hashable, Sendable {
  /// The light it works in.
  var domain: PixelDomain { get }

  /// Which pixels the result has.
  var extent: BlendExtent { get }

  /// Whether the result may be transparent, of inputs that may or may not be.
  func hasAlpha(_ inputs: [Bool]) -> Bool

  /// Returns the input that each color channel of the result is taken from, for a filter that only rearranges channels.
  ///
  /// Plans run such a blend of one picture with itself, changed by programs that do not mix channels, as one program. The default, nil,
  /// says that the filter computes its channels.
  ///
  /// - Parameter inputs: The number of inputs.
  func channelSources(inputs: Int) -> ChannelSources?

  /// One pixel of the result in double precision, from those of the inputs at the same place.
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double>

  /// Computes the pixels of `output` from those of `inputs`, which have the same region.
  func render(into output: Tile, from inputs: [Tile])
}

extension BlendFilter {
  /// Linear and premultiplied, as mixing wants it.
  public var domain: PixelDomain { .linearPremultiplied }

  /// The pixels of all inputs.
  public var extent: BlendExtent { .union }

  /// Where any input may be.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs.contains(true) }

  /// Nil: the channels are computed.
  public func channelSources(inputs: Int) -> ChannelSources? { nil }

  /// Asks for one pixel after the other.
  public func render(into output: Tile, from inputs: [Tile]) {
    var pixels = [SIMD4<Double>](repeating: .zero, count: inputs.count)
    for y in output.region.rows {
      for x in output.region.columns {
        for index in inputs.indices { pixels[index] = SIMD4<Double>(inputs[index][x, y]) }
        output[x, y] = SIMD4<Float>(pixel(pixels))
      }
    }
  }
}

/// Which pixels the blend of several pictures has.
@nonexhaustive
public enum BlendExtent: String, Hashable, Sendable, CaseIterable {
  /// Those of the first picture.
  case first
  /// Those of any picture.
  case union
  /// Those that all pictures have.
  case intersection

  package func region(of regions: [Region]) -> Region {
    regions.dropFirst().reduce(regions[0]) { region, other in
      switch self {
      case .first: region
      case .union: region.union(other)
      case .intersection: region.intersection(other)
      }
    }
  }
}

extension BlendExtent: RecipeChoice {}

/// Which input of a blend each channel of the result is taken from, unchanged.
///
/// Where the inputs are one picture behind programs that do not mix channels, a plan runs one program over that picture instead: each
/// channel then has the stages of the input that it is taken from.
public struct ChannelSources: Hashable, Sendable {
  /// The input whose red is the red of the result, counted from 0; and those of green and blue.
  public var red, green, blue: Int
  /// Whether the result has the alpha of the inputs wherever all of them have the same alpha; otherwise the result is opaque.
  public var keepsCommonAlpha: Bool

  /// Creates the sources of the three color channels.
  ///
  /// - Parameters:
  ///   - red: The input whose red is the red of the result, counted from 0.
  ///   - green: The input whose green is the green of the result.
  ///   - blue: The input whose blue is the blue of the result.
  ///   - keepsCommonAlpha: Whether the result has the alpha of the inputs wherever all of them have the same alpha. Pass false if the
  ///     result is opaque.
  public init(red: Int, green: Int, blue: Int, keepsCommonAlpha: Bool = true) {
    (self.red, self.green, self.blue) = (red, green, blue)
    self.keepsCommonAlpha = keepsCommonAlpha
  }
}

/// Paints a picture from nothing: gradients, noise, test charts.
///
/// ``pixel(x:y:)`` is what the painter means; ``render(into:)`` computes the same for a tile, faster.
public protocol Painter: Hashable, Sendable {
  /// The numbers it paints with.
  var domain: PixelDomain { get }

  /// The size of the picture; nil where it goes on in all directions.
  var size: PixelSize? { get }

  /// Whether some of it may be transparent.
  var hasAlpha: Bool { get }

  /// One pixel in double precision. The columns and rows of a picture without end are negative, too.
  func pixel(x: Int, y: Int) -> SIMD4<Double>

  /// Computes the pixels of `output`.
  func render(into output: Tile)
}

extension Painter {
  /// Linear light, straight.
  public var domain: PixelDomain { .linear }

  /// Without end.
  public var size: PixelSize? { nil }

  /// Opaque.
  public var hasAlpha: Bool { false }

  /// Asks for one pixel after the other.
  public func render(into output: Tile) {
    for y in output.region.rows {
      for x in output.region.columns { output[x, y] = SIMD4<Float>(pixel(x: x, y: y)) }
    }
  }
}
