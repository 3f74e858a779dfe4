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
  /// The weight of each channel in luminance, where luminance alone is sharpened; nil for channel by channel.
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

  /// The picture, and so many times the difference; alpha stays.
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
  /// The declaration of `unsharp-mask`.
  public static let declaration = Declaration<UnsharpMask>(
    "unsharp-mask", "Sharpens by adding the difference to a blurred copy, the second input.",
    swift: "picture.applying(UnsharpMask(amount: 1.5), with: [picture.blurred(sigma: 2)])",
    Parameter("amount", \.amount, "how many times the difference is added", sample: 1.5),
    Parameter(
      "threshold", \.threshold, "the difference below which pixels stay", unit: "linear light",
      default: 0),
    Parameter(
      "luminance-weights", \.luminanceWeights,
      "the channels' weights in luminance, to sharpen it alone; otherwise each channel")
  ) { UnsharpMask(amount: $0, threshold: $1, luminanceWeights: $2) }
}

/// An unsharp mask of a Gaussian blur.
struct UnsharpMaskCompound: CompoundFilter, RecipeFilter {
  let sigma: Double
  var amount, threshold: Double
  var channels: Picture.SharpenedChannels

  init(
    sigma: Double, amount: Double, threshold: Double, channels: Picture.SharpenedChannels
  ) throws(RecipeError) {
    (self.sigma, self.amount, self.threshold) = (sigma, amount, threshold)
    self.channels = channels
    try Self.declaration.check(self)
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let light = picture.entering(.linearPremultiplied)
    return light.applying(
      UnsharpMask(
        amount: amount, threshold: threshold,
        luminanceWeights: channels == .luminance ? picture.space.luminanceWeights : nil),
      with: [light.blurred(sigma: sigma)])
  }

  static let declaration = Declaration<UnsharpMaskCompound>(
    "sharpen", "Sharpens edges with an unsharp mask made by a Gaussian blur.",
    keepsGray: true, swift: "picture.sharpened(sigma: 1.5, amount: 1.5)",
    Parameter(
      "sigma", \.sigma, "the blur's standard deviation", unit: "pixels", in: 0...10_000,
      sample: 1.5),
    Parameter("amount", \.amount, "how many times the difference is added", sample: 1.5),
    Parameter(
      "threshold", \.threshold, "the difference below which pixels stay", unit: "linear light",
      default: 0),
    Parameter(
      "channels", \.channels, "whether each channel is sharpened or luminance alone",
      default: .all)
  ) { sigma, amount, threshold, channels throws(RecipeError) in
    try UnsharpMaskCompound(sigma: sigma, amount: amount, threshold: threshold, channels: channels)
  }
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
    applying { () throws(RecipeError) in
      try UnsharpMaskCompound(
        sigma: sigma, amount: amount, threshold: threshold, channels: channels)
    }
  }
}
