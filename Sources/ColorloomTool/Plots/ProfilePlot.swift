import Colorloom
import ICCProfiles

/// What a profile does, as a drawing: its gamut beside that of a reference space in u′v′ and in slices of Lab, its curves, the values of
/// its neutral axis, and how far colors come back from its tables.
struct ProfilePlot {
  private let profile: ICCProfile
  private let reference: ColorSpace
  private let channels: Int
  private let names: [String]
  private let toLab: ICCTransform
  /// Nil where the profile does not lead from colors to its values.
  private let fromLab: ICCTransform?
  /// Values of the profile all over their range, and their colors in Lab.
  private let samples: [(values: [Double], lab: SIMD3<Double>)]

  /// A plot of the profile of a device or a space.
  init(_ profile: ICCProfile, beside reference: ColorSpace) throws {
    guard let channels = profile.channelCount, !profile.isDeviceLink,
      !["Lab", "XYZ"].contains(profile.modelName)
    else {
      throw Failure(
        "“\(profile)” is a profile of kind “\(profile.kind)”, which stands for no device, so there is no gamut to "
          + "plot.")
    }
    (self.profile, self.reference, self.channels) = (profile, reference, channels)
    names =
      switch profile.modelName {
      case "RGB": ["red", "green", "blue"]
      case "GRAY": ["gray"]
      default: profile.inkNames
      }
    let toLab = try ICCTransform(from: .profile(profile), to: .space(.lab))
    self.toLab = toLab
    fromLab = try? ICCTransform(from: .space(.lab), to: .profile(profile))
    samples = Self.values(channels).map { ($0, SIMD3(toLab($0))) }
  }

