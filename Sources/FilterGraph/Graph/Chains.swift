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

/// What ``Node/chain(_:)`` does at a node.
enum ChainStep {
  /// Counts the node to the chain, and goes on with its only input.
  case descend
  /// Goes on with another node instead.
  case replace(Node)
  /// Ends the chain before the node.
  case end
}

/// Nodes that read one input each, the last one first, and the node that the first of them reads.
struct NodeChain {
  fileprivate(set) var members: [Node] = []
  fileprivate(set) var end: Node

  /// Returns the same nodes over another node than ``end``.
  ///
  /// - Returns: The last node, or nil where an area filter refuses the size of its new input.
  func moved(onto node: Node) -> Node? {
    var node = node
    for member in members.reversed() {
      guard let moved = member.replacing(inputs: [node]) else { return nil }
      node = moved
    }
    return node
  }
}

extension Node {
  /// Follows a chain of nodes from this one back toward its sources, as far as `step` says.
  ///
  /// All rewrites that pass through nodes of one input share this traversal.
  func chain(_ step: (Node) -> ChainStep) -> NodeChain {
    var chain = NodeChain(end: self)
    while true {
      switch step(chain.end) {
      case .descend:
        let inputs = chain.end.inputs
        precondition(inputs.count == 1, "A chain goes on through nodes of one input.")
        chain.members.append(chain.end)
        chain.end = inputs[0]
      case .replace(let other): chain.end = other
      case .end: return chain
      }
    }
  }
}
