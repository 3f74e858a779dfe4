internal import ColorSpaces
internal import ImageBuffer

/// A formula of the pixels of two pictures, with its operations for the kernels, which are made at the first tile.
final class PairProgram<Definition: Hashable & Sendable>: Hashable, Sendable {
  /// What the operations follow from.
  let definition: Definition
  private let lowered: Deferred<LoweredProgram>

  /// Creates a program that computes `code`, whose planes 0 to 3 are the first picture and planes 4 to 7 the second one.
  init(_ definition: Definition, code: @escaping @Sendable () -> FormulaCode) {
    self.definition = definition
    lowered = Deferred { LoweredProgram(ofTwo: code()) }
  }

  /// Computes a tile row by row. Where the result has alpha, it is that of the first input.
  func render(into output: Tile, from inputs: [Tile]) {
    let (lowered, left) = (lowered.value, output.region.x)
    for y in output.region.rows {
      lowered.run(
        inputs[0].surface(y, from: left), besides: inputs[1].surface(y, from: left),
        output.surface(y, from: left), count: output.region.width)
    }
  }

  static func == (a: PairProgram, b: PairProgram) -> Bool { a.definition == b.definition }

  func hash(into hasher: inout Hasher) { hasher.combine(definition) }
}
