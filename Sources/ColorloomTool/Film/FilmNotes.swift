import Colorloom

/// The notes on the frames of a roll, for standard error.
struct FilmNotes {
  /// A sentence for each frame that differs from its roll.
  let onFrames: [String]
  /// A sentence for each kind of finding that does not depend on the roll, because all frames may have it.
  let onScans: [String]

  /// All notes.
  var all: [String] { onFrames + onScans }

  /// Finds what is noteworthy on the frames of a roll.
  ///
  /// - Parameter film: The film before it was measured. A base or white that it knows is not questioned.
  init(_ roll: FilmRoll, measuredAs film: NegativeFilm) {
    func isMeasured(_ tone: NegativeFilm.Tone) -> Bool {
      if case .transmittance = tone { false } else { true }
    }
    var frames: [String] = []
    var (bases, dense, black): ([String], [String], [String]) = ([], [], [])
    var light: [String] = []
    for frame in roll.frames {
      if frame.light > 0, isMeasured(film.base) || isMeasured(film.white) {
        let percent = max(Int((frame.light * 100).rounded()), 1)
        light.append(
          "“\(frame.name)” shows light beside the film on \(percent) % of its area, which is left out"
        )
      }
      guard let finding = roll.finding(on: frame) else { continue }
      let sentence = "“\(frame.name)” \(finding)"
      switch finding {
      case .neutralBase: if isMeasured(film.base) { bases.append(sentence) }
      case .dense: if isMeasured(film.white) { dense.append(sentence) }
      case .black: if isMeasured(film.white) { black.append(sentence) }
      default: frames.append("“\(frame.name)” differs from its roll: it \(finding).")
      }
    }
    onFrames = frames
    onScans = [
      Self.note(bases, "Give the base by --film-base, or pass --film gray."),
      Self.note(dense, "Measure white on the picture by --film-white-region."),
      Self.note(
        light,
        "If it is film, give base and white by --film-base and --film-white, or regions of them."),
      Self.note(black, "If it is part of the picture, give white by --film-white-region."),
    ].compactMap { $0 }
  }

  /// The first of several alike sentences, and the advice.
  private static func note(_ sentences: [String], _ advice: String) -> String? {
    guard let first = sentences.first else { return nil }
    let others = sentences.count - 1
    let more = others == 0 ? "" : "; so with \(others) more"
    return "\(first)\(more). \(advice)"
  }
}
