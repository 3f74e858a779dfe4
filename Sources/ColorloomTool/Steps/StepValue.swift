import Colorloom
import Foundation
import ICCProfiles
import ImageFiles

/// The value of a step on a command line: the files of pictures, and the parameters of a filter.
struct StepValue {
  private let entry: FilterCatalog.Entry
  /// The other name by which the filter was called.
  private let alias: FilterAlias?
  /// The option as it was typed.
  private let option: String
  private let words: StepWords
  /// How many pictures the filter takes beside the one that is changed.
  private let fileLimit: Int
  /// The files of these pictures.
  let files: [String]

  /// Splits a value into words; `own` are the parameters beside a file that the value begins with.
  init(
    _ value: String, of option: String, _ entry: FilterCatalog.Entry, _ alias: FilterAlias?,
    besideFile own: [ParameterDescription] = []
  ) throws {
    (self.entry, self.alias, self.option) = (entry, alias, option)
    fileLimit = entry.inputs.upperBound == .max ? Int.max : max(entry.inputs.upperBound - 1, 0)
    words = StepWords(
      value, parameters: entry.parameterNames + own.map(\.name), fileLimit: fileLimit)
    if words.lacksPart {
      throw Misuse(
        "A comma in the value of “\(option)” has nothing before or after it: “\(beginning(of: value))”. "
          + "Remove it.")
    }
    files = words.leading.prefix(fileLimit).map(StepWords.fileName)
    for file in files { Tool.filesRead?.add(file) }
  }

  /// Throws where pictures are missing that the filter needs, or are folders.
  func checkPictures() throws {
    if let file = files.first(where: isFolder) {
      throw Failure("“\(file)” is a folder, not a file. “\(option)” needs a picture.")
    }
    guard files.count + 1 >= entry.inputs.lowerBound else {
      let needed = entry.inputs.lowerBound - 1
      let typed = words.named.first { name, _ in !entry.parameters.contains { $0.isCalled(name) } }
        .map { " There is no file “\($0.name)=\($0.text)”." }
      throw Misuse(
        "“\(option)” needs \(needed == 1 ? "a picture" : "\(needed) pictures") beside the one it "
          + "changes: \(option) \(entry.stepPlaceholder(for: alias)).\(typed ?? "")")
    }
  }

  /// The parameters: of the alias, without a name, and with names.
  func members() throws -> [RecipeValue.Member] {
    var members = alias?.parameters ?? []
    if let member = try mainMember(besides: members) { members.append(member) }
    try addNamed(to: &members, of: entry.parameters)
    try checkRequired(members)
    return members
  }

  /// The parameters with names, which are those of a file that stands in front of them.
  func members(ofFile parameters: [ParameterDescription]) throws -> [RecipeValue.Member] {
    var members: [RecipeValue.Member] = []
    try addNamed(to: &members, of: parameters)
    return members
  }

  /// Adds the parameters with names.
  private func addNamed(
    to members: inout [RecipeValue.Member], of parameters: [ParameterDescription]
  ) throws {
    for (name, text) in words.named {
      guard let parameter = parameters.first(where: { $0.isCalled(name) }) else {
        let names = parameters.map(\.name)
        throw Misuse(
          "“\(option)” has no parameter “\(beginning(of: name))”.\(didYouMean(name, among: names)) It has "
            + "\(names.isEmpty ? "none" : names.joined(separator: ", ")).")
      }
      guard !members.contains(where: { $0.name == parameter.name }) else {
        throw Misuse("“\(option)” states “\(parameter.name)” twice.")
      }
      let isMain = parameter.name == entry.mainParameter?.name
      members.append(try member(parameter, text, isMain ? alias?.prefix : nil))
    }
  }

  /// The main parameter, where it has no name in the value; nil where all parameters have one.
  private func mainMember(
    besides given: [RecipeValue.Member]
  ) throws -> RecipeValue.Member? {
    let alone = words.leading.dropFirst(files.count).joined(separator: ",")
    if alone.isEmpty { return nil }
    if let file = files.last, file != "-", !FileManager.default.fileExists(atPath: file) {
      throw Failure(
        "There is no file “\(file)” for “\(option)”, nor “\(file),\(beginning(of: alone))”.")
    }
    if let file = words.leading.dropFirst(files.count).first(where: isFile), fileLimit > 0 {
      let allowed = fileLimit == 1 ? "1 picture" : "\(fileLimit) pictures"
      throw Misuse(
        "“\(option)” takes at most \(allowed) beside the one it changes, and “\(file)” is one more: "
          + "\(option) \(entry.stepPlaceholder(for: alias)).")
    }
    let parameter = entry.mainParameter
    guard !entry.parameters.isEmpty, !given.contains(where: { $0.name == parameter?.name })
    else {
      throw Misuse("“\(option)” takes no value, but “\(beginning(of: alone))” follows it.")
    }
    guard let parameter else {
      throw Misuse(
        "“\(option)” has several parameters; say which one “\(beginning(of: alone))” is: "
          + "\(option) \(entry.stepPlaceholder(for: alias)).")
    }
    return try member(parameter, alone, alias?.prefix)
  }

