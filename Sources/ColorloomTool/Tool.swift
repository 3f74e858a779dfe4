import Colorloom
import ImageFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@main
package struct Tool {
  /// Everything the tool does, in the order in which help lists it.
  static var verbs: [any Verb.Type] {
    [
      DevelopVerb.self, ConvertVerb.self, HighlightVerb.self, ProofVerb.self, StreamVerb.self,
      TriangleVerb.self, VariantsVerb.self, PickVerb.self, CanaryVerb.self, InfoVerb.self,
      InspectVerb.self, CompareVerb.self, ColorVerb.self, CurveVerb.self, DeltaEVerb.self,
      SpacesVerb.self, RunVerb.self, PlanVerb.self, BatchVerb.self, HelpVerb.self,
      CompletionsVerb.self, ManualVerb.self,
    ]
  }

  package static func main() {
    removeTemporaryFilesOnSignals()
    let console = Console.standard
    var outcome = run(Array(CommandLine.arguments.dropFirst()), on: console)
    do { try console.flush() } catch where outcome == .done {
      console.complain("colorloom: \(error)")
      outcome = .failed
    } catch {}
    exit(outcome.rawValue)
  }

  /// Runs one command line.
  package static func run(_ words: [String], on console: Console = .standard) -> Outcome {
    run(words, on: console, settings: Settings())
  }

  /// Runs one command line with the settings of another one that it is part of.
  static func run(_ words: [String], on console: Console, settings: Settings) -> Outcome {
    do {
      return try runThrowing(words, on: console, settings)
    } catch {
      console.complain("colorloom: \(error)\(hint(for: error))")
      return isMisuse(error) ? .misused : .failed
    }
  }

  private static func runThrowing(
    _ words: [String], on console: Console, _ settings: Settings
  ) throws -> Outcome {
    var settings = settings
    var words = words.map { $0 == "-h" ? "--help" : $0 }[...]
    while let word = words.first, word.hasPrefix("--") {
      words.removeFirst()
      let option = OptionWord(word)
      guard try option.take(from: Settings.arguments, &words, into: &settings) else {
        throw option.isUnknown(to: HelpVerb.synopsis)
      }
    }
    let verb = try words.popFirst().map { try Tool.verb(named: $0) } ?? HelpVerb.self
    return try run(verb, words, &settings, on: console)
  }

  private static func run<Chosen: Verb>(
    _: Chosen.Type, _ words: ArraySlice<String>, _ settings: inout Settings, on console: Console
  ) throws -> Outcome {
    let verb = try Chosen(reading: words, settings: &settings)
    let session = Session(settings, console)
    if settings.showsHelp {
      session.print(helpText(of: Chosen.synopsis))
    } else {
      try verb.run(in: session)
    }
    return session.status
  }

  static func verb(named name: String) throws -> any Verb.Type {
    guard let verb = verbs.first(where: { $0.name == name }) else {
      throw Misuse(
        "There is no verb “\(name)”.\(didYouMean(name, among: verbs.map { $0.name })) "
          + "“colorloom help” lists them all.")
    }
    return verb
  }

  /// Whether other words would have helped, as opposed to another file or machine.
  private static func isMisuse(_ error: any Error) -> Bool {
    switch error {
    case is Misuse: true
    case RecipeError.filmTones: false
    case is RecipeError: true
    case RenderError.recipe(let recipe): isMisuse(recipe)
    case ImageFileError.rendering(let rendering): isMisuse(rendering)
    default: false
    }
  }

  /// What a person at a terminal can do about an error whose sentence speaks to programs.
  private static func hint(for error: any Error) -> String {
    switch error {
    case ImageFileError.unknownEnding: " Here that is the option --format, such as --format png."
    case ImageFileError.untagged: " Here that is the option --assume, such as --assume sRGB."
    case RenderError.tooMuchMemory, ImageFileError.rendering(.tooMuchMemory):
      " Here these are the options --threads, --tile and --memory."
    case RenderError.recipe(.filmTones), ImageFileError.rendering(.recipe(.filmTones)):
      " The options --film-base and --film-white set the tones."
    default: ""
    }
  }
}
