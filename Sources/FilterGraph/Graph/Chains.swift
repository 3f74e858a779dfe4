/// Visits the vertices below one in post-order, skipping those already visited.
///
/// It keeps an explicit stack, because a graph may be deeper than a thread's call stack.
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

/// An object of a linked graph that is deallocated iteratively, not recursively.
protocol Chained: AnyObject {
  /// Returns the inputs and releases them.
  func takeInputs() -> [Self]
}

extension Chained {
  /// Releases the inputs that only this object holds, one at a time. Nested deinitializers of a long chain would
  /// overflow the call stack.
  func endChain() {
    var ending = takeInputs()
    while var next = ending.popLast() {
      if isKnownUniquelyReferenced(&next) { ending += next.takeInputs() }
    }
  }
}

/// A decision of the closure of ``Node/chain(_:)`` at a node.
enum ChainStep {
  /// Add the node to the chain and continue with its only input.
  case descend
  /// Continue with another node in place of this one.
  case replace(Node)
  /// End the chain before this node.
  case end
}

/// Nodes of one input each, from the last to the first, and the node that the first of them reads.
struct NodeChain {
  fileprivate(set) var members: [Node] = []
  fileprivate(set) var end: Node

  /// Returns copies of the nodes with another node in place of ``end``.
  ///
  /// - Returns: The last node, or nil where an area filter rejects the size of its new input.
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
  /// Follows a chain of nodes from this one toward its sources, as far as `step` allows.
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
