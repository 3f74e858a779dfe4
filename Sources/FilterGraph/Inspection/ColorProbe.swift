internal import ColorSpaces
internal import ImageBuffer

/// A color and some neighbors that are traced through a plan together: where their differences lose a dimension, a kind
/// of color is lost. ``ProbedSource/counts`` states the kind of each probe.
struct ColorProbe {
  /// The color, and its neighbors: one, or three in different directions.
  let colors: [ColorPoint]
  /// The alpha of each color.
  let alphas: [Double]

  init(_ colors: [ColorPoint], alphas: [Double]? = nil) {
    self.colors = colors
    self.alphas = alphas ?? [Double](repeating: 1, count: colors.count)
  }
}

/// The colors that a source can contain, or that a painter paints.
struct ProbedSource {
  let node: Node
  let format: SampleFormat
  /// The kinds of color it has.
  let kinds: Set<ColorLoss.Kind>
  /// The distance between neighbors: larger for painters, so that a blend of a painter and a source does not cancel
  /// differences by chance.
  private let spread: Double

  /// Creates a source of samples, which may contain every color that its format can encode.
  init(_ node: Node, _ format: SampleFormat, _ channels: Channels) {
    (self.node, self.format, spread) = (node, format, 1)
    var kinds: Set<ColorLoss.Kind> = [.headroom, .precision]
    if channels.count > 2 { kinds.formUnion([.gamut, .chroma]) }
    if node.hasAlpha { kinds.insert(.alpha) }
    self.kinds = kinds
  }

  /// Creates a painter's source, which contains the colors it paints.
  init(_ node: Node, _ painter: any Painter) {
    (self.node, format, spread) = (node, .float32, 1.25)
    kinds = Self.kinds(paintedBy: painter, on: node)
  }

  /// Samples a grid of pixels and their right neighbors.
  private static func kinds(paintedBy painter: any Painter, on node: Node) -> Set<ColorLoss.Kind> {
    let points = 48
    let size = painter.size ?? PixelSize(points, points)
    var kinds: Set<ColorLoss.Kind> = []
    func light(_ pixel: SIMD4<Double>) -> SIMD3<Double> {
      let color = SIMD3(pixel.x, pixel.y, pixel.z)
      let straight = node.state.isPremultiplied && pixel.w != 0 ? color / pixel.w : color
      return switch node.state.light {
      case .linear: straight
      case .encoded: node.space.transfer.decode(straight)
      case .perceptual: TransferFunction.gamma(2).decode(straight)
      }
    }
    for row in 0..<min(points, size.height) {
      for column in 0..<min(points, size.width) {
        let x = column * max(1, size.width / points)
        let y = row * max(1, size.height / points)
        let pixel = painter.pixel(x: x, y: y)
        if pixel.w < 1 { kinds.insert(.alpha) }
        let color = light(pixel)
        let narrow = ColorPoint(color, in: node.space.linear).converted(to: .linearSRGB).components
        // Above the rounding errors of conversions and of published matrices.
        let tolerance = 1e-3
        if color.max() > 1 + tolerance { kinds.insert(.headroom) }
        if !ColorSpace.linearSRGB.holds(narrow, tolerance: tolerance) { kinds.insert(.gamut) }
        if narrow.max() - narrow.min() > tolerance { kinds.insert(.chroma) }
        guard x + 1 < size.width else { continue }
        let difference = painter.pixel(x: x + 1, y: y) - pixel
        let step = max(abs(difference.x), abs(difference.y), abs(difference.z))
        if step > 0, step < 1.0 / 255 { kinds.insert(.precision) }
      }
    }
    return kinds
  }

  /// The number of colors of each probe.
  static let counts: [(kind: ColorLoss.Kind, colors: Int)] = [
    (.gamut, 4), (.gamut, 4), (.gamut, 4), (.headroom, 2), (.alpha, 2), (.precision, 2),
    (.chroma, 4),
  ]

  /// The encoded color for each of the probes of ``counts``; nil where the source has no color of that kind, and shows
  /// its usual pixels.
  func colors() -> [SIMD4<Double>?] {
    zip(Self.counts, probes).flatMap { count, probe -> [SIMD4<Double>?] in
      guard let probe, kinds.contains(count.kind) else {
        return [SIMD4<Double>?](repeating: nil, count: count.colors)
      }
      return zip(probe.colors, probe.alphas).map { numbers(of: $0, alpha: $1) }
    }
  }

  private var isWhole: Bool { format == .uint8 || format == .uint16 }

  private var probes: [ColorProbe?] {
    // Not at the middle, where a picture equals its negative; not between two 8-bit codes, where rounding separates
    // neighbors.
    func gray(_ step: Double = 0) -> ColorPoint {
      let tone = 77.0 / 255 + step
      return ColorPoint(tone, tone, tone, in: .sRGB)
    }
    let bright = [4, isWhole ? 4 : 8].map { ColorPoint($0, $0, $0, in: .linearSRGB) }
    return (0..<3).map(wide) + [
      isWhole ? nil : ColorProbe(bright),
      ColorProbe([gray(), gray()], alphas: [0.75, 0.25]),
      ColorProbe([gray(), gray(format == .uint8 ? 1.0 / 255 : 1.0 / 4096)]),
      // Farther apart than the levels of a posterization, and not gray.
      around([0.4, 0.3, 0.2], [0.15, 0.15, 0.15], in: .linearSRGB),
    ]
  }

  /// Colors near one of the source's primaries, all of them outside of sRGB; nil where they are in sRGB's gamut.
  ///
  /// They are a few 8-bit codes apart, so that storing them in a wide-gamut space keeps them different, and close
  /// enough that gamut mapping moves them to the same face of the gamut.
  private func wide(_ channel: Int) -> ColorProbe? {
    // Floating-point samples may be below 0 and above 1, so they hold wide-gamut colors in any space.
    let space = (isWhole ? node.space : .displayP3).linear
    var (color, steps) = (SIMD3(repeating: 0.01), SIMD3(repeating: 0.003))
    (color[channel], steps[channel]) = (0.97, -0.04)
    let narrow = ColorPoint(color, in: space).converted(to: .linearSRGB).components
    if ColorSpace.linearSRGB.holds(narrow, tolerance: 1e-3) { return nil }
    return around(color, steps, in: space)
  }

  private func around(
    _ color: SIMD3<Double>, _ steps: SIMD3<Double>, in space: ColorSpace
  ) -> ColorProbe {
    let neighbors = (0..<3).map { channel in
      var neighbor = color
      neighbor[channel] += spread * steps[channel]
      return neighbor
    }
    return ColorProbe(([color] + neighbors).map { ColorPoint($0, in: space) })
  }

  /// The color encoded in the source's space.
  private func numbers(of color: ColorPoint, alpha: Double) -> SIMD4<Double> {
    let light = color.converted(to: node.space.linear).components
    let numbers =
      switch node.state.light {
      case .linear: light
      case .encoded: node.space.transfer.encode(light)
      case .perceptual: TransferFunction.gamma(2).encode(light)
      }
    return SIMD4(node.state.isPremultiplied ? numbers * alpha : numbers, alpha)
  }
}
