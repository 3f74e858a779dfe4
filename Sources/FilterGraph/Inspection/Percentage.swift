/// Returns a fraction as a percentage with two decimals, or with more where it would round to 0 or to 100.
///
/// “0.0 %” then means that nothing counts, and “100.0 %” that everything does.
package func percent(_ fraction: Double) -> String {
  let percent = fraction * 100
  let rounded = [1e2, 1e6].map { (percent * $0).rounded() / $0 }
  return "\(rounded.first { $0 == percent || ($0 != 0 && $0 != 100) } ?? percent)"
}
