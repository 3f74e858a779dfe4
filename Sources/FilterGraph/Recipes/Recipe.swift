internal import ColorSpaces

/// The operations on pictures without the pictures: steps with names and parameters, for storing as JSON and applying
/// to other pictures.
///
/// ```json
/// {
///   "version": 1,
///   "inputs": ["photo"],
///   "steps": [
///     {"exposure": {"stops": 0.5}},
///     {"resize": {"to": {"fit": [2048, 2048]}}}
///   ]
/// }
/// ```
///
/// A step reads the one before it, and the first step reads the first input; `"from"` names others. A step that others
/// refer to has a `"name"`. The last step is the result, unless `"outputs"` names several.
public struct Recipe: Sendable {
  /// The versions that can be read. The last one is written.
  public static let versions = 1...1

  /// The names of the recipe's inputs, in order.
  public let inputs: [String]
  /// The names of the results, sorted; empty for a single unnamed result.
  public let outputs: [String]

  let steps: [Step]
  /// The origins of the results, in the order of their names.
  let results: [Reference]

  /// The origin of a picture: an input or a step.
  enum Reference: Hashable, Sendable {
    case input(Int)
    case step(Int)
  }

  struct Step: Sendable {
    /// The name by which others refer to it.
    var name: String?
    let filter: any RecipeFilter
    /// The filter's parameters, as content hashes have them.
    let parameters: RecipeValue
    let inputs: [Reference]
    /// Where its filter is in the text that it was read from; nil for a step of a picture.
    private let readPath: String?

    init(
      _ filter: any RecipeFilter, of inputs: [Reference], readAt path: String? = nil
    ) throws(RecipeEncodingError) {
      (self.filter, self.inputs, readPath) = (filter, inputs, path)
      parameters = try filter.recipeValue()
    }

    var filterName: String { filter.declaredName }

    /// Where the filter of the step at this index is in the recipe, for errors.
    func path(at index: Int) -> String { readPath ?? "steps[\(index)].\(filterName)" }

    /// The result of the step at this index; an error of the step itself says where it is.
    func picture(of inputs: [Picture], at index: Int) -> Picture {
      let path = path(at: index)
      let result = Recipe.$appliedPath.withValue(path) { filter.picture(of: inputs) }
      return inputs.allSatisfy { $0.failure == nil } ? result.locatingFailure(at: path) : result
    }

    /// The filter's parameters, as written.
    var writtenParameters: RecipeValue {
      guard case .object(let members) = parameters else { return parameters }
      let descriptions = filter.declaredParameters
      return .object(
        members.map { member in
          let description = descriptions.first { $0.name == member.name }
          return .init(member.name, description?.written(member.value) ?? member.value)
        })
    }
  }

  /// Whether gray pictures stay gray in every step.
  package var keepsGray: Bool { steps.allSatisfy(\.filter.keepsGray) }

  init(inputs: [String], steps: [Step], outputs: [String], results: [Reference]) {
    (self.inputs, self.steps) = (inputs, steps)
    (self.outputs, self.results) = (outputs, results)
  }
}

// MARK: From pictures
extension Recipe {
  /// Creates the recipe of a picture: all operations on the pictures it was made from.
  ///
  /// The recipe's inputs are the pictures of `inputs` that the picture is made from, and any other picture without inputs of its own:
  /// ``inputs`` lists their names.
  public init(
    _ picture: Picture, inputs: [String: Picture] = [:]
  ) throws(RecipeEncodingError) {
    self = try Self.withSources(of: [picture], named: [], inputs: inputs).recipe
  }

  /// Creates the recipe of several pictures. Shared steps are written once.
  public init(
    outputs: [String: Picture], inputs: [String: Picture] = [:]
  ) throws(RecipeEncodingError) {
    let entries = outputs.sorted { $0.key < $1.key }
    self = try Self.withSources(of: entries.map(\.value), named: entries.map(\.key), inputs: inputs)
      .recipe
  }

  /// Returns the recipe of pictures, and the sources that have no names.
  static func withSources(
    of pictures: [Picture], named outputs: [String], inputs: [String: Picture] = [:]
  ) throws(RecipeEncodingError) -> (recipe: Recipe, sources: [RecipeSourcePicture]) {
    var writer = RecipeWriter(inputs: inputs)
    var results: [Reference] = []
    for picture in pictures {
      if let failure = picture.failure { throw .recipe(failure) }
      results.append(try writer.reference(to: picture.step))
    }
    let recipe = Recipe(
      inputs: writer.inputs, steps: writer.steps, outputs: outputs, results: results)
    return (recipe, writer.sources)
  }
}

/// A source picture and its name in the recipe.
typealias RecipeSourcePicture = (name: String, picture: Picture)

extension Picture {
  /// Returns the recipe of this picture, and its source pictures by the names of the recipe's inputs.
  public func recipe() throws(RecipeEncodingError) -> (recipe: Recipe, inputs: [String: Picture]) {
    let (recipe, sources) = try Recipe.withSources(of: [self], named: [])
    return (recipe, Dictionary(uniqueKeysWithValues: sources.map { ($0.name, $0.picture) }))
  }
}

