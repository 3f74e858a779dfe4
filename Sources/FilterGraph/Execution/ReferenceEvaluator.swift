internal import ColorSpaces
package import ImageBuffer

/// The slow evaluator that everything faster is tested against: the whole picture, step by step, in double precision, without
/// any law, tile or kernel.
package struct ReferenceEvaluator {
  /// A picture's pixels: red, green, blue, alpha.
  package struct Pixels {
    fileprivate let region: Region
    private let values: [SIMD4<Double>]

    package subscript(x: Int, y: Int) -> SIMD4<Double> {
      values[(y - region.y) * region.width + x - region.x]
    }

    fileprivate init(_ region: Region, _ pixel: (Int, Int) -> SIMD4<Double>) {
      self.region = region
      values = region.rows.flatMap { y in region.columns.map { x in pixel(x, y) } }
    }
  }

  package init() {}

  /// The picture as it would be stored: encoded in its space, alpha straight.
  package func render(_ picture: Picture) throws(RenderError) -> Pixels {
    let stored = picture.storedForm
    if let failure = stored.failure { throw .recipe(failure) }
    if stored.isEndless { throw .recipe(stored.node.endlessness) }
    return try evaluate(stored.node, stored.node.region)
  }

  /// The numbers of one pixel, as they are, counted from the picture's upper left corner.
  package func numbers(of picture: Picture, at place: Offset) throws(RenderError) -> SIMD4<Double> {
    let region = Region(x: place.x, y: place.y, width: 1, height: 1)
    return try evaluate(picture.node, region)[place.x, place.y]
  }

  /// All pixels of a node, or those in `region` of one with infinite extent.
  private func evaluate(_ node: Node, _ region: Region) throws(RenderError) -> Pixels {
    let region = node.region == .everywhere ? region : node.region
    switch node.kind {
    case .source(let bitmap): return load(bitmap)
    case .rows(let source):
      do {
        let stored = load(try source.bitmap())
        return source.inkProgram.map { stored.applying($0).opaque } ?? stored
      } catch {
        throw .source(SourceError(error))
      }
    case .painted(let painter): return Pixels(region) { painter.pixel(x: $0, y: $1) }
    case .point(let input, let program): return try evaluate(input, region).applying(program)
    case .tagged(let input), .cached(let input, _): return try evaluate(input, region)
    case .stored(let input, let format):
      let pixels = try evaluate(input, region)
      return Pixels(region) { format.stored(pixels[$0, $1]) }
    case .measured(let input, let measured):
      return try evaluate(input, region).applying(measured.program(RenderOptions()))
    case .area(let input, let filter):
      let seen = filter.inputRegion(for: region, of: input.region.size)
      let pixels = try evaluate(input, seen)
      return Pixels(region) { x, y in
        filter.pixel(x: x, y: y, of: input.region.size) {
          pixels[nearest: ($0, $1), in: input.region]
        }
      }
    case .areaBlend(let inputs, let filter):
      return try blend(inputs, by: filter, into: node, region)
    case .window(let input, let window): return try show(input, through: window, region)
    case .blend(let inputs, let filter): return try blend(inputs, by: filter, into: node, region)
    }
  }

  private func blend(
    _ inputs: [Node], by filter: any AreaBlendFilter, into node: Node, _ region: Region
  ) throws(RenderError) -> Pixels {
    let size = node.region.size
    var pixels: [Pixels] = []
    for (index, input) in inputs.enumerated() {
      pixels.append(try evaluate(input, filter.inputRegion(index, for: region, of: size)))
    }
    let blended = Pixels(region) { x, y in
      filter.pixel(x: x, y: y, of: size) { input, x, y in
        pixels[input][nearest: (x, y), in: inputs[input].region]
      }
    }
    return node.hasAlpha ? blended : blended.opaque
  }

  private func blend(
    _ inputs: [Node], by filter: any BlendFilter, into node: Node, _ region: Region
  ) throws(RenderError) -> Pixels {
    var pixels: [Pixels] = []
    for input in inputs { pixels.append(try evaluate(input, region)) }
    let blended = Pixels(region) { x, y in filter.pixel(pixels.map { $0[x, y] }) }
    return node.hasAlpha ? blended : blended.opaque
  }

  private func show(
    _ input: Node, through window: Window, _ region: Region
  ) throws(RenderError) -> Pixels {
    let pixels = try evaluate(input, region.moved(by: window.offset))
    guard let edges = window.edges else {
      return Pixels(region) { pixels[$0 + window.offset.x, $1 + window.offset.y] }
    }
    return Pixels(region) { x, y in
      guard let x = edges.position(x + window.offset.x, in: input.region.width),
        let y = edges.position(y + window.offset.y, in: input.region.height)
      else { return .zero }
      return pixels[x, y]
    }
  }

  private func load(_ bitmap: AnyBitmap) -> Pixels {
    guard let planes = bitmap.channels.colorPlanes ?? bitmap.channels.inkPlanes else {
      preconditionFailure("A bitmap of \(bitmap.channels) was taken for a picture.")
    }
    return Pixels(Region(bitmap.size)) { x, y in
      func sample(_ channel: Int) -> Double { bitmap.value(x, y, channel) }
      return SIMD4(
        sample(planes.red), sample(planes.green), sample(planes.blue),
        planes.alpha.map(sample) ?? 1)
    }
  }
}

extension ReferenceEvaluator.Pixels {
  /// The same colors without transparency.
  fileprivate var opaque: Self {
    Self(region) { x, y in
      var pixel = self[x, y]
      pixel.w = 1
      return pixel
    }
  }

  /// The pixel of a picture's `region` that is nearest to a position.
  fileprivate subscript(nearest position: (x: Int, y: Int), in region: Region) -> SIMD4<Double> {
    let inside = region.nearest(position.x, position.y)
    return self[inside.x, inside.y]
  }

  fileprivate func applying(_ program: PointProgram) -> Self {
    Self(region) { x, y in
      let pixel = self[x, y]
      let color = SIMD3(pixel.x, pixel.y, pixel.z)
      return SIMD4(program(color, alpha: pixel.w, x: x, y: y), pixel.w)
    }
  }
}

extension AnyBitmap {
  /// One sample as a number: 1 for the largest of whole numbers.
  fileprivate func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    switch self {
    case .uint8(let bitmap): return Double(bitmap[x, y, channel]) / 255
    case .uint16(let bitmap): return Double(bitmap[x, y, channel]) / 65535
    case .float16(let bitmap): return Double(Float(bitmap[x, y, channel]))
    case .float32(let bitmap): return Double(bitmap[x, y, channel])
    @unknown default: preconditionFailure("There is no reference for \(format) samples.")
    }
  }
}
