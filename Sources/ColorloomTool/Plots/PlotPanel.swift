import Colorloom

/// A part of a drawing with axes of its own.
struct PlotPanel {
  /// Where its axes lie on the drawing.
  let left, top, width, height: Double
  let across, up: ClosedRange<Double>

  static let axis = PlotDrawing.Color(repeating: 0.45)
  static let grid = PlotDrawing.Color(repeating: 0.88)

  /// Draws the title, the axes with their numbers, and a grid unless a picture lies in its place.
  func drawAxes(
    on drawing: inout PlotDrawing, _ title: String, _ acrossName: String, _ upName: String,
    stepAcross: Double, stepUp: Double, hasGrid: Bool = true
  ) {
    drawing.text(title, at: [left, top - 14], PlotDrawing.Color(repeating: 0))
    for value in stride(from: across.lowerBound, through: across.upperBound + 1e-9, by: stepAcross)
    {
      let x = place([value, up.lowerBound]).x
      if hasGrid { drawing.line([[x, top], [x, top + height]], Self.grid, width: 1) }
      drawing.text(text(value), at: [x, top + height + 17], Self.axis, .middle)
    }
    for value in stride(from: up.lowerBound, through: up.upperBound + 1e-9, by: stepUp) {
      let y = place([across.lowerBound, value]).y
      if hasGrid { drawing.line([[left, y], [left + width, y]], Self.grid, width: 1) }
      drawing.text(text(value), at: [left - 6, y + 5], Self.axis, .end)
    }
    drawing.line(
      [
        [left, top], [left, top + height], [left + width, top + height], [left + width, top],
        [left, top],
      ], Self.axis, width: 1)
    drawing.text(acrossName, at: [left + width, top + height + 36], Self.axis, .end)
    drawing.text(upName, at: [left + width, top - 14], Self.axis, .end)
  }

  /// Where a value lies on the drawing.
  func place(_ value: SIMD2<Double>) -> SIMD2<Double> {
    [
      left + (value.x - across.lowerBound) / (across.upperBound - across.lowerBound) * width,
      top + height - (value.y - up.lowerBound) / (up.upperBound - up.lowerBound) * height,
    ]
  }

  /// Where a value lies, or the nearest place inside.
  func placeInside(_ value: SIMD2<Double>) -> SIMD2<Double> {
    place(
      value.clamped(
        lowerBound: [across.lowerBound, up.lowerBound],
        upperBound: [across.upperBound, up.upperBound]))
  }

  /// A name in the color of its lines.
  typealias LegendEntry = (name: String, color: PlotDrawing.Color)

  /// Draws a legend below the axes, where no line crosses it: as many names in a row as fit into the panel's width.
  func drawLegend(on drawing: inout PlotDrawing, _ entries: [LegendEntry]) {
    for (entry, place) in zip(entries, Self.places(ofLegend: entries, width: width)) {
      let (x, y) = (left + place.x, belowAxes(row: place.row))
      drawing.line([[x, y - 5], [x + 20, y - 5]], entry.color, width: 2.5)
      drawing.text(entry.name, at: [x + Self.nameIndent, y], entry.color)
    }
  }

  /// The baseline of a row of text below the axes and their names.
  func belowAxes(row: Int) -> Double { top + height + 58 + Self.rowHeight * Double(row) }

  /// The height below the axes that so many rows take.
  static func heightBelowAxes(rows: Int) -> Double { 48 + rowHeight * Double(rows) }

  /// How many rows a legend has below a panel of this width.
  static func rowCount(ofLegend entries: [LegendEntry], width: Double) -> Int {
    (places(ofLegend: entries, width: width).last?.row ?? -1) + 1
  }

  private static let rowHeight = 18.0
  /// Where a name begins beside the piece of its line.
  private static let nameIndent = 26.0

  private static func places(
    ofLegend entries: [LegendEntry], width: Double
  ) -> [(x: Double, row: Int)] {
    var places: [(x: Double, row: Int)] = []
    var (x, row) = (0.0, 0)
    for entry in entries {
      let length = nameIndent + PlotDrawing.length(of: entry.name)
      if x > 0, x + length > width { (x, row) = (0, row + 1) }
      places.append((x, row))
      x += length + 18
    }
    return places
  }

  /// A number without a trailing zero.
  private func text(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
