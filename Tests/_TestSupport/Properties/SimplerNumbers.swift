/// The shrink candidates of an integer: the number of the range nearest to zero, then numbers ever closer to the value.
///
/// The last candidate is one step away, so shrinking ends exactly on a threshold.
func simplerIntegers(for value: Int, in range: ClosedRange<Int>) -> [Int] {
  // The distance to the origin cannot overflow, since the origin lies between zero and the value.
  let distance = value - clamped(0, to: range)
  let steps = sequence(first: distance) { $0 / 2 }.prefix { $0 != 0 }
  return steps.map { value - $0 }
}

/// The shrink candidates of a floating-point number: the number of the range nearest to zero, the negation of a
/// negative number, numbers with fewer binary digits, then numbers ever closer to the value.
///
/// NaN and infinities are less simple than any finite number.
func simplerNumbers<Number: BinaryFloatingPoint>(
  for value: Number, in range: ClosedRange<Number>
) -> [Number] {
  let origin = clamped(0, to: range)
  if value.isNaN { return [origin] }
  if value == 0 && value.sign == .minus { return [0] }
  let opposite = value < 0 && range.contains(-value) ? [-value] : []
  if value.isInfinite {
    let greatest = Number.greatestFiniteMagnitude
    return [origin] + opposite + [value < 0 ? -greatest : greatest]
  }

  var closer = [origin]
  for digits in [0, 1, 2, 4, 8, 16] as [Number.Exponent] {
    let scale = Number(sign: .plus, exponent: digits, significand: 1)
    closer.append((value * scale).rounded(.towardZero) / scale)
  }
  // A huge number shrinks by its exponent: halving would take a thousand steps.
  let root = value.magnitude.squareRoot()
  closer.append(value < 0 ? -root : root)
  var step = (value - origin) / 2
  for _ in 0..<24 {
    closer.append(value - step)
    step /= 2
  }
  let distance = (value - origin).magnitude
  closer = closer.filter { range.contains($0) && ($0 - origin).magnitude < distance }
  return Array(closer.prefix(1)) + opposite + Array(closer.dropFirst())
}

private func clamped<Number: Comparable>(_ value: Number, to range: ClosedRange<Number>) -> Number {
  min(max(value, range.lowerBound), range.upperBound)
}
