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
    var (light, blank, clipped): ([String], [String], [String]) = ([], [], [])
    for frame in roll.frames {
      if isMeasured(film.base), let channels = Self.channelsAtOne(of: frame, isGray: film.isGray) {
        clipped.append(
          "“\(frame.name)” has a film base of 1\(channels), and no greater value is measured: it may be clipped"
            + (film.isGray ? ", or light beside the film" : ""))
      }
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
      // Other frames do not say what becomes white.
      case .blank where film.white == .automatic && roll.frames.count == 1: blank.append(sentence)
      default: frames.append("“\(frame.name)” differs from its roll: it \(finding).")
      }
    }
    onFrames = frames
    onScans = [
      Self.note(bases, "Give the base by --film-base, or pass --film gray."),
      Self.note(clipped, "Scan with less light, or give the base by --film-base."),
      Self.note(
        blank,
        "Its densest tone, which may be noise, becomes white: give white by --film-white, or measure it on other frames by "
          + "--film-from."),
      Self.note(dense, "Measure white on the picture by --film-white-region."),
      Self.note(
        light,
        "If it is film, give base and white by --film-base and --film-white, or regions of them."),
      Self.note(black, "If it is part of the picture, give white by --film-white-region."),
    ].compactMap { $0 }
  }

  /// Names the channels in which the base of a frame is the greatest value that is measured, such as “ in red”; nothing where all are, and
  /// nil where none is. A neutral base of color film is another finding.
  private static func channelsAtOne(of frame: FilmRoll.Frame, isGray: Bool) -> String? {
    let base = frame.base.array
    let names = zip(["red", "green", "blue"], base).filter { $0.1 >= 1 }.map(\.0)
    if names.isEmpty || !isGray && names.count == 3 { return nil }
    return names.count == 3 ? "" : " in \(names.joined(separator: " and "))"
  }

  /// The first of several alike sentences, and the advice.
  private static func note(_ sentences: [String], _ advice: String) -> String? {
    guard let first = sentences.first else { return nil }
    let others = sentences.count - 1
    let more = others == 0 ? "" : "; so with \(others) more"
    return "\(first)\(more). \(advice)"
  }
}
