internal import ColorSpaces

/// One parameter of a filter, or of another value with named parts.
///
/// The recipe coder, the command line, help, the filter reference and the checks of initializers are derived from it.
public struct Parameter<Root, Value: RecipeCodable>: Sendable {
  let name: String
  let meaning: String
  let unit: String
  let fallback: Value?
  let sample: Value?
  let range: ClosedRange<Double>?
  let get: @Sendable (Root) -> Value
  /// Returns the numbers of a value that must lie in ``range``, or be finite where there is none; nil where any may be.
  private(set) var numbers: (@Sendable (Value) -> [Double])?
  /// The names in recipes of earlier versions.
  private(set) var formerNames: [String] = []
  /// The parameter that may be given in place of this one.
  private(set) var alternative: String?
  private var omitsDefault = false
  /// Throws for a value that the filter cannot use although its numbers are in range.
  private var rule: (@Sendable (Value) throws(RecipeError) -> Void)?

  /// Declares a parameter that only its type limits. A number, and the components of a vector, are finite, as all numbers in recipes are.
  ///
  /// - Parameters:
  ///   - name: The name in recipes and on command lines: lowercase words joined by hyphens.
  ///   - get: The key path of the value.
  ///   - meaning: A one-line description of the parameter's effect.
  ///   - unit: The unit of its numbers; empty where they have none.
  ///   - fallback: The default. A parameter without one is required.
  ///   - sample: A value with a visible effect, for tests and examples.
  @_semantics("optimize.sil.specialize.generic.never")
  public init(
    _ name: String, _ get: @escaping @Sendable (Root) -> Value, _ meaning: String = "",
    unit: String = "", default fallback: Value? = nil, sample: Value? = nil
  ) {
    (self.name, self.get, self.meaning, self.unit) = (name, get, meaning, unit)
    (self.fallback, self.sample, range) = (fallback ?? Value.recipeDefault, sample, nil)
    // Asked of a value, not of its type here: the runtime searches for each type's conformance once, which takes long for all filters.
    numbers = { ($0 as? any FiniteNumbers)?.parameterNumbers ?? [] }
  }

  /// Declares a parameter with a range.
  ///
  /// - Parameters:
  ///   - name: The name in recipes and on command lines: lowercase words joined by hyphens.
  ///   - get: The key path of the value.
  ///   - meaning: A one-line description of the parameter's effect.
  ///   - unit: The unit of its numbers; empty where they have none.
  ///   - fallback: The default. A parameter without one is required.
  ///   - range: The range of each of its numbers. NaN is always out of range.
  ///   - sample: A value with a visible effect, for tests and examples.
  @_semantics("optimize.sil.specialize.generic.never")
  public init(
    _ name: String, _ get: @escaping @Sendable (Root) -> Value, _ meaning: String = "",
    unit: String = "", default fallback: Value? = nil, in range: ClosedRange<Double>,
    sample: Value? = nil
  ) where Value: ParameterNumbers {
    (self.name, self.get, self.meaning, self.unit) = (name, get, meaning, unit)
    (self.fallback, self.sample, self.range) = (fallback ?? Value.recipeDefault, sample, range)
    numbers = { ($0 as? any NumberList)?.parameterNumbers ?? [] }
  }

  /// Declares an integer parameter with a range.
  @_semantics("optimize.sil.specialize.generic.never")
  public init(
    _ name: String, _ get: @escaping @Sendable (Root) -> Int, _ meaning: String = "",
    unit: String = "", default fallback: Int? = nil, in range: ClosedRange<Int>,
    sample: Int? = nil
  ) where Value == Int {
    self.init(
      name, get, meaning, unit: unit, default: fallback,
      in: Double(range.lowerBound)...Double(range.upperBound), sample: sample)
  }

  /// Returns this parameter with a name that recipes of earlier versions have for it.
  package func formerly(_ name: String) -> Parameter {
    var parameter = self
    parameter.formerNames.append(name)
    return parameter
  }

  /// Returns this parameter as one that is required unless another one is given, which the filter checks.
  func unless(_ other: String) -> Parameter {
    var parameter = self
    parameter.alternative = other
    return parameter
  }

