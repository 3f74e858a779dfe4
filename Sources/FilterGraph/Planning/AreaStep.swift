internal import ImageBuffer
internal import Synchronization

/// A filter of one or several inputs whose pixels depend on their neighbors, for one input size, with its type erased.
struct AreaStep: Sendable {
  let filter: any Sendable
  let inputRegion: @Sendable (_ input: Int, _ output: Region) -> Region
  let scratchCount: @Sendable (_ output: Region, _ inputs: [Region], _ planes: Int) -> Int
  /// The bytes that the preparation allocates.
  let preparationBytes: Int
  let render: @Sendable (_ output: Tile, _ inputs: [Tile]) -> Void
  /// Computes a region from rows in any form and sends its rows to a target; nil for a filter that only renders tiles.
  let stream: Stream?
  /// Whether rows enter a ring, so that each row of a tile is read once.
  let readsRowsOnce: Bool
  /// The largest sum of absolute weights, and how many values are summed; nil for filters that do not only sum. Makes the
  /// weights where they are not there yet.
  let weights: (@Sendable () -> (gain: Double, count: Int))?

  typealias Stream =
    @Sendable (
      _ output: Region, _ input: PixelRows, _ target: PixelRowTarget, _ memory: Arena
    ) -> Void

  /// Creates the step. The filter prepares itself when the first tile is rendered, so that planning neither computes nor
  /// allocates what a memory limit may refuse.
  init<Filter: AreaFilter>(_ filter: Filter, input: PixelSize) {
    self.filter = filter
    inputRegion = { filter.inputRegion(for: $1, of: input) }
    preparationBytes = filter.preparationByteCount(for: input)
    let preparation = Lazy { filter.prepare(for: input) }
    render = { filter.render(into: $0, from: $1[0], with: preparation.value) }
    if let block = filter as? any BlockFilter, block.readsBlocks(of: input) {
      scratchCount = { block.blockScratchCount(for: $0, of: input, planes: $2) }
      stream = Self.blocks(of: block, for: input)
      readsRowsOnce = false
      weights = nil
      return
    }
    guard let separable = filter as? any SeparableFilter else {
      scratchCount = { filter.scratchCount(for: $0, from: $1[0], planes: $2) }
      stream = nil
      readsRowsOnce = false
      weights = nil
      return
    }
    readsRowsOnce = separable.readsRows
    scratchCount = Self.scratchCount(of: separable, for: input)
    stream = separable.readsRows ? Self.stream(of: separable, for: input) : nil
    weights =
      separable.readsRows && separable.sharpening == nil
      ? Self.weights(of: separable, for: input) : nil
  }

  private static func scratchCount(
    of filter: some SeparableFilter, for input: PixelSize
  ) -> @Sendable (Region, [Region], Int) -> Int {
    let shapes = filter.passShapes(for: input)
    return { output, inputs, planes in
      filter.scratchCount(shapes, for: output, inputHeight: input.height, planes: planes)
        + filter.tileScratchCount(from: inputs[0])
    }
  }

  private static func stream(of filter: some SeparableFilter, for input: PixelSize) -> Stream {
    let preparation = Lazy { filter.prepare(for: input) }
    return { filter.render($0, from: $1, into: $2, memory: $3, with: preparation.value) }
  }

  private static func blocks(of filter: some BlockFilter, for input: PixelSize) -> Stream {
    let preparation = Lazy { filter.prepare(for: input) }
    return {
      filter.renderBlocks(
        $0, of: input, from: $1, into: $2, memory: $3, with: preparation.value)
    }
  }

  private static func weights(
    of filter: some SeparableFilter, for input: PixelSize
  ) -> @Sendable () -> (gain: Double, count: Int) {
    let sum = Lazy {
      filter.passes(of: filter.prepare(for: input)).reduce((gain: 1.0, count: 0)) { sum, pass in
        (
          sum.gain * pass.columns.largestSum * pass.rows.largestSum,
          sum.count + pass.columns.shape.taps + pass.rows.shape.taps
        )
      }
    }
    return { sum.value }
  }

  /// Creates the step of a filter of several inputs, all of the same size.
  init<Filter: AreaBlendFilter>(_ filter: Filter, inputs size: PixelSize) {
    self.filter = filter
    stream = nil
    readsRowsOnce = false
    weights = nil
    scratchCount = { filter.scratchCount(for: $0, from: $1, planes: $2) }
    inputRegion = { filter.inputRegion($0, for: $1, of: size) }
    preparationBytes = filter.preparationByteCount(for: size)
    let preparation = Lazy { filter.prepare(for: size) }
    render = { filter.render(into: $0, from: $1, with: preparation.value) }
  }
}

/// A value that the first thread to ask for it computes; the others wait for it.
private final class Lazy<Value: Sendable>: Sendable {
  private let computed = Mutex<Value?>(nil)
  private let compute: @Sendable () -> Value

  init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

  var value: Value {
    computed.withLock { computed in
      if let computed { return computed }
      let value = compute()
      computed = value
      return value
    }
  }
}
