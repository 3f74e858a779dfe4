internal import ColorSpaces
internal import ImageBuffer

extension Picture {
  /// The steps that rendering with default options runs, a line each, in the order in which they run.
  ///
  /// Each line names a step of the plan that renders this picture, with the conversions that were inserted and after all laws.
  /// Programs are lists of stages with arrows between them. A change of meaning, such as “read as sRGB”, computes nothing; it
  /// stands behind the step whose values it concerns. Where steps read other ones than the one before, they are numbered.
  ///
  /// No pixel is computed or measured for it. A filter that depends on measured values is named, and its stages are shown once they
  /// have been measured.
  public var plan: String {
    if let failure { return "cannot run: \(failure)" }
    do throws(RenderError) {
      return try runningPlan(.describing).description
    } catch {
      return "cannot run: \(error)"
    }
  }
}

extension RenderOptions {
  /// The options for a plan that is only described: it measures nothing, and is made for pictures of any size.
  fileprivate static var describing: RenderOptions {
    var options = RenderOptions().forecasting
    options.pixelLimit = .max
    return options
  }
}

extension Picture {
  /// The plan that an evaluator runs, the memory of its result aside.
  ///
  /// An infinite picture, and one that needs more memory than can be counted, has no evaluator.
  private func runningPlan(_ options: RenderOptions) throws(RenderError) -> Plan {
    let plan = try Plan(of: [storedForm.node], options: options)
    if isEndless { return plan }
    let evaluator = try? TiledEvaluator(plan, sizes: [size], resultBytes: 0, options: options)
    return evaluator?.plan ?? plan
  }

  /// Whether rendering this picture runs the same steps as rendering `other`, in the same color space.
  ///
  /// A plan of both has equal steps once, so that the results are one step. The texts of two plans may be equal where a matrix or a
  /// curve differs.
  package func isComputed(like other: Picture) -> Bool {
    let nodes = [storedForm.node, other.storedForm.node]
    guard failure == nil, other.failure == nil, space == other.space, region == other.region,
      let plan = try? Plan(of: nodes, options: .describing)
    else { return false }
    return plan.results[0] == plan.results[1]
  }
}

extension Plan: CustomStringConvertible {
  /// A line for each step.
  var description: String {
    let isChain = steps.indices.allSatisfy { steps[$0].inputs == ($0 == 0 ? [] : [$0 - 1]) }
    if isChain { return steps.map(\.description).joined(separator: "\n") }
    return steps.enumerated().map { index, step in
      "\(index + 1): \(step)"
        + (step.inputs.isEmpty
          ? "" : ", of \(step.inputs.map { "\($0 + 1)" }.joined(separator: " and "))")
    }.joined(separator: "\n")
  }
}

extension Step: CustomStringConvertible {
  /// A part of a step, in the order in which the step does them.
  enum Part {
    /// All of the step, where it is no program.
    case work(String)
    /// A stage of its program, and what the values mean after it.
    case stage(PointProgram.Stage, PixelForm)
    case stored(SampleFormat)
    case note(StepNote)

    var name: String {
      switch self {
      case .work(let name): name
      case .stage(let stage, _): "\(stage)"
      case .stored(let format): "store as \(format)"
      case .note(let note): "\(note)"
      }
    }
  }

  /// Its effect, part by part.
  var parts: [Part] {
    var parts: [Part] = []
    var rest = notes[...]
    func addNotes(before position: Int, to parts: inout [Part]) {
      while let (place, note) = rest.first, place < position {
        parts.append(.note(note))
        rest.removeFirst()
      }
    }
    if case .point(let lowered) = work {
      for (index, stage) in lowered.program.stages.enumerated() {
        addNotes(before: index + 1, to: &parts)
        parts.append(.stage(stage, forms[index]))
      }
      addNotes(before: .max, to: &parts)
      if let storage { parts.append(.stored(storage)) }
    } else {
      parts.append(.work(name))
    }
    return parts + rest.map { .note($0.note) }
  }

  /// Its effect, with all tags.
  var description: String { parts.map(\.name).joined(separator: " → ") }

  /// What it computes, without tags; of a program whose values are stored, the storing.
  var name: String {
    let extent = region == .everywhere ? "" : " \(region.size)"
    switch work {
    case .source(let bitmap, let offset):
      let part =
        region.size == bitmap.size
        ? "" : ", cropped to \(region.size) at (\(offset.x), \(offset.y))"
      return "load \(bitmap.size) \(bitmap.format) \(bitmap.channels) in \(bitmap.space)" + part
    case .rows(let source):
      return
        "read \(source.size) \(source.format) \(source.channels) in \(source.space), row by row"
    case .painted(let painter): return "paint \(painter)" + (extent.isEmpty ? "" : " of" + extent)
    case .point(let lowered):
      return storage.map { "store as \($0)" } ?? "\(lowered.program)"
    case .area(let area): return "── \(area.filter)" + (extent.isEmpty ? "" : " to" + extent)
    case .blend(let filter): return "── \(filter)" + (extent.isEmpty ? "" : " to" + extent)
    case .window(let window): return window.name(of: region)
    case .cached(let grid): return "keep in a cache of \(grid.share.cache.byteLimit) bytes"
    }
  }
}

extension Window {
  /// The name of a step that shows `region` of its input through the window.
  fileprivate func name(of region: Region) -> String {
    if region == .everywhere {
      return edges.map { "extend, \($0) beyond the edges" }
        ?? "move by (\(-offset.x), \(-offset.y))"
    }
    let part = "\(region.size) at (\(offset.x), \(offset.y))"
    return edges.map { "window \(part), \($0) beyond the edges" } ?? "crop to \(part)"
  }
}
