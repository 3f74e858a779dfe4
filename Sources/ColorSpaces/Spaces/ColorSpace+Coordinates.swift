// Spaces that are not RGB with a curve per channel. Each is one declaration: the primaries of its linear space, and the
// stages between linear values and its coordinates.

extension Primaries {
  /// The imaginary primaries X, Y and Z, relative to their white point: linear “RGB” is X/Xn, Y/Yn, Z/Zn.
  public static func xyz(white: Chromaticity) -> Primaries {
    Primaries(
      red: Chromaticity(1, 0), green: Chromaticity(0, 1), blue: Chromaticity(0, 0), white: white
    ).citing(.cie15())
  }
}

extension ColorSpace {
  /// CIE 1931 XYZ with white at Y = 1, adapted to D65.
  public static let xyzD65 = ColorSpace(
    "XYZ D65",
    aliases: [
      "xyz", "lin_ciexyzd65_scene", "CIE XYZ-D65", "CIE XYZ-D65 - Scene-referred",
      "cie_xyz_d65_scene",
    ],
    primaries: .xyz(white: .d65),
    transfer: .xyz(.d65))

  /// CIE 1931 XYZ with white at Y = 1, adapted to D50.
  public static let xyzD50 = ColorSpace(
    "XYZ D50", aliases: ["kCGColorSpaceGenericXYZ"], primaries: .xyz(white: .d50),
    transfer: .xyz(.d50))

  /// CIE 1931 XYZ with white at Y = 1, adapted to illuminant E.
  public static let xyzE = ColorSpace(
    "XYZ E", primaries: .xyz(white: .equalEnergy), transfer: .xyz(.equalEnergy))

  /// CIE 1931 XYZ in cd/m²; D65 white is 203 cd/m².
  public static let xyzAbsolute = ColorSpace(
    "XYZ absolute", aliases: ["xyz-abs-d65", "XYZ cd/m²"], primaries: .xyz(white: .d65),
    transfer: .xyz(.d65, luminance: .graphicsWhite))

  /// Chromaticity and luminance, D65.
  public static let xyY = ColorSpace("xyY", primaries: .xyz(white: .d65), transfer: .xyY)

  /// Chromaticity in the CIE 1976 diagram and luminance, D65: u′, v′, Y.
  public static let uvY = ColorSpace(
    "u′v′Y", aliases: ["uv", "CIE 1976 UCS"], primaries: .xyz(white: .d65), transfer: .uvY)

  /// Chromaticity in the CIE 1960 diagram and luminance, D65: u, v, Y, where v is ⅔ v′.
  public static let uvY1960 = ColorSpace(
    "uvY 1960", aliases: ["CIE 1960 UCS"], primaries: .xyz(white: .d65), transfer: .uvY1960)

  /// CIE 1976 L*a*b* with white point D50, as in ICC profiles and CSS.
  public static let lab = ColorSpace(
    "Lab", aliases: ["lab-d50", "cielab", "kCGColorSpaceGenericLab"], primaries: .xyz(white: .d50),
    transfer: .lab)

  /// Lab (D50) as lightness, chroma and hue.
  public static let lch = ColorSpace(
    "LCh", primaries: .xyz(white: .d50), transfer: .lab.polar("LCh", gray: 0.0015))

  /// CIE 1976 L*a*b* with white point D65.
  public static let labD65 = ColorSpace(
    "Lab D65", primaries: .xyz(white: .d65), transfer: .lab)

  /// Lab (D65) as lightness, chroma and hue.
  public static let lchD65 = ColorSpace(
    "LCh D65", primaries: .xyz(white: .d65), transfer: .lab.polar("LCh", gray: 0.0015))

  /// CIE 1976 L*u*v*, D65.
  public static let luv = ColorSpace("Luv", primaries: .xyz(white: .d65), transfer: .luv)

  /// Luv as lightness, chroma and hue.
  public static let lchuv = ColorSpace(
    "LChuv", primaries: .xyz(white: .d65), transfer: .luv.polar("LChuv", gray: 0.0015))

  /// DIN99o (DIN 6176), D65: Lab compressed so that Euclidean distance approximates small perceived differences.
  public static let din99o = ColorSpace(
    "DIN99o", primaries: .xyz(white: .d65), transfer: .din99o)

  /// DIN99o as lightness, chroma and hue.
  public static let lch99o = ColorSpace(
    "LCh 99o", primaries: .xyz(white: .d65), transfer: .din99o.polar("LCh 99o", gray: 0.0015))

  /// IPT (Ebner and Fairchild 1998), D65: lines of constant hue are straight.
  public static let ipt = ColorSpace("IPT", primaries: .xyz(white: .d65), transfer: .ipt)

