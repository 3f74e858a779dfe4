package import ColorSpaces

/// The film of a roll, with what was measured on its frames: one base and one white for all of them.
///
/// Frames that are developed with one film agree: the same exposure becomes the same light, whatever else a frame
/// shows. A film is data; ``json()`` writes it, and ``init(json:)`` reads it:
///
/// ```json
/// {
///   "version": 1,
///   "film": {
///     "base": {"transmittance": [0.82, 0.47, 0.28]},
///     "white": {"transmittance": [0.08, 0.04, 0.02]},
///     "contrast": [0.6, 0.6, 0.6]
///   },
///   "frames": [{"name": "01.tif", "base": [0.82, 0.47, 0.28], "densest": [0.08, 0.04, 0.02]}]
/// }
/// ```
///
/// The transmittances of a base or white are above 0. It may also be `"automatic"`, to be measured, or a `"region"`;
/// `"offset"`, `"gray"` and `"frames"` may be missing. The film's `"space"`, such as `"ACEScg"`, is the linear color space of
/// its transmittances; without it they are in that of each scan.
public struct FilmRoll: Hashable, Sendable {
  /// The version of the format of ``json()``.
  private static let version = 1

  /// What a frame shows of its film.
  public struct Frame: Hashable, Sendable {
    /// The name of the frame, such as that of its file.
    public let name: String
    /// The transmittance of the brightest film, by channel.
    public let base: SIMD3<Double>
    /// The transmittance of the densest film that matters, by channel.
    public let densest: SIMD3<Double>
    /// The linear color space of both. Nil for grays, and where it is unknown.
    package var space: ColorSpace?
    /// The part of the scan that is denser than film, such as a film holder, and that is left out.
    package var black = 0.0
    /// The part of the scan that shows light beside the film, such as through sprocket holes, and that is left out.
    package var light = 0.0

    /// Creates what was measured on a frame.
    public init(name: String, base: SIMD3<Double>, densest: SIMD3<Double>) {
      (self.name, self.base, self.densest) = (name, base, densest)
    }
  }

  /// How a frame differs from its roll.
  @nonexhaustive
  public enum Finding: Hashable, Sendable {
    /// Nothing is denser than by this above the base; the white of the roll does not depend on the frame.
    case blank(density: Double)
    /// The brightest tone differs from the base by these densities: the frame shows no unexposed film, or light that
    /// passes beside it.
    case otherBase(density: SIMD3<Double>)
    /// The base of color film is neutral: it is the scanner's light, or the film is black and white.
    case neutralBase
    /// Much of the frame is denser by this above the base than pictures are, as a film holder is.
    case dense(density: Double)
    /// This part of the frame, 0 to 1, is so dense, and apart from all other tones, that it is taken for a film holder, or for
    /// missing rows, and left out.
    case black(part: Double)
  }

  /// The film. Where it was measured, its base and white are transmittances.
  public var film: NegativeFilm { didSet { fillSpaces() } }
  /// What was measured on each frame.
  public var frames: [Frame] { didSet { fillSpaces() } }

  /// Creates a roll of known film.
  public init(_ film: NegativeFilm, frames: [Frame] = []) {
    (self.film, self.frames) = (film, frames)
    fillSpaces()
  }

  /// States the film's color space on frames without one, as reading JSON does: otherwise a roll would differ from the one that is
  /// read from its JSON.
  private mutating func fillSpaces() {
    guard let space = film.space, frames.contains(where: { $0.space == nil }) else { return }
    frames = frames.map { $0.filling(in: space) }
  }

  /// The density above the base up to which a frame is blank: where ISO 6 finds the first exposure that counts.
  private static let leastDensity = 0.1
  /// The difference of densities from which on a frame's base is another one: a sixth of a stop of the scanner's light.
  private static let otherDensity = 0.05
  /// The density above the base that no picture reaches: an exposure five stops above white, with a contrast of 0.6.
  private static let mostDensity = 2.0
  /// The order statistic of bases and exposures over frames.
  private static let quartile = 0.75

