internal import ColorSpaces

/// The weights of the pixels around a place, by their distance.
///
/// Where a resize shrinks a picture, the kernel is widened in proportion, so that each of the old pixels counts. Transforms
/// widen it at most sixteen times, ``Picture/remapped(by:kernel:)`` does not widen it, and ``nearest`` always reads one pixel.
public struct ResamplingKernel: Hashable, Sendable {
  /// The name in messages, such as “Lanczos 3”.
  public let name: String
  /// How far it reaches to each side, in pixels.
  public let reach: Double

  let shape: Shape

  enum Shape: Hashable, Sendable {
    case nearest
    case box
    /// A sinc, windowed by the sinc of the whole reach.
    case lanczos
    /// A sinc, windowed by a raised cosine.
    case hamming
    /// Polynomials of the distance, in the order of their ranges.
    case pieces([Piece])
  }

  /// A polynomial up to a distance.
  struct Piece: Hashable, Sendable {
    /// Where it ends.
    var end: Double
    /// The origin of the polynomial: its variable is the distance less this.
    var origin: Double
    /// The constant first.
    var coefficients: [Double]

    func callAsFunction(_ distance: Double) -> Double {
      coefficients.reversed().reduce(0) { $0 * (distance - origin) + $1 }
    }
  }

  /// Whether all pixels within the reach weigh the same.
  var isFlat: Bool { shape == .box || shape == .nearest }

  private init(_ name: String, reach: Double, _ shape: Shape) {
    (self.name, self.reach, self.shape) = (name, reach, shape)
  }

  private init(_ name: String, _ pieces: [Piece]) {
    self.init(name, reach: pieces.map(\.end).max() ?? 0, .pieces(pieces))
  }

  /// The weight at a distance to the right (above zero) or to the left.
  package func callAsFunction(_ x: Double) -> Double {
    let distance = abs(x)
    switch shape {
    case .nearest, .box: return x > -0.5 && x <= 0.5 ? 1 : 0
    case .lanczos:
      return distance < reach ? normalizedSinc(distance) * normalizedSinc(distance / reach) : 0
    case .hamming:
      return distance < 1
        ? normalizedSinc(distance) * (0.54 + 0.46 * cosine(ofPi: distance)) : 0
    case .pieces(let pieces):
      return pieces.first { distance < $0.end }.map { $0(distance) } ?? 0
    }
  }
}

private func normalizedSinc(_ x: Double) -> Double {
  x < 1e-9 ? 1 : sine(ofPi: x) / (Double.pi * x)
}

extension ResamplingKernel {
  /// Nearest neighbor.
  public static let nearest = ResamplingKernel("nearest", reach: 0.5, .nearest)
  /// The mean of the source pixels whose centers a result pixel covers. One on the boundary of two result pixels counts for the left
  /// or the upper one.
  ///
  /// At whole ratios that is the mean of the covered area. At others each source pixel still counts whole, for one result pixel: pixels
  /// 0, 1, 0 shrink to 0.5, 0, and a mirrored picture may give another result.
  public static let box = ResamplingKernel("box", reach: 0.5, .box)
  /// Linear weights: bilinear interpolation.
  public static let triangle = ResamplingKernel(
    "triangle", [Piece(end: 1, origin: 0, coefficients: [1, -1])])
  /// A smooth step between neighbors (cubic Hermite).
  public static let hermite = ResamplingKernel(
    "Hermite", [Piece(end: 1, origin: 0, coefficients: [1, 0, -3, 2])])
  /// A sinc of one lobe, windowed by Hamming's raised cosine.
  public static let hamming = ResamplingKernel("Hamming", reach: 1, .hamming)
  /// The cubic that goes through the pixels (B = 0, C = ½): bicubic interpolation.
  public static let catmullRom = cubic(b: 0, c: 0.5, name: "Catmull-Rom")
  /// The cubic that Mitchell and Netravali found the best compromise of blur, ringing and blocks (B = C = ⅓).
  public static let mitchell = cubic(b: 1 / 3, c: 1 / 3, name: "Mitchell")
  /// The smoothest cubic (B = 1, C = 0): blurs, and never overshoots.
  public static let bSpline = cubic(b: 1, c: 0, name: "B-spline")

