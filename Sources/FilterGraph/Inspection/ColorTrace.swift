internal import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// A copy of a plan whose sources show probe colors. All other steps are the original ones, with merged and lowered
/// programs and prepared filters.
struct ColorTrace {
  /// The index of the color that the sources show.
  private final class Selection: Sendable { let index = Atomic(0) }

  /// A painter of one color everywhere, or of the original painter's pixels where that has no such color.
  private struct Probe: Painter {
    let selection: Selection
    let colors: [SIMD4<Double>?]
    let source: Node
    let painter: (any Painter)?

    var domain: PixelDomain { .any }
    var size: PixelSize? { source.region.size }
    var hasAlpha: Bool { source.hasAlpha }

    func pixel(x: Int, y: Int) -> SIMD4<Double> {
      if let color = colors[selection.index.load(ordering: .relaxed)] { return color }
      return painter?.pixel(x: x, y: y) ?? gray
    }

    /// The color shown for a kind that a source does not have; every source can contain it.
    private var gray: SIMD4<Double> { SIMD4(0.3, 0.3, 0.3, 1) }

    static func == (a: Probe, b: Probe) -> Bool { a.source === b.source }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(source)) }
  }

  /// A step on the path of a traced pixel.
  private struct Visit {
    let step: Step
    let position: Offset
    /// The place of its pixel among all that are computed.
    let pixel: Int
    /// The places of its inputs on the path.
    let inputs: [Int]
  }

  /// A pixel of a step, which paths may share.
  private struct TracedPixel: Hashable {
    let step: Int
    let position: Offset
  }

  /// A loss, and the position of its step and stage on the path.
  private struct Found {
    let step, stage: Int
    let loss: ColorLoss
  }

  private let selection = Selection()
  private let paths: [[Visit]]
  private let pixels: PixelPlan

  /// Creates a trace of pixels on their paths through the steps of `plan`, each with its position in every step.
  ///
  /// A pixel that several paths pass is computed once.
  init(
    in plan: Plan, along ways: [[Offset?]], _ options: RenderOptions
  ) throws(RenderError) {
    let selection = selection
    func probe(_ source: ProbedSource, _ painter: (any Painter)? = nil) -> Step.Work {
      .painted(
        Probe(
          selection: selection, colors: source.colors(), source: source.node, painter: painter))
    }
    var steps = plan.steps.map { step in
      let work: Step.Work =
        switch step.work {
        case .source(let bitmap, _):
          probe(ProbedSource(step.node, bitmap.format, bitmap.channels))
        case .rows(let source):
          probe(ProbedSource(step.node, source.pixelSamples.format, source.pixelSamples.channels))
        case .painted(let painter):
          probe(ProbedSource(step.node, painter), painter)
        // A cache holds pixels of the real picture, not of the probe.
        case .cached: .window(Window(offset: .zero, edges: nil))
        default: step.work
        }
      return Step(work, inputs: step.inputs, of: step.node, storedAs: step.storage)
    }
    var known: [TracedPixel: Int] = [:]
    var pixels: [Node] = []
    func place(of pixel: TracedPixel) -> Int {
      if let place = known[pixel] { return place }
      let node = Node(pixel: pixel.position, of: plan.steps[pixel.step].node)
      known[pixel] = pixels.count
      pixels.append(node)
      steps.append(
        Step(
          .window(Window(offset: pixel.position, edges: nil)), inputs: [pixel.step], of: node))
      return pixels.count - 1
    }
    paths = ways.map { way in
      var visits: [Visit] = []
      var places = [Int?](repeating: nil, count: plan.steps.count)
      for (index, step) in plan.steps.enumerated() {
        guard let position = way[index] else { continue }
        places[index] = visits.count
        visits.append(
          Visit(
            step: step, position: position,
            pixel: place(of: TracedPixel(step: index, position: position)),
            inputs: step.inputs.compactMap { places[$0] }))
      }
      return visits
    }
    self.pixels = try PixelPlan(
      Plan(steps, results: Array(plan.steps.count..<steps.count)), of: pixels, options)
  }

  /// Returns for each path the first loss of each kind on the way to samples of the format at the path's place.
  func losses(storedAs formats: [SampleFormat]) throws(RenderError) -> [[ColorLoss]] {
    var found = [[ColorLoss.Kind: Found]](repeating: [:], count: paths.count)
    var first = 0
    for (kind, count) in ProbedSource.counts {
      var values: [[SIMD4<Double>]] = []
      for index in first..<first + count {
        selection.index.store(index, ordering: .relaxed)
        values.append(try pixels())
      }
      first += count
      for (path, format) in formats.enumerated() {
        guard let loss = firstLoss(kind, on: paths[path], values, format) else { continue }
        if let known = found[path][kind], (known.step, known.stage) <= (loss.step, loss.stage) {
          continue
        }
        found[path][kind] = loss
      }
    }
    return found.map { found in
      var found = found
      return ProbedSource.counts.compactMap { found.removeValue(forKey: $0.kind)?.loss }
    }
  }

  /// Returns the first step after which a group of colors has lost a dimension. `values` are all pixels, for each color.
  private func firstLoss(
    _ kind: ColorLoss.Kind, on visits: [Visit], _ values: [[SIMD4<Double>]],
    _ format: SampleFormat
  ) -> Found? {
    func group(_ index: Int) -> ColorGroup {
      ColorGroup(values.map { $0[visits[index].pixel] }, kind)
    }
    func check(
      _ index: Int, _ stage: Int, _ name: String, _ before: [ColorGroup], _ after: ColorGroup
    ) -> Found? {
      guard let widest = before.max(by: { $0.extent < $1.extent }),
        let pair = after.collapse(from: widest)
      else { return nil }
      return Found(
        step: index, stage: stage,
        loss: ColorLoss(kind: kind, step: name, before: pair.before, after: pair.after))
    }
    for (index, visit) in visits.enumerated() where !visit.inputs.isEmpty {
      var before = visit.inputs.map(group)
      // A program is one step; its stages are run sequentially to find the one that loses the color.
      if case .point(let lowered) = visit.step.work {
        let inputs = values.map { $0[visits[visit.inputs[0]].pixel] }
        let runs = inputs.map { PixelPath.values(of: lowered.program, $0, at: visit.position) }
        for (stage, step) in lowered.program.stages.enumerated() {
          let after = ColorGroup(runs.map { $0[stage] }, kind)
          if let found = check(index, stage, "\(step)", before, after) { return found }
          before = [after]
        }
      }
      if let found = check(index, .max, visit.step.name, before, group(index)) { return found }
    }
    guard let last = visits.indices.last else { return nil }
    let stored = ColorGroup(values.map { format.stored($0[visits[last].pixel]) }, kind)
    return check(visits.count, 0, "store as \(format)", [group(last)], stored)
  }
}

