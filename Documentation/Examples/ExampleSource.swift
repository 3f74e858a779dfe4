/// A Swift file whose code may be shown in the documentation.
///
/// The file is taken to be laid out as swift-format does: the brace that closes a function stands
/// alone, in the column of the function's `@Test`.
struct ExampleSource {
  let name: String
  let lines: [CodeLine]

  /// The imports of the file, without attributes and access levels.
  let imports: Set<Substring>

  /// The lines between the braces of each `@Test` function that is not disabled.
  let testBodies: [Range<Int>]

  init(_ file: TextFile) {
    let lines = file.lines.map(CodeLine.init)
    name = file.name
    self.lines = lines
    imports = Set(lines.lazy.filter { $0.indent == 0 }.compactMap(\.importStatement))
    testBodies = lines.indices.filter { lines[$0].startsTest }.compactMap {
      testBody(startingAt: $0, in: lines)
    }
  }

  /// Whether the lines are run by a test, or are declarations at file scope.
  func runs(_ range: Range<Int>) -> Bool {
    if testBodies.contains(where: { $0.contains(range) }) { return true }
    let atFileScope = lines[range].filter { $0.indent == 0 && !$0.isBlank }
    return lines[range.lowerBound].indent == 0
      && !atFileScope.contains { ["let", "var"].contains($0.keyword) }
  }

  /// The first import of the fence that this file does not make.
  func missingImport(of fence: Fence) -> Substring? {
    fence.imports.first { !imports.contains($0) }
  }
}

/// The lines between the braces of the test whose `@Test` is at `start`; nil if it is disabled or
/// has its body on one line.
private func testBody(startingAt start: Int, in lines: [CodeLine]) -> Range<Int>? {
  let indent = lines[start].indent
  guard
    let opening = lines[start...].firstIndex(where: {
      $0.indent == indent && ($0.text.hasSuffix("{") || $0.text.hasSuffix("}"))
    }),
    lines[opening].text.hasSuffix("{"),
    let closing = lines[(opening + 1)...].firstIndex(where: {
      $0.indent == indent && $0.text == "}"
    })
  else { return nil }
  let isDisabled = lines[start...opening].contains { $0.text.contains(".disabled") }
  return isDisabled ? nil : (opening + 1)..<closing
}

/// A line split into the width of its indentation and its text, without trailing space.
struct CodeLine {
  let indent: Int
  let text: Substring

  init(_ line: Substring) {
    text = line.trimmed
    indent = line.prefix { $0.isWhitespace }.count
  }

  var isBlank: Bool { text.isEmpty }

  /// The first word that is neither an attribute nor a modifier.
  var keyword: Substring? { words.first }

  /// The import this line makes, without attributes and access level; nil for other lines.
  var importStatement: Substring? {
    guard let keyword, keyword == "import" else { return nil }
    return text[keyword.startIndex...]
  }

  /// Whether a `@Test` attribute begins on this line.
  var startsTest: Bool {
    text.hasPrefix("@") && text.contains(/@Test\b/)
  }

  /// The words of the line from the first that is neither an attribute nor a modifier.
  private var words: ArraySlice<Substring> {
    let modifiers: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private", "nonisolated",
      "nonisolated(unsafe)", "lazy", "static",
    ]
    return text.split(separator: " ").drop { $0.hasPrefix("@") || modifiers.contains($0) }
  }
}

extension StringProtocol {
  /// The text without the white space around it.
  var trimmed: SubSequence {
    let head = drop { $0.isWhitespace }
    guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return head }
    return head[...last]
  }
}
