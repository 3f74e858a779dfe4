import ColorSpaces
import ColorloomTool
import Foundation
import Testing
import _TestSupport

private let bash = Client("bash")

/// Output that is derived from the declarations of verbs: help, suggestions, completions, the manual.
@Suite struct DeclarationTests {
  /// The verbs that help lists.
  static let verbs = run("help").output.joined(separator: "\n").split(separator: "\n")
    .drop { $0 != "Verbs:" }.dropFirst().prefix { $0.hasPrefix("  ") }
    .filter { !$0.hasPrefix("   ") }.compactMap { $0.split(separator: " ").first.map(String.init) }

  @Test func helpListsTheVerbs() {
    #expect(Self.verbs.count > 5)
    #expect(run([]).output == run("help").output)
    #expect(run("--help").output == run("help", "help").output)
  }

  @Test(arguments: verbs)
  func everyVerbHasHelpWithAnExample(verb: String) throws {
    let help = run(verb, "--help")
    #expect(help.status == .done)
    #expect(run("help", verb).output == help.output)
    #expect(run("-h", verb).output == help.output)
    let lines = help.output.joined(separator: "\n").split(separator: "\n")
    let widest = lines.dropLast().map(\.count).max() ?? 0
    #expect(widest <= 80, "\(lines)")
    let options = lines.filter { $0.hasPrefix("  --") }
      .compactMap { $0.split(separator: " ").first }
    #expect(Set(options).count == options.count, "one of \(options) is there twice")
    let example = try #require(lines.last).drop { $0 == " " }
    #expect(example.hasPrefix("colorloom \(verb)"))
    let words = shellWords(String(example)).dropFirst()
    #expect(run(words + ["--help"]).output == help.output)
  }

  @Test(arguments: [
    (["convrt"], "“convert”"), (["conv"], "“convert”"), (["help", "curv"], "“curve”"),
    (["convert", "a", "b", "--ft", "9"], "“--fit”"), (["spaces", "--quite"], "“--quiet”"),
    (["color", "--from", "p3", "--to", "sRBG"], "“sRGB”"),
    (["curve", "appel log", "encode"], "“Apple Log”"), (["curve", "slog3", "enc"], "“encode”"),
    (["convert", "a", "b", "--samples", "u9"], "“u8”"),
    (["convert", "a", "b", "--gamu", "clip"], "“--gamut”"),
  ])
  func misspelledWordsSuggestTheNearest(words: [String], nearest: String) {
    let transcript = run(words)
    #expect(transcript.status == .misused)
    #expect(transcript.output.isEmpty)
    #expect(transcript.errors.count == 1)
    #expect(transcript.errors.joined().contains("Did you mean \(nearest)?"))
  }

  /// Beginnings count from three letters and half of a name, and another letter makes a short word another one.
  @Test(arguments: [
    ["stream", "--out", "x"], ["look", "bake", "a.cube", "--out", "x"],
    ["montage", "a.png", "--lut", "x"], ["variants", "a.png", "--to", "sRGB"],
    ["convert", "a", "b", "--mask", "m.png"], ["convert", "a", "b", "--a", "1"],
    ["co"],
  ])
  func otherWordsSuggestNothing(words: [String]) {
    let transcript = run(words)
    #expect(transcript.status == .misused)
    #expect(!transcript.complaint.contains("Did you mean"), "\(transcript.complaint)")
  }

  @Test func errorsNameTheActionOfAVerb() {
    for (words, sentence) in [
      (["look", "bake", "a.cube", "--out", "x"], "“look bake” has no option “--out”."),
      (["canary", "make", "a.png", "--junk"], "“canary make” has no option “--junk”."),
      (["canary", "Ma-ke", "a.png", "--junk"], "“canary make” has no option “--junk”."),
      (["look", "bake"], "“look bake” needs LOOK."),
      (["curve", "slog3", "encode", "--junk"], "“curve” has no option “--junk”."),
    ] {
      let complaint = run(words).complaint
      #expect(complaint.contains(sentence), "\(complaint)")
      #expect(!complaint.contains("colorloom look bake --help"))
    }
  }

