public import ColorSpaces
internal import FilterGraph

/// The curves of the published film recipe: steep ones, of five points each.
public enum FilmCurves {
  /// The curve of the red channel.
  public static let red = CurveDevelopment.published().red
  /// The curve of the green channel.
  public static let green = CurveDevelopment.published().green
  /// The curve of the blue channel.
  public static let blue = CurveDevelopment.published().blue
}
