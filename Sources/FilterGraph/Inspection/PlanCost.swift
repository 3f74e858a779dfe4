internal import ImageBuffer

/// The bytes that a step moves for all tiles of a rendering.
struct StepTraffic {
  /// What it reads of its inputs, halos and whatever several tiles need of them included.
  var read = 0
  /// What it computes into buffers and into results.
  var written = 0

  static func += (sum: inout StepTraffic, other: StepTraffic) {
    sum.read = sum.read.addingSaturated(other.read)
    sum.written = sum.written.addingSaturated(other.written)
  }
}

extension TiledEvaluator {
  /// The bytes that each step moves. `resultBytes` are those of each result.
  ///
  /// Blocks that a cache may hold already are not counted before the cache.
  func traffic(resultBytes: [Int]) -> [StepTraffic] {
    var traffic = [StepTraffic](repeating: StepTraffic(), count: plan.steps.count)
    var regions: [Region] = []
    var wanted: [(step: Int, region: Region)] = []
    for tile in 0..<grid.count {
      plan.list(tile, of: grid, into: &wanted)
      plan.steps.regions(for: wanted, into: &regions)
      for index in plan.steps.indices where !regions[index].isEmpty {
        traffic[index] += plan.traffic(of: index, for: regions[index])
      }
      for (step, region) in wanted where !plan.steps[step].isStoredAtOnce {
        traffic[step] += StepTraffic(
          read: region.size.pixelCount.multipliedSaturated(by: plan.pixelBytes(of: step)))
      }
    }
    for (result, bytes) in zip(plan.results, resultBytes) {
      traffic[result] += StepTraffic(written: bytes)
    }
    return traffic
  }
}

extension Plan {
  fileprivate func traffic(of index: Int, for region: Region) -> StepTraffic {
    let step = steps[index]
    let pixels = region.size.pixelCount
    switch step.work {
    case .source, .rows:
      guard step.isLoaded else { return StepTraffic() }
      return StepTraffic(
        read: pixels.multipliedSaturated(by: step.storedPixelBytes),
        written: pixels.multipliedSaturated(by: step.computedPixelBytes))
    case .window(let window) where window.edges == nil: return StepTraffic()
    default:
      let read = step.inputs.enumerated().reduce(0) { sum, input in
        let seen = step.inputRegion(
          for: region, ofInput: input.offset, in: steps[input.element].region)
        return seen.size.pixelCount.multipliedSaturated(by: pixelBytes(of: input.element))
          .addingSaturated(sum)
      }
      // What passes through in rows, or is stored in a result at once, has no buffer.
      let isKept = !step.isStreamed && !step.isStoredAtOnce
      let written = isKept ? pixels.multipliedSaturated(by: step.computedPixelBytes) : 0
      return StepTraffic(read: read, written: written)
    }
  }

  /// The bytes of a pixel where other steps read a step's output.
  fileprivate func pixelBytes(of index: Int) -> Int {
    let step = steps[index]
    if step.isStreamed { return 0 }
    switch step.work {
    case .source, .rows: return step.isLoaded ? step.computedPixelBytes : step.storedPixelBytes
    default: return step.computedPixelBytes
    }
  }
}

extension Plan {
  /// The steps that go over pixels by themselves, results among them. Sources are read in place, windows show buffers, and what is
  /// streamed runs within the step that reads it.
  var passes: Set<Int> {
    Set(steps.indices.filter { steps[$0].isPass }).union(results)
  }
}

extension Step {
  fileprivate var isPass: Bool {
    switch work {
    case .source, .rows: isLoaded
    case .window(let window): window.edges != nil
    default: !isStreamed
    }
  }

  /// The bytes of a pixel as buffers hold it.
  fileprivate var computedPixelBytes: Int { 4 * planeCount }

  /// The bytes of a pixel as its source holds it.
  fileprivate var storedPixelBytes: Int { source?.sampleBytes ?? 0 }
}

extension Picture {
  /// Renders pictures in bands, drops the bands, and returns the processor time of each step in seconds, for the plan that
  /// a report in bands shows.
  ///
  /// Storing a step's result counts as part of the step. Another rendering takes another time.
  package static func measuredSeconds(
    of results: [BandedResult], options: RenderOptions
  ) throws(RenderError) -> [Double] {
    let rendering = try BandRendering(results, options: options)
    let meter = StepMeter(stepCount: rendering.evaluator.plan.steps.count)
    var options = options
    options.meter = meter
    try BandRendering(results, options: options).run { _, _, _ in }
    return meter.seconds
  }
}
