import Colorloom
import Foundation
import ImageFiles
import Synchronization

/// A recipe in a file, which is read once, on first use.
final class RecipeFile: Sendable {
  private let path: String
  private let known = Mutex<Recipe?>(nil)

  init(_ path: String) { self.path = path }

  func recipe() throws -> Recipe {
    if let known = known.withLock({ $0 }) { return known }
    let filled = try withFiles(in: readText(at: path))
    do throws(RecipeDecodingError) {
      let recipe = try RecipeDecoder(catalog: Tool.catalog).recipe(json: filled)
      known.withLock { $0 = recipe }
      return recipe
    } catch {
      throw Failure("“\(path)” is no recipe. \(Tool.sentence(for: error))")
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

  /// Returns the recipe with the filters in files such as `{"look": {"file": "warm.cube"}}`, whose paths are relative to its folder.
  private func withFiles(in text: String) throws -> String {
    guard text.contains("\"file\""), let value = try? decoded(RecipeValue.self, fromJSON: text)
    else { return text }
    return jsonLine(try withFiles(in: value))
  }

  private func withFiles(in value: RecipeValue) throws -> RecipeValue {
    switch value {
    case .array(let values): return .array(try values.map { try withFiles(in: $0) })
    case .object(let members):
      return .object(
        try members.map { member in
          if case .object(let inner) = member.value, inner.count == 1, inner[0].name == "file",
            case .string(let name) = inner[0].value,
            let type = Tool.catalog[member.name]?.type as? any FilterFile.Type
          {
            let url = URL(filePath: name, relativeTo: URL(filePath: path))
            let filter = try type.filter(inFile: name.hasPrefix("/") ? name : url.path)
            return RecipeValue.Member(member.name, try filter.recipeValue())
          }
          return RecipeValue.Member(member.name, try withFiles(in: member.value))
        })
    default: return value
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
