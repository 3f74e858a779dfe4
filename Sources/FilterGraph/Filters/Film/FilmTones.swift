internal import ColorSpaces

/// A histogram of a scan in linear light, with or without the pixels that show the scanner's light beside the film.
struct FilmTones: SizedReduction, RowReduction, CustomStringConvertible {
  /// Whether white pixels are counted. Color film has an orange base and is nowhere white; the base of black-and-white
  /// film may be.
  var countsLamp: Bool

  private var histogram: Histogram { Histogram(uncheckedSteps: 65_536, domain: .linear) }

  /// Beside the counts of a region, those of the whole scan may be kept.
  var stateByteCount: Int { 2 * histogram.stateByteCount }

  /// The tones of a scan, and the number of its pixels that were left out as the scanner's light.
  struct Counts: Sendable {
    var film: Histogram.Counts
    var lampCount = 0
  }

  func start(in space: ColorSpace) -> Counts { Counts(film: histogram.start(in: space)) }

  func add(_ pixel: SIMD4<Float>, to state: inout Counts) {
    let color = SIMD3(pixel.x, pixel.y, pixel.z)
    if isFilm(color) {
      histogram.add(pixel, to: &state.film)
    } else if isLamp(color) {
      state.lampCount += 1
    }
  }

  func add(_ pixels: PixelRow, to state: inout Counts) {
    var lampCount = 0
    histogram.add(pixels, to: &state.film) { color in
      if isFilm(color) { return true }
      if isLamp(color) { lampCount += 1 }
      return false
    }
    state.lampCount += lampCount
  }

  private func isFilm(_ color: SIMD3<Float>) -> Bool { countsLamp || color.min() < Self.lampLevel }

  /// NaN is neither film nor light.
  private func isLamp(_ color: SIMD3<Float>) -> Bool { color.min() >= Self.lampLevel }

  fileprivate static let lampLevel: Float = 0.98

  var description: String { "the tones of film" }
}

/// Why no tone of film can be measured on a scan.
package enum NoFilm: MeasurementError, Hashable, Sendable {
  /// All pixels are as white as the scanner's light.
  case onlyLamp
  /// A channel of nearly all pixels is 0.
  case onlyBlack
  /// No pixel is counted.
  case nothing

  /// What the scan shows.
  package var description: String {
    switch self {
    case .onlyLamp:
      "The scan shows only the scanner's light, no film: all channels are \(FilmTones.lampLevel) or more."
    case .onlyBlack: "The scan shows no film: it is black, or a channel of it is."
    case .nothing: "The scan shows no film: all of its pixels are transparent or NaN."
    }
  }
}

extension Picture {
  /// Returns the tones of the film that this scan shows. Throws ``NoFilm`` where it shows none.
  func filmTones(of film: NegativeFilm, options: RenderOptions) throws(RenderError) -> FilmCounts {
    let tones = try reduced(by: FilmTones(countsLamp: film.isGray), options: options)
    let counts = tones.film
    guard counts.pixelCount > 0 else {
      throw .source(SourceError(tones.lampCount > 0 ? NoFilm.onlyLamp : .nothing))
    }
    // A percentile that leaves out a few defective pixels.
    guard all(counts.percentile(0.99) .> 0) else {
      throw .source(SourceError(NoFilm.onlyBlack))
    }
    var known: SIMD3<Double>?
    if case .transmittance(let base) = film.base { known = base }
    // Fully transparent pixels are no part of the scan, and not told from others there.
    return FilmCounts(
      counts, excludedCount: hasAlpha ? 0 : tones.lampCount, base: known, isGray: film.isGray)
  }
}

/// The tones of a scan, and which parts of them are no film: the scanner's light, and what is black.
///
/// Both are the brightest or the densest pixels in every channel, so that a part of the pixels says how many to leave out
/// at that end of each channel, and the scan is not rendered again.
struct FilmCounts {
  private let counts: Histogram.Counts
  /// The part of the pixels that shows the scanner's light, below the level that ``FilmTones`` leaves out.
  private var lamp = 0.0
  /// The part of all pixels that shows the scanner's light, at any level. 0 for less than a hundredth, such as holes of dust.
  private(set) var light = 0.0
  /// The part of the pixels that is denser than film: a film holder, or missing rows.
  private(set) var black = 0.0