  @Test func optionsOfEveryVerbMayStandAnywhere() {
    for words in [
      ["--threads", "2", "spaces"], ["spaces", "--threads=2"],
      ["--quiet", "spaces", "--tile", "64"],
      ["--tile=64x32", "spaces"],
    ] { #expect(run(words).output == run("spaces").output) }
  }

  @Test func aDoubleDashEndsOptions() {
    let transcript = run("color", "--from", "p3", "--to", "p3", "--", "--1 0 0", "1 0 0")
    #expect(transcript.output == ["1.0 0.0 0.0"])
    #expect(transcript.errors.count == 1)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsNameEveryVerbAndItsOptions(shell: String) {
    let script = run("completions", shell).output.joined(separator: "\n")
    for verb in Self.verbs { #expect(script.contains(verb)) }
    for word in ["fit", "exposure", "Display-P3", "Rec2020", "u16", "encode", "threads"] {
      #expect(script.contains(word))
    }
  }

  /// A shell completes with the script: the verb, an option, the value of an option.
  @Test(
    .enabled(if: bash.isPresent, "bash is not installed"),
    arguments: [
      ("conv", "convert"), ("convert a --vibr", "--vibrance"),
      ("convert --to jzcz", "JzCzhz"), ("convert a b --to SR", "sRGB"),
      ("convert a b --to sgr", "sGray"),
      ("--quiet curve slog3 dec", "decode"),
      // Readline splits words at “=”.
      ("convert a --orient = q", "quarter-turned quarter-turned-back"),
      ("convert a --orient q", "quarter-turned quarter-turned-back"),
      ("convert a --store =", "uint8 uint16 float16 float32"),
      ("convert --to = jzcz", "JzCzhz"), ("convert a --invert = d", "density:"),
      ("convert a --invert d", ""), ("look --title =", ""),
    ])
  func shellsCompleteVerbsOptionsAndValues(line: String, expected: String) throws {
    #expect(try completions(of: line) == "\(expected)\n")
  }

  /// The words that a shell with the script offers for the last word of a line.
  private func completions(of line: String) throws -> String {
    let script = run("completions", "bash").output.joined(separator: "\n")
    let question = """
      COMP_WORDS=(colorloom \(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _colorloom; echo "${COMPREPLY[@]}"
      """
    // A word of a command line has at most 128 KiB.
    let folder = try TemporaryFolder()
    let file = folder.path("completions")
    try Data("\(script)\n\(question)".utf8).write(to: URL(filePath: file))
    return try bash.run(file)
  }

  /// Names of spaces as the guides write them, of which several begin so, are offered with the letters that were typed.
  @Test(.enabled(if: bash.isPresent, "bash is not installed"), arguments: ["p3", "P3", "rec2020"])
  func shellsCompleteDocumentedNamesOfSpaces(name: String) throws {
    let words = try completions(of: "convert a b --to \(name)")
      .split(whereSeparator: \.isWhitespace)
    #expect(words.contains { $0 == name } || words.map { $0.lowercased() } == [name], "\(words)")
    #expect(words.allSatisfy { (try? ColorSpace(named: String($0))) != nil }, "\(words)")
  }

  /// The value of “--invert” is optional, and follows “=”.
  @Test func completionsOfOptionalValuesFollowTheSign() {
    let zsh = run("completions", "zsh").text
    #expect(zsh.contains(#"'*--invert=-["#))
    #expect(zsh.contains(#"::VALUE:(encoded light value density\:)'"#))
    #expect(zsh.contains("'*--orient=["))
    let fish = run("completions", "fish").text
    #expect(fish.contains(" -l invert -f -a 'encoded light value density:'"))
    #expect(fish.contains(" -l orient -x -a 'upright"))
  }

  @Test func manualHasASectionForEveryVerb() {
    let lines = run("manual").output.joined(separator: "\n").split(separator: "\n")
    #expect(lines.first == ".TH COLORLOOM 1")
    for verb in Self.verbs { #expect(lines.contains(".SS \(verb)")) }
    // A leading period marks a roff command.
    let commands = Set(
      lines.filter { $0.hasPrefix(".") }.compactMap { $0.split(separator: " ").first })
    #expect(commands.isSubset(of: [".TH", ".SH", ".SS", ".PP", ".TP", ".br", ".RS", ".RE"]))
  }
}
