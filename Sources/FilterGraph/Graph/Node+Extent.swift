internal import ImageBuffer

/// Errors of extent are found when pictures are rendered. They are those of the step of a recipe that made the picture so large.
extension Node {
  /// Throws where the node is infinite, or has more pixels than the limit.
  func checkRenders(_ options: RenderOptions) throws(RenderError) {
    if region == .everywhere { throw .recipe(endlessness) }
    try checkSize(options)
  }

  /// Throws where a finite node has more pixels than the limit.
  func checkSize(_ options: RenderOptions) throws(RenderError) {
    let limit = options.pixelLimit
    func isTooLarge(_ node: Node) -> Bool {
      node.region != .everywhere && node.region.size.pixelCount > limit
    }
    guard isTooLarge(self) else { return }
    throw .recipe(
      error(ofFirst: isTooLarge) { node in
        let size = node.region.size
        return .tooManyPixels(width: size.width, height: size.height, limit: limit)
      })
  }

  /// The error of rendering a node of infinite extent.
  var endlessness: RecipeError { error(ofFirst: { $0.region == .everywhere }) { _ in .endless } }

  /// Returns an error that this node has in common with some of its inputs, as that of the step of a recipe that is the first to have it, and
  /// of that step's result. Where that is no step of a recipe, it is the error of the node itself.
  private func error(
    ofFirst hasError: (Node) -> Bool, _ error: (Node) -> RecipeError
  ) -> RecipeError {
    var (first, result) = (self, self)
    while let input = first.inputs.first(where: hasError) {
      first = input
      if first.path != result.path { result = first }
    }
    return first.path.map { .step(at: $0, error(result)) } ?? error(self)
  }
}
