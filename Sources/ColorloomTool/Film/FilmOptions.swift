import Colorloom
import Foundation
import ImageFiles

/// The film of the scans, and the regions in which its tones are measured.
struct FilmOptions {
  /// How film is developed.
  enum Kind {
    case film(NegativeFilm)
    case published
    /// A file that ``FilmRoll/json()`` wrote.
    case file(String)
  }

  /// Nil for gray film of scans that have one channel, and color film of all others.
  private var kind: Kind?
  private var curveFile: String?
  private var base: NegativeFilm.Tone?
  private var white: NegativeFilm.Tone?
  private var contrast: SIMD3<Double>?
  private var offset: SIMD3<Double>?
  private var isRoll = false
  private var sources: [String] = []
  private var savedPath: String?
  private var neutral = NeutralRegionOptions()

  static var arguments: [Argument<FilmOptions>] {
    toneArguments + NeutralRegionOptions.arguments.map { $0.within(\.neutral) } + rollArguments
  }

  private static var toneArguments: [Argument<FilmOptions>] {
    [
      .option(
        "--film", .film,
        "color and gray by density, published by curves, the contrast of a process (c-41, ecn-2, black-and-white), or a file of "
          + "--save-film; default: color, and gray for scans of one channel", \.kind
      ).excluding("--film-curves"),
      .option(
        "--film-curves", .pathToRead,
        "file of curves to develop by, in place of “--film”: a line “red 0,0 .5,.4 1,1” for each of red, green and blue",
        \.curveFile),
      .option("--film-base", .transmittance, "transmittance of the film base; default: measured") {
        $0.base = .transmittance($1)
      }.excluding("--film-base-region"),
      .option("--film-base-region", .region, "region of the border to measure the base on") {
        $0.base = .region($1)
      },
      .option("--film-white", .transmittance, "transmittance of white; default: measured") {
        $0.white = .transmittance($1)
      }.excluding("--film-white-region"),
      .option("--film-white-region", .region, "region to measure white on") {
        $0.white = .region($1)
      },
      .option("--film-contrast", .filmContrast, "gamma of the film's layers", \.contrast),
      .option(
        "--film-offset", .tone, "density subtracted from each layer (fog)", \.offset),
    ]
  }

  private static var rollArguments: [Argument<FilmOptions>] {
    [
      .flag(
        "--roll", "measure base and white once, over all pictures; default: on each picture",
        \.isRoll),
      .option(
        "--film-from", .path,
        "a scan, or a folder of them, to measure base and white on; of unexposed film the base alone"
      ) { $0.sources.append($1) },
      .option(
        "--save-film", .path, "write the film of --roll or --film-from as JSON", \.savedPath),
    ]
  }

  /// The curves to develop by; nil where it is done by density.
  func curves() throws -> CurveDevelopment? {
    var curves = try curveFile.map { path in
      try beginReading(path)
      return try CurveDevelopment(contentsOf: path)
    }
    if curves == nil, case .published = kind { curves = .published() }
    guard let curves else { return nil }
    guard base == nil, white == nil, contrast == nil, offset == nil, !isRoll, sources.isEmpty,
      savedPath == nil, !neutral.isGiven
    else {
      throw Misuse(
        "Development by curves has no base, white, contrast, neutral regions, offset or roll. Omit these options, or develop by "
          + "density.")
    }
    return curves
  }

  /// Records the scans of --film-from as files that the command reads.
  func recordSources() throws {
    for file in try PictureListing.at(sources).flatMap(\.files) { Tool.filesRead?.add(file) }
  }

  /// The film as options and files say, before anything is measured.
  ///
  /// - Parameter isGray: Whether the scans have one channel. Contrasts that differ by layer would tint their grays.
  private func film(forGray isGray: Bool) throws -> NegativeFilm {
    var film: NegativeFilm
    switch kind {
    case nil: film = isGray ? .blackAndWhite() : .colorNegative()
    case .film(let kind): film = kind
    case .published: film = .colorNegative()
    case .file(let path): film = try Self.roll(inFile: path).film
    }
    film.base = base ?? film.base
    film.white = white ?? film.white
    film.contrast = contrast ?? film.contrast
    film.offset = offset ?? film.offset
    return film
  }

  /// Whether all pictures are developed as one film: that of a roll, or the saved one.
  private var isShared: Bool { isRoll || !sources.isEmpty || savedPath != nil }

  /// The film of a scan, before it is measured on the scan: that of the roll, or of the scan's channels where neither an option nor a
  /// measurement decided.
  func film(of roll: FilmRoll, forGray isGray: Bool) throws -> NegativeFilm {
    kind == nil && roll.frames.isEmpty && !isShared && !neutral.isGiven
      ? try film(forGray: isGray) : roll.film
  }

  private static func roll(inFile path: String) throws -> FilmRoll {
    let text = try readText(at: path)
    do throws(RecipeDecodingError) { return try FilmRoll(json: text) } catch {
      throw RecipeFileError(file: path, kind: "film description", error: error)
    }
  }

