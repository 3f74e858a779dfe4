import Colorloom

/// The film that a picture was developed as: what `--json` and `--plan` say of it.
struct FilmReport: Encodable, CustomStringConvertible {
  let base, white, contrast, offset: [Double]
  let gray: Bool

  /// Nil where a tone of the film is still to be measured.
  init?(_ film: NegativeFilm) {
    guard case .transmittance(let base) = film.base, case .transmittance(let white) = film.white
    else { return nil }
    (self.base, self.white) = (base.array, white.array)
    (contrast, offset, gray) = (film.contrast.array, film.offset.array, film.isGray)
  }

  /// Base, white and contrast with four digits after the point.
  var description: String {
    func text(_ tone: [Double]) -> String {
      tone.map { "\(($0 * 10_000).rounded() / 10_000)" }.joined(separator: ", ")
    }
    return "base \(text(base)); white \(text(white)); contrast \(text(contrast))"
  }
}

/// The film of a roll, and what was measured on each frame.
struct RollReport: Encodable {
  let film: FilmReport?
  let frames: [Frame]

  struct Frame: Encodable {
    let file: String
    let base, densest: [Double]
    /// How it differs from the roll.
    let finding: String?
  }

  init(_ roll: FilmRoll) {
    film = FilmReport(roll.film)
    frames = roll.frames.map { frame in
      Frame(
        file: frame.name, base: frame.base.array, densest: frame.densest.array,
        finding: roll.finding(on: frame).map { "\($0)" })
    }
  }
}
