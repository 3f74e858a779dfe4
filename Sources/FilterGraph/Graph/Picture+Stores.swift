internal import ImageBuffer

extension Picture {
  /// The same picture, whose `store` steps keep floats instead of rounding them to codes or halves. Comparisons of two evaluations of one
  /// picture need it: a tiny difference before a rounding may become a whole code after it.
  package var keepingFloats: Picture {
    var made: [ObjectIdentifier: Node] = [:]
    visitUpwards(to: node, isVisited: { made[ObjectIdentifier($0)] != nil }, inputs: \.inputs) {
      node in
      let inputs = node.inputs.map { made[ObjectIdentifier($0)] ?? $0 }
      let isSame = zip(inputs, node.inputs).allSatisfy { $0 === $1 }
      made[ObjectIdentifier(node)] =
        switch node.kind {
        case .stored: node.with(.stored(inputs[0], .float32), node.region)
        default: isSame ? node : node.replacing(inputs: inputs) ?? node
        }
    }
    return Picture(made[ObjectIdentifier(node)] ?? node, origin: origin, failure: failure)
  }
}
