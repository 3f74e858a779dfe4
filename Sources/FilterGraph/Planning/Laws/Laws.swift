package import ColorSpaces

/// The rewritings that a plan may do. Each one leaves every pixel what it was, but for the rounding of steps that no longer
/// happen; each is tested by itself.
package enum Laws {
  package typealias Stages = [PointProgram.Stage]

  /// All laws, until none changes anything any more.
  package static func simplify(_ program: PointProgram) -> PointProgram {
    PointProgram(simplify(traced(program.stages)).map(\.stage))
  }

  /// Returns the stages that one law of programs rewrites `stages` to. Other laws leave them unchanged.
  package static func applying(_ law: Law, to stages: Stages) -> Stages {
    let stages = traced(stages)
    if law == .coordinates { return expandCoordinates(stages).map(\.stage) }
    let rewrite = ofPrograms.first { $0.law == law }?.rewrite
    return (rewrite?(stages) ?? stages).map(\.stage)
  }
}

/// A stage of a program that the laws may have rewritten.
struct TracedStage: Sendable {
  var stage: PointProgram.Stage
  /// How many stages of the original program lead to the values after this stage.
  var end: Int
  /// Whether the stage is a part of a transfer function of coordinates, and not the last part.
  var isPartial = false
}

/// The same laws, which remember the stages of the original program.
extension Laws {
  typealias TracedStages = [TracedStage]

  /// Returns the stages of a program that no law has rewritten yet.
  static func traced(_ stages: Stages) -> TracedStages {
    stages.enumerated().map { TracedStage(stage: $1, end: $0 + 1) }
  }

  /// Applies all laws until none changes anything any more.
  static func simplify(_ stages: TracedStages) -> TracedStages {
    var acted: [Law: Int] = [:]
    return simplify(stages, counting: &acted) { _ in true }
  }

  /// Applies the laws of programs that are in use until none changes anything any more, and counts the stages that each
  /// one removed or replaced.
  static func simplify(
    _ stages: TracedStages, counting acted: inout [Law: Int], where isUsed: (Law) -> Bool
  ) -> TracedStages {
    var stages = stages
    while true {
      let before = stages.count
      for (law, rewrite) in ofPrograms where isUsed(law) {
        let count = stages.count
        stages = rewrite(stages)
        if stages.count < count { acted[law, default: 0] += count - stages.count }
      }
      guard stages.count == before else { continue }
      guard isUsed(.coordinates) else { return stages }
      let count = stages.count { $0.stage.coordinateStages != nil }
      if count > 0 { acted[.coordinates, default: 0] += count }
      let expanded = expandCoordinates(stages)
      if expanded.count == before { return expanded }
      stages = expanded
    }
  }

  /// The laws that shorten programs, in the order in which they are tried.
  private static let ofPrograms: [(law: Law, rewrite: @Sendable (TracedStages) -> TracedStages)] = [
    (.identities, dropIdentities), (.inverses, cancelInverses), (.merging, merge),
    (.alpha, cancelCoverage),
  ]

  /// Replaces coordinates by the stages that compute them, which may merge with their neighbors once nothing cancels any more.
  private static func expandCoordinates(_ stages: TracedStages) -> TracedStages {
    stages.flatMap { traced -> TracedStages in
      guard let parts = traced.stage.coordinateStages else { return [traced] }
      return parts.enumerated().map { index, part in
        TracedStage(stage: part, end: traced.end, isPartial: index < parts.count - 1)
      }
    }
  }

  /// Drops stages that change nothing.
  @Sendable private static func dropIdentities(_ stages: TracedStages) -> TracedStages {
    stages.filter { traced in
      switch traced.stage {
      case .affine(let scale, let offset): scale != .one || offset != .zero
      case .matrix(let matrix): !matrix.isIdentity
      case .decode(let transfer), .encode(let transfer): !transfer.isLinear
      case .curves(_, let red, let green, let blue):
        [red, green, blue].contains { $0 != .identity }
      default: true
      }
    }
  }

