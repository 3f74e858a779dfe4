/// How video stores red, green and blue: mixed to lightness and two differences, as whole numbers within a range.
public struct VideoEncoding: Hashable, Sendable {
  /// What the three channels are mixed to.
  public var matrix: Matrix
  /// Which whole numbers stand for them.
  public var range: Range

  /// A mixture and a range.
  public init(_ matrix: Matrix, _ range: Range) { (self.matrix, self.range) = (matrix, range) }

  /// The weights of Rec. 709's lights in luminance, as standards print them.
  package static let rec709Weights = SIMD3(0.2126, 0.7152, 0.0722)
  /// The weights of Rec. 2020's lights in luminance, as standards print them.
  static let rec2020Weights = SIMD3(0.2627, 0.6780, 0.0593)

  /// What red, green and blue are mixed to (Rec. ITU-T H.273, table 4).
  @nonexhaustive
  public enum Matrix: Hashable, Sendable {
    /// Red, green and blue themselves.
    case identity
    /// Y′CbCr: a weighted mean of the stored numbers, and what blue and red differ from it. Green has the remaining weight.
    case weighted(red: Double, blue: Double)
    /// Y′cCbcCrc: the stored number of the light's own luminance, and what blue and red differ from it (Rec. ITU-R BT.2020, table 4).
    case constantLuminance
    /// YCgCo: two differences that cost additions and halvings alone.
    case yCgCo
    /// ICtCp of lights that PQ stores (Rec. ITU-R BT.2100, table 7).
    case iCtCpPQ
    /// ICtCp of lights that HLG stores (Rec. ITU-R BT.2100, table 7).
    case iCtCpHLG

    /// Rec. ITU-R BT.601.
    public static let rec601 = Matrix.weighted(red: 0.299, blue: 0.114)
    /// Rec. ITU-R BT.709.
    public static let rec709 = Matrix.weighted(
      red: rec709Weights.x, blue: rec709Weights.z)
    /// Rec. ITU-R BT.2020, of stored numbers.
    public static let rec2020 = Matrix.weighted(
      red: rec2020Weights.x, blue: rec2020Weights.z)
    /// SMPTE ST 240.
    public static let smpte240M = Matrix.weighted(red: 0.212, blue: 0.087)
    /// The Federal Communications Commission's of 1953 (47 CFR 73.682).
    public static let fcc = Matrix.weighted(red: 0.30, blue: 0.11)

    /// The weights that the lights themselves have in luminance.
    public static func derived(from primaries: Primaries) -> Matrix {
      let weights = primaries.toXYZ.rows[1]
      return .weighted(red: weights.x, blue: weights.z)
    }
  }

  /// Which whole numbers stand for the channels. A color space divides them by the largest, so that they fill 0…1.
  @nonexhaustive
  public enum Range: Hashable, Sendable {
    /// No whole numbers: lightness is 0…1, and differences are −½…½.
    case unquantized
    /// Lightness takes all numbers of so many bits, differences are counted from the middle.
    case full(bits: Int)
    /// Lightness takes 219 of 256 parts, from 16 on, and differences take 224, around 128.
    case narrow(bits: Int)
  }
}

extension ColorSpace {
  /// This space as video stores it.
  public func asVideo(_ matrix: VideoEncoding.Matrix, _ range: VideoEncoding.Range) -> ColorSpace {
    ColorSpace(
      "\(name) \(matrix), \(range)", primaries: primaries,
      transfer: TransferFunction(
        Coordinates(video: VideoEncoding(matrix, range), of: transfer)))
  }
}

extension Coordinates {
  /// What video stores of lights, each of which `transfer` stores alone.
  init(video: VideoEncoding, of transfer: TransferFunction) {
    let encoding = video.matrix.stages(transfer) + video.range.stages(video.matrix)
    self.init(
      "\(transfer) \(video.matrix), \(video.range)", video: video,
      decoding: encoding.reversed().map(inverse), encoding: encoding)
  }
}

extension ColorMatrix {
  /// From the lights of Rec. 2020 to ICtCp's cones (Rec. ITU-R BT.2100, table 7).
  static let iCtCpCones =
    ColorMatrix(diagonal: .one / 4096)
    * ColorMatrix(rows: [1688, 2146, 262], [683, 2951, 462], [99, 309, 3688])

  /// From what PQ stores of the cones to ICtCp.
  static let iCtCpOpponents =
    ColorMatrix(diagonal: .one / 4096)
    * ColorMatrix(rows: [2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543])
}

extension Coordinates {
  /// How video stores each light alone, before it mixes them.
  var storage: TransferFunction? {
    for case .encode(let transfer) in encoding.stages { return transfer }
    return nil
  }
}