/// Lists steps in topological order.
private struct RecipeWriter {
  private let names: [ObjectIdentifier: String]
  private(set) var inputs: [String] = []
  private(set) var steps: [Recipe.Step] = []
  private(set) var sources: [RecipeSourcePicture] = []
  private var known: [ObjectIdentifier: Recipe.Reference] = [:]
  /// The names of inputs that are no longer free.
  private var taken: Set<String>
  /// The number of the last name that ``freeName()`` returned.
  private var number = 0

  init(inputs: [String: Picture]) {
    let entries = inputs.sorted { $0.key < $1.key }
    names = Dictionary(entries.map { (ObjectIdentifier($0.value.step), $0.key) }) { first, _ in
      first
    }
    taken = Set(names.values)
  }

  mutating func reference(
    to step: RecordedStep
  ) throws(RecipeEncodingError) -> Recipe.Reference {
    try visitUpwards(to: step, isVisited: { known[ObjectIdentifier($0)] != nil }) {
      names[ObjectIdentifier($0)] == nil ? $0.inputs : []
    } visit: { step throws(RecipeEncodingError) in
      known[ObjectIdentifier(step)] = try add(step)
    }
    guard let reference = known[ObjectIdentifier(step)] else {
      preconditionFailure("A step was visited and got no reference.")
    }
    return reference
  }

  private mutating func add(_ step: RecordedStep) throws(RecipeEncodingError) -> Recipe.Reference {
    switch (names[ObjectIdentifier(step)], step.act) {
    case (let name?, _): return input(name)
    case (nil, .source(let node)):
      let name = freeName()
      sources.append((name, Picture(node, step: step)))
      return input(name)
    case (nil, .measured(let name)):
      throw .recipe(
        .other(
          "“\(name)” is made by a closure, which recipes cannot hold. Measure first, with "
            + "reduced(by:), and apply the filters to the picture itself."))
    case (nil, .filter(let filter)):
      guard let filter = filter as? any RecipeFilter else { throw .unnamed("\(filter)") }
      do { try filter.checkAsStep(inputs: step.inputs.count) } catch { throw .recipe(error) }
      steps.append(
        try Recipe.Step(filter, of: step.inputs.compactMap { known[ObjectIdentifier($0)] }))
      return .step(steps.count - 1)
    }
  }

  private mutating func input(_ name: String) -> Recipe.Reference {
    inputs.append(name)
    return .input(inputs.count - 1)
  }

  /// Returns a new name: “input”, “input-2” and so on.
  private mutating func freeName() -> String {
    while true {
      number += 1
      let name = number == 1 ? "input" : "input-\(number)"
      if taken.insert(name).inserted { return name }
    }
  }
}

// MARK: To pictures
extension Recipe {
  /// Applies the recipe to pictures; `output` names one of several results.
  public func picture(
    _ inputs: [String: Picture] = [:], output: String? = nil
  ) throws(RecipeBindingError) -> Picture {
    let pictures = try results(of: inputs)
    if let output {
      guard let index = outputs.firstIndex(of: output) else {
        throw .unknownOutput(output, outputs: outputs)
      }
      return pictures[index]
    }
    guard pictures.count == 1 else { throw .unknownOutput(nil, outputs: outputs) }
    return pictures[0]
  }

  /// Applies the recipe to pictures and returns all results by name. Shared steps are evaluated once if the results are
  /// rendered together.
  ///
  /// - Throws: ``RecipeBindingError/unnamedResult`` for a recipe with one result without a name, which ``picture(_:output:)`` returns,
  ///   and an error where `inputs` are not those of the recipe.
  public func pictures(
    _ inputs: [String: Picture] = [:]
  ) throws(RecipeBindingError) -> [String: Picture] {
    let pictures = try results(of: inputs)
    guard outputs.count == pictures.count else { throw .unnamedResult }
    return Dictionary(uniqueKeysWithValues: zip(outputs, pictures))
  }

  func results(of inputs: [String: Picture]) throws(RecipeBindingError) -> [Picture] {
    if let unknown = inputs.keys.sorted().first(where: { !self.inputs.contains($0) }) {
      throw .unknownInput(unknown, inputs: self.inputs)
    }
    var sources: [Picture] = []
    for name in self.inputs {
      guard let picture = inputs[name] else {
        throw .missingInput(name, inputs: self.inputs)
      }
      sources.append(picture)
    }
    var made: [Picture] = []
    func picture(_ reference: Reference) -> Picture {
      switch reference {
      case .input(let index): sources[index]
      case .step(let index): made[index]
      }
    }
    for (index, step) in steps.enumerated() {
      made.append(step.picture(of: step.inputs.map(picture), at: index))
    }
    return results.map(picture)
  }
}

