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
    do throws(RecipeError) {
      return applying(try make())
    } catch {
      return failing(error)
    }
  }
}