  /// Throws where a parameter is missing that the filter needs.
  private func checkRequired(_ members: [RecipeValue.Member]) throws {
    for parameter in entry.parameters
    where parameter.isRequired
      && !members.contains(where: { [parameter.name, parameter.alternative].contains($0.name) })
    {
      if let (sign, word) = words.unclosed {
        throw Misuse(
          "A “\(sign)” in the value of “\(option)” is not closed, so that one word reaches to the end: "
            + "“\(beginning(of: word))”. Close it.")
      }
      let alternative = parameter.alternative.map { " or “\($0)”" } ?? ""
      throw Misuse(
        "“\(option)” needs “\(parameter.name)”\(alternative) (\(parameter.meaning)): "
          + "\(option) \(entry.stepPlaceholder(for: alias)).")
    }
  }

  /// Whether a word of a value is the name of a file.
  private func isFile(_ word: String) -> Bool {
    StepWords.isFile(StepWords.fileName(word))
      || ImageFileFormat(ofFileNamed: word) != nil
  }

  /// Reads the value of a parameter, or the file that it names after “@”; `prefix` is what an alias puts before it.
  private func member(
    _ parameter: ParameterDescription, _ text: String, _ prefix: String?
  ) throws -> RecipeValue.Member {
    var (text, place) = (text, "")
    if text.hasPrefix("@") {
      let file = try fileName(after: text, in: option)
      text = try readText(at: file).trimmingCharacters(in: .whitespacesAndNewlines)
      place = " in “\(file)”"
    }
    // The prefix “@” stands for a file of all parameters.
    // A percentage is the same size, whether it is fitted into or filled.
    if let prefix, prefix != "@", !text.contains(":"), !text.hasSuffix("%") { text = prefix + text }
    let isProfile = parameter.isProfile(text)
    if isProfile { try beginReading(text) }
    guard let value = parameter.textForm.value(of: text) else {
      let found = "“\(beginning(of: text))”\(place)"
      if isProfile {
        throw Failure(
          "\(place.isEmpty ? "“\(text)”" : found) \(problem(ofProfile: text)). “\(option)” needs an ICC profile."
        )
      }
      let range = parameter.rangeText.map { " Range: \($0)." } ?? ""
      let sentence =
        "“\(option)” needs \(parameter.textForm.placeholder) for “\(parameter.name)”, not \(found). "
        + "Meaning of “\(parameter.name)”: \(parameter.meaning).\(range)\(hint)"
      throw place.isEmpty ? Misuse(sentence) : Failure(sentence)
    }
    if parameter.textForm.placeholder == "SPACE", ICCProfile.isPath(text) {
      let advice =
        entry.type is any FilterFile.Type
        ? "Write \(option) \(text), without “\(parameter.name)=”."
        : "“--to” and “--convert-by-profile” convert to profiles, and “--tag” assigns one."
      throw Misuse(
        "“\(option)” needs the name of a color space for “\(parameter.name)”, not “\(text)”, a profile. "
          + advice)
    }
    return RecipeValue.Member(parameter.name, value)
  }

  /// The form of “crop” that its parameter, which is a region, does not show.
  private var hint: String {
    entry.name == "crop" ? " A size alone, such as 800x600, is kept at the center." : ""
  }

  /// Whether an error of the filter is about a value that a file holds. Then another file helps, not another command line.
  func isOfFile(_ error: RecipeDecodingError) -> Bool {
    guard let path = error.path else { return false }
    return entry.parameters.contains { parameter in
      let place = "\(option).\(parameter.name)"
      return (path == place || path.hasPrefix("\(place).") || path.hasPrefix("\(place)["))
        && (parameter.isProfile || path == "\(place).profile" || isInFile(parameter))
    }
  }

  /// Whether the text of a parameter is the name of a file after “@”.
  private func isInFile(_ parameter: ParameterDescription) -> Bool {
    let main = words.leading.dropFirst(files.count).first
    let isMain = parameter.name == entry.mainParameter?.name
    return isMain && main?.hasPrefix("@") == true
      || words.named.contains { parameter.isCalled($0.name) && $0.text.hasPrefix("@") }
  }
}

/// Returns the name of the file after “@”, which stands in the place of a value.
func fileName(after text: String, in option: String) throws -> String {
  guard text.count > 1 else { throw Misuse("“\(option)” needs the name of a file after “@”.") }
  return String(text.dropFirst())
}

/// Returns why a path leads to no profile.
func problem(ofProfile path: String) -> String {
  if path == "-" { return "cannot be read" }
  if !FileManager.default.fileExists(atPath: path) { return "does not exist" }
  return isFolder(path) ? "is a folder, not a file" : "cannot be read"
}

extension ParameterDescription {
  /// Whether the text of its value is the path of an ICC profile.
  fileprivate var isProfile: Bool { textForm.placeholder == "PROFILE.icc" }

  /// Whether its value may be an ICC profile, which recipes may name by a file.
  var mayBeProfile: Bool { textForm.placeholder.hasSuffix("PROFILE.icc") }

  /// Whether a text of its value is the path of an ICC profile, and not the name of a space.
  fileprivate func isProfile(_ text: String) -> Bool {
    isProfile || mayBeProfile && (text == "-" || ICCProfile.isPath(text))
  }
}

extension RecipeDecodingError {
  /// Where in a recipe, or in the value of a step, the error is; nil for errors of the whole text.
  fileprivate var path: String? {
    switch self {
    case .mismatch(let path, _, _), .missing(let path, _), .unknown(let path, _, _, _),
      .unusable(let path, _), .color(let path, _):
      path
    default: nil
    }
  }
}
