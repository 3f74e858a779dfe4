import Colorloom

/// A part of a drawing with axes of its own.
struct PlotPanel {
  /// Where its axes lie on the drawing.
  let left, top, width, height: Double
  let across, up: ClosedRange<Double>

  static let axis = PlotDrawing.Color(repeating: 0.45)
  static let grid = PlotDrawing.Color(repeating: 0.88)

  /// Draws the title, the axes with their numbers, and a grid.
  func drawAxes(
    on drawing: inout PlotDrawing, _ title: String, _ acrossName: String, _ upName: String,
    stepAcross: Double, stepUp: Double
  ) {
    drawing.text(title, at: [left, top - 14], PlotDrawing.Color(repeating: 0))
    for value in stride(from: across.lowerBound, through: across.upperBound + 1e-9, by: stepAcross)
    {
      let x = place([value, up.lowerBound]).x
      drawing.line([[x, top], [x, top + height]], Self.grid, width: 1)
      drawing.text(text(value), at: [x, top + height + 17], Self.axis, .middle)
    }
    for value in stride(from: up.lowerBound, through: up.upperBound + 1e-9, by: stepUp) {
      let y = place([across.lowerBound, value]).y
      drawing.line([[left, y], [left + width, y]], Self.grid, width: 1)
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

  /// A list of names in their colors, below each other.
  func drawLegend(on drawing: inout PlotDrawing, _ entries: [(String, PlotDrawing.Color)]) {
    for (index, (name, color)) in entries.enumerated() {
      let y = top + 18 + 18 * Double(index)
      drawing.line([[left + 10, y - 5], [left + 30, y - 5]], color, width: 2.5)
      drawing.text(name, at: [left + 36, y], color)
    }
  }

  /// A number without a trailing zero.
  private func text(_ value: Double) -> String {
    let rounded = (value * 1000).rounded() / 1000
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
