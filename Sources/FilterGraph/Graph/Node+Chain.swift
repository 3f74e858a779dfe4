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
