import CPixelKernels

/// The formulas of the kernels' header, one value at a time, in plain Swift.
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
      if p.degree == CPK_CUBE_DEGREE { return fma(x * x * x, p.polynomial.0, p.offset) }
      let sum = x + p.shift
      let bits = sum.bitPattern
      let t = Float(bitPattern: bits & 0x7F_FFFF | 0x3F80_0000) - p.center
      let polynomial = all(p.polynomial, Float.self)
      var value = polynomial[Int(p.degree)]
      for k in (0..<Int(p.degree)).reversed() { value = fma(value, t, polynomial[k]) }
      let exponent = Int(bits >> 23 & 255)
      let low = all(p.low, Float.self)[exponent & 15]
      let high = all(p.high, Float.self)[exponent >> 4]
      var offset = p.offset
      if p.exponent != 0 {
        let loss = lost(by: sum, x, p.shift) + p.shift_rest
        let more = value * (low * high) * (p.exponent * loss / sum)
        if more.isFinite { offset += more }
      }
      return fma(value, low * high, offset)
    }
  }

  /// The rounding error of a + b for values of moderate size: exact in double precision.
  private static func lost(by sum: Float, _ a: Float, _ b: Float) -> Float {
    Float(Double(a) + Double(b) - Double(sum))
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

  static func segments(_ chain: cpk_segments, _ x: Float) -> Float {
    if x.isNaN || chain.count == 0 { return x }
    return belowZero(chain.below_zero, x) { x in
      let segments = all(chain.segments, cpk_segment.self).prefix(Int(chain.count))
      return segments.last { x >= $0.start }.map { segment($0, x) } ?? x
    }
  }

  private static func segment(_ s: cpk_segment, _ x: Float) -> Float {
    let polynomial = all(s.polynomial, Float.self)
    func value(_ degree: Int, _ t: Float) -> Float {
      polynomial[..<degree].reversed().reduce(polynomial[degree]) { fma($0, t, $1) }
    }
    let high = fma(s.slope.0, x, s.shift.0)
    let isRaised = Int(s.shape) == CPK_RAISED
    let low =
      isRaised
      ? lost(by: high, s.slope.0 * x, s.shift.0) + s.shift.1 : fma(s.slope.1, x, s.shift.1)
    let w = high.isFinite ? high + low : high
    switch Int(s.shape) {
    case CPK_CONSTANT: return s.shift.0
    case CPK_LINE: return w
    case CPK_RAISED:
      var power = s.power
      (power.shift, power.threshold) = (0, -1)
      return Reference.power(power, max(w, 0))
    case CPK_LOGARITHM:
      if w == .infinity { return w * s.scale.0 }
      let positive = max(w, .leastNormalMagnitude)
      // The square root of 1/2, as a float.
      let lower = positive.significand >= 2 * 0x1.6a09e6p-1
      let e = Float(positive.exponent) + (lower ? 1 : 0)
      let t = positive.significand / (lower ? 2 : 1) - 1
      let whole = fma(s.scale.0, e, s.offset.0) + fma(s.scale.1, e, s.offset.1)
      return fma(value(CPK_LOGARITHM_DEGREE, t), t, whole)
    default:
      let n = min(max(high, -160), 160).rounded(.toNearestOrEven)
      let rest = fma(s.slope.0, x, s.shift.0 - n) + fma(s.slope.1, x, s.shift.1)
      let t = rest.isNaN ? 1 : min(max(rest, -1), 1)
      // In two steps, as 2^n may overflow a float.
      let half = (n / 2).rounded(.down)
      let power = value(CPK_EXPONENTIAL_DEGREE, t)
      return fma(power * exp2(half) * exp2(n - half), s.scale.0, s.offset.0)
    }
  }

  private static func exp2(_ n: Float) -> Float {
    Float(sign: .plus, exponent: Int(n), significand: 1)
  }

  static func rational(_ r: cpk_rational, _ x: Float) -> Float {
    if x.isNaN { return x }
    return belowZero(r.below_zero, x) { x in
      let u = x > 0 ? raised(r, Double(x), r.inner) : 0
      let (numerator, denominator) = (u * r.b + r.a, u * r.d + r.c)
      if numerator <= 0 { return 0 }
      return denominator > 0 ? Float(raised(r, numerator / denominator, r.outer)) : .infinity
    }
  }

  private static func raised(_ r: cpk_rational, _ x: Double, _ exponent: Double) -> Double {
    let l = all(r.logarithm, Double.self)
    let e = all(r.exponential, Double.self)
    var (mantissa, whole) = (1.0, 1024.0)
    if x.isFinite {
      let halved = x.significand >= 2 * 0x1.6a09e667f3bcdp-1
      mantissa = x.significand / (halved ? 2 : 1)
      whole = Double(x.exponent) + (halved ? 1 : 0)
    }
    let s = (mantissa - 1) / (mantissa + 1)
    let (s2, s4) = (s * s, (s * s) * (s * s))
    let first = l[0] + s4 * (l[2] + s4 * l[4])
    let second = l[1] + s4 * (l[3] + s4 * l[5])
    let z = min(max((whole + s * (first + s2 * second)) * exponent, -1000), 1000)
    let n = z.rounded(.toNearestOrEven)
    let t = z - n
    let t2 = t * t
    let even = e[0] + t2 * (e[2] + t2 * (e[4] + t2 * (e[6] + t2 * e[8])))
    let odd = e[1] + t2 * (e[3] + t2 * (e[5] + t2 * (e[7] + t2 * e[9])))
    return (even + t * odd) * Double(sign: .plus, exponent: Int(n), significand: 1)
  }

  static func sampled(_ values: [Float], _ kind: Int, _ x: Float) -> Float {
    if x.isNaN { return x }
    return belowZero(Int32(kind), x) { x in
      let p = min(max(x, 0), 1) * Float(values.count - 1)
      let i = min(Int(p), values.count - 2)
      return fma(values[i + 1] - values[i], p - Float(i), values[i])
    }
  }

  /// Returns the outputs of a lattice for the values of all planes.
  static func lattice(_ lattice: cpk_lattice, _ planes: [Float]) -> [Float] {
    let count = Int(lattice.inputs)
    let inputs = all(lattice.from, UInt8.self).prefix(count).map { planes[Int($0)] }
    if inputs.contains(where: \.isNaN) {
      return [Float](repeating: .nan, count: Int(lattice.outputs))
    }
    let sizes = all(lattice.sizes, Int32.self).map { Int($0) }
    let steps = all(lattice.steps, Int32.self).map { Int($0) }
    let (scale, offset) = (all(lattice.scale, Float.self), all(lattice.offset, Float.self))
    var (corner, part) = (0, [Float]())
    for (k, x) in inputs.enumerated() {
      let position = min(max(fma(x, scale[k], offset[k]), 0), Float(sizes[k] - 1))
      let cell = min(Int(position), sizes[k] - 2)
      corner += cell * steps[k]
      part.append(position - Float(cell))
    }
    return (0..<Int(lattice.outputs)).map { channel in
      func value(_ point: Int) -> Float {
        let index = 4 * (channel / 4 * Int(lattice.count) + point) + channel % 4
        return lattice.are_floats
          ? lattice.points.load(fromByteOffset: 4 * index, as: Float.self)
          : Float(lattice.points.load(fromByteOffset: 2 * index, as: UInt16.self))
      }
      func result(_ point: Int, input: Int) -> Float {
        if input == count { return value(point) }
        if lattice.tetrahedral && input == count - 3 {
          var (index, result) = (point, value(point))
          // Ties are ordered from the last input.
          let axes = [count - 1, count - 2, count - 3].enumerated().sorted {
            (part[$0.element], $1.offset) > (part[$1.element], $0.offset)
          }
          for (_, axis) in axes {
            let next = index + steps[axis]
            result = fma(part[axis], value(next) - value(index), result)
            index = next
          }
          return result
        }
        let (a, b) = (
          result(point, input: input + 1), result(point + steps[input], input: input + 1)
        )
        return fma(part[input], b - a, a)
      }
      return result(corner, input: 0) * lattice.unit
    }
  }

  static func mix(_ mix: cpk_mix, _ planes: [Float]) -> [Float] {
    let inputs = Int(mix.inputs)
    return (0..<Int(mix.outputs)).map { row in
      let factors = mix.rows + row * (inputs + 1)
      return (0..<inputs).reversed().reduce(factors[inputs]) { sum, k in
        fma(factors[k], planes[Int(mix.from) + k], sum)
      }
    }
  }

  /// Returns the position of a value in a decreasing or increasing table.
  static func inverse(_ values: [Float], falling: Bool, _ x: Float) -> Float {
    if x.isNaN { return x }
    let v = max(x * 65_535, values[0])
    guard let above = values.firstIndex(where: { $0 > v }) else { return falling ? 0 : 1 }
    let part = (v - values[above - 1]) / (values[above] - values[above - 1])
    let place = (Float(above - 1) + part) / Float(values.count - 1)
    return falling ? 1 - place : place
  }

  static func matrix(_ matrix: cpk_matrix, _ pixel: [Float]) -> [Float] {
    let m = all(matrix.m, Float.self)
    return (0..<3).map { row in
      let r = m[4 * row..<4 * row + 4].map { $0 }
      return fma(r[0], pixel[0], fma(r[1], pixel[1], fma(r[2], pixel[2], r[3])))
    }
  }
}
