internal import ColorSpaces
public import ImageBuffer
internal import Synchronization

/// A step of a recipe at which colors that were different become one: something is lost there for good.
public struct ColorLoss: Hashable, Sendable {
  /// What is lost.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Colors beyond sRGB.
    case gamut
    /// Light brighter than white.
    case headroom
    /// Coverage.
    case alpha
    /// Small steps of tone.
    case precision
    /// What the numbers mean: they were read as those of another space.
    case tag
  }

  /// What is lost.
  public let kind: Kind
  /// The step that loses it, as plans say it.
  public let step: String
  /// Two colors before the step; with a lost tag, one color under its two meanings, as XYZ.
  public let before: [SIMD4<Double>]
  /// The same colors after it.
  public let after: [SIMD4<Double>]
}

extension ColorLoss: CustomStringConvertible {
  /// What is lost, and where.
  public var description: String { "\(kind.rawValue) is lost at “\(step)”" }
}

extension Picture {
  /// The first step at which each kind of color is lost, on the way into samples of a type; empty where nothing is.
  ///
  /// Pairs of colors that the sources can hold are sent through the recipe: beyond sRGB, brighter than white, less than opaque,
  /// close together. Where a pair becomes one color, what told them apart is lost. The pixel in the middle is followed; what
  /// filters measure is measured on the real picture.
  public func colorLosses<Sample: PixelSample>(
    storedAs _: Sample.Type, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [ColorLoss] {
    let stored = storedForm
    if let failure = stored.failure { throw .recipe(failure) }
    if stored.isEndless { throw .recipe(.endless) }
    return try Probes(for: stored.node, options).losses(storedAs: Sample.format)
  }
}

/// The recipe with its sources replaced by colors to be followed.
private struct Probes {
  /// Which of the colors the sources show now.
  private final class Selection: Sendable { let index = Atomic(0) }

  /// Shows one color everywhere.
  private struct Probe: Painter {
    let selection: Selection
    let colors: [SIMD4<Double>]
    let source: Node

    var domain: PixelDomain { .any }
    var size: PixelSize? { source.region.size }
    var hasAlpha: Bool { source.hasAlpha }

    func pixel(x: Int, y: Int) -> SIMD4<Double> {
      colors[selection.index.load(ordering: .relaxed)]
    }

