public import ColorSpaces
public import ImageBuffer

/// A kind of negative film, and what is known of one strip of it.
///
/// Each layer answers to light H with the density γ · log₁₀(1 + H/H₀) above the film's base: the straight line of its
/// characteristic curve with the toe at H₀. What a scanner sees is the base, thinned by that density.
public struct NegativeFilm: Hashable, Sendable {
  /// A tone of the strip: what part of the light passes, in linear red, green and blue.
  @nonexhaustive
  public enum Tone: Hashable, Sendable {
    /// Measured on the picture itself.
    case automatic
    /// Measured on a part of the picture: the median there. A part of the unexposed border is the surest base.
    case region(Region)
    /// Known, from a picked spot or from another frame of the strip.
    case transmittance(SIMD3<Double>)
  }

  /// Unexposed film: the brightest part of a scan, orange with color negatives. Measured, it is the tone that all but the brightest
  /// hundredth stays below; light that passed no film, through holes and beside the strip, does not count with color film.
  public var base: Tone
  /// What the print shows as white. Measured, it is the neutral tone that all but the darkest fiftieth of the scan stays below;
  /// the film's own balance of colors is kept.
  public var white: Tone
  /// γ, the slope of each layer's characteristic curve.
  public var contrast: SIMD3<Double>
  /// The density of each layer above the base that counts as none: fog, or a correction of the shadows' color.
  public var offset: SIMD3<Double>
  /// Whether the film has one layer of silver, so that the print is gray.
  public var isGray: Bool

  /// A film by its tones and contrasts.
  public init(
    base: Tone, white: Tone, contrast: SIMD3<Double>, offset: SIMD3<Double> = .zero,
    isGray: Bool = false
  ) {
    (self.base, self.white, self.contrast) = (base, white, contrast)
    (self.offset, self.isGray) = (offset, isGray)
  }

  /// Color negative film with the usual contrasts of its layers.
  public static func colorNegative(
    base: Tone = .automatic, white: Tone = .automatic
  ) -> NegativeFilm {
    NegativeFilm(base: base, white: white, contrast: [0.60, 0.66, 0.70])
  }

  /// The neutral tone whose light is that of the densest channel of `tone`.
  func neutralTone(asDarkAs tone: SIMD3<Double>, base: SIMD3<Double>) -> SIMD3<Double> {
    let lights = (0..<3).map { power(max(tone[$0], 1e-5) / base[$0], -1 / contrast[$0]) }
    let brightest = lights.max() ?? 1
    return base
      * SIMD3(
        power(brightest, -contrast.x), power(brightest, -contrast.y), power(brightest, -contrast.z))
  }

  /// Black-and-white film in a usual developer.
  public static func blackAndWhite(
    base: Tone = .automatic, white: Tone = .automatic
  ) -> NegativeFilm {
    NegativeFilm(base: base, white: white, contrast: [0.62, 0.62, 0.62], isGray: true)
  }
}

