/// A Swift fence of a Markdown file.
struct Fence {
  /// The line of the opening mark, counted from 1.
  let line: Int

  /// The imports at the top, without attributes and access levels.
  let imports: [Substring]

  /// The rest, without blank lines before and after it.
  let code: [CodeLine]

  /// The line of the Markdown file where `code` begins, counted from 1.
  let codeLine: Int

  init(line: Int, content: [CodeLine]) {
    let top = content.prefix { $0.isBlank || $0.importStatement != nil }
    let end = content.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? top.endIndex
    self.line = line
    imports = top.compactMap(\.importStatement)
    code = Array(content[top.endIndex..<max(top.endIndex, end)])
    codeLine = line + 1 + top.count
  }
}

/// The fences of the file whose info string is `swift` and nothing else, and those that cannot be
/// read: one that is never closed, or that opens behind the mark of a list item or a quotation.
func swiftFences(in markdown: TextFile) -> (fences: [Fence], problems: [FenceProblem]) {
  var fences: [Fence] = []
  var problems: [FenceProblem] = []
  var open: (mark: FenceMark, line: Int, content: [CodeLine])?
  func report(_ message: String, line: Int) {
    problems.append(FenceProblem(file: markdown.name, line: line, message: message))
  }

  for (index, line) in markdown.lines.enumerated() {
    if let current = open {
      if current.mark.isClosed(by: line) {
        if current.mark.isSwift {
          fences.append(Fence(line: current.line, content: current.content))
        }
        open = nil
      } else {
        open?.content.append(CodeLine(line))
      }
    } else if let mark = FenceMark(line) {
      open = (mark, index + 1, [])
    } else if let mark = FenceMark(line.drop { " \t>*+-.)0123456789".contains($0) }),
      mark.isSwift
    {
      report("a Swift fence must begin on a line of its own to be checked", line: index + 1)
    }
  }
  if let open, open.mark.isSwift {
    report("the fence is never closed", line: open.line)
  }
  return (fences, problems)
}

/// The mark that opens a fence: three or more backticks or tildes, and an info string.
private struct FenceMark {
  let mark: Substring
  let info: Substring

  init?(_ line: Substring) {
    let text = line.trimmed
    guard let character = text.first, character == "`" || character == "~" else { return nil }
    mark = text.prefix { $0 == character }
    info = text[mark.endIndex...].trimmed
    // A backtick in the info string makes the line inline code instead.
    guard mark.count >= 3, character == "~" || !info.contains("`") else { return nil }
  }

  var isSwift: Bool { info.lowercased() == "swift" }

  func isClosed(by line: Substring) -> Bool {
    let text = line.trimmed
    return text.hasPrefix(mark) && text.allSatisfy { $0 == mark.first }
  }
}
