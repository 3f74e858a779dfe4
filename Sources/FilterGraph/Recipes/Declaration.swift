public import ColorSpaces

/// One parameter of something in a recipe.
public struct RecipeField<Root, Value: RecipeCodable>: Sendable {
  let name: String
  let fallback: Value?
  let get: @Sendable (Root) -> Value
  let allowed: @Sendable (Value) -> String?

  /// A parameter, by its name in recipes and where it is found; `default` is what it is where it was left out.
  public init(
    _ name: String, _ get: @escaping @Sendable (Root) -> Value, default fallback: Value? = nil
  ) {
    (self.name, self.get, self.fallback) = (name, get, fallback ?? Value.recipeDefault)
    allowed = { _ in nil }
  }

  /// A parameter that lies in a range.
  public init(
    _ name: String, _ get: @escaping @Sendable (Root) -> Value, default fallback: Value? = nil,
    in range: ClosedRange<Value>
  ) where Value: Comparable {
    (self.name, self.get, self.fallback) = (name, get, fallback)
    allowed = { range.contains($0) ? nil : "a number in \(range.lowerBound)…\(range.upperBound)" }
  }

  func member(of root: Root) throws(RecipeEncodingError) -> RecipeValue.Member {
    RecipeValue.Member(name, try get(root).recipeValue())
  }

  func value(
    in members: [(name: String, source: RecipeSource)], of source: RecipeSource
  ) throws(RecipeDecodingError) -> Value {
    guard let member = members.first(where: { $0.name == name }) else {
      if let fallback { return fallback }
      throw .missing(at: source.path, name: name)
    }
    let value = try Value(recipe: member.source)
    if let allowed = allowed(value) { throw member.source.mismatch(expected: allowed) }
    return value
  }
}

/// How something is written in a recipe: its name, its parameters, and what is made of them.
///
/// It is said once, and serves reading and writing.
public struct RecipeForm<Root>: Sendable {
  /// Its name in recipes.
  public let name: String
  /// The names of its parameters.
  public let fieldNames: [String]

  let members: @Sendable (Root) throws(RecipeEncodingError) -> [RecipeValue.Member]
  let make: @Sendable (RecipeSource) throws(RecipeDecodingError) -> Root

  /// A form of a name and parameters, which `make` turns into what they mean.
  public init<each Value: RecipeCodable>(
    _ name: String, _ field: repeat RecipeField<Root, each Value>,
    make: @escaping @Sendable (repeat each Value) throws(RecipeError) -> Root
  ) {
    var fieldNames: [String] = []
    repeat fieldNames.append((each field).name)
    let names = fieldNames
    (self.name, self.fieldNames) = (name, names)
    members = { root throws(RecipeEncodingError) in
      var members: [RecipeValue.Member] = []
      for field in repeat each field { members.append(try field.member(of: root)) }
      return members.filter { $0.value != .null }
    }
    self.make = { source throws(RecipeDecodingError) in
      let members = try source.members(expected: "an object of parameters")
      for member in members where !names.contains(member.name) {
        throw .unknown(
          at: source.path, kind: "parameter", name: member.name,
          known: namesNearest(to: member.name, among: names))
      }
      let values = (repeat try (each field).value(in: members, of: source))
      do throws(RecipeError) { return try make(repeat each values) } catch {
        throw .unusable(at: source.path, error)
      }
    }
  }
}

/// Names, those most like `name` first.
func namesNearest(to name: String, among names: [String]) -> [String] {
  let near = NameTable(names.map { (names: [$0], value: $0) }).nearest(to: name)
  return near + names.filter { !near.contains($0) }
}

/// What recipes write as an object of named parameters.
public protocol RecipeRecord: RecipeCodable {
  /// Its name and its parameters in recipes.
  static var recipeForm: RecipeForm<Self> { get }
}

extension RecipeRecord {
  /// An object of parameters.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    self = try Self.recipeForm.make(source)
  }

  /// An object of parameters.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    .object(try Self.recipeForm.members(self))
  }
}

/// One of several things that a parameter may be.
public struct RecipeCase<Root>: Sendable {
  let name: String
  /// Nil where it is another case.
  let write: @Sendable (Root) throws(RecipeEncodingError) -> RecipeValue?
  /// Nil where the case needs, or has, nothing more.
  let read: @Sendable (RecipeSource?) throws(RecipeDecodingError) -> Root?

  /// A case that is a word.
  public init(_ name: String, _ value: Root) where Root: Equatable & Sendable {
    self.name = name
    write = { $0 == value ? .string(name) : nil }
    read = { $0 == nil ? value : nil }
  }

  /// A case that is a word and a value that belongs to it. A case with a `default` for the value may be the word alone.
  public init<Payload: RecipeCodable>(
    _ name: String, default fallback: Payload? = nil,
    _ payload: @escaping @Sendable (Root) -> Payload?,
    make: @escaping @Sendable (Payload) throws(RecipeError) -> Root
  ) {
    self.name = name
    write = { root throws(RecipeEncodingError) in
      guard let payload = payload(root) else { return nil }
      return .object([RecipeValue.Member(name, try payload.recipeValue())])
    }
    read = { source throws(RecipeDecodingError) in
      guard let payload = source == nil ? fallback : try source.map(Self.payload) else {
        return nil
      }
      do throws(RecipeError) { return try make(payload) } catch {
        throw .unusable(at: source?.path ?? name, error)
      }
    }
  }

  private static func payload<Payload: RecipeCodable>(
    _ source: RecipeSource
  ) throws(RecipeDecodingError) -> Payload {
    try Payload(recipe: source)
  }
}

/// What recipes write as one of several words, some with a value: `"stored"`, `{"density": 2}`.
public protocol RecipeChoice: RecipeCodable {
  /// The words.
  static var recipeCases: [RecipeCase<Self>] { get }
}

extension RecipeChoice {
  /// A word, or an object of a word and its value.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let names = Self.recipeCases.map(\.name)
    let expected = "one of " + names.map(quoted).joined(separator: ", ")
    let (name, payload): (String, RecipeSource?)
    switch source.value {
    case .string(let word): (name, payload) = (word, nil)
    case .object(let members) where members.count == 1:
      (name, payload) = (members[0].name, source.member(members[0].name, members[0].value))
    default: throw source.mismatch(expected: expected)
    }
    guard let found = Self.recipeCases.first(where: { $0.name == name }) else {
      throw .unknown(
        at: source.path, kind: "choice", name: name, known: namesNearest(to: name, among: names))
    }
    guard let value = try found.read(payload) else {
      throw source.mismatch(
        expected: payload == nil
          ? "an object of \(quoted(name)) and its value" : "\(quoted(name)) alone")
    }
    self = value
  }

  /// A word, or an object of a word and its value.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    for found in Self.recipeCases { if let value = try found.write(self) { return value } }
    throw .unnamed("\(self)")
  }
}

extension RecipeChoice where Self: CaseIterable & RawRepresentable<String> & Equatable {
  /// The cases by their names, in lower case with hyphens.
  public static var recipeCases: [RecipeCase<Self>] {
    allCases.map { RecipeCase(hyphenated($0.rawValue), $0) }
  }
}

/// `colorDodge` as `color-dodge`.
private func hyphenated(_ name: String) -> String {
  name.reduce(into: "") { text, letter in
    text += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
  }
}
