/// An area filter that changes nothing with some of its parameters, such as a blur of 0 pixels.
///
/// Applying it then records the step and inserts no node: even the conversion to premultiplied values would change
/// pixels, because it loses the colors of transparent ones.
protocol NeutralFilter: AreaFilter {
  /// Whether its parameters leave every pixel as it is.
  var isNeutral: Bool { get }
}
