/// The four code points of Rec. ITU-T H.273 (2024) that identify a color space in video, in PNG's cICP chunk and in
/// ICC's cicp tag.
///
/// They are written `12/13/0/1`: primaries, transfer characteristics, matrix coefficients, full-range flag.
public struct CodePoints: Hashable, Sendable {
  /// The primaries and their white point (table 2).
  public var primaries: UInt8
  /// The transfer characteristics (table 3).
  public var transfer: UInt8
  /// The matrix coefficients (table 4); 0 for RGB.
  public var matrix: UInt8
  /// The full-range flag: 1 for full range, 0 for narrow range, which leaves headroom and footroom.
  public var range: UInt8

  /// Creates code points in the order of the standard, by default those of full-range RGB.
  public init(_ primaries: UInt8, _ transfer: UInt8, _ matrix: UInt8 = 0, _ range: UInt8 = 1) {
    (self.primaries, self.transfer) = (primaries, transfer)
    (self.matrix, self.range) = (matrix, range)
  }

  /// Reads code points as H.273 and video tools write them: `12/13/0`, which means full range, or `12/13/0/1`. Returns
  /// nil for any other text.
  ///
  /// With the prefix `H.273`, as in the names of spaces that have no other name, primaries and transfer characteristics
  /// are enough.
  public init?(_ text: String) {
    let name = text.lowercased().filter { $0 != " " }
    let prefix = ["h.273", "h273", "cicp"].first { name.hasPrefix($0) }
    let numbers = name.dropFirst(prefix?.count ?? 0)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard (prefix == nil ? 3...4 : 2...4).contains(numbers.count),
      numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    let codes = numbers.compactMap { UInt8($0) }
    guard codes.count == numbers.count else { return nil }
    self.init(
      codes[0], codes[1], codes.count > 2 ? codes[2] : 0, codes.count > 3 ? codes[3] : 1)
  }

  package var bytes: [UInt8] { [primaries, transfer, matrix, range] }

  /// The name of the primaries in table 2; nil where the code is reserved.
  public var primariesName: String? {
    primaries == 2 ? "unspecified" : Self.primariesTable[primaries]?.name
  }

  /// The name of the transfer characteristics in table 3; nil where the code is reserved.
  public var transferName: String? {
    transfer == 2 ? "unspecified" : Self.transferTable[transfer]?.name
  }

  /// The name of the matrix coefficients in table 4; nil where the code is reserved.
  public var matrixName: String? { Self.matrixNames[matrix] }

  /// The primaries; nil where the code is unspecified or reserved.
  var rgbPrimaries: Primaries? { Self.primariesTable[primaries]?.primaries }

  /// The transfer function; nil where the code is unspecified or reserved.
  var transferFunction: TransferFunction? { Self.transferTable[transfer]?.function }
}

extension CodePoints: CustomStringConvertible {
  /// The four code points, such as 12/13/0/1.
  public var description: String { "\(primaries)/\(transfer)/\(matrix)/\(range)" }

  /// The meaning of the four code points, in words.
  public var explanation: String {
    let range = [0: "narrow range", 1: "full range"][self.range]
    return
      "primaries \(primariesName ?? "reserved"), transfer function \(transferName ?? "reserved"), "
      + "matrix \(matrixName ?? "reserved"), \(range ?? "reserved range")"
  }
}

// MARK: Tables

extension CodePoints {
  private static let primariesTable: [UInt8: (name: String, primaries: Primaries)] = [
    1: ("BT.709", .rec709),
    4: (
      "BT.470 System M",
      Primaries(
        red: .init(0.67, 0.33), green: .init(0.21, 0.71), blue: .init(0.14, 0.08),
        white: .init(0.310, 0.316)
      ).citing(.h273("table 2, value 4"))
    ),
    5: ("BT.601 625 lines", ColorSpace.rec601With625Lines.primaries),
    6: ("BT.601 525 lines", ColorSpace.rec601With525Lines.primaries),
    7: ("SMPTE ST 240", ColorSpace.rec601With525Lines.primaries),
    8: ("film with illuminant C", ColorSpace.genericFilm.primaries),
    9: ("BT.2020", .rec2020),
    10: ("SMPTE ST 428-1 XYZ", .xyz(white: .equalEnergy)),
    11: ("SMPTE RP 431-2 (DCI P3)", .dciP3),
    12: ("SMPTE EG 432-1 (P3 D65)", .p3),
    22: ("EBU Tech 3213-E", ColorSpace.h273Primaries22.primaries),
  ]

  private static let transferTable: [UInt8: (name: String, function: TransferFunction)] = [
    1: ("BT.709", .rec709),
    4: ("gamma 2.2", .gamma(2.2).citing(.h273("table 3, value 4"))),
    5: ("gamma 2.8", .gamma(2.8).citing(.h273("table 3, value 5"))),
    6: ("BT.601", .rec709),
    7: ("SMPTE ST 240", .smpte240M),
    8: ("linear", .linear),
    9: ("logarithmic 100:1", .logarithmic100),
    10: ("logarithmic 316:1", .logarithmic316),
    // IEC 61966-2-4 extends BT.709's curve below zero by mirroring it, as `.rec709` does.
    11: ("IEC 61966-2-4", .rec709),
    12: ("BT.1361", .bt1361),
    13: ("IEC 61966-2-1 (sRGB)", .sRGB),
    14: ("BT.2020, 10 bits", .rec709),
    15: ("BT.2020, 12 bits", .rec709),
    16: ("BT.2100 PQ", ColorSpace.rec2100PQ.transfer),
    17: ("SMPTE ST 428-1", .st428),
    18: ("BT.2100 HLG", ColorSpace.rec2100HLG.transfer),
  ]

