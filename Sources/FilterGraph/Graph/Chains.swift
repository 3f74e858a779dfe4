/// Visits something after all that it is made of, and those after all that they are made of; what was visited before is not again.
///
/// What is left to do stands in a list, because a graph may be deeper than a thread's stack.
func visitUpwards<Thing, Failure: Error>(
  to end: Thing, isVisited: (Thing) -> Bool, inputs: (Thing) -> [Thing],
  visit: (Thing) throws(Failure) -> Void
) throws(Failure) {
  var pending = [end]
  while let next = pending.last {
    if isVisited(next) {
      pending.removeLast()
      continue
    }
    let missing = inputs(next).filter { !isVisited($0) }
    if missing.isEmpty { try visit(next) } else { pending += missing.reversed() }
  }
}

/// What is made of others of its kind, and ends after all that is made of it.
protocol Chained: AnyObject {
  /// What it is made of, which it then no longer holds.
  func takeInputs() -> [Self]
}

extension Chained {
  /// For the end of one: ends what only it held, one after the other and not each within the one that is made of it, for which a
  /// thread's stack may be too small.
  func endChain() {
    var ending = takeInputs()
    while var next = ending.popLast() {
      if isKnownUniquelyReferenced(&next) { ending += next.takeInputs() }
    }
  }
}
