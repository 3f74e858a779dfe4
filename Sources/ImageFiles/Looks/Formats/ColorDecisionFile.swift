internal import ColorSpaces
internal import FilterGraph

// ASC Color Decision List, version 1.2: <ColorCorrection id="…"> with <SOPNode> and <SatNode>, alone or in collections.

extension Look {
  init(
    decisions document: XMLElement, id: String?, style: ColorDecisions.Style, file: String,
    listing names: inout [String]
  ) throws(LookFileError) {
    let corrections = document.all("ColorCorrection")
    names = corrections.map { $0.attributes["id"] ?? "" }
    guard let index = id.map({ names.firstIndex(of: $0) }) ?? corrections.indices.first else {
      throw .incomplete(
        file: file,
        reason: corrections.isEmpty
          ? "it holds no color decisions"
          : "no color decisions are called “\(id ?? "")”; there are \(names.joined(separator: ", "))"
      )
    }
    self.init(
      title: names[index],
      steps: [.decisions(try corrections[index].decisions(style, file: file))])
  }
}

extension XMLElement {
  /// The numbers of an element with SOPNode and SatNode. Each may be missing, but an SOPNode is whole.
  func decisions(
    _ style: ColorDecisions.Style, file: String
  ) throws(LookFileError) -> ColorDecisions {
    let node = child("SOPNode")
    let saturation = child("SatNode") ?? child("SATNode")
    func vector(_ name: String, _ usual: Double) throws(LookFileError) -> SIMD3<Double> {
      guard let node else { return SIMD3(repeating: usual) }
      guard let element = node.child(name) else {
        throw .incomplete(file: file, reason: "<SOPNode> has no <\(name)>")
      }
      let numbers = try element.numbers(count: 3, file: file)
      return [numbers[0], numbers[1], numbers[2]]
    }
    let (slope, offset) = (try vector("Slope", 1), try vector("Offset", 0))
    let power = try vector("Power", 1)
    let factor =
      try saturation?.child("Saturation")?.numbers(count: 1, file: file)[0] ?? 1
    do throws(RecipeError) {
      return try ColorDecisions(
        slope: slope, offset: offset, power: power, saturation: factor, style: style)
    } catch {
      throw .parameter(file: file, error)
    }
  }
}
