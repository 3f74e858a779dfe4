internal import ImageBuffer

extension Plan {
  /// Returns a plan with a copy of a step for each place where its readers need it; nil where no step is needed at places
  /// far apart.
  ///
  /// A step is computed for the bounding box of all that its readers need of it for a tile. For a picture blended with its
  /// own half-turn, that is most of the picture, in one tile. Copies need a small region each, and compute the same pixels.
  /// Each pixel is computed by several copies, though. ``TiledEvaluator`` therefore uses such a plan only where the original
  /// one exceeds the memory limit, or runs on fewer threads than the options allow.
  ///
  /// - Parameters:
  ///   - sizes: The sizes of the results.
  ///   - tile: The tile that the options ask for, if any.
  func copyingStepsReadFarApart(_ sizes: [PixelSize], tile: PixelSize?) -> Plan? {
    let copies = StepCopies(of: self, TileGrid(tile: tile ?? Self.firstTile, sizes: sizes))
    return copies.isNeeded ? copies.plan : nil
  }
}

/// The copies of a plan's steps: one for each place where readers need a step, for some tiles of a grid.
private struct StepCopies {
  /// The most copies of a step; a step that would need more keeps one for all its readers.
  ///
  /// Each step of a chain that is read at two places by the next one doubles the places. This bounds the steps of the plan, and
  /// how often a pixel is computed, to so many times those of the original plan, and the time to find copies, too.
  private static let limit = 8

  private enum Reader {
    case result(Int)
    case copy(Int, of: Int, input: Int)
  }

  /// What a reader needs for each of the tiles.
  private struct Request {
    let reader: Reader
    let regions: [Region]
  }

  private struct Copy {
    /// The bounding boxes of what its readers need, for each of the tiles.
    private(set) var regions: [Region]
    /// The sum of the pixels that each of its readers needs, for each of the tiles. What several readers need counts for each.
    private var loads: [Double]
    /// For each input of the step, the copy that is read.
    var inputs: [Int]

    init(of step: Step, for regions: [Region]) {
      self.regions = regions
      loads = regions.map(\.size.load)
      inputs = step.inputs.map { _ in 0 }
    }

    /// Whether the bounding box has at most twice as many pixels as the readers need, added up, for each of the tiles.
    func isNear(_ added: [Region]) -> Bool {
      regions.indices.allSatisfy {
        regions[$0].union(added[$0]).size.load <= 2 * (loads[$0] + added[$0].size.load)
      }
    }

    mutating func add(_ added: [Region]) {
      for index in regions.indices {
        regions[index] = regions[index].union(added[index])
        loads[index] += added[index].size.load
      }
    }
  }

  private let original: Plan
  /// The copies of each step.
  private var copies: [[Copy]]
  /// The copy that each result is.
  private var results: [Int]
  /// What is needed of each step; complete when all steps after it have their copies.
  private var requests: [[Request]]

  init(of plan: Plan, _ grid: TileGrid) {
    original = plan
    copies = plan.steps.map { _ in [] }
    results = plan.results.map { _ in 0 }
    requests = plan.steps.map { _ in [] }
    let tiles = grid.samples
    for (result, step) in plan.results.enumerated() {
      requests[step].append(
        Request(
          reader: .result(result), regions: tiles.map { grid.region(of: $0, result: result) }))
    }
    for index in plan.steps.indices.reversed() {
      copy(index)
      askInputs(of: index)
      requests[index] = []
    }
  }

  /// Whether any step has more than one copy.
  var isNeeded: Bool { copies.contains { $0.count > 1 } }

  /// Makes the copies of a step, each for readers that need regions near each other.
  private mutating func copy(_ index: Int) {
    let step = original.steps[index]
    let requests = requests[index]
    var made: [Copy] = []
    for request in requests where made.count <= Self.limit {
      let near = made.firstIndex { step.isKeptOnce || $0.isNear(request.regions) }
      if let near { made[near].add(request.regions) }
      let place = near ?? made.count
      if near == nil { made.append(Copy(of: step, for: request.regions)) }
      note(place, readBy: request.reader)
    }
    if made.count > Self.limit {
      made = [Copy(of: step, for: requests[0].regions)]
      for request in requests.dropFirst() { made[0].add(request.regions) }
      for request in requests { note(0, readBy: request.reader) }
    }
    copies[index] = made
  }

  /// Notes which copy of its input a reader reads.
  private mutating func note(_ place: Int, readBy reader: Reader) {
    switch reader {
    case .result(let result): results[result] = place
    case .copy(let copy, let step, let input): copies[step][copy].inputs[input] = place
    }
  }

  /// Notes what each copy of a step needs of the step's inputs.
  private mutating func askInputs(of index: Int) {
    let step = original.steps[index]
    for (place, copy) in copies[index].enumerated() {
      for (position, input) in step.inputs.enumerated() {
        let bounds = original.steps[input].region
        let regions = copy.regions.map {
          $0.isEmpty ? $0 : step.inputRegion(for: $0, ofInput: position, in: bounds)
        }
        requests[input].append(
          Request(reader: .copy(place, of: index, input: position), regions: regions))
      }
    }
  }

  /// The plan of these copies, in the order of the original steps.
  var plan: Plan {
    var steps: [Step] = []
    var places: [[Int]] = []
    for (step, copies) in zip(original.steps, copies) {
      let first = steps.count
      if case .rows = step.work, copies.count > 1 {
        // Rows are read in order, once: the copies are of tiles of them.
        steps.append(step)
        steps += copies.map { _ in
          Step(.point(.nothing), inputs: [first], of: step.node, notes: [(0, .loaded)])
        }
        places.append(Array(first + 1..<steps.count))
      } else {
        steps += copies.map { copy in
          step.reading(zip(step.inputs, copy.inputs).map { places[$0][$1] })
        }
        places.append(Array(first..<steps.count))
      }
    }
    return Plan(
      original, copiedAs: steps, results: zip(original.results, results).map { places[$0][$1] },
      halves: original.halves?.renumbered { places[$0][0] })
  }
}

extension Step {
  /// Whether a copy would have no use: a source that is read in place has no tile, and blocks of a cache are stored in a format that
  /// is chosen for each cache.
  fileprivate var isKeptOnce: Bool {
    switch work {
    case .source, .rows: !isLoaded
    case .cached: true
    case .painted, .point, .area, .window, .blend: false
    }
  }
}

extension TileGrid {
  /// Up to 5 × 5 tiles, in equal distances from corner to corner.
  var samples: [Int] {
    func places(_ count: Int) -> [Int] { Set((0...4).map { (count - 1) * $0 / 4 }).sorted() }
    return places(rows).flatMap { row in places(columns).map { row * columns + $0 } }
  }
}
