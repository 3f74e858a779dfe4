import CPixelKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Stages and the memory of their payloads.
final class Program {
  private(set) var stages: [cpk_stage] = []
  private var owned: [UnsafeMutableRawPointer] = []

  deinit { for pointer in owned { pointer.deallocate() } }

  /// Copies the values to memory that lives as long as the program.
  func keep<Value>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    let pointer = UnsafeMutablePointer<Value>.allocate(capacity: values.count)
    pointer.initialize(from: values, count: values.count)
    owned.append(UnsafeMutableRawPointer(pointer))
    return pointer
  }

  @discardableResult
  func add<Payload>(_ kind: Int, _ payload: [Payload]) -> Program {
    stages.append(cpk_stage(kind: Int32(kind), payload: keep(payload)))
    return self
  }

  @discardableResult
  func add(_ kind: Int) -> Program {
    stages.append(cpk_stage(kind: Int32(kind), payload: nil))
    return self
  }

  @discardableResult
  func addConvert(_ decode: cpk_power?, _ matrix: cpk_matrix, _ encode: cpk_power?) -> Program {
    let first = decode.map { UnsafePointer(keep([$0])) }
    let last = encode.map { UnsafePointer(keep([$0])) }
    return add(CPK_CONVERT, [cpk_convert(decode: first, matrix: matrix, encode: last)])
  }
}

/// Copies an array into a C array, which Swift sees as a tuple.
func setAll<Tuple, Value>(_ tuple: inout Tuple, _ values: [Value]) {
  withUnsafeMutableBytes(of: &tuple) { bytes in
    values.withUnsafeBytes { bytes.copyMemory(from: $0) }
  }
}

/// The elements of a C array.
func all<Tuple, Value>(_ tuple: Tuple, _: Value.Type) -> [Value] {
  withUnsafeBytes(of: tuple) { Array($0.bindMemory(to: Value.self)) }
}

/// Coefficients, the constant first, of the polynomial in x - center that equals `function` of x at the
/// Chebyshev nodes of 1...2.
func interpolation(
  degree: Int, around center: Double, _ function: (Double) -> Double
) -> [Double] {
  let n = degree + 1
  let nodes = (0..<n).map { i in
    1.5 - center + 0.5 * cos(Double.pi * (Double(i) + 0.5) / Double(n))
  }
  var differences = nodes.map { function(center + $0) }
  for order in 1..<n {
    for i in stride(from: n - 1, through: order, by: -1) {
      differences[i] =
        (differences[i] - differences[i - 1]) / (nodes[i] - nodes[i - order])
    }
  }
  var coefficients = [Double](repeating: 0, count: n)
  for i in stride(from: n - 1, through: 0, by: -1) {  // Newton's form, multiplied out
    for k in stride(from: n - 1, to: 0, by: -1) {
      coefficients[k] = coefficients[k - 1] - nodes[i] * coefficients[k]
    }
    coefficients[0] = differences[i] - nodes[i] * coefficients[0]
  }
  return coefficients
}

/// scale * (x + shift)^exponent + offset above the threshold, slope * x + intercept below it.
func power(
  _ exponent: Double, scale: Double = 1, shift: Double = 0, offset: Double = 0,
  threshold: Double = 0, slope: Double = 0, intercept: Double = 0, belowZero: Int = CPK_MIRROR,
  degree: Int = CPK_POWER_DEGREE
) -> cpk_power {
  var result = cpk_power()
  result.threshold = Float(threshold)
  result.slope = Float(slope)
  result.intercept = Float(intercept)
  result.shift = Float(shift)
  result.offset = Float(offset)
  result.below_zero = Int32(belowZero)
  result.degree = Int32(degree)
  result.center = exponent > 0 ? 1 : 2
  let coefficients = interpolation(degree: degree, around: Double(result.center)) {
    pow($0, exponent)
  }
  setAll(&result.polynomial, coefficients.map { Float($0) })
  // high[7] is 1: in 2^-15..<2 the product of the two is exact.
  setAll(&result.low, (0..<16).map { Float(scale * exp2((Double($0) - 15) * exponent)) })
  setAll(&result.high, (0..<16).map { Float(exp2((Double($0) - 7) * 16 * exponent)) })
  return result
}

/// IEC 61966-2-1.
func sRGBDecode(_ belowZero: Int = CPK_MIRROR) -> cpk_power {
  power(
    2.4, scale: pow(1 / 1.055, 2.4), shift: 0.055, threshold: 0.04045, slope: 1 / 12.92,
    belowZero: belowZero)
}

func sRGBEncode(_ belowZero: Int = CPK_MIRROR) -> cpk_power {
  power(
    1 / 2.4, scale: 1.055, offset: -0.055, threshold: 0.0031308, slope: 12.92,
    belowZero: belowZero)
}

let someMatrix: cpk_matrix = {
  var matrix = cpk_matrix()
  setAll(
    &matrix.m,
    [0.8225, 0.1774, 0, 0.001, 0.0332, 0.9669, 0, -0.002, 0.0171, 0.0724, 0.9108, 0] as [Float])
  return matrix
}()

func someAffine(_ scale: [Float], _ offset: [Float]) -> cpk_affine {
  var affine = cpk_affine()
  setAll(&affine.scale, scale)
  setAll(&affine.offset, offset)
  return affine
}

/// A cubic with this many pieces, their knots from -0.5 on.
func someCubic(_ pieces: Int) -> cpk_cubic {
  var random = SplitMix64(UInt64(pieces))
  func numbers(_ range: ClosedRange<Float>) -> [Float] {
    (0..<Int(CPK_CUBIC_PIECES)).map { _ in Float.random(in: range, using: &random) }
  }
  var cubic = cpk_cubic()
  cubic.pieces = Int32(pieces)
  let knots = (0..<Int(CPK_CUBIC_PIECES)).map { -0.5 + Float($0) * 0.125 }
  setAll(&cubic.knots, knots)
  setAll(&cubic.origin, knots.map { $0 + 0.03125 })
  setAll(&cubic.c0, numbers(0...1))
  setAll(&cubic.c1, numbers(-2...2))
  setAll(&cubic.c2, numbers(-2...2))
  setAll(&cubic.c3, numbers(-2...2))
  return cubic
}
