internal import ImageBuffer

/// Which caches of a plan hold half floats, so that no sample of a result changes by more than a stated error.
///
/// Caches are tried in the order of the plan. One holds half floats if the bound of every result, with those chosen before
/// it, stays within the stated error.
struct HalfChoice: Sendable {
  struct Decision: Sendable {
    let step: Int
    let isHalf: Bool
    let reason: String
  }

  private(set) var decisions: [Decision] = []
  /// The bound for all results.
  private(set) var bound = 0.0

  /// The same choice for a plan whose steps have other indices.
  func renumbered(_ index: (Int) -> Int) -> HalfChoice {
    var choice = self
    choice.decisions = decisions.map {
      Decision(step: index($0.step), isHalf: $0.isHalf, reason: $0.reason)
    }
    return choice
  }

  /// Chooses, and stores the choice in the steps; nil where half floats are not asked for.
  init?(of steps: inout [Step], results: [Int], _ format: IntermediateFormat) {
    guard case .half(let limit) = format else { return nil }
    var chosen: Set<Int> = []
    for (index, step) in steps.enumerated() {
      guard let grid = step.cacheGrid else { continue }
      let reason: String
      if grid.format != .float32 {
        reason = "stored as \(grid.format) by the picture itself"
      } else {
        let tried = ErrorBound.bounds(of: steps, halves: chosen.union([index]))
        let bounds = results.compactMap { tried[$0].difference?.max() }
        if tried[index].difference == nil {
          reason = "no bound is known for the values of the cache"
        } else if bounds.count < results.count {
          reason = "no bound is known for the steps that follow"
        } else {
          let bound = bounds.reduce(0, max)
          if bound <= limit {
            chosen.insert(index)
            self.bound = bound
            reason = "results change by at most \(bound), of \(limit) allowed"
          } else {
            reason = "results could change by \(bound), more than \(limit)"
          }
        }
      }
      decisions.append(Decision(step: index, isHalf: chosen.contains(index), reason: reason))
    }
    var sources: [Set<ObjectIdentifier>] = []
    for index in steps.indices {
      let before = steps[index].inputs.reduce(into: Set<ObjectIdentifier>()) {
        $0.formUnion(sources[$1])
      }
      sources.append(steps[index].store(asHalf: chosen.contains(index), after: before))
    }
  }
}
