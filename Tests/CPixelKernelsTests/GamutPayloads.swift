import CPixelKernels
import PlatformLibc

/// Turns values around 1 into hues of all quadrants.
let hueScale = someAffine([1, 1, 720], [0, 0, -360])

/// Oklab's matrices, from linear sRGB (Ottosson 2020).
private let cones = [
  0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619,
  0.2817188376, 0.6299787005,
]
private let opponents = [
  0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050, 0.4505937099,
  0.0259040371, 0.7827717662, -0.8086757660,
]

let oklabCones = kernelMatrix(cones)
let oklabOpponents = kernelMatrix(opponents)

private func kernelMatrix(_ m: [Double]) -> cpk_matrix {
  var result = cpk_matrix()
  setAll(
    &result.m,
    (0..<12).map { $0 % 4 == 3 ? Float(0) : Float(m[$0 / 4 * 3 + $0 % 4]) })
  return result
}

private func inverse(_ m: [Double]) -> [Double] {
  func minor(_ i: Int, _ j: Int) -> Double {
    let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3)
    return m[3 * a + c] * m[3 * b + d] - m[3 * a + d] * m[3 * b + c]
  }
  let determinant = (0..<3).reduce(0.0) { $0 + m[$1] * minor(0, $1) }
  return (0..<9).map { minor($0 % 3, $0 / 3) / determinant }
}

/// Matrix, roots or cubes, matrix.
func addResponse(
  to program: Program, _ curve: cpk_power?, fromHue: Bool = false, toHue: Bool = false
) -> Program {
  let power = curve.map { UnsafePointer(program.keep([$0])) }
  return program.add(
    CPK_RESPONSE,
    [
      cpk_response(
        before: oklabCones, after: oklabOpponents, power: power, from_hue: fromHue, to_hue: toHue)
    ])
}

/// The compression of ACES 1.3 with a matrix that makes most colors far from gray.
func someCompression(clips: Bool) -> cpk_compress {
  var result = cpk_compress()
  result.to_film = kernelMatrix([1.3, -0.2, -0.1, -0.3, 1.2, 0.1, 0, 0.1, 0.9])
  result.from_film = kernelMatrix(inverse([1.3, -0.2, -0.1, -0.3, 1.2, 0.1, 0, 0.1, 0.9]))
  result.threshold = (0.815, 0.803, 0.880)
  result.reach = (0.43, 0.6, 0.5)
  (result.inner, result.outer) = (
    power(-1.2, belowZero: CPK_CONTINUE, degree: CPK_STEEP_POWER_DEGREE),
    power(-1 / 1.2, belowZero: CPK_CONTINUE, degree: CPK_STEEP_POWER_DEGREE)
  )
  (result.clips, result.low, result.high) = (clips, 0, 1)
  return result
}

/// Linear sRGB.
func someFit(_ method: Int) -> cpk_fit {
  var result = cpk_fit()
  result.method = Int32(method)
  (result.low, result.high, result.darkest, result.brightest) = (0, 1, 0, 1)
  (result.first, result.last) = (0, 1)
  setAll(&result.to_cones, cones)
  setAll(&result.from_cones, inverse(cones))
  setAll(&result.to_opponents, opponents)
  setAll(&result.from_opponents, inverse(opponents))
  (result.noticeable, result.precision, result.resolution) = (0.02, 1e-4, 1e-12)
  result.threshold = 0.6
  (result.sure, result.sure_light) = (2e-6, 8e-6)
  result.root = power(1.0 / 3)
  return result
}

/// A short table of roots for red, a long one for green, and none for blue.
func addPieces(to program: Program, _ belowZero: Int) -> Program {
  guard let exact = someRationals(belowZero).first else { return program }
  func pieces(bits: Int, octaves: Int, end: Int, stride: Int, degree: Int) -> cpk_pieces {
    var result = cpk_pieces()
    let (count, width) = (octaves << bits, exp2(-Double(bits)))
    var rows: [Float] = []
    for index in 0..<count {
      let scale = exp2(Double(end - octaves + index >> bits))
      let center = 1 + (Double(index & (1 << bits - 1)) + 0.5) * width
      // Powers of t by the binomial series of a square root.
      var coefficient = (scale * center).squareRoot()
      var row = [Float(coefficient), Float(coefficient - Double(Float(coefficient)))]
      for k in 1...degree {
        coefficient *= (1.5 - Double(k)) / Double(k) / center
        row.append(Float(coefficient))
      }
      rows += row + [Float](repeating: 0, count: stride - row.count)
    }
    let columns = (0..<stride).flatMap { c in (0..<32).map { rows[$0 * stride + c] } }
    (result.rows, result.columns) = (
      UnsafePointer(program.keep(rows)), UnsafePointer(program.keep(columns))
    )
    result.first = Int32((127 + end - octaves) << bits)
    (result.count, result.mantissa_bits) = (Int32(count), Int32(bits))
    result.is_short = degree == CPK_SHORT_PIECE_DEGREE
    result.start = Float(exp2(Double(end - octaves)))
    (result.end, result.center) = (Float(exp2(Double(end))), Float(1 + width / 2))
    (result.zero, result.exact) = (0.25, exact)
    return result
  }
  return program.add(
    CPK_PIECES,
    [
      pieces(bits: 0, octaves: 32, end: 1, stride: 12, degree: CPK_SHORT_PIECE_DEGREE),
      pieces(bits: 3, octaves: 9, end: 0, stride: 8, degree: CPK_PIECE_DEGREE), cpk_pieces(),
    ])
}
