internal import ColorSpaces
internal import ImageBuffer

/// Adds to a picture what it has more than its blurred copy: edges gain contrast. The second input is the copy.
///
/// `x + amount · (x − G)` for each channel where `|x − G| ≥ threshold`, else x; or the same difference of luminance, `Σ w · (x − G)`, added
/// to all channels. In the darkroom G was an unsharp negative in contact with the slide (J. A. C. Yule, “Unsharp masks and a new method of
/// increasing definition in prints”, The Photographic Journal, 1944).
public struct UnsharpMask: BlendFilter {
  /// How many times the difference is added.
  public var amount: Double
  /// Differences below this much are not edges but noise, and stay.
  public var threshold: Double
  /// What each channel adds to luminance, where only that is sharpened; nil for channel by channel.
  public var luminanceWeights: SIMD3<Double>?

  /// A sharpening by so much.
  public init(
    amount: Double, threshold: Double = 0, luminanceWeights: SIMD3<Double>? = nil
  ) {
    (self.amount, self.threshold) = (amount, threshold)
    self.luminanceWeights = luminanceWeights
  }

  /// The pixels of the picture.
  public var extent: BlendExtent { .first }

  /// Where the picture may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] }

  /// The picture, and so many times the difference; coverage stays.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    var difference = inputs[0] - inputs[1]
    if let weights = luminanceWeights {
      difference = SIMD4(
        repeating: difference.x * weights.x + difference.y * weights.y + difference.z * weights.z)
    }
    difference.w = 0
    let isNoise = pointwiseMax(difference, -difference) .< threshold
    return inputs[0] + amount * difference.replacing(with: 0, where: isNoise)
  }

  /// Pixel by pixel.
  public func render(into output: Tile, from inputs: [Tile]) {
    let (amount, threshold) = (Float(amount), Float(threshold))
    let weights = luminanceWeights.map { SIMD4<Float>(SIMD3<Float>($0), 0) }
    for y in output.region.rows {
      let (target, sharp, soft) = (
        PixelRow(output, y), PixelRow(inputs[0], y), PixelRow(inputs[1], y)
      )
      for x in output.region.columns {
        var difference = sharp[x] - soft[x]
        if let weights { difference = SIMD4(repeating: (difference * weights).sum()) }
        difference.w = 0
        let isNoise = pointwiseMax(difference, -difference) .< threshold
        target[x] = sharp[x] + amount * difference.replacing(with: 0, where: isNoise)
      }
    }
  }
}

extension UnsharpMask: CustomStringConvertible {
  /// The name in plans.
  public var description: String {
    "unsharp mask of \(amount)" + (luminanceWeights == nil ? "" : " in luminance")
  }
}

extension UnsharpMask: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<UnsharpMask>(
    "unsharp-mask", RecipeField("amount", \.amount),
    RecipeField("threshold", \.threshold, default: 0),
    RecipeField("luminance-weights", \.luminanceWeights)
  ) { UnsharpMask(amount: $0, threshold: $1, luminanceWeights: $2) }
}

/// An unsharp mask of a Gaussian blur.
struct Sharpening: CompoundFilter, RecipeFilter {
  var sigma, amount, threshold: Double
  var channels: Picture.SharpenedChannels

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let light = picture.entering(.linearPremultiplied)
    return light.applying(
      UnsharpMask(
        amount: amount, threshold: threshold,
        luminanceWeights: channels == .luminance ? picture.space.luminanceWeights : nil),
      with: [light.blurred(sigma: sigma)])
  }

  static let recipeForm = RecipeForm<Sharpening>(
    "sharpen", RecipeField("sigma", \.sigma), RecipeField("amount", \.amount),
    RecipeField("threshold", \.threshold, default: 0),
    RecipeField("channels", \.channels, default: .all)
  ) { Sharpening(sigma: $0, amount: $1, threshold: $2, channels: $3) }
}

extension Picture.SharpenedChannels: RecipeChoice {
  /// The words for it in recipes.
  public static let recipeCases: [RecipeCase<Picture.SharpenedChannels>] = [
    RecipeCase("all", .all),
    RecipeCase("luminance", .luminance),
  ]
}

extension Picture {
  /// What of a picture is sharpened.
  @nonexhaustive
  public enum SharpenedChannels: Hashable, Sendable {
    /// Each channel by itself.
    case all
    /// Luminance: colors stay.
    case luminance
  }

  /// This picture with `amount` times added what it has more than its copy blurred by `sigma`, in linear light.
  public func sharpened(
    sigma: Double, amount: Double, threshold: Double = 0, channels: SharpenedChannels = .all
  ) -> Picture {
    applying(
      Sharpening(sigma: sigma, amount: amount, threshold: threshold, channels: channels))
  }
}
