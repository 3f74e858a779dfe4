/// A file format for lookup tables or color decision lists, recognized by file extension; in standard input, by how the file begins.
@nonexhaustive
public enum LookFileFormat: String, Hashable, Sendable, CaseIterable {
  /// 1D and 3D LUTs (Adobe, Cube LUT Specification 1.0, with the input ranges of DaVinci Resolve).
  case cube
  /// 3D LUTs of integers (Autodesk Lustre and Flame).
  case threeDL = "3dl"
  /// 1D LUTs of Sony Pictures Imageworks.
  case spi1D = "spi1d"
  /// 3D LUTs of Sony Pictures Imageworks.
  case spi3D = "spi3d"
  /// Matrices of Sony Pictures Imageworks.
  case spiMatrix = "spimtx"
  /// cineSpace LUTs, with a curve before the 3D LUT.
  case cineSpace = "csp"
  /// One color decision list (ASC CDL 1.2).
  case colorCorrection = "cc"
  /// Color decision lists, each with a name (ASC CDL 1.2).
  case colorCorrectionCollection = "ccc"
  /// Color decision lists, each with a name and the media that it applies to (ASC CDL 1.2).
  case colorDecisionList = "cdl"
  /// Chains of steps (Academy S-2014-006, Common LUT Format).
  case commonLUT = "clf"

  /// The format of a file, by its ending.
  public init(ofFile path: String) throws(LookFileError) {
    let ending = path.split(separator: ".", omittingEmptySubsequences: false).last ?? ""
    guard let format = LookFileFormat(rawValue: ending.lowercased()) else {
      throw .unknownEnding(file: path, known: Self.allCases.map { "." + $0.rawValue })
    }
    self = format
  }

  /// Whether its files hold 3D LUTs.
  package var holdsTables: Bool {
    switch self {
    case .cube, .threeDL, .spi3D, .cineSpace, .commonLUT: true
    case .spi1D, .spiMatrix, .colorCorrection, .colorCorrectionCollection, .colorDecisionList:
      false
    }
  }

  /// Whether its files hold 3D LUTs over any domain, not 0…1 only.
  package var holdsDomains: Bool {
    switch self {
    case .cube, .cineSpace, .commonLUT: true
    case .threeDL, .spi1D, .spi3D, .spiMatrix, .colorCorrection, .colorCorrectionCollection,
      .colorDecisionList:
      false
    }
  }

  /// Whether its files hold a logarithm before a 3D LUT, as an element or as points.
  package var holdsShapers: Bool { self == .cineSpace || self == .commonLUT }

  /// Whether readers interpolate its 3D LUTs tetrahedrally.
  var isTetrahedral: Bool { holdsTables && self != .commonLUT }

  /// Returns the smallest grid size of its 3D LUTs that is not below `size`, or the largest one.
  package func gridSize(atLeast size: Int) -> Int {
    guard self == .threeDL else { return size }
    return (1...7).map { 1 << $0 + 1 }.first { $0 >= size } ?? 129
  }

  /// What its files hold, and whose they are.
  package var summary: String {
    switch self {
    case .cube: "1D and 3D LUTs (Adobe, DaVinci Resolve)"
    case .threeDL: "3D LUTs of integers (Autodesk Lustre and Flame)"
    case .spi1D: "1D LUTs (Sony Pictures Imageworks)"
    case .spi3D: "3D LUTs (Sony Pictures Imageworks)"
    case .spiMatrix: "matrices (Sony Pictures Imageworks)"
    case .cineSpace: "3D LUTs behind a curve (cineSpace)"
    case .colorCorrection: "one color decision list (ASC CDL 1.2)"
    case .colorCorrectionCollection: "color decision lists with names (ASC CDL 1.2)"
    case .colorDecisionList: "color decision lists with names and media (ASC CDL 1.2)"
    case .commonLUT: "chains of steps (Academy S-2014-006, Common LUT Format)"
    }
  }
}
