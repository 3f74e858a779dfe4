/// A format of files that hold tables of colors or color decisions. Files are known by their ending.
@nonexhaustive
public enum LookFileFormat: String, Hashable, Sendable, CaseIterable {
  /// Tables in one and three dimensions (Adobe, Cube LUT Specification 1.0, with the input ranges of DaVinci Resolve).
  case cube
  /// Tables of whole numbers (Autodesk Lustre and Flame).
  case threeDL = "3dl"
  /// Curves of Sony Pictures Imageworks.
  case spi1D = "spi1d"
  /// Tables of Sony Pictures Imageworks.
  case spi3D = "spi3d"
  /// Matrices of Sony Pictures Imageworks.
  case spiMatrix = "spimtx"
  /// Tables of cineSpace, with a curve before them.
  case cineSpace = "csp"
  /// One color decision list (ASC CDL 1.2).
  case colorCorrection = "cc"
  /// Color decision lists, each with a name (ASC CDL 1.2).
  case colorCorrectionCollection = "ccc"
  /// Color decision lists, each with a name, and what they were made for (ASC CDL 1.2).
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
}
