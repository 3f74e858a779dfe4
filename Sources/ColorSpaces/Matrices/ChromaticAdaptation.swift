/// A chromatic adaptation transform (CAT): the sensors that adapt to a white point.
///
/// All transforms follow von Kries: XYZ becomes three sensor responses, each response is scaled so that the source
/// white becomes the target white, and the responses become XYZ again. They differ in the sensors alone.
public struct ChromaticAdaptation: Hashable, Sendable {
  /// The name in recipes and messages, such as “Bradford”.
  public let name: String
  /// The matrix from XYZ to the responses of the sensors.
  public let sensors: ColorMatrix
  /// The documents of the sensors; empty for those of a caller.
  public private(set) var sources: [Source] = []

  /// Creates a transform with these sensors.
  public init(_ name: String, sensors: ColorMatrix) {
    (self.name, self.sensors) = (name, sensors)
  }

  /// Returns the transform with the documents that define it.
  func citing(_ sources: Source...) -> ChromaticAdaptation {
    var result = self
    result.sources = sources
    return result
  }

  /// Returns the matrix from XYZ under one white point to the corresponding XYZ under another.
  ///
  /// - Parameters:
  ///   - source: The white point to adapt from.
  ///   - target: The white point to adapt to.
  ///   - degree: The degree of adaptation, the D of CIECAM02: 1 for complete, so that white becomes white; 0 for none,
  ///     the identity.
  public func matrix(
    from source: Chromaticity, to target: Chromaticity, degree: Double = 1
  ) -> ColorMatrix {
    if source == target || degree == 0 { return .identity }
    let whole = (sensors * target.xyz) / (sensors * source.xyz)
    let gain = degree == 1 ? whole : degree * whole + (1 - degree)
    return sensors.inverse * ColorMatrix(diagonal: gain) * sensors
  }
}

extension ChromaticAdaptation {
  /// Whether names and sensors agree.
  public static func == (a: ChromaticAdaptation, b: ChromaticAdaptation) -> Bool {
    a.name == b.name && a.sensors == b.sensors
  }

  /// Hashes the name and the sensors.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(sensors)
  }
}

extension ChromaticAdaptation: CustomStringConvertible {
  /// The name of the transform, such as “Bradford”.
  public var description: String { name }
}

extension ChromaticAdaptation {
  /// Linear Bradford, which ICC profiles, CSS and this package use (ICC.1:2022, annex E; Lam 1985).
  public static let bradford = ChromaticAdaptation("Bradford", sensors: ColorMatrix.bradford)
    .citing(
      .bradford, Source("Lam, “Metamerism and colour constancy”", edition: "1985"))

  /// The sensors of CIECAM02 (CIE 159:2004).
  public static let cat02 = ChromaticAdaptation(
    "CAT02",
    sensors: ColorMatrix(
      rows: [0.7328, 0.4296, -0.1624], [-0.7036, 1.6975, 0.0061], [0.0030, 0.0136, 0.9834])
  ).citing(Source("CIE 159", edition: "2004"))

  /// The sensors of CAM16, whose responses do not turn negative (Li et al. 2017; CIE 248:2022).
  public static let cat16 = ChromaticAdaptation(
    "CAT16",
    sensors: ColorMatrix(
      rows: [0.401288, 0.650173, -0.051461], [-0.250268, 1.204414, 0.045854],
      [-0.002079, 0.048952, 0.953127])
  ).citing(.cam16, Source("CIE 248", edition: "2022"))

  /// The Hunt–Pointer–Estévez cones, normalized to D65: what software calls “von Kries”.
  public static let vonKries = ChromaticAdaptation(
    "von Kries",
    sensors: ColorMatrix(
      rows: [0.40024, 0.70760, -0.08081], [-0.22630, 1.16532, 0.04570], [0, 0, 0.91822])
  ).citing(Source("Fairchild, “Color Appearance Models”"))

  /// X, Y and Z themselves: the “wrong von Kries” transform of CIELAB.
  public static let xyzScaling = ChromaticAdaptation("XYZ scaling", sensors: .identity).citing(
    .cie15("8.2.1"))

  /// Spectrally sharpened sensors (Finlayson, Drew and Funt 1994; Finlayson and Süsstrunk 2000).
  public static let sharp = ChromaticAdaptation(
    "Sharp",
    sensors: ColorMatrix(
      rows: [1.2694, -0.0988, -0.1706], [-0.8364, 1.8006, 0.0357], [0.0297, -0.0315, 1.0018])
  ).citing(
    Source(
      "Finlayson, Drew and Funt, “Spectral sharpening: sensor transformations for improved color constancy”",
      edition: "1994"),
    Source(
      "Finlayson and Süsstrunk, “Performance of a chromatic adaptation transform based on spectral sharpening”",
      edition: "2000"))

  /// CMCCAT2000 (Li, Luo, Rigg and Hunt 2002).
  public static let cmccat2000 = ChromaticAdaptation(
    "CMCCAT2000",
    sensors: ColorMatrix(
      rows: [0.7982, 0.3389, -0.1371], [-0.5918, 1.5512, 0.0406], [0.0008, 0.0239, 0.9753])
  ).citing(
    Source(
      "Li, Luo, Rigg and Hunt, “CMC 2000 chromatic adaptation transform: CMCCAT2000”",
      edition: "2002"))

  /// All transforms of this file.
  public static let named: [ChromaticAdaptation] = [
    .bradford, .cat02, .cat16, .vonKries, .xyzScaling, .sharp, .cmccat2000,
  ]
}

extension ColorMatrix {
  /// Returns the matrix from XYZ under one white point to the corresponding XYZ under another, by a transform other
  /// than Bradford; see ``ChromaticAdaptation/matrix(from:to:degree:)``.
  public static func adapting(
    from source: Chromaticity, to target: Chromaticity, by model: ChromaticAdaptation,
    degree: Double = 1
  ) -> ColorMatrix {
    model.matrix(from: source, to: target, degree: degree)
  }
}
