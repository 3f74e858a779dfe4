internal import ColorSpaces
internal import ImageBuffer

/// The nodes that one pixel goes through, each after all that it reads, and where it lies in each of them.
///
/// A node that is read at several places is there for each of them.
struct PixelPath {
  private(set) var visits: [(node: Node, position: Offset, inputs: [Int])] = []

  /// The most pixels that a pixel is followed through.
  private static let limit = 10_000

  private struct Pixel: Hashable {
    let node: Node
    let position: Offset

    static func == (a: Pixel, b: Pixel) -> Bool {
      a.node === b.node && a.position == b.position
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(node))
      hasher.combine(position)
    }
  }

  /// The way to a pixel of `node`. Where a filter mixes neighbours, the pixel in their middle is followed.
  init(to node: Node, _ position: Offset) throws(RenderError) {
    var known: [Pixel: Int] = [:]
    try visitUpwards(
      to: Pixel(node: node, position: position), isVisited: { known[$0] != nil },
      inputs: Self.inputs
    ) { pixel throws(RenderError) in
      guard visits.count < Self.limit else {
        throw .recipe(
          .other(
            "The pixel comes from more than \(Self.limit) pixels of the steps before it, too many to "
              + "explain. Explain a picture of fewer steps."))
      }
      known[pixel] = visits.count
      let inputs = Self.inputs(of: pixel).compactMap { known[$0] }
      visits.append((pixel.node, pixel.position, inputs))
    }
  }

  private static func inputs(of pixel: Pixel) -> [Pixel] {
    let position = pixel.position
    switch pixel.node.kind {
    case .area(let input, let filter):
      let seen = filter.inputRegion(for: Region(pixel: position), of: input.region.size)
        .clamped(to: input.region)
      return seen.isEmpty ? [] : [Pixel(node: input, position: seen.middle)]
    case .window(let input, let window):
      return window.position(of: position, in: input.region)
        .map { [Pixel(node: input, position: $0)] } ?? []
    default: return pixel.node.inputs.map { Pixel(node: $0, position: position) }
    }
  }

  /// The pixel after each visited node, all of them computed in one pass.
  private func values(_ options: RenderOptions) throws(RenderError) -> [SIMD4<Double>] {
    let pixels = visits.map { Node(pixel: $0.position, of: $0.node) }
    let plan = try Plan(pixels.map { Picture($0) }, options: options)
    return try PixelPlan(plan, of: pixels, options)()
  }

  /// The pixel after each node and after each stage of a program.
  func steps(_ options: RenderOptions) throws(RenderError) -> [Explanation.Step] {
    let values = try values(options)
    var steps: [Explanation.Step] = []
    for (visit, value) in zip(visits, values) {
      let node = visit.node
      func append(_ name: String, _ value: SIMD4<Double>, _ form: PixelForm, isLast: Bool = true) {
        steps.append(
          Explanation.Step(
            name: name, position: visit.position, value: value, space: form.space,
            light: form.encoding, isPremultiplied: form.state.isPremultiplied,
            picture: isLast ? Picture(node) : nil))
      }
      guard let program = try node.program(options), let input = visit.inputs.first else {
        append(PlanText.name(of: node), value, PixelForm(node.space, node.state))
        continue
      }
      let forms = node.forms(of: program)
      let stages = Self.values(of: program, values[input], at: visit.position)
      for (index, stage) in program.stages.enumerated() {
        append(
          "\(stage)", stages[index], forms[index], isLast: index == program.stages.count - 1)
      }
    }
    return steps
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

  /// What the node does to each pixel by itself; nil for every other kind of node.
  func program(_ options: RenderOptions) throws(RenderError) -> PointProgram? {
    switch kind {
    case .point(_, let program): program
    case .measured(_, let measured): try measured.program(options)
    default: nil
    }
  }
}
