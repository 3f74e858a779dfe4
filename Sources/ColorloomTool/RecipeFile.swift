import Colorloom
import Foundation
import ImageFiles

/// A recipe in a file, which is read when it is first asked for, and once.
final class RecipeFile {
  private let path: String
  private var known: Recipe?

  init(_ path: String) { self.path = path }

  func recipe() throws -> Recipe {
    if let known { return known }
    let text: String
    do {
      text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    } catch {
      throw Failure("“\(path)” cannot be read: \(error.localizedDescription)")
    }
    do throws(RecipeDecodingError) {
      let recipe = try RecipeDecoder(catalog: Tool.catalog).recipe(json: text)
      known = recipe
      return recipe
    } catch {
      throw Failure("“\(path)” is no recipe. \(error)")
    }
  }

  /// What the recipe makes of one picture.
  func picture(of picture: Picture) throws -> Picture {
    let recipe = try recipe()
    guard recipe.inputs.count == 1, recipe.outputs.count < 2 else {
      throw Misuse(
        "“\(path)” takes \(recipe.inputs.count) pictures and makes \(max(recipe.outputs.count, 1)). "
          + "Here one makes one; “colorloom run” runs every recipe.")
    }
    return try recipe.picture([recipe.inputs[0]: picture], output: recipe.outputs.first)
  }

  /// The pictures that the recipe makes of some, in the order of its inputs, and what they are called.
  func pictures(of inputs: [Picture]) throws -> [(name: String?, picture: Picture)] {
    let recipe = try recipe()
    let named = Dictionary(uniqueKeysWithValues: zip(recipe.inputs, inputs))
    if recipe.outputs.isEmpty { return [(nil, try recipe.picture(named))] }
    let pictures = try recipe.pictures(named)
    return recipe.outputs.compactMap { name in pictures[name].map { (name, $0) } }
  }
}
