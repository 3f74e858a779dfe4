/// What a stage of a program does to colors outside of a gamut, in the linear light of one space.
public struct GamutStage: Sendable {
  /// The ways to change colors.
  package enum Change: Sendable {
    /// Each channel is held in the gamut.
    case clip
    /// ``GamutMapping/reducedChroma``.
    case search
    /// ``GamutMapping/rayTraced``.
    case trace
    /// ``GamutMapping/softKnee(threshold:)``.
    case soften(threshold: Double)
    /// A compression in ACEScg; then perhaps each channel is held in the gamut.
    case compress(GamutCompression, clips: Bool)
    /// The inverse of a compression.
    case expand(GamutCompression)
  }

  /// The way to change colors.
  package let change: Change
  /// The gamut of the space.
  package let gamut: Gamut
  /// From the linear light of the space to ACEScg and back, where that is where colors change.
  package let toFilm, fromFilm: ColorMatrix
  /// The text of this stage in plans.
  public let description: String

  private init(_ change: Change, in space: ColorSpace, _ description: String) {
    (self.change, self.description) = (change, description)
    gamut = Gamut(of: space)
    switch change {
    case .compress, .expand:
      (toFilm, fromFilm) = (space.matrix(to: .acescg), ColorSpace.acescg.matrix(to: space))
    case .clip, .search, .trace, .soften: (toFilm, fromFilm) = (.identity, .identity)
    }
  }

  /// A mapping into the gamut of `target`.
  init(_ mapping: GamutMapping, into target: ColorSpace) {
    let change: Change
    switch mapping {
    case .clipped: change = .clip
    case .reducedChroma: change = .search
    case .rayTraced: change = .trace
    case .softKnee(let threshold):
      let allowed = GamutMapping.softKneeThresholds
      change = .soften(
        threshold: .minimum(.maximum(threshold, allowed.lowerBound), allowed.upperBound))
    case .compressed(let compression): change = .compress(compression, clips: true)
    }
    self.init(change, in: target, "fit into \(target), \(mapping)")
  }

  /// A compression, or what undoes it, of the linear light of `space`.
  init(_ compression: GamutCompression, isUndone: Bool, in space: ColorSpace) {
    if isUndone {
      self.init(.expand(compression), in: space, "gamut compression undone")
    } else {
      self.init(.compress(compression, clips: false), in: space, "gamut compression")
    }
  }

  /// The changed color, in double precision, the reference of the kernels' tests.
  package func callAsFunction(_ light: SIMD3<Double>) -> SIMD3<Double> {
    switch change {
    case .clip: gamut.clipped(light)
    case .search: gamut.holds(light) ? light : gamut.along(light) { $0.searched() }
    case .trace: gamut.holds(light) ? light : gamut.along(light) { $0.traced() }
    case .soften(let threshold): gamut.along(light) { $0.softened(from: threshold) }
    case .compress, .expand: changedInFilm(FormulaVector<Double>(light)).simd
    }
  }

  /// A compression, or its inverse, as a formula.
  package var formula: Formula {
    Formula("\(description) by \(change) in \(gamut)") { changedInFilm($0) }
  }

  /// `light` where nothing changes, and where the result is not finite; perhaps held in the gamut.
  private func changedInFilm<Number: FormulaNumber>(
    _ light: FormulaVector<Number>
  ) -> FormulaVector<Number> {
    let film = toFilm * light
    let (compression, isUndone, clips) =
      switch change {
      case .compress(let compression, let clips): (compression, false, clips)
      case .expand(let compression): (compression, true, false)
      case .clip, .search, .trace, .soften: preconditionFailure("\(self) has no formula.")
      }
    let changed = compression.changed(film, isUndone: isUndone)
    let isSame = (changed.x .== film.x) .& (changed.y .== film.y) .& (changed.z .== film.z)
    let isFinite = changed.sum().magnitude .< Number(.infinity)
    let result = FormulaVector<Number>.select(
      isSame .| .!isFinite, light, fromFilm * changed)
    return clips ? result.clamped(to: gamut.low...gamut.high) : result
  }
}

extension GamutStage: CustomStringConvertible {}