  /// Oklab (Ottosson 2020, with the matrices of CSS Color 4): perceptually uniform.
  public static let oklab = ColorSpace("Oklab", primaries: .xyz(white: .d65), transfer: .oklab)

  /// Oklab as lightness, chroma and hue.
  public static let oklch = ColorSpace(
    "OkLCh", primaries: .xyz(white: .d65), transfer: .oklab.polar("OkLCh", gray: 4e-6))

  /// Oklab with the lightness estimate L_r, closer to that of Lab (Ottosson 2021).
  public static let oklrab = ColorSpace("Oklrab", primaries: .xyz(white: .d65), transfer: .oklrab)

  /// Oklrab as lightness, chroma and hue.
  public static let oklrch = ColorSpace(
    "OkLrCh", primaries: .xyz(white: .d65), transfer: .oklrab.polar("OkLrCh", gray: 4e-6))

  /// Jzazbz (Safdar and others 2017) for a white of 203 cd/m².
  public static let jzazbz = ColorSpace("Jzazbz", primaries: .xyz(white: .d65), transfer: .jzazbz)

  /// Jzazbz as lightness, chroma and hue.
  public static let jzczhz = ColorSpace(
    "JzCzhz", primaries: .xyz(white: .d65), transfer: .jzczhz)

  /// ICtCp (Rec. ITU-R BT.2100) in its PQ form, for a white of 203 cd/m².
  public static let ictcp = ColorSpace("ICtCp", primaries: .rec2020, transfer: .ictcp)

  /// Hue, saturation and lightness of sRGB (CSS Color 4, 7).
  public static let hsl = ColorSpace("HSL", primaries: .rec709, transfer: .hsl)

  /// Hue, saturation and value of sRGB (Smith 1978).
  public static let hsv = ColorSpace("HSV", primaries: .rec709, transfer: .hsv)

  /// Hue, whiteness and blackness of sRGB (CSS Color 4, 8).
  public static let hwb = ColorSpace("HWB", primaries: .rec709, transfer: .hwb)

  /// All spaces of coordinates.
  static let coordinates: [ColorSpace] =
    [
      ColorSpace.xyzD65, .xyzD50, .xyzE, .xyzAbsolute, .xyY, .uvY, .uvY1960, .lab, .lch, .labD65,
      .lchD65, .luv, .lchuv, .din99o, .lch99o, .ipt, .oklab, .oklch, .oklrab, .oklrch, .jzazbz,
      .jzczhz, .ictcp, .hsl, .hsv, .hwb,
    ] + pickers + appearances
}

extension TransferFunction {
  /// Returns the polar form: chroma and a hue in degrees in place of the second and third coordinate.
  ///
  /// - Parameter isGrayByLight: Whether the hue of grays is powerless although their chroma exceeds `gray`.
  func polar(_ name: String, gray: Double, isGrayByLight: Bool = false) -> TransferFunction {
    TransferFunction(coordinates.polar(name, gray: gray, isGrayByLight: isGrayByLight))
      .citing(sources)
  }

  /// Coordinates that are computed from these.
  func mapped(
    _ name: String, hue: Coordinates.Hue? = nil, citing source: Source? = nil,
    decoding: @escaping @Sendable (Formula.Vector) -> Formula.Vector,
    encoding: @escaping @Sendable (Formula.Vector) -> Formula.Vector
  ) -> TransferFunction {
    TransferFunction(
      Coordinates(
        name, decoding: [.formula("from \(name)", decoding)] + coordinates.decoding.stages,
        encoding: coordinates.encoding.stages + [.formula("to \(name)", encoding)], hue: hue)
    ).citing(sources + [source].compactMap(\.self))
  }

  private var coordinates: Coordinates {
    guard case .coordinates(let coordinates) = form else {
      preconditionFailure(
        "\(name) is a curve for each channel; others are computed from coordinates.")
    }
    return coordinates
  }

  static func xyz(_ white: Chromaticity, luminance: Luminance = 1) -> TransferFunction {
    let scale = luminance.candelas * white.xyz
    return TransferFunction(
      Coordinates(
        luminance == 1 ? "XYZ" : "XYZ, white \(luminance)",
        decoding: [.matrix(ColorMatrix(diagonal: .one / scale))],
        encoding: [.matrix(ColorMatrix(diagonal: scale))])
    ).citing(luminance == 1 ? [.cie15()] : [.cie15(), .bt2408])
  }

