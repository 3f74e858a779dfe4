internal import ColorSpaces
internal import ImageBuffer

/// The nodes that one pixel goes through, each after all that it reads, and where it lies in each of them.
struct PixelPath {
  private(set) var visits: [(node: Node, position: Offset, inputs: [Int])] = []
  private var known: [ObjectIdentifier: Int] = [:]

  /// The way to a pixel of `node`. Where a filter mixes neighbours, the pixel in their middle is followed.
  init(to node: Node, _ position: Offset) { _ = visit(node, position) }

  private mutating func visit(_ node: Node, _ position: Offset) -> Int {
    if let visit = known[ObjectIdentifier(node)] { return visit }
    var inputs: [Int] = []
    switch node.kind {
    case .source, .rows, .painted: break
    case .point(let input, _), .measured(let input, _), .tagged(let input), .stored(let input, _),
      .cached(let input, _):
      inputs = [visit(input, position)]
    case .area(let input, let filter):
      let seen = filter.inputRegion(
        for: Region(x: position.x, y: position.y, width: 1, height: 1), of: input.region.size
      ).intersection(input.region)
      inputs = [visit(input, Offset(seen.x + seen.width / 2, seen.y + seen.height / 2))]
    case .window(let input, let window):
      let seen = position + window.offset
      let edges = window.edges ?? .repeated
      if input.region == .everywhere {
        inputs = [visit(input, seen)]
      } else if let x = edges.position(seen.x, in: input.region.width),
        let y = edges.position(seen.y, in: input.region.height)
      {
        inputs = [visit(input, Offset(x, y))]
      }
    case .blend(let all, _): inputs = all.map { visit($0, position) }
    }
    visits.append((node, position, inputs))
    known[ObjectIdentifier(node)] = visits.count - 1
    return visits.count - 1
  }

  /// Computes the pixel after each visited node, all of them in one pass, as often as asked.
  struct Values {
    private let evaluator: TiledEvaluator
    private let nodes: [Node]

    init(_ path: PixelPath, _ options: RenderOptions) throws(RenderError) {
      var options = options
      (options.threads, options.tile, options.progress) = (1, PixelSize(1, 1), nil)
      nodes = path.visits.map(\.node)
      let pixels = path.visits.map { visit in
        Picture(
          Node(
            .window(visit.node, Window(offset: visit.position, edges: nil)),
            region: Region(PixelSize(1, 1)), hasAlpha: visit.node.hasAlpha, in: visit.node.space,
            visit.node.state))
      }
      evaluator = try TiledEvaluator(
        Plan(pixels, options: options), sizes: pixels.map(\.size), resultBytes: 0,
        options: options)
    }

    func callAsFunction() throws(RenderError) -> [SIMD4<Double>] {
      var bitmaps = nodes.map { node in
        Bitmap<Float>(PixelSize(1, 1), in: node.space, channels: node.hasAlpha ? .rgba : .rgb)
      }
      try evaluator.render(into: bitmaps.indices.map { bitmaps[$0].uniqueSurface() })
      return bitmaps.map { bitmap in
        let samples = bitmap.row(0).map(Double.init)
        return SIMD4(samples[0], samples[1], samples[2], samples.count > 3 ? samples[3] : 1)
      }
    }
  }

  /// The pixel after each node and after each stage of a program.
  func steps(_ options: RenderOptions) throws(RenderError) -> [Explanation.Step] {
    let values = try Values(self, options)()
    var steps: [Explanation.Step] = []
    for (visit, value) in zip(visits, values) {
      func append(_ name: String, _ value: SIMD4<Double>) {
        let (node, state) = (visit.node, visit.node.state)
        steps.append(
          Explanation.Step(
            name: name, position: visit.position, value: value, space: node.space,
            light: state.light.rawValue, isPremultiplied: state.isPremultiplied))
      }
      if let program = try visit.node.program(options), let input = visit.inputs.first {
        for (stage, value) in Self.values(of: program, values[input]) { append(stage, value) }
      } else {
        append(PlanText.name(of: visit.node), value)
      }
    }
    return steps
  }

  /// A pixel after each stage of a program.
  static func values(
    of program: PointProgram, _ pixel: SIMD4<Double>
  ) -> [(stage: String, value: SIMD4<Double>)] {
    var color = SIMD3(pixel.x, pixel.y, pixel.z)
    return program.stages.map { stage in
      color = PointProgram([stage])(color, alpha: pixel.w)
      return ("\(stage)", SIMD4(color, pixel.w))
    }
  }
}

extension Node {
  /// What the node does to each pixel by itself; nil for every other kind of node.
  func program(_ options: RenderOptions) throws(RenderError) -> PointProgram? {
    switch kind {
    case .point(_, let program): program
    case .measured(_, let measured): try measured.program(options)
    default: nil
    }
  }
}