  /// A grid of up to four channels; of more, two at a time and some between.
  private static func values(_ channels: Int) -> [[Double]] {
    let steps = [1: 65, 2: 17, 3: 9, 4: 6][channels] ?? 0
    if steps > 0 {
      return (0..<channels).reduce([[]] as [[Double]]) { colors, _ in
        colors.flatMap { color in (0..<steps).map { color + [Double($0) / Double(steps - 1)] } }
      }
    }
    var colors: [[Double]] = []
    for first in 0..<channels {
      for second in first..<channels {
        for (a, b) in [(1.0, 0.0), (0.5, 0), (1, 1), (0.5, 0.5), (1, 0.5), (0.5, 1)] {
          var color = [Double](repeating: 0, count: channels)
          color[first] = a
          color[second] = max(color[second], b)
          colors.append(color)
        }
      }
    }
    var state: UInt64 = 1
    func next() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / Double(1 << 24)
    }
    return colors + (0..<1000).map { _ in (0..<channels).map { _ in next() } }
  }

  // MARK: - Drawing

  private static let device = PlotDrawing.Color(0.80, 0.15, 0.15)
  private static let other = PlotDrawing.Color(repeating: 0.55)

  /// All panels, three beside each other, with legends below.
  var drawing: PlotDrawing {
    let (width, height) = (420.0, 390.0)
    let legendRows = [gamutLegend, referenceSlices + deviceSlices, channelLegend].map {
      PlotPanel.rowCount(ofLegend: $0, width: width)
    }
    // Two lines of text are below the round trips.
    let below = PlotPanel.heightBelowAxes(rows: legendRows.reduce(2, max))
    let pitch = height + below + 44
    var drawing = PlotDrawing(width: 1560, height: Int(90 + pitch + height + below + 10))
    drawing.text(
      "\(profile) (\(profile.kind), version \(profile.version)), beside \(reference.name)",
      at: [70, 34], .zero)
    func panel(_ index: Int, _ across: ClosedRange<Double>, _ up: ClosedRange<Double>) -> PlotPanel
    {
      PlotPanel(
        left: 70 + 515 * Double(index % 3), top: 90 + pitch * Double(index / 3), width: width,
        height: height, across: across, up: up)
    }
    drawChromaticities(in: panel(0, 0...0.65, 0...0.65), on: &drawing)
    drawSlices(in: panel(1, -120...120, -120...120), on: &drawing)
    drawCurves(in: panel(2, 0...1, 0...100), on: &drawing)
    drawNeutrals(in: panel(3, 0...100, 0...1), on: &drawing)
    drawRoundTrips(in: panel(4, 0...Self.lastRoundTrip + 0.6, 0...100), on: &drawing)
    drawFacts(at: [70 + 515 * 2, 90 + pitch + 20], on: &drawing)
    return drawing
  }

  // MARK: Chromaticities

  private func drawChromaticities(in panel: PlotPanel, on drawing: inout PlotDrawing) {
    panel.drawAxes(
      on: &drawing, "Gamut in u′v′", "u′", "v′", stepAcross: 0.1, stepUp: 0.1)
    let locus = Chromaticity.spectrum.map(\.uv)
    drawing.line((locus + locus.prefix(1)).map(panel.place), PlotPanel.axis, width: 1)
    let primaries = reference.withColors.primaries
    let triangle = [primaries.red.uv, primaries.green.uv, primaries.blue.uv, primaries.red.uv]
    drawing.line(triangle.map(panel.placeInside), Self.other, width: 2)
    let places = samples.compactMap { chromaticity(of: $0.lab) }
    let hull = Self.hull(of: places)
    drawing.line((hull + hull.prefix(1)).map(panel.placeInside), Self.device, width: 2)
    panel.drawLegend(on: &drawing, gamutLegend)
  }

  private var gamutLegend: [PlotPanel.LegendEntry] {
    [(shortName, Self.device), (reference.name, Self.other)]
  }

  /// u′ and v′ of a color in Lab; nil where it is too dark to have any that mean something.
  private func chromaticity(of lab: SIMD3<Double>) -> SIMD2<Double>? {
    guard lab.x > 5 else { return nil }
    let xyz = Self.labToXYZ(lab)
    let weight = xyz.x + 15 * xyz.y + 3 * xyz.z
    return weight > 0 ? SIMD2(4 * xyz.x, 9 * xyz.y) / weight : nil
  }

  private static let labToXYZ = PointProgram(converting: .lab, to: .xyzD65)

  /// The convex hull of places, by the monotone chain of Andrew.
  private static func hull(of places: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let sorted = places.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
    guard sorted.count > 2 else { return sorted }
    func half(_ places: some Sequence<SIMD2<Double>>) -> [SIMD2<Double>] {
      var chain: [SIMD2<Double>] = []
      for place in places {
        while chain.count > 1 {
          let (a, b) = (
            chain[chain.count - 1] - chain[chain.count - 2], place - chain[chain.count - 1]
          )
          guard a.x * b.y - a.y * b.x <= 0 else { break }
          chain.removeLast()
        }
        chain.append(place)
      }
      return chain.dropLast()
    }
    return half(sorted) + half(sorted.reversed())
  }

  // MARK: Slices

  private func drawSlices(in panel: PlotPanel, on drawing: inout PlotDrawing) {
    panel.drawAxes(
      on: &drawing, "Gamut in Lab at L* 25, 50, 75", "a*", "b*", stepAcross: 40, stepUp: 40)
    let toReference = PointProgram(converting: .lab, to: reference)
    let gamut = try? profile.gamut()
    for (index, slice) in Self.slices.enumerated() {
      let outline = Self.slice(at: slice.lightness) { lab in
        let color = toReference(lab)
        return color.min() >= -1e-4 && color.max() <= 1.0001
      }
      drawing.line(outline.map(panel.placeInside), referenceSlices[index].color, width: 1.5)
      guard let gamut else { continue }
      drawing.line(
        Self.slice(at: slice.lightness, gamut.holds).map(panel.placeInside),
        deviceSlices[index].color, width: 2)
    }
    if gamut == nil {
      drawing.text(
        "no LUT from colors to device values", at: panel.place([0, 0]), Self.device, .middle)
    }
    panel.drawLegend(on: &drawing, (gamut == nil ? [] : deviceSlices) + referenceSlices)
  }

  /// The lightness of each slice, its shade of the device's color, and its gray for the reference: the lighter, the lighter.
  private static let slices: [(lightness: Double, shade: Double, gray: Double)] = [
    (25, 0.45, 0.3), (50, 0.75, 0.55), (75, 1, 0.75),
  ]

  private var deviceSlices: [PlotPanel.LegendEntry] {
    Self.slices.map { ("L* \(Int($0.lightness))", Self.device * $0.shade) }
  }

  private var referenceSlices: [PlotPanel.LegendEntry] {
    Self.slices.map {
      ("\(reference.name), L* \(Int($0.lightness))", PlotDrawing.Color(repeating: $0.gray))
    }
  }

  /// The border of a gamut at a lightness, seen from gray: a closed line in a* and b*.
  private static func slice(
    at lightness: Double, _ holds: (SIMD3<Double>) -> Bool
  ) -> [SIMD2<Double>] {
    (0...90).map { index in
      let hue = Double(index) / 45
      let direction = SIMD2(cosine(ofPi: hue), sine(ofPi: hue))
      func isHeld(_ chroma: Double) -> Bool {
        holds([lightness, chroma * direction.x, chroma * direction.y])
      }
      var (low, high) = (0.0, 160.0)
      for _ in 0..<9 {
        let middle = (low + high) / 2
        if isHeld(middle) { low = middle } else { high = middle }
      }
      return low * direction
    }
  }

  // MARK: Curves

  private func drawCurves(in panel: PlotPanel, on drawing: inout PlotDrawing) {
    panel.drawAxes(
      on: &drawing, "Lightness of each channel alone", "value", "L*", stepAcross: 0.2, stepUp: 20)
    for channel in 0..<channels {
      let points = (0...64).map { step -> SIMD2<Double> in
        var values = [Double](repeating: 0, count: channels)
        values[channel] = Double(step) / 64
        return [values[channel], toLab(values)[0]]
      }
      drawing.line(points.map(panel.placeInside), color(channel), width: 2)
    }
    panel.drawLegend(on: &drawing, channelLegend)
  }

  /// The color in which a channel is drawn: that which it makes, no lighter than can be seen on white.
  private func color(_ channel: Int) -> PlotDrawing.Color {
    var values = [Double](repeating: 0, count: channels)
    values[channel] = channels == 1 ? 0 : 1
    var lab = SIMD3(toLab(values))
    lab.x = min(lab.x, 70)
    return Self.labToScreen(lab).clamped(lowerBound: .zero, upperBound: .one)
  }

  private static let labToScreen = PointProgram(converting: .lab, to: .sRGB)

  // MARK: The neutral axis

  private func drawNeutrals(in panel: PlotPanel, on drawing: inout PlotDrawing) {
    panel.drawAxes(
      on: &drawing, "Values of neutral colors", "L*", "value", stepAcross: 20, stepUp: 0.2)
    guard let fromLab else {
      return drawing.text(
        "no LUT from colors to device values", at: panel.place([50, 0.5]), Self.device, .middle)
    }
    let neutrals = stride(from: 0.0, through: 100, by: 1).map { ($0, fromLab([$0, 0, 0])) }
    for channel in 0..<channels {
      let points = neutrals.map { SIMD2($0.0, $0.1[channel]) }
      drawing.line(points.map(panel.placeInside), color(channel), width: 2)
    }
    panel.drawLegend(on: &drawing, channelLegend)
  }

  private var channelLegend: [PlotPanel.LegendEntry] {
    names.indices.map { (names[$0], color($0)) }
  }

  // MARK: Round trips

  /// Larger differences are in one bar.
  private static let lastRoundTrip = 5.0

  /// How far the colors of the profile's values come back through its own way from colors, by CIEDE2000, sorted; nil without such a way.
  private var roundTrips: [Double]? {
    guard let fromLab else { return nil }
    let difference = ColorDifference.ciede2000()
    return samples.map { sample in
      let values = fromLab(sample.lab.array).map { min(max($0, 0), 1) }
      return difference(sample.lab, SIMD3(toLab(values)))
    }.filter(\.isFinite).sorted()
  }

  private func drawRoundTrips(in panel: PlotPanel, on drawing: inout PlotDrawing) {
    panel.drawAxes(
      on: &drawing, "Round trip: Lab to values to Lab", "CIEDE2000", "% of colors", stepAcross: 1,
      stepUp: 20)
    guard let errors = roundTrips, !errors.isEmpty else {
      return drawing.text(
        "no LUT from colors to device values", at: panel.place([2.5, 50]), Self.device, .middle)
    }
    let binCount = Int(Self.lastRoundTrip * 10)
    // The last bin holds all that is beyond, and is drawn at a distance.
    var bins = [Int](repeating: 0, count: binCount + 1)
    for error in errors { bins[Int(min(error * 10, Double(binCount)))] += 1 }
    let beyond = Self.lastRoundTrip + 0.3
    drawing.text(
      "\(Int(Self.lastRoundTrip))+",
      at: [panel.place([beyond + 0.05, 0]).x, panel.top + panel.height + 17], PlotPanel.axis,
      .middle)
    for (index, count) in bins.enumerated() where count > 0 {
      let left = index == binCount ? beyond : Double(index) / 10
      drawing.bar(
        from: panel.place([left + 0.01, 0]),
        to: panel.place([left + 0.09, Double(count) / Double(errors.count) * 100]), Self.device)
    }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let most = errors[errors.count * 95 / 100]
    for (line, text) in [
      "\(errors.count) colors, mean \(rounded(mean))",
      "95 % up to \(rounded(most)), at most \(rounded(errors[errors.count - 1]))",
    ].enumerated() {
      drawing.text(text, at: [panel.left, panel.belowAxes(row: line)], PlotPanel.axis)
    }
  }

  // MARK: Facts

  private func drawFacts(at place: SIMD2<Double>, on drawing: inout PlotDrawing) {
    let (least, most) = (
      [Double](repeating: 0, count: channels), [Double](repeating: 1, count: channels)
    )
    let (zero, full) = (toLab(least), toLab(most))
    func color(_ lab: [Double]) -> String { lab.map { "\(rounded($0))" }.joined(separator: ", ") }
    var lines = [
      "\(profile.modelName), \(channels) channel\(channels == 1 ? "" : "s"), by "
        + (profile.hasTables ? "tables" : "curves"),
      "intent: \(profile.intent)", "all channels 0: Lab \(color(zero))",
      "all channels 1: Lab \(color(full))",
    ]
    if let fromLab {
      let black = fromLab([0, 0, 0]).map { min(max($0, 0), 1) }
      lines.append("values of black: " + black.map { "\(rounded($0))" }.joined(separator: ", "))
      if profile.isOfInks {
        lines.append("total area coverage of black: \(rounded(black.reduce(0, +) * 100)) %")
      }
    }
    for (index, line) in lines.enumerated() {
      drawing.text(line, at: place + SIMD2(0, 24 * Double(index)))
    }
  }

  private var shortName: String {
    let name = "\(profile)"
    return name.count > 28 ? "\(name.prefix(27))…" : name
  }

  private func rounded(_ number: Double) -> Double { (number * 100).rounded() / 100 }
}
