extension ColorSpace {
  /// The linear value of the brightest gray that the space's signals represent: the upper limit of each channel in the gamut.
  ///
  /// It is 10,000/203 with PQ and 3.77 with HLG, of which linear 1 is reference white. See ``TransferFunction/peak``.
  package var peak: Double { withoutVideo.transfer.peak }
}

extension TransferFunction {
  /// The linear value of the signal 1 where that is brighter than white, as with PQ, HLG and logarithmic curves of cameras; otherwise 1.
  ///
  /// Linear values, which have no brightest signal, end at white, and so do coordinates such as CIELAB. The signals of an HLG display
  /// end at its peak. That is exact for grays: the OOTF shows saturated colors darker.
  package var peak: Double {
    if case .coordinates(let coordinates) = form { return coordinates.peak }
    guard let white = encodedWhite?.x, white > 0, white < 1 else { return 1 }
    let peak = decode(1)
    return peak.isFinite ? max(peak, 1) : 1
  }
}
