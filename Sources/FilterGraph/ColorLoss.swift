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
  /// Pairs of colors that the sources can hold are sent through the plan that renders: beyond sRGB, brighter than white, less than
  /// opaque, close together. Where a pair becomes one color, what told them apart is lost. The pixel in the middle is followed, and others
  /// where that one does not come through all steps; what filters measure is measured on the real picture.
  public func colorLosses<Sample: PixelSample>(
    storedAs _: Sample.Type, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [ColorLoss] {
    let stored = storedForm
    return try Plan([stored], options: options).colorLosses(
      of: stored.node, storedAs: Sample.format, options)
  }
}

extension Plan {
  /// What is lost on the way to the plan's first result, which is `node`.
  func colorLosses(
    of node: Node, storedAs format: SampleFormat, _ options: RenderOptions
  ) throws(RenderError) -> [ColorLoss] {
    var losses: [ColorLoss] = []
    for way in ways {
      let found = try Probes(in: self, along: way, options).losses(storedAs: format)
      losses += found.filter { loss in !losses.contains { $0.kind == loss.kind } }
    }
    if let loss = ColorLoss(firstTagLostBefore: node) { losses.append(loss) }
    return losses
  }
}

/// A plan whose sources show colors to be followed. All other steps are the plan's own: its programs, merged and lowered, and what
/// filters prepared.
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

  /// A step that the followed pixel goes through, and the places of those before it.
  private struct Visit {
    let step: Step
    let position: Offset
    let inputs: [Int]
  }

  private let selection = Selection()
  private let visits: [Visit]
  private let pixels: PixelPlan

  init(
    in plan: Plan, along way: [Offset?], _ options: RenderOptions
  ) throws(RenderError) {
    let selection = selection
    func probe(_ node: Node, _ format: SampleFormat) -> Step.Work {
      let probe = Probe(
        selection: selection, colors: Self.colors(of: node, format), source: node)
      return .painted { probe.render(into: $0) }
    }
    var steps = plan.steps.map { step in
      let work: Step.Work =
        switch step.work {
        case .source(let bitmap, _): probe(step.node, bitmap.format)
        case .rows(let source): probe(step.node, source.format)
        // What a cache keeps is of the picture, not of its probe.
        case .cached: .window(Window(offset: .zero, edges: nil))
        default: step.work
        }
      return Step(work, inputs: step.inputs, of: step.node, storedAs: step.storage)
    }
    var visits: [Visit] = []
    var places = [Int?](repeating: nil, count: steps.count)
    var (pixels, results): ([Node], [Int]) = ([], [])
    for (index, step) in plan.steps.enumerated() {
      guard let position = way[index] else { continue }
      places[index] = visits.count
      visits.append(
        Visit(step: step, position: position, inputs: step.inputs.compactMap { places[$0] }))
      let pixel = Node(pixel: position, of: step.node)
      results.append(steps.count)
      pixels.append(pixel)
      steps.append(
        Step(.window(Window(offset: position, edges: nil)), inputs: [index], of: pixel))
    }
    self.visits = visits
    self.pixels = try PixelPlan(Plan(steps, results: results), of: pixels, options)
  }

  private static let kinds: [ColorLoss.Kind] = [
    .gamut, .gamut, .gamut, .headroom, .alpha, .precision,
  ]

  /// Pairs of colors that a source can hold, two for each of the kinds; equal ones where it cannot tell them apart.
  private static func colors(of node: Node, _ format: SampleFormat) -> [SIMD4<Double>] {
    let isWhole = format == .uint8 || format == .uint16
    // Numbers that are not whole go below 0 and above 1, so any space of lights holds wide colors in them.
    let wide = isWhole ? node.space : .displayP3
    // Not in the middle: there a picture and its negative are one. Not between two codes of 8 bits: there rounding tells neighbours apart.
    func gray(_ step: Double = 0) -> ColorPoint {
      let tone = 77.0 / 255 + step
      return ColorPoint(tone, tone, tone, in: .sRGB)
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
    var values: [[SIMD4<Double>]] = []
    for index in 0..<2 * Self.kinds.count {
      selection.index.store(index, ordering: .relaxed)
      values.append(try pixels())
    }
    var losses: [ColorLoss] = []
    for (index, kind) in Self.kinds.enumerated() where !losses.contains(where: { $0.kind == kind })
    {
      if let loss = firstLoss(kind, values[2 * index], values[2 * index + 1], format) {
        losses.append(loss)
      }
    }
    return losses
  }

  /// The first step at which two colors become one.
  private func firstLoss(
    _ kind: ColorLoss.Kind, _ a: [SIMD4<Double>], _ b: [SIMD4<Double>], _ format: SampleFormat
  ) -> ColorLoss? {
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
    for (index, visit) in visits.enumerated() where !visit.inputs.isEmpty {
      var before = visit.inputs.map { (a[$0], b[$0]) }
      // A program is one step; which of its stages it was is found out by running them one after the other.
      if case .point(let lowered) = visit.step.work {
        let stages = zip(
          PixelPath.values(of: lowered.program, before[0].0, at: visit.position),
          PixelPath.values(of: lowered.program, before[0].1, at: visit.position))
        for (first, second) in stages {
          if let loss = loss(first.name, before, (first.value, second.value)) { return loss }
          before = [(first.value, second.value)]
        }
      }
      if let loss = loss(PlanText.name(of: visit.step.node), before, (a[index], b[index])) {
        return loss
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
}

extension Plan {
  /// The ways of some pixels of the first result that lead through all steps to which any of 9 × 9 pixels leads: the middle one's, and
  /// those of others where it leaves steps out.
  fileprivate var ways: [[Offset?]] {
    let region = steps[results[0]].region
    func part(_ length: Int, _ place: Int) -> Int { (length - 1) * place / 8 }
    let others = (0..<9).flatMap { row in
      (0..<9).map { column in
        Offset(region.x + part(region.width, column), region.y + part(region.height, row))
      }
    }
    var missing = Set(steps.indices)
    var ways: [[Offset?]] = []
    for pixel in [region.middle] + others where !missing.isEmpty {
      let way = way(of: pixel)
      let found = missing.filter { way[$0] != nil }
      if found.isEmpty { continue }
      missing.subtract(found)
      ways.append(way)
    }
    return ways
  }

  /// Where a pixel of the first result lies in each step; nil in those that it does not go through. Where a filter mixes neighbours, the
  /// pixel in their middle is followed.
  private func way(of pixel: Offset) -> [Offset?] {
    var way = [Offset?](repeating: nil, count: steps.count)
    way[results[0]] = pixel
    for index in steps.indices.reversed() {
      guard let position = way[index] else { continue }
      for input in steps[index].inputs where way[input] == nil {
        way[input] = steps[index].position(of: position, in: steps[input].region)
      }
    }
    return way
  }
}

extension Step {
  /// The pixel of an input that one of its own is made of.
  fileprivate func position(of pixel: Offset, in input: Region) -> Offset? {
    switch work {
    case .window(let window): window.position(of: pixel, in: input)
    case .area: inputRegion(for: Region(pixel: pixel), of: input).middle
    case .source, .rows, .painted, .point, .blend, .cached: pixel
    }
  }
}

extension ColorLoss {
  /// The first step after which the same numbers mean another color. No plan has such steps: nothing is computed in them.
  fileprivate init?(firstTagLostBefore node: Node) {
    var known: Set<ObjectIdentifier> = []
    var first: ColorLoss?
    visitUpwards(to: node, isVisited: { known.contains(ObjectIdentifier($0)) }, inputs: \.inputs) {
      node in
      known.insert(ObjectIdentifier(node))
      guard first == nil, case .tagged(let input) = node.kind else { return }
      let meanings = [input, node].map(\.meaningOfSomeNumbers)
      let difference = meanings[0] - meanings[1]
      guard max(abs(difference.x), abs(difference.y), abs(difference.z)) > 1e-3 else { return }
      first = ColorLoss(
        kind: .tag, step: PlanText.name(of: node), before: [meanings[0]], after: [meanings[1]])
    }
    guard let first else { return nil }
    self = first
  }
}

extension Node {
  /// What numbers that stand for no gray mean, as XYZ and coverage.
  fileprivate var meaningOfSomeNumbers: SIMD4<Double> {
    let numbers = SIMD3(0.75, 0.5, 0.25)
    let light = state.light == .encoded ? space.transfer.decode(numbers) : numbers
    return SIMD4(space.toHub * light, 1)
  }
}