  /// Finds what is no film, by a known base, or by the measured one. `excludedCount` further pixels are not among the counts, because they
  /// show the scanner's light.
  init(
    _ counts: Histogram.Counts, excludedCount: Int, base: SIMD3<Double>?, isGray: Bool
  ) {
    self.counts = counts
    // The base of black-and-white film is as neutral as the light.
    if !isGray { lamp = lampPart() }
    let (count, excluded) = (Double(counts.pixelCount), Double(excludedCount))
    light = (excluded + lamp * count) / (excluded + count)
    if light < 0.01 { light = 0 }
    black = blackPart(under: base ?? percentile(0.99))
  }

  /// The tone of each channel below which the fraction `part` of the film lies.
  func percentile(_ part: Double) -> SIMD3<Double> {
    counts.percentile(black + part * (1 - lamp - black))
  }

  /// The part of the pixels in a brightest cluster that is neutral, as the base of color film never is, where an orange
  /// base comes next.
  private func lampPart() -> Double {
    let brightest = counts.percentile(0.99)
    guard Self.isNeutral(brightest) else { return 0 }
    let parts = (0..<3).compactMap { channel in
      ChannelCounts(counts, channel: channel).partAboveGap(under: brightest[channel])
    }
    // The orange base lies near the light in red, and far below it in blue.
    guard let part = parts.min(), part < 1 else { return 0 }
    let base = counts.percentile(0.99 * (1 - part)) / brightest
    let isOrange = base.x >= base.y && base.y >= base.z && base.x >= Self.leastOrange * base.z
    // Blue light of a scene is dense in red, too, where the scanner is balanced for the film base.
    return isOrange && base.x >= Self.leastRed ? part : 0
  }

  /// The part of the pixels that is too dense for a picture on film.
  private func blackPart(under base: SIMD3<Double>) -> Double {
    let parts = (0..<3).map { ChannelCounts(counts, channel: $0).partBelowGap(under: base[$0]) }
    let part = parts.max() ?? 0
    // Fewer pixels are defects, or lamps in the scene, which the percentile of white leaves out.
    guard part >= 0.01, part < 1 else { return 0 }
    // Black is dense in all channels, a saturated color is not.
    let median = counts.percentile(part / 2)
    return all(median .<= base * power(10, -1.2)) ? part : 0
  }

  /// Whether channels differ by less than those of any orange base under a light that the scanner is balanced for.
  static func isNeutral(_ tone: SIMD3<Double>) -> Bool { tone.max() <= 1.3 * tone.min() }

  /// The least ratio of red to blue of a base that is orange: blue is 0.18 denser.
  private static let leastOrange = 1.5
  /// The least transmittance of an orange base in red, relative to the light: a density of 0.4.
  private static let leastRed = 0.4
}

/// The counts of a channel, summed up.
private struct ChannelCounts {
  /// The counts of all bins before each bin, and of all.
  private let sums: [Int]

  init(_ counts: Histogram.Counts, channel: Int) {
    var (sums, sum) = ([0], 0)
    sums.reserveCapacity(counts.steps + 1)
    for step in 0..<counts.steps {
      sum += counts[channel, step]
      sums.append(sum)
    }
    self.sums = sums
  }

  private var total: Int { sums[sums.count - 1] }

  /// The number of values in bins whose middle is below `tone`.
  private func count(below tone: Double) -> Int {
    let bin = (tone * Double(sums.count - 2)).rounded(.up)
    return sums[Int(min(max(bin, 0), Double(sums.count - 1)))]
  }

  private func count(_ tones: Range<Double>) -> Int {
    count(below: tones.upperBound) - count(below: tones.lowerBound)
  }

  /// The part of the values in a cluster at `tone`, above a gap of 0.15 of density. Nil where there is no gap.
  func partAboveGap(under tone: Double) -> Double? {
    var cut = 0.9 * tone
    while cut > 0.2 * tone {
      let above = total - count(below: cut)
      if Self.isGap(count(cut / 1.4..<cut), beside: above) { return Double(above) / Double(total) }
      cut *= 0.98
    }
    return nil
  }

  /// The part of the values that a gap of 0.4 of density, or more, separates from the film, and that are denser than the base by
  /// 1.8: by an exposure four stops above white. 0 where there is no gap.
  func partBelowGap(under base: Double) -> Double {
    var cut = base * power(10, -1.8)
    while cut > base * 1e-3 {
      let below = count(below: cut)
      if Self.isGap(count(cut..<2.5 * cut), beside: below) { return Double(below) / Double(total) }
      cut *= 0.95
    }
    return 0
  }

  /// Whether so few tones lie between a cluster and the others that they are its blurred edge.
  private static func isGap(_ count: Int, beside cluster: Int) -> Bool {
    cluster > 0 && 8 * count <= cluster
  }
}
