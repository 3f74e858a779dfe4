/// The video encoding of RGB: luma and chroma, or another matrix, in full or narrow range.
public struct VideoEncoding: Hashable, Sendable {
  /// The matrix between encoded R′G′B′ and luma and chroma, such as that of Rec. 709.
  public var matrix: Matrix
  /// The quantization range of the codes: full, or narrow with headroom and footroom.
  public var range: Range

  /// Creates an encoding from its matrix and range.
  public init(_ matrix: Matrix, _ range: Range) { (self.matrix, self.range) = (matrix, range) }

  /// The luminance weights of Rec. 709's primaries, as standards print them.
  package static let rec709Weights = SIMD3(0.2126, 0.7152, 0.0722)
  /// The luminance weights of Rec. 2020's primaries, as standards print them.
  static let rec2020Weights = SIMD3(0.2627, 0.6780, 0.0593)

  /// The matrix coefficients of a video encoding (Rec. ITU-T H.273, table 4).
  @nonexhaustive
  public enum Matrix: Hashable, Sendable {
    /// RGB itself.
    case identity
    /// Y′CbCr: luma, a weighted mean of the encoded channels, and the color differences of blue and red. Green has the
    /// remaining weight.
    case weighted(red: Double, blue: Double)
    /// Y′cC′bcC′rc, constant luminance: luma is the encoded luminance, with the color differences of blue and red (Rec.
    /// ITU-R BT.2020, table 4).
    case constantLuminance
    /// YCgCo: luma and two color differences by additions and halvings alone.
    case yCgCo
    /// ICtCp with PQ (Rec. ITU-R BT.2100, table 7).
    case iCtCpPQ
    /// ICtCp with HLG (Rec. ITU-R BT.2100, table 7).
    case iCtCpHLG

    /// Rec. ITU-R BT.601.
    public static let rec601 = Matrix.weighted(red: 0.299, blue: 0.114)
    /// Rec. ITU-R BT.709.
    public static let rec709 = Matrix.weighted(
      red: rec709Weights.x, blue: rec709Weights.z)
    /// Rec. ITU-R BT.2020, non-constant luminance.
    public static let rec2020 = Matrix.weighted(
      red: rec2020Weights.x, blue: rec2020Weights.z)
    /// SMPTE ST 240.
    public static let smpte240M = Matrix.weighted(red: 0.212, blue: 0.087)
    /// The Federal Communications Commission's of 1953 (47 CFR 73.682).
    public static let fcc = Matrix.weighted(red: 0.30, blue: 0.11)

    /// Y′CbCr with the luminance weights of the primaries, as H.273 derives them.
    public static func derived(from primaries: Primaries) -> Matrix {
      let weights = primaries.toXYZ.rows[1]
      return .weighted(red: weights.x, blue: weights.z)
    }
  }

  /// The quantization of the channels to codes. A color space divides codes by the largest one, so that they fill 0…1.
  @nonexhaustive
  public enum Range: Hashable, Sendable {
    /// Unquantized: luma is 0…1, and chroma is −½…½.
    case unquantized
    /// Full range: luma uses all codes of so many bits, and chroma is centered.
    case full(bits: Int)
    /// Narrow range: in 8-bit steps, luma uses 219 from 16 on, and chroma 224 around 128.
    case narrow(bits: Int)
  }
}

extension ColorSpace {
  /// This space as video stores it; of a space that already is video, its red, green and blue in this encoding.
  ///
  /// - Precondition: Codes have 8 to 16 bits.
  public func asVideo(_ matrix: VideoEncoding.Matrix, _ range: VideoEncoding.Range) -> ColorSpace {
    let encoded = withoutVideo.transfer
    return ColorSpace(
      "\(name) \(matrix), \(range)", primaries: primaries,
      transfer: TransferFunction(
        Coordinates(video: VideoEncoding(matrix, range), of: encoded)
      ).citing(encoded.sources + matrix.sources))
  }

  /// The red, green and blue of a space that video stores; other spaces unchanged.
  package var withoutVideo: ColorSpace {
    guard case .coordinates(let coordinates) = transfer.form, coordinates.video != nil,
      let storage = coordinates.storage
    else { return self }
    return ColorSpace("R′G′B′ of \(name)", primaries: primaries, transfer: storage)
  }
}

extension VideoEncoding.Matrix {
  /// The documents of the coefficients.
  public var sources: [Source] {
    switch self {
    case .identity: []
    case .rec601: [Source("Rec. ITU-R BT.601-7", edition: "2011")]
    case .rec709: [Source("Rec. ITU-R BT.709-6", edition: "2015")]
    case .rec2020, .constantLuminance: [.bt2020("table 4")]
    case .smpte240M: [Source("SMPTE ST 240")]
    case .fcc: [Source("47 CFR 73.682")]
    case .weighted: [.h273("table 4, value 12")]
    case .yCgCo: [.h273("table 4, value 8")]
    case .iCtCpPQ, .iCtCpHLG: [.bt2100("table 7")]
    }
  }
}

extension Coordinates {
  /// Creates the video encoding of channels that `transfer` encodes.
  init(video: VideoEncoding, of transfer: TransferFunction) {
    let encoding = video.matrix.stages(transfer) + video.range.stages(video.matrix)
    self.init(
      "\(transfer) \(video.matrix), \(video.range)", video: video,
      decoding: encoding.reversed().map(inverse), encoding: encoding)
  }
}

extension ColorMatrix {
  /// From linear Rec. 2020 to ICtCp's cone responses (Rec. ITU-R BT.2100, table 7).
  static let iCtCpCones =
    ColorMatrix(diagonal: .one / 4096)
    * ColorMatrix(rows: [1688, 2146, 262], [683, 2951, 462], [99, 309, 3688])

  /// From PQ-encoded cone responses to ICtCp.
  static let iCtCpOpponents =
    ColorMatrix(diagonal: .one / 4096)
    * ColorMatrix(rows: [2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543])
}

extension Coordinates {
  /// The transfer function that the channels are encoded by before the matrix.
  var storage: TransferFunction? {
    for case .encode(let transfer) in encoding.stages { return transfer }
    return nil
  }
}

extension VideoEncoding.Matrix {
  /// From linear values to luma and chroma.
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
      // Chroma is divided by its extremes, negative and positive, as the standard prints them.
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
  /// From luma and chroma to codes scaled to 0…1 (Rec. ITU-T H.273, 8.3).
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

/// The inverse of a stage of a video encoding.
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
  /// The name of the matrix.
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
