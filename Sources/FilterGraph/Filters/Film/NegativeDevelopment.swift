package import ColorSpaces
public import ImageBuffer

/// A kind of negative film, and the tones of one strip of it.
///
/// Each layer responds to exposure H with the density γ · log₁₀(1 + H/H₀) above the film base: the straight line of its
/// characteristic curve with a toe at H₀. A scanner measures the transmittance of the base times that of the layers.
public struct NegativeFilm: Hashable, Sendable {
  /// A tone of the strip: its transmittance in linear red, green and blue.
  @nonexhaustive
  public enum Tone: Hashable, Sendable {
    /// Measured on the whole picture.
    case automatic
    /// Measured on a region of the picture: its median. The unexposed border is the most reliable base.
    case region(Region)
    /// Known, from a picked spot or from another frame of the strip.
    case transmittance(SIMD3<Double>)
  }

  /// The film base: the brightest part of a scan, orange for color negatives. If measured, it is the 99th percentile of
  /// each channel, where values above 1, of scans in floats, count as 1.
  ///
  /// For color film, light beside it is excluded where all channels are 0.98 or more, and below that if it is neutral, apart
  /// from all film, and an orange base comes next. The base of black-and-white film cannot be told from it.
  public var base: Tone
  /// The tone that becomes white in the print. If measured, it is the neutral tone of the 2nd percentile of the scan;
  /// the film's own color balance is kept. A film holder is excluded: what is at least 1.8 denser than the base, and apart from
  /// all film by a density of 0.4.
  public var white: Tone
  /// γ, the slope of each layer's characteristic curve, 0.05 to 20.
  public var contrast: SIMD3<Double>
  /// The density of each layer above the base to subtract: fog, or a color correction of the shadows.
  public var offset: SIMD3<Double>
  /// Whether the film has a single silver layer, so that the print is gray.
  public var isGray: Bool
  /// The linear color space of known tones, in which the film is developed. Nil for that of each scan.
  package var space: ColorSpace?

  /// Creates a film by its tones and contrasts. Its transmittances are in the color space of the scans.
  public init(
    base: Tone, white: Tone, contrast: SIMD3<Double>, offset: SIMD3<Double> = .zero,
    isGray: Bool = false
  ) {
    (self.base, self.white, self.contrast) = (base, white, contrast)
    (self.offset, self.isGray) = (offset, isGray)
  }

  /// Returns color negative film with the usual contrasts of its layers.
  public static func colorNegative(
    base: Tone = .automatic, white: Tone = .automatic
  ) -> NegativeFilm {
    NegativeFilm(base: base, white: white, contrast: [0.60, 0.66, 0.70])
  }

  /// The exposure of the densest channel of `tone`, as a multiple of that at the toe of the characteristic curve.
  func exposure(ofDensest tone: SIMD3<Double>, base: SIMD3<Double>) -> Double {
    (0..<3).map { power(max(tone[$0], 1e-5) / base[$0], -1 / contrast[$0]) }.max() ?? 1
  }

  /// Returns the neutral tone of an exposure.
  func neutralTone(of exposure: Double, base: SIMD3<Double>) -> SIMD3<Double> {
    base
      * SIMD3(
        power(exposure, -contrast.x), power(exposure, -contrast.y), power(exposure, -contrast.z))
  }

  /// Returns black-and-white film in a usual developer.
  public static func blackAndWhite(
    base: Tone = .automatic, white: Tone = .automatic
  ) -> NegativeFilm {
    NegativeFilm(base: base, white: white, contrast: [0.62, 0.62, 0.62], isGray: true)
  }
}