  /// Cancels a transfer function and its inverse, where the function is invertible for every number.
  @Sendable private static func cancelInverses(_ stages: TracedStages) -> TracedStages {
    pairwise(stages) { first, second in
      switch (first, second) {
      case (.decode(let a), .encode(let b)), (.encode(let a), .decode(let b)):
        a == b && a.isInvertible ? [] : nil
      default: nil
      }
    }
  }

  /// Merges neighboring linear stages.
  @Sendable private static func merge(_ stages: TracedStages) -> TracedStages {
    pairwise(stages) { first, second in
      switch (first, second) {
      case (.affine(let a, let b), .affine(let c, let d)):
        [.affine(scale: a * c, offset: b * c + d)]
      case (.matrix(let a), .matrix(let b)): [.matrix(b * a)]
      case (.affine(let scale, .zero), .matrix(let matrix)):
        [.matrix(matrix * ColorMatrix(diagonal: scale))]
      case (.matrix(let matrix), .affine(let scale, .zero)):
        [.matrix(ColorMatrix(diagonal: scale) * matrix)]
      default: nil
      }
    }
  }

  /// Cancels premultiplication and its inverse, with nothing but mixing between.
  ///
  /// Mixing commutes with a factor that is common to all channels. Where alpha is zero the color stays what it was instead of
  /// becoming zero.
  @Sendable private static func cancelCoverage(_ stages: TracedStages) -> TracedStages {
    var stages = stages
    for start in stages.indices {
      guard let end = stages[(start + 1)...].firstIndex(where: { !$0.stage.isMixing })
      else { continue }
      switch (stages[start].stage, stages[end].stage) {
      case (.premultiply, .unpremultiply), (.unpremultiply, .premultiply):
        // The values after the last mixing stage are those that the second change of alpha led to.
        if end > start + 1 { stages[end - 1].end = stages[end].end }
        stages.remove(at: end)
        stages.remove(at: start)
        return stages
      default: continue
      }
    }
    return stages
  }

  /// Replaces neighbors by the stages that `rewrite` returns for them, one at most; keeps those for which it returns nil.
  private static func pairwise(
    _ stages: TracedStages, _ rewrite: (PointProgram.Stage, PointProgram.Stage) -> Stages?
  ) -> TracedStages {
    var result: TracedStages = []
    for traced in stages {
      if let last = result.last, let shorter = rewrite(last.stage, traced.stage) {
        result.removeLast()
        result += shorter.map {
          TracedStage(stage: $0, end: traced.end, isPartial: traced.isPartial)
        }
      } else {
        result.append(traced)
      }
    }
    return result
  }
}

extension PointProgram.Stage {
  /// The stages of the coordinates that this one decodes or encodes; nil for other stages.
  fileprivate var coordinateStages: [PointProgram.Stage]? {
    switch self {
    case .decode(let transfer):
      if case .coordinates(let coordinates) = transfer.form { return coordinates.decoding.stages }
    case .encode(let transfer):
      if case .coordinates(let coordinates) = transfer.form { return coordinates.encoding.stages }
    default: break
    }
    return nil
  }

  /// Whether the stage commutes with a factor common to all channels.
  fileprivate var isMixing: Bool {
    switch self {
    case .matrix, .affine(_, .zero): true
    default: false
    }
  }
}

extension TransferFunction {
  /// Whether encoding undoes decoding for every number, beyond 0…1 too.
  var isInvertible: Bool {
    if case .coordinates(let coordinates) = form {
      return coordinates.decoding.stages.allSatisfy { stage in
        if case .decode(let transfer) = stage { transfer.isInvertible } else { true }
      }
    }
    guard let decoding = curves?.decoding else { return false }
    switch decoding {
    case .identity: return true
    case .power(let curve):
      switch curve.belowZero {
      // A flat line up to the threshold has no inverse.
      case .mirrored, .passedThrough: return curve.threshold <= 0 || curve.slope != 0
      case .continued: return curve.slope != 0
      default: return false
      }
    case .segmented(let curve): return curve.isInvertible
    default: return false
    }
  }
}
