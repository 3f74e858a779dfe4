internal import ImageBuffer

/// How a reduction computes its input: in bands of rows, from top to bottom, while its ring reads them.
///
/// A tile of a strong reduction, such as an icon, needs most of its input. Without bands all of that would wait as floats. With bands a
/// thread holds, for each step that the reduction reads, one band and the step's halo. A band has at most the largest of
/// - ``pixelCount`` pixels,
/// - 16 rows, and 1/1024 of the rows that the tile needs, so that planning visits few bands,
/// - twice the rows from which on computing its halo again costs no step more than a quarter of its work.
///
/// Where that is more than half of the rows, as behind a blur that reaches over the picture or behind a rotation, bands would save little,
/// and the input is computed at once.
///
/// ``PlanMemory`` chooses and measures bands before the first tile is computed. Bands change no pixel.
struct InputBands: Sendable {
  /// The step that is computed in bands: the reduction's input, or what a program reads that the ring runs over rows.
  let source: Int
  /// The rows of a band. Bands begin at multiples of it.
  let height: Int

  /// The pixels of a band where rows are neither long nor halos high: their floats stay in a processor's last cache.
  private static let pixelCount = 1 << 19
  /// Up to so many pixels the input of a tile is computed at once.
  private static let undividedCount = 1 << 21
  /// The most reductions of a plan that have bands, and that are examined for them. This bounds the time of planning.
  private static let (limit, examinedLimit) = (8, 64)

  /// The band with the row `y`, of a region that is needed.
  func band(with y: Int, of region: Region) -> Region {
    let first = y.dividedDown(by: height) * height
    return Region(
      columns: region.columns, rows: (first..<first + height).clamped(to: region.rows))
  }
}

extension InputBands {
  /// Chooses the reductions of a plan that compute their input in bands, by their step: those that need much of it for a tile of the grid.
  ///
  /// A step is computed again for each reduction that has it computed in bands. Therefore steps that others read, too, are computed in
  /// bands only where `sharing` allows it.
  ///
  /// Complexity: linear in the number of steps, times a constant number of tiles and bands.
  static func chosen(for plan: Plan, _ grid: TileGrid, sharing: Bool) -> [Int: InputBands] {
    let steps = plan.steps
    guard steps.indices.contains(where: { plan.bandSource(of: $0) != nil }) else { return [:] }
    var chosen: [Int: InputBands] = [:]
    var examined = 0
    let nothing = steps.map { _ in Region(x: 0, y: 0, width: 0, height: 0) }
    // What each step must compute for some tiles, and for some bands of reductions after it.
    var samples = grid.samples.map { tile in
      var needs = nothing
      for (result, step) in plan.results.enumerated() {
        needs[step] = needs[step].union(grid.region(of: tile, result: result))
      }
      return needs
    }
    for index in steps.indices.reversed() where steps[index].cacheGrid == nil {
      if let source = plan.bandSource(of: index), chosen.count < limit, examined < examinedLimit {
        let seen = samples.filter { !$0[index].isEmpty }
          .map { plan.input(of: index, for: $0[index]) }
          .max { $0.size.load < $1.size.load }
        if let seen, seen.size.load > Double(undividedCount) {
          examined += 1
          if sharing || plan.isBandSourceReadOnly(by: index),
            let bands = InputBands(source, seen: seen, plan, chosen)
          {
            chosen[index] = bands
            var needs = nothing
            needs[source] = bands.band(with: seen.middle.y, of: seen)
            samples.append(needs)
            continue
          }
        }
      }
      for sample in samples.indices where !samples[sample][index].isEmpty {
        for (position, input) in steps[index].inputs.enumerated() {
          let need = steps[index].inputRegion(
            for: samples[sample][index], ofInput: position, in: steps[input].region)
          samples[sample][input] = samples[sample][input].union(need)
        }
      }
    }
    return chosen
  }

  /// The lowest bands that compute little twice; nil where those would not be much lower than all rows that are seen.
  private init?(_ source: Int, seen: Region, _ plan: Plan, _ later: [Int: InputBands]) {
    var (whole, part): ([Region], [Region]) = ([], [])
    plan.steps.regions(for: [(source, seen)], bands: later, into: &whole)
    let most = whole.reduce(0) { max($0, $1.size.load) }
    let rows = max(16, Self.pixelCount / max(1, seen.width), seen.height / 1024)
    var height = (rows + 15) / 16 * 16
    while height <= seen.height / 2 {
      let bands = InputBands(source: source, height: height)
      // In the middle no halo is cut off by an edge.
      let band = bands.band(with: seen.middle.y, of: seen)
      plan.steps.regions(for: [(source, band)], bands: later, into: &part)
      let count = Double(seen.height) / Double(band.height)
      let repeatsLittle = plan.steps.indices.allSatisfy {
        whole[$0].size.load < most / 8
          || part[$0].size.load * count <= 1.25 * whole[$0].size.load
      }
      if repeatsLittle {
        self = bands
        return
      }
      height *= 2
    }
    return nil
  }
}

extension Plan {
  /// The step whose rows a reduction may have computed in bands; nil for other steps, and where it reads rows that are there.
  fileprivate func bandSource(of index: Int) -> Int? {
    guard case .area(let area) = steps[index].work, area.bandScratchCount != nil else { return nil }
    let input = steps[index].inputs[0]
    let source = steps[input].isStreamed ? steps[input].inputs[0] : input
    return steps[source].needsMemory ? source : nil
  }

  /// What a step sees of its first input.
  func input(of index: Int, for output: Region) -> Region {
    let step = steps[index]
    return step.inputRegion(for: output, ofInput: 0, in: steps[step.inputs[0]].region)
  }

  /// Whether all that a reduction's input is computed from has no other readers, caches and sources aside.
  fileprivate func isBandSourceReadOnly(by index: Int) -> Bool {
    var known = [Int](repeating: 0, count: index)
    known[steps[index].inputs[0]] = 1
    for step in (0..<index).reversed() where known[step] > 0 {
      let isComputed = steps[step].needsMemory || steps[step].isStreamed
      if steps[step].cacheGrid != nil || !isComputed { continue }
      if known[step] < steps[step].readers { return false }
      for input in steps[step].inputs { known[input] += 1 }
    }
    return true
  }
}
