extension ColorDifference {
  /// The space whose numbers the formula takes; of the Labs, that with the white of displays.
  public var space: ColorSpace {
    switch axes {
    case .lab: .labD65
    case .oklab: .oklab
    case .ictcp: .ictcp
    case .jzczhz: .jzczhz
    }
  }
}

extension ColorPoint {
  /// How far this color looks from `standard`.
  ///
  /// Formulas over CIELAB take it relative to D65, unless both colors are in a Lab or LCh of another white.
  public func difference(
    from standard: ColorPoint, by formula: ColorDifference = .ciede2000()
  ) -> Double {
    let isRelativeToD50 = [self, standard].allSatisfy { $0.space == .lab || $0.space == .lch }
    let space = formula.axes == .lab && isRelativeToD50 ? ColorSpace.lab : formula.space
    return formula(standard.converted(to: space).components, converted(to: space).components)
  }
}
