import Colorloom
import ImageFiles

final class FiltersVerb: Verb {
  static let name = "filters"
  static let summary = "list the filters, or explain one"
  static let discussion = """
    Every filter is a step of “convert” and the other verbs that change pictures, by its name and by its aliases, and a step of recipes by \
    its name. If a filter has one required parameter, its name may be omitted; others are given as “name=value” with commas between. \
    Further input pictures come first, as file names.
    """
  static let example = "colorloom filters gaussian-blur"
  static var arguments: [Argument<FiltersVerb>] {
    let names = Tool.catalog.names
    return [
      .positional(
        Parser("NAME", needed: "the name of a filter", completion: .words(names)) { $0 },
        "the filter to explain; default: all are listed", \.filter),
      .flag("--json", "print the declarations of the filters as JSON", \.printsJSON),
      .flag("--markdown", "print the reference of all filters as Markdown", \.printsMarkdown)
        .excluding("--json", "NAME"),
    ]
  }

  var filter: String?
  var printsJSON = false
  var printsMarkdown = false

  func run(in session: Session) throws {
    let catalog = Tool.catalog
    guard let filter else {
      if printsMarkdown { return session.printText(filterReference(of: catalog)) }
      if printsJSON { return session.print(json: catalog.entries.map(FilterReport.init)) }
      return list(catalog.entries, in: session)
    }
    guard let entry = catalog[filter] else {
      let names = catalog.names + catalog.entries.flatMap { $0.aliases.map(\.name) }
      throw Misuse(
        "There is no filter “\(beginning(of: filter))”.\(didYouMean(filter, among: names)) "
          + "“colorloom filters” lists them all.")
    }
    if printsJSON { return session.print(json: FilterReport(entry)) }
    session.printText(entry.explanation)
  }

  private func list(_ entries: [FilterCatalog.Entry], in session: Session) {
    let column = (entries.map(\.name.count).max() ?? 0) + 4
    var subject: FilterCatalog.Subject?
    for entry in entries {
      if entry.subject != subject {
        if subject != nil { session.print("") }
        session.print("\(entry.subject):")
        subject = entry.subject
      }
      let gap = String(repeating: " ", count: column - entry.name.count - 2)
      session.print("  \(entry.name)\(gap)\(entry.summary)")
    }
  }
}

extension FilterCatalog.Entry {
  /// The full description of the filter as text.
  var explanation: String {
    let example = sampleCommand.map { ["Example:\n  \($0)"] } ?? []
    let call = swiftCall.isEmpty ? [] : ["In Swift:\n  \(swiftCall)"]
    let recipe =
      sample.map {
        ["In a recipe:\n  \(jsonLine(RecipeValue.object([RecipeValue.Member(name, $0)])))"]
      } ?? []
    let aliases = aliases.map { "--\($0.name)" }.joined(separator: ", ")
    let lines = parameters.map { "  \($0.line)" }
    return
      ([
        "\(name): \(summary)",
        "Step: \(step)" + (aliases.isEmpty ? "" : "\nAliases: \(aliases)")
          + (fileLine.map { "\n\($0)" } ?? ""),
        (["Kind: \(kind)"] + noteLines).joined(separator: "\n"),
        lines.isEmpty ? "Parameters: none" : "Parameters:\n" + lines.joined(separator: "\n"),
      ] + example + call + recipe).joined(separator: "\n\n")
  }

  /// The option of the step, and the form of its value: `--exposure NUMBER`, `--gamut-fit[=VALUE]`, `--sobel`.
  var step: String {
    "--\(name)"
      + (needsValue(for: nil) ? " \(stepPlaceholder())" : parameters.isEmpty ? "" : "[=VALUE]")
  }

  /// A line on the option that reads the filter from a file; nil for filters that no file can hold.
  var fileLine: String? { fileStep.map { "File: \($0.option)  \($0.meaning)" } }

  /// The option that reads the filter from a file, with its help; nil for filters that no file can hold.
  var fileStep: (option: String, meaning: String)? {
    guard let type = type as? any FilterFile.Type else { return nil }
    let name = aliases.first { $0.prefix == "@" }?.name ?? name
    return ("--\(name) \(type.fileExtensions.isEmpty ? "@" : "")FILE", type.fileHelp)
  }

  /// Lines on the formula, on values that are clamped, and on the size of generators.
  var noteLines: [String] {
    [("Formula", notes.formula), ("Clamping", notes.clamping), ("Size", sizeNote)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }
  }

  /// The size of a generator's picture, where that is infinite; empty for other filters.
  private var sizeNote: String {
    guard inputs.upperBound == 0, let sample,
      (try? filter(sample, at: name))?.picture(of: []).isEndless == true
    else { return "" }
    return
      "infinite. As a step of a command it paints the area of the picture before it, and a crop after it keeps "
      + "a part of that; in a recipe it is infinite until a crop."
  }

  /// The working domain with the defaults, or with the sample where they make no filter; nil for compounds of other packages.
  var domain: PixelDomain? {
    let required = sample?.members(where: { name in
      parameters.contains { $0.isRequired && $0.name == name }
    })
    return [required, sample].lazy.compactMap(\.self)
      .compactMap { try? filter($0, at: name) }.first?.statedDomain
  }

