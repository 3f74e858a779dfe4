extension TransferFunction {
  /// How the reference display of hybrid log-gamma renders a scene (the OOTF of Rec. ITU-R BT.2100, table 5) with a peak of
  /// 1000 cd/m² and a black of 0: the scene's luminance 0…1 encodes to cd/m² on the display.
  ///
  /// It is about luminance; a color's channels are all multiplied by what its luminance is multiplied by.
  public static let hlgOOTF1000 = TransferFunction(
    "HLG OOTF 1000", decoding: PowerCurve(scale: power(1000, -1 / 1.2), exponent: 1 / 1.2))
}
