internal import ColorSpaces

/// A decoder of recipes with the filters of a catalog.
public struct RecipeDecoder: Sendable {
  /// The filters that recipes may name.
  public var catalog: FilterCatalog
  /// The maximum number of steps of a recipe.
  public var stepLimit = 1000

  /// Creates a decoder with the filters of a catalog.
  public init(catalog: FilterCatalog = .builtIn) { self.catalog = catalog }

  /// Decodes a recipe from JSON text.
  public func recipe(json text: String) throws(RecipeDecodingError) -> Recipe {
    try recipe(of: RecipeValue(json: text))
  }

  /// Decodes a recipe from a JSON value.
  package func recipe(of value: RecipeValue) throws(RecipeDecodingError) -> Recipe {
    let root = RecipeSource(value, at: "", readingSpaces: catalog.spaceReaders)
    let members = try root.members(expected: "an object with a version and steps")
    func member(_ name: String) -> RecipeSource? { members.first { $0.name == name }?.source }
    guard let version = member("version") else { throw .missing(at: "", name: "version") }
    let number = try Int(recipe: version)
    guard Recipe.versions.contains(number) else {
      throw .version(number, readable: Recipe.versions)
    }
    let names = ["version", "inputs", "steps", "outputs", "coreImage"]
    for member in members where !names.contains(member.name) {
      throw .unknown(
        at: "", kind: "part of a recipe", name: member.name,
        known: namesNearest(to: member.name, among: names))
    }
    if let chain = member("coreImage") {
      let names = ["version", "inputs", "coreImage"]
      if let other = members.first(where: { !names.contains($0.name) }) {
        throw .mismatch(
          at: "", expected: "either “coreImage” or “steps”",
          found: quotedBeginning(of: other.name) + " beside “coreImage”")
      }
      return try recipe(coreImage: chain, inputs: member("inputs"))
    }
    guard let steps = member("steps") else { throw .missing(at: "", name: "steps") }
    var reader = try StepReader(catalog: catalog, inputs: member("inputs"))
    let elements = try steps.elements(expected: "a list of steps")
    guard elements.count <= stepLimit else {
      throw .tooManySteps(at: steps.path, elements.count, limit: stepLimit)
    }
    for step in elements { try reader.read(step: step) }
    return try reader.recipe(outputs: member("outputs"))
  }

  /// Decodes a list of Core Image filters.
  private func recipe(
    coreImage chain: RecipeSource, inputs listed: RecipeSource?
  ) throws(RecipeDecodingError) -> Recipe {
    let translation = try CoreImageTranslation(chain, inputs: listed)
    let steps = translation.steps
    guard steps.count <= stepLimit else {
      throw .tooManySteps(at: chain.path, steps.count, limit: stepLimit)
    }
    let inputs = RecipeValue.array(translation.inputs.map(RecipeValue.string))
    var reader = try StepReader(
      catalog: catalog, inputs: listed ?? RecipeSource(inputs, at: chain.path))
    for step in steps { try reader.read(step: step) }
    return try reader.recipe(outputs: RecipeSource(.string(translation.result), at: chain.path))
  }
}

extension Recipe {
  /// Decodes a recipe from JSON text, with the filters of this package.
  public init(json text: String) throws(RecipeDecodingError) {
    self = try RecipeDecoder().recipe(json: text)
  }
}

/// Decodes steps in order.
private struct StepReader {
  private let catalog: FilterCatalog
  private var inputs: [String]
  private let inputsAreImplied: Bool
  private var steps: [Recipe.Step] = []
  private var known: [String: Recipe.Reference] = [:]

  /// A recipe that names no inputs has one called “input” if a step reads it.
  init(
    catalog: FilterCatalog, inputs source: RecipeSource?
  ) throws(RecipeDecodingError) {
    self.catalog = catalog
    inputsAreImplied = source == nil
    inputs = source == nil ? ["input"] : []
    if source == nil { known["input"] = .input(0) }
    for element in try source?.elements(expected: "a list of names") ?? [] {
      let name = try element.text(expected: "a name")
      try define(name, as: .input(inputs.count), at: element.path)
      inputs.append(name)
    }
  }

  private mutating func define(
    _ name: String, as reference: Recipe.Reference, at path: String
  ) throws(RecipeDecodingError) {
    if known.updateValue(reference, forKey: name) != nil {
      throw .duplicate(at: path, name: name)
    }
  }

