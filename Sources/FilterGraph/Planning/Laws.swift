package import ColorSpaces

/// The rewritings that a plan may do. Each one leaves every pixel what it was, but for the rounding of steps that no longer
/// happen; each is tested by itself.
package enum Laws {
  package typealias Stages = [PointProgram.Stage]

  /// All laws, until none changes anything any more.
  package static func simplify(_ program: PointProgram) -> PointProgram {
    var stages = program.stages
    while true {
      let before = stages.count
      for law in [dropIdentities, cancelInverses, merge, cancelCoverage] { stages = law(stages) }
      guard stages.count == before else { continue }
      let expanded = expandCoordinates(stages)
      if expanded.count == before { return PointProgram(expanded) }
      stages = expanded
    }
  }

  /// Coordinates are the stages they are made of, which may merge with their neighbours once nothing cancels any more.
  package static func expandCoordinates(_ stages: Stages) -> Stages {
    stages.flatMap { stage -> Stages in
      switch stage {
      case .decode(let transfer):
        if case .coordinates(let coordinates) = transfer.form {
          coordinates.decoding.stages
        } else {
          [stage]
        }
      case .encode(let transfer):
        if case .coordinates(let coordinates) = transfer.form {
          coordinates.encoding.stages
        } else {
          [stage]
        }
      default: [stage]
      }
    }
  }

  /// A stage that changes nothing need not happen.
  package static func dropIdentities(_ stages: Stages) -> Stages {
    stages.filter { stage in
      switch stage {
      case .affine(let scale, let offset): scale != .one || offset != .zero
      case .matrix(let matrix): !matrix.isIdentity
      case .decode(let transfer), .encode(let transfer): !transfer.isLinear
      case .curves(_, let red, let green, let blue):
        [red, green, blue].contains { $0 != .identity }
      default: true
      }
    }
  }

  /// A transfer function and its inverse cancel, where the inverse is one for every number there is.
  package static func cancelInverses(_ stages: Stages) -> Stages {
    pairwise(stages) { first, second in
      switch (first, second) {
      case (.decode(let a), .encode(let b)), (.encode(let a), .decode(let b)):
        a == b && a.isInvertible ? [] : nil
      default: nil
      }
    }
  }

  /// Neighbouring linear stages are one.
  package static func merge(_ stages: Stages) -> Stages {
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

  /// Coverage that is multiplied in and divided out again, with nothing but mixing between, need not be.
  ///
  /// Mixing commutes with a factor that is common to all channels. Where coverage is zero the color stays what it was instead of
  /// becoming zero.
  package static func cancelCoverage(_ stages: Stages) -> Stages {
    var stages = stages
    for start in stages.indices {
      guard let end = stages[(start + 1)...].firstIndex(where: { !$0.isMixing }) else { continue }
      switch (stages[start], stages[end]) {
      case (.premultiply, .unpremultiply), (.unpremultiply, .premultiply):
        stages.remove(at: end)
        stages.remove(at: start)
        return stages
      default: continue
      }
    }
    return stages
  }

  private static func pairwise(
    _ stages: Stages, _ rewrite: (PointProgram.Stage, PointProgram.Stage) -> Stages?
  ) -> Stages {
    var result: Stages = []
    for stage in stages {
      if let last = result.last, let shorter = rewrite(last, stage) {
        result.removeLast()
        result += shorter
      } else {
        result.append(stage)
      }
    }
    return result
  }
}

extension PointProgram.Stage {
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
      case .mirrored, .passedThrough: return true
      case .continued: return curve.slope != 0
      default: return false
      }
    case .segmented(let curve): return curve.isInvertible
    default: return false
    }
  }
}
