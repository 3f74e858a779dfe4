extension CSSColor {
  /// A color between this one and another, as `color-mix()` and gradients of style sheets find it (CSS Color 4, 12): this one for
  /// an `amount` of 0, the other one for 1.
  ///
  /// ```swift
  /// try CSSColor("oklch(70% 0.1 none)").mixed(with: CSSColor("blue"), in: .oklch)  // of blue's hue
  /// ```
  ///
  /// What is `none` in one color is as the other has it, also after conversion to `space`, and so is the hue of a color that became
  /// gray by conversion. Colors count as much as they cover: numbers other than hues are multiplied by alpha before they are mixed.
  public func mixed(
    with other: CSSColor, amount: Double = 0.5, in space: Space = .oklab,
    hue: HueInterpolation = .shorter
  ) -> CSSColor {
    let hueChannel = space.colorSpace.hueChannel
    let interpolation = ColorInterpolation(amount: amount, hueChannel: hueChannel, hue: hue)
    func changed(_ numbers: [Double?], _ change: (Double) -> Double) -> [Double?] {
      numbers.enumerated().map { $0 == hueChannel ? $1 : $1.map(change) }
    }
    let (start, end) = (prepared(for: space), other.prepared(for: space))
    var alpha = start.alpha ?? end.alpha
    if let first = start.alpha, let last = end.alpha {
      alpha = min(max(interpolation.number(from: first, to: last), 0), 1)
    }
    let numbers = interpolation.numbers(
      from: changed(start.components) { $0 * (start.alpha ?? end.alpha ?? 1) },
      to: changed(end.components) { $0 * (end.alpha ?? start.alpha ?? 1) })
    // A color that covers nothing keeps its multiplied numbers.
    let result = alpha == 0 ? numbers : changed(numbers) { $0 / (alpha ?? 1) }
    return CSSColor(space, result[0], result[1], result[2], alpha: alpha)
  }

  /// The same color in another space, without what this one leaves out of the same kind.
  private func prepared(for space: Space) -> CSSColor {
    if space == self.space { return self }
    guard let converted = ColorPoint(self).converted(to: space.colorSpace).css else { return self }
    var missing = zip(self.space.kinds, components).filter { $0.1 == nil }.compactMap(\.0)
    // Both opponents together say what chroma and hue say together.
    if [.a, .b].allSatisfy(missing.contains) { missing += [.colorfulness, .hue] }
    if [.colorfulness, .hue].allSatisfy(missing.contains) { missing += [.a, .b] }
    let numbers = zip(space.kinds, converted.components).map { kind, number in
      kind.map(missing.contains) == true ? nil : number
    }
    return CSSColor(space, numbers[0], numbers[1], numbers[2], alpha: alpha)
  }
}

extension CSSColor.Space {
  /// What numbers of different spaces may have in common: CSS calls those of one kind analogous (12.2).
  fileprivate enum Kind { case red, green, blue, lightness, colorfulness, hue, a, b }

  /// The kind of each number, nil for what no other space has.
  fileprivate var kinds: [Kind?] {
    switch self {
    case .lab, .oklab: [.lightness, .a, .b]
    case .lch, .oklch: [.lightness, .colorfulness, .hue]
    case .hsl: [.hue, .colorfulness, .lightness]
    case .hwb: [.hue, nil, nil]
    default: [.red, .green, .blue]
    }
  }
}
