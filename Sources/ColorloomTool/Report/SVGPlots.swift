import Colorloom
import ImageFiles

/// The colors of a picture, reduced to a few thousand pixels, for plots.
struct PlottedColors {
  /// L*, a*, b* for D65, and the encoded values, of each opaque pixel.
  let lab: [SIMD3<Double>]
  let encoded: [SIMD3<Double>]
  /// The column of each pixel, 0…1.
  let columns: [Double]

  init(of picture: Picture, in session: Session) throws {
    let side = 160
    let isSmall = max(picture.size.width, picture.size.height) <= side
    // Nearest pixels: a mean of two colors is none of the picture's.
    let small = isSmall ? picture : picture.resized(to: .fit(side, side), by: .nearest)
    let options = session.settings.renderOptions
    let values = try small.render(as: Float.self, options: options)
    let inLab = try small.converted(to: .labD65).render(as: Float.self, options: options)
    var (lab, encoded, columns): ([SIMD3<Double>], [SIMD3<Double>], [Double]) = ([], [], [])
    for y in 0..<values.size.height {
      for x in 0..<values.size.width where values.channels.count == 3 || values[x, y, 3] > 0 {
        func color(_ bitmap: Bitmap<Float>) -> SIMD3<Double> {
          SIMD3(
            Double(bitmap[x, y, 0]), Double(bitmap[x, y, 1]), Double(bitmap[x, y, 2]))
        }
        lab.append(color(inLab))
        encoded.append(color(values))
        columns.append((Double(x) + 0.5) / Double(values.size.width))
      }
    }
    (self.lab, self.encoded, self.columns) = (lab, encoded, columns)
  }
}

/// Drawings of a report, as SVG. Lines differ in dashes as well as in color.
enum SVGPlots {
  private static let dashes = ["", "6 3", "2 3"]
  private static let channelColors = ["#d03b3b", "#2f8f46", "#3b6fd0"]
  private static let channelNames = ["red (solid)", "green (dashed)", "blue (dotted)"]

  private static func svg(
    _ width: Int, _ height: Int, _ description: String, _ content: String
  ) -> String {
    "<svg viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" role=\"img\" "
      + "aria-label=\"\(xmlEscaped(description))\"><title>\(xmlEscaped(description))</title>"
      + "\(content)</svg>"
  }

  /// The bin of an encoded value among those from −0.1 to 1.1, the nearest one for a value outside; nil for NaN and infinity.
  private static func bin(_ value: Double, of count: Int) -> Int? {
    guard value.isFinite else { return nil }
    // Clamped as a floating-point value: 1e20 is no Int.
    return Int(min(max((value + 0.1) / 1.2 * Double(count), 0), Double(count - 1)))
  }

  /// How many pixels have each encoded value from −0.1 to 1.1.
  static func histogram(of colors: PlottedColors, named name: String) -> String {
    let (width, height, steps) = (480, 200, 120)
    func place(_ value: Double) -> Double { (value + 0.1) / 1.2 * Double(width) }
    var content = "<rect class=\"frame\" width=\"\(width)\" height=\"\(height)\"/>"
    for (value, label) in [(0.0, "0"), (1, "1")] {
      content +=
        "<line class=\"frame\" x1=\"\(place(value))\" x2=\"\(place(value))\" y1=\"0\" y2=\"\(height)\"/>"
        + "<text x=\"\(place(value) + 3)\" y=\"\(height - 4)\">\(label)</text>"
    }
    let counts = (0..<3).map { channel in
      colors.encoded.reduce(into: [Int](repeating: 0, count: steps)) { counts, color in
        if let step = bin(color[channel], of: steps) { counts[step] += 1 }
      }
    }
    let most = Double(max(counts.joined().max() ?? 1, 1))
    for channel in 0..<3 {
      let points = counts[channel].enumerated().map { step, count in
        let x = (Double(step) + 0.5) / Double(steps) * Double(width)
        return
          "\(Float(x)),\(Float(Double(height) * (1 - (Double(count) / most).squareRoot() * 0.95)))"
      }
      content +=
        "<polyline fill=\"none\" stroke=\"\(channelColors[channel])\" stroke-width=\"1.5\" "
        + "stroke-dasharray=\"\(dashes[channel])\" points=\"\(points.joined(separator: " "))\"/>"
    }
    return svg(
      width, height,
      "Histogram of \(name): \(channelNames.joined(separator: ", ")), from −0.1 to 1.1", content)
  }

  /// Encoded values by column: the waveform of luma and of each channel's extremes.
  static func waveform(of colors: PlottedColors, named name: String) -> String {
    let (width, height, columns, rows) = (480, 200, 120, 60)
    var counts = [Int](repeating: 0, count: columns * rows)
    for (color, column) in zip(colors.encoded, colors.columns) {
      for channel in 0..<3 {
        guard let row = bin(color[channel], of: rows) else { continue }
        counts[row * columns + min(Int(column * Double(columns)), columns - 1)] += 1
      }
    }
    let most = Double(max(counts.max() ?? 1, 1))
    let (w, h) = (Double(width) / Double(columns), Double(height) / Double(rows))
    var content = "<rect class=\"frame\" width=\"\(width)\" height=\"\(height)\"/>"
    for value in [0.0, 1] {
      let y = Double(height) * (1 - (value + 0.1) / 1.2)
      content +=
        "<line class=\"frame\" x1=\"0\" x2=\"\(width)\" y1=\"\(y)\" y2=\"\(y)\"/>"
        + "<text x=\"3\" y=\"\(y - 3)\">\(Int(value))</text>"
    }
    for row in 0..<rows {
      for column in 0..<columns where counts[row * columns + column] > 0 {
        let share = (Double(counts[row * columns + column]) / most).squareRoot()
        content +=
          "<rect x=\"\(Float(Double(column) * w))\" y=\"\(Float(Double(rows - 1 - row) * h))\" width=\"\(Float(w))\" "
          + "height=\"\(Float(h))\" fill=\"#7a7a80\" fill-opacity=\"\(Float(0.15 + 0.85 * share))\"/>"
      }
    }
    return svg(width, height, "Waveform of \(name): encoded values from left to right", content)
  }