extension NegativeFilm {
  /// Returns this film with its tones measured on a scan, to develop its crops and other frames of the strip alike.
  ///
  /// - Throws: ``RenderError/source(_:)`` where a tone is measured on a scan that shows no film: that is all black, or, of
  ///   color film, all as white as the scanner's light. ``RecipeError/filmTones(base:white:)``, as the error of a
  ///   rendering, where the base is not brighter than the white tone.
  public func measured(
    on scan: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> NegativeFilm {
    try measured("", on: scan, options: options).film
  }

  /// Returns the roll of a single frame: this film with its tones measured on a scan, and the frame. Film that is known is measured on
  /// none.
  package func measured(
    _ name: String, on scan: Picture, options: RenderOptions
  ) throws(RenderError) -> FilmRoll {
    let tones = try tones(on: converted(scan), options: options)
    let white = white(ofDensest: tones.densest, base: tones.base)
    do throws(RecipeError) { _ = try development(base: tones.base, white: white) } catch {
      throw .recipe(error)
    }
    guard !isKnown else { return FilmRoll(self) }
    var film = self
    film.base = .transmittance(tones.base)
    film.white = .transmittance(white)
    film.space = measuringSpace(of: scan)
    var frame = FilmRoll.Frame(name: name, base: tones.base, densest: tones.densest)
    (frame.space, frame.black, frame.light) = (film.space, tones.black, tones.light)
    return FilmRoll(film, frames: [frame])
  }

  /// Whether base and white are known.
  var isKnown: Bool {
    if case .transmittance = base, case .transmittance = white { true } else { false }
  }

  /// The tone that becomes white.
  private func white(ofDensest tone: SIMD3<Double>, base: SIMD3<Double>) -> SIMD3<Double> {
    guard white == .automatic else { return tone }
    return neutralTone(of: exposure(ofDensest: tone, base: base), base: base)
  }

  /// How many renderings ``tones(on:options:)`` takes: one for each region, and one for all that is automatic.
  private var passCount: Int {
    let (base, white) = (self.base, self.white)
    func isRegion(_ tone: Tone) -> Bool { if case .region = tone { true } else { false } }
    let regions = (isRegion(base) ? 1 : 0) + (isRegion(white) ? 1 : 0)
    return max(regions + (base == .automatic || white == .automatic ? 1 : 0), 1)
  }

  /// What a scan shows of its film.
  struct ScanTones {
    /// The transmittances of the base, and of the densest tone that matters.
    let base, densest: SIMD3<Double>
    /// The parts of the scan that are denser than film, and that show light beside it.
    let black, light: Double
  }

  /// Measures the tones of a scan that are not known.
  func tones(on scan: Picture, options: RenderOptions) throws(RenderError) -> ScanTones {
    do throws(RecipeError) { try Self.declaration.check(self) } catch { throw .recipe(error) }
    let count = passCount
    var (known, pass): (FilmCounts?, Int) = (nil, 0)
    func nextPass() -> RenderOptions {
      pass += 1
      return options.part(pass - 1, of: count)
    }
    func whole() throws(RenderError) -> FilmCounts {
      if let known { return known }
      let counts = try scan.filmTones(of: self, options: nextPass())
      known = counts
      return counts
    }
    func median(in region: Region) throws(RenderError) -> SIMD3<Double> {
      // A region without film has tones that the caller refuses by their values.
      try scan.cropped(to: region)
        .reduced(by: FilmTones(countsLamp: true), options: nextPass()).film.percentile(0.5)
    }
    let base: SIMD3<Double> =
      switch self.base {
      case .transmittance(let tone): tone
      case .region(let region): try median(in: region)
      case .automatic: try whole().percentile(0.99)
      }
    let densest: SIMD3<Double> =
      switch white {
      case .transmittance(let tone): tone
      case .region(let region): try median(in: region)
      case .automatic: try whole().percentile(0.02)
      }
    return ScanTones(
      base: base, densest: densest, black: known?.black ?? 0, light: known?.light ?? 0)
  }

  /// The development with known tones.
  func development(
    base: SIMD3<Double>, white: SIMD3<Double>
  ) throws(RecipeError) -> NegativeDevelopment {
    let fog = SIMD3(power(10, -offset.x), power(10, -offset.y), power(10, -offset.z))
    return try NegativeDevelopment(base: base * fog, white: white, contrast: contrast)
  }

  /// The development of a scan whose tones are measured first.
  fileprivate func development(
    of scan: Picture, options: RenderOptions
  ) throws(RenderError) -> NegativeDevelopment {
    let tones = try tones(on: scan, options: options)
    do {
      return try development(
        base: tones.base, white: white(ofDensest: tones.densest, base: tones.base))
    } catch {
      throw .recipe(error)
    }
  }
}

/// Inverts a scan of a negative to scene-linear light.
///
/// The inverse of the film's characteristic curve: the base becomes 0, and the white tone 1. For the transmittance T,
/// `H = ((T / base)^(−1/γ) − 1) / ((white / base)^(−1/γ) − 1)`, in each layer.
///
/// Lab scanners do the same before they apply a print curve. The linear rise of density, γ per decade of exposure, is
/// due to Ferdinand Hurter and Vero Driffield (“Photo-chemical investigations and a new method of determination of the
/// sensitiveness of photographic plates”, Journal of the Society of Chemical Industry, 1890). Kodak converts the
/// printing densities of Cineon files to linear values by the same power of 10 over γ, less that of the base
/// (“Conversion of 10-bit log film data to 8-bit linear or video data”, 1995).
package struct NegativeDevelopment: PointFilter {
  /// The transmittances of the film base, and of the densest tone that matters.
  package let base, white: SIMD3<Double>
  /// γ of each layer.
  package let contrast: SIMD3<Double>

  /// Creates the development of a film with known tones. In each channel the base must be brighter than the white tone.
  package init(
    base: SIMD3<Double>, white: SIMD3<Double>, contrast: SIMD3<Double>
  ) throws(RecipeError) {
    guard all(white .> 0), all(white .< base) else { throw .filmTones(base: base, white: white) }
    (self.base, self.white, self.contrast) = (base, white, contrast)
    try Self.declaration.check(self)
    // Below this difference of exposures, rounding would decide what becomes white.
    for channel in 0..<3 where exposure(ofWhite: channel) <= 1e-12 {
      throw .filmTones(base: base, white: white)
    }
  }

  /// Linear light: a scan's linear values are proportional to the film's transmittances.
  package var domain: PixelDomain { .linear }

  /// Appends a power for each layer.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let curves = (0..<3).map { Curve.power(curve(of: $0)) }
    program.append(.curves("negative development", curves[0], curves[1], curves[2]))
  }

