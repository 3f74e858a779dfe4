import Foundation

/// The figures that `Tests/Peers/compare --record` writes, and their tables.
struct PerformanceFigures: Decodable {
  struct Row: Decodable {
    let title: String
    let peer, note, problem: String?
    /// Megapixels a second; nil where the result was wrong or not measured.
    let ours, theirs: Double?
    let target: Double
    /// The speed beside a plain copy of the pixels; nil in figures from before it was recorded.
    let copy: Double?

    var ratio: Double? {
      guard let ours, let theirs else { return nil }
      return ours / theirs
    }
  }

  let processor, size: String
  let threads, rounds: Int
  /// The instruction set that programs were held to; empty for the processor's own.
  let instructions, note: String?
  let rows: [Row]
  /// Without a peer: the target is a speed. Two threads by one: “theirs” is one thread.
  let absolute, scaling: [Row]?
}

/// A number with two digits and more.
func performanceText(_ value: Double) -> String {
  value < 10 ? String(format: "%.2f", value) : String(format: "%.1f", value)
}

extension PerformanceFigures {
  /// A sentence and a table for each kind of row that was measured.
  var tables: String {
    [peers, note.map { $0.isEmpty ? "" : "\n\($0)\n" } ?? "", speeds, threadPairs].joined()
  }

  private var peers: String {
    let threads = threads == 1 ? "one thread" : "\(threads) threads"
    let limit = instructions == "AVX2" ? "without AVX-512, " : ""
    let compared = rows.filter { Verdict($0, $0.ratio) != .notCompared }
    let rest = rows.count - compared.count
    let hasCopies = rows.contains { $0.copy != nil }
    return "\(processor), \(limit)\(threads), \(size.dropLast()) megapixels, medians of "
      + "\(rounds) interleaved rounds, in megapixels a second. "
      + "\(met("\ntargets beside a peer", compared, \.ratio))\(rest > 0 ? "; \(rest) more could not be compared" : ""):\n\n"
      + table(
        ["work", "ours", "theirs", "ratio", "target"] + (hasCopies ? ["beside a copy"] : [])
          + ["peer"],
        rows.map { row in
          let figures = [row.ours, row.theirs, row.ratio, row.target]
          return [title(row, row.ratio)]
            + (figures + (hasCopies ? [row.copy] : [])).map(cell) + [notes(row)]
        })
  }

  private var speeds: String {
    guard let absolute, !absolute.isEmpty else { return "" }
    return "\n#### Absolute targets\n\nMegapixels a second without a peer; "
      + "the targets are those of the processor above. \(met("", absolute, \.ours)):\n\n"
      + table(
        ["work", "ours", "target", "beside a copy", "notes"],
        absolute.map { row in
          [title(row, row.ours)] + [row.ours, row.target, row.copy].map(cell) + [notes(row)]
        })
  }

  private var threadPairs: String {
    guard let scaling, !scaling.isEmpty else { return "" }
    return "\n#### Two threads by one\n\nMegapixels a second. "
      + "\(met(" targets", scaling, \.ratio)):\n\n"
      + table(
        ["work", "two threads", "one thread", "ratio", "target", "notes"],
        scaling.map { row in
          [title(row, row.ratio)] + [row.ours, row.theirs, row.ratio, row.target].map(cell)
            + [notes(row)]
        })
  }

  /// How many rows meet their targets: “1 of 5 targets is met”.
  private func met(_ targets: String, _ rows: [Row], _ score: (Row) -> Double?) -> String {
    let count = rows.filter { Verdict($0, score($0)) == .met }.count
    return "\(count) of \(rows.count)\(targets) \(count == 1 ? "is" : "are") met"
  }

  private enum Verdict {
    case met, missed, notCompared

    /// `score` is what is compared with the target. A row without a result of this package is missed.
    init(_ row: Row, _ score: Double?) {
      guard row.ours != nil else {
        self = .missed
        return
      }
      guard let score else {
        self = .notCompared
        return
      }
      self = score >= row.target ? .met : .missed
    }
  }

  private func title(_ row: Row, _ score: Double?) -> String {
    (Verdict(row, score) == .missed ? "*missed:* " : "") + row.title
  }

  private func cell(_ value: Double?) -> String { value.map(performanceText) ?? "–" }

  private func notes(_ row: Row) -> String {
    [row.peer, row.note, row.problem].compactMap { $0 }.filter { !$0.isEmpty }
      .joined(separator: "; ")
  }

  private func table(_ titles: [String], _ rows: [[String]]) -> String {
    func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }
    return line(titles) + "|" + titles.map { _ in "---|" }.joined() + "\n"
      + rows.map(line).joined()
  }
}
