/// Returns the distance of two floats in units in the last place, counted in representable values.
///
/// Equal values are 0 apart, as are the two zeros and any two NaNs; a NaN and a number are `UInt64.max` apart. Infinity
/// is one step beyond the largest finite number.
public func ulpDistance(_ first: Float, _ second: Float) -> UInt64 {
  steps(
    between: first, UInt64(first.magnitude.bitPattern),
    and: second, UInt64(second.magnitude.bitPattern))
}

/// Returns the distance of two doubles in units in the last place, counted in representable values.
///
/// The rules for zeros, NaN and infinity are those of the function for `Float`.
public func ulpDistance(_ first: Double, _ second: Double) -> UInt64 {
  steps(between: first, first.magnitude.bitPattern, and: second, second.magnitude.bitPattern)
}

/// Counts the steps by the bit patterns of the magnitudes, which are ordered like the nonnegative values.
private func steps<Number: FloatingPoint>(
  between first: Number, _ firstBits: UInt64, and second: Number, _ secondBits: UInt64
) -> UInt64 {
  switch (first.isNaN, second.isNaN) {
  case (true, true): return 0
  case (false, false): break
  default: return .max
  }
  if first.sign != second.sign { return firstBits + secondBits }
  return firstBits > secondBits ? firstBits - secondBits : secondBits - firstBits
}
