extension Gamut.Ray {
  /// The color with its chroma brought below ``limit`` by the formula of ``GamutMapping/softKnee(threshold:)``.
  func softened(from threshold: Double) -> SIMD3<Double> {
    guard chroma > 0 else { return light }
    let limit = limit
    let knee = threshold * limit
    guard chroma > knee else { return light }
    let room = limit - knee
    let x = (chroma - knee) / room
    // Far out the square would overflow long after the fraction has become 1.
    return light(at: x < 1e100 ? knee + room * x / (1 + x * x).squareRoot() : limit)
  }

  /// The most chroma up to which the gamut holds this lightness and hue without a gap.
  ///
  /// Each channel is a cubic in chroma. Between the turning points of all three they rise or fall, so that a stretch whose ends are
  /// inside is inside as a whole, and one that ends outside is left once.
  var limit: Double {
    let (constant, linear, square, cubic) = cubics
    func isInside(_ chroma: Double) -> Bool {
      gamut.holds(constant + chroma * (linear + chroma * (square + chroma * cubic)))
    }
    // At most two for each channel, in their order; behind them nothing but infinity.
    var turns = SIMD8<Double>(repeating: .infinity)
    func insert(_ turn: Double) {
      guard turn > 0, turn.isFinite, var place = turns.indices.last else { return }
      while place > 0, turns[place - 1] > turn {
        turns[place] = turns[place - 1]
        place -= 1
      }
      turns[place] = turn
    }
    for channel in 0..<3 {
      // 3k₃c² + 2k₂c + k₁ = 0, without a difference of like numbers.
      let (a, half, c) = (3 * cubic[channel], square[channel], linear[channel])
      let discriminant = half * half - a * c
      guard discriminant > 0 else { continue }
      let q = -(half + (half < 0 ? -1 : 1) * discriminant.squareRoot())
      insert(q / a)
      insert(c / q)
    }
    var leaving = 0
    while turns[leaving].isFinite, isInside(turns[leaving]) { leaving += 1 }
    var inside = leaving == 0 ? 0 : turns[leaving - 1]
    var outside = turns[leaving].isFinite ? turns[leaving] : max(2 * inside, 1)
    while isInside(outside) { outside *= 2 }
    while true {
      let middle = (inside + outside) / 2
      if middle <= inside || middle >= outside { return inside }
      if isInside(middle) { inside = middle } else { outside = middle }
    }
  }
}
