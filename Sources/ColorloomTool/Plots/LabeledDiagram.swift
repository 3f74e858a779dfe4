import Colorloom

/// The chromaticity diagram of a picture with numbers at its axes, and with gamut triangles in colors that a legend names.
struct LabeledDiagram {
  let bitmap: Bitmap<UInt8>

  /// Renders the diagram, without its labels `side` × `side` pixels large.
  init(
    of picture: Picture, side: Int = 512,
    gamuts: [ColorSpace] = [.sRGB, .displayP3, .rec2020], options: RenderOptions
  ) throws {
    let diagram = try picture.chromaticityDiagram(side: side, gamuts: [], options: options)
      .render(as: UInt8.self, options: options)
    let legend = gamuts.enumerated().map { index, gamut in
      (name: gamut.name, color: Self.colors[index % Self.colors.count])
    }
    let panel = PlotPanel(
      left: 48, top: 40, width: Double(side), height: Double(side), across: 0...0.65, up: 0...0.65)
    let rows = PlotPanel.rowCount(ofLegend: legend, width: panel.width)
    let below = Int(PlotPanel.heightBelowAxes(rows: rows)) + 10
    var drawing = PlotDrawing(width: 48 + side + 24, height: 40 + side + below)
    panel.drawAxes(
      on: &drawing, "Colors in u′v′", "u′", "v′", stepAcross: 0.1, stepUp: 0.1, hasGrid: false)
    for (gamut, entry) in zip(gamuts, legend) {
      let primaries = gamut.primaries
      let corners = [primaries.red.uv, primaries.green.uv, primaries.blue.uv, primaries.red.uv]
      drawing.line(corners.map(panel.placeInside), entry.color, width: 1.5)
    }
    panel.drawLegend(on: &drawing, legend)
    bitmap = drawing.bitmap(over: diagram, at: Offset(48, 40))
  }

  /// Colors that differ from each other, on white as on the dark ground of the diagram.
  private static let colors: [PlotDrawing.Color] = [
    [0.90, 0.45, 0.00], [0.20, 0.55, 0.95], [0.15, 0.62, 0.30], [0.85, 0.30, 0.70],
    [0.50, 0.50, 0.50],
  ]
}
