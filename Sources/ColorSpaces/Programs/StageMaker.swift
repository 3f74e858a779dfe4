/// What made a stage that cannot be compared by its value: a filter, which described its program in the primaries of a space. Equal filters
/// make equal stages.
package struct StageMaker: Equatable, Sendable {
  private let filter: any Hashable & Sendable
  private let space: ColorSpace
  /// Which of the filter's stages of this kind it is.
  private let index: Int

  package static func == (a: StageMaker, b: StageMaker) -> Bool {
    a.index == b.index && a.space == b.space && AnyHashable(a.filter) == AnyHashable(b.filter)
  }

  fileprivate init(_ filter: some Hashable & Sendable, _ space: ColorSpace, _ index: Int) {
    (self.filter, self.space, self.index) = (filter, space, index)
  }
}

extension PointProgram {
  /// A program that a filter described in the primaries of `space`.
  package init(
    describedBy filter: some Hashable & Sendable, in space: ColorSpace,
    _ describe: (inout PointProgram) -> Void
  ) {
    self.init(describe)
    makers = (0..<stages.count(where: \.isOpaque)).map { StageMaker(filter, space, $0) }
  }

  /// What made each stage that cannot be compared by its value; nil where that is not known, and of all stages after a law added some.
  package var makersOfOpaqueStages: [StageMaker?] {
    let count = stages.count(where: \.isOpaque)
    return makers.count == count ? makers : Array(repeating: nil, count: count)
  }

  /// This program, followed by the stages of another one.
  package func followed(by next: PointProgram) -> PointProgram {
    var both = PointProgram(stages + next.stages)
    both.makers = makersOfOpaqueStages + next.makersOfOpaqueStages
    return both
  }
}

extension PointProgram.Stage {
  /// Whether the stage cannot be compared by its value.
  package var isOpaque: Bool {
    switch self {
    case .map, .rows, .formula, .gamut, .channels: true
    default: false
    }
  }
}
