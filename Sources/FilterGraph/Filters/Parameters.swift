internal import ColorSpaces

/// Returns `value` if it is in `range`, otherwise throws.
@discardableResult
func checked(
  _ name: String, _ value: Double, in range: ClosedRange<Double>
) throws(RecipeError) -> Double {
  guard range.contains(value) else { throw .parameter(name, value: value, allowed: range) }
  return value
}

extension Picture {
  /// Returns this picture filtered by the filter that `make` creates, or failing with its error.
  func applying<Filter: PointFilter>(_ make: () throws(RecipeError) -> Filter) -> Picture {
    attempting { () throws(RecipeError) in applying(try make()) }
  }

  /// Returns this picture filtered by the filter that `make` creates, or failing with its error.
  func applying<Filter: AreaFilter>(_ make: () throws(RecipeError) -> Filter) -> Picture {
    attempting { () throws(RecipeError) in applying(try make()) }
  }

  /// Returns this picture and others filtered by the filter that `make` creates, or failing with its error.
  func applying<Filter: CompoundFilter>(
    with others: [Picture] = [], _ make: () throws(RecipeError) -> Filter
  ) -> Picture {
    attempting { () throws(RecipeError) in applying(try make(), with: others) }
  }

  /// Returns the picture of the painter that `make` creates, or an infinite picture failing with its error.
  static func painted<Subject: Painter>(
    in space: ColorSpace, by make: () throws(RecipeError) -> Subject
  ) -> Picture {
    do throws(RecipeError) { return Picture(try make(), in: space) } catch {
      return constant(ColorPoint(.zero, in: space), in: space).failing(error)
    }
  }

  /// Returns the result of `make`, or this picture failing with its error.
  func attempting(_ make: () throws(RecipeError) -> Picture) -> Picture {
    do throws(RecipeError) { return try make() } catch { return failing(error) }
  }
}