  static let xyY = TransferFunction(
    Coordinates(
      "xyY",
      decoding: [
        .formula("from xyY") { v in
          // A y next to 0 is the chromaticity of no real color.
          .select(
            v.y.magnitude .< 1e-30, [0, 0, 0],
            [v.x / v.y * v.z, v.z, (1 - v.x - v.y) / v.y * v.z] / Formula.Vector(white))
        }
      ],
      encoding: [
        .formula("to xyY") { v in
          let xyz = v * Formula.Vector(white)
          let sum = xyz.sum()
          // Black has no chromaticity; it takes that of white.
          return .select(
            sum .== 0, Formula.Vector([Chromaticity.d65.x, Chromaticity.d65.y, 0]),
            [xyz.x / sum, xyz.y / sum, xyz.y])
        }
      ])
  ).citing(.cie15())

  static let uvY = TransferFunction(
    Coordinates(
      "u′v′Y", decoding: [.formula("from u′v′Y") { light(u: $0.x, v: $0.y, luminance: $0.z) }],
      encoding: [
        .formula("to u′v′Y") { v in
          let uv = chromaticityUV(v)
          return [uv.x, uv.y, v.y]
        }
      ])
  ).citing(.cie15("8.1"))

  static let uvY1960: TransferFunction = {
    let stretch = SIMD3(1, 1.5, 1)
    return TransferFunction(
      Coordinates(
        "uvY 1960",
        decoding: [.affine(scale: stretch, offset: .zero)] + uvY.coordinates.decoding.stages,
        encoding: uvY.coordinates.encoding.stages + [.affine(scale: 1 / stretch, offset: .zero)]))
  }().citing(.cie15())

  /// CIELAB's f(t) (CIE 15:2004, 8.2.1, with the exact fractions): ∛t above (6/29)³, 841/108 t + 4/29 below.
  static let labRoot = PowerCurve(
    exponent: 1.0 / 3, slope: 841.0 / 108, intercept: 4.0 / 29, threshold: 216.0 / 24389,
    belowZero: .continued)

  static let lab: TransferFunction = {
    let root = labRoot
    let opponents = ColorMatrix(rows: [0, 116, 0], [500, -500, 0], [0, 200, -200])
    let lightness = SIMD3(-16.0, 0, 0)
    return TransferFunction(
      Coordinates(
        "Lab",
        decoding: [
          .affine(scale: .one, offset: -lightness), .matrix(opponents.inverse),
          .curves("cubes", .power(root.inverse), .power(root.inverse), .power(root.inverse)),
        ],
        encoding: [
          .curves("cube roots", .power(root), .power(root), .power(root)), .matrix(opponents),
          .affine(scale: .one, offset: lightness),
        ]))
  }().citing(.cie15("8.2.1"))

  static let luv = TransferFunction(
    Coordinates(
      "Luv",
      decoding: [
        .formula("from Luv") { v in
          let (u, vPrime) = (
            v.y / (13 * v.x) + Chromaticity.d65.uv.x, v.z / (13 * v.x) + Chromaticity.d65.uv.y
          )
          let luminance = Formula.Value.select(
            v.x .> 8, cube((v.x + 16) / 116), v.x * 27 / 24389)
          return .select(
            v.x.magnitude .> 1e-100, light(u: u, v: vPrime, luminance: luminance), [0, 0, 0])
        }
      ],
      encoding: [
        .formula("to Luv") { v in
          let lightness = Formula.Value.select(
            v.y .> Formula.Value(216.0 / 24389), 116 * v.y.raised(to: 1.0 / 3) - 16,
            v.y * 24389 / 27)
          let uv = chromaticityUV(v)
          return [
            lightness, 13 * lightness * (uv.x - Chromaticity.d65.uv.x),
            13 * lightness * (uv.y - Chromaticity.d65.uv.y),
          ]
        }
      ])
  ).citing(.cie15())

  static let din99o: TransferFunction = {
    // DIN99 rotates a* and b* by 26°.
    let (cosine26, sine26) = (cosine(ofPi: 26.0 / 180), sine(ofPi: 26.0 / 180))
    // The standard prints 303.67; this value makes white exactly 100.
    let lightness = 100 / naturalLogarithm(1.39)
    return lab.mapped("DIN99o", citing: Source("DIN 6176", edition: "2018")) { v in
      let chroma = length(v.y, v.z)
      let grown = boundedExponential(0.0435 * chroma) - 1
      let stretch = Formula.Value.select(chroma .== 0, 0, grown / 0.075 / chroma)
      let e = stretch * (v.y * cosine26 + v.z * sine26)
      let f = stretch * (v.z * cosine26 - v.y * sine26) / 0.83
      return [
        (continuedExponential(v.x / lightness) - 1) / 0.0039, e * cosine26 - f * sine26,
        e * sine26 + f * cosine26,
      ]
    } encoding: { v in
      let e = v.y * cosine26 + v.z * sine26
      let f = 0.83 * (v.z * cosine26 - v.y * sine26)
      let reach = length(e, f)
      let logarithm = (1 + 0.075 * reach).naturalLogarithm
      let press = Formula.Value.select(reach .== 0, 0, logarithm / 0.0435 / reach)
      return [
        lightness * continuedLogarithm(1 + 0.0039 * v.x), press * (e * cosine26 - f * sine26),
        press * (e * sine26 + f * cosine26),
      ]
    }
  }()

