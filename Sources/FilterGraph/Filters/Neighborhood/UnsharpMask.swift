internal import CPixelKernels
internal import ColorSpaces
internal import ImageBuffer

/// Adds to a picture its difference from a blurred copy: edges gain contrast. The second input is the copy.
///
/// `x + amount · (x − G)` for each channel where `α · |x − G| ≥ threshold`, else x; or the same difference of luminance, `Σ w · (x − G)`,
/// added to all channels. x and G are straight colors, and α is the alpha of the picture. In the darkroom G was an unsharp negative in
/// contact with the slide (J. A. C. Yule, “Unsharp masks and a new method of increasing definition in prints”, The Photographic Journal,
/// 1944).
package struct UnsharpMask: BlendFilter {
  /// How many times the difference is added.
  package var amount: Double
  /// Differences below this much are not edges but noise, and stay.
  package var threshold: Double
  /// The weight of each channel in luminance, where luminance alone is sharpened; nil for channel by channel.
  package var luminanceWeights: SIMD3<Double>?

  /// The range of ``threshold``.
  static let thresholds = 0.0...1e6

  /// A sharpening by so much.
  package init(
    amount: Double, threshold: Double = 0, luminanceWeights: SIMD3<Double>? = nil
  ) {
    (self.amount, self.threshold) = (amount, threshold)
    self.luminanceWeights = luminanceWeights
  }

  /// The pixels of the picture.
  package var extent: BlendExtent { .first }

  /// Where the picture may be transparent.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] }

  /// The picture, and so many times the difference; alpha stays.
  ///
  /// The softer color is compared at the alpha of the picture: an edge of alpha alone is no edge of color.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let softAlpha = inputs[1].w
    var difference = inputs[0] - inputs[1] * (softAlpha == 0 ? 0 : inputs[0].w / softAlpha)
    if let weights = luminanceWeights {
      difference = SIMD4(
        repeating: difference.x * weights.x + difference.y * weights.y + difference.z * weights.z)
    }
    difference.w = 0
    let isNoise = pointwiseMax(difference, -difference) .< threshold
    return inputs[0] + amount * difference.replacing(with: 0, where: isNoise)
  }

  /// Row by row.
  package func render(into output: Tile, from inputs: [Tile]) {
    let hasAlpha = inputs.contains { $0.planeCount == 4 }
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        let alphas = (inputs[0].pointer(y, 3, or: opaque), inputs[1].pointer(y, 3, or: opaque))
        sharpen(
          FloatRow(output, y), sharp: FloatRow(inputs[0], y), soft: FloatRow(inputs[1], y),
          count: output.region.width, alphas: hasAlpha ? alphas : nil)
        if output.planeCount == 4 {
          output.pointer(y, 3).update(from: alphas.0, count: output.region.width)
        }
      }
    }
  }

  /// What kernels need of it.
  func kernelParameters(hasAlpha: Bool) -> cpk_sharpening {
    let weights = SIMD3<Float>(luminanceWeights ?? .zero)
    return cpk_sharpening(
      amount: Float(amount), threshold: Float(threshold), has_alpha: hasAlpha,
      in_luminance: luminanceWeights != nil, luminance: (weights.x, weights.y, weights.z))
  }

  /// Changes a row of the softer picture to one of the result.
  func finish(_ row: FloatRow, _ original: FloatRow, count: Int, hasAlpha: Bool) {
    func alpha(_ row: FloatRow) -> Floats { row.channels == 4 ? row.base + 3 : row.plane(3) }
    sharpen(
      row, sharp: original, soft: row, count: count,
      alphas: hasAlpha ? (alpha(original), alpha(row)) : nil)
    if row.planes == 4 { row.plane(3).update(from: original.plane(3), count: count) }
  }

  private typealias Floats = UnsafeMutablePointer<Float>

  /// Sharpens the color channels of a row; pixels whose channels lie together get the alpha of `sharp`. `alphas` are those of `sharp` and
  /// `soft`, nil where both are opaque.
  private func sharpen(
    _ target: FloatRow, sharp: FloatRow, soft: FloatRow, count: Int, alphas: (Floats, Floats)?
  ) {
    var how = kernelParameters(hasAlpha: alphas != nil)
    func planes(_ row: FloatRow, _ alpha: Floats?) -> (Floats, Floats, Floats, Floats?) {
      row.channels == 4
        ? (row.base, row.base, row.base, alpha)
        : (row.plane(0), row.plane(1), row.plane(2), alpha)
    }
    var (out, from, by) = (
      planes(target, nil), planes(sharp, alphas?.0), planes(soft, alphas?.1)
    )
    withUnsafeBytes(of: &out) { out in
      withUnsafeBytes(of: &from) { from in
        withUnsafeBytes(of: &by) { by in
          kernels.sharpen(
            &how, target.channels, out.assumingMemoryBound(to: Floats?.self).baseAddress,
            from.assumingMemoryBound(to: UnsafePointer<Float>?.self).baseAddress,
            by.assumingMemoryBound(to: UnsafePointer<Float>?.self).baseAddress, count)
        }
      }
    }
  }
}

