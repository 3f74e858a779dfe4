internal import ColorSpaces

/// The operation that made a picture, as the caller requested it; recipes are written from these.
///
/// Nodes say what is computed, including conversions and sizes that depend on the pictures at hand; recorded steps say
/// what was requested. A step with several consumers is one object.
final class RecordedStep: Sendable {
  enum Act: Sendable {
    case source(Node)
    /// A filter, which holds no picture.
    case filter(any Sendable)
    /// Stages of a closure that depend on a measurement: their name in plans, because the closure cannot be written.
    case measured(String)
  }

  let act: Act
  // Mutated only by `deinit`, when no other reference exists.
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
  /// Returns this picture, recorded as the result of `filter` on `inputs`.
  @_semantics("optimize.sil.specialize.generic.never")
  package func recorded(_ filter: some Sendable, of inputs: [Picture]) -> Picture {
    recorded(as: .filter(filter), of: inputs)
  }

  /// Returns this picture, recorded as the result of `act` on `inputs`.
  func recorded(as act: RecordedStep.Act, of inputs: [Picture]) -> Picture {
    Picture(
      node, origin: origin, failure: failure, step: RecordedStep(act, of: inputs.map(\.step)))
  }
}
