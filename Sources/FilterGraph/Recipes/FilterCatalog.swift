/// The filters that recipes, command lines and references know, by subject.
///
/// ``builtIn`` has those of this module; other packages add theirs with ``add(_:to:)-(RecipeFilter.Type,_)``.
public struct FilterCatalog: Sendable {
  /// A subject of filters, such as geometry.
  public struct Subject: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The heading in lists of filters.
    public let description: String

    /// A subject with this heading.
    public init(stringLiteral heading: String) { description = heading }

    /// The filters of other packages.
    public static let others: Subject = "Other filters"
  }

  /// A filter, and what is known of it without its type.
  public struct Entry: Sendable {
    /// The type.
    public let type: any RecipeFilter.Type
    /// The subject under which lists show the filter.
    public let subject: Subject
    /// The name in recipes and on command lines.
    public let name: String
    /// A one-line summary, which begins with a verb.
    public let summary: String
    /// Other names on command lines.
    public let aliases: [FilterAlias]
    /// Whether gray pictures stay gray.
    public let keepsGray: Bool
    /// A call in Swift that makes the filter; empty where none is declared.
    public let swiftCall: String
    /// The parameters.
    public let parameters: [ParameterDescription]
    /// How many pictures it takes.
    public let inputs: ClosedRange<Int>

    init<Filter: RecipeFilter>(_ type: Filter.Type, _ subject: Subject) {
      let declaration = Filter.declaration
      (self.type, self.subject, inputs) = (type, subject, Filter.recipeInputs)
      (name, summary, aliases) = (declaration.name, declaration.summary, declaration.aliases)
      (keepsGray, swiftCall) = (declaration.keepsGray, declaration.swiftCall)
      parameters = declaration.parameters
    }

    /// The parameter that a value means which stands alone: the only one that must be given, or the first one where none must.
    public var mainParameter: ParameterDescription? {
      let required = parameters.filter(\.isRequired)
      return required.isEmpty ? parameters.first : required.count == 1 ? required[0] : nil
    }

    /// The filter that an object of parameters means. `path` stands before messages.
    public func filter(
      _ parameters: RecipeValue, at path: String
    ) throws(RecipeDecodingError) -> any RecipeFilter {
      try type.init(recipe: RecipeSource(parameters, at: path))
    }

    /// The parameters' samples; nil where one that must be given has none.
    public var sample: RecipeValue? {
      var members: [RecipeValue.Member] = []
      for parameter in parameters {
        guard let value = parameter.sample else {
          if parameter.isRequired { return nil }
          continue
        }
        if value != .null { members.append(RecipeValue.Member(parameter.name, value)) }
      }
      return .object(members)
    }
  }

  /// All filters, by subject.
  public private(set) var entries: [Entry] = []
  private var places: [String: Int] = [:]

  /// A catalog without filters.
  public init() {}

  /// Adds a filter. No two filters have one name.
  public mutating func add(_ filter: any RecipeFilter.Type, to subject: Subject = .others) {
    let entry = Entry(filter, subject)
    for name in [entry.name] + entry.aliases.map(\.name) {
      precondition(
        !Self.reserved.contains(name), "“\(name)” means something else in steps of recipes.")
      if let place = places.updateValue(entries.count, forKey: name) {
        precondition(entries[place].type == filter, "Two filters are called “\(name)”.")
        places[name] = place
      }
    }
    if places[entry.name] == entries.count { entries.append(entry) }
  }

  /// Adds a painter. No two filters have one name.
  public mutating func add<Subject: RecipePainter>(
    _: Subject.Type, to subject: FilterCatalog.Subject = .others
  ) {
    add(Painting<Subject>.self, to: subject)
  }

  /// The names of all filters, in alphabetical order.
  public var names: [String] { entries.map(\.name).sorted() }

  /// The filter that goes by a name or an alias.
  public subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

  /// The keys of a recipe's step that name no filter.
  private static let reserved: Set = ["name", "from"]
}
