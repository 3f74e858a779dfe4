internal import ColorSpaces
public import ImageBuffer

/// A forecast of a rendering's steps, memory and I/O, as text, JSON or a Graphviz graph.
public struct PlanReport: Sendable, CustomStringConvertible {
  /// How the blocks of a cache are stored where ``RenderOptions/intermediate`` asks for half floats.
  public struct CacheStorage: Hashable, Sendable {
    /// The index of the cache in ``PlanReport/steps``.
    public let step: Int
    /// Whether its blocks are half floats.
    public let isHalf: Bool
    /// The bytes that half floats save of all blocks that are needed.
    package let bytesSaved: Int
    /// Why blocks are stored in this format.
    public let reason: String
  }

  /// One step of a plan.
  public struct Step: Sendable {
    /// The operation, with its name in ``Picture/plan``.
    public let name: String
    /// The steps it reads, by their indices in ``PlanReport/steps``.
    public let inputs: [Int]
    /// The size of its picture; nil for infinite extent.
    public let size: PixelSize?
    /// The color space of its values.
    public let space: String
    /// The encoding of its values: linear, encoded, or perceptual (the square root).
    public let encoding: String
    /// Whether it may be transparent, and whether color is then premultiplied by alpha.
    public let hasAlpha, isPremultiplied: Bool
    /// The region of it that is needed, and the largest region that a tile needs.
    public let region: Region, tile: PixelSize
    /// The bytes of its buffer on each thread. Steps that share a buffer all report it. A source that is read in place,
    /// or a program that is computed directly into the result, has none.
    public let bytes: Int
    /// The bytes that it reads of its inputs for all tiles, with the overlap of the regions that tiles need, and the bytes
    /// that it writes into buffers and results. Work that the content of a cache replaces is not counted.
    public let bytesRead, bytesWritten: Int
    /// Whether it goes over pixels by itself, unlike sources that are read in place and steps within others.
    package let isPass: Bool
  }

  /// The steps in topological order, the order of execution.
  public let steps: [Step]
  /// The tile size, and the number of tiles.
  public let tile: PixelSize, tileCount: Int
  /// The number of tiles computed in parallel.
  public let threads: Int
  /// The peak memory of the rendering in bytes, including its result or bands.
  public let peakBytes: Int
  /// The bytes of the sources that are read, and of the result.
  public let bytesRead, bytesWritten: Int
  /// The number of passes over pixels, with those of the renderings that measure.
  public let passCount: Int
  /// The error that rendering would throw for its memory; nil where it would start.
  public let refusal: RenderError?
  /// The storage of each cache; empty where half floats are not asked for.
  public let cacheStorage: [CacheStorage]
  /// The proven bound of what half floats change in samples of the results; nil where they are not asked for.
  package let errorBound: Double?
  /// How often each law rewrote something; missing for laws that did not act.
  package let laws: [Law: Int]
}

