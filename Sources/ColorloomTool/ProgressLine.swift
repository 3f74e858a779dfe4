import Synchronization

/// A line of progress on the terminal.
final class ProgressLine: Sendable {
  private let isShown: Bool
  private let lastText = Mutex("")

  init(isShown: Bool) { self.isShown = isShown }

  /// Returns a closure that takes the finished fraction of one part of the work.
  func report(_ doing: String, _ what: String) -> @Sendable (Double) -> Void {
    { [self] fraction in show(fraction, "\(doing) \(what)") }
  }

  /// Clears the line, and prints the result.
  func finish(_ text: String) {
    clear()
    if isShown { writeToTerminal("\(text.escapingControlCharacters())\n") }
  }

  func clear() {
    if isShown { writeToTerminal("\r\u{1B}[K") }
  }

  private func show(_ fraction: Double, _ text: String) {
    guard isShown else { return }
    let width = 24
    let filled = Int((fraction * Double(width)).rounded(.down))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    let line = "\(bar) \(Int(fraction * 100))% \(text.escapingControlCharacters())"
    lastText.withLock { last in
      if last == line { return }
      last = line
      writeToTerminal("\r\u{1B}[K\(line)")
    }
  }
}
