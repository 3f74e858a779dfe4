internal import ColorSpaces

/// The declaration of a filter, or of another value with named parts: its name, summary, parameters and construction.
///
/// Everything is declared once. The recipe coder, the command line, help, the filter reference, the checks of
/// initializers and the samples of tests are derived from it.
///
/// The initializers here, of ``Parameter`` and of ``RecipeCase`` are not specialized: their copies for the parameter types of each filter
/// were a quarter of the module's machine code, and none of it runs per pixel.
public struct Declaration<Root>: Sendable {
  /// The name in recipes and on command lines.
  package let name: String
  /// A one-line summary that begins with a verb.
  package let summary: String
  /// Further names on command lines.
  package let aliases: [FilterAlias]
  /// Whether gray pictures stay gray with these parameters.
  private(set) var keepsGray: @Sendable (Root) -> Bool
  /// The properties of the filter on which later conversions and the written file depend.
  package internal(set) var traits: Set<FilterTrait> = []
  /// What references say beside the parameters.
  package internal(set) var notes = FilterNotes()
  /// Whether a filter clamps values by its definition.
  var clamps: @Sendable (Root) -> Bool = { _ in false }
  /// A Swift expression that creates the filter; empty where none is declared.
  package let swiftCall: String
  /// The parameters, in the order in which they are written.
  package let parameters: [ParameterDescription]

  let members: @Sendable (Root) throws(RecipeEncodingError) -> [RecipeValue.Member]
  let checkRanges: @Sendable (Root) throws(RecipeError) -> Void
  let make: @Sendable (RecipeSource) throws(RecipeDecodingError) -> Root

  /// Declares a value with named parts, which `make` creates from them. `kind` names it in messages.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<each Value: RecipeCodable>(
    of kind: String, _ parameter: repeat Parameter<Root, each Value>,
    make: @escaping @Sendable (repeat each Value) throws(RecipeError) -> Root
  ) {
    self.init(kind, "", repeat each parameter, make: make)
  }

  /// Declares a filter, which `make` makes of its parameters.
  ///
  /// - Parameters:
  ///   - name: The name in recipes and on command lines: lowercase words joined by hyphens.
  ///   - summary: What it does, in one line that begins with a verb: “Multiplies linear light by a power of two.”
  ///   - aliases: Other names on command lines.
  ///   - keepsGray: Whether a gray picture stays gray, whatever the parameters, so that its file may stay gray, too.
  ///   - swiftCall: A call in Swift that makes the filter, for references: “picture.exposure(0.5)”. Empty where there is none.
  ///   - parameter: The parameters, in the order in which they are written.
  ///   - make: Makes the filter. The first parameter that must be given may stand alone on command lines.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<each Value: RecipeCodable>(
    _ name: String, _ summary: String, aliases: [FilterAlias] = [], keepsGray: Bool = false,
    swift swiftCall: String = "",
    _ parameter: repeat Parameter<Root, each Value>,
    make: @escaping @Sendable (repeat each Value) throws(RecipeError) -> Root
  ) {
    var parameters: [ParameterDescription] = []
    repeat parameters.append((each parameter).description)
    let (names, descriptions) = (parameters.map(\.name), parameters)
    (self.name, self.summary, self.aliases) = (name, summary, aliases)
    (self.swiftCall, self.parameters) = (swiftCall, parameters)
    self.keepsGray = { _ in keepsGray }
    members = { root throws(RecipeEncodingError) in
      var members: [RecipeValue.Member] = []
      for parameter in repeat each parameter { members.append(try parameter.member(of: root)) }
      return members.filter { $0.value != .null }
    }
    checkRanges = { root throws(RecipeError) in
      for parameter in repeat each parameter { try parameter.check(root, of: name) }
    }
    self.make = { source throws(RecipeDecodingError) in
      let members = try source.members(expected: "an object of parameters").map { member in
        let name = descriptions.first { $0.isCalled(member.name) }?.name ?? member.name
        return (name: name, source: member.source)
      }
      for (index, member) in members.enumerated() {
        guard names.contains(member.name) else {
          throw .unknown(
            at: source.path, kind: "parameter", name: member.name,
            known: namesNearest(to: member.name, among: names))
        }
        if members[..<index].contains(where: { $0.name == member.name }) {
          throw .duplicate(at: source.path, name: member.name)
        }
      }
      let values = (repeat try (each parameter).value(in: members, of: source))
      do throws(RecipeError) { return try make(repeat each values) } catch {
        throw .unusable(at: source.path, error)
      }
    }
  }

  /// Returns the declaration of a filter with which gray pictures stay gray for some parameters.
  func keepingGray(where keepsGray: @escaping @Sendable (Root) -> Bool) -> Declaration {
    var copy = self
    copy.keepsGray = keepsGray
    return copy
  }

  /// Throws if a parameter of `root` is out of range. Initializers call it last.
  public func check(_ root: Root) throws(RecipeError) { try checkRanges(root) }
}

/// An alias of a filter on command lines, which may also set some of its parameters.
public struct FilterAlias: Hashable, Sendable {
  /// The name on command lines, such as `blur` for `gaussian-blur`.
  package let name: String
  /// The parameters that the alias sets.
  package let parameters: [RecipeValue.Member]
  /// The prefix that the alias puts before the text of the main parameter: `fill:` before `800x600`.
  package let prefix: String
  /// Whether the filter had this name once, so that recipes have it too.
  package private(set) var isFormerName = false

  /// Creates an alias that sets parameters.
  public init(_ name: String, _ parameters: RecipeValue.Member..., prefix: String = "") {
    (self.name, self.parameters, self.prefix) = (name, parameters, prefix)
  }

