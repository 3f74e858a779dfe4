internal import ColorSpaces
public import ImageBuffer

extension NegativeFilm {
  /// Returns this film with the contrasts and the white by which regions of a scan become neutral.
  ///
  /// The regions show neutral surfaces of the scene at different exposures: patches of a gray wedge, or a gray card in
  /// frames that are joined to one picture. The mean linear transmittance of each counts. Contrasts that do not fit the
  /// film tint highlights and shadows in opposite directions, which no white balance corrects.
  ///
  /// By default exposures are unknown: the contrast of green is kept, and those of red and blue are fitted to it. With
  /// `stops`, the contrasts of all layers are fitted. In each layer both the contrast and the exposure at the toe are
  /// fitted, by least squares of densities, so that two regions become exactly neutral. Choose regions three stops or more
  /// apart, the lightest near white: where densities are low, the toe and the contrast cannot be told apart.
  ///
  /// An unknown base is measured on the scan. White is as bright as that of this film, with the color that makes the
  /// regions neutral. Both are transmittances of the result.
  ///
  /// ```swift
  /// let film = try NegativeFilm.colorNegative().fittingContrasts(on: scan, neutral: [lightGray, darkGray])
  /// ```
  ///
  /// - Parameters:
  ///   - scan: The scan of a negative that shows the regions.
  ///   - regions: Two or more regions, in any order.
  ///   - stops: The exposure of each region in stops, above any common one, such as 0, −2 and −4.
  ///   - options: How the scan is rendered to be measured.
  /// - Throws: ``RecipeError/other(_:)``, as the error of a rendering, where regions are fewer than two, reach outside of
  ///   the scan, are clipped, have nearly equal densities, or have densities that no characteristic curve gives; and the
  ///   errors of ``measured(on:options:)``.
  public func fittingContrasts(
    on scan: Picture, neutral regions: [Region], stops: [Double]? = nil,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> NegativeFilm {
    let space = measuringSpace(of: scan)
    let scan = converted(scan)
    do throws(RecipeError) {
      try NeutralRegions.check(regions, stops: stops, of: scan)
    } catch {
      throw .recipe(error)
    }
    let count = regions.count + 1
    let tones = try tones(on: scan, options: options.part(0, of: count))
    var neutral = NeutralRegions(
      base: tones.base * SIMD3((0..<3).map { power(10, -offset[$0]) }), stops: stops)
    for (index, region) in regions.enumerated() {
      let statistics = try scan.cropped(to: region)
        .statistics(options: options.part(index + 1, of: count))
      do throws(RecipeError) { try neutral.add(region, statistics) } catch { throw .recipe(error) }
    }
    do throws(RecipeError) {
      let curves = try neutral.curves(green: contrast.y)
      var film = self
      film.contrast = SIMD3(curves.map(\.contrast))
      film.base = .transmittance(tones.base)
      let white = neutral.white(tones.densest, isMeasured: self.white == .automatic, on: curves)
      film.white = .transmittance(white)
      film.space = space
      // Throws where white is not darker than the base.
      _ = try NegativeDevelopment(base: neutral.base, white: white, contrast: film.contrast)
      return film
    } catch {
      throw .recipe(error)
    }
  }
}

/// Regions of a scan of film that are neutral in the scene, as densities of its layers.
private struct NeutralRegions {
  /// The transmittance of the film base, with the fog that development subtracts.
  let base: SIMD3<Double>
  /// The exposures of the regions in stops; nil where they are unknown.
  let stops: [Double]?
  /// The density of each region above the base, by layer.
  private var densities: [SIMD3<Double>] = []

  init(base: SIMD3<Double>, stops: [Double]?) { (self.base, self.stops) = (base, stops) }

  /// The least difference of densities that contrasts are fitted to: ten times that of two shades of a scan with 8 bits.
  private static let leastSpan = 0.1
  private static let layers = ["red", "green", "blue"]

  /// A number with four digits after the point.
  private static func text(_ value: Double) -> String { "\((value * 10_000).rounded() / 10_000)" }

