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

  static var arguments: [Argument<FilmOptions>] {
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
      savedPath == nil
    else {
      throw Misuse(
        "Development by curves has no base, white, contrast, offset or roll. Omit these options, or develop by "
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
    kind == nil && roll.frames.isEmpty && !isShared ? try film(forGray: isGray) : roll.film
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
      guard isRoll || !sources.isEmpty || !job.frames.isEmpty || FilmReport(film) != nil else {
        throw Misuse(
          "“--save-film” writes the film that --roll or --film-from measures, by which all pictures are developed. Add --roll."
        )
      }
      try job.check("--save-film", savedPath, besides: sources)
      try session.reserveOutput(for: savedPath, hasReport: job.printsJSON)
      try checkWriting(to: job.many.pathToCheck(savedPath))
    }
    if kind == nil, isShared || !job.frames.isEmpty, try job.areGray(in: session) {
      film = try self.film(forGray: true)
    }
    var roll = FilmRoll(film)
    if !sources.isEmpty {
      roll = try Self.roll(of: film, from: sources, for: job, in: session)
    } else if (isRoll || !job.frames.isEmpty) && FilmReport(film) == nil {
      roll = try FilmRoll(
        measuring: film, on: Self.frames(of: film, at: job.inputs, for: job, in: session))
    }
    for frame in roll.frames {
      if let finding = roll.finding(on: frame) {
        session.note("“\(frame.name)” differs from its roll: it \(finding).")
      }
    }
    if let savedPath, !job.showsPlanOnly {
      try writeFile(Array("\(roll.json())\n".utf8), to: savedPath)
      Tool.resultsWritten?.add(savedPath)
    }
    return roll
  }

  /// Measures film on some scans. Where they are of unexposed film, white is measured on the pictures of the job.
  private static func roll(
    of film: NegativeFilm, from sources: [String], for job: PictureJob, in session: Session
  ) throws -> FilmRoll {
    let frames = try frames(of: film, at: sources, failing: true, for: job, in: session)
    let border = try FilmRoll(measuringBaseOf: film, on: frames)
    let isBlank = frames.allSatisfy {
      if case .blank? = border.finding(on: $0) { true } else { false }
    }
    if case .transmittance = film.white { return border }
    guard isBlank else { return try FilmRoll(measuring: film, on: frames) }
    return try FilmRoll(
      measuring: border.film,
      on: Self.frames(of: border.film, at: job.inputs, for: job, in: session))
  }

  /// Measures each file alone, as many at once as fit. Scans without film are named and left out. A file that cannot be read is named when
  /// it is to be developed.
  private static func frames(
    of film: NegativeFilm, at paths: [String], failing: Bool = false, for job: PictureJob,
    in session: Session
  ) throws -> [FilmRoll.Frame] {
    let files = try PictureListing.at(paths).flatMap(\.files)
    let results = forEachFile(
      of: files, "measuring", in: session, reportsFailures: false
    ) { _, path, session in
      try job.measuring(path, in: session) { scan in
        try check(film, on: scan, at: path)
        return try film.frame(path, of: scan, options: session.settings.renderOptions)
      }
    }
    var frames: [FilmRoll.Frame] = []
    for (path, result) in zip(files, results) {
      do {
        frames.append(try result.get())
      } catch RenderError.source(let error) where error.underlying is NoFilm {
        session.note("“\(path)” is left out of the measurement. \(error)")
      } catch {
        if failing { throw error }
      }
    }
    // Where nothing could be measured, the reason is that of the first.
    if frames.isEmpty, let first = results.first { _ = try first.get() }
    return frames
  }

  /// Throws where a region of the film lies outside of a scan.
  static func check(_ film: NegativeFilm, on scan: Picture, at path: String) throws {
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
