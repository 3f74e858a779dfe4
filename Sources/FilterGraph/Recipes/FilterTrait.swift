/// A property of a filter on which later conversions and the written file depend.
package enum FilterTrait: Hashable, Sendable {
  /// Moves pixels or resizes the picture, without changing colors in place.
  case moves
  /// Adds pixels of a color that the picture need not have.
  case addsColor
  /// Converts to another color space.
  case converts
  /// Maps tones to the range of a display or a print, so that a conversion after it maps none by default.
  case mapsTones
  /// Develops a negative, whose low contrast becomes more levels than 8 bits hold.
  case develops
}

extension Declaration {
  /// Returns the declaration of a filter with further traits.
  package func with(_ traits: FilterTrait...) -> Declaration {
    var copy = self
    copy.traits.formUnion(traits)
    return copy
  }
}

extension RecipeFilter {
  /// The properties of the filter on which later conversions and the written file depend.
  package var traits: Set<FilterTrait> { Self.declaration.traits }

  /// Whether linear light is unchanged: colors are converted, or pixels only move and none of another color are added.
  package var keepsLight: Bool {
    traits.contains(.converts) || traits.contains(.moves) && !traits.contains(.addsColor)
  }
}

extension Recipe {
  /// The traits of all steps.
  package var traits: Set<FilterTrait> {
    steps.reduce(into: []) { $0.formUnion($1.filter.traits) }
  }

  /// Whether no step changes linear light.
  package var keepsLight: Bool { steps.allSatisfy(\.filter.keepsLight) }

  /// Whether a step resizes to an exact size, which may change the proportions of the picture, and no other step moves or paints pixels.
  package var stretches: Bool {
    steps.contains(where: \.filter.stretches)
      && steps.allSatisfy { step in
        step.filter.resizeTarget != nil
          || !step.filter.traits.contains(.moves)
            && type(of: step.filter).recipeInputs.upperBound > 0
      }
  }

  /// Whether no step moves pixels, or replaces them by painted ones.
  package var keepsPlace: Bool {
    steps.allSatisfy { step in
      !step.filter.traits.contains(.moves) && type(of: step.filter).recipeInputs.upperBound > 0
    }
  }
}
