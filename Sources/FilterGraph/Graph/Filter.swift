public import ColorSpaces
public import ImageBuffer

/// A filter that maps each pixel independently of the others.
///
/// It describes itself as stages of a program, so that plans can fuse it with its neighbors and share common
/// subexpressions.
public protocol PointFilter: Hashable, Sendable {
  /// The domain in which it computes.
  var domain: PixelDomain { get }

  /// Appends its stages to `program`. The channels are in the primaries of `space`.
  func describe(to program: inout PointProgram, in space: ColorSpace)
}

/// A filter whose pixels depend on their neighbors.
///
/// ``pixel(x:y:of:read:)`` defines the filter; ``render(into:from:with:)`` computes the same for a tile, faster. Its
/// default implementation calls the former for each pixel.
public protocol AreaFilter: Hashable, Sendable {
  /// The data that is computed once per picture and shared by its tiles, such as weights or tables.
  associatedtype Preparation: Sendable = Void

  /// The domain in which it computes.
  var domain: PixelDomain { get }

  /// Returns the size of the result for an input size.
  func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize

  /// Returns the region of the input that is needed to compute a region of the output.
  ///
  /// The evaluator extends the input by its edge pixels where the region reaches beyond the picture. The region may
  /// also lie entirely outside, as for a filter that shifts pixels; it is then filled from the nearest edge pixels.
  func inputRegion(for output: Region, of input: PixelSize) -> Region

  /// Returns the size of the input that gives an output at least as large as `output`, for a filter that is independent
  /// of the resolution: it moves pixels, such as a mirror image, and no parameter is in pixels.
  ///
  /// ``Picture/reduced(toAtLeast:)`` passes through such filters on its way to the source. The default, nil, declares
  /// that the filter depends on the resolution.
  func inputSize(forAtLeast output: PixelSize) -> PixelSize?

  /// Returns one pixel of the result in double precision. `read` returns any pixel of the input; beyond the edges, the
  /// nearest edge pixel.
  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double>

  /// Computes the data that all tiles share.
  func prepare(for input: PixelSize) -> Preparation

  /// Returns the maximum number of bytes that ``prepare(for:)`` allocates, from which a plan computes its peak memory.
  ///
  /// Implement it if the preparation holds arrays. The default is the size of the preparation itself.
  func preparationByteCount(for input: PixelSize) -> Int

  /// Returns the maximum number of floats that ``render(into:from:with:)`` requests from ``Tile/scratch(_:)``, from
  /// which a plan computes its peak memory.
  func scratchCount(for output: Region, from input: Region, planes: Int) -> Int

  /// Computes the pixels of `output` from those of `input`.
  func render(into output: Tile, from input: Tile, with preparation: Preparation)
}

extension AreaFilter {
  /// Linear and premultiplied, as mixing neighboring pixels requires.
  public var domain: PixelDomain { .linearPremultiplied }

  /// Returns the size of the input.
  public func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize { input }

  /// Returns nil: the filter depends on the resolution.
  public func inputSize(forAtLeast output: PixelSize) -> PixelSize? { nil }

  /// Returns the size of the preparation value, without memory it refers to.
  public func preparationByteCount(for input: PixelSize) -> Int {
    MemoryLayout<Preparation>.stride
  }

  /// Returns 0: no scratch buffers.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    0
  }

  /// Computes each pixel by ``pixel(x:y:of:read:)``.
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
  /// Prepares nothing.
  public func prepare(for input: PixelSize) {}
}

/// A filter that combines several pictures pixel by pixel.
///
/// ``pixel(_:)`` defines the filter; ``render(into:from:)`` computes the same for a tile, faster. Its default
/// implementation calls the former for each pixel.
public protocol BlendFilter: Hashable, Sendable {
  /// The domain in which it computes.
  var domain: PixelDomain { get }

  /// The region of the result.
  var extent: BlendExtent { get }

  /// Returns whether the result may be transparent, given whether each input may be.
  func hasAlpha(_ inputs: [Bool]) -> Bool

  /// Returns the input from which each color channel of the result is taken, for a filter that only rearranges
  /// channels.
  ///
  /// A plan can then run such a blend of one picture with itself as a single program, if the programs in between do not
  /// mix channels. The default, nil, declares that the filter computes its channels.
  ///
  /// - Parameter inputs: The number of inputs.
  func channelSources(inputs: Int) -> ChannelSources?

  /// Returns one pixel of the result in double precision, from the pixels of the inputs at the same position.
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double>

  /// Computes the pixels of `output` from those of `inputs`, which have the same region.
  func render(into output: Tile, from inputs: [Tile])
}

extension BlendFilter {
  /// Linear and premultiplied, as mixing pixels requires.
  public var domain: PixelDomain { .linearPremultiplied }

  /// The union of the inputs' regions.
  public var extent: BlendExtent { .union }

  /// Returns whether any input may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs.contains(true) }

  /// Returns nil: the channels are computed.
  public func channelSources(inputs: Int) -> ChannelSources? { nil }

  /// Computes each pixel by ``pixel(_:)``.
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

/// The region of a blend of several pictures.
@nonexhaustive
public enum BlendExtent: String, Hashable, Sendable, CaseIterable {
  /// The region of the first picture.
  case first
  /// The union of all regions.
  case union
  /// The intersection of all regions.
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

/// The input of a blend from which each channel of the result is copied.
///
/// Where the inputs are one picture behind programs that do not mix channels, a plan runs one program over that picture
/// instead; each channel then has the stages of the input it is taken from.
public struct ChannelSources: Hashable, Sendable {
  /// The inputs of the result's red, green and blue, counted from 0.
  package var red, green, blue: Int
  /// Whether the result has the alpha of the inputs where all of them have the same alpha; otherwise the result is
  /// opaque.
  package var keepsCommonAlpha: Bool

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

/// A generator of a picture without inputs: gradients, noise, test charts.
///
/// ``pixel(x:y:)`` defines the picture; ``render(into:)`` computes the same for a tile, faster.
public protocol Painter: Hashable, Sendable {
  /// The domain of the generated values.
  var domain: PixelDomain { get }

  /// The size of the picture; nil for infinite extent.
  var size: PixelSize? { get }

  /// Whether some pixels may be transparent.
  var hasAlpha: Bool { get }

  /// Returns one pixel in double precision. With infinite extent, columns and rows may be negative.
  func pixel(x: Int, y: Int) -> SIMD4<Double>

  /// Computes the pixels of `output`.
  func render(into output: Tile)
}

extension Painter {
  /// Linear, straight alpha.
  public var domain: PixelDomain { .linear }

  /// Infinite extent.
  public var size: PixelSize? { nil }

  /// Opaque.
  public var hasAlpha: Bool { false }

  /// Computes each pixel by ``pixel(x:y:)``.
  public func render(into output: Tile) {
    for y in output.region.rows {
      for x in output.region.columns { output[x, y] = SIMD4<Float>(pixel(x: x, y: y)) }
    }
  }
}
