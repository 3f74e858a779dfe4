package import ImageBuffer

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