extension Picture {
  /// Returns a forecast of rendering this picture into a bitmap, or into bands of rows for a consumer.
  ///
  /// A report is made even if a memory limit would prevent rendering; ``PlanReport/refusal`` has the error.
  ///
  /// Nothing is computed or read. Results of measurements are not known to the report, but the rendering passes that
  /// measure are included.
  public func planReport<Sample: PixelSample>(
    as _: Sample.Type, channels: Channels? = nil, arrangement: Arrangement = .interleaved,
    dither: Dither? = nil, inBands: Bool = false, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PlanReport {
    try Picture.planReport(
      [self], as: Sample.self, channels: channels, arrangement: arrangement, dither: dither,
      inBands: inBands, options: options)
  }

  /// Returns a forecast of rendering several pictures together; one without steps for no picture.
  public static func planReport<Sample: PixelSample>(
    _ pictures: [Picture], as _: Sample.Type, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil, inBands: Bool = false,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PlanReport {
    if pictures.isEmpty { return .empty }
    let options = options.forecasting
    if inBands {
      let results = try pictures.map { picture throws(RenderError) in
        if let channels { try picture.checkFits(channels) }
        return BandedResult(
          channels?.isGray == true ? picture.monochrome() : picture, channels: channels,
          as: Sample.format, alpha: .straight, dither: dither)
      }
      return try planReport(of: results, options: options)
    }
    let rendering = try BitmapRendering(
      pictures, channels, arrangement, dither, Sample.format, options)
    return try rendering.evaluator.report(resultBytes: rendering.resultBytes, options)
  }

  /// Returns a forecast of rendering pictures into bands as they are: pictures with gray channels must be gray already.
  package static func planReport(
    of results: [BandedResult], options: RenderOptions
  ) throws(RenderError) -> PlanReport {
    let options = options.forecasting
    var resultBytes: [Int] = []
    for result in results {
      try result.picture.checkRenders(options)
      resultBytes.append(
        try bitmapChecked { () throws(BitmapError) in
          try result.format.layoutByteCount(
            of: result.picture.size, result.channels, .interleaved)
        })
    }
    return try BandRendering(results, options: options).evaluator
      .report(resultBytes: resultBytes, options)
  }
}

extension TiledEvaluator {
  fileprivate func report(
    resultBytes: [Int], _ options: RenderOptions
  ) throws(RenderError) -> PlanReport {
    let passes = plan.passes
    var passCount = passes.count
    var (peakBytes, bytesRead) = (peakBytes.addingSaturated(self.resultBytes), bytesRead)
    // Measurements run before, sequentially.
    for measured in plan.measurements {
      let pass = try BandRendering(
        [BandedResult(measured.picture, as: .float32, alpha: .straight)],
        besides: measured.stateByteCount, options: options)
      peakBytes = max(peakBytes, pass.peakBytes)
      bytesRead = bytesRead.addingSaturated(pass.evaluator.bytesRead)
      passCount += pass.evaluator.plan.passes.count
    }
    return PlanReport(
      steps: zip(
        zip(plan.steps.enumerated(), memory.needs),
        traffic(resultBytes: resultBytes)
      ).map { known, traffic in
        let ((index, step), need) = known
        return PlanReport.Step(
          name: "\(step)", inputs: step.inputs,
          size: step.region == .everywhere ? nil : step.region.size,
          space: step.node.space.name, encoding: step.node.state.light.rawValue,
          hasAlpha: step.node.hasAlpha, isPremultiplied: step.node.state.isPremultiplied,
          region: need.region, tile: need.tile, bytes: need.bytes, bytesRead: traffic.read,
          bytesWritten: traffic.written, isPass: passes.contains(index))
      },
      tile: grid.tile, tileCount: grid.count, threads: workerCount,
      peakBytes: peakBytes, bytesRead: bytesRead,
      bytesWritten: resultBytes.reduce(0) { $0.addingSaturated($1) },
      passCount: passCount, refusal: options.refusal(ofBytes: peakBytes),
      cacheStorage: (plan.halves?.decisions ?? []).map { decision in
        PlanReport.CacheStorage(
          step: decision.step, isHalf: decision.isHalf,
          bytesSaved: decision.isHalf ? memory.cachedBytes[decision.step] ?? 0 : 0,
          reason: decision.reason)
      }, errorBound: plan.halves?.bound, laws: plan.laws)
  }
}

extension PlanReport {
  /// The forecast of rendering nothing.
  fileprivate static let empty = PlanReport(
    steps: [], tile: PixelSize(0, 0), tileCount: 0, threads: 0, peakBytes: 0, bytesRead: 0,
    bytesWritten: 0, passCount: 0, refusal: nil, cacheStorage: [], errorBound: nil, laws: [:])
}

extension TiledEvaluator {
  /// The bytes of the sources that are read.
  fileprivate var bytesRead: Int {
    var read: [ObjectIdentifier: Int] = [:]
    for (step, need) in zip(plan.steps, memory.needs) {
      guard let source = step.source else { continue }
      // The windows of a source may overlap; a source is not read twice.
      let name = ObjectIdentifier(source)
      read[name] = min(
        source.region.size.pixelCount.multipliedSaturated(by: source.sampleBytes),
        need.region.size.pixelCount.multipliedSaturated(by: source.sampleBytes)
          .addingSaturated(read[name, default: 0]))
    }
    return read.values.reduce(0) { $0.addingSaturated($1) }
  }
}

extension Step {
  /// The source that it reads a window of; nil where it reads other steps.
  var source: Node? {
    switch work {
    case .source, .rows: node.window == nil ? node : node.inputs[0]
    default: nil
    }
  }
}

extension Node {
  /// The bytes of a source's pixel.
  var sampleBytes: Int {
    let stored = rowSource.map { ($0.channels, $0.format) } ?? samples
    return stored.map { $0.channels.count * $0.format.byteCount } ?? 0
  }
}

extension PlanReport {
  /// One line per step, then the totals.
  public var description: String {
    let lines = steps.enumerated().map { index, step in
      let inputs = step.inputs.map { "\($0 + 1)" }.joined(separator: " and ")
      return "\(index + 1): \(step.name)" + (inputs.isEmpty ? "" : ", of \(inputs)")
        + "\n   \(step.meaning); \(step.demand)"
    }
    let end =
      "\(tileCount) tiles of \(tile), \(threads) at once; at most \(peakBytes) bytes of memory, "
      + "\(bytesRead) read, \(bytesWritten) written"
    let storage = cacheStorage.map {
      "step \($0.step + 1) in \($0.isHalf ? "half floats, \($0.bytesSaved) bytes saved" : "floats"): "
        + $0.reason
    }
    return (lines + storage + [end] + [refusal.map { "\($0)" }].compactMap(\.self)).joined(
      separator: "\n")
  }

  /// The graph of the steps in Graphviz's DOT language.
  public var dot: String {
    let nodes = steps.enumerated().map { index, step in
      "  \(index) [label=\(graphLabel(step.name, step.meaning, step.demand))];"
    }
    let edges = steps.enumerated().flatMap { index, step in
      step.inputs.map { "  \($0) -> \(index);" }
    }
    return (["digraph plan {", "  node [shape=box];"] + nodes + edges + ["}"])
      .joined(separator: "\n")
  }

  /// The report as JSON.
  ///
  /// `refusal` is the description of ``refusal``, and missing where rendering would start.
  public var json: String { value.text }

  /// The report as a JSON value.
  package var value: RecipeValue {
    var members: [RecipeValue.Member] = [
      .init("steps", .array(steps.map(\.value))), .init("tile", tile.value),
      .init("tiles", .integer(tileCount)), .init("threads", .integer(threads)),
      .init("passes", .integer(passCount)), .init("peakBytes", .integer(peakBytes)),
      .init("bytesRead", .integer(bytesRead)), .init("bytesWritten", .integer(bytesWritten)),
    ]
    if let errorBound {
      // An unlimited error may have an infinite bound, which JSON cannot hold.
      members.append(.init("errorBound", (try? RecipeValue(errorBound)) ?? .null))
      members.append(.init("caches", .array(cacheStorage.map(\.value))))
    }
    if let refusal { members.append(.init("refusal", .string("\(refusal)"))) }
    return .object(members)
  }
}

extension PlanReport.CacheStorage {
  fileprivate var value: RecipeValue {
    .object([
      .init("step", .integer(step)), .init("half", .bool(isHalf)),
      .init("bytesSaved", .integer(bytesSaved)), .init("reason", .string(reason)),
    ])
  }
}

extension PixelSize {
  fileprivate var members: [RecipeValue.Member] {
    [.init("width", .integer(width)), .init("height", .integer(height))]
  }
  fileprivate var value: RecipeValue { .object(members) }
}

extension PlanReport.Step {
  fileprivate var value: RecipeValue {
    let place: [RecipeValue.Member] = [
      .init("x", .integer(region.x)), .init("y", .integer(region.y)),
    ]
    return .object(
      [.init("name", .string(name)), .init("inputs", .array(inputs.map(RecipeValue.integer)))]
        + (size?.members ?? []) + [
          .init("space", .string(space)), .init("encoding", .string(encoding)),
          .init("alpha", .bool(hasAlpha)), .init("premultiplied", .bool(isPremultiplied)),
          .init("region", .object(place + region.size.members)), .init("tile", tile.value),
          .init("bytes", .integer(bytes)), .init("bytesRead", .integer(bytesRead)),
          .init("bytesWritten", .integer(bytesWritten)),
        ])
  }
}

extension PlanReport.Step {
  fileprivate var meaning: String {
    (size.map { "\($0), " } ?? "") + valuesText(encoding, in: space)
      + (hasAlpha ? isPremultiplied ? ", premultiplied" : ", with alpha" : "")
  }

  /// The region needed in total, per tile, and in memory.
  fileprivate var demand: String {
    "\(region.size) at (\(region.x), \(region.y)) in tiles of \(tile), \(bytes) bytes"
  }
}

/// A label of Graphviz's DOT language, which knows no escapes of control characters: they become spaces.
private func graphLabel(_ lines: String...) -> String {
  let escaped = lines.map { line in
    line.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20: " "
      default: String(scalar)
      }
    }.joined()
  }
  return "\"" + escaped.joined(separator: "\\n") + "\""
}
