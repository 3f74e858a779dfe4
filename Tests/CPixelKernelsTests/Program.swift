import CPixelKernels
import PlatformLibc

/// Stages and the memory of their parameters.
final class Program {
  private(set) var stages: [cpk_stage] = []
  private var owned: [UnsafeMutableRawPointer] = []

  deinit { for pointer in owned { pointer.deallocate() } }

  /// Copies values to memory with the lifetime of the program.
  func keep<Value>(_ values: [Value]) -> UnsafeMutablePointer<Value> {
    // Aligned, because kernels write some results past the caches only then.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: values.count * MemoryLayout<Value>.stride, alignment: 64)
    owned.append(memory)
    return memory.initializeMemory(as: Value.self, from: values, count: values.count)
  }

  @discardableResult
  func add<Payload>(_ kind: Int, _ payload: [Payload], first: Int = 0) -> Program {
    stages.append(
      cpk_stage(
        kind: Int32(kind), first: Int16(first), count: Int16(payload.count), payload: keep(payload))
    )
    return self
  }

  @discardableResult
  func add(_ kind: Int) -> Program {
    stages.append(cpk_stage(kind: Int32(kind), first: 0, count: 0, payload: nil))
    return self
  }

  @discardableResult
  func addConvert(
    _ decode: cpk_power?, _ matrix: cpk_matrix?, _ encode: cpk_power?,
    unpremultiplies: Bool = false, premultiplies: Bool = false, codes: [Float]? = nil
  ) -> Program {
    var convert = cpk_convert()
    convert.codes = codes.map { UnsafePointer(keep($0)) }
    (convert.unpremultiplies, convert.premultiplies) = (unpremultiplies, premultiplies)
    convert.decode = decode.map { UnsafePointer(keep([$0])) }
    convert.encode = encode.map { UnsafePointer(keep([$0])) }
    if let matrix { (convert.has_matrix, convert.matrix) = (true, matrix) }
    return add(CPK_CONVERT, [convert])
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

/// Coefficients, the constant first, of the polynomial in x - center that interpolates `function` at the Chebyshev
/// nodes of 1...2.
func interpolation(
  degree: Int, around center: Double, _ function: (Double) -> Double
) -> [Double] {
  let n = degree + 1
  let nodes = (0..<n).map { index in
    let angle = Double.pi * (Double(index) + 0.5) / Double(n)
    return 1.5 - center + 0.5 * cos(angle)
  }
  var differences = nodes.map { function(center + $0) }
  for order in 1..<n {
    for i in stride(from: n - 1, through: order, by: -1) {
      differences[i] =
        (differences[i] - differences[i - 1]) / (nodes[i] - nodes[i - order])
    }
  }
  var coefficients = [Double](repeating: 0, count: n)
  for i in stride(from: n - 1, through: 0, by: -1) {  // Newton's form, expanded
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
  // high[7] is 1, so the product of both is exact in 2^-15..<2.
  setAll(&result.low, (0..<16).map { Float(scale * exp2((Double($0) - 15) * exponent)) })
  setAll(&result.high, (0..<16).map { Float(exp2((Double($0) - 7) * 16 * exponent)) })
  return result
}

/// CIE L*'s cube, with a compensated sum.
func cubeOfSum(_ belowZero: Int = CPK_MIRROR) -> cpk_power {
  var result = power(
    3, scale: pow(1.16, -3), shift: 0.16, threshold: 0.08, slope: 0.1107, belowZero: belowZero,
    degree: CPK_STEEP_POWER_DEGREE)
  (result.exponent, result.shift_rest) = (3, Float(0.16 - Double(result.shift)))
  return result
}

/// CIE Lab's cube, times a scale.
func cube(_ belowZero: Int = CPK_MIRROR, scale: Float = 1) -> cpk_power {
  var result = cpk_power()
  (result.threshold, result.slope, result.intercept) = (0.2069, 0.1284, -0.0177)
  (result.below_zero, result.degree) = (Int32(belowZero), Int32(CPK_CUBE_DEGREE))
  result.polynomial.0 = scale
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

/// A segment of `shape` from its parameters, some with low parts.
private func segment(
  _ shape: Int, from start: Float = -.infinity, slope: (Float, Float) = (1, 0),
  shift: (Float, Float) = (0, 0), scale: (Float, Float) = (1, 0), offset: (Float, Float) = (0, 0),
  _ power: cpk_power = cpk_power()
) -> cpk_segment {
  var result = cpk_segment()
  (result.shape, result.start, result.power) = (Int32(shape), start, power)
  (result.slope, result.shift, result.scale, result.offset) = (slope, shift, scale, offset)
  let taylor = (0...CPK_EXPONENTIAL_DEGREE).map { k in
    Float(pow(log(2), Double(k)) / tgamma(Double(k) + 1))
  }
  let logarithm = (0...CPK_LOGARITHM_DEGREE).map { k in
    scale.0 * Float(pow(-1, Double(k)) / Double(k + 1) / log(2))
  }
  setAll(&result.polynomial, shape == CPK_EXPONENTIAL ? taylor : logarithm)
  return result
}

/// A chain of at most four segments.
private func segments(_ list: [cpk_segment], _ belowZero: Int) -> cpk_segments {
  var result = cpk_segments()
  (result.count, result.below_zero) = (Int32(list.count), Int32(belowZero))
  setAll(&result.segments, list)
  return result
}

/// Chains of every shape, like those of camera log curves.
func someSegments(_ belowZero: Int) -> [cpk_segments] {
  [
    [
      segment(CPK_LINE, slope: (6.62194, 1e-7), shift: (0.0928641, 2e-9)),
      segment(
        CPK_LOGARITHM, from: 0.01125, slope: (5.26316, -1e-7), shift: (0.0526316, 1e-9),
        scale: (0.0769495, -1e-9), offset: (0.410557, 1e-8)),
    ],
    [
      segment(CPK_LOGARITHM, slope: (-96.8, 0), shift: (1, 0), scale: (-0.0727, 0)),
      segment(CPK_CONSTANT, from: 0, shift: (0.25, 0)),
      segment(CPK_LOGARITHM, from: 0.5, slope: (2, 0), shift: (-0.5, 1e-9), scale: (3, 0)),
    ],
    [
      segment(
        CPK_EXPONENTIAL, slope: (17.52, 1e-7), shift: (-9.719971, -2.9e-5), scale: (-1, 0),
        offset: (0.5, 0)),
      segment(CPK_EXPONENTIAL, from: -0.25, slope: (12.99555, 1e-8), shift: (-5.5, 1e-5)),
      segment(
        CPK_RAISED, from: 0.5, slope: (-1, 0), shift: (0.75, 1e-9), power(1 / 3, scale: -0.6)),
      segment(CPK_RAISED, from: 0.75, shift: (-0.75, 1e-9), power(2.6, offset: 0.1)),
    ],
    [segment(CPK_RAISED, slope: (1, 0), power(3, degree: CPK_STEEP_POWER_DEGREE))],
    [],
  ].map { segments($0, belowZero) }
}

/// The perceptual quantizer of SMPTE ST 2084, its inverse, and the identity.
func someRationals(_ belowZero: Int) -> [cpk_rational] {
  var curve = cpk_rational()
  (curve.below_zero, curve.present) = (Int32(belowZero), 1)
  let ln2 = log(2.0)
  setAll(&curve.logarithm, [1, 3, 5, 7, 9, 11].map { 2 / ln2 / $0 })
  let orders = (0..<10).map(Double.init)
  setAll(&curve.exponential, orders.map { pow(ln2, $0) / tgamma($0 + 1) })
  var (encode, decode) = (curve, curve)
  (encode.a, encode.b, encode.c, encode.d) = (0.8359375, 18.8515625, 1, 18.6875)
  (encode.inner, encode.outer) = (0.1593017578125, 78.84375)
  (decode.a, decode.b, decode.c, decode.d) = (-0.8359375, 1, 18.8515625, -18.6875)
  (decode.inner, decode.outer) = (1 / 78.84375, 1 / 0.1593017578125)
  return [encode, decode, cpk_rational()]
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

/// A cubic with this many pieces, with knots from -0.5 on.
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

/// A grid of random colors whose inputs have different sizes and boxes.
func someLattice(
  _ sizes: [Int], from: [Int]? = nil, outputs: Int, to: Int = 0, tetrahedral: Bool, floats: Bool,
  isFirstFastest: Bool = false, in program: Program
) -> cpk_lattice {
  var random = SplitMix64(UInt64(sizes.reduce(outputs, *)))
  var lattice = cpk_lattice()
  let points = sizes.reduce(1, *)
  let values = (0..<4 * points * ((outputs + 3) / 4)).map { _ in
    UInt16.random(in: 0...65_535, using: &random)
  }
  lattice.points =
    floats
    ? UnsafeRawPointer(program.keep(values.map { Float($0) / 30_000 - 1 }))
    : UnsafeRawPointer(program.keep(values))
  (lattice.are_floats, lattice.tetrahedral) = (floats, tetrahedral)
  (lattice.inputs, lattice.outputs) = (UInt8(sizes.count), UInt8(outputs))
  (lattice.to, lattice.count, lattice.unit) = (UInt8(to), Int32(points), floats ? 1 : 1 / 65_535)
  let scale = sizes.indices.map { Float(sizes[$0] - 1) / (1 + 0.25 * Float($0 % 3)) }
  let offset = sizes.indices.map { 0.125 * Float($0 % 2) * Float(sizes[$0] - 1) }
  var step = 1
  let inputs = Array(sizes.indices)
  for input in isFirstFastest ? [0] + inputs.dropFirst().reversed() : inputs.reversed() {
    set(&lattice.from, input, UInt8((from ?? Array(0..<sizes.count))[input]))
    set(&lattice.sizes, input, Int32(sizes[input]))
    set(&lattice.steps, input, Int32(step))
    set(&lattice.scale, input, scale[input])
    set(&lattice.offset, input, offset[input])
    step *= sizes[input]
  }
  return lattice
}

private func set<Tuple, Value>(_ tuple: inout Tuple, _ index: Int, _ value: Value) {
  withUnsafeMutableBytes(of: &tuple) {
    $0.storeBytes(of: value, toByteOffset: index * MemoryLayout<Value>.stride, as: Value.self)
  }
}

/// Random factors from some planes to others.
func someMix(_ inputs: Int, from: Int, _ outputs: Int, to: Int, in program: Program) -> cpk_mix {
  var random = SplitMix64(UInt64(inputs * outputs))
  let rows = (0..<(inputs + 1) * outputs).map { _ in Float.random(in: -0.5...0.5, using: &random) }
  return cpk_mix(
    rows: UnsafePointer(program.keep(rows)), inputs: UInt8(inputs), outputs: UInt8(outputs),
    from: UInt8(from), to: UInt8(to))
}