/// A color and its neighbors at one step.
private struct ColorGroup {
  private let colors: [SIMD4<Double>]
  /// The differences of the neighbors from the color.
  private let steps: [SIMD3<Double>]

  init(_ colors: [SIMD4<Double>], _ kind: ColorLoss.Kind) {
    self.colors = colors
    steps = colors.dropFirst().map { color in
      let step = color - colors[0]
      let difference = kind == .alpha ? SIMD3(step.w, 0, 0) : SIMD3(step.x, step.y, step.z)
      return difference.sum().isFinite ? difference : .zero
    }
  }

  /// The extent of the neighbors: a length, or a volume.
  var extent: Double {
    if steps.count == 1 { return length(steps[0]) }
    let (a, b, c) = (steps[0], steps[1], steps[2])
    return abs(
      a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x))
  }

  /// Returns two colors of a group before a step that become equal in this group, after it; nil where the step keeps
  /// all apart.
  ///
  /// Steps scale differences by various factors, and some directions more than others. A direction counts as lost if
  /// its factor is less than a thousandth of the largest one, within rounding.
  func collapse(
    from source: ColorGroup
  ) -> (before: [SIMD4<Double>], after: [SIMD4<Double>])? {
    guard source.extent > 1e-24 else { return nil }
    if steps.count == 1 {
      return extent <= source.extent / 1000 ? (source.colors, colors) : nil
    }
    // The Jacobian of the step, estimated from the differences.
    let change =
      ColorMatrix(rows: steps[0], steps[1], steps[2]).transposed
      * ColorMatrix(rows: source.steps[0], source.steps[1], source.steps[2]).transposed.inverse
    let (least, greatest) = change.extremeStretches
    // Below the rounding of single precision, no difference is left at all.
    guard greatest.factor < 1e-5 || least.factor < greatest.factor / 1000 else { return nil }
    let step = least.direction * length(source.steps[0])
    return (
      [source.colors[0], source.colors[0] + SIMD4(step, 0)],
      [colors[0], colors[0] + SIMD4(change * step, 0)]
    )
  }
}

private func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

extension ColorMatrix {
  fileprivate var transposed: ColorMatrix {
    ColorMatrix(
      rows: SIMD3(rows[0].x, rows[1].x, rows[2].x), SIMD3(rows[0].y, rows[1].y, rows[2].y),
      SIMD3(rows[0].z, rows[1].z, rows[2].z))
  }

  /// A direction and its scale factor under the matrix.
  fileprivate typealias Stretch = (factor: Double, direction: SIMD3<Double>)

  /// The smallest and the largest singular value, by one-sided Jacobi rotations.
  fileprivate var extremeStretches: (least: Stretch, greatest: Stretch) {
    var columns = transposed.rows
    var directions: [SIMD3<Double>] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    // They converge quadratically: ten sweeps are plenty for three columns.
    for _ in 0..<10 {
      for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let (p, q) = (columns[i], columns[j])
        let (alpha, beta, gamma) = ((p * p).sum(), (q * q).sum(), (p * q).sum())
        if abs(gamma) <= 1e-16 * (alpha * beta).squareRoot() { continue }
        let zeta = (beta - alpha) / (2 * gamma)
        let tangent = (zeta < 0 ? -1 : 1) / (abs(zeta) + (1 + zeta * zeta).squareRoot())
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        let sine = cosine * tangent
        (columns[i], columns[j]) = (cosine * p - sine * q, sine * p + cosine * q)
        let (v, w) = (directions[i], directions[j])
        (directions[i], directions[j]) = (cosine * v - sine * w, sine * v + cosine * w)
      }
    }
    let lengths = columns.map(length)
    let order = lengths.indices.sorted { lengths[$0] < lengths[$1] }
    return (
      (lengths[order[0]], directions[order[0]]), (lengths[order[2]], directions[order[2]])
    )
  }
}
