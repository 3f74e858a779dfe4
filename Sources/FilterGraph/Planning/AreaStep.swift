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
  /// How many floats ``stream`` asks for where its input is computed in bands; nil for a filter that needs all of its input at once.
  let bandScratchCount: (@Sendable (_ output: Region, _ planes: Int) -> Int)?
  /// Whether rows enter a ring, so that each row of a tile is read once.
  let readsRowsOnce: Bool
  /// The largest sum of absolute weights, and how many values are summed; nil for filters that do not only sum. Makes the
  /// weights where they are not there yet.
  let weights: Weights?

  typealias Weights = @Sendable () -> (gain: Double, count: Int)
  typealias Stream =
    @Sendable (
      _ output: Region, _ input: PixelRows, _ target: PixelRowTarget, _ memory: Arena
    ) -> Void

  /// Creates the step. The filter prepares itself once, when the first tile is rendered or the weights are asked for, so
  /// that planning neither computes nor allocates what a memory limit may refuse.
  init<Filter: AreaFilter>(_ filter: Filter, input: PixelSize) {
    if let block = filter as? any BlockFilter, block.readsBlocks(of: input) {
      self = Self.blocks(of: block, for: input)
    } else if let separable = filter as? any SeparableFilter {
      self = Self.passes(of: separable, for: input)
    } else {
      self.init(
        filter, ComputedOnce { filter.prepare(for: input) }, input: input,
        scratchCount: { filter.scratchCount(for: $0, from: $1[0], planes: $2) })
    }
  }

  private init<Filter: AreaFilter>(
    _ filter: Filter, _ preparation: ComputedOnce<Filter.Preparation>, input: PixelSize,
    stream: Stream? = nil, readsRowsOnce: Bool = false,
    weights: Weights? = nil,
    bandScratchCount: (@Sendable (Region, Int) -> Int)? = nil,
    scratchCount: @escaping @Sendable (Region, [Region], Int) -> Int
  ) {
    self.filter = filter
    inputRegion = { filter.inputRegion(for: $1, of: input) }
    preparationBytes = max(filter.preparationByteCount(for: input), 0)
    render = { filter.render(into: $0, from: $1[0], with: preparation.value) }
    (self.stream, self.readsRowsOnce, self.weights) = (stream, readsRowsOnce, weights)
    self.bandScratchCount = bandScratchCount
    self.scratchCount = scratchCount
  }

  private static func blocks(of filter: some BlockFilter, for input: PixelSize) -> AreaStep {
    let preparation = ComputedOnce { filter.prepare(for: input) }
    return AreaStep(
      filter, preparation, input: input,
      stream: {
        filter.renderBlocks(
          $0, of: input, from: $1, into: $2, memory: $3, with: preparation.value)
      },
      scratchCount: { filter.blockScratchCount(for: $0, of: input, planes: $2) })
  }

  private static func passes(of filter: some SeparableFilter, for input: PixelSize) -> AreaStep {
    let preparation = ComputedOnce { filter.prepare(for: input) }
    let shapes = filter.passShapes(for: input)
    let sum = ComputedOnce {
      filter.passes(of: preparation.value).reduce((gain: 1.0, count: 0)) { sum, pass in
        (
          sum.gain * pass.columns.largestSum * pass.rows.largestSum,
          sum.count + pass.columns.shape.taps + pass.rows.shape.taps
        )
      }
    }
    let readsRows = filter.readsRows
    let stream: Stream = {
      filter.render($0, from: $1, into: $2, memory: $3, with: preparation.value)
    }
    let weights: Weights = { sum.value }
    // A single pass that adds rows to lines reads them from top to bottom and keeps none.
    let readsBands =
      readsRows && shapes.count == 1 && shapes[0].addsRows && filter.sharpening == nil
    let bandScratchCount = { @Sendable (output: Region, planes: Int) in
      SeparablePass.bandScratchCount(shapes[0], for: output.size, planes: planes)
    }
    return AreaStep(
      filter, preparation, input: input, stream: readsRows ? stream : nil,
      readsRowsOnce: readsRows,
      weights: readsRows && filter.sharpening == nil ? weights : nil,
      bandScratchCount: readsBands ? bandScratchCount : nil,
      scratchCount: { output, inputs, planes in
        filter.scratchCount(shapes, for: output, inputHeight: input.height, planes: planes)
          + filter.tileScratchCount(from: inputs[0])
      })
  }

  /// Creates the step of a filter of several inputs, all of the same size.
  init<Filter: AreaBlendFilter>(_ filter: Filter, inputs size: PixelSize) {
    self.filter = filter
    stream = nil
    bandScratchCount = nil
    readsRowsOnce = false
    weights = nil
    scratchCount = { filter.scratchCount(for: $0, from: $1, planes: $2) }
    inputRegion = { filter.inputRegion($0, for: $1, of: size) }
    preparationBytes = max(filter.preparationByteCount(for: size), 0)
    let preparation = ComputedOnce { filter.prepare(for: size) }
    render = { filter.render(into: $0, from: $1, with: preparation.value) }
  }
}

/// A value that the first thread to ask for it computes; the others wait for it, so that the bytes of a preparation are allocated once.
///
/// `Deferred` makes nobody wait, and may compute a value on several threads at once.
private final class ComputedOnce<Value: Sendable>: Sendable {
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
