internal import ColorSpaces
internal import ImageBuffer

/// One picture or another, or something between, as a mask says: 1 shows the second input, 0 the first. The third input is the
/// mask.
public struct MaskBlend: BlendFilter {
  /// The channel of the mask that is looked at. Where the mask is transparent it counts as 0.
  public var channel: MaskChannel
  /// Which pixels the result has. ``BlendExtent/first`` are those of the picture where the mask is 0.
  public var extent: BlendExtent

  /// A blend by one channel of a mask.
  public init(by channel: MaskChannel = .red, extent: BlendExtent = .first) {
    (self.channel, self.extent) = (channel, extent)
  }

  /// Whether one of the two pictures may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] || inputs[1] }

  /// The weighted mean of the two.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let part = inputs[2][channel.index]
    return inputs[1] * part + inputs[0] * (1 - part)
  }

  /// Row by row.
  public func render(into output: Tile, from inputs: [Tile]) {
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        func row(_ input: Int, _ plane: Int) -> UnsafeMutablePointer<Float> {
          plane < inputs[input].planeCount ? inputs[input].pointer(y, plane) : opaque
        }
        let part = row(2, channel.index)
        for plane in 0..<output.planeCount {
          let (target, below, above) = (output.pointer(y, plane), row(0, plane), row(1, plane))
          for x in 0..<output.region.width {
            target[x] = above[x] * part[x] + below[x] * (1 - part[x])
          }
        }
      }
    }
  }
}

/// A channel that serves as a mask.
@nonexhaustive
public enum MaskChannel: String, Hashable, Sendable, CaseIterable {
  /// Red; of gray pictures it is the gray.
  case red
  /// Green.
  case green
  /// Blue.
  case blue
  /// Coverage.
  case alpha

  var index: Int {
    switch self {
    case .red: 0
    case .green: 1
    case .blue: 2
    case .alpha: 3
    }
  }
}

extension MaskBlend: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "blend by a mask's \(channel.rawValue)" }
}

extension MaskBlend: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<MaskBlend>(
    "mask-blend", RecipeField("channel", \.channel, default: .red),
    RecipeField("extent", \.extent, default: .first)
  ) { MaskBlend(by: $0, extent: $1) }

  /// The two pictures and the mask.
  public static var recipeInputs: ClosedRange<Int> { 3...3 }
}

extension MaskChannel: RecipeChoice {}

/// A blend by a mask whose numbers count as they are stored.
struct BlendByMask: CompoundFilter, RecipeFilter {
  var channel: MaskChannel

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.applying(
      MaskBlend(by: channel), with: [others[0], others[1].tagged(as: picture.space.linear)])
  }

  static let recipeForm = RecipeForm<BlendByMask>(
    "blend-by-mask", RecipeField("channel", \.channel, default: .red)
  ) { BlendByMask(channel: $0) }

  static var recipeInputs: ClosedRange<Int> { 3...3 }
}

extension Picture {
  /// This picture where `mask` is 0, the other one where it is 1, a mixture of their light between.
  ///
  /// A mask's numbers count as they are stored: the middle gray of a mask is half of each.
  public func blended(
    with other: Picture, mask: Picture, channel: MaskChannel = .red
  ) -> Picture {
    applying(BlendByMask(channel: channel), with: [other, mask])
  }
}
