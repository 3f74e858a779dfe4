internal import ImageBuffer

/// One step of a plan.
struct Step: Sendable {
  enum Work: Sendable {
    /// Reads a bitmap from an offset on.
    case source(AnyBitmap, Offset)
    case rows(any RowSource)
    case painted(any Painter)
    case point(LoweredProgram)
    case area(AreaStep)
    case window(Window)
    case blend(any BlendFilter)
    case cached(CacheGrid)
  }

  private(set) var work: Work
  /// The indices of the steps that it reads.
  private(set) var inputs: [Int]
  /// The node whose pixels it computes.
  let node: Node
  /// The pixels it could compute.
  let region: Region
  /// Three, or four with alpha.
  let planeCount: Int
  /// The sample format that its values are rounded to.
  let storage: SampleFormat?
  /// What the values mean after each stage of its program; empty for other work.
  let forms: [PixelForm]
  /// Notes in plans, each with the number of stages of its program before it.
  private(set) var notes: [(position: Int, note: StepNote)]
  /// How many steps and results read it.
  var readers = 0
  /// Whether a source must be in a tile, because somebody reads more of it than a row.
  var isLoaded = false
  /// Whether an area step reads its rows in order, as they are stored.
  var isSeenInRows = false
  /// Whether nothing is kept of it: its one reader has its rows computed when they are needed.
  var isStreamed = false
  /// Whether it is a program whose result nobody reads but the bitmap it is stored in.
  var isStoredAtOnce = false
  /// For sources of inks what makes colors of them, and for the programs that read such a source row by row the same with the program's own
  /// stages; nil for other steps.
  var inkProgram: LoweredProgram?
  /// Which of a worker's memories it computes into; one that its input has where it may work in place.
  var slot = 0
  var isInPlace = false

  init(
    _ work: Work, inputs: [Int], of node: Node, storedAs storage: SampleFormat? = nil,
    forms: [PixelForm] = [], notes: [(position: Int, note: StepNote)] = []
  ) {
    (self.work, self.inputs, self.node, self.storage) = (work, inputs, node, storage)
    (region, planeCount) = (node.region, node.planeCount)
    (self.forms, self.notes) = (forms, notes)
  }

  /// Adds notes after all that the step does, unless the step has the same ones in a row already.
  mutating func append(_ added: [StepNote]) {
    if added.isEmpty { return }
    let (known, texts) = (notes.map(\.note.description), added.map(\.description))
    if known.contains(texts) { return }
    notes += added.map { (.max, $0) }
  }

  /// Forgets who reads it, for another plan.
  mutating func forgetReaders() {
    (readers, slot) = (0, 0)
    (isLoaded, isStoredAtOnce, isInPlace) = (false, false, false)
    (isSeenInRows, isStreamed) = (false, false)
    inkProgram = nil
  }

  /// Returns this step with other steps as its inputs, which compute the same.
  func reading(_ inputs: [Int]) -> Step {
    var step = self
    step.inputs = inputs
    return step
  }

  /// States which caches its pixels are made of as half floats, and whether it is one of them. For steps of caches.
  mutating func store(asHalf isHalf: Bool, after earlier: Set<ObjectIdentifier>) -> Set<
    ObjectIdentifier
  > {
    guard case .cached(var grid) = work else { return earlier }
    defer { work = .cached(grid) }
    return grid.store(asHalf: isHalf, after: earlier)
  }

  /// The color space and the encoding of its values.
  var form: PixelForm { PixelForm(node.space, node.state) }

  /// Whether it needs its inputs as tiles; what changes each pixel by itself reads rows.
  var readsTiles: Bool {
    switch work {
    case .area, .window, .blend: true
    case .source, .rows, .painted, .point, .cached: false
    }
  }

  /// Whether it is an area filter that reads each row of a tile once.
  var readsRowsOnce: Bool { if case .area(let area) = work { area.readsRowsOnce } else { false } }

  /// The area filter that reads and writes rows in any form.
  var stream: AreaStep.Stream? { if case .area(let area) = work { area.stream } else { nil } }

  /// The blocks that a cache keeps of it.
  var cacheGrid: CacheGrid? { if case .cached(let grid) = work { grid } else { nil } }

  /// Returns the part of an input that is needed for `output`.
  ///
  /// - Parameters:
  ///   - output: The region to compute.
  ///   - position: The position of the input among the step's inputs.
  ///   - input: All pixels of the input.
  func inputRegion(for output: Region, ofInput position: Int, in input: Region) -> Region {
    switch work {
    case .source, .rows, .painted, .point, .blend: return output
    case .cached(let grid): return grid.cover(output)
    case .area(let area): return area.inputRegion(position, output).clamped(to: input)
    case .window(let window):
      let seen = output.moved(by: window.offset)
      guard let edges = window.edges else { return seen }
      return Region(
        columns: edges.positions(seen.columns, in: input.width),
        rows: edges.positions(seen.rows, in: input.height))
    }
  }

  /// The pixel of an input that one of its own is made of; of several the one in the middle, nil where there is none.
  func position(of pixel: Offset, inInput position: Int, of input: Region) -> Offset? {
    switch work {
    case .window(let window): return window.position(of: pixel, in: input)
    case .area(let area):
      let seen = area.inputRegion(position, Region(pixel: pixel))
      if seen.isEmpty || input.isEmpty { return nil }
      // A neighborhood may reach farther to one side, and its middle may lie outside of the picture.
      if region == input, seen.contains(Region(pixel: pixel)) { return pixel }
      return Region(pixel: seen.middle).clamped(to: input).origin
    case .source, .rows, .painted, .point, .blend, .cached: return pixel
    }
  }
}
