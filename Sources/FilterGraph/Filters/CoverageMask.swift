internal import ColorSpaces
internal import ImageBuffer

/// The color of the first input with a channel of the second one as its coverage.
public struct CoverageMask: BlendFilter {
  /// The channel of the mask that is looked at. Where the mask is transparent it counts as 0.
  public var channel: MaskChannel

  /// A coverage by one channel of a mask.
  public init(by channel: MaskChannel = .red) { self.channel = channel }

  /// Straight: coverage is exchanged, color stays.
  public var domain: PixelDomain { .linear }

  /// The pixels of the picture.
  public var extent: BlendExtent { .first }

  /// The result may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { true }

  /// The color of one, the coverage of the other.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let mask = inputs[1]
    return SIMD4(
      inputs[0].x, inputs[0].y, inputs[0].z,
      channel == .alpha ? mask.w : mask[channel.index] * mask.w)
  }

  /// Pixel by pixel.
  public func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      let (target, color, mask) = (
        PixelRow(output, y), PixelRow(inputs[0], y), PixelRow(inputs[1], y)
      )
      for x in output.region.columns {
        var pixel = color[x]
        pixel.w = channel == .alpha ? mask[x].w : mask[x][channel.index] * mask[x].w
        target[x] = pixel
      }
    }
  }
}

extension CoverageMask: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "coverage by a mask's \(channel.rawValue)" }
}

extension Picture {
  /// This picture with a channel of `mask` as its coverage. A mask's numbers count as they are stored.
  public func covered(by mask: Picture, channel: MaskChannel = .red) -> Picture {
    applying(CoverageMask(by: channel), with: [mask.tagged(as: space.linear)])
  }
}
