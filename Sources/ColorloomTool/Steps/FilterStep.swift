import ColorSpaces
package import Colorloom
import Foundation
import ImageFiles

/// A filter of the catalog as a step on a command line: `--gaussian-blur 3`, `--contrast factor=1.2,pivot=0.18`,
/// `--composite logo.png,mode=screen`.
struct FilterStep {
  let entry: FilterCatalog.Entry
  private var filter: any RecipeFilter
  /// The files of the pictures that the filter takes beside the one that is changed.
  private let files: [String]
  /// The parameters that were given, and where.
  private var members: [RecipeValue.Member]
  /// The option as it was typed.
  let option: String

  /// The step that an option and its value mean; `alias` is the other name by which it was called.
  init(
    _ entry: FilterCatalog.Entry, alias: FilterAlias? = nil, value: String?, of option: String
  ) throws {
    (self.entry, self.option) = (entry, option)
    if let file = try value.flatMap({ try StepFile($0, of: option, entry, alias) }) {
      filter = try file.filter(of: option)
      (files, members) = ([], [])
      return
    }
    let words = try StepValue(value ?? "", of: option, entry, alias)
    try words.checkPictures()
    files = words.files
    members = try words.members()
    do throws(RecipeDecodingError) {
      filter = try entry.filter(
        .object(members), at: option, readingSpaces: Tool.catalog.spaceReaders)
    } catch {
      throw words.isOfFile(error) ? Failure(Tool.sentence(for: error, with: [])) : error
    }
  }

  /// Returns the step with a value for a parameter that was not given.
  func defaulting(_ name: String, to value: RecipeValue) throws -> FilterStep {
    members.contains { $0.name == name } ? self : try setting(name, to: value)
  }

  /// Returns the step with another value of a parameter.
  func setting(_ name: String, to value: RecipeValue) throws -> FilterStep {
    var step = self
    step.members.removeAll { $0.name == name }
    step.members.append(RecipeValue.Member(name, value))
    step.filter = try entry.filter(
      .object(step.members), at: option, readingSpaces: Tool.catalog.spaceReaders)
    return step
  }

  /// The value of a parameter that was given.
  func value(of parameter: String) -> RecipeValue? {
    members.first { $0.name == parameter }?.value
  }

  /// The size to which the step resizes; nil for other steps.
  var resizeTarget: ResizeTarget? {
    guard entry.name == "resize", let value = value(of: "to") else { return nil }
    return try? ResizeTarget(recipe: RecipeSource(value, at: option))
  }

  /// What the step makes of a picture, with whose data window its further pictures are aligned. Generators without a size get the
  /// picture's; `assumption` is for files that state no color space.
  func picture(
    of picture: Picture, in window: DataWindow?, assuming assumption: Assumption?,
    in session: Session
  ) throws -> Picture {
    if entry.inputs.upperBound == 0 {
      let painted = filter.picture(of: [])
      return painted.isEndless ? painted.cropped(to: picture.region) : painted
    }
    let placesThem = ["at", "x", "y"].contains { value(of: $0) != nil }
    let others = try files.map { file in
      session.aligned(
        try session.pictureOfStep(at: file, assuming: assumption), to: window,
        placesIt: placesThem)
    }
    return filter.picture(of: [picture] + others)
  }

  /// Whether gray pictures stay gray.
  var keepsGray: Bool { filter.keepsGray }

  /// Whether linear light is unchanged.
  var keepsLight: Bool { filter.keepsLight }

  /// Whether the step may change the proportions of the picture.
  var stretches: Bool { filter.stretches }
}

extension Tool {
  /// The filters that are steps; a test adds one of its own.
  @TaskLocal package static var catalog = FilterCatalog.withProfiles

  /// The limits of files that steps name, by the settings of the command whose words are read.
  @TaskLocal static var fileLimits = FileLimits()
}

extension FilterCatalog.Entry {
  /// The names of the parameters, former ones included.
  var parameterNames: [String] {
    parameters.flatMap { [$0.name] + $0.formerNames }
  }

  /// Whether a step needs a value: a file, or a parameter that must be given.
  func needsValue(for alias: FilterAlias?) -> Bool {
    let given = alias?.parameters.map(\.name) ?? []
    return inputs.lowerBound > 1 || alias?.prefix.isEmpty == false
      || parameters.contains { $0.isRequired && !given.contains($0.name) }
  }

