/// A display for which ACES renders scenes: its gamut with white point D65, and its peak luminance.
package struct ACESDisplay: Hashable, Sendable {
  /// The primaries of the display's gamut.
  package let primaries: Primaries
  /// The peak luminance in cd/m².
  package let peak: Double

  /// Creates a display.
  package init(_ primaries: Primaries, peak: Double) {
    (self.primaries, self.peak) = (primaries, peak)
  }

  /// The color space of the display's linear light, with the display's primaries.
  var space: ColorSpace {
    ColorSpace("linear space of the display", primaries: primaries, transfer: .linear)
  }
}

extension Formula {
  /// A rendering of the linear light of `space` in the same primaries, with 1 at `unit` cd/m².
  ///
  /// `body` takes ACES2065-1 to linear light in the display's primaries, with 1 at 100 cd/m².
  static func aces(
    _ name: String, for display: ACESDisplay, unit: Double, in space: ColorSpace,
    _ body: @escaping @Sendable (Vector) -> Vector
  ) -> Formula {
    let toScene = space.matrix(to: .aces2065)
    let fromDisplay =
      display.space.matrix(to: space) * ColorMatrix(diagonal: .one * (100 / unit))
    return Formula("\(name), \(display.peak) cd/m²") { light in
      fromDisplay * body(toScene * light.finite)
    }.keepingNaN
  }
}

extension FormulaVector {
  /// Infinite light becomes very bright light: the difference of two infinities would be NaN.
  var finite: Self { clamped(to: -1e10...1e10) }
}
