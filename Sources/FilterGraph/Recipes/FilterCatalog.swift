package import ColorSpaces

/// The filters available to recipes, command lines and references, by subject.
///
/// ``builtIn`` contains those of this module; other packages add theirs with ``add(_:to:)-(RecipeFilter.Type,_)``.
public struct FilterCatalog: Sendable {
  /// A subject of filters, such as geometry.
  public struct Subject: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The heading in lists of filters.
    public let description: String

    /// Creates a subject with this heading.
    public init(stringLiteral heading: String) { description = heading }

    /// The default subject of other packages' filters.
    public static let others: Subject = "Other filters"
  }

  /// A filter with its declaration, type-erased.
  public struct Entry: Sendable {
    /// The Swift type of the filter.
    package let type: any RecipeFilter.Type
    /// The subject under which lists show the filter.
    public let subject: Subject
    /// The name in recipes and on command lines.
    public let name: String
    /// A one-line summary that begins with a verb.
    public let summary: String
    /// Further names on command lines.
    public let aliases: [FilterAlias]
    /// A Swift expression that creates the filter; empty where none is declared.
    package let swiftCall: String
    /// The parameters, in the order of the declaration.
    public let parameters: [ParameterDescription]
    /// The allowed number of input pictures.
    public let inputs: ClosedRange<Int>
    /// The properties of the filter on which later conversions and the written file depend.
    package let traits: Set<FilterTrait>
    /// What references say beside the parameters.
    package let notes: FilterNotes

    init<Filter: RecipeFilter>(_ type: Filter.Type, _ subject: Subject) {
      let declaration = Filter.declaration
      (self.type, self.subject, inputs) = (type, subject, Filter.recipeInputs)
      (name, summary, aliases) = (declaration.name, declaration.summary, declaration.aliases)
      (swiftCall, parameters) = (declaration.swiftCall, declaration.parameters)
      (traits, notes) = (declaration.traits, declaration.notes)
    }

    /// The parameter that may be given without its name: the only required one, or the first one where none is
    /// required.
    package var mainParameter: ParameterDescription? {
      let required = parameters.filter(\.isRequired)
      return required.isEmpty ? parameters.first : required.count == 1 ? required[0] : nil
    }

    /// Creates the filter from an object of parameters. `path` is the prefix of error messages; `spaceReaders` are those of the catalog.
    package func filter(
      _ parameters: RecipeValue, at path: String, readingSpaces spaceReaders: SpaceReaders = [:]
    ) throws(RecipeDecodingError) -> any RecipeFilter {
      try type.init(recipe: RecipeSource(parameters, at: path, readingSpaces: spaceReaders))
    }

    /// The parameters' samples; nil where a required one has none.
    package var sample: RecipeValue? {
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
  /// The readers of color spaces that other modules define, such as those of ICC profiles.
  package var spaceReaders: SpaceReaders = [:]
  private var places: [String: Int] = [:]

  /// Creates an empty catalog.
  public init() {}

  /// Adds a filter, under its name and its aliases; adding it again changes nothing.
  ///
  /// A name or an alias that another filter of the catalog has is a programming error that ends the program, as are “name” and “from”,
  /// which are keys of recipes. Look names up by ``subscript(_:)`` first where they are not known to be unique.
  public mutating func add(_ filter: any RecipeFilter.Type, to subject: Subject = .others) {
    let entry = Entry(filter, subject)
    for name in [entry.name] + entry.aliases.map(\.name) {
      // Traps with a message in release builds, too, where those of preconditions are lost.
      if Self.reserved.contains(name) {
        fatalError("\(filter) is called “\(name)”, which means something else in steps of recipes.")
      }
      if let place = places.updateValue(entries.count, forKey: name) {
        guard entries[place].type == filter else {
          fatalError("Two filters are called “\(name)”: \(entries[place].type) and \(filter).")
        }
        places[name] = place
      }
    }
    if places[entry.name] == entries.count { entries.append(entry) }
  }

  /// Adds a painter, as ``add(_:to:)-(RecipeFilter.Type,_)`` adds a filter.
  public mutating func add<Subject: RecipePainter>(
    _: Subject.Type, to subject: FilterCatalog.Subject = .others
  ) {
    add(Painting<Subject>.self, to: subject)
  }

  /// The names of all filters, sorted.
  public var names: [String] { entries.map(\.name).sorted() }

  /// The filter with a name or an alias.
  public subscript(name: String) -> Entry? { places[name].map { entries[$0] } }

  /// The keys of a recipe's step that cannot be filter names.
  private static let reserved: Set = ["name", "from"]
}

/// Reads color spaces of another module from recipes, such as those of ICC profiles.
package protocol SpaceReader: Sendable {
  /// Reads an object with the data that define the space, such as the bytes of a profile, and the choices of `SpaceOrigin.choices`.
  static func space(_ source: RecipeSource) throws(RecipeDecodingError) -> ColorSpace
}

/// The readers of color spaces, by the name of the data in recipes (`SpaceOrigin.format`).
package typealias SpaceReaders = [String: any SpaceReader.Type]

extension FilterCatalog {
  /// What a catalog of another module of this package reads and ``builtIn`` does not, so that errors can name that catalog.
  package enum Elsewhere {
    /// The names of the filters.
    package static let filters: Set = ["convert-by-profile", "print-distance", "soft-proof"]
    /// The names of the data that define color spaces.
    package static let spaces: Set = ["profile"]
    static let advice =
      "Read the recipe with RecipeDecoder(catalog: .withProfiles) of the module ImageFiles, which a JSONDecoder takes in its "
      + "userInfo under .recipeDecoder."
  }
}