extension NegativeFilm {
  /// This film with its tones measured on a scan, to develop crops of it and other frames of the strip alike.
  public func measured(
    on scan: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> NegativeFilm {
    let (base, white) = try tones(on: scan, options: options)
    var film = self
    (film.base, film.white) = (.transmittance(base), .transmittance(white))
    return film
  }

  /// The light that passes the base, and what shall be white.
  private func tones(
    on scan: Picture, options: RenderOptions
  ) throws(RenderError) -> (base: SIMD3<Double>, white: SIMD3<Double>) {
    var known: Histogram.Counts?
    func whole() throws(RenderError) -> Histogram.Counts {
      if let known { return known }
      let counts = try scan.reduced(by: FilmTones(countsLamp: isGray), options: options)
      known = counts
      return counts
    }
    func median(in region: Region) throws(RenderError) -> SIMD3<Double> {
      try scan.cropped(to: region).reduced(by: FilmTones(countsLamp: true), options: options)
        .percentile(0.5)
    }
    let base: SIMD3<Double> =
      switch self.base {
      case .transmittance(let tone): tone
      case .region(let region): try median(in: region)
      case .automatic: try whole().percentile(0.99)
      }
    let white: SIMD3<Double> =
      switch self.white {
      case .transmittance(let tone): tone
      case .region(let region): try median(in: region)
      case .automatic: neutralTone(asDarkAs: try whole().percentile(0.02), base: base)
      }
    return (base, white)
  }

  /// The development with known tones.
  fileprivate func development(
    base: SIMD3<Double>, white: SIMD3<Double>
  ) throws(RecipeError) -> NegativeDevelopment {
    let fog = SIMD3(power(10, -offset.x), power(10, -offset.y), power(10, -offset.z))
    return try NegativeDevelopment(base: base * fog, white: white, contrast: contrast)
  }

  /// The development of a scan, its tones measured first.
  fileprivate func development(
    of scan: Picture, options: RenderOptions
  ) throws(RenderError) -> NegativeDevelopment {
    let (base, white) = try tones(on: scan, options: options)
    do { return try development(base: base, white: white) } catch { throw .recipe(error) }
  }
}

/// A histogram of a scan's light, with or without the pixels where the lamp is seen beside the film.
private struct FilmTones: Reduction, CustomStringConvertible {
  /// Whether white counts. Color film has an orange base and is white nowhere; the base of gray film may well be.
  var countsLamp: Bool

  private var histogram: Histogram { Histogram(steps: 65_536, domain: .linear) }

  func start(in space: ColorSpace) -> Histogram.Counts { histogram.start(in: space) }

  func add(_ pixel: SIMD4<Float>, to state: inout Histogram.Counts) {
    if countsLamp || min(pixel.x, pixel.y, pixel.z) < 0.98 { histogram.add(pixel, to: &state) }
  }

  var description: String { "the tones of film" }
}

/// From the light that passed a negative back to the light of the scene.
///
/// The inverse of the film's characteristic curve: light that leaves base as it is was none, and the white tone becomes 1. For the part T
/// of light that passed, `H = ((T / base)^(−1/γ) − 1) / ((white / base)^(−1/γ) − 1)`, in each layer.
///
/// What the scanner of a lab does, before any print. That density rises by γ for each tenfold of light is Ferdinand Hurter's and Vero
/// Driffield's (“Photo-chemical investigations and a new method of determination of the sensitiveness of photographic plates”, Journal of
/// the Society of Chemical Industry, 1890). Printing densities back to light by a power of 10 over γ, less that of the base, is how Kodak
/// reads Cineon files (“Conversion of 10-bit log film data to 8-bit linear or video data”, 1995).
public struct NegativeDevelopment: PointFilter {
  /// What part of the light passes unexposed film, and the densest film that matters.
  public var base, white: SIMD3<Double>
  /// γ of each layer.
  public var contrast: SIMD3<Double>

  /// The development of a film whose tones are known. In each channel the base must be brighter than the white tone.
  public init(
    base: SIMD3<Double>, white: SIMD3<Double>, contrast: SIMD3<Double>
  ) throws(RecipeError) {
    guard all(white .> 0), all(white .< base), all(contrast .> 0.05), all(contrast .< 20) else {
      throw .filmTones(base: base, white: white, contrast: contrast)
    }
    (self.base, self.white, self.contrast) = (base, white, contrast)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A power for each layer.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let curves = (0..<3).map { Curve.power(curve(of: $0)) }
    program.append(.curves("negative development", curves[0], curves[1], curves[2]))
  }

  /// H = (T / base)^(−1/γ) − 1, scaled so that the white tone gives 1.
  private func curve(of channel: Int) -> PowerCurve {
    let exponent = -1 / contrast[channel]
    let scale = 1 / (power(white[channel] / base[channel], exponent) - 1)
    // No film is denser than 4 above its base; what a scanner reports below that is its own noise.
    let darkest = base[channel] * 1e-4
    return PowerCurve(
      scale: scale * power(base[channel], -exponent), exponent: exponent, offset: -scale,
      slope: 0, intercept: scale * (power(1e-4, exponent) - 1), threshold: darkest,
      belowZero: .continued)
  }
}

/// From the light of a scene to the light that passes the negative made of it: the inverse of ``NegativeDevelopment``.
public struct NegativeExposure: PointFilter {
  let development: NegativeDevelopment