  /// Any cubic of Mitchell and Netravali's family (“Reconstruction filters in computer graphics”, 1988, equation 8).
  ///
  /// Filters refuse a B or C that is not finite.
  public static func cubic(b: Double, c: Double) -> ResamplingKernel {
    cubic(b: b, c: c, name: "cubic (\(b), \(c))")
  }

  private static func cubic(b: Double, c: Double, name: String) -> ResamplingKernel {
    ResamplingKernel(
      name,
      [
        Piece(
          end: 1, origin: 0,
          coefficients: [(6 - 2 * b) / 6, 0, (-18 + 12 * b + 6 * c) / 6, (12 - 9 * b - 6 * c) / 6]),
        Piece(
          end: 2, origin: 0,
          coefficients: [
            (8 * b + 24 * c) / 6, (-12 * b - 48 * c) / 6, (6 * b + 30 * c) / 6, (-b - 6 * c) / 6,
          ]),
      ])
  }

  /// Two lobes to each side: see ``lanczos(_:)``.
  public static let lanczos2 = lanczos(lobes: 2)
  /// Three lobes to each side: see ``lanczos(_:)``.
  public static let lanczos3 = lanczos(lobes: 3)
  /// Four lobes to each side: see ``lanczos(_:)``.
  public static let lanczos4 = lanczos(lobes: 4)

  /// Returns a sinc with some lobes to each side, windowed by a sinc (Duchon, “Lanczos filtering in one and two dimensions”, 1979).
  ///
  /// - Throws: ``RecipeError`` if there are not 1 to 16 lobes.
  public static func lanczos(_ lobes: Int) throws(RecipeError) -> ResamplingKernel {
    try checked("The number of lobes of a Lanczos kernel", Double(lobes), in: 1...16)
    return lanczos(lobes: lobes)
  }

  private static func lanczos(lobes: Int) -> ResamplingKernel {
    ResamplingKernel("Lanczos \(lobes)", reach: Double(lobes), .lanczos)
  }

  /// The natural cubic spline through the 4 nearest pixels, as Helmut Dersch's Panorama Tools have it.
  public static let spline16 = spline(16, [[5, -1, -9, 5], [0, -7, 12, -5]], over: [5, 15])
  /// The natural cubic spline through the 6 nearest pixels.
  public static let spline36 = spline(
    36, [[209, -3, -453, 247], [0, -156, 270, -114], [0, 26, -45, 19]], over: [209, 209, 209])
  /// The natural cubic spline through the 8 nearest pixels.
  public static let spline64 = spline(
    64,
    [
      [2911, -3, -6387, 3479], [0, -2328, 4032, -1704], [0, 582, -1008, 426], [0, -97, 168, -71],
    ], over: [2911, 2911, 2911, 2911])

  private static func spline(
    _ pixels: Int, _ numerators: [[Double]], over denominators: [Double]
  ) -> ResamplingKernel {
    ResamplingKernel(
      "spline \(pixels)",
      numerators.indices.map { piece in
        Piece(
          end: Double(piece + 1), origin: Double(piece),
          coefficients: numerators[piece].map { $0 / denominators[piece] })
      })
  }

  /// A quadratic B-spline with its blur undone to third order (Costella, “The Magic Kernel”, 2013).
  public static let magicKernelSharp2013 = ResamplingKernel(
    "Magic Kernel Sharp 2013",
    [
      Piece(end: 0.5, origin: 0, coefficients: [17 / 16, 0, -7 / 4]),
      Piece(end: 1.5, origin: 0, coefficients: [7 / 4, -11 / 4, 1]),
      Piece(end: 2.5, origin: 2.5, coefficients: [0, 0, -1 / 8]),
    ])
  /// A quadratic B-spline with its blur undone to ninth order (Costella, “Solving the mystery of Magic Kernel Sharp”, 2021).
  public static let magicKernelSharp2021 = ResamplingKernel(
    "Magic Kernel Sharp 2021",
    [
      Piece(end: 0.5, origin: 0, coefficients: [577 / 576, 0, -239 / 144]),
      Piece(end: 1.5, origin: 0, coefficients: [239 / 144, -379 / 144, 35 / 36]),
      Piece(end: 2.5, origin: 0, coefficients: [-65 / 72, 113 / 144, -1 / 6]),
      Piece(end: 3.5, origin: 0, coefficients: [5 / 16, -3 / 16, 1 / 36]),
      Piece(end: 4.5, origin: 4.5, coefficients: [0, 0, -1 / 288]),
    ])