extension VideoEncoding.Matrix {
  /// From linear light to lightness and differences.
  fileprivate func stages(_ transfer: TransferFunction) -> [PointProgram.Stage] {
    switch self {
    case .identity: return [.encode(transfer)]
    case .weighted(let red, let blue):
      let green = 1 - red - blue
      return [
        .encode(transfer),
        .matrix(
          ColorMatrix(
            rows: [red, green, blue], [-red, -green, 1 - blue] / (2 * (1 - blue)),
            [1 - red, -green, -blue] / (2 * (1 - red)))),
      ]
    case .constantLuminance:
      // Differences are divided by their largest, below zero and above, as the standard prints them.
      let blue = SegmentedCurve([.line(slope: 1 / 1.9404), .line(from: 0, slope: 1 / 1.5816)])
      let red = SegmentedCurve([.line(slope: 1 / 1.7184), .line(from: 0, slope: 1 / 0.9936)])
      return [
        .matrix(ColorMatrix(rows: VideoEncoding.rec2020Weights, [0, 0, 1], [1, 0, 0])),
        .encode(transfer), .matrix(ColorMatrix(rows: [1, 0, 0], [-1, 1, 0], [-1, 0, 1])),
        .curves("spans", .identity, .segmented(blue), .segmented(red)),
      ]
    case .yCgCo:
      return [
        .encode(transfer),
        .matrix(
          ColorMatrix(rows: [0.25, 0.5, 0.25], [-0.25, 0.5, -0.25], [0.5, 0, -0.5])),
      ]
    case .iCtCpPQ:
      return [.matrix(.iCtCpCones), .encode(transfer), .matrix(.iCtCpOpponents)]
    case .iCtCpHLG:
      return [
        .matrix(.iCtCpCones), .encode(transfer),
        .matrix(
          ColorMatrix(diagonal: .one / 4096)
            * ColorMatrix(rows: [2048, 2048, 0], [3625, -7465, 3840], [9500, -9212, -288])),
      ]
    }
  }
}

extension VideoEncoding.Range {
  /// From lightness and differences to numbers of 0…1 (Rec. ITU-T H.273, 8.3).
  fileprivate func stages(_ matrix: VideoEncoding.Matrix) -> [PointProgram.Stage] {
    let (bits, lightness, black, difference): (Int, Double, Double, Double)
    switch self {
    case .unquantized: return []
    case .full(let count):
      let all = exp2(Double(count)) - 1
      (bits, lightness, black, difference) = (count, all, 0, all)
    case .narrow(let count):
      let part = exp2(Double(count - 8))
      (bits, lightness, black, difference) = (count, 219 * part, 16 * part, 224 * part)
    }
    precondition((8...16).contains(bits), "Video has 8 to 16 bits; got \(bits).")
    let middle = exp2(Double(bits - 1))
    let isPlain = matrix == .identity
    let scale = SIMD3(lightness, isPlain ? lightness : difference, isPlain ? lightness : difference)
    let offset = SIMD3(black, isPlain ? black : middle, isPlain ? black : middle)
    let largest = 2 * middle - 1
    return [.affine(scale: scale / largest, offset: offset / largest)]
  }
}

/// What undoes a stage of a video encoding.
private func inverse(_ stage: PointProgram.Stage) -> PointProgram.Stage {
  func undone(_ curve: Curve) -> Curve {
    if case .segmented(let curve) = curve { .segmented(curve.inverse) } else { curve }
  }
  switch stage {
  case .encode(let transfer): return .decode(transfer)
  case .matrix(let matrix): return .matrix(matrix.inverse)
  case .affine(let scale, let offset): return .affine(scale: .one / scale, offset: -offset / scale)
  case .curves(let name, let a, let b, let c):
    return .curves(name, undone(a), undone(b), undone(c))
  default: preconditionFailure("No video encoding has the stage \(stage).")
  }
}

extension VideoEncoding.Matrix: CustomStringConvertible {
  /// What the mixture is called.
  public var description: String {
    switch self {
    case .identity: "RGB"
    case .rec601: "Y′CbCr of BT.601"
    case .rec709: "Y′CbCr of BT.709"
    case .rec2020: "Y′CbCr of BT.2020"
    case .smpte240M: "Y′CbCr of SMPTE 240M"
    case .fcc: "Y′CbCr of the FCC"
    case .weighted(let red, let blue): "Y′CbCr of \(red) red and \(blue) blue"
    case .constantLuminance: "Y′cCbcCrc"
    case .yCgCo: "YCgCo"
    case .iCtCpPQ, .iCtCpHLG: "ICtCp"
    }
  }
}

extension VideoEncoding.Range: CustomStringConvertible {
  /// The range and the bits.
  public var description: String {
    switch self {
    case .unquantized: "unquantized"
    case .full(let bits): "full range of \(bits) bits"
    case .narrow(let bits): "narrow range of \(bits) bits"
    }
  }
}
