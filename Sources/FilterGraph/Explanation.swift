public import ColorSpaces
public import ImageBuffer

/// What becomes of one pixel, step by step, from the sources to the stored numbers.
public struct Explanation: Sendable {
  /// One step, and the pixel after it.
  public struct Step: Sendable {
    /// What the step does, as plans say it.
    public let name: String
    /// Where the pixel lies after the step, counted in the step's own picture from its upper left corner.
    public let position: Offset
    /// Red, green, blue and alpha after it.
    public let value: SIMD4<Double>
    /// The space whose lights the numbers are.
    public let space: ColorSpace
    /// What the numbers are: linear, encoded, or the perceptual square root.
    public let light: String
    /// Whether color is multiplied by coverage.
    public let isPremultiplied: Bool

    /// Whether a color is negative: outside of the space, or about to be clipped by samples that are whole numbers.
    public var isBelowRange: Bool { value.x < 0 || value.y < 0 || value.z < 0 }
    /// Whether a color is above 1: brighter than white, or about to be clipped.
    public var isAboveRange: Bool { value.x > 1 || value.y > 1 || value.z > 1 }
  }

  /// The steps, each after all that it reads.
  public let steps: [Step]
}

extension Explanation: CustomStringConvertible {
  /// A line for each step.
  public var description: String { steps.map(\.description).joined(separator: "\n") }
}

extension Explanation.Step: CustomStringConvertible {
  /// The pixel, what it is, and what the step did.
  public var description: String {
    let numbers = (0..<4).map { channel in
      let rounded = (value[channel] * 100_000).rounded() / 100_000
      return "\(rounded)"
    }
    return
      "(\(numbers.joined(separator: ", "))) \(light)\(isPremultiplied ? ", premultiplied" : "")"
      + " \(space)\(isBelowRange ? ", below 0" : "")\(isAboveRange ? ", above 1" : "")"
      + " at (\(position.x), \(position.y)): \(name)"
  }
}

extension Picture {
  /// What becomes of the pixel at column `x` and row `y`, as it would be stored.
  ///
  /// Only what this pixel needs is computed. Where a filter mixes neighbours, the pixel in their middle is followed.
  public func explain(
    x: Int, y: Int, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Explanation {
    let stored = storedForm
    if let failure = stored.failure { throw .recipe(failure) }
    guard region.contains(Region(x: x, y: y, width: 1, height: 1)) else {
      throw .recipe(.outside(x: x, y: y, of: "\(region)"))
    }
    var tracer = PixelTracer(options: options)
    try tracer.follow(stored.node, Offset(x, y) - origin)
    return Explanation(steps: tracer.steps)
  }
}

private struct PixelTracer {
  let options: RenderOptions
  var steps: [Explanation.Step] = []
  private var known: Set<ObjectIdentifier> = []

  init(options: RenderOptions) { self.options = options }

  /// Adds the steps to a node's pixel, those before it first.
  mutating func follow(_ node: Node, _ position: Offset) throws(RenderError) {
    guard known.insert(ObjectIdentifier(node)).inserted else { return }
    switch node.kind {
    case .source, .rows, .painted: break
    case .point(let input, let program): return try follow(program, of: input, node, position)
    case .measured(let input, let measured):
      return try follow(try measured.program(options), of: input, node, position)
    case .area(let input, let filter):
      let seen = filter.inputRegion(
        for: Region(x: position.x, y: position.y, width: 1, height: 1), of: input.region.size
      ).intersection(input.region)
      try follow(input, Offset(seen.x + seen.width / 2, seen.y + seen.height / 2))
    case .window(let input, let window):
      let seen = position + window.offset
      let edges = window.edges ?? .repeated
      if input.region == .everywhere {
        try follow(input, seen)
      } else if let x = edges.position(seen.x, in: input.region.width),
        let y = edges.position(seen.y, in: input.region.height)
      {
        try follow(input, Offset(x, y))
      }
    case .blend(let inputs, _):
      for input in inputs { try follow(input, position) }
    }
    append(PlanText.name(of: node), node, position, try node.pixel(at: position, options))
  }

  /// Adds the stages of a program one by one.
  private mutating func follow(
    _ program: PointProgram, of input: Node, _ node: Node, _ position: Offset
  ) throws(RenderError) {
    try follow(input, position)
    let pixel = try input.pixel(at: position, options)
    var color = SIMD3(pixel.x, pixel.y, pixel.z)
    for stage in program.stages {
      color = PointProgram([stage])(color, alpha: pixel.w)
      append("\(stage)", node, position, SIMD4(color, pixel.w))
    }
  }

  private mutating func append(
    _ name: String, _ node: Node, _ position: Offset, _ value: SIMD4<Double>
  ) {
    steps.append(
      Explanation.Step(
        name: name, position: position, value: value, space: node.space,
        light: node.state.light.rawValue, isPremultiplied: node.state.isPremultiplied))
  }
}

extension Node {
  /// One pixel of what the node computes.
  fileprivate func pixel(
    at position: Offset, _ options: RenderOptions
  ) throws(RenderError) -> SIMD4<Double> {
    let part = Node(
      .window(self, Window(offset: position, edges: nil)), region: Region(PixelSize(1, 1)),
      hasAlpha: hasAlpha, in: space, state)
    let plan = try Plan([Picture(part)], options: options)
    var bitmap = Bitmap<Float>(
      PixelSize(1, 1), in: space, channels: hasAlpha ? .rgba : .rgb)
    try TiledEvaluator(plan, sizes: [bitmap.size], resultBytes: 0, options: options)
      .render(into: [bitmap.uniqueSurface()])
    let samples = bitmap.row(0).map(Double.init)
    return SIMD4(samples[0], samples[1], samples[2], hasAlpha ? samples[3] : 1)
  }
}
