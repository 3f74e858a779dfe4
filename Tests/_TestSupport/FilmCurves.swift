public import ColorSpaces

/// The tone curves by which a published film developer turns an inverted color negative into a print: five points each.
public enum FilmCurves {
  /// The curve of the red channel.
  public static let red = curve([[0, 0], [0.38, 0.07], [0.63, 0.24], [0.78, 0.49], [1, 1]])
  /// The curve of the green channel.
  public static let green = curve([
    [0, 0], [0.67, 0.07], [0.85, 0.19], [0.92, 0.39], [1, 0.90],
  ])
  /// The curve of the blue channel.
  public static let blue = curve([[0, 0], [0.69, 0.06], [0.90, 0.20], [0.96, 0.44], [1, 0.92]])

  private static func curve(_ points: [SIMD2<Double>]) -> CubicCurve {
    do { return try CubicCurve(through: points) } catch { preconditionFailure("\(error)") }
  }
}
