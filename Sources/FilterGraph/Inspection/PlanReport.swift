internal import ColorSpaces
public import ImageBuffer

/// What rendering will do and take, for people and machines: before anything is computed.
public struct PlanReport: Sendable, CustomStringConvertible {
  /// One step of a plan.
  public struct Step: Sendable {
    /// What it does, as ``Picture/plan`` says it.
    public let name: String
    /// The steps it reads, by their places in the list.
    public let inputs: [Int]
    /// The pixels it has; nil where it goes on without end.
    public let size: PixelSize?
    /// The space whose lights its numbers are.
    public let space: String
    /// What the numbers are: linear, encoded, or the perceptual square root.
    public let light: String
    /// Whether it may be transparent, and whether color is then multiplied by coverage.
    public let hasAlpha, isPremultiplied: Bool
    /// The pixels that are needed of it, and the most of them that a tile needs.
    public let region: Region, tile: PixelSize
    /// The bytes of memory that they take on each thread. Steps that share memory all name it. A source that is read in place, or a
    /// program that is computed into the result at once, takes none.
    public let bytes: Int
  }

  /// The steps in the order in which they run, each after all that it reads.
  public let steps: [Step]
  /// The size of the tiles that are computed at a time, and how many there are.
  public let tile: PixelSize, tileCount: Int
  /// How many tiles are computed at once.
  public let threads: Int
  /// The most bytes of memory that rendering takes, its result included, or its bands.
  public let peakBytes: Int
  /// The bytes of the sources that are needed, and of the result.
  public let bytesRead, bytesWritten: Int
  /// The error that rendering would throw because of the memory it takes; nil where it would begin.
  public let refusal: RenderError?
}