    static func == (a: Probe, b: Probe) -> Bool { a.source === b.source }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(source)) }
  }

  private let options: RenderOptions
  private let selection = Selection()
  private let path: PixelPath

  init(for node: Node, _ options: RenderOptions) throws(RenderError) {
    self.options = options
    var known: [ObjectIdentifier: Node] = [:]
    let selection = selection
    func probed(_ node: Node) throws(RenderError) -> Node {
      // What a cache keeps is of the picture, not of its probe.
      if case .cached(let input, _) = node.kind { return try probed(input) }
      if let probe = known[ObjectIdentifier(node)] { return probe }
      var inputs: [Node] = []
      for input in node.inputs { inputs.append(try probed(input)) }
      let kind: Node.Kind
      switch node.kind {
      case .source(let bitmap):
        kind = .painted(
          Probe(selection: selection, colors: Self.colors(of: node, bitmap.format), source: node))
      case .rows(let source):
        kind = .painted(
          Probe(selection: selection, colors: Self.colors(of: node, source.format), source: node))
      case .painted(let painter): kind = .painted(painter)
      case .point(_, let program): kind = .point(inputs[0], program)
      case .measured(_, let measured): kind = .point(inputs[0], try measured.program(options))
      case .tagged: kind = .tagged(inputs[0])
      case .stored(_, let format): kind = .stored(inputs[0], format)
      case .cached: preconditionFailure("A cache has no probe of its own.")
      case .area(_, let filter): kind = .area(inputs[0], filter)
      case .window(_, let window): kind = .window(inputs[0], window)
      case .blend(_, let filter): kind = .blend(inputs, filter)
      }
      let probe = Node(
        kind, region: node.region, hasAlpha: node.hasAlpha, in: node.space, node.state)
      known[ObjectIdentifier(node)] = probe
      return probe
    }
    let size = node.region.size
    path = PixelPath(to: try probed(node), Offset(size.width / 2, size.height / 2))
  }

  private static let kinds: [ColorLoss.Kind] = [
    .gamut, .gamut, .gamut, .headroom, .alpha, .precision,
  ]

  /// Pairs of colors that a source can hold, two for each of the kinds; equal ones where it cannot tell them apart.
  private static func colors(of node: Node, _ format: SampleFormat) -> [SIMD4<Double>] {
    let isWhole = format == .uint8 || format == .uint16
    // Numbers that are not whole go below 0 and above 1, so any space of lights holds wide colors in them.
    let wide = isWhole ? node.space : .displayP3
    // Not in the middle: there a picture and its negative are one.
    func gray(_ step: Double = 0) -> ColorPoint {
      ColorPoint(0.3 + step, 0.3 + step, 0.3 + step, in: .sRGB)
    }
    let step = format == .uint8 ? 1.0 / 255 : 1.0 / 4096
    var pairs: [[(color: ColorPoint, alpha: Double)]] = []
    for channel in 0..<3 {
      var light = SIMD3<Double>.zero
      light[channel] = 1
      let color = ColorPoint(light, in: wide.linear)
      let narrow = color.converted(to: .linearSRGB).components
      let clipped = narrow.clamped(lowerBound: .zero, upperBound: .one)
      let isWide = !ColorSpace.linearSRGB.holds(narrow, tolerance: 1e-3)
      // A tenth of the way inwards: as long as it is outside, it is clipped to the same.
      let inner = isWide ? narrow + (clipped - narrow) * 0.1 : narrow
      pairs.append([(color, 1), (ColorPoint(inner, in: .linearSRGB), 1)])
    }
    pairs.append(
      [4, isWhole ? 4 : 8].map { (ColorPoint($0, $0, $0, in: .linearSRGB), 1) })
    pairs.append([0.75, node.hasAlpha ? 0.25 : 0.75].map { (gray(), $0) })
    pairs.append([(gray(), 1), (gray(step), 1)])
    return pairs.joined().map { probe in
      let stored = probe.color.converted(to: node.space).components
      let isLinear = node.state.light == .linear && !node.space.transfer.isLinear
      let numbers = isLinear ? node.space.transfer.decode(stored) : stored
      return SIMD4(node.state.isPremultiplied ? numbers * probe.alpha : numbers, probe.alpha)
    }
  }

  func losses(storedAs format: SampleFormat) throws(RenderError) -> [ColorLoss] {
    let values = try PixelPath.Values(path, options)
    var pixels: [[SIMD4<Double>]] = []
    for index in 0..<2 * Self.kinds.count {
      selection.index.store(index, ordering: .relaxed)
      pixels.append(try values())
    }
    var losses: [ColorLoss] = []
    for (index, kind) in Self.kinds.enumerated() where !losses.contains(where: { $0.kind == kind })
    {
      let pair = (pixels[2 * index], pixels[2 * index + 1])
      if let loss = try firstLoss(kind, pair.0, pair.1, format) { losses.append(loss) }
    }
    if let loss = firstLostTag(pixels[0]) { losses.append(loss) }
    return losses
  }

  /// The first step at which two colors become one.
  private func firstLoss(
    _ kind: ColorLoss.Kind, _ a: [SIMD4<Double>], _ b: [SIMD4<Double>], _ format: SampleFormat
  ) throws(RenderError) -> ColorLoss? {
    func loss(
      _ step: String, _ before: [(SIMD4<Double>, SIMD4<Double>)],
      _ after: (SIMD4<Double>, SIMD4<Double>)
    ) -> ColorLoss? {
      guard let widest = before.max(by: { distance($0, kind) < distance($1, kind) }),
        distance(widest, kind) > 0
      else { return nil }
      // Steps multiply differences by this and that; only becoming one makes them a thousand times smaller, up to rounding.
      if distance(after, kind) > distance(widest, kind) / 1000 { return nil }
      return ColorLoss(
        kind: kind, step: step, before: [widest.0, widest.1], after: [after.0, after.1])
    }
    for (index, visit) in path.visits.enumerated() where !visit.inputs.isEmpty {
      if let program = try visit.node.program(options), let input = visit.inputs.first {
        var last = (a[input], b[input])
        let stages = zip(
          PixelPath.values(of: program, last.0), PixelPath.values(of: program, last.1))
        for (first, second) in stages {
          if let loss = loss(first.stage, [last], (first.value, second.value)) { return loss }
          last = (first.value, second.value)
        }
      } else {
        let before = visit.inputs.map { (a[$0], b[$0]) }
        let name = PlanText.name(of: visit.node)
        if let loss = loss(name, before, (a[index], b[index])) { return loss }
      }
    }
    guard let last = a.indices.last else { return nil }
    let after = (format.stored(a[last]), format.stored(b[last]))
    return loss("store as \(format)", [(a[last], b[last])], after)
  }

  private func distance(
    _ pair: (SIMD4<Double>, SIMD4<Double>), _ kind: ColorLoss.Kind
  ) -> Double {
    let difference = pair.0 - pair.1
    if kind == .alpha { return abs(difference.w) }
    let largest = max(abs(difference.x), abs(difference.y), abs(difference.z))
    return largest.isNaN ? 0 : largest
  }

  /// The first step after which the same numbers mean another color.
  private func firstLostTag(_ values: [SIMD4<Double>]) -> ColorLoss? {
    for (index, visit) in path.visits.enumerated() {
      guard case .tagged = visit.node.kind, let input = visit.inputs.first else { continue }
      let meanings = [path.visits[input].node, visit.node].map { node in
        let numbers = values[index]
        let state = node.state
        let light =
          state.light == .encoded
          ? node.space.transfer.decode(SIMD3(numbers.x, numbers.y, numbers.z))
          : SIMD3(numbers.x, numbers.y, numbers.z)
        return SIMD4(node.space.toHub * light, numbers.w)
      }
      let difference = meanings[0] - meanings[1]
      if max(abs(difference.x), abs(difference.y), abs(difference.z)) > 1e-3 {
        return ColorLoss(
          kind: .tag, step: PlanText.name(of: visit.node), before: [meanings[0]],
          after: [meanings[1]])
      }
    }
    return nil
  }
}