  /// Returns this parameter of a few numbers, which must be finite although it is a list.
  func withFiniteElements() -> Parameter where Value == [Double] {
    var parameter = self
    parameter.numbers = { $0 }
    return parameter
  }

  /// Returns this parameter with a rule that throws for values that the filter cannot use.
  func following(_ rule: @escaping @Sendable (Value) throws(RecipeError) -> Void) -> Parameter {
    var parameter = self
    parameter.rule = rule
    return parameter
  }

  /// Returns this parameter, omitted from recipes at its default. Recipes written before the parameter existed keep their hashes.
  func omittedAtDefault() -> Parameter {
    var parameter = self
    parameter.omitsDefault = true
    return parameter
  }

  var description: ParameterDescription {
    let isRequired = fallback == nil || alternative != nil
    return ParameterDescription(
      name: name, formerNames: formerNames, alternative: alternative, meaning: meaning, unit: unit,
      range: range, isRequired: isRequired,
      isWholeNumber: { Value.self is any BinaryInteger.Type },
      isUnsigned: { Value.self == UInt64.self },
      fallback: { [fallback] in isRequired ? nil : fallback.flatMap { try? $0.recipeValue() } },
      example: { [fallback, sample] in
        (sample ?? fallback).flatMap { try? $0.recipeValue() }
      }, form: { Value.textForm })
  }

  /// Throws if the parameter of `root` is out of range.
  func check(_ root: Root, of owner: String) throws(RecipeError) {
    try rule?(get(root))
    guard let numbers else { return }
    let range = range ?? -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    for number in numbers(get(root)) where !range.contains(number) {
      throw .parameter(
        "The \(spaced(name)) of \(spaced(owner))", value: number, allowed: range)
    }
  }

  func member(of root: Root) throws(RecipeEncodingError) -> RecipeValue.Member {
    let value = try get(root).recipeValue()
    let omitted = omitsDefault ? try fallback?.recipeValue() : nil
    return RecipeValue.Member(name, value == omitted ? .null : value)
  }

  func value(
    in members: [(name: String, source: RecipeSource)], of source: RecipeSource
  ) throws(RecipeDecodingError) -> Value {
    guard let member = members.first(where: { $0.name == name }) else {
      if let fallback { return fallback }
      throw .missing(at: source.path, name: name)
    }
    let value: Value
    do { value = try Value(recipe: member.source) } catch {
      // The parameter's range says more than that of all numbers.
      guard case .mismatch(let path, Double.neededInRecipes, let found) = error, let range,
        !range.isUnlimited
      else { throw error }
      throw .mismatch(at: path, expected: description.needed, found: found)
    }
    if let range, let number = numbers?(value).first(where: { !range.contains($0) }) {
      let found = (try? RecipeValue(number))?.line ?? "\(number)"
      throw .mismatch(at: member.source.path, expected: description.needed, found: found)
    }
    return value
  }
}

extension Parameter where Value == PixelDomain {
  /// Declares the domain in which a filter mixes values. “Any” is none: the values of a picture then depend on the step before.
  static func mixing(
    _ get: @escaping @Sendable (Root) -> PixelDomain, _ meaning: String,
    default fallback: PixelDomain
  ) -> Parameter {
    Parameter("in", get, meaning, default: fallback).following { domain throws(RecipeError) in
      guard domain != .any else {
        throw .other(
          "A filter that mixes values needs their domain; got any. Choose linear, linearPremultiplied, "
            + "encoded, encodedPremultiplied or perceptual.")
      }
    }
  }
}

/// The hyphenated name as words.
func spaced(_ name: String) -> String {
  String(name.map { $0 == "-" ? " " : $0 })
}

/// A parameter without its type.
public struct ParameterDescription: Sendable {
  /// The name in recipes and on command lines.
  public let name: String
  /// The names in recipes of earlier versions, which are read too.
  package let formerNames: [String]
  /// The parameter that may be given in place of this one.
  package let alternative: String?
  /// A one-line description of the parameter's effect.
  public let meaning: String
  /// The unit of its numbers; empty where they have none.
  public let unit: String
  /// The range of its numbers; nil where only their type limits them.
  public let range: ClosedRange<Double>?
  /// Whether it has no default, so that recipes must state it, or the parameter that may be given in its place: `to` of `pad` and
  /// `frame`, or `by`.
  public let isRequired: Bool
  // Computed when asked for: every command describes the parameters of all filters, and needs the values of few.
  fileprivate let isWholeNumber: @Sendable () -> Bool
  fileprivate let isUnsigned: @Sendable () -> Bool
  fileprivate let fallback, example: @Sendable () -> RecipeValue?
  fileprivate let form: @Sendable () -> TextForm