  /// Returns an alias that recipes of earlier versions use as the filter's name.
  package static func formerly(_ name: String) -> FilterAlias {
    var alias = FilterAlias(name)
    alias.isFormerName = true
    return alias
  }
}

extension FilterAlias: ExpressibleByStringLiteral {
  /// Creates an alias of the name alone.
  public init(stringLiteral name: String) { self.init(name) }
}

/// Sorts names by their similarity to `name`.
func namesNearest(to name: String, among names: [String]) -> [String] {
  let near = NameTable(names.map { (names: [$0], value: $0) }).nearest(to: name)
  return near + names.filter { !near.contains($0) }
}

/// A value that recipes write as an object of named parameters.
public protocol RecipeRecord: RecipeCodable {
  /// The declaration of its name and its parameters in recipes.
  static var declaration: Declaration<Self> { get }
}

extension RecipeRecord {
  /// Reads an object of parameters.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    self = try Self.declaration.make(source)
  }

  /// Writes an object of parameters.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    .object(try Self.declaration.members(self))
  }
}

/// One case of a parameter that is an enumeration.
///
/// The name is the Swift case's name in lowercase words joined by hyphens, or a shorter word; then the Swift name is an alias. Reading
/// ignores letter case and hyphens. A value of a case with a value may have a name, too; it is listed behind its case, which
/// writes it.
public struct RecipeCase<Root>: Sendable {
  let name: String
  let aliases: [String]
  /// The command-line form of the associated value; nil for a case without one.
  private(set) var payload: TextForm?
  /// Whether it is read only with a value.
  let needsValue: Bool
  /// Returns nil for other cases.
  let write: @Sendable (Root) throws(RecipeEncodingError) -> RecipeValue?
  /// Returns nil where the case needs a value and has none, or the reverse.
  let read: @Sendable (RecipeSource?) throws(RecipeDecodingError) -> Root?

  /// Creates a case without a value.
  @_semantics("optimize.sil.specialize.generic.never")
  public init(
    _ name: String, aliases: [String] = [], _ value: Root
  ) where Root: Equatable & Sendable {
    (self.name, self.aliases, payload, needsValue) = (name, aliases, nil, false)
    write = { $0 == value ? .string(name) : nil }
    read = { $0 == nil ? value : nil }
  }

  /// Creates a case with an associated value. With a `default`, the value may be omitted.
  @_semantics("optimize.sil.specialize.generic.never")
  public init<Payload: RecipeCodable>(
    _ name: String, aliases: [String] = [], default fallback: Payload? = nil,
    _ payload: @escaping @Sendable (Root) -> Payload?,
    make: @escaping @Sendable (Payload) throws(RecipeError) -> Root
  ) {
    (self.name, self.aliases, self.payload) = (name, aliases, Payload.textForm)
    needsValue = fallback == nil
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

  /// Returns the same case, with another placeholder for the associated value in help.
  func showing(_ placeholder: String) -> RecipeCase {
    var shown = self
    shown.payload = payload?.showing(placeholder)
    return shown
  }

  @_semantics("optimize.sil.specialize.generic.never")
  func isCalled(_ word: String) -> Bool {
    isSameWord(word, name) || aliases.contains { isSameWord(word, $0) }
  }

  private static func payload<Payload: RecipeCodable>(
    _ source: RecipeSource
  ) throws(RecipeDecodingError) -> Payload {
    try Payload(recipe: source)
  }
}

/// A value that recipes write as one of several words, some with a value: `"encoded"`, `{"density": 2}`.
public protocol RecipeChoice: RecipeCodable {
  /// The cases, each with its name in recipes and on the command line.
  static var recipeCases: [RecipeCase<Self>] { get }
}

extension RecipeChoice {
  /// Reads a word, or an object of a word and its value.
  @_semantics("optimize.sil.specialize.generic.never")
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
    guard let found = Self.recipeCases.first(where: { $0.isCalled(name) }) else {
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

  /// A word, with its value after a colon.
  public static var textForm: TextForm {
    .choice(recipeCases)
  }

  /// Writes a word, or an object of a word and its value.
  @_semantics("optimize.sil.specialize.generic.never")
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    for found in Self.recipeCases { if let value = try found.write(self) { return value } }
    let words = Self.recipeCases.map { quoted($0.name) }.joined(separator: ", ")
    throw .unwritable(
      (self as? any PartlyWritable)?.unwritableReason
        ?? "Recipes cannot hold “\(self)”. Choose one of \(words).")
  }
}

/// A choice that holds closures in some of its cases, which recipes cannot.
protocol PartlyWritable {
  /// Why recipes cannot hold this value, and what to use instead; nil where they can.
  var unwritableReason: String? { get }
}

extension RecipeChoice where Self: CaseIterable & RawRepresentable<String> & Equatable {
  /// The cases by their names, in lowercase with hyphens.
  public static var recipeCases: [RecipeCase<Self>] {
    allCases.map { RecipeCase(hyphenated($0.rawValue), $0) }
  }
}

/// Whether two words differ in letter case and hyphens only, as `reducedChroma` and `reduced-chroma` do.
package func isSameWord(_ a: String, _ b: String) -> Bool {
  func key(_ word: String) -> String { word.lowercased().filter { $0 != "-" } }
  return key(a) == key(b)
}

/// Converts `colorDodge` to `color-dodge`.
func hyphenated(_ name: String) -> String {
  name.reduce(into: "") { text, letter in
    text += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
  }
}
