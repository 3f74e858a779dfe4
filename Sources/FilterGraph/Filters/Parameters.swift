internal import ColorSpaces

/// `value`, if it lies in `range`.
@discardableResult
func checked(
  _ name: String, _ value: Double, in range: ClosedRange<Double>
) throws(RecipeError) -> Double {
  guard range.contains(value) else { throw .parameter(name, value: value, allowed: range) }
  return value
}

extension Picture {
  /// This picture with the filter that `make` makes, or with the failure to make it.
  func applying<Filter: PointFilter>(_ make: () throws(RecipeError) -> Filter) -> Picture {
    attempting { () throws(RecipeError) in applying(try make()) }
  }

  /// This picture with the filter that `make` makes, or with the failure to make it.
  func applying<Filter: AreaFilter>(_ make: () throws(RecipeError) -> Filter) -> Picture {
    attempting { () throws(RecipeError) in applying(try make()) }
  }

  /// This picture with the filter that `make` makes and other pictures, or with the failure to make it.
  func applying<Filter: CompoundFilter>(
    with others: [Picture] = [], _ make: () throws(RecipeError) -> Filter
  ) -> Picture {
    attempting { () throws(RecipeError) in applying(try make(), with: others) }
  }

  /// The picture of the painter that `make` makes, or an endless picture with the failure to make it.
  static func painted<Subject: Painter>(
    in space: ColorSpace, by make: () throws(RecipeError) -> Subject
  ) -> Picture {
    do throws(RecipeError) { return Picture(try make(), in: space) } catch {
      return constant(ColorPoint(.zero, in: space), in: space).failing(error)
    }
  }

  /// What `make` makes of this picture, or this picture with the failure to make it.
  func attempting(_ make: () throws(RecipeError) -> Picture) -> Picture {
    do throws(RecipeError) { return try make() } catch { return failing(error) }
  }
}
