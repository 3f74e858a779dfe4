internal import ColorSpaces
package import ImageBuffer

/// The slow evaluator that everything faster is tested against: the whole picture, step by step, in double precision, without
/// any law, tile or kernel.
package struct ReferenceEvaluator {
  /// A picture's pixels: red, green, blue, alpha.
  package struct Pixels {
    package let size: PixelSize
    package var values: [SIMD4<Double>]

    package subscript(x: Int, y: Int) -> SIMD4<Double> { values[y * size.width + x] }

    fileprivate func map(_ change: (SIMD4<Double>) -> SIMD4<Double>) -> Pixels {
      Pixels(size: size, values: values.map(change))
    }
  }

  package init() {}

  /// The picture as it would be stored: encoded in its space, alpha straight.
  package func render(_ picture: Picture) throws(RenderError) -> Pixels {
    let stored = picture.storedForm
    if let failure = stored.failure { throw .recipe(failure) }
    return try evaluate(stored.node.resolved(RenderOptions()))
  }

  private func evaluate(_ node: Node) throws(RenderError) -> Pixels {
    switch node {
    case .source(let bitmap): return load(bitmap)
    case .point(let input, let program):
      return try evaluate(input).map { pixel in
        let color = program(SIMD3(pixel.x, pixel.y, pixel.z), alpha: pixel.w)
        return SIMD4(color, pixel.w)
      }
    case .area(let input, let filter, _, let output):
      return filtered(try evaluate(input), filter, output)
    case .measured: preconditionFailure("Measurements are resolved before evaluation.")
    }
  }

  private func filtered(
    _ input: Pixels, _ filter: some AreaFilter, _ output: PixelSize
  ) -> Pixels {
    var values: [SIMD4<Double>] = []
    for y in 0..<output.height {
      for x in 0..<output.width {
        values.append(
          filter.pixel(x: x, y: y, of: input.size) { x, y in
            input[min(max(x, 0), input.size.width - 1), min(max(y, 0), input.size.height - 1)]
          })
      }
    }
    return Pixels(size: output, values: values)
  }

  private func load(_ bitmap: AnyBitmap) -> Pixels {
    let planes = bitmap.channels.planeOfChannel
    var values: [SIMD4<Double>] = []
    for y in 0..<bitmap.size.height {
      for x in 0..<bitmap.size.width {
        func sample(_ channel: Int) -> Double { bitmap.value(x, y, channel) }
        values.append(
          SIMD4(
            sample(planes.red), sample(planes.green), sample(planes.blue),
            planes.alpha.map(sample) ?? 1))
      }
    }
    return Pixels(size: bitmap.size, values: values)
  }
}

extension AnyBitmap {
  /// One sample as a number: 1 for the largest of whole numbers.
  fileprivate func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
    switch self {
    case .uint8(let bitmap): return Double(bitmap[x, y, channel]) / 255
    case .uint16(let bitmap): return Double(bitmap[x, y, channel]) / 65535
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      case .float16(let bitmap): return Double(bitmap[x, y, channel])
    #endif
    case .float32(let bitmap): return Double(bitmap[x, y, channel])
    @unknown default: preconditionFailure("There is no reference for \(format) samples.")
    }
  }
}
