// What references say of a filter beside its parameters: its formula, the values that it clamps, and its domains.

/// The notes of a declaration; empty where there is nothing to say.
package struct FilterNotes: Sendable {
  /// The formula, in sentences.
  package internal(set) var formula = ""
  /// The values that the filter clamps, and to what, in sentences.
  package internal(set) var clamping = ""
  /// The domains, where a parameter chooses one: “in linear light, or in encoded values with by=clipped”.
  package internal(set) var domains = ""
}

extension Declaration {
  /// Returns the declaration of a filter with its formula, in sentences that name parameters as recipes do.
  package func computing(_ formula: String) -> Declaration {
    var copy = self
    copy.notes.formula = formula
    return copy
  }

  /// Returns the declaration of a filter that clamps values.
  ///
  /// References print the text, and the conformance kit exempts the filters from its law of the range of values.
  ///
  /// - Parameters:
  ///   - text: Which values are clamped, and to what, in sentences.
  ///   - clamps: Whether the filter clamps values from −6 to 6, the range of that law, with its parameters.
  package func clamping(
    _ text: String, where clamps: @escaping @Sendable (Root) -> Bool = { _ in true }
  ) -> Declaration {
    var copy = self
    copy.notes.clamping = text
    copy.clamps = clamps
    return copy
  }

  /// Returns the declaration of a filter whose domain a parameter chooses.
  ///
  /// - Parameter text: All domains, that of the defaults first, with the parameter's value for each of the others.
  package func working(_ text: String) -> Declaration {
    var copy = self
    copy.notes.domains = text
    return copy
  }
}

extension RecipeFilter {
  /// Whether the filter clamps values by its definition.
  package var clamps: Bool { Self.declaration.clamps(self) }
}