  static let ipt: TransferFunction = {
    // The paper's matrix from cones to XYZ, scaled so that D65 is white.
    let cones = ColorMatrix(
      rows: [1.8502, -1.1383, 0.2385], [0.3668, 0.6439, -0.0107], [0, 0, 1.0889])
    let toCones =
      (cones * ColorMatrix(diagonal: cones.inverse * white)).inverse * ColorMatrix(diagonal: white)
    let opponents = ColorMatrix(
      rows: [0.4, 0.4, 0.2], [4.455, -4.851, 0.396], [0.8056, 0.3572, -1.1628])
    let root = PowerCurve(exponent: 0.43)
    let (encode, decode) = (Curve.power(root), Curve.power(root.inverse))
    return TransferFunction(
      Coordinates(
        "IPT",
        decoding: [
          .matrix(opponents.inverse), .curves("powers", decode, decode, decode),
          .matrix(toCones.inverse),
        ],
        encoding: [
          .matrix(toCones), .curves("roots", encode, encode, encode), .matrix(opponents),
        ]))
  }().citing(
    Source(
      "Ebner and Fairchild, “Development and testing of a color space (IPT) with improved hue uniformity”",
      edition: "1998"))

  /// From XYZ to the cones of Oklab.
  static let oklabCones = ColorMatrix(
    rows: [0.819_022_437_996_703_0, 0.361_906_260_052_890_4, -0.128_873_781_520_987_9],
    [0.032_983_653_932_388_5, 0.929_286_861_586_343_4, 0.036_144_666_350_642_4],
    [0.048_177_189_359_624_2, 0.264_239_531_752_730_8, 0.633_547_828_469_430_9])

  /// From the cube roots of the cone responses to Oklab.
  static let oklabOpponents = ColorMatrix(
    rows: [0.210_454_268_309_314_0, 0.793_617_774_702_305_4, -0.004_072_043_011_619_3],
    [1.977_998_532_431_168_4, -2.428_592_242_048_579_9, 0.450_593_709_617_411_0],
    [0.025_904_042_465_547_8, 0.782_771_712_457_529_6, -0.808_675_754_923_077_4])

  static let oklab: TransferFunction = {
    let opponents = oklabOpponents
    let toCones = oklabCones * ColorMatrix(diagonal: white)
    let root = Curve.power(PowerCurve(exponent: 1.0 / 3))
    let cube = Curve.power(PowerCurve(exponent: 3))
    return TransferFunction(
      Coordinates(
        "Oklab",
        decoding: [
          .matrix(opponents.inverse), .curves("cubes", cube, cube, cube),
          .matrix(toCones.inverse),
        ],
        encoding: [
          .matrix(toCones), .curves("cube roots", root, root, root), .matrix(opponents),
        ]))
  }().citing(
    Source("Ottosson, “A perceptual color space for image processing”", edition: "2020"),
    .cssColor4())

  /// From XYZ to the cones of Safdar and others 2017.
  static let jzazbzCones =
    ColorMatrix(
      rows: [0.41478972, 0.579999, 0.0146480], [-0.2015100, 1.120649, 0.0531008],
      [-0.0166008, 0.264800, 0.6684799])
    * ColorMatrix(rows: [1.15, 0, -0.15], [0.34, 0.66, 0], [0, 0, 1])

  /// The largest linear value to encode, 10¹² times white: far enough from the quantizer's pole that the response
  /// decodes to a finite value.
  static let largestQuantized = 0x1p40

  /// The quantized responses of those cones.
  static let jzazbzQuantizer = perceptualQuantizer(
    outer: 1.7 * 2523 / 32, belowZero: .mirrored)