  /// Throws where regions cannot be fitted to, whatever they show.
  static func check(
    _ regions: [Region], stops: [Double]?, of scan: Picture
  ) throws(RecipeError) {
    guard regions.count >= 2 else {
      throw .other(
        "Contrasts are fitted to two neutral regions or more, of different exposures; got \(regions.count)."
      )
    }
    for region in regions {
      guard region.width > 0, region.height > 0 else {
        throw .emptySize(width: region.width, height: region.height)
      }
      guard scan.region.contains(region) else {
        throw .other(
          "The neutral region \(region) reaches outside of the scan, which is \(scan.region).")
      }
    }
    guard let stops else { return }
    guard stops.count == regions.count else {
      throw .other(
        "Each neutral region needs its exposure in stops; got \(stops.count) for \(regions.count) regions."
      )
    }
    let limits = -40.0...40.0
    for value in stops where !limits.contains(value) {
      throw .other("The exposure of a neutral region is from −40 to 40 stops; got \(value).")
    }
    guard let least = stops.min(), let greatest = stops.max(), greatest - least >= 0.1 else {
      throw .other(
        "The exposures of neutral regions must differ by 0.1 stops or more; got \(stops).")
    }
  }

  /// Adds a region by the statistics of its linear light.
  mutating func add(_ region: Region, _ statistics: Statistics.Value) throws(RecipeError) {
    guard statistics.count > 0 else {
      throw .other("The neutral region \(region) is fully transparent.")
    }
    let mean = statistics.mean
    var density = SIMD3<Double>.zero
    for channel in 0..<3 {
      let layer = Self.layers[channel]
      guard mean[channel].isFinite else {
        throw .other("The neutral region \(region) has NaN or infinity in \(layer).")
      }
      guard statistics.least[channel] > 0, mean[channel] > 1e-4 * base[channel] else {
        throw .other(
          "The neutral region \(region) is clipped: some of it is black in \(layer). Scan with more light, or choose another "
            + "region.")
      }
      density[channel] = log2(base[channel] / mean[channel]) / log2(10)
      guard density[channel] > 0.005 else {
        throw .other(
          "The neutral region \(region) is no denser than the film base in \(layer): its transmittance is "
            + "\(Self.text(mean[channel])), that of the base \(Self.text(base[channel])). Choose a region that is lighter "
            + "in the scene, or correct the base.")
      }
    }
    densities.append(density)
  }

  /// The curves of the layers, over exposures that are the same for all of them.
  ///
  /// - Parameter green: The contrast of the green layer where exposures are unknown. Its toe is then the unit of exposures.
  func curves(green: Double) throws(RecipeError) -> [CharacteristicFit] {
    let reference = CharacteristicFit(contrast: green, sensitivity: 1)
    let exposures =
      stops.map { stops in stops.map { power(2, $0) } }
      ?? densities.map { reference.exposure(of: $0.y) }
    var curves: [CharacteristicFit] = []
    for channel in 0..<3 {
      let own = densities.map { $0[channel] }
      let span = (own.max() ?? 0) - (own.min() ?? 0)
      guard span >= Self.leastSpan else {
        throw .other(
          "The neutral regions must differ in density by \(Self.leastSpan) or more in each layer; got \(Self.text(span)) "
            + "in \(Self.layers[channel]). Choose regions of different exposures.")
      }
      if stops == nil, channel == 1 {
        curves.append(reference)
        continue
      }
      guard let curve = CharacteristicFit(densities: own, exposures: exposures),
        NegativeFilm.contrasts.contains(curve.contrast),
        // Wrong exposures have errors of half the span.
        curve.largestError <= min(0.1, span / 4)
      else {
        throw .other(
          "The densities of the neutral regions in \(Self.layers[channel]), "
            + own.map(Self.text).joined(separator: ", ")
            + " above the base, are those of no characteristic curve for "
            + (stops == nil ? "the densities in green. " : "these stops. ")
            + "The regions must be neutral, the base that of unexposed film, and the stops in the order of the regions."
        )
      }
      curves.append(curve)
    }
    return curves
  }

  /// The tone of white that makes the regions neutral.
  ///
  /// - Parameters:
  ///   - tone: The white of the film.
  ///   - isMeasured: Whether `tone` is the densest of each channel, of which the one of the highest exposure counts. Otherwise
  ///     the exposure of green is kept.
  func white(
    _ tone: SIMD3<Double>, isMeasured: Bool, on curves: [CharacteristicFit]
  ) -> SIMD3<Double> {
    let exposures = (0..<3).map { channel in
      curves[channel].exposure(
        of: log2(base[channel] / max(tone[channel], 1e-5)) / log2(10))
    }
    let exposure = isMeasured ? exposures.max() ?? 0 : exposures[1]
    return base
      * SIMD3((0..<3).map { power(10, -curves[$0].density(of: exposure)) })
  }
}
