/// Three formula numbers: a color.
struct FormulaVector<Number: FormulaNumber>: ExpressibleByArrayLiteral {
  var x, y, z: Number

  init(_ x: Number, _ y: Number, _ z: Number) { (self.x, self.y, self.z) = (x, y, z) }
  init(repeating value: Number) { self.init(value, value, value) }
  init(_ v: SIMD3<Double>) { self.init(Number(v.x), Number(v.y), Number(v.z)) }

  init(arrayLiteral elements: Number...) {
    precondition(elements.count == 3, "A color has 3 channels; got \(elements.count).")
    self.init(elements[0], elements[1], elements[2])
  }

  func map(_ change: (Number) -> Number) -> Self { [change(x), change(y), change(z)] }

  static func + (a: Self, b: Self) -> Self { [a.x + b.x, a.y + b.y, a.z + b.z] }
  static func - (a: Self, b: Self) -> Self { [a.x - b.x, a.y - b.y, a.z - b.z] }
  static func * (a: Self, b: Self) -> Self { [a.x * b.x, a.y * b.y, a.z * b.z] }
  static func / (a: Self, b: Self) -> Self { [a.x / b.x, a.y / b.y, a.z / b.z] }
  static func + (a: Number, v: Self) -> Self { v.map { a + $0 } }
  static func * (a: Number, v: Self) -> Self { v.map { a * $0 } }
  static func * (v: Self, a: Number) -> Self { v.map { $0 * a } }

  /// The product with a matrix, summed in the order of its columns.
  static func * (m: ColorMatrix, v: Self) -> Self {
    Self(m.column0) * v.x + Self(m.column1) * v.y + Self(m.column2) * v.z
  }

  func sum() -> Number { x + y + z }
  func min() -> Number { x.atMost(y).atMost(z) }
  func max() -> Number { x.atLeast(y).atLeast(z) }

  /// Each channel held in the range. NaN stays.
  func clamped(to range: ClosedRange<Double>) -> Self {
    map { $0.atLeast(Number(range.lowerBound)).atMost(Number(range.upperBound)) }
  }

  /// Whether a channel is NaN.
  var hasNaN: Number.Mask { Number.isUnordered(x, y) .| Number.isUnordered(z, z) }

  static func select(_ mask: Number.Mask, _ a: Self, _ b: Self) -> Self {
    [
      Number.select(mask, a.x, b.x), Number.select(mask, a.y, b.y), Number.select(mask, a.z, b.z),
    ]
  }
}

extension FormulaVector<Double> {
  var simd: SIMD3<Double> { SIMD3(x, y, z) }
}
