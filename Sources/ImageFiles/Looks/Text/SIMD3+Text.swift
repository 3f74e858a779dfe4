extension SIMD3<Double> {
  /// The three values with spaces between them, as look files state them.
  var spaceSeparated: String { "\(x) \(y) \(z)" }
}