extension Recipe {
  /// Where the step is that is being applied. Measurements keep it for errors that occur when they are rendered.
  @TaskLocal static var appliedPath: String?
}

extension Picture {
  /// Returns this picture; its error, if it has one, is that of the step at `path`.
  fileprivate func locatingFailure(at path: String) -> Picture {
    guard let failure else { return self }
    return Picture(node, origin: origin, failure: .step(at: path, failure), step: step)
  }
}

// MARK: To JSON
extension Recipe {
  /// The recipe as JSON. Names are written only where other steps refer to them.
  public var json: String { value.text + "\n" }

  /// The recipe as a JSON value.
  var value: RecipeValue {
    let names = stepNames
    func name(_ reference: Reference) -> String {
      switch reference {
      case .input(let index): inputs[index]
      case .step(let index): names[index] ?? ""
      }
    }
    var members = [
      RecipeValue.Member("version", .integer(Self.versions.upperBound)),
      RecipeValue.Member("inputs", .array(inputs.map(RecipeValue.string))),
      RecipeValue.Member(
        "steps",
        .array(
          steps.enumerated().map { index, step in
            var members: [RecipeValue.Member] = []
            if let name = names[index] { members.append(.init("name", .string(name))) }
            if !isImplied(step.inputs, at: index) {
              let from = step.inputs.map { RecipeValue.string(name($0)) }
              members.append(.init("from", from.count == 1 ? from[0] : .array(from)))
            }
            return .object(members + [.init(step.filterName, step.writtenParameters)])
          })),
    ]
    if !outputs.isEmpty || !isImplied(results, at: steps.count) {
      members.append(
        .init(
          "outputs",
          outputs.isEmpty
            ? .string(name(results[0]))
            : .object(zip(outputs, results).map { .init($0, .string(name($1))) })))
    }
    return .object(members)
  }

  /// Whether the references are those of a step at this index without `"from"`.
  private func isImplied(_ references: [Reference], at index: Int) -> Bool {
    references.isEmpty || references == [Self.implied(at: index, inputCount: inputs.count)]
  }

  /// The reference of a step at this index without `"from"`: the previous step, or the first input for the first step.
  static func implied(at index: Int, inputCount: Int) -> Reference? {
    index > 0 ? .step(index - 1) : inputCount > 0 ? .input(0) : nil
  }

  /// The name of each step that others refer to: its own, or its filter's name with a number.
  private var stepNames: [Int: String] {
    var asked: Set<Reference> = outputs.isEmpty ? [] : Set(results)
    for (index, step) in steps.enumerated() where !isImplied(step.inputs, at: index) {
      asked.formUnion(step.inputs)
    }
    if outputs.isEmpty, !isImplied(results, at: steps.count) { asked.formUnion(results) }
    var taken = Set(inputs).union(steps.compactMap(\.name))
    var names: [Int: String] = [:]
    // The number of the last name of each filter: those before it are taken.
    var numbers: [String: Int] = [:]
    for (index, step) in steps.enumerated() where asked.contains(.step(index)) {
      var name = step.name
      while name == nil {
        let number = numbers[step.filterName, default: 0] + 1
        numbers[step.filterName] = number
        let next = number == 1 ? step.filterName : "\(step.filterName)-\(number)"
        if taken.insert(next).inserted { name = next }
      }
      names[index] = name
    }
    return names
  }

  /// The operations of the recipe, without the names of steps.
  var content: RecipeValue {
    func value(_ reference: Reference) -> RecipeValue {
      switch reference {
      case .input(let index): .object([.init("input", .integer(index))])
      case .step(let index): .object([.init("step", .integer(index))])
      }
    }
    return .array([
      .array(
        steps.map { step in
          .array([.string(step.filterName), step.parameters] + step.inputs.map(value))
        }),
      .array(results.map(value)), .array(outputs.map(RecipeValue.string)),
    ]).sorted
  }
}

extension Recipe: Hashable {
  /// Whether both recipes have the same operations in the same order, and the same names of inputs.
  public static func == (a: Recipe, b: Recipe) -> Bool {
    a.inputs == b.inputs && a.content == b.content
  }

  /// Hashes the operations.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension Recipe: CustomStringConvertible {
  /// The recipe as JSON.
  public var description: String { json }
}

extension CodingUserInfoKey {
  /// The key for a ``RecipeDecoder`` with filters besides those of this package.
  public static let recipeDecoder = CodingUserInfoKey(rawValue: "colorloom.recipeDecoder")
}

extension Recipe: Codable {
  /// Decodes a recipe with the filters of this package, or with the decoder at
  /// `CodingUserInfoKey.recipeDecoder`.
  public init(from decoder: any Decoder) throws {
    let value = try RecipeValue(from: decoder)
    let known = CodingUserInfoKey.recipeDecoder.flatMap { decoder.userInfo[$0] as? RecipeDecoder }
    self = try (known ?? RecipeDecoder()).recipe(of: value)
  }

  /// Encodes the recipe.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
