internal import ColorSpaces
internal import ImageBuffer

/// Makes one picture of the red of one, the green of another and the blue of a third one, and perhaps the alpha of a fourth.
///
/// Three versions of one picture that differ in curves alone are one pass: see the law of channels in the plan.
public struct ChannelComposite: BlendFilter {
  /// Where the alpha of the result comes from.
  @nonexhaustive
  public enum Coverage: String, Hashable, Sendable, CaseIterable {
    /// The result is opaque.
    case opaque
    /// That of the picture with the red.
    case first
    /// That of the last picture: of the fourth where there are four, else of the one with the blue.
    case last
    /// The least of all: opaque only where all of them are.
    case least
    /// The greatest of all: opaque where any of them is.
    case greatest
  }

  /// Where the alpha of the result comes from.
  public var coverage: Coverage
  /// Which pixels the result has.
  public var extent: BlendExtent

  /// A composition of three channels.
  public init(coverage: Coverage = .greatest, extent: BlendExtent = .union) {
    (self.coverage, self.extent) = (coverage, extent)
  }

  /// The values that the picture with the red holds, with straight alpha.
  public var domain: PixelDomain { PixelDomain(light: .any, coverage: .straight) }

  /// As ``coverage`` says.
  public func hasAlpha(_ inputs: [Bool]) -> Bool {
    switch coverage {
    case .opaque: false
    case .first: inputs[0]
    case .last: inputs[inputs.count - 1]
    case .least: inputs.contains(true)
    case .greatest: !inputs.contains(false)
    }
  }

  /// Red, green and blue of the first three inputs.
  public func channelSources(inputs: Int) -> ChannelSources? {
    ChannelSources(red: 0, green: 1, blue: 2, keepsCommonAlpha: coverage != .opaque)
  }

  /// One channel of each input.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let (first, others) = (inputs[0].w, inputs.dropFirst())
    let alpha: Double =
      switch coverage {
      case .opaque: 1
      case .first: first
      case .last: inputs[inputs.count - 1].w
      case .least: others.reduce(first) { min($0, $1.w) }
      case .greatest: others.reduce(first) { max($0, $1.w) }
      }
    return SIMD4(inputs[0].x, inputs[1].y, inputs[2].z, alpha)
  }

  /// Computes row by row.
  public func render(into output: Tile, from inputs: [Tile]) {
    let width = output.region.width
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        for plane in 0..<3 {
          output.pointer(y, plane).update(from: inputs[plane].pointer(y, plane), count: width)
        }
        guard output.planeCount == 4 else { continue }
        func row(_ input: Int) -> UnsafeMutablePointer<Float> {
          inputs[input].planeCount == 4 ? inputs[input].pointer(y, 3) : opaque
        }
        let alpha = output.pointer(y, 3)
        switch coverage {
        case .opaque: alpha.update(from: opaque, count: width)
        case .last: alpha.update(from: row(inputs.count - 1), count: width)
        case .first, .least, .greatest: alpha.update(from: row(0), count: width)
        }
        guard coverage == .least || coverage == .greatest else { continue }
        for input in inputs.indices.dropFirst() {
          let other = row(input)
          if coverage == .least {
            for x in 0..<width { alpha[x] = min(alpha[x], other[x]) }
          } else {
            for x in 0..<width { alpha[x] = max(alpha[x], other[x]) }
          }
        }
      }
    }
  }
}

extension ChannelComposite: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "composite of channels" }
}

extension ChannelComposite: RecipeFilter {
  /// The declaration of `channel-composite`.
  public static let declaration = Declaration<ChannelComposite>(
    "channel-composite", "Takes red, green, blue and perhaps alpha from a picture each.",
    swift: "Picture(red: picture, green: other, blue: mask)",
    Parameter(
      "coverage", \.coverage, "where the alpha of the result comes from", default: .greatest),
    Parameter("extent", \.extent, "which pixels the result has", default: .union)
  ) { ChannelComposite(coverage: $0, extent: $1) }

  /// The pictures with red, green and blue, and perhaps one with alpha.
  public static var recipeInputs: ClosedRange<Int> { 3...4 }
}

extension ChannelComposite.Coverage: RecipeChoice {}

extension Picture {
  /// The red of one picture, the green of another and the blue of a third, in the space of the first.
  ///
  /// The others are converted to that space before their channel is taken. Where a picture has no pixels its channel is 0; extend
  /// it first if it should be something else.
  public init(
    red: Picture, green: Picture, blue: Picture,
    coverage: ChannelComposite.Coverage = .greatest, extent: BlendExtent = .union
  ) {
    self = red.applying(
      ChannelComposite(coverage: coverage, extent: extent), with: [green, blue])
  }

  /// The red of one picture, the green of another, the blue of a third and the alpha of a fourth one, in the space of the first.
  ///
  /// To use a mask's color channel as alpha see ``covered(by:channel:)``.
  public init(
    red: Picture, green: Picture, blue: Picture, alpha: Picture, extent: BlendExtent = .union
  ) {
    self = red.applying(
      ChannelComposite(coverage: .last, extent: extent), with: [green, blue, alpha])
  }
}