extension Picture {
  /// What rendering this picture will do and take: into a bitmap, or into bands of rows that somebody takes as they come.
  ///
  /// A memory limit does not keep a report from being made; ``PlanReport/refusal`` says whether rendering would throw.
  ///
  /// Nothing is computed for it, nor read. What steps measure on the picture is not known then; the pass over the picture that
  /// measuring takes counts.
  public func planReport<Sample: PixelSample>(
    as _: Sample.Type, channels: Channels? = nil, arrangement: Arrangement = .interleaved,
    dither: Dither? = nil, inBands: Bool = false, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PlanReport {
    try Picture.planReport(
      [self], as: Sample.self, channels: channels, arrangement: arrangement, dither: dither,
      inBands: inBands, options: options)
  }

  /// What rendering several pictures together will do and take.
  public static func planReport<Sample: PixelSample>(
    _ pictures: [Picture], as _: Sample.Type, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil, inBands: Bool = false,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> PlanReport {
    precondition(!pictures.isEmpty, "A plan needs at least one picture.")
    var options = options
    (options.refuses, options.measures) = (false, false)
    let pictures = pictures.map { channels?.isGray == true ? $0.monochrome() : $0 }
    var written = 0
    for picture in pictures {
      written += try picture.byteCount(
        of: picture.size, Sample.format, channels: channels, arrangement)
    }
    let forecast: Forecast
    if inBands {
      let results = pictures.map {
        BandedResult(
          $0, channels: channels, as: Sample.format, alpha: .straight, dither: dither)
      }
      forecast = Forecast(try BandRendering(results, options: options))
    } else if let dither, dither.method == .errorDiffusion {
      let diffusion = try Diffusion(
        pictures, to: pictures.map { channels ?? $0.usualChannels }, by: dither,
        resultBytes: written, options: options)
      forecast = Forecast(diffusion.bands)
    } else {
      let stored = pictures.map { $0.storedForm.dithered(dither, for: Sample.format) }
      let evaluator = try TiledEvaluator(
        Plan(stored, options: options), sizes: pictures.map(\.size), resultBytes: written,
        options: options)
      forecast = Forecast(evaluator: evaluator, bytes: written)
    }
    return try forecast.report(bytesWritten: written, options)
  }
}

/// What is known of a rendering before it.
private struct Forecast {
  let evaluator: TiledEvaluator
  /// What is in memory besides what computing takes.
  let bytes: Int

  func report(bytesWritten: Int, _ options: RenderOptions) throws(RenderError) -> PlanReport {
    let plan = evaluator.plan
    var (peakBytes, bytesRead) = (evaluator.peakBytes + bytes, evaluator.bytesRead)
    // What is measured is measured before, one after the other.
    for measured in plan.measurements {
      let pass = Forecast(
        try BandRendering(
          [BandedResult(measured.picture, as: .float32, alpha: .straight)], options: options))
      peakBytes = max(peakBytes, pass.evaluator.peakBytes + pass.bytes)
      bytesRead += pass.evaluator.bytesRead
    }
    return PlanReport(
      steps: zip(plan.steps, evaluator.memory.needs).map { step, need in
        PlanReport.Step(
          name: "\(step)", inputs: step.inputs,
          size: step.region == .everywhere ? nil : step.region.size,
          space: step.node.space.name, light: step.node.state.light.rawValue,
          hasAlpha: step.node.hasAlpha, isPremultiplied: step.node.state.isPremultiplied,
          region: need.region, tile: need.tile, bytes: need.bytes)
      },
      tile: evaluator.grid.tile, tileCount: evaluator.grid.count, threads: evaluator.workerCount,
      peakBytes: peakBytes, bytesRead: bytesRead, bytesWritten: bytesWritten,
      refusal: options.refusal(ofBytes: peakBytes))
  }
}

extension Forecast {
  init(_ bands: BandRendering) {
    self.init(evaluator: bands.evaluator, bytes: bands.bytes)
  }
}

extension TiledEvaluator {
  /// The bytes of the sources that are needed.
  fileprivate var bytesRead: Int {
    var read: [ObjectIdentifier: Int] = [:]
    for (step, need) in zip(plan.steps, memory.needs) {
      guard let source = step.source else { continue }
      // Parts of a source may overlap; nothing is read twice.
      let name = ObjectIdentifier(source)
      read[name] = min(
        source.sampleBytes * source.region.size.pixelCount,
        read[name, default: 0] + source.sampleBytes * need.region.size.pixelCount)
    }
    return read.values.reduce(0, +)
  }
}

extension Step {
  /// The source that it reads a part of; nil where it reads other steps.
  fileprivate var source: Node? {
    switch work {
    case .source, .rows: node.window == nil ? node : node.inputs[0]
    default: nil
    }
  }
}

extension Node {
  /// The bytes of a source's pixel.
  fileprivate var sampleBytes: Int {
    let stored = rowSource.map { ($0.channels, $0.format) } ?? samples
    return stored.map { $0.channels.count * $0.format.byteCount } ?? 0
  }
}

extension PlanReport {
  /// The steps, a line each, and what all of them take.
  public var description: String {
    let lines = steps.enumerated().map { index, step in
      let inputs = step.inputs.map { "\($0 + 1)" }.joined(separator: " and ")
      return "\(index + 1): \(step.name)" + (inputs.isEmpty ? "" : ", of \(inputs)")
        + "\n   \(step.meaning); \(step.demand)"
    }
    let end =
      "\(tileCount) tiles of \(tile), \(threads) at once; at most \(peakBytes) bytes of memory, "
      + "\(bytesRead) read, \(bytesWritten) written"
    return (lines + [end] + [refusal.map { "\($0)" }].compactMap(\.self)).joined(separator: "\n")
  }

  /// The steps as a graph for Graphviz.
  public var dot: String {
    let nodes = steps.enumerated().map { index, step in
      "  \(index) [label=\(quoted("\(step.name)\n\(step.meaning)\n\(step.demand)"))];"
    }
    let edges = steps.enumerated().flatMap { index, step in
      step.inputs.map { "  \($0) -> \(index);" }
    }
    return (["digraph plan {", "  node [shape=box];"] + nodes + edges + ["}"])
      .joined(separator: "\n")
  }

  /// All of it as JSON.
  public var json: String {
    let steps = steps.map { step in
      "{\"name\": \(quoted(step.name)), \"inputs\": \(step.inputs), "
        + (step.size.map { "\"width\": \($0.width), \"height\": \($0.height), " } ?? "")
        + "\"space\": \(quoted(step.space)), \"light\": \(quoted(step.light)), "
        + "\"alpha\": \(step.hasAlpha), \"premultiplied\": \(step.isPremultiplied), "
        + "\"region\": {\"x\": \(step.region.x), \"y\": \(step.region.y), "
        + "\"width\": \(step.region.width), \"height\": \(step.region.height)}, "
        + "\"tile\": {\"width\": \(step.tile.width), \"height\": \(step.tile.height)}, "
        + "\"bytes\": \(step.bytes)}"
    }
    return """
      {"steps": [\(steps.joined(separator: ", "))],
       "tile": {"width": \(tile.width), "height": \(tile.height)}, "tiles": \(tileCount), \
      "threads": \(threads),
       "peakBytes": \(peakBytes), "bytesRead": \(bytesRead), "bytesWritten": \(bytesWritten)}
      """
  }
}

extension PlanReport.Step {
  fileprivate var meaning: String {
    (size.map { "\($0), " } ?? "") + "\(light) \(space)"
      + (hasAlpha ? isPremultiplied ? ", premultiplied" : ", with alpha" : "")
  }

  /// What is needed of it, at once, and in memory.
  fileprivate var demand: String {
    "\(region.size) at (\(region.x), \(region.y)) in tiles of \(tile), \(bytes) bytes"
  }
}

/// A string as JSON and Graphviz write it.
func quoted(_ text: String) -> String {
  let escaped = text.unicodeScalars.map { scalar in
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case _ where scalar.value < 0x20:
      "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
    default: String(scalar)
    }
  }
  return "\"" + escaped.joined() + "\""
}