  /// Measures the base and the white of a roll on its frames.
  ///
  /// Both are upper quartiles by nearest rank (the maximum of up to three frames), of each channel for the base, and of
  /// the exposures of the densest tones for white. Frames without unexposed film are darker than the base and do not
  /// move it while more than a quarter of all frames show it; light beside the film in at most a quarter of them does not,
  /// either. Blank frames do not count for white. A base or white of `film` that is known stays.
  ///
  /// - Throws: ``RecipeError/other(_:)`` where there is no frame, where a tone of one is NaN or infinite, where white is unknown
  ///   and all frames are blank, or where a tone is unknown and frames were measured in two color spaces.
  public init(measuring film: NegativeFilm, on frames: [Frame]) throws(RecipeError) {
    try self.init(measuringBaseOf: film, on: frames)
    guard case .transmittance(let base) = self.film.base else { return }
    if case .transmittance = film.white { return }
    let exposed = frames.filter {
      Self.density(of: $0.densest, over: base).max() >= Self.leastDensity
    }
    guard !exposed.isEmpty else {
      throw .other(
        "White cannot be measured: nothing on \(frames.count == 1 ? "the frame" : "the \(frames.count) frames") is "
          + "denser than \(Self.leastDensity) above the base. Give it as a transmittance, or measure on exposed frames."
      )
    }
    switch film.white {
    case .automatic:
      let exposures = exposed.map { film.exposure(ofDensest: $0.densest, base: base) }
      self.film.white = .transmittance(
        film.neutralTone(of: Self.upperQuartile(exposures), base: base))
    case .region, .transmittance:
      // The densest are the smallest.
      self.film.white = .transmittance(
        -Self.channels { channel in exposed.map { -$0.densest[channel] } })
    }
  }

  /// Measures the base alone, as ``init(measuring:on:)`` does, such as on a scan of unexposed film.
  public init(measuringBaseOf film: NegativeFilm, on frames: [Frame]) throws(RecipeError) {
    try NegativeFilm.declaration.check(film)
    guard !frames.isEmpty else { throw .other("A roll of film is measured on one frame or more.") }
    for frame in frames where !(frame.base + frame.densest).sum().isFinite {
      throw .other(
        "The tones of “\(frame.name)” must be finite: a base or a densest tone is NaN or infinite.")
    }
    self.init(film, frames: frames)
    if !film.isKnown { self.film.space = try Self.space(of: film, measuredOn: frames) }
    if case .transmittance = film.base { return }
    self.film.base = .transmittance(Self.channels { channel in frames.map { $0.base[channel] } })
  }

  /// How a frame differs from the roll; nil where it does not.
  public func finding(on frame: Frame) -> Finding? {
    guard case .transmittance(let base) = film.base else { return nil }
    let frame = frame.converted(to: film.space)
    let other = Self.density(of: frame.base, over: base)
    if max(other.max(), -other.min()) >= Self.otherDensity { return .otherBase(density: other) }
    let most = Self.density(of: frame.densest, over: base).max()
    if most < Self.leastDensity { return .blank(density: most) }
    if !film.isGray, FilmCounts.isNeutral(frame.base) { return .neutralBase }
    // Silver film reaches such densities.
    if !film.isGray, most > Self.mostDensity { return .dense(density: most) }
    return frame.black > 0 ? .black(part: frame.black) : nil
  }

  private static func density(of tone: SIMD3<Double>, over base: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((0..<3).map { log2(base[$0] / max(tone[$0], 1e-5)) / log2(10) })
  }

  private static func channels(_ values: (Int) -> [Double]) -> SIMD3<Double> {
    SIMD3((0..<3).map { upperQuartile(values($0)) })
  }

  private static func upperQuartile(_ values: [Double]) -> Double {
    let rank = Int((quartile * Double(values.count)).rounded(.up))
    return values.sorted()[rank - 1]
  }
}