  /// The film of all pictures of a job, measured where that is done once for them. Frames of strips share the measure of all strips.
  func roll(of job: PictureJob, in session: Session) throws -> FilmRoll {
    var film = try film(forGray: false)
    if isRoll, !sources.isEmpty {
      throw Misuse(
        "“--roll” and “--film-from” both say where the film is measured. Leave one of them out.")
    }
    if let savedPath {
      let isMeasured = isRoll || !sources.isEmpty || !job.frames.isEmpty || neutral.isGiven
      guard isMeasured || FilmReport(film) != nil else {
        throw Misuse(
          "“--save-film” writes the film that --roll or --film-from measures, by which all pictures are developed. Add --roll."
        )
      }
      try job.check("--save-film", savedPath, besides: sources)
      try session.reserveOutput(for: savedPath, hasReport: job.printsJSON)
      try checkWriting(to: job.many.pathToCheck(savedPath))
    }
    if kind == nil, isShared || !job.frames.isEmpty || neutral.isGiven,
      try job.areGray(in: session)
    {
      film = try self.film(forGray: true)
    }
    let unmeasured = film
    if neutral.isGiven {
      film = try neutral.fitted(film, from: sources, for: job, in: session)
    }
    let roll: FilmRoll
    if !sources.isEmpty {
      roll = try self.roll(of: film, from: sources, for: job, in: session)
    } else if (isRoll || !job.frames.isEmpty) && FilmReport(film) == nil {
      let frames = try frames(of: &film, at: job.inputs, for: job, in: session)
      roll = try FilmRoll(measuring: film, on: frames)
    } else {
      roll = try self.roll(ofKnown: film, for: job, in: session)
    }
    for note in FilmNotes(roll, measuredAs: unmeasured).all { session.note(note) }
    if let savedPath, !job.showsPlanOnly {
      try writeFile(Array("\(roll.json())\n".utf8), to: savedPath)
      Tool.resultsWritten?.add(savedPath)
    }
    return roll
  }

  /// Measures film on some scans. Where they are of unexposed film, white is measured on the pictures of the job.
  private func roll(
    of film: NegativeFilm, from sources: [String], for job: PictureJob, in session: Session
  ) throws -> FilmRoll {
    var film = film
    let found = try frames(of: &film, at: sources, failing: true, for: job, in: session)
    var border = try FilmRoll(measuringBaseOf: film, on: found)
    let isBlank = found.allSatisfy {
      if case .blank? = border.finding(on: $0) { true } else { false }
    }
    if isBlank, FilmReport(border.film) == nil {
      let frames = try frames(of: &border.film, at: job.inputs, for: job, in: session)
      return try FilmRoll(measuring: border.film, on: frames)
    }
    var roll = try FilmRoll(measuring: film, on: found)
    // Unexposed film is no frame of the roll.
    let others = isBlank ? [] : roll.frames
    roll.frames =
      try others
      + knownFrames(of: &roll.film, for: job, in: session).filter { frame in
        !others.contains { $0.name == frame.name }
      }
    return roll
  }

  /// Film that is not measured on the pictures of the job. Where they share its base, they are measured to find those that differ from it.
  private func roll(
    ofKnown film: NegativeFilm, for job: PictureJob, in session: Session
  ) throws -> FilmRoll {
    var roll = FilmRoll(film)
    guard case .transmittance = film.base else { return roll }
    if isShared || !job.frames.isEmpty {
      roll.frames = try knownFrames(of: &roll.film, for: job, in: session)
    } else if case .file = kind {
      // Without a space, the tones of the file are those of each scan.
      roll.frames = try knownFrames(of: &roll.film, sharingSpace: false, for: job, in: session)
    }
    return roll
  }

  /// Measures the pictures of a job to compare them with known film. Pipes, which can be read only once, are not.
  private func knownFrames(
    of film: inout NegativeFilm, sharingSpace: Bool = true, for job: PictureJob, in session: Session
  ) throws -> [FilmRoll.Frame] {
    guard !job.inputs.contains(where: isPipe) else { return [] }
    return try frames(
      of: &film, at: job.inputs, isKnown: true, sharingSpace: sharingSpace, for: job, in: session)
  }

  /// Measures each file alone, as many at once as fit. Scans without film are named and left out. A file that cannot be read is named when
  /// it is to be developed.
  ///
  /// - Parameters:
  ///   - failing: Whether an error of a file is thrown.
  ///   - isKnown: Whether the scans are compared with the film, which is not measured on them.
  ///   - sharingSpace: Whether film without a color space has that of the first scan, in which scans of another one are measured again.
  private func frames(
    of film: inout NegativeFilm, at paths: [String], failing: Bool = false, isKnown: Bool = false,
    sharingSpace: Bool = true, for job: PictureJob, in session: Session
  ) throws -> [FilmRoll.Frame] {
    let files = try (failing ? PictureListing.at(paths) : job.listings()).flatMap(\.files)
    var results = measure(film, on: files, for: job, in: session)
    if film.space == nil, sharingSpace {
      let spaces = results.map { try? $0.get().space }
      film.space = spaces.lazy.compactMap { $0 }.first
      let others = files.indices.filter { index in
        guard let space = film.space, let other = spaces[index] else { return false }
        return !other.hasPrimaries(of: space)
      }
      try note(others.map { files[$0] }, ofOtherSpaceThan: film, in: session)
      let again = measure(film, on: others.map { files[$0] }, for: job, in: session)
      for (index, result) in zip(others, again) { results[index] = result }
    }
    var frames: [FilmRoll.Frame] = []
    for (path, result) in zip(files, results) {
      do {
        frames.append(try result.get())
      } catch RenderError.source(let error) where error.underlying is NoFilm {
        let difference = isKnown ? "differs from its roll" : "is left out of the measurement"
        session.note("“\(path)” \(difference). \(error)")
      } catch {
        if failing { throw error }
      }
    }
    // Where nothing could be measured, the reason is that of the first.
    if frames.isEmpty, !isKnown, let first = results.first { _ = try first.get() }
    return frames
  }