  /// Every kernel that has a name of its own.
  public static let named: [ResamplingKernel] = [
    .nearest, .box, .triangle, .hermite, .hamming, .catmullRom, .mitchell, .bSpline,
    .lanczos2, .lanczos3, .lanczos4, .spline16, .spline36, .spline64,
    .magicKernelSharp2013, .magicKernelSharp2021,
  ]
}

extension ResamplingKernel {
  /// The name in recipes and on the command line.
  package var word: String { NameTable<ResamplingKernel>.key(name) }

  /// Whether a picture that keeps its size keeps its values: the weight is 1 at distance 0, and 0 at every other pixel.
  package var interpolates: Bool {
    isFlat
      || abs(self(0) - 1) < 1e-12
        && (1...max(Int(reach), 1)).allSatisfy { abs(self(Double($0))) < 1e-12 }
  }

  /// By how much an enlarged edge from 0 to 1 exceeds 1: the largest sum of weights on one side, less 1, over 1,024 places in a pixel.
  package var overshoot: Double {
    let side = Int(reach.rounded(.up))
    let sums = (0..<1024).map { place in
      let weights = (-side...side + 1).map { self(Double($0) - Double(place) / 1024) }
      let sum = weights.reduce(0, +)
      return weights.reduce(into: (0, 0)) { total, weight in
        total.0 += weight / sum
        total.1 = max(total.1, total.0)
      }.1 - 1
    }
    return max(sums.max() ?? 0, 0)
  }
}

extension ResamplingKernel: FiniteNumbers {
  /// The coefficients of a kernel of polynomials, which are finite unless a cubic has a B or C that is not.
  var parameterNumbers: [Double] {
    if case .pieces(let pieces) = shape { pieces.flatMap(\.coefficients) } else { [] }
  }
}

extension ResamplingKernel: CustomStringConvertible {
  /// The name, such as “Lanczos 3”.
  public var description: String { name }
}

extension ResamplingKernel {
  /// The kernel called `name`, letter case, spaces and punctuation aside: one of ``named``, any `Lanczos 5`, or any
  /// `cubic (0.2, 0.4)` with its B and its C. Nil where there is none.
  public init?(named name: String) {
    let key = NameTable<ResamplingKernel>.key(name)
    // Behind the kind, all words must be numbers: a recipe has no other form of a cubic.
    let words = name.drop { !$0.isLetter }.drop(while: \.isLetter)
      .split { !($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let numbers = words.compactMap { decimalNumber($0) }.filter(\.isFinite)
    if let kernel = Self.named.first(where: { NameTable<ResamplingKernel>.key($0.name) == key }) {
      self = kernel
    } else if key.hasPrefix("lanczos"), let lobes = Int(key.dropFirst(7)),
      numbers.map(\.magnitude) == [Double(lobes)], let kernel = try? Self.lanczos(lobes)
    {
      self = kernel
    } else if key.hasPrefix("cubic"), numbers.count == 2, words.count == 2 {
      self = .cubic(b: numbers[0], c: numbers[1])
    } else {
      return nil
    }
  }
}

extension ResamplingKernel: RecipeCodable {
  /// The kernel's name, of which letters and digits count: `lanczos3`, `catmullrom`, `bspline`.
  public static var textForm: TextForm { TextForm("KERNEL") { .string($0) } }

  /// The kernel's name.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let name = try source.text(expected: "the name of a kernel")
    guard let kernel = ResamplingKernel(named: name) else {
      throw .unknown(
        at: source.path, kind: "kernel", name: name,
        known: namesNearest(to: name, among: Self.named.map(\.name)))
    }
    self = kernel
  }

  /// The kernel's name.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue { .string(name) }
}

extension Parameter where Value == ResamplingKernel {
  /// The parameter `kernel` of the filters that resample.
  static func kernel(
    _ get: @escaping @Sendable (Root) -> ResamplingKernel, default fallback: ResamplingKernel
  ) -> Parameter {
    Parameter(
      "kernel", get, "the resampling kernel, such as lanczos3, catmullrom or nearest",
      default: fallback)
  }
}