  /// (white / base)^(−1/γ) − 1: the exposure of the white tone, where an exposure of 0 gives the base.
  func exposure(ofWhite channel: Int) -> Double {
    power(white[channel] / base[channel], -1 / contrast[channel]) - 1
  }

  /// H = (T / base)^(−1/γ) − 1, scaled so that the white tone gives 1.
  private func curve(of channel: Int) -> PowerCurve {
    let exponent = -1 / contrast[channel]
    let scale = 1 / exposure(ofWhite: channel)
    // No film has a density of more than 4 above its base; lower transmittances are the scanner's noise. With contrasts below 0.16, less
    // may make light that single precision cannot hold.
    let darkest = max(1e-4, power(NegativeFilm.greatestLight / scale, -contrast[channel]))
    return PowerCurve(
      scale: scale * power(base[channel], -exponent), exponent: exponent, offset: -scale,
      slope: 0, intercept: scale * (power(darkest, exponent) - 1),
      threshold: base[channel] * darkest, belowZero: .continued)
  }
}

extension NegativeFilm {
  /// The allowed values of γ.
  package static let contrasts = 0.05...20.0

  /// The allowed transmittances of the base: scans may hold that of film times their exposure, or times 65,535 where they have a
  /// scanner's integers as floats. Beyond, factors of the power overflow or underflow single precision, and their product is NaN.
  package static let bases = 1e-9...1e6

  /// The allowed transmittances of white. Those of a measured scan may be low, where layers differ in contrast.
  package static let whites = 1e-20...1e6

  /// The greatest light that development makes, so that no pixel is infinite in single precision.
  static let greatestLight = 1e37
}

extension NegativeDevelopment: RecipeFilter {
  /// The declaration of `negative-development`.
  package static let declaration = Declaration<NegativeDevelopment>(
    "negative-development", "Inverts a scan of a negative whose base and white are known.",
    Parameter(
      "base", \.base, "the transmittance of unexposed film, by channel", unit: "linear light",
      in: NegativeFilm.bases, sample: [1, 0.8, 0.7]),
    Parameter(
      "white", \.white, "the transmittance of what becomes white, darker than the base, by channel",
      unit: "linear light", in: NegativeFilm.whites, sample: [0.1, 0.08, 0.07]),
    Parameter(
      "contrast", \.contrast, "the slope γ of the characteristic curve, by layer",
      in: NegativeFilm.contrasts, sample: NegativeFilm.colorNegative().contrast)
  ) { base, white, contrast throws(RecipeError) in
    try NegativeDevelopment(base: base, white: white, contrast: contrast)
  }.with(.develops)
    .computing(
      "((T / base)^(−1 / contrast) − 1) / ((white / base)^(−1 / contrast) − 1) for each transmittance T."
    )
    .clamping(clampsDensity)

  /// What references say of dense film.
  fileprivate static let clampsDensity =
    "Transmittances below 1/10,000 of the base, a density of 4 above it, count as that, and light above 10³⁷ as 10³⁷."
}

/// Develops a scan of a negative to scene-linear light, and measures unknown tones.
struct NegativeScan: CompoundFilter, RecipeFilter {
  let film: NegativeFilm

  init(film: NegativeFilm) throws(RecipeError) {
    self.film = film
    try Self.declaration.check(self)
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.measured(as: film)
  }