  private static let matrixNames: [UInt8: String] = [
    0: "identity (RGB)", 1: "BT.709", 2: "unspecified", 4: "FCC 73.682", 5: "BT.601 625 lines",
    6: "BT.601 525 lines", 7: "SMPTE ST 240", 8: "YCgCo", 9: "BT.2020",
    10: "BT.2020 constant luminance",
    11: "SMPTE ST 2085 Y′D′zD′x", 12: "derived from the primaries",
    13: "derived from the primaries, constant luminance", 14: "BT.2100 ICtCp",
    15: "SMPTE ST 2128 IPT-PQ-C2",
    16: "YCgCo-Re", 17: "YCgCo-Ro",
  ]
}

// MARK: Color spaces

extension CodePoints {
  /// Whether the primaries and the transfer characteristics are neither unspecified nor reserved.
  public var isSpecified: Bool { rgbPrimaries != nil && transferFunction != nil }

  /// The video matrix of these coefficients; nil where the package does not implement it.
  var videoMatrix: VideoEncoding.Matrix? {
    switch matrix {
    case 0: .identity
    case 1: .rec709
    case 4: .fcc
    case 5, 6: .rec601
    case 7: .smpte240M
    case 8: .yCgCo
    case 9: .rec2020
    case 10: .constantLuminance
    case 12: rgbPrimaries.map(VideoEncoding.Matrix.derived)
    case 14 where transfer == 16: .iCtCpPQ
    case 14 where transfer == 18: .iCtCpHLG
    default: nil
    }
  }

  /// Whether the values are full-range RGB, as in still images.
  package var isFullRangeRGB: Bool { matrix == 0 && range == 1 }
}

extension ColorSpace {
  /// Creates the color space that code points identify.
  ///
  /// Linear 1 is 203 cd/m² with PQ and the signal 0.75 with HLG (Report ITU-R BT.2408). The bit depth matters for
  /// Y′CbCr and for narrow range only.
  public init(cicp points: CodePoints, bitDepth: Int = 8) throws(ColorError) {
    guard let primaries = points.rgbPrimaries, let transfer = points.transferFunction,
      points.matrix != 2
    else {
      throw .unusableCodePoints(
        points, reason: "\(points.explanation). Name the space that is meant")
    }
    guard points.range <= 1, let matrix = points.videoMatrix else {
      throw .unusableCodePoints(
        points,
        reason: "\(points.explanation). Convert to RGB or Y′CbCr with another program first")
    }
    guard (8...16).contains(bitDepth) else {
      throw .parameter("The number of bits of video", value: Double(bitDepth), allowed: 8...16)
    }
    let space =
      Self.all.first { $0.primaries == primaries && $0.transfer == transfer && !$0.isGray }
      ?? ColorSpace(
        "H.273 \(points.primaries)/\(points.transfer)", primaries: primaries, transfer: transfer)
    let isRGB = matrix == .identity && points.range == 1
    self =
      isRGB
      ? space
      : space.asVideo(
        matrix, points.range == 1 ? .full(bits: bitDepth) : .narrow(bits: bitDepth))
  }

  /// The code points that name this space; nil where H.273 has none for it, as for gray spaces.
  public var cicp: CodePoints? {
    if isGray { return nil }
    var (function, video) = (transfer, VideoEncoding(.identity, .full(bits: 8)))
    if case .coordinates(let coordinates) = transfer.form, let encoding = coordinates.video {
      (function, video) = (coordinates.storage ?? transfer, encoding)
    }
    // Some primaries and curves have several codes; those that most files use come first.
    let primariesCodes: [UInt8] = [1, 9, 12, 11, 5, 6, 4, 8, 10, 22]
    let transferCodes = (UInt8(1)...18).compactMap { code in
      CodePoints(2, code).transferFunction.map { (code: code, function: $0) }
    }
    guard
      let primariesCode = primariesCodes.first(where: {
        CodePoints($0, 2).rgbPrimaries == primaries
      }),
      let transferCode =
        (transferCodes.first { $0.function == function }
        ?? transferCodes.first { $0.function.isInterchangeable(with: function) })?.code
    else { return nil }
    let camerasCurves: [UInt8: UInt8] = [5: 6, 6: 6, 9: 14]
    var points = CodePoints(
      primariesCode, transferCode == 1 ? camerasCurves[primariesCode] ?? 1 : transferCode)
    // Some matrices have several codes; the one equal to the code of the primaries comes first.
    let matrices = [primariesCode, 0, 1, 9, 6, 7, 4, 8, 10, 14, 12].map {
      CodePoints(points.primaries, points.transfer, $0)
    }
    guard let matrix = matrices.first(where: { $0.videoMatrix == video.matrix })?.matrix else {
      return nil
    }
    points.matrix = matrix
    switch video.range {
    case .unquantized: return nil
    case .full: points.range = 1
    case .narrow: points.range = 0
    }
    return points
  }

  /// The code points to write into a file; nil also where a reader would derive another name or other constants from
  /// them.
  package var cicpForFiles: CodePoints? {
    guard let cicp, cicp.isFullRangeRGB, let found = try? ColorSpace(cicp: cicp), found == self
    else { return nil }
    return cicp
  }
}
