extension TransferFunction {
  /// The OOTF of hybrid log-gamma for the reference display (Rec. ITU-R BT.2100, table 5) with a peak of 1000 cd/m² and
  /// a black level of 0: scene luminance 0…1 encodes to display luminance in cd/m².
  ///
  /// It is a function of luminance; apply it to a color by scaling all channels with the ratio of the luminances.
  public static let hlgOOTF1000 = TransferFunction(
    "HLG OOTF 1000", decoding: PowerCurve(scale: power(1000, -1 / 1.2), exponent: 1 / 1.2)
  ).citing(.bt2100("table 5"))
}