/// An unsharp mask whose second input is a blur of the first, computed row by row.
struct GaussianUnsharpMask: SeparableFilter {
  let blur: GaussianBlur
  let mask: UnsharpMask

  typealias Preparation = GaussianBlur.Preparation

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    blur.inputRegion(for: output, of: input)
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    mask.pixel([read(x, y), blur.pixel(x: x, y: y, of: input, read: read)])
  }

  func prepare(for input: PixelSize) -> Preparation { blur.prepare(for: input) }

  func preparationByteCount(for input: PixelSize) -> Int { blur.preparationByteCount(for: input) }

  func passShapes(for input: PixelSize) -> [SeparablePass.Shape] { blur.passShapes(for: input) }

  func passes(of preparation: Preparation) -> [SeparablePass] { preparation.passes }

  func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    renderRows(into: output, from: input, with: preparation)
  }

  var sharpening: UnsharpMask? { mask }
}

extension GaussianUnsharpMask: NeutralFilter {
  /// The blur of 0 leaves no difference to add.
  var isNeutral: Bool { blur.isNeutral }
}

extension GaussianUnsharpMask: CustomStringConvertible {
  /// The text of this step in plans: the mask and the blur that feeds it.
  var description: String { "\(mask) by a \(blur)" }
}

extension UnsharpMask: CustomStringConvertible {
  /// The text of this step in plans, such as “unsharp mask of 0.5 in luminance”.
  package var description: String {
    "unsharp mask of \(amount)" + (luminanceWeights == nil ? "" : " in luminance")
  }
}

extension UnsharpMask: RecipeFilter {
  /// The declaration of `unsharp-mask`.
  package static let declaration = Declaration<UnsharpMask>(
    "unsharp-mask", "Sharpens by adding the difference to a blurred copy, the second input.",
    Parameter("amount", \.amount, "how many times the difference is added", sample: 1.5),
    Parameter(
      "threshold", \.threshold, "the difference, times alpha, below which pixels stay",
      unit: "linear light", default: 0, in: UnsharpMask.thresholds),
    Parameter(
      "luminance-weights", \.luminanceWeights,
      "the channels' weights in luminance, to sharpen it alone; otherwise each channel")
  ) { UnsharpMask(amount: $0, threshold: $1, luminanceWeights: $2) }
  .computing(formula)

  /// What references say of both filters.
  fileprivate static let formula =
    "x + amount · (x − g), where x and g are channels of the straight colors of the picture and of the blurred "
    + "copy; x stays where the picture's alpha times |x − g| is below the threshold. For luminance alone, its "
    + "difference is compared and added to each channel."
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
    let mask = UnsharpMask(
      amount: amount, threshold: threshold,
      luminanceWeights: channels == .luminance ? picture.space.luminanceWeights : nil)
    return picture.applying { () throws(RecipeError) in
      GaussianUnsharpMask(blur: try GaussianBlur(sigma: sigma), mask: mask)
    }
  }

  static let declaration = Declaration<UnsharpMaskCompound>(
    "sharpen", "Sharpens edges with an unsharp mask made by a Gaussian blur.",
    keepsGray: true, swift: "picture.sharpened(sigma: 1.5, amount: 1.5)",
    Parameter(
      "sigma", \.sigma, "the blur's standard deviation", unit: "pixels", in: GaussianBlur.sigmas,
      sample: 1.5),
    Parameter("amount", \.amount, "how many times the difference is added", sample: 1.5),
    Parameter(
      "threshold", \.threshold, "the difference, times alpha, below which pixels stay",
      unit: "linear light", default: 0, in: UnsharpMask.thresholds),
    Parameter(
      "channels", \.channels, "whether each channel is sharpened or luminance alone",
      default: .all)
  ) { sigma, amount, threshold, channels throws(RecipeError) in
    try UnsharpMaskCompound(sigma: sigma, amount: amount, threshold: threshold, channels: channels)
  }.computing(UnsharpMask.formula)
}

extension Picture.SharpenedChannels: RecipeChoice {}

extension Picture {
  /// The channels that are sharpened.
  @nonexhaustive
  public enum SharpenedChannels: String, Hashable, Sendable, CaseIterable {
    /// Each channel by itself.
    case all
    /// Luminance: colors stay.
    case luminance
  }

  /// This picture plus `amount` times its difference from a copy blurred by `sigma`, in linear light.
  ///
  /// The difference is that of straight colors. It is added where it is at least `threshold` after multiplication by alpha, so that an edge
  /// stays in a part that is nearly transparent.
  public func sharpened(
    sigma: Double, amount: Double, threshold: Double = 0, channels: SharpenedChannels = .all
  ) -> Picture {
    applying { () throws(RecipeError) in
      try UnsharpMaskCompound(
        sigma: sigma, amount: amount, threshold: threshold, channels: channels)
    }
  }
}
