/// Which input of a blend each channel of the result is taken from, unchanged.
///
/// Where the inputs are one picture behind programs that do not mix channels, a plan runs one program over that picture instead: each
/// channel then has the stages of the input that it is taken from.
public struct ChannelSources: Hashable, Sendable {
  /// The input whose red is the red of the result, counted from 0; and those of green and blue.
  public var red, green, blue: Int
  /// Whether the result has the alpha of the inputs wherever all of them have the same alpha; otherwise the result is opaque.
  public var keepsCommonAlpha: Bool

  /// Creates the sources of the three color channels.
  ///
  /// - Parameters:
  ///   - red: The input whose red is the red of the result, counted from 0.
  ///   - green: The input whose green is the green of the result.
  ///   - blue: The input whose blue is the blue of the result.
  ///   - keepsCommonAlpha: Whether the result has the alpha of the inputs wherever all of them have the same alpha. Pass false if the
  ///     result is opaque.
  public init(red: Int, green: Int, blue: Int, keepsCommonAlpha: Bool = true) {
    (self.red, self.green, self.blue) = (red, green, blue)
    self.keepsCommonAlpha = keepsCommonAlpha
  }
}
