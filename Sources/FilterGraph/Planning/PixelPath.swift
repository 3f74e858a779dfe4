internal import ColorSpaces
internal import ImageBuffer

/// The steps of a plan that one pixel goes through, each after all that it reads, and where it lies in each of them.
///
/// A step that is read at several places is there for each of them.
struct PixelPath {
  private struct Pixel: Hashable {
    let step: Int
    let position: Offset
  }

  private let plan: Plan
  private var visits: [(pixel: Pixel, inputs: [Int])] = []

  /// The most pixels that a pixel is followed through.
  private static let limit = 10_000

  /// The way to a pixel of the plan's first result. Where a filter mixes neighbors, the pixel in their middle is followed.
  init(in plan: Plan, to position: Offset) throws(RenderError) {
    self.plan = plan
    func inputs(of pixel: Pixel) -> [Pixel] {
      let step = plan.steps[pixel.step]
      return step.inputs.enumerated().compactMap { position, input in
        step.position(of: pixel.position, inInput: position, of: plan.steps[input].region)
          .map { Pixel(step: input, position: $0) }
      }
    }
    var known: [Pixel: Int] = [:]
    try visitUpwards(
      to: Pixel(step: plan.results[0], position: position), isVisited: { known[$0] != nil },
      inputs: inputs
    ) { pixel throws(RenderError) in
      guard visits.count < Self.limit else {
        throw .recipe(
          .other(
            "The pixel comes from more than \(Self.limit) pixels of the steps before it, too many to "
              + "explain. Explain a picture of fewer steps."))
      }
      known[pixel] = visits.count
      visits.append((pixel, inputs(of: pixel).compactMap { known[$0] }))
    }
  }

  /// The pixel after each visited step, all of them computed in one pass.
  private func values(_ options: RenderOptions) throws(RenderError) -> [SIMD4<Double>] {
    var steps = plan.steps
    var pixels: [Node] = []
    for (pixel, _) in visits {
      let node = Node(pixel: pixel.position, of: steps[pixel.step].node)
      steps.append(
        Step(
          .window(Window(offset: pixel.position, edges: nil)), inputs: [pixel.step], of: node))
      pixels.append(node)
    }
    return try PixelPlan(
      Plan(steps, results: Array(plan.steps.count..<steps.count)), of: pixels, options)()
  }

  /// The pixel after each part of each step.
  func steps(_ options: RenderOptions) throws(RenderError) -> [Explanation.Step] {
    let values = try values(options)
    var explained: [Explanation.Step] = []
    for (visit, result) in zip(visits, values) {
      let step = plan.steps[visit.pixel.step]
      let parts = step.parts
      let lastChange = parts.lastIndex { if case .note = $0 { false } else { true } }
      var (value, form) = (result, step.form)
      var stages: [SIMD4<Double>] = []
      if case .point(let lowered) = step.work {
        (value, form) = (values[visit.inputs[0]], plan.steps[step.inputs[0]].form)
        stages = Self.values(of: lowered.program, value, at: visit.pixel.position).reversed()
      }
      for (index, part) in parts.enumerated() {
        switch part {
        case .work, .stored: (value, form) = (result, step.form)
        case .stage(_, let next): (value, form) = (stages.removeLast(), next)
        case .note(let note): form = note.form ?? form
        }
        explained.append(
          Explanation.Step(
            name: part.name, position: visit.pixel.position, value: value, space: form.space,
            encoding: form.encoding, isPremultiplied: form.state.isPremultiplied,
            picture: index == lastChange ? Picture(step.node) : nil))
      }
    }
    return explained
  }

  /// A pixel after each stage of a program.
  static func values(
    of program: PointProgram, _ pixel: SIMD4<Double>, at position: Offset
  ) -> [SIMD4<Double>] {
    var color = SIMD3(pixel.x, pixel.y, pixel.z)
    return program.stages.map { stage in
      color = PointProgram([stage])(color, alpha: pixel.w, x: position.x, y: position.y)
      return SIMD4(color, pixel.w)
    }
  }
}

/// A plan whose results are pixels, computed all at once.
struct PixelPlan {
  private let evaluator: TiledEvaluator
  private let pixels: [Node]

  init(_ plan: Plan, of pixels: [Node], _ options: RenderOptions) throws(RenderError) {
    var options = options
    (options.threads, options.tile, options.progress) = (1, PixelSize(1, 1), nil)
    self.pixels = pixels
    evaluator = try TiledEvaluator(
      plan, sizes: pixels.map(\.region.size), resultBytes: 0, options: options)
  }

  /// The pixels, computed as often as asked.
  func callAsFunction() throws(RenderError) -> [SIMD4<Double>] {
    var bitmaps = pixels.map { pixel in
      Bitmap<Float>(PixelSize(1, 1), in: pixel.space, channels: pixel.hasAlpha ? .rgba : .rgb)
    }
    try evaluator.render(into: bitmaps.indices.map { bitmaps[$0].uniqueSurface() })
    return bitmaps.map { bitmap in
      let samples = bitmap.row(0).map(Double.init)
      return SIMD4(samples[0], samples[1], samples[2], samples.count > 3 ? samples[3] : 1)
    }
  }
}

extension Region {
  init(pixel: Offset) { self.init(x: pixel.x, y: pixel.y, width: 1, height: 1) }

  var middle: Offset { Offset(x + width / 2, y + height / 2) }
}

extension Window {
  /// The pixel of an input that is shown at a position; nil where none is.
  func position(of pixel: Offset, in input: Region) -> Offset? {
    let seen = pixel + offset
    if input == .everywhere { return seen }
    let edges = edges ?? .repeated
    guard let x = edges.position(seen.x, in: input.width),
      let y = edges.position(seen.y, in: input.height)
    else { return nil }
    return Offset(x, y)
  }
}

extension Node {
  /// One pixel of a node.
  convenience init(pixel: Offset, of node: Node) {
    self.init(
      .window(node, Window(offset: pixel, edges: nil)), region: Region(PixelSize(1, 1)),
      hasAlpha: node.hasAlpha, in: node.space, node.state)
  }
}
