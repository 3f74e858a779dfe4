/// A Core Image filter, by the name of its `CIFilter` and the names and values of its parameters.
///
/// Numbers, vectors, colors and images are JSON values: a vector is a list of numbers, a color a list of red, green, blue and alpha in sRGB
/// or a color of CSS, an image the name of an input of the recipe or of an earlier filter.
public struct CoreImageFilter: Hashable, Sendable {
  /// The name, such as `CIGaussianBlur`.
  public var name: String
  /// The parameters, such as `inputRadius`. Those left out have Core Image's defaults.
  public var parameters: [String: RecipeValue]
  /// The name by which later filters refer to the result.
  public var label: String?

  /// Creates a filter from its name and parameters.
  public init(
    _ name: String, _ parameters: [String: RecipeValue] = [:], label: String? = nil
  ) {
    (self.name, self.parameters, self.label) = (name, parameters, label)
  }

  /// The filter in JSON: `{"CIGaussianBlur": {"inputRadius": 3}}`, with a `"name"` where it has a label.
  private var value: RecipeValue {
    let members = parameters.sorted { $0.key < $1.key }.map { RecipeValue.Member($0.key, $0.value) }
    let name = label.map { [RecipeValue.Member("name", .string($0))] } ?? []
    return .object(name + [RecipeValue.Member(self.name, .object(members))])
  }

  /// The filters as the recipe that ``RecipeDecoder`` reads.
  static func recipe(of filters: [CoreImageFilter]) -> RecipeValue {
    .object([
      RecipeValue.Member("version", .integer(Recipe.versions.upperBound)),
      RecipeValue.Member("coreImage", .array(filters.map(\.value))),
    ])
  }
}

extension Recipe {
  /// Creates a recipe of this package's filters that is equivalent to a chain of Core Image filters.
  ///
  /// A filter reads the result of the one before it, unless `inputImage` names another image. The first one reads the input `image`; names
  /// that no filter has as its label are further inputs. ``inputs`` has `image` first, then the others in the order in which filters read
  /// them; in JSON, a list `"inputs"` beside `"coreImage"` gives another order. All inputs are converted to sRGB without a limit of values,
  /// whose linear light is Core Image's working space. Units are converted, and coordinates whose *y* points up. The guide “Coming from …”
  /// says for each filter what it becomes and what differs.
  ///
  /// - Throws: ``RecipeDecodingError/unmapped(at:_:)`` where a filter or a value of a parameter has no counterpart.
  public init(coreImage filters: [CoreImageFilter]) throws(RecipeDecodingError) {
    self = try RecipeDecoder().recipe(of: CoreImageFilter.recipe(of: filters))
  }
}

/// One row of the table of Core Image filters: what becomes of it here.
package struct CoreImageRow: Sendable {
  typealias Translation =
    @Sendable (_ filter: inout CoreImageTranslation) throws(RecipeDecodingError) -> Void

  /// The names of the filters.
  package let names: [String]
  /// The names of the parameters, besides `inputImage`.
  package let parameters: [String]
  /// The counterpart, as Markdown.
  package let counterpart: String
  /// The difference, as Markdown.
  package let difference: String
  /// Adds the steps of the counterpart.
  let translate: Translation

  init(
    _ names: String..., parameters: [String] = [], is counterpart: String,
    but difference: String = "",
    translate: @escaping Translation
  ) {
    self.init(
      names, parameters: parameters, is: counterpart, but: difference, translate: translate)
  }

  init(
    _ names: [String], parameters: [String], is counterpart: String, but difference: String,
    translate: @escaping Translation
  ) {
    (self.names, self.parameters) = (names, parameters)
    (self.counterpart, self.difference) = (counterpart, difference)
    self.translate = translate
  }

  /// The row of a filter that recipes cannot have.
  init(_ names: String..., is counterpart: String, because reason: String) {
    (self.names, parameters) = (names, [])
    (self.counterpart, difference) = (counterpart, reason)
    translate = { filter throws(RecipeDecodingError) in
      throw filter.unmapped("\(reason); here \(counterpart.replacing("`", with: ""))")
    }
  }

  /// The table of all rows in Markdown.
  package static var table: String {
    let rows = all.map { row in
      let names = row.names.map { "`\($0)`" }.joined(separator: ", ")
      let parameters = row.parameters.map { "`\($0)`" }.joined(separator: ", ")
      return "| \(names) | \(parameters) | \(row.counterpart) | \(row.difference) |\n"
    }
    return "| CIFilter | parameters | here | difference |\n|---|---|---|---|\n" + rows.joined()
  }

  /// All rows, in the order of the table.
  package static let all = adjustments + effects + neighborhoods + geometry + layers + others
}