extension FilmRoll.Finding: CustomStringConvertible {
  /// A predicate to follow the name of the frame, with densities, such as “is blank. Nothing is denser than 0.05 above the base”; the
  /// period at the end is missing.
  public var description: String {
    func text(_ density: Double) -> String {
      guard abs(density) < 1e6 else { return density < 0 ? "−∞" : "+∞" }
      let hundredths = Int((abs(density) * 100).rounded())
      let digits = "\(hundredths % 100)"
      return (density < 0 ? "−" : "+") + "\(hundredths / 100)." + (digits.count < 2 ? "0" : "")
        + digits
    }
    switch self {
    case .blank(let density):
      return "is blank. Nothing is denser than \(text(density).dropFirst()) above the base"
    case .otherBase(let density):
      let list = (0..<3).map { text(density[$0]) }.joined(separator: ", ")
      let shown = density.sum() > 0 ? "no unexposed film" : "light beside the film"
      return "shows \(shown). Its brightest tone differs from the base by densities of \(list)"
    case .neutralBase:
      return
        "has a neutral base, which no color film has. It may be light beside the film, or black-and-white film"
    case .dense(let density):
      return
        "is denser than a picture: by \(text(density).dropFirst()) above the base. It may be a film holder, which makes the print dark"
    case .black(let part):
      let percent = max(Int((part * 100).rounded()), 1)
      return "shows a film holder or other black on \(percent) % of its area, which is left out"
    }
  }
}

extension NegativeFilm {
  /// Returns what a scan shows of its base and its densest tone, to measure a roll, or to find how the scan differs from one.
  ///
  /// Both are measured although this film may know its own, in one pass over the scan.
  ///
  /// - Throws: ``RenderError/source(_:)`` where a tone is measured on a scan that shows no film, such as an empty slot
  ///   of a film holder. Leave it out of the roll.
  public func frame(
    _ name: String, of scan: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> FilmRoll.Frame {
    var unknown = self
    if case .transmittance = base { unknown.base = .automatic }
    if case .transmittance = white { unknown.white = .automatic }
    let tones = try unknown.tones(on: converted(scan), options: options)
    var frame = FilmRoll.Frame(name: name, base: tones.base, densest: tones.densest)
    frame.space = measuringSpace(of: scan)
    (frame.black, frame.light) = (tones.black, tones.light)
    return frame
  }
}

// MARK: JSON

extension FilmRoll {
  /// Reads what ``json()`` wrote.
  public init(json text: String) throws(RecipeDecodingError) {
    try self.init(recipe: RecipeSource(RecipeValue(json: text), at: ""))
  }

  /// The film and its frames as JSON.
  public func json() throws(RecipeEncodingError) -> String { try recipeValue().text }
}

extension FilmRoll: RecipeRecord {
  /// The declaration of a file of film.
  public static let declaration = Declaration<FilmRoll>(
    of: "film",
    Parameter("version", { _ in version }, "the version of the format", in: version...version),
    Parameter("film", \.film, "the film"),
    Parameter(
      "frames", { roll in roll.frames.map { $0.leavingOut(roll.film.space) } },
      "what was measured on each frame", default: [])
  ) { _, film, frames in FilmRoll(film, frames: frames) }
}

extension FilmRoll.Frame: RecipeRecord {
  /// The declaration of a frame in a file of film.
  public static let declaration = Declaration<FilmRoll.Frame>(
    of: "frame",
    Parameter("name", \.name, "the name of the frame"),
    Parameter("base", \.base, "the transmittance of the brightest film, by channel"),
    Parameter("densest", \.densest, "the transmittance of the densest film, by channel"),
    Parameter("space", \.space, "the color space of both; otherwise that of the film"),
    Parameter(
      "black", \.black, "the part of the scan that is denser than film", default: 0, in: 0...1
    ).omittedAtDefault(),
    Parameter(
      "light", \.light, "the part of the scan that shows light beside the film", default: 0,
      in: 0...1
    ).omittedAtDefault()
  ) { name, base, densest, space, black, light in
    var frame = FilmRoll.Frame(name: name, base: base, densest: densest)
    (frame.space, frame.black, frame.light) = (space?.withColors.linear, black, light)
    return frame
  }
}

extension NegativeFilm: RecipeRecord {
  /// The declaration of film in files.
  public static let declaration: Declaration<NegativeFilm> = {
    let film = parameters { (film: NegativeFilm) in film }
    return Declaration<NegativeFilm>(
      of: "film", film.base, film.white, film.contrast, film.offset, film.gray,
      Parameter("space", \.space, "the color space of known tones; otherwise that of each scan")
    ) { base, white, contrast, offset, isGray, space in
      var film = NegativeFilm(
        base: base, white: white, contrast: contrast, offset: offset, isGray: isGray)
      film.space = space?.withColors.linear
      return film
    }
  }()
}