  /// What a shell offers for the value of a step: the words of its main parameter, if the value begins with it.
  fileprivate func completion(for alias: FilterAlias?) -> Completion {
    guard let parameter = mainParameter, inputs.lowerBound <= 1, alias?.prefix.isEmpty != false,
      alias?.parameters.contains(where: { $0.name == parameter.name }) != true
    else { return .none }
    let form = parameter.textForm
    let words = form.names.isEmpty ? form.choices : form.names
    return words.isEmpty ? .none : .words(words)
  }

  /// The placeholder of the files that a step needs, and of those that it may have, too: `FILE,FILE[,FILE]`; nil where it needs none.
  private var filePlaceholder: String? {
    guard inputs.lowerBound > 1 else { return nil }
    let needed = Array(repeating: "FILE", count: inputs.lowerBound - 1).joined(separator: ",")
    return inputs.upperBound == .max
      ? needed + "[,FILE…]"
      : needed + String(repeating: "[,FILE]", count: inputs.count - 1)
  }

  /// Returns the placeholder of the value in help: `factor=NUMBER,pivot=NUMBER`.
  func stepPlaceholder(for alias: FilterAlias? = nil) -> String {
    if let alias, !alias.prefix.isEmpty {
      return alias.prefix == "@" ? "FILE" : mainParameter?.textForm.placeholder ?? "VALUE"
    }
    let files = filePlaceholder.map { [$0] } ?? []
    let given = alias?.parameters.map(\.name) ?? []
    let required = parameters.filter { $0.isRequired && !given.contains($0.name) }
    let isMainAlone = required.count == 1 && required[0].name == mainParameter?.name
    let values = required.map { parameter in
      let value = (isMainAlone ? "" : "\(parameter.name)=") + parameter.textForm.placeholder
      guard let other = parameters.first(where: { $0.name == parameter.alternative })
      else { return value }
      let either = "\(value) or \(other.name)=\(other.textForm.placeholder)"
      return files.count + required.count == 1 ? either : "(\(either))"
    }
    return (files + values).joined(separator: ",")
  }
}

extension Argument<PictureSteps> {
  /// One option for each filter of the catalog, and for each of its aliases; those of other options are left to these.
  static func filters(except taken: Set<String>) -> [Argument<PictureSteps>] {
    Tool.catalog.entries.flatMap { entry in
      [step(entry, nil)] + entry.aliases.map { step(entry, $0) }
    }.filter { !taken.contains($0.synopsis.name) }
  }

  private static func step(
    _ entry: FilterCatalog.Entry, _ alias: FilterAlias?
  ) -> Argument<PictureSteps> {
    let option = "--\(alias?.name ?? entry.name)"
    let needsValue = entry.needsValue(for: alias)
    let names = entry.parameters.map(\.name)
    var synopsis = ArgumentSynopsis(
      name: option, placeholders: needsValue ? [entry.stepPlaceholder(for: alias)] : [],
      meaning: entry.summary, heading: "\(entry.subject)")
    synopsis.isFilter = true
    synopsis.takesValue =
      !needsValue && !names.isEmpty
      && !(alias?.parameters.contains { $0.name == entry.mainParameter?.name } ?? false)
    if needsValue || synopsis.takesValue { synopsis.completion = entry.completion(for: alias) }
    // A filter that needs no value takes the next word if that names one of its parameters.
    if !needsValue {
      synopsis.takesWord = { word in
        guard let name = StepWords.name(in: word) else { return false }
        return entry.parameters.contains { $0.isCalled(name) }
      }
    }
    return Argument(synopsis: synopsis) { steps, words in
      if needsValue, words.isEmpty {
        throw Misuse("“\(option)” needs \(entry.stepPlaceholder(for: alias)) after it.")
      }
      if let word = words.first, word.allSatisfy(\.isWhitespace) {
        let needed = needsValue ? entry.stepPlaceholder(for: alias) : "a value"
        throw Misuse("“\(option)” needs \(needed) after it, not “\(beginning(of: word))”.")
      }
      if entry.name == "crop", let word = words.first, let crop = try SizedCrop(word, of: option) {
        return steps.add(crop, option)
      }
      steps.add(try FilterStep(entry, alias: alias, value: words.first, of: option))
    }
  }
}
