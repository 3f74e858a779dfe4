/// A text file, named the way a message should name it.
struct TextFile: Sendable {
  var name: String
  var text: String

  var lines: [Substring] {
    text.split(omittingEmptySubsequences: false) { $0.isNewline }
  }
}

/// What is wrong with one fence of a Markdown file.
struct FenceProblem: Equatable, CustomStringConvertible {
  var file: String
  /// The line of the fence's opening mark, counted from 1.
  var line: Int
  var message: String

  var description: String { "\(file):\(line): \(message)" }
}

/// Finds the Swift fences of a Markdown file whose code is not code that the example tests run.
///
/// The rule, for every fence whose info string is `swift` and nothing else:
///
/// - Its lines stand consecutively in an example file that holds at least one `@Test`.
///   Indentation counts relative to the first line; blank lines are equal whatever space they
///   hold.
/// - They stand inside the body of one `@Test` function that is not disabled. A fence of
///   declarations may stand at file scope (column zero) instead, except for a `let` or `var`
///   there: a global constant runs only when it is used.
/// - The `import` lines at the top of the fence are imports of the same file, in any order.
func fenceProblems(in markdown: TextFile, examples: [TextFile]) -> [FenceProblem] {
  let sources = examples.map(ExampleSource.init).filter { !$0.testBodies.isEmpty }
  let (fences, malformed) = swiftFences(in: markdown)
  let unmatched = fences.compactMap { fence in
    problem(with: fence, sources: sources).map {
      FenceProblem(file: markdown.name, line: fence.line, message: $0)
    }
  }
  return (malformed + unmatched).sorted { $0.line < $1.line }
}

/// Says why the fence is not code that runs, or nil if it is.
private func problem(with fence: Fence, sources: [ExampleSource]) -> String? {
  if fence.code.isEmpty {
    if fence.imports.isEmpty { return "the fence is empty" }
    let isKnown = sources.contains { $0.missingImport(of: fence) == nil }
    return isKnown ? nil : "no example file has these imports"
  }

  var misplaced: String?
  var nearest: (count: Int, message: String)?
  for source in sources {
    for start in source.lines.indices {
      let count = matchCount(fence.code, source.lines[start...])
      let place = "\(source.name):\(start + 1)"
      if count == fence.code.count {
        if !source.runs(start..<(start + count)) {
          misplaced =
            "\(place) has this code, but neither in a @Test function nor as declarations at "
            + "file scope"
        } else if let missing = source.missingImport(of: fence) {
          misplaced = "\(place) has this code, but its file lacks \"\(missing)\""
        } else {
          return nil
        }
      } else if count > nearest?.count ?? 0 {
        let message = "the nearest, at \(place), differs from line \(fence.codeLine + count) on"
        nearest = (count, message)
      }
    }
  }
  let absent = "no example file has this code"
  return misplaced ?? nearest.map { "\(absent); \($0.message)" } ?? absent
}

/// How many lines of `code` agree with the beginning of `lines`.
private func matchCount(_ code: [CodeLine], _ lines: ArraySlice<CodeLine>) -> Int {
  guard let codeStart = code.first, let start = lines.first else { return 0 }
  return zip(code, lines).prefix { wanted, found in
    wanted.text == found.text
      && (wanted.isBlank || wanted.indent - codeStart.indent == found.indent - start.indent)
  }.count
}
