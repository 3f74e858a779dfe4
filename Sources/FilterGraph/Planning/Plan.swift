internal import ImageBuffer

/// What will run: recipes after the laws, with their programs lowered and their tables computed.
///
/// Steps stand in the order in which a tile is computed, each after all that it reads. A result that several steps read is computed once,
/// unless ``copyingStepsReadFarApart(_:tile:)`` copied it.
struct Plan: Sendable {
  let steps: [Step]
  /// The step of each picture that was asked for.
  let results: [Int]
  /// The number of buffers that a worker needs.
  let slotCount: Int
  /// What must be measured before programs of the plan are known; empty where the plan was allowed to measure.
  let measurements: [Measured]
  /// How often each law acted; missing for those that did not.
  let laws: [Law: Int]
  /// Which caches hold half floats; nil where the options do not ask for it.
  let halves: HalfChoice?

  /// The plan of steps that have no memories yet.
  init(
    _ steps: [Step], results: [Int], measurements: [Measured] = [], laws: [Law: Int] = [:],
    intermediate: IntermediateFormat = .float
  ) {
    var steps = steps
    halves = HalfChoice(of: &steps, results: results, intermediate)
    slotCount = Self.assignBuffers(to: &steps, results: results)
    Self.joinInkPrograms(to: &steps, results: results)
    (self.steps, self.results, self.measurements) = (steps, results, measurements)
    self.laws = laws
  }

  /// A plan of copies of another one's steps, which computes the same pixels.
  init(_ original: Plan, copiedAs steps: [Step], results: [Int], halves: HalfChoice?) {
    var steps = steps
    slotCount = Self.assignBuffers(to: &steps, results: results)
    Self.joinInkPrograms(to: &steps, results: results)
    (self.steps, self.results, self.halves) = (steps, results, halves)
    (measurements, laws) = (original.measurements, original.laws)
  }

  /// The plan that renders pictures; throws where one of them cannot be rendered.
  init(_ pictures: [Picture], options: RenderOptions) throws(RenderError) {
    for picture in pictures { try picture.checkRenders(options) }
    try self.init(of: pictures.map(\.node), options: options)
  }

  /// The plan that computes nodes, which may be infinite.
  init(of nodes: [Node], options: RenderOptions) throws(RenderError) {
    var builder = PlanBuilder(options: options)
    var results: [Int] = []
    for node in nodes { results.append(try builder.index(of: node)) }
    self.init(
      builder.steps, results: results, measurements: builder.measurements, laws: builder.laws,
      intermediate: options.intermediate)
  }
}

extension [Step] {
  /// What every step must compute so that each of `wanted` is there. Caches are asked for what they keep, and nothing before them; nor do
  /// reductions that compute their input in `bands` ask for it. With `throughAll` both do. Reuses the memory of `needs`.
  func regions(
    for wanted: some Sequence<(step: Int, region: Region)>, bands: [Int: InputBands] = [:],
    throughAll: Bool = false, into needs: inout [Region]
  ) {
    needs.removeAll(keepingCapacity: true)
    for _ in self { needs.append(Region(x: 0, y: 0, width: 0, height: 0)) }
    for (step, region) in wanted { needs[step] = needs[step].union(region) }
    for index in indices.reversed() where !needs[index].isEmpty {
      if !throughAll, self[index].cacheGrid != nil || bands[index] != nil { continue }
      for (position, input) in self[index].inputs.enumerated() {
        let need = self[index].inputRegion(
          for: needs[index], ofInput: position, in: self[input].region)
        needs[input] = needs[input].union(need)
      }
    }
  }
}