  /// The exposure that `development` undoes.
  public init(undoneBy development: NegativeDevelopment) { self.development = development }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A power for each layer.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let film = development
    let curves = (0..<3).map { channel -> Curve in
      // T = base · (1 + H/H₀)^−γ with H₀ = 1 / ((white / base)^(−1/γ) − 1).
      let toe =
        1 / (power(film.white[channel] / film.base[channel], -1 / film.contrast[channel]) - 1)
      return .power(
        PowerCurve(
          scale: film.base[channel] * power(toe, film.contrast[channel]), shift: toe,
          exponent: -film.contrast[channel], slope: 0, intercept: film.base[channel],
          belowZero: .clamped))
    }
    program.append(.curves("negative exposure", curves[0], curves[1], curves[2]))
  }
}

extension NegativeDevelopment: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<NegativeDevelopment>(
    "negative-development", RecipeField("base", \.base), RecipeField("white", \.white),
    RecipeField("contrast", \.contrast)
  ) { base, white, contrast throws(RecipeError) in
    try NegativeDevelopment(base: base, white: white, contrast: contrast)
  }
}

extension NegativeExposure: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<NegativeExposure>(
    "negative-exposure", RecipeField("base", \.development.base),
    RecipeField("white", \.development.white), RecipeField("contrast", \.development.contrast)
  ) { base, white, contrast throws(RecipeError) in
    NegativeExposure(
      undoneBy: try NegativeDevelopment(base: base, white: white, contrast: contrast))
  }
}

/// A scan of a negative as the light of the scene it shows, its tones measured where they are not known.
struct NegativeScan: CompoundFilter, RecipeFilter {
  var film: NegativeFilm

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.measured(as: film)
  }

  static let recipeForm = RecipeForm<NegativeScan>(
    "develop", RecipeField("base", \.film.base, default: .automatic),
    RecipeField("white", \.film.white, default: .automatic),
    RecipeField("contrast", \.film.contrast, default: NegativeFilm.colorNegative().contrast),
    RecipeField("offset", \.film.offset, default: .zero),
    RecipeField("gray", \.film.isGray, default: false)
  ) {
    NegativeScan(
      film: NegativeFilm(base: $0, white: $1, contrast: $2, offset: $3, isGray: $4))
  }
}

extension NegativeFilm.Tone: RecipeChoice {
  /// The words for it in recipes; a transmittance has its numbers.
  public static let recipeCases: [RecipeCase<NegativeFilm.Tone>] = [
    RecipeCase("automatic", .automatic),
    RecipeCase("region", { if case .region(let region) = $0 { region } else { nil } }) {
      .region($0)
    },
    RecipeCase("transmittance", { if case .transmittance(let tone) = $0 { tone } else { nil } }) {
      .transmittance($0)
    },
  ]
}

extension Picture {
  /// This scan of a negative as the light of the scene it shows. Tones that are not known are measured when the picture is rendered.
  ///
  /// The light is linear and nothing is clipped: exposure and white balance come after it like on any photograph, and a print's curve
  /// last; see ``Picture/printed(contrast:blackest:gray:)``.
  public func developed(_ film: NegativeFilm) -> Picture { applying(NegativeScan(film: film)) }

  fileprivate func measured(as film: NegativeFilm) -> Picture {
    let scan = entering(.linear)
    let light: Picture
    if case .transmittance(let base) = film.base, case .transmittance(let white) = film.white {
      light = scan.applying { () throws(RecipeError) in
        try film.development(base: base, white: white)
      }
    } else {
      light = scan.applying(
        Measured(name: "negative development, its film base and white measured first", of: scan) {
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
