import Colorloom
import Foundation
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
      let value = try orFailure { () throws(RecipeDecodingError) in try RecipeValue(json: text) }
      let filled = try withFiles(in: value)
      let recipe = try orFailure { () throws(RecipeDecodingError) in
        try RecipeDecoder(catalog: Tool.catalog).recipe(of: filled)
      }
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

  /// Returns what is decoded; an error names the file.
  private func orFailure<Value>(
    _ decode: () throws(RecipeDecodingError) -> Value
  ) throws -> Value {
    do throws(RecipeDecodingError) { return try decode() } catch {
      throw RecipeFileError(file: path, error: error)
    }
  }

  /// The names of the recipe's inputs, of which the caller gives the first `count`.
  func inputs(given count: Int) throws -> [String] {
    let names = try recipe().inputs
    guard count <= names.count else {
      throw Misuse(
        "“\(path)” takes \(names.count) pictures (\(names.joined(separator: ", "))); got \(count).")
    }
    return names
  }

  /// Returns the value with the filters in files such as `{"look": {"file": "warm.cube"}}`, whose paths are relative to its folder;
  /// `isFirst` says whether the value is, or holds, the first step.
  private func withFiles(in value: RecipeValue, isFirst: Bool = true) throws -> RecipeValue {
    switch value {
    case .array(let values):
      return .array(
        try values.enumerated().map { try withFiles(in: $1, isFirst: isFirst && $0 == 0) })
    case .object(let members):
      return .object(
        try members.map { member in
          if case .object(let inner) = member.value, inner.count == 1, inner[0].name == "file",
            case .string(let name) = inner[0].value,
            let type = Tool.catalog[member.name]?.type as? any FilterFile.Type
          {
            let url = URL(filePath: name, relativeTo: URL(filePath: path))
            let file = name.hasPrefix("/") ? name : url.path
            try beginReading(file)
            let filter = try type.filter(inFile: file, limits: limits)
            return RecipeValue.Member(
              member.name, try self.value(of: filter, in: file, isFirst: isFirst))
          }
          return RecipeValue.Member(
            member.name, try withFiles(in: member.value, isFirst: isFirst))
        })
    default: return value
    }
  }

  /// Returns the parameters of a filter in a file. The space of a profile of lookup tables has none.
  private func value(
    of filter: some RecipeFilter, in file: String, isFirst: Bool
  ) throws -> RecipeValue {
    do { return try filter.recipeValue() } catch RecipeEncodingError.unwritableSpace {
      let advice =
        " Remove the step, and run the recipe by “colorloom convert IN OUT --tag \(shellWord(file)) "
        + "--recipe \(shellWord(path))”."
      throw Failure(
        "“\(file)” is a profile of lookup tables, which a recipe cannot hold."
          + (isFirst ? advice : ""))
    }
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
