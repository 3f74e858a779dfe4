import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Synchronization

/// A file holds no recipe, or no film description.
struct RecipeFileError: Error {
  let file: String
  var kind = "recipe"
  let error: RecipeDecodingError
}

extension Parser<RecipeFile> {
  /// Parses the path of a recipe, and reads it, so that the files that it names are known before anything is written.
  static var recipe: Parser {
    let path = Parser<String>.pathToRead
    return Parser(path.placeholders[0], needed: path.needed, completion: path.completion) { word in
      if word.isEmpty { return nil }
      let file = RecipeFile(word, limits: Tool.fileLimits)
      _ = try file.recipe()
      return file
    }
  }
}

/// A recipe in a file, which is read once, on first use.
final class RecipeFile: Sendable {
  let path: String
  /// The limits of files that the recipe names.
  private let limits: FileLimits
  private let known = Mutex<Recipe?>(nil)

  init(_ path: String, limits: FileLimits) { (self.path, self.limits) = (path, limits) }

  /// Reads the recipe under the lock: a pipe can be read only once.
  func recipe() throws -> Recipe {
    try known.withLock { known in
      if let known { return known }
      let text = try readText(at: path)
      let value = try orFailure { try RecipeValue(json: text) }
      let filled = try withFiles(in: value)
      let recipe = try orFailure { try RecipeDecoder(catalog: Tool.catalog).recipe(of: filled) }
      known = recipe
      return recipe
    }
  }

  /// Whether no step of the recipe moves pixels or replaces them.
  var keepsPlace: Bool { (try? recipe().keepsPlace) == true }

  /// Whether no step of the recipe changes linear light.
  var keepsLight: Bool { (try? recipe().keepsLight) == true }

  /// Whether a step of the recipe may change the proportions of the picture.
  var stretches: Bool { (try? recipe().stretches) == true }

  /// Returns what is decoded; an error of decoding names the file.
  private func orFailure<Value>(_ decode: () throws -> Value) throws -> Value {
    do { return try decode() } catch let error as RecipeDecodingError {
      throw RecipeFileError(file: path, error: error)
    }
  }

  /// The names of the recipe's inputs, of which the caller gives the first `count`.
  func inputs(given count: Int) throws -> [String] {
    let names = try recipe().inputs
    guard count <= names.count else {
      throw Misuse(
        "“\(path)” takes \(names.count) \(names.count == 1 ? "picture" : "pictures") "
          + "(\(names.joined(separator: ", "))); got \(count).")
    }
    return names
  }

  /// Returns the value with what files hold, whose paths are relative to its folder: filters, as in
  /// `{"look": {"file": "grades.ccc", "id": "shot2"}}`, and profiles, as in `{"soft-proof": {"on": {"file": "press.icc"}}}`.
  /// `owner` is the filter whose parameters the value holds.
  private func withFiles(
    in value: RecipeValue, of owner: FilterCatalog.Entry? = nil
  ) throws -> RecipeValue {
    switch value {
    case .array(let values):
      return .array(try values.map { try withFiles(in: $0) })
    case .object(let members):
      return .object(
        try members.map { member in
          if case .object(let inner) = member.value,
            let place = inner.firstIndex(where: { $0.name == "file" }),
            case .string(let name) = inner[place].value,
            let type = Tool.catalog[member.name]?.type as? any FilterFile.Type
          {
            let file = self.path(of: name)
            let others = RecipeValue.object(inner.filter { $0.name != "file" })
            let filter = try orFailure {
              try type.filter(
                inFile: file, parameters: RecipeSource(others, at: member.name), limits: limits)
            }
            return RecipeValue.Member(member.name, try filter.recipeValue())
          }
          if case .object(let inner) = member.value, inner.count == 1, inner[0].name == "file",
            case .string(let name) = inner[0].value,
            let parameter = owner?.parameters.first(where: { $0.isCalled(member.name) }),
            parameter.mayBeProfile
          {
            return RecipeValue.Member(member.name, try profile(path(of: name), as: parameter))
          }
          return RecipeValue.Member(
            member.name, try withFiles(in: member.value, of: Tool.catalog[member.name]))
        })
    default: return value
    }
  }

  /// Returns the path of a file that the recipe names.
  private func path(of name: String) -> String {
    name.hasPrefix("/") ? name : URL(filePath: name, relativeTo: URL(filePath: path)).path
  }

  /// Returns the value of a parameter that is the profile in a file.
  private func profile(_ file: String, as parameter: ParameterDescription) throws -> RecipeValue {
    guard ICCProfile.isPath(file) else {
      throw Failure("“\(file)” is no ICC profile, whose file name ends in .icc or .icm.")
    }
    try beginReading(file)
    guard let value = parameter.textForm.value(of: file) else {
      throw Failure("“\(file)” \(problem(ofProfile: file)).")
    }
    return value
  }

  /// Returns the recipe's result for one picture.
  func picture(of picture: Picture) throws -> Picture {
    let recipe = try recipe()
    guard recipe.inputs.count == 1, recipe.outputs.count < 2 else {
      throw Misuse(
        "“\(path)” takes \(recipe.inputs.count) pictures and makes \(max(recipe.outputs.count, 1)). "
          + "Here one makes one; “colorloom run” runs every recipe.")
    }
    return try recipe.picture([recipe.inputs[0]: picture], output: recipe.outputs.first)
  }

  /// Returns the recipe's results and their names, for pictures in the order of its inputs.
  func pictures(of inputs: [Picture]) throws -> [(name: String?, picture: Picture)] {
    let recipe = try recipe()
    let named = Dictionary(uniqueKeysWithValues: zip(recipe.inputs, inputs))
    if recipe.outputs.isEmpty { return [(nil, try recipe.picture(named))] }
    let pictures = try recipe.pictures(named)
    return recipe.outputs.compactMap { name in pictures[name].map { (name, $0) } }
  }
}
