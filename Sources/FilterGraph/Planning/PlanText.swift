internal import ColorSpaces
internal import ImageBuffer

extension Picture {
  /// What rendering will do, step by step, with the inserted conversions and after the laws: before anything is computed.
  ///
  /// Where steps read other ones than the one before, they are numbered.
  public var plan: String {
    if let failure { return "cannot run: \(failure)" }
    return PlanText(of: [storedForm.node]).description
  }
}

/// The lines of a plan, each after all that it reads.
struct PlanText: CustomStringConvertible {
  struct Line {
    let text: String
    let inputs: [Int]
    let node: Node
  }

  private(set) var lines: [Line] = []
  private var known: [ObjectIdentifier: Int] = [:]

  init(of results: [Node]) {
    for node in results {
      visitUpwards(to: node, isVisited: { known[ObjectIdentifier($0)] != nil }) {
        $0.withChannelsFused.inputs
      } visit: {
        add($0)
      }
    }
  }

  private mutating func add(_ node: Node) {
    let (identity, node) = (ObjectIdentifier(node), node.withChannelsFused)
    let inputs = node.inputs.compactMap { known[ObjectIdentifier($0)] }
    let text = Self.name(of: node)
    if text.isEmpty {
      known[identity] = inputs[0]
    } else {
      lines.append(Line(text: text, inputs: inputs, node: node))
      known[identity] = lines.count - 1
    }
  }

  /// What a node does; nothing where the laws leave nothing to do.
  static func name(of node: Node) -> String {
    let extent = node.region == .everywhere ? "" : " to \(node.region.size)"
    switch node.kind {
    case .source(let bitmap):
      return "load \(bitmap.size) \(bitmap.format) \(bitmap.channels) in \(bitmap.space)"
    case .rows(let source):
      return
        "read \(source.size) \(source.format) \(source.channels) in \(source.space), row by row"
    case .painted(let painter):
      return "paint \(painter)" + (node.region == .everywhere ? "" : " of \(node.region.size)")
    case .point(_, let program): return PointProgram(Laws.simplify(program).stages).description
    case .area(_, let filter): return "── \(filter)\(extent)"
    case .window(_, let window):
      let part = "\(node.region.size) at (\(window.offset.x), \(window.offset.y))"
      if node.region == .everywhere {
        return window.edges.map { "extend, \($0) beyond the edges" }
          ?? "move by (\(-window.offset.x), \(-window.offset.y))"
      }
      return window.edges.map { "window \(part), \($0) beyond the edges" } ?? "crop to \(part)"
    case .blend(_, let filter): return "── \(filter)\(extent)"
    case .measured(_, let measured): return measured.name
    case .tagged: return "read as \(node.space)"
    case .stored(_, let format): return "store as \(format)"
    case .cached(_, let share): return "keep in a cache of \(share.cache.byteLimit) bytes"
    }
  }

  var description: String {
    let isChain = lines.indices.allSatisfy { lines[$0].inputs == ($0 == 0 ? [] : [$0 - 1]) }
    if isChain { return lines.map(\.text).joined(separator: "\n") }
    return lines.enumerated().map { index, line in
      "\(index + 1): \(line.text)"
        + (line.inputs.isEmpty
          ? "" : ", of \(line.inputs.map { "\($0 + 1)" }.joined(separator: " and "))")
    }.joined(separator: "\n")
  }
}
