import Colorloom

/// The film that a picture was developed as: what `--json` and `--plan` say of it.
struct FilmReport: Encodable, CustomStringConvertible {
  let base, white, contrast, offset: [Double]
  let gray: Bool
  /// The name of the linear color space of the tones; nil for that of the picture.
  let space: String?

  /// Nil where a tone of the film is still to be measured.
  init?(_ film: NegativeFilm) {
    guard case .transmittance(let base) = film.base, case .transmittance(let white) = film.white
    else { return nil }
    (self.base, self.white) = (base.array, white.array)
    (contrast, offset, gray) = (film.contrast.array, film.offset.array, film.isGray)
    space = film.space?.name
  }

  /// Base, white and contrast with four digits after the point, and other values that are not the default.
  var description: String {
    func text(_ tone: [Double]) -> String {
      tone.map { "\(($0 * 10_000).rounded() / 10_000)" }.joined(separator: ", ")
    }
    var parts = ["base \(text(base))", "white \(text(white))", "contrast \(text(contrast))"]
    if offset.contains(where: { $0 != 0 }) { parts.append("offset \(text(offset))") }
    if gray { parts.append("gray") }
    if let space { parts.append("in \(space)") }
    return parts.joined(separator: "; ")
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
