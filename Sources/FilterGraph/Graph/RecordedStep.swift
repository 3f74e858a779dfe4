internal import ColorSpaces

/// How a picture came to be, in the words of whoever made it: what recipes are written from.
///
/// Nodes say what is computed, with conversions and sizes that depend on the pictures at hand; steps say what was asked for. A step
/// that several pictures were made from is one object.
final class RecordedStep: Sendable {
  enum Act: Sendable {
    case source(Node)
    case filter(any Sendable)
  }

  let act: Act
  // Changes only when nobody else has the step any more.
  nonisolated(unsafe) private(set) var inputs: [RecordedStep]

  init(_ act: Act, of inputs: [RecordedStep] = []) { (self.act, self.inputs) = (act, inputs) }

  deinit { endChain() }
}

extension RecordedStep: Chained {
  func takeInputs() -> [RecordedStep] {
    defer { inputs = [] }
    return inputs
  }
}

extension Picture {
  /// This picture, known as what `filter` made of `inputs`.
  func recorded(_ filter: some Sendable, of inputs: [Picture]) -> Picture {
    Picture(
      node, origin: origin, failure: failure,
      step: RecordedStep(.filter(filter), of: inputs.map(\.step)))
  }
}