  mutating func read(step source: RecipeSource) throws(RecipeDecodingError) {
    let expected = "a filter such as {\"exposure\": {\"stops\": 1}}"
    var members: [(name: String, source: RecipeSource)]
    if case .string(let word) = source.value {
      // A filter without parameters.
      members = [(word, source.member(word, .object([])))]
    } else {
      members = try source.members(expected: expected)
    }
    func take(_ name: String) -> RecipeSource? {
      members.firstIndex { $0.name == name }.map { members.remove(at: $0).source }
    }
    let (name, from) = (take("name"), take("from"))
    guard let filter = members.first else { throw source.mismatch(expected: expected) }
    if members.count > 1 {
      throw .mismatch(
        at: source.path, expected: "one filter",
        found: members.map { quotedBeginning(of: $0.name) }.joined(separator: " and "))
    }
    // Recipes use canonical names and former ones; other aliases are for command lines.
    guard let entry = catalog[filter.name],
      entry.name == filter.name
        || entry.aliases.contains(where: { $0.isFormerName && $0.name == filter.name })
    else {
      if let entry = catalog[filter.name] {
        throw .mismatch(
          at: source.path, expected: "\(quoted(entry.name)), the filter's name in recipes",
          found: "its alias \(quoted(filter.name))")
      }
      throw .unknown(
        at: source.path, kind: "filter", name: filter.name,
        known: namesNearest(to: filter.name, among: catalog.entries.map(\.name).sorted()))
    }
    let inputs = try references(from, for: entry, at: source.path)
    let made = try entry.type.init(recipe: filter.source)
    do throws(RecipeEncodingError) {
      steps.append(try Recipe.Step(made, of: inputs, readAt: filter.source.path))
    } catch {
      throw .unwritable(at: filter.source.path, error)
    }
    if let name {
      let text = try name.text(expected: "a name")
      try define(text, as: .step(steps.count - 1), at: name.path)
      steps[steps.count - 1].name = text
    }
  }

  /// The references of a step: its `"from"`, or the previous step.
  private func references(
    _ from: RecipeSource?, for entry: FilterCatalog.Entry, at path: String
  ) throws(RecipeDecodingError) -> [Recipe.Reference] {
    let needed = entry.inputs
    var inputs: [Recipe.Reference] = []
    if let from {
      if case .string = from.value {
        inputs = [try reference(from)]
      } else {
        for name in try from.elements(expected: "a name or a list of names") {
          inputs.append(try reference(name))
        }
      }
    } else if needed.upperBound > 0 {
      inputs = Recipe.implied(at: steps.count, inputCount: self.inputs.count).map { [$0] } ?? []
    }
    guard needed.contains(inputs.count) else {
      throw .inputCount(
        at: from?.path ?? path, filter: entry.name, needed: needed, found: inputs.count)
    }
    return inputs
  }

  private func reference(_ source: RecipeSource) throws(RecipeDecodingError) -> Recipe.Reference {
    let name = try source.text(expected: "the name of an input or of an earlier step")
    guard let reference = known[name] else {
      throw .unknown(
        at: source.path, kind: "input or earlier step", name: name,
        known: namesNearest(to: name, among: known.keys.sorted()))
    }
    return reference
  }

  func recipe(outputs source: RecipeSource?) throws(RecipeDecodingError) -> Recipe {
    var outputs: [(name: String?, reference: Recipe.Reference)] = []
    switch source?.value {
    case nil:
      guard let last = Recipe.implied(at: steps.count, inputCount: inputs.count) else {
        throw .mismatch(
          at: "", expected: "a step or the name of an input", found: "none of either")
      }
      outputs = [(nil, last)]
    case .string:
      outputs =
        try source.map { source throws(RecipeDecodingError) in [(nil, try reference(source))] }
        ?? []
    default:
      for (name, source) in try source?.members(expected: "an object of names") ?? [] {
        outputs.append((name, try reference(source)))
      }
      if outputs.isEmpty { throw .mismatch(at: "outputs", expected: "a name", found: "none") }
    }
    outputs.sort { ($0.name ?? "") < ($1.name ?? "") }
    let references = outputs.map(\.reference) + steps.flatMap(\.inputs)
    return Recipe(
      inputs: inputsAreImplied && !references.contains(.input(0)) ? [] : inputs, steps: steps,
      outputs: outputs.compactMap(\.name), results: outputs.map(\.reference))
  }
}
