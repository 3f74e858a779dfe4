import CPixelKernels

/// The header's formulas, one value at a time, in plain Swift.
enum Reference {
  static func fma(_ a: Float, _ b: Float, _ c: Float) -> Float { c.addingProduct(a, b) }

  private static func belowZero(_ kind: Int32, _ x: Float, _ curve: (Float) -> Float) -> Float {
    switch Int(kind) {
    case CPK_MIRROR: x.sign == .minus ? -curve(-x) : curve(x)
    case CPK_ZERO: curve(x < 0 ? 0 : x)
    case CPK_PASS: x < 0 ? x : curve(x)
    default: curve(x)
    }
  }

  static func power(_ p: cpk_power, _ x: Float) -> Float {
    belowZero(p.below_zero, x) { x in
      guard x > p.threshold else { return fma(p.slope, x, p.intercept) }
      let bits = (x + p.shift).bitPattern
      let t = Float(bitPattern: bits & 0x7F_FFFF | 0x3F80_0000) - p.center
      let polynomial = all(p.polynomial, Float.self)
      var value = polynomial[Int(p.degree)]
      for k in (0..<Int(p.degree)).reversed() { value = fma(value, t, polynomial[k]) }
      let exponent = Int(bits >> 23 & 255)
      let low = all(p.low, Float.self)[exponent & 15]
      let high = all(p.high, Float.self)[exponent >> 4]
      return fma(value, low * high, p.offset)
    }
  }

  static func cubic(_ cubic: cpk_cubic, _ x: Float) -> Float {
    let knots = all(cubic.knots, Float.self)
    var k = 0
    while k + 1 < Int(cubic.pieces), x >= knots[k + 1] { k += 1 }
    func entry<Tuple>(_ tuple: Tuple) -> Float { all(tuple, Float.self)[k] }
    let largest = Float.greatestFiniteMagnitude
    let distance = x - entry(cubic.origin)
    let t = distance.isNaN ? distance : min(max(distance, -largest), largest)
    return fma(
      fma(fma(entry(cubic.c3), t, entry(cubic.c2)), t, entry(cubic.c1)), t, entry(cubic.c0))
  }

  static func sampled(_ values: [Float], _ kind: Int, _ x: Float) -> Float {
    if x.isNaN { return x }
    return belowZero(Int32(kind), x) { x in
      let p = min(max(x, 0), 1) * Float(values.count - 1)
      let i = min(Int(p), values.count - 2)
      return fma(values[i + 1] - values[i], p - Float(i), values[i])
    }
  }

  static func matrix(_ matrix: cpk_matrix, _ pixel: [Float]) -> [Float] {
    let m = all(matrix.m, Float.self)
    return (0..<3).map { row in
      let r = m[4 * row..<4 * row + 4].map { $0 }
      return fma(r[0], pixel[0], fma(r[1], pixel[1], fma(r[2], pixel[2], r[3])))
    }
  }
}
