/// An area filter that maps its whole input onto its output, and so depends on where the edges of the input lie.
protocol ExtentDependent: AreaFilter {
  /// Returns the filter for a node as its input, which a reduced source may cover only in part (``ReducedRowSource``).
  func reading(_ node: Node) -> Self
}

extension AreaFilter {
  /// Returns the filter for a node as its input.
  func placed(on node: Node) -> any AreaFilter {
    guard let dependent = self as? any ExtentDependent else { return self }
    return dependent.reading(node)
  }
}
