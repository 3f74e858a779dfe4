import ColorSpaces
import Colorloom
import ICCProfiles
import ImageFiles
import PlatformLibc

@main
package struct Tool {
  /// Everything the tool does, in the order in which help lists it.
  static var verbs: [any Verb.Type] {
    [
      DevelopVerb.self, ConvertVerb.self, HighlightVerb.self, ProofVerb.self, StreamVerb.self,
      TriangleVerb.self, VariantsVerb.self, PickVerb.self, TilesVerb.self, CanaryVerb.self,
      InfoVerb.self, InspectVerb.self, CompareVerb.self, TraceVerb.self, ExplainVerb.self,
      CertifyVerb.self, VerifyVerb.self, LawsVerb.self, ReportVerb.self, MontageVerb.self,
      LookVerb.self, ColorVerb.self, CurveVerb.self, DeltaEVerb.self, SpacesVerb.self,
      FiltersVerb.self, KernelsVerb.self, FormatsVerb.self, RunVerb.self, PlanVerb.self,
      BatchVerb.self, HelpVerb.self, CompletionsVerb.self, ManualVerb.self,
    ]
  }

  package static func main() {
    occupyClosedStreams()
    MachineMemory.shareArena()
    let console = Console.standard
    // Where there are no stacks for threads, waiting for signals would already fail.
    if let space = MachineMemory.addressSpace, space.shortage > 0 {
      console.complain(
        "colorloom: The limit of the address space (ulimit -v) is too small for threads. Raise it by at least "
          + "\((space.shortage + 1023) / 1024) KiB.")
      exit(Outcome.failed.rawValue)
    }
    prepareSignals()
    let outcome = runCommandLine(on: console)
    do {
      try console.flush()
    } catch {
      endIfReaderIsGone(error)
      // A batch has reported its failures already.
      if outcome == .done { console.complain("colorloom: \(error)") }
      exit(max(outcome.rawValue, Outcome.failed.rawValue))
    }
    if outcome == .done { EarlyEnd.endProcessIfRequested() }
    exit(outcome.rawValue)
  }

  /// Runs the command line of the process.
  private static func runCommandLine(on console: Console) -> Outcome {
    do { return run(try commandLine(), on: console) } catch {
      console.complain("colorloom: \(error)")
      return .misused
    }
  }

  /// Returns the words after the tool's name. Bytes that are not UTF-8 are refused: `CommandLine.arguments` replaces them, which lets
  /// the names of two files become one.
  private static func commandLine() throws -> [String] {
    let words = UnsafeBufferPointer(
      start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return try words.dropFirst().compactMap(\.self).map { word in
      let bytes = UnsafeRawBufferPointer(start: word, count: strlen(word))
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Misuse(
          "“\(escapingInvalidUTF8(bytes))” is not UTF-8. If it names a file, rename the file.")
      }
      return text
    }
  }

  /// Runs one command line.
  package static func run(_ words: [String], on console: Console = .standard) -> Outcome {
    run(words, on: console, settings: Settings())
  }

  /// Runs one command line with the settings of another one that it is part of. `onFailure` gets the error that ends it, if one does, and
  /// its own settings.
  static func run(
    _ words: [String], on console: Console, settings: Settings,
    onFailure: (any Error, Settings) -> Void = { _, _ in }
  ) -> Outcome {
    var settings = settings
    do {
      return try $isJobOfBatch.withValue(!console.ownsStreams) {
        try runThrowing(words, on: console, &settings)
      }
    } catch {
      if console.ownsStreams { endIfReaderIsGone(error) }
      onFailure(error, settings)
      console.complain("colorloom: \(sentence(for: error, with: settings.options))")
      return isMisuse(error, stepsAreOfFiles: settings.stepsAreOfFiles) ? .misused : .failed
    }
  }

  private static func runThrowing(
    _ words: [String], on console: Console, _ settings: inout Settings
  ) throws -> Outcome {
    if let instructionSetError { throw Misuse(instructionSetError) }
    var words = words[...]
    if words.first == "--version" {
      console.print(
        "colorloom \(version) (\(ImageFileFormat.readable.map(\.name).joined(separator: ", ")))")
      return .done
    }
    while let word = words.first, OptionWord.isOne(word) {
      words.removeFirst()
      let option = try OptionWord(word, before: words.first)
      guard try option.take(from: Settings.arguments, &words, into: &settings) else {
        throw option.isUnknownBeforeVerbs
      }
    }
    let verb = try words.popFirst().map { try Tool.verb(named: $0) } ?? HelpVerb.self
    return try run(verb, words, &settings, on: console)
  }

  /// What --version prints.
  static let version = "0.1.0-dev"

  private static func run<Chosen: Verb>(
    _: Chosen.Type, _ words: ArraySlice<String>, _ settings: inout Settings, on console: Console
  ) throws -> Outcome {
    try $filesRead.withValue(FilesRead()) {
      let verb = try Chosen.read(words, settings: &settings)
      settings.stepsAreOfFiles = verb.stepsAreOfFiles
      let session = Session(settings, console)
      if settings.showsHelp {
        session.printText(helpText(of: Chosen.synopsis))
      } else {
        session.noteChoices()
        try verb.run(in: session)
      }
      return session.status
    }
  }

  static func verb(named name: String) throws -> any Verb.Type {
    guard let verb = verbs.first(where: { $0.name == name }) else {
      throw Misuse(
        "There is no verb “\(beginning(of: name))”.\(didYouMean(name, among: verbs.map { $0.name })) "
          + "“colorloom help” lists them all.")
    }
    return verb
  }

  /// Whether the command line was not understood, or asks an output format for what no file of it holds, as opposed to an error of a file
  /// or the machine. What cannot be rendered is the fault of the command line where its own steps may be the cause.
  private static func isMisuse(_ error: any Error, stepsAreOfFiles: Bool = false) -> Bool {
    switch error {
    case is Misuse: true
    case let step as StepError: isMisuse(step.error)
    case RecipeError.filmTones, RecipeError.step: false
    case is RecipeError, is RecipeDecodingError, is ColorError: true
    case ImageFileError.unsupportedSamples, ImageFileError.unsupportedProfile: true
    // The file to write; of files to read the content decides. A folder is a wrong file.
    case ImageFileError.unknownEnding(let file): !isFolder(file)
    case RenderError.recipe(let recipe): !stepsAreOfFiles && isMisuse(recipe)
    case ImageFileError.rendering(let rendering):
      isMisuse(rendering, stepsAreOfFiles: stepsAreOfFiles)
    default: false
    }
  }

  /// Options that tell of no remedy for pictures that steps read: they are for inputs and outputs.
  private static let ofInputs: Set = ["--make-folders", "--film"]

  /// Returns the message of an error, with a remedy in terms of the command line: of a verb with these options.
  static func sentence(for error: any Error, with options: Set<String>) -> String {
    switch error {
    case let step as StepError:
      // A picture that a step reads is not one of those that --out names.
      "“\(step.option)”: \(sentence(for: step.error, with: options.subtracting(Self.ofInputs)))"
    case let damage as SalvageableDamage:
      "\(sentence(for: damage.error, with: options)) Pass --salvage to read what is intact."
    case let error as ImageFileError: sentence(for: error, with: options)
    case let error as LookFileError: sentence(for: error, with: options)
    case let error as RenderError: sentence(for: error, with: options)
    case let error as RecipeError: sentence(for: error, with: options)
    case let recipe as RecipeFileError:
      "“\(recipe.file)” is no \(recipe.kind): \(sentence(for: recipe.error, with: options))"
    case let error as RecipeDecodingError: sentence(for: error, with: options)
    case let error as ColorError: error.finding + advice(for: error)
    default: "\(error)"
    }
  }

  private static func sentence(for error: ImageFileError, with options: Set<String>) -> String {
    switch error {
    case .rendering(let error): sentence(for: error, with: options)
    case .unknownEnding(let file) where isFolder(file):
      "“\(file)” is a folder. Name a file in it."
    case .cannotRead(let file, _) where isFolder(file):
      "“\(file)” is a folder, not a file."
        + (options.contains("--make-folders")
          ? " Name a file in it, or say by --out where all its pictures go, such as --out “small/{name}.png”."
          : " Name a file in it.")
    case .cannotRead("-", let reason): "Standard input cannot be read: \(reason)."
    case .cannotWrite("-", let reason): "Standard output cannot be written: \(reason)."
    default: "\(error.finding)\(advice(for: error, with: options))"
    }
  }

  private static func sentence(for error: LookFileError, with options: Set<String>) -> String {
    switch error {
    // Only --max-pixels raises the limit of looks, and no option that of curves.
    case .file(.tooManyBytes(let file, let limit)):
      ImageFileError.tooManyBytes(file: file, limit: limit).finding
    case .file(let error): sentence(for: error, with: options)
    case .unknownEnding(let file, _) where isFolder(file):
      "“\(file)” is a folder, not a file. Name a file in it."
    case .parameter(let file, let error):
      "“\(file)” cannot be used. \(sentence(for: error, with: options))"
    default: "\(error)"
    }
  }

  private static func sentence(for error: RenderError, with options: Set<String>) -> String {
    switch error {
    case .recipe(let error): sentence(for: error, with: options)
    case .source(let error), .sink(let error): sentence(for: error.underlying, with: options)
    case .tooMuchMemory(let bytes, let limit):
      "Rendering needs \(bytes) bytes of memory; the limit is \(limit)"
        + (limit == Settings.defaultMemory ? ", by default" : "") + ". Pass --memory \(bytes) to "
        + "allow it, or use fewer --threads or a smaller --tile."
    case .moreThanMachineMemory(let bytes, let machine):
      "Rendering needs \(bytes) bytes of memory; this process can have \(machine). Use fewer "
        + "--threads or a smaller --tile, a smaller picture, or filters of smaller reach."
    case .tooManyTiles(let count, let tile, let limit):
      "The picture would be cut into \(count) tiles of \(tile) pixels; at most \(limit) are allowed. "
        + "Pass a larger --tile, or none."
    default: "\(error)"
    }
  }

  private static func sentence(for error: RecipeError, with options: Set<String>) -> String {
    switch error {
    case .tooManyPixels(let width, let height, let limit):
      "A picture of \(width) × \(height) pixels exceeds the limit of \(limit). Make a smaller picture, or pass a larger "
        + "--max-pixels."
    case .endless:
      "The picture has infinite extent. "
        + (options.contains("--crop")
          ? "Pass --crop X,Y,WxH to choose a region."
          : "Add a step “crop” to the recipe to choose a region.")
    case .filmTones:
      "\(error) "
        + (options.contains("--film-base")
          ? "The options --film-base and --film-white set the tones of scans, the parameters “base” and "
            + "“white” those of a step."
          : "The parameters “base” and “white” of the step set the tones.")
    case .regionOutside(let region, let picture):
      "The region \(region.x),\(region.y),\(region.width)x\(region.height) lies outside of the picture "
        + (picture.origin == .zero ? "(\(picture.size) pixels)." : "(\(picture)).")
    case .color(let error): sentence(for: error, with: options)
    case .step(let path, let error): place(path) + sentence(for: error, with: options)
    default: "\(error)"
    }
  }

  private static func sentence(
    for error: RecipeDecodingError, with options: Set<String>
  ) -> String {
    switch error {
    case .unusable(let path, let error): place(path) + sentence(for: error, with: options)
    case .tooManySteps(let path, let count, let limit):
      place(path)
        + "there are \(count) steps; at most \(limit) are read. Make recipes of fewer steps, one "
        + "after the other."
    default: quotingOption("\(error)")
    }
  }

  /// Where in a recipe, or in the value of an option, something is wrong, before the sentence on it.
  private static func place(_ path: String) -> String {
    path.isEmpty ? "" : quotingOption("\(path): ")
  }

  /// Puts the option and the parameter that a sentence begins with into quotation marks, as those of other errors: “--crop.to”.
  private static func quotingOption(_ sentence: String) -> String {
    guard sentence.hasPrefix("--"), let end = sentence.firstRange(of: ": ")?.lowerBound else {
      return sentence
    }
    return "“\(sentence[..<end])”\(sentence[end...])"
  }

  private static func advice(for error: ColorError) -> String {
    switch error {
    case .unknownColorSpace: " “colorloom spaces” lists all names."
    case .unknownTransferFunction: " “colorloom curve --help” lists all names."
    default: ""
    }
  }

  private static func pixelAdvice(for count: Int) -> String {
    count > Settings.greatestPixelLimit ? "" : " Pass --max-pixels \(count) to read it anyway."
  }

  /// Returns the remedy for an error of a file. It names options of the verb only.
  private static func advice(for error: ImageFileError, with options: Set<String>) -> String {
    /// The sentence, where the verb has the option that it names.
    func naming(_ option: String, _ sentence: String, otherwise: String = "") -> String {
      options.contains(option) ? " \(sentence)" : otherwise
    }
    if error.isOfMissingFolder { return " Create it." }
    switch error {
    case .unknownEnding:
      return " Let it end in one of \(ImageFileFormat.endings)"
        + (options.contains("--format") ? ", or name the format, such as --format png." : ".")
    case .truncated(_, let rows, _) where rows > 0:
      // Scans of film are salvaged while they are developed.
      let verb = options.contains("--film") ? "develop" : "convert"
      return " “colorloom \(verb) --salvage” reads them."
    case .tooManyPixels(_, let size, _), .expandsTooMuch(_, let size, _, _):
      return pixelAdvice(for: size.pixelCount)
    case .tooManyDrawnPixels(_, _, let count, _): return pixelAdvice(for: count)
    case .tooManyBytes: return " Pass a larger --max-pixels to read it anyway."
    case .tooMuchMemory(_, let bytes, _), .tooMuchMemoryToWrite(_, let bytes, _):
      return " Pass --memory \(bytes) to allow it."
    case .profile(_, .cannotDescribe(_, reason: _)): return ""
    case .profile(_, .tooMuchMemory), .inkProfile(_, .tooMuchMemory):
      return " Pass a larger --memory to allow it."
    case .untagged: return naming("--assume", "Pass one, such as --assume sRGB.")
    case .profile, .unsupportedColor:
      return naming("--assume", "Pass another color space, such as --assume sRGB.")
    case .inks: return naming("--assume", "Pass one, such as --assume press.icc.")
    case .noSuchLayer(let file, _, let channels, _):
      guard let example = ChannelLayers.example(of: channels, in: file).map(shellWord) else {
        return ""
      }
      return naming(
        "--layer-name",
        "Name a layer, or a channel to read as gray, such as --layer-name \(example).",
        otherwise: " “colorloom convert --layer-name \(example)” reads one of them.")
    case .unsupportedSamples(_, let format):
      let names = format.samples.map { "\($0)" }.joined(separator: " or ")
      return naming(
        "--samples", "Pass --samples \(names), or write another format, such as TIFF.")
    case .unsupportedValues(file: _, _, of: _, limit: .infinity, format: _):
      return naming("--samples", "Pass --samples float.")
    case .unsupportedValues: return naming("--lossless", "Pass --lossless to keep them.")
    case .unsupportedChannels(let channels, _) where channels.hasAlpha:
      return " Write a format that does, such as PNG"
        + (options.contains("--background")
          ? ", or flatten the picture, such as --background white." : ".")
    case .transparentInks:
      return naming("--background", "Flatten the picture, such as --background white.")
    case .notLinear:
      return naming(
        "--to", "Convert to a linear space, such as --to sRGB-linear.",
        otherwise: " Write another format, such as PNG or TIFF.")
    case .cannotStateColor:
      return " Write another format, such as PNG or TIFF"
        + (options.contains("--untagged") ? ", or pass --untagged to state none." : ".")
    case .tooMuchToHold:
      return naming(
        "--strip", "Pass --strip to leave it out, or write another format.",
        otherwise: " Write another format.")
    default: return ""
    }
  }
}

extension Session {
  /// Returns the message of an error, with a remedy in terms of the command.
  func sentence(for error: any Error) -> String {
    Tool.sentence(for: error, with: settings.options)
  }
}
