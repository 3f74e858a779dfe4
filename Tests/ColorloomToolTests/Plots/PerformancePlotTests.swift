import ColorloomTool
import Foundation
import Testing
import _TestSupport

/// The plot and the tables of speed show the figures that `Tests/Peers/compare --record` wrote. COLORLOOM_RECORD=1 draws and writes them
/// again.
@Suite struct PerformancePlotTests {
  private let documentation = Fixtures.url("../Documentation")

  private func figures(_ file: String) throws -> PerformanceFigures {
    try JSONDecoder().decode(
      PerformanceFigures.self, from: Data(contentsOf: documentation.appending(path: file)))
  }

  private func expect(_ text: String, in file: String) throws {
    let url = documentation.appending(path: file)
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] != nil {
      try Data(text.utf8).write(to: url)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text, "\(file) is out of date.")
  }

  @Test func thePlotShowsTheFigures() throws {
    let figures = try figures("Performance.json")
    let (left, right, top, step) = (470.0, 950.0, 60.0, 24.0)
    // A doubling is as wide everywhere, from a half to 256 times.
    let marks = (-1...8).map { exp2(Double($0)) }
    func place(_ ratio: Double) -> Double { left + (log2(ratio) + 1) / 9 * (right - left) }
    #expect(figures.rows.compactMap(\.ratio).allSatisfy { $0 > marks[0] && $0 < marks[9] })
    let bottom = top + step * Double(figures.rows.count)
    var drawing = PlotDrawing(width: 1020, height: Int(bottom) + 40)
    drawing.text(
      "Speed relative to the peer (right of 1 ×: Colorloom is faster), logarithmic", at: [20, 20],
      [0, 0, 0])
    drawing.text(
      "\(figures.processor), one thread, 24 megapixels, medians of \(figures.rounds) rounds",
      at: [20, 40], .init(repeating: 0.45))
    for ratio in marks {
      let x = place(ratio)
      drawing.line(
        [[x, top - 8], [x, bottom]], .init(repeating: ratio == 1 ? 0.2 : 0.88), width: 1)
      let label = ratio < 1 ? "1/\(Int(1 / ratio))" : "\(Int(ratio)) ×"
      drawing.text(label, at: [x, bottom + 20], .init(repeating: 0.45), .middle)
    }
    for (index, row) in figures.rows.enumerated() {
      let y = top + step * Double(index)
      // Without the version.
      let peer = (row.peer ?? "").split(separator: " ").prefix { !$0.contains(/[0-9]/) }
        .joined(separator: " ")
      drawing.text("\(row.title), \(peer)", at: [left - 12, y + 15], .init(repeating: 0.25), .end)
      guard let ratio = row.ratio else {
        drawing.text("not measured", at: [place(1) + 6, y + 15], .init(repeating: 0.25))
        continue
      }
      // Slower rows have another color, and end at the left of the line for 1.
      drawing.bar(
        from: [place(1), y + 3], to: [place(ratio), y + step - 5],
        ratio >= 1 ? [0.16, 0.45, 0.62] : [0.80, 0.42, 0.20])
      drawing.text(
        performanceText(ratio), at: [max(place(ratio), place(1)) + 6, y + 15],
        .init(repeating: 0.25))
    }
    try expect(drawing.svg, in: "Images/performance.svg")
  }

  @Test func theTablesShowTheFigures() throws {
    var page = try String(
      contentsOf: documentation.appending(path: "Performance.md"), encoding: .utf8)
    for (name, file) in [
      ("figures", "Performance.json"), ("AVX2 figures", "Performance-avx2.json"),
    ] {
      let (start, end) = ("<!-- Begin of \(name) -->\n", "<!-- End of \(name) -->\n")
      let before = try #require(page.range(of: start)).upperBound
      let after = try #require(page.range(of: end)).lowerBound
      page = try page[..<before] + figures(file).tables + page[after...]
    }
    try expect(page, in: "Performance.md")
  }

  @Test func rowsWithoutAResultCountAsMissed() throws {
    let figures = try JSONDecoder().decode(
      PerformanceFigures.self,
      from: Data(
        """
        {"processor": "P", "size": "1m", "threads": 1, "rounds": 2, "instructions": "", "note": "",
         "rows": [
          {"title": "a", "ours": null, "theirs": 2.5, "peer": "Q 1", "note": "n", "target": 1,
           "copy": null, "problem": "ours: wrong"},
          {"title": "b", "ours": 20, "theirs": 10, "peer": "Q 1", "note": "", "target": 2,
           "copy": 0.5, "problem": ""},
          {"title": "c", "ours": 20, "theirs": null, "peer": "Q 1", "note": "", "target": 2,
           "copy": 0.5, "problem": "theirs: absent"}],
         "absolute": [{"title": "d", "ours": 90, "target": 100, "copy": 0.1, "problem": ""}],
         "scaling": [{"title": "e", "ours": 19, "theirs": 10, "target": 1.85, "problem": ""}]}
        """.utf8))
    #expect(
      figures.tables == """
        P, one thread, 1 megapixels, medians of 2 interleaved rounds, in megapixels a second. 1 of 2
        targets beside a peer is met; 1 more could not be compared:

        | work | ours | theirs | ratio | target | beside a copy | peer |
        |---|---|---|---|---|---|---|
        | *missed:* a | – | 2.50 | – | 1.00 | – | Q 1; n; ours: wrong |
        | b | 20.0 | 10.0 | 2.00 | 2.00 | 0.50 | Q 1 |
        | c | 20.0 | – | – | 2.00 | 0.50 | Q 1; theirs: absent |

        #### Absolute targets

        Megapixels a second without a peer; the targets are those of the processor above. 0 of 1 are met:

        | work | ours | target | beside a copy | notes |
        |---|---|---|---|---|
        | *missed:* d | 90.0 | 100.0 | 0.10 |  |

        #### Two threads by one

        Megapixels a second. 1 of 1 targets is met:

        | work | two threads | one thread | ratio | target | notes |
        |---|---|---|---|---|---|
        | e | 19.0 | 10.0 | 1.90 | 1.85 |  |

        """)
  }
}