  /// What the filter sees, in which domain it computes, and how many pictures it takes.
  var kind: String {
    let light =
      notes.domains.isEmpty ? domain.map { ", in \($0)" } ?? "" : ", \(notes.domains)"
    let pictures =
      inputs.lowerBound == inputs.upperBound
      ? "\(inputs.lowerBound)"
      : inputs.upperBound == .max
        ? "\(inputs.lowerBound) or more" : "\(inputs.lowerBound) to \(inputs.upperBound)"
    switch inputs.upperBound {
    case 0: return "generator: makes a picture from nothing\(light)"
    case 1 where traits.contains(.moves) && domain == .any:
      return "moves, adds or leaves out pixels, whose values stay as they are\(light)"
    case 1 where type is any CompoundFilter.Type: return "a compound of other filters\(light)"
    case 1 where type is any AreaFilter.Type: return "area filter: reads neighboring pixels\(light)"
    case 1: return "point filter: changes each pixel by itself\(light)"
    default: return "takes \(pictures) pictures\(light)"
    }
  }

  /// A command that works; nil where a parameter has no word form.
  var sampleCommand: String? {
    guard let sample, case .object(let members) = sample else { return nil }
    let others = inputs.upperBound == 2 ? 1 : max(inputs.lowerBound - 1, 0)
    var words = Array(["other.png", "third.png"].prefix(others))
    for member in members {
      guard let parameter = parameters.first(where: { $0.name == member.name }) else { continue }
      if !parameter.isRequired, member.value == parameter.defaultValue { continue }
      let form = parameter.textForm
      guard let word = form.fileExample ?? form.word(for: member.value) else { return nil }
      words.append(
        parameter.name == mainParameter?.name && words.isEmpty && needsValue(for: nil)
          ? word : "\(member.name)=\(word)")
    }
    let value = words.joined(separator: ",")
    return "colorloom convert photo.png out.png --\(name)"
      + (value.isEmpty ? "" : " \(shellWord(value))") + ending(of: sample)
  }

  /// The steps without which a file cannot hold what the sample makes.
  private func ending(of sample: RecipeValue) -> String {
    let gray = Picture.constant(ColorPoint(0.5, 0.5, 0.5, in: .sRGB), in: .sRGB)
      .cropped(to: Region(PixelSize(40, 30)))
    guard let filter = try? filter(sample, at: name) else { return "" }
    let picture = filter.picture(of: Array(repeating: gray, count: inputs.lowerBound))
    return (picture.isEndless && inputs.lowerBound > 0 ? " --crop 0,0,400x300" : "")
      + (picture.space.transfer.curves == nil ? " --to sRGB" : "")
  }
}

extension RecipeValue {
  /// The object with the members whose names fulfill a condition.
  fileprivate func members(where isIncluded: (String) -> Bool) -> RecipeValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { isIncluded($0.name) })
  }
}

extension TextForm {
  /// An example of a file name, for values that are files: `profile.icc` for `PROFILE.icc`.
  var fileExample: String? {
    placeholder.wholeMatch(of: /[A-Z]+\.[a-z]+/) == nil ? nil : placeholder.lowercased()
  }
}

extension ParameterDescription {
  /// The default as a word on the command line; nil where there is none, or an empty one.
  var defaultWord: String? {
    guard !isRequired, let defaultValue, defaultValue != .null else { return nil }
    return textForm.word(for: defaultValue).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The parameter in a line: `sigma=NUMBER  the standard deviation; pixels, 0…10000; required`.
  var line: String {
    let limits = [unit, rangeText ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    let fallback: String? =
      isRequired
      ? "required" + (alternative.map { " unless “\($0)”" } ?? "")
      : defaultWord.map { "default: \($0)" }
    return "\(name)=\(textForm.placeholder)  "
      + [meaning, limits, fallback ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
  }
}

/// The full description of a filter as JSON.
private struct FilterReport: Encodable {
  struct Parameter: Encodable {
    let name, meaning, unit, form: String
    let range: [Double]?
    let isRequired: Bool
    /// The parameter that may be given in place of this one.
    let alternative: String?
    let `default`, sample: RecipeValue?
  }

  let name, subject, summary, kind: String
  let domain: RecipeValue?
  let aliases: [String]
  let inputs: [Int]
  let parameters: [Parameter]
  let formula, clamping, example, swift: String?

  init(_ entry: FilterCatalog.Entry) {
    (name, subject, summary) = (entry.name, "\(entry.subject)", entry.summary)
    (kind, domain) = (
      entry.kind, entry.domain.flatMap { $0 == .any ? .string("any") : try? $0.recipeValue() }
    )
    aliases = entry.aliases.map(\.name)
    inputs = [entry.inputs.lowerBound, min(entry.inputs.upperBound, 1 << 30)]
    formula = entry.notes.formula.isEmpty ? nil : entry.notes.formula
    clamping = entry.notes.clamping.isEmpty ? nil : entry.notes.clamping
    example = entry.sampleCommand
    swift = entry.swiftCall.isEmpty ? nil : entry.swiftCall
    parameters = entry.parameters.map {
      Parameter(
        name: $0.name, meaning: $0.meaning, unit: $0.unit, form: $0.textForm.placeholder,
        range: $0.range.map { [$0.lowerBound, $0.upperBound] }, isRequired: $0.isRequired,
        alternative: $0.alternative, default: $0.defaultValue, sample: $0.sample)
    }
  }
}
