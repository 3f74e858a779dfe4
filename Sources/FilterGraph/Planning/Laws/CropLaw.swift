internal import ColorSpaces
internal import ImageBuffer

extension Node {
  /// The law of crops: a part of what a program makes is what the program makes of that part, and a part of a part is a part.
  ///
  /// Code of the caller's sees where its pixels lie, so it stays where it is.
  func window(pushedThrough input: Node) -> Node? {
    guard let window, window.edges == nil else { return nil }
    if let inner = input.window {
      let both = Window(offset: window.offset + inner.offset, edges: inner.edges)
      return with(.window(input.inputs[0], both), region)
    }
    guard input.isTag || input.program?.dependsOnPlace == false else { return nil }
    let base = input.inputs[0]
    let part = Node(
      .window(base, window), region: region, hasAlpha: base.hasAlpha, in: base.space, base.state)
    return input.replacing(inputs: [part])
  }
}

extension PointProgram {
  fileprivate var dependsOnPlace: Bool {
    stages.contains { if case .rows = $0 { true } else { false } }
  }
}
