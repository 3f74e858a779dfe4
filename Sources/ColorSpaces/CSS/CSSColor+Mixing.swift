extension CSSColor {
  /// Interpolates between two colors as `color-mix()` and CSS gradients do (CSS Color 4, 12): an `amount` of 0 gives
  /// this color, 1 the other one.
  ///
  /// ```swift
  /// try CSSColor("oklch(70% 0.1 none)").mixed(with: CSSColor("blue"), in: .oklch)  // of blue's hue
  /// ```
  ///
  /// A missing component (`none`) takes the other color's value, also after conversion to `space`; so does the powerless
  /// hue of a gray, whether it was converted or written. Components other than hues are premultiplied by alpha before they
  /// are interpolated.
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
    // A color with an alpha of 0 keeps its premultiplied components.
    let result = alpha == 0 ? numbers : changed(numbers) { $0 / (alpha ?? 1) }
    return CSSColor(space, result[0], result[1], result[2], alpha: alpha)
  }

  /// Converts the color to another space and carries forward the missing components that have an analogous one there
  /// (CSS Color 4, 12.2).
  private func prepared(for space: Space) -> CSSColor {
    if space == self.space { return withoutPowerlessHue }
    guard let converted = ColorPoint(self).converted(to: space.colorSpace).css else { return self }
    var missing = zip(self.space.kinds, components).filter { $0.1 == nil }.compactMap(\.0)
    // A missing pair of opponents is analogous to missing chroma and hue.
    if [.a, .b].allSatisfy(missing.contains) { missing += [.colorfulness, .hue] }
    if [.colorfulness, .hue].allSatisfy(missing.contains) { missing += [.a, .b] }
    let numbers = zip(space.kinds, converted.components).map { kind, number in
      kind.map(missing.contains) == true ? nil : number
    }
    return CSSColor(space, numbers[0], numbers[1], numbers[2], alpha: alpha)
  }

  /// The color with `none` as its hue if that is powerless (CSS Color 4, 12, step 2).
  ///
  /// A missing chroma or saturation, whiteness or blackness takes the other color's value, which may give the hue power.
  private var withoutPowerlessHue: CSSColor {
    let isComplete = zip(space.kinds, components).allSatisfy { kind, number in
      number != nil || kind == .lightness
    }
    guard isComplete, let hue = ColorPoint(self).powerlessChannel else { return self }
    let numbers = components.enumerated().map { $0 == hue ? nil : $1 }
    return CSSColor(space, numbers[0], numbers[1], numbers[2], alpha: alpha)
  }
}

extension CSSColor.Space {
  /// The sets of analogous components (CSS Color 4, 12.2).
  fileprivate enum Kind { case red, green, blue, lightness, colorfulness, hue, a, b }

  /// The set of each component; nil for a component without an analogous one.
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
