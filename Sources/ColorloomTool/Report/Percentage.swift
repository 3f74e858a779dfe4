/// Returns a fraction as a percentage with two decimals, or with all digits where it would round to 0 or to 100.
func percent(_ fraction: Double) -> String {
  let percent = fraction * 100
  let rounded = (percent * 100).rounded() / 100
  let hidesPixels = (rounded == 0 || rounded == 100) && rounded != percent
  return "\(hidesPixels ? percent : rounded)"
}