  static let declaration = NegativeFilm.declared(
    "develop", "Develops a scan of a negative to scene-linear light, measuring base and white.",
    swift: "picture.developed(.colorNegative())", of: { $0.film }
  ) { film throws(RecipeError) in try NegativeScan(film: film) }
  .keepingGray { $0.film.isGray }.with(.develops).clamping(NegativeDevelopment.clampsDensity)
}

extension NegativeFilm {
  /// The parameters of film that something has.
  static func parameters<Root>(
    of film: @escaping @Sendable (Root) -> NegativeFilm
  ) -> (
    base: Parameter<Root, Tone>, white: Parameter<Root, Tone>,
    contrast: Parameter<Root, SIMD3<Double>>, offset: Parameter<Root, SIMD3<Double>>,
    gray: Parameter<Root, Bool>
  ) {
    (
      Parameter(
        "base", { film($0).base }, "unexposed film: measured on the scan or on a region, or known",
        default: .automatic),
      Parameter(
        "white", { film($0).white },
        "what becomes white: measured on the scan or on a region, or known", default: .automatic),
      Parameter(
        "contrast", { film($0).contrast }, "the slope γ of the characteristic curve, by layer",
        default: NegativeFilm.colorNegative().contrast, in: NegativeFilm.contrasts),
      Parameter(
        "offset", { film($0).offset },
        "the density above the base that is subtracted as fog, by layer", unit: "density",
        default: .zero),
      Parameter(
        "gray", { film($0).isGray }, "whether the film is black and white", default: false)
    )
  }

  /// The declaration of something that film determines.
  static func declared<Root>(
    _ name: String, _ summary: String, swift: String = "",
    of film: @escaping @Sendable (Root) -> NegativeFilm,
    make: @escaping @Sendable (NegativeFilm) throws(RecipeError) -> Root
  ) -> Declaration<Root> {
    let film = parameters(of: film)
    return Declaration<Root>(
      name, summary, swift: swift, film.base, film.white, film.contrast, film.offset, film.gray
    ) { base, white, contrast, offset, isGray throws(RecipeError) in
      try make(
        NegativeFilm(base: base, white: white, contrast: contrast, offset: offset, isGray: isGray))
    }
  }
}

extension NegativeFilm.Tone: RecipeChoice {
  /// The cases in recipes; a region and a transmittance have their values.
  public static let recipeCases: [RecipeCase<NegativeFilm.Tone>] = [
    RecipeCase("automatic", .automatic),
    RecipeCase("region", { if case .region(let region) = $0 { region } else { nil } }) {
      .region($0)
    },
    RecipeCase("transmittance", { if case .transmittance(let tone) = $0 { tone } else { nil } }) {
      tone throws(RecipeError) in .transmittance(try checked(tone))
    },
  ]

  /// Returns a transmittance that has a density in each channel; throws where one is 0 or less.
  private static func checked(_ tone: SIMD3<Double>) throws(RecipeError) -> SIMD3<Double> {
    guard all(tone .> 0) else {
      throw .other(
        "The transmittance of film must be above 0 in each channel; got \(tone.x), \(tone.y), \(tone.z)."
      )
    }
    return tone
  }
}

extension Picture {
  /// Returns this scan of a negative as scene-linear light. Unknown tones are measured when the picture is rendered.
  ///
  /// Nothing is clipped. Adjust exposure and white balance afterwards, as of any photograph, and apply a print curve
  /// last; see ``Picture/paperCurve(contrast:blackest:gray:)``.
  ///
  /// Film that was measured on a scan of another color space is developed in that space, and the light is converted back.
  public func developed(_ film: NegativeFilm) -> Picture {
    let scan = film.converted(self)
    var own = film
    own.space = nil
    let light = scan.applying { () throws(RecipeError) in try NegativeScan(film: own) }
    return film.needsConversion(of: self) ? light.converted(to: space) : light
  }

  fileprivate func measured(as film: NegativeFilm) -> Picture {
    let scan = entering(.linear)
    let light: Picture
    if case .transmittance(let base) = film.base, case .transmittance(let white) = film.white {
      light = scan.applying { () throws(RecipeError) in
        try film.development(base: base, white: white)
      }
    } else {
      light = scan.applying(
        Measured(
          name: "negative development, its film base and white measured first", of: scan,
          stateByteCount: FilmTones(countsLamp: film.isGray).stateByteCount
        ) {
          options throws(RenderError) in
          var options = options
          options.progress = nil
          let development = try film.development(of: scan, options: options)
          return PointProgram { development.describe(to: &$0, in: scan.space) }
        })
    }
    return film.isGray ? light.monochrome() : light
  }
}
