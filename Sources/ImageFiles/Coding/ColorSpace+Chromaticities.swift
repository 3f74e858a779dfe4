internal import ColorSpaces

extension ColorSpace {
  /// Returns the color space of chromaticities and a gamma exponent that a file states.
  ///
  /// A named space is preferred where one has the same meaning. Nil where the values describe no space.
  static func ofChromaticities(
    _ origin: String, white: [Double], primaries points: [Double], exponent: Double
  ) -> ColorSpace? {
    precondition(white.count == 2 && points.count == 6, "A chromaticity has two coordinates.")
    let primaries = Primaries(
      red: Chromaticity(points[0], points[1]), green: Chromaticity(points[2], points[3]),
      blue: Chromaticity(points[4], points[5]), white: Chromaticity(white[0], white[1]))
    guard ParametricCurve.exponents.contains(exponent), primaries.areUsable else { return nil }
    let transfer: TransferFunction = exponent == 1 ? .linear : .gamma(exponent)
    let space = ColorSpace("\(origin) gamma \(exponent)", primaries: primaries, transfer: transfer)
    return named.first { $0.isInterchangeable(with: space) } ?? space
  }
}

extension Primaries {
  /// Whether the primaries span a triangle, and the white point lies within it and can be adapted to.
  ///
  /// Imaginary primaries, such as those of ACES, are allowed, and those without luminance, such as X and Z.
  var areUsable: Bool {
    let areNumbers = [red, green, blue, white].allSatisfy {
      (-1...2).contains($0.x) && (-1...2).contains($0.y)
    }
    guard areNumbers, (0.05...1).contains(white.x), (0.1...1).contains(white.y) else {
      return false
    }
    // Twice the area of a triangle in the chromaticity diagram.
    func area(_ a: Chromaticity, _ b: Chromaticity, _ c: Chromaticity) -> Double {
      (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
    }
    let whole = area(red, green, blue)
    guard abs(whole) > 1e-4 else { return false }
    // The barycentric coordinates of white. On an edge, a primary has no part in white, and the matrix to XYZ has no inverse.
    let parts = [area(white, green, blue), area(red, white, blue), area(red, green, white)]
    return parts.allSatisfy { $0 / whole > 1e-3 }
  }
}