  /// a* to the right and b* upwards, with the outlines of gamuts at their most colorful.
  static func lab(of colors: PlottedColors, gamuts: [ColorSpace], named name: String) -> String {
    let (side, reach) = (360, 140.0)
    func place(_ lab: SIMD3<Double>) -> (x: Float, y: Float) {
      (
        Float((lab.y / reach + 1) / 2 * Double(side)),
        Float((1 - (lab.z / reach + 1) / 2) * Double(side))
      )
    }
    var content =
      "<rect class=\"frame\" width=\"\(side)\" height=\"\(side)\"/><line class=\"frame\" x1=\"0\" x2=\"\(side)\" y1=\"\(side / 2)\" "
      + "y2=\"\(side / 2)\"/><line class=\"frame\" y1=\"0\" y2=\"\(side)\" x1=\"\(side / 2)\" x2=\"\(side / 2)\"/>"
      + "<text x=\"\(side - 18)\" y=\"\(side / 2 - 4)\">a*</text><text x=\"\(side / 2 + 4)\" y=\"14\">b*</text>"
    // One mark for all colors of a place of 2 × 2 units.
    var places: Set<SIMD2<Int>> = []
    for (index, color) in colors.lab.enumerated() where color.y.isFinite && color.z.isFinite {
      let (x, y) = place(color)
      let held = SIMD2(x, y).clamped(lowerBound: .zero, upperBound: SIMD2(repeating: Float(side)))
      let mark = SIMD2<Int>(Int(held.x / 2), Int(held.y / 2))
      guard places.insert(mark).inserted else { continue }
      let code = colors.encoded[index].clamped(lowerBound: .zero, upperBound: .one) * 255
      guard !(code.x + code.y + code.z).isNaN else { continue }
      content +=
        "<rect x=\"\(2 * mark.x)\" y=\"\(2 * mark.y)\" width=\"2\" height=\"2\" "
        + "fill=\"rgb(\(Int(code.x)) \(Int(code.y)) \(Int(code.z)))\"/>"
    }
    for (index, gamut) in gamuts.enumerated() {
      // Along the edges between primaries and secondaries, where chroma is largest.
      let corners: [SIMD3<Double>] = [
        [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [1, 0, 0],
      ]
      var points: [String] = []
      for (start, end) in zip(corners, corners.dropFirst()) {
        for step in 0..<8 {
          let color = ColorPoint(start + (end - start) * (Double(step) / 8), in: gamut)
          let (x, y) = place(color.converted(to: .labD65).components)
          points.append("\(x),\(y)")
        }
      }
      content +=
        "<polygon class=\"box\" stroke-dasharray=\"\(dashes[index % 3])\" points=\"\(points.joined(separator: " "))\"/>"
        + "<text class=\"soft\" x=\"6\" y=\"\(16 + 15 * index)\">\(xmlEscaped(gamut.name)) "
        + "(\(["solid", "dashed", "dotted"][index % 3]))</text>"
    }
    return svg(side, side, "Colors of \(name) in CIELAB, a* to the right, b* upwards", content)
  }

  /// The steps of a plan, each below those that it reads.
  static func plan(_ report: PlanReport) -> String {
    let (width, line) = (760, 16)
    var content = ""
    var y = 4
    var middles: [Int] = []
    for step in report.steps {
      let lines = wrapped(step.name, to: 100)
      let height = (lines.count + 1) * line + 10
      content +=
        "<rect class=\"box\" x=\"60\" y=\"\(y)\" width=\"\(width - 70)\" height=\"\(height)\" rx=\"4\"/>"
      for (index, text) in lines.enumerated() {
        content += "<text x=\"70\" y=\"\(y + (index + 1) * line)\">\(xmlEscaped(text))</text>"
      }
      let size = step.size.map { "\($0) pixels, " } ?? ""
      content +=
        "<text class=\"soft\" x=\"70\" y=\"\(y + (lines.count + 1) * line)\">"
        + xmlEscaped("\(size)\(step.encoding) \(step.space), tiles of \(step.tile)") + "</text>"
      middles.append(y + height / 2)
      // From the input, in lanes to the left of the boxes.
      for (lane, input) in step.inputs.enumerated() {
        let x = 50 - 10 * min(lane + (middles.count - 1 - input > 1 ? 1 : 0), 4)
        content +=
          "<path class=\"box\" d=\"M60 \(middles[input])H\(x)V\(y + height / 2)H54\"/>"
          + "<path class=\"box\" d=\"M54 \(y + height / 2 - 4)L60 \(y + height / 2)L54 \(y + height / 2 + 4)\"/>"
      }
      y += height + 10
    }
    return svg(
      width, y, "The plan: \(report.steps.count) steps in the order in which they run", content)
  }

  private static func wrapped(_ text: String, to length: Int) -> [String] {
    text.split(separator: " ").reduce(into: [""]) { lines, word in
      let last = lines.count - 1
      if lines[last].isEmpty {
        lines[last] = String(word)
      } else if lines[last].count + word.count < length {
        lines[last] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}