  static let jzazbz: TransferFunction = {
    let opponents = ColorMatrix(
      rows: [0.5, 0.5, 0], [3.524000, -4.066708, 0.542708], [0.199076, 1.096799, -1.295875])
    let toCones = quantizedUnit * jzazbzCones * ColorMatrix(diagonal: white)
    let quantizer = jzazbzQuantizer
    let largest = quantizer(largestQuantized)
    let (encode, decode) = (Curve.rationalPower(quantizer), Curve.rationalPower(quantizer.inverse))
    return TransferFunction(
      Coordinates(
        "Jzazbz",
        decoding: [
          .formula("from Jz") { v in
            let z = v.x + 1.629_549_953_282_156_6e-11
            return [z / nonzero(0.44 + 0.56 * z), v.y, v.z]
          }, .matrix(opponents.inverse), .clamp(-largest...largest),
          .curves("from PQ", decode, decode, decode),
          .matrix(toCones.inverse),
        ],
        encoding: [
          .matrix(toCones), .curves("to PQ", encode, encode, encode), .matrix(opponents),
          .formula("to Jz") { v in
            [0.44 * v.x / nonzero(1 - 0.56 * v.x) - 1.629_549_953_282_156_6e-11, v.y, v.z]
          },
        ]))
  }().citing(.jzazbz)

  /// Jzazbz as lightness, chroma and hue. Its grays have chromas up to 0.0002, because its cones do not share a white
  /// point exactly.
  static let jzczhz = jzazbz.polar("JzCzhz", gray: 1e-6, isGrayByLight: true)

  static let ictcp: TransferFunction = {
    let toCones = quantizedUnit * ColorMatrix.iCtCpCones
    let opponents = ColorMatrix.iCtCpOpponents
    let quantizer = perceptualQuantizer(belowZero: .mirrored)
    let largest = quantizer(largestQuantized)
    let (encode, decode) = (Curve.rationalPower(quantizer), Curve.rationalPower(quantizer.inverse))
    return TransferFunction(
      Coordinates(
        "ICtCp",
        decoding: [
          .matrix(opponents.inverse), .clamp(-largest...largest),
          .curves("from PQ", decode, decode, decode),
          .matrix(toCones.inverse),
        ],
        encoding: [
          .matrix(toCones), .curves("to PQ", encode, encode, encode), .matrix(opponents),
        ]))
  }().citing(.bt2100("tables 4 and 7"), .bt2408)
}

/// From a white of 203 cd/m² to PQ's unit of 10,000 cd/m².
private let quantizedUnit = ColorMatrix(diagonal: SIMD3(repeating: 203.0 / 10_000))

private let white = Chromaticity.d65.xyz

/// CIE 1976 u′ and v′ of light relative to D65; those of D65 for black.
private func chromaticityUV(_ light: Formula.Vector) -> (x: Formula.Value, y: Formula.Value) {
  let (xyz, uv) = (light * Formula.Vector(white), Chromaticity.d65.uv)
  let sum = xyz.x + 15 * xyz.y + 3 * xyz.z
  return (
    .select(sum .== 0, Formula.Value(uv.x), 4 * xyz.x / sum),
    .select(sum .== 0, Formula.Value(uv.y), 9 * xyz.y / sum)
  )
}

/// Light relative to D65 of u′, v′ and Y; black where v′ is next to 0, which it is for no light with luminance.
private func light(
  u: Formula.Value, v: Formula.Value, luminance: Formula.Value
) -> Formula.Vector {
  let rest = 12 - 3 * u - 20 * v
  let xyz = luminance / (4 * v) * Formula.Vector(9 * u, 4 * v, rest)
  return .select(v.magnitude .< 1e-30, [0, 0, 0], xyz) / Formula.Vector(white)
}

/// The divisor, or a tiny one in place of 0.
private func nonzero(_ x: Formula.Value) -> Formula.Value { .select(x .== 0, 1e-9, x) }

private func cube(_ x: Formula.Value) -> Formula.Value { x * x * x }

private func length(_ x: Formula.Value, _ y: Formula.Value) -> Formula.Value {
  (x * x + y * y).squareRoot()
}

/// The exponential of numbers up to 100, which no color exceeds; the result stays finite.
func boundedExponential(_ x: Formula.Value) -> Formula.Value { x.atMost(100).exponential }

/// The natural logarithm, continued by its tangent below ⅛, where only imaginary DIN99o colors lie.
private func continuedLogarithm(_ x: Formula.Value) -> Formula.Value {
  .select(x .< 0.125, 8 * x - 1 + naturalLogarithm(0.125), x.naturalLogarithm)
}

private func continuedExponential(_ x: Formula.Value) -> Formula.Value {
  let join = naturalLogarithm(0.125)
  return .select(x .< Formula.Value(join), (x - join + 1) / 8, boundedExponential(x))
}
