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
    func path(_ text: String) -> String? {
      if text.hasPrefix("@") { return String(text.dropFirst()) }
      return alias?.prefix == "@" || text == "-" || text.hasExtension(in: type.fileExtensions)
        ? text : nil
    }
    let whole = path(value)
    let own = type.fileParameters
    let names = entry.parameterNames + own.map(\.name)
    let words = StepWords(value, parameters: names)
    guard let first = words.named.first(where: { names.contains($0.name) }),
      whole.map(StepWords.isFile) != true
    else {
      guard let whole else { return nil }
      self.path = whole
      return
    }
    if words.leading.isEmpty, !entry.parameterNames.contains(first.name) {
      throw Misuse("“\(option)” needs a file before “\(first.name)=\(beginning(of: first.text))”.")
    }
    guard !words.leading.isEmpty, let file = path(words.leading.joined(separator: ",")) else {
      return nil
    }
    self.path = file
    if let other = words.named.first(where: { word in !own.contains { $0.isCalled(word.name) } }) {
      let allowed = own.isEmpty ? "no parameter" : "only \(own.map(\.name).joined(separator: ", "))"
      throw Misuse(
        "“\(option)” takes \(allowed) beside a file, but “\(other.name)=\(beginning(of: other.text))” follows “\(file)”."
      )
    }
    members = try StepValue(value, of: option, entry, alias, besideFile: own).members(ofFile: own)
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
