internal import CPixelKernels
internal import ColorSpaces

// Stages that bring colors into a gamut.
extension LoweredProgram {
  func add(_ stage: GamutStage) {
    let gamut = stage.gamut
    switch stage.change {
    case .clip:
      add(CPK_CLAMP, cpk_clamp(low: Float(gamut.low), high: Float(gamut.high)))
    case .search, .trace, .soften:
      // Where all light is held, nothing is done.
      if gamut.high.isFinite { add(CPK_FIT, cpk_fit(stage)) }
    case .compress(let compression, let clips) where compression.isInKernels:
      add(CPK_COMPRESS, cpk_compress(compression, stage, clips: clips))
    case .compress, .expand: add(stage.formula)
    }
  }
}

extension GamutCompression {
  /// Whether the kernels' powers are exact enough for it.
  fileprivate var isInKernels: Bool { (0.5...2.5).contains(power) }
}

extension cpk_compress {
  fileprivate init(_ compression: GamutCompression, _ stage: GamutStage, clips: Bool) {
    func power(_ exponent: Double) -> cpk_power {
      PowerTables.table(of: PowerCurve(exponent: exponent, belowZero: .continued))
    }
    self.init()
    (to_film, from_film) = (cpk_matrix(stage.toFilm), cpk_matrix(stage.fromFilm))
    (threshold, reach) = (floats(compression.threshold), floats(compression.reach))
    (inner, outer) = (power(-compression.power), power(-1 / compression.power))
    self.clips = clips
    (low, high) = (Float(stage.gamut.low), Float(stage.gamut.high))
  }
}

extension cpk_fit {
  fileprivate init(_ stage: GamutStage) {
    self.init()
    let gamut = stage.gamut
    switch stage.change {
    case .trace: method = Int32(CPK_TRACED)
    case .soften(let threshold): (method, self.threshold) = (Int32(CPK_SOFTENED), threshold)
    default: method = Int32(CPK_SEARCHED)
    }
    (low, high) = (gamut.low, gamut.high)
    (darkest, brightest) = (gamut.darkest, gamut.brightest)
    (first, last) = (Float(low), Float(high))
    if Double(first) < low { first = first.nextUp }
    if Double(last) > high { last = last.nextDown }
    fillRows(&to_cones, gamut.toCones)
    fillRows(&from_cones, gamut.fromCones)
    fillRows(&to_opponents, gamut.toOpponents)
    fillRows(&from_opponents, gamut.fromOpponents)
    (noticeable, precision) = (Gamut.noticeableDifference, Gamut.searchPrecision)
    resolution = Gamut.resolution
    // Over four times what single precision is off: 4·10⁻⁷ and 2·10⁻⁶ at most in six million colors around sRGB, whose matrix has rows
    // of 8 together.
    let sums = gamut.fromCones.rows.map { row in abs(row.x) + abs(row.y) + abs(row.z) }
    let size = sums.reduce(8, max) / 8
    sure = Float(2e-6 * size * max(1, brightest))
    sure_light = Float(8e-6 * size * max(1, high))
    root = PowerTables.table(of: PowerCurve(exponent: 1.0 / 3))
  }
}

private func fillRows<Tuple>(_ tuple: inout Tuple, _ matrix: ColorMatrix) {
  withUnsafeMutableBytes(of: &tuple) { bytes in
    let values = matrix.rows.flatMap { [$0.x, $0.y, $0.z] }
    values.withUnsafeBytes { bytes.copyMemory(from: $0) }
  }
}