  private func measure(
    _ film: NegativeFilm, on files: [String], for job: PictureJob, in session: Session
  ) -> [Result<FilmRoll.Frame, any Error>] {
    guard !files.isEmpty else { return [] }
    return forEachFile(
      of: files, "measuring", in: session, reportsFailures: false
    ) { _, path, session in
      try job.measuring(path, in: session) { scan in
        try check(film, on: scan, at: path)
        return try film.frame(path, of: scan, options: session.settings.renderOptions)
      }
    }
  }

  /// Reports scans of another color space than that of the first one. Throws where a tone is known, which is then in either of them.
  private func note(
    _ paths: [String], ofOtherSpaceThan film: NegativeFilm, in session: Session
  ) throws {
    guard let path = paths.first, let space = film.space else { return }
    let scans =
      paths.count == 1
      ? "“\(path)” has another color space than the first scan"
      : "“\(path)” and \(paths.count - 1) more have another color space than the first scan"
    var tones = [film.base, film.white]
    tones.removeAll { if case .transmittance = $0 { false } else { true } }
    guard tones.isEmpty else {
      throw Failure(
        "\(scans), so that the known base or white of the film would be transmittances of two spaces. Convert the scans to one, or "
          + "let both be measured.")
    }
    session.note("\(scans). The film is measured, and developed, in \(space).")
  }

  /// Throws where a region of the film lies outside of a scan, or where an option gives a transmittance and the scan has another color
  /// space than the film.
  func check(_ film: NegativeFilm, on scan: Picture, at path: String) throws {
    for (option, tone) in [("--film-base", base), ("--film-white", white)] {
      guard case .transmittance = tone, let space = film.space, film.needsConversion(of: scan)
      else { continue }
      throw Failure(
        "“\(option)” is a transmittance in \(space), the color space of the film, but “\(path)” has \(scan.space). Convert it first, "
          + "or leave “\(option)” out.")
    }
    if case .region(let region) = film.base {
      try scan.check(region, of: "--film-base-region", at: path)
    }
    if case .region(let region) = film.white {
      try scan.check(region, of: "--film-white-region", at: path)
    }
  }
}

extension Picture {
  /// Throws where a region that an option names reaches outside of the picture.
  func check(_ part: Region, of option: String, at path: String) throws {
    guard !region.contains(part) else { return }
    throw Failure(
      "“\(option) \(part.x),\(part.y),\(part.width)x\(part.height)” reaches outside of “\(path)”, which has "
        + "\(size) pixels.")
  }
}

extension Parser<SIMD3<Double>> {
  /// The gamma of each layer of film, in the range that film has.
  fileprivate static var filmContrast: Parser {
    let (numbers, range) = (tone, NegativeFilm.contrasts)
    let limits = "\(range.lowerBound) to \(Int(range.upperBound))"
    return Parser("R,G,B", needed: "three numbers from \(limits) such as 0.6,0.66,0.7") { word in
      guard let contrast = try numbers.read([word]) else { return nil }
      for (name, value) in zip(["red", "green", "blue"], contrast.array)
      where !range.contains(value) {
        throw Misuse(
          "“--film-contrast” is from \(limits) for each layer; got \(value) for \(name).")
      }
      return contrast
    }
  }
}

extension Parser<FilmOptions.Kind> {
  /// A kind of film or a process by name, or a file of film.
  static var film: Parser {
    var kinds: [(name: String, kind: FilmOptions.Kind)] = [
      ("color", .film(.colorNegative())), ("gray", .film(.blackAndWhite())),
      ("published", .published),
    ]
    kinds += FilmProcess.all.map { ($0.name, .film($0.film())) }
    let names = kinds.map(\.name)
    return Parser(
      (names + ["FILE"]).joined(separator: "|"),
      needed: "one of \(names.joined(separator: ", ")), or a file that ends in .json",
      completion: .words(names)
    ) { word in
      if let named = kinds.first(where: { isSameWord($0.name, word) }) { return named.kind }
      guard word == "-" || word.hasSuffix(".json") else { return nil }
      return try Parser<String>.pathToRead.read([word]).map { .file($0) }
    }
  }
}
