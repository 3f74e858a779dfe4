import ColorloomTool
import Foundation
import Testing
import _TestSupport

/// The plot and the table of the speed beside other programs show the figures that `Tests/Peers/compare --record` wrote.
/// COLORLOOM_RECORD=1 draws and writes them again.
@Suite struct PerformancePlotTests {
  private struct Figures: Decodable {
    struct Row: Decodable {
      let title, peer, note: String
      let ours, theirs, target: Double

      var ratio: Double { ours / theirs }
    }
    let processor, size: String
    let threads, rounds: Int
    let rows: [Row]
  }

  private let documentation = Fixtures.url("../Documentation")

  private var figures: Figures {
    get throws {
      try JSONDecoder().decode(
        Figures.self, from: Data(contentsOf: documentation.appending(path: "Performance.json")))
    }
  }

  private func expect(_ text: String, in file: String) throws {
    let url = documentation.appending(path: file)
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] != nil {
      try Data(text.utf8).write(to: url)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text, "\(file) is out of date.")
  }

  /// Two digits and more.
  private func text(_ value: Double) -> String {
    value < 10 ? String(format: "%.2f", value) : String(format: "%.1f", value)
  }

  @Test func thePlotShowsTheFigures() throws {
    let figures = try figures
    let (left, right, top, step) = (470.0, 950.0, 60.0, 24.0)
    // A doubling is as wide everywhere, from a half to 256 times.
    let marks = (-1...8).map { exp2(Double($0)) }
    func place(_ ratio: Double) -> Double { left + (log2(ratio) + 1) / 9 * (right - left) }
    #expect(figures.rows.allSatisfy { $0.ratio > marks[0] && $0.ratio < marks[9] })
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
      let peer = row.peer.split(separator: " ").prefix { !$0.contains(/[0-9]/) }
        .joined(separator: " ")
      drawing.text("\(row.title), \(peer)", at: [left - 12, y + 15], .init(repeating: 0.25), .end)
      // Slower rows have another color, and end at the left of the line for 1.
      drawing.bar(
        from: [place(1), y + 3], to: [place(row.ratio), y + step - 5],
        row.ratio >= 1 ? [0.16, 0.45, 0.62] : [0.80, 0.42, 0.20])
      drawing.text(
        text(row.ratio), at: [max(place(row.ratio), place(1)) + 6, y + 15], .init(repeating: 0.25))
    }
    try expect(drawing.svg, in: "Images/performance.svg")
  }

  @Test func theTableShowsTheFigures() throws {
    let figures = try figures
    let page = try String(
      contentsOf: documentation.appending(path: "Performance.md"), encoding: .utf8)
    let (start, end) = ("<!-- Begin of figures -->\n", "<!-- End of figures -->\n")
    let before = try #require(page.range(of: start)).upperBound
    let after = try #require(page.range(of: end)).lowerBound
    let met = figures.rows.filter { $0.ratio >= $0.target }.count
    let threads = figures.threads == 1 ? "one thread" : "\(figures.threads) threads"
    let rows = figures.rows.map { row in
      let peer = [row.peer, row.note].filter { !$0.isEmpty }.joined(separator: "; ")
      return "| \(row.title) | \(text(row.ours)) | \(text(row.theirs)) | \(text(row.ratio)) "
        + "| \(text(row.target)) | \(peer) |\n"
    }
    let table =
      "\(figures.processor), \(threads), \(figures.size.dropLast()) megapixels, medians of \(figures.rounds) interleaved rounds, in "
      + "megapixels a second. \(met) of\n\(figures.rows.count) targets are met:\n\n"
      + "| work | ours | theirs | ratio | target | peer |\n|---|---|---|---|---|---|\n"
      + rows.joined()
    try expect(page[..<before] + table + page[after...], in: "Performance.md")
  }
}
