import Foundation
import PlatformLibc

/// The parts of a step's value, which commas separate outside of brackets and quotes: words in front, then named values.
///
/// Blanks around commas and “=” do not count.
package struct StepWords {
  var leading: [String] = []
  var named: [(name: String, text: String)] = []
  /// Whether a comma has nothing before it, other than in a named value, or nothing after it.
  private(set) var lacksPart = false
  /// The bracket or quotation mark that nothing closes, and the word that so reaches to the end.
  private(set) var unclosed: (sign: Character, word: String)?

  /// Splits a value. A part without a name after a named value belongs to that value: `slope=1.1,1,0.9`.
  ///
  /// - Parameters:
  ///   - text: The value.
  ///   - parameters: The names of the filter's parameters.
  ///   - fileLimit: How many of the words in front may be files. Their names may contain commas and “=”, in quotes, after a backslash, or
  ///     where such a file exists.
  init(_ text: String, parameters: [String], fileLimit: Int = 0) {
    let (split, open) = Self.parts(of: text)
    var parts = split[...]
    unclosed = open.map { ($0, split.last ?? "") }
    let hasCommas = parts.count > 1
    while leading.count < fileLimit, let part = parts.first,
      !(Self.name(in: part).map(parameters.contains) ?? false),
      let file = Self.file(at: parts)
    {
      leading.append(file.name)
      parts = parts.dropFirst(file.partCount)
    }
    for part in parts {
      let part = part.trimmingCharacters(in: .whitespacesAndNewlines)
      if let name = Self.name(in: part),
        parameters.contains(name) || !named.isEmpty || !part.contains("/")
      {
        let value = part[part.index(after: part.firstIndex(of: "=") ?? part.startIndex)...]
        named.append((name, value.trimmingCharacters(in: .whitespacesAndNewlines)))
      } else if named.isEmpty {
        leading.append(part)
      } else {
        named[named.count - 1].text += "," + part
      }
    }
    lacksPart =
      hasCommas
      && (leading.contains("") || parts.last.map { $0.allSatisfy(\.isWhitespace) } == true)
  }

  /// The name before “=”: letters, digits and hyphens, such as `k1`.
  static func name(in part: String) -> String? {
    guard let end = part.firstIndex(of: "=") else { return nil }
    let name = part[..<end].trimmingCharacters(in: .whitespacesAndNewlines)
    let isName =
      name.first?.isLetter == true
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    return isName ? name : nil
  }

  /// The longest name of an existing file at the beginning of some parts, and how many parts it has.
  private static func file(at parts: ArraySlice<String>) -> (name: String, partCount: Int)? {
    for count in stride(from: greatestPartCount(of: parts), to: 0, by: -1) {
      let text = parts.prefix(count).joined(separator: ",")
      if let name = [text, fileName(text)].first(where: isFile) {
        return (name, count)
      }
    }
    return nil
  }

  /// Returns how many parts at the beginning may be the name of a file: the system limits the bytes of paths and of each name in them.
  ///
  /// Quotes, backslashes and blanks do not count, because ``fileName(_:)`` may remove them.
  package static func greatestPartCount(of parts: ArraySlice<String>) -> Int {
    let removable = Set("\"\\ \t\r\n".utf8)
    // No comma precedes the first part.
    var (pathBytes, nameBytes) = (-1, -1)
    for (count, part) in parts.enumerated() {
      for byte in ",\(part)".utf8 where !removable.contains(byte) {
        pathBytes += 1
        nameBytes = byte == UInt8(ascii: "/") ? 0 : nameBytes + 1
        if pathBytes >= PATH_MAX || nameBytes > NAME_MAX { return count }
      }
    }
    return parts.count
  }

  /// Whether a path leads to a file, a pipe, a device or, as “-”, standard input. Folders do not count: a folder may have the name of a
  /// value, such as “screen”.
  static func isFile(_ path: String) -> Bool {
    path == "-" || FileManager.default.fileExists(atPath: path) && !isFolder(path)
  }

  /// Returns the name of a file without quotes around it and backslashes before its signs.
  static func fileName(_ text: String) -> String {
    if isFile(text) { return text }
    var text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
      text = String(text.dropFirst().dropLast())
    }
    for sign in [",", "=", "\"", "\\"] { text = text.replacing("\\\(sign)", with: sign) }
    return text
  }

  /// Returns what commas separate, and the last bracket or quotation mark that nothing closes.
  private static func parts(of text: String) -> (parts: [String], open: Character?) {
    if text.isEmpty { return ([], nil) }
    var parts = [""]
    var depth = 0
    var brackets: [Character] = []
    var (isQuoted, isEscaped) = (false, false)
    for letter in text {
      if letter == ",", depth <= 0, !isQuoted, !isEscaped {
        parts.append("")
        continue
      }
      parts[parts.count - 1].append(letter)
      if isEscaped {
        isEscaped = false
        continue
      }
      switch letter {
      case "\\": isEscaped = true
      case "\"": isQuoted.toggle()
      case "(", "[", "{":
        if isQuoted { break }
        depth += 1
        brackets.append(letter)
      case ")", "]", "}":
        if isQuoted { break }
        depth -= 1
        _ = brackets.popLast()
      default: break
      }
    }
    return (parts, isQuoted ? "\"" : brackets.last)
  }
}
