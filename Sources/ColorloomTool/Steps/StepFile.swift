import Colorloom
import ImageFiles

/// A file that a step names in place of the parameters of its filter, and the parameters beside it: `grades.ccc,id=shot2`.
struct StepFile {
  let path: String
  /// The parameters beside the file.
  private(set) var members: [RecipeValue.Member] = []
  private let type: any FilterFile.Type

  /// Creates the file that the value of an option begins with; nil for values that state parameters of the filter.
  init?(
    _ value: String, of option: String, _ entry: FilterCatalog.Entry, _ alias: FilterAlias?
  ) throws {
    guard let type = entry.type as? any FilterFile.Type else { return nil }
    self.type = type
    func path(_ text: String) throws -> String? {
      if text.hasPrefix("@") { return try fileName(after: text, in: option) }
      return alias?.prefix == "@" || text == "-" || text.hasExtension(in: type.fileExtensions)
        ? text : nil
    }
    let whole = try path(value)
    let own = type.fileParameters
    let names = entry.parameterNames + own.map(\.name)
    let words = StepWords(value, parameters: names)
    guard let first = words.named.first(where: { names.contains($0.name) }),
      whole.map(StepWords.isFile) != true
    else {
      if whole.map(StepWords.isFile) != true, let file = try words.leading.first.flatMap(path),
        StepWords.isFile(file)
      {
        try Self.refuse(
          words.leading.dropFirst().first ?? words.named.first.map { "\($0.name)=\($0.text)" },
          of: option, beside: file, taking: own)
      }
      guard let whole else { return nil }
      self.path = whole
      return
    }
    if words.leading.isEmpty, !entry.parameterNames.contains(first.name) {
      throw Misuse("“\(option)” needs a file before “\(first.name)=\(beginning(of: first.text))”.")
    }
    guard !words.leading.isEmpty, let file = try path(words.leading.joined(separator: ",")) else {
      return nil
    }
    self.path = file
    let other = words.named.first { word in !own.contains { $0.isCalled(word.name) } }
    try Self.refuse(
      other.map { "\($0.name)=\($0.text)" }, of: option, beside: file, taking: own)
    members = try StepValue(value, of: option, entry, alias, besideFile: own).members(ofFile: own)
  }

  /// Throws where a word follows a file that is none of the parameters beside it.
  private static func refuse(
    _ word: String?, of option: String, beside file: String, taking own: [ParameterDescription]
  ) throws {
    guard let word else { return }
    let allowed = own.isEmpty ? "no parameter" : "only \(own.map(\.name).joined(separator: ", "))"
    throw Misuse(
      "“\(option)” takes \(allowed) beside a file, but “\(beginning(of: word))” follows “\(file)”.")
  }

  /// Reads the filter.
  func filter(of option: String) throws -> any RecipeFilter {
    try type.filter(inFile: path, parameters: parameters(of: option), limits: Tool.fileLimits)
  }

  /// The parameters beside the file, for errors that name the option.
  func parameters(of option: String) -> RecipeSource { RecipeSource(.object(members), at: option) }
}

extension FilterFile {
  /// Reads a filter by the parameters beside its file. Where these choose none of several filters, the command reports which one is read.
  static func filter(
    inFile path: String, parameters: RecipeSource, limits: FileLimits
  ) throws -> Self {
    try beginReading(path)
    if isFolder(path) { throw Failure("“\(path)” is a folder, not a file.") }
    var choice: String?
    let filter = try filter(inFile: path, parameters: parameters, limits: limits, choice: &choice)
    if let choice { Tool.filesRead?.add(choice: "\(path): \(choice).") }
    return filter
  }
}

extension Session {
  /// Reports which part was read of the files that hold several filters, once for each file.
  func noteChoices() {
    for choice in Tool.filesRead?.takeChoices() ?? [] { note(choice) }
  }
}