  /// The default; nil for a required parameter, and null for the absence of a value.
  public var defaultValue: RecipeValue? { fallback() }
  /// A value with a visible effect.
  package var sample: RecipeValue? { example() }
  /// The command-line form of its value.
  package var textForm: TextForm { form() }

  /// The range in words, such as `0…100`; nil where there is none.
  package var rangeText: String? { range?.words }

  /// Whether a recipe or a command line may call it so.
  package func isCalled(_ word: String) -> Bool { word == name || formerNames.contains(word) }

  /// Returns a value of the parameter as the JSON of recipes has it.
  func written(_ value: RecipeValue) -> RecipeValue { isUnsigned() ? value.unsigned : value }

  /// A description of the allowed values.
  var needed: String {
    let kind = isWholeNumber() ? "a whole number" : "a number"
    guard let words = rangeText else { return kind }
    if words.hasPrefix("above") { return "\(kind) \(words)" }
    return "\(kind) \(words.contains("…") ? "in" : "from") \(words)"
  }
}

extension ClosedRange<Double> {
  /// The range in words, such as `0…100` or `above 0, to 100`.
  var words: String {
    let (low, high) = (plainLowerBound, plainUpperBound)
    if isUnlimited { return low.isExcluded ? "above \(low.text)" : "\(low.text) up" }
    if !low.isExcluded, !high.isExcluded { return "\(low.text)…\(high.text)" }
    return (low.isExcluded ? "above \(low.text), " : "\(low.text) ")
      + (high.isExcluded ? "to below \(high.text)" : "to \(high.text)")
  }
}

/// A value whose numbers can be checked against a range: a number, a vector of numbers, several of these, none, or a choice with
/// numbers. No types of other modules conform.
public protocol ParameterNumbers: RecipeCodable {}

extension Double: ParameterNumbers {}
extension Float: ParameterNumbers {}
extension Int: ParameterNumbers {}
extension SIMD2: ParameterNumbers where Scalar == Double {}
extension SIMD3: ParameterNumbers where Scalar: ParameterNumbers {}
extension SIMD4: ParameterNumbers where Scalar == Double {}
extension Array: ParameterNumbers where Element: ParameterNumbers {}
extension Optional: ParameterNumbers where Wrapped: ParameterNumbers {}

/// The numbers of each type of ``ParameterNumbers``.
protocol NumberList {
  var parameterNumbers: [Double] { get }
}

/// Numbers that are finite where no range is declared. Those of lists are not checked, of which there may be millions.
protocol FiniteNumbers: NumberList {}

extension Double: FiniteNumbers {}
extension Float: FiniteNumbers {}
extension SIMD2: FiniteNumbers where Scalar == Double {}
extension SIMD3: FiniteNumbers where Scalar: NumberList {}
extension SIMD4: FiniteNumbers where Scalar == Double {}
extension Optional: FiniteNumbers where Wrapped: FiniteNumbers {}

extension Double: NumberList { var parameterNumbers: [Double] { [self] } }
extension Float: NumberList { var parameterNumbers: [Double] { [Double(self)] } }
extension Int: NumberList { var parameterNumbers: [Double] { [Double(self)] } }
extension SIMD2: NumberList where Scalar == Double {
  var parameterNumbers: [Double] { [x, y] }
}
extension SIMD3: NumberList where Scalar: NumberList {
  var parameterNumbers: [Double] {
    x.parameterNumbers + y.parameterNumbers + z.parameterNumbers
  }
}
extension SIMD4: NumberList where Scalar == Double {
  var parameterNumbers: [Double] { [x, y, z, w] }
}
extension Array: NumberList where Element: NumberList {
  var parameterNumbers: [Double] { flatMap(\.parameterNumbers) }
}
extension Optional: NumberList where Wrapped: NumberList {
  var parameterNumbers: [Double] { self?.parameterNumbers ?? [] }
}
