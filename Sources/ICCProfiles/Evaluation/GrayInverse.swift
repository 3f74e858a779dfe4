/// The numerical inverse of a conversion from one device value, 0…1, to luminance, for gray profiles without a table from the PCS.
struct GrayInverse: Sendable {
  private static let stepCount = 256

  private let function: @Sendable (Double) -> Double
  /// The luminances of 0 and 1.
  private let first, last: Double
  private var isFalling: Bool { last < first }
  /// The greatest luminances up to equal steps from 0 to 1, and the least ones of a falling conversion.
  private let extremes: [Double]

  init(_ function: @escaping @Sendable (Double) -> Double) {
    let values = (0...Self.stepCount).map { function(Double($0) / Double(Self.stepCount)) }
    self.function = function
    (first, last) = (values[0], values[Self.stepCount])
    let isFalling = last < first
    extremes = values.indices.reduce(into: []) { extremes, index in
      let before = extremes.last ?? values[0]
      extremes.append(isFalling ? min(before, values[index]) : max(before, values[index]))
    }
  }

  /// Returns the device value with the luminance, or the end that is nearer to it.
  ///
  /// The regula falsi, with the Illinois rule, ends with its second step where the conversion is linear.
  func callAsFunction(_ luminance: Double) -> Double {
    if isFalling ? luminance >= first : luminance <= first { return 0 }
    if isFalling ? luminance <= last : luminance >= last { return 1 }
    guard luminance == luminance else { return luminance }
    let index = firstStep(beyond: luminance)
    guard index > 0 else { return 0 }
    // Differences from the luminance, below zero at the lower end.
    let sign = isFalling ? -1.0 : 1.0
    func difference(_ x: Double) -> Double { sign * (function(x) - luminance) }
    var (low, high) = (
      Double(index - 1) / Double(Self.stepCount), Double(index) / Double(Self.stepCount)
    )
    var (below, above) = (difference(low), difference(high))
    var wasBelow: Bool?
    for _ in 0..<60 where below < 0 && above > 0 && high - low > 0x1p-53 {
      let middle = min(max(low - below * (high - low) / (above - below), low), high)
      let found = difference(middle)
      if found == 0 { return middle }
      if found < 0 {
        (low, below) = (middle, found)
        if wasBelow == true { above /= 2 }
      } else {
        (high, above) = (middle, found)
        if wasBelow == false { below /= 2 }
      }
      wasBelow = found < 0
    }
    return above <= -below ? high : low
  }

  /// The first step at which the conversion has reached the luminance.
  private func firstStep(beyond luminance: Double) -> Int {
    var (low, high) = (0, Self.stepCount)
    while low < high {
      let middle = (low + high) / 2
      let isBeyond = isFalling ? extremes[middle] <= luminance : extremes[middle] >= luminance
      if isBeyond { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
