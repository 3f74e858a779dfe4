internal import ColorSpaces

/// The test whether colors differ visibly from the nearest ones of a gamut, as the kernels run it.
struct ClippingTest: Hashable, Sendable {
  /// The color difference formula.
  let formula: ColorDifference
  /// The largest difference of colors that count as in gamut.
  let tolerance: Double
  /// The gamut, and the space of the colors.
  let gamut, space: ColorSpace

  /// The kernels' operations: 1 in all three channels where the linear values of a color lie outside, 0 elsewhere.
  var program: LoweredProgram {
    Self.known.result(for: self) {
      LoweredProgram(
        PointProgram([
          .formula(
            .clippingDifference(by: formula, above: tolerance, of: gamut, in: space))
        ]))
    }
  }

  /// A frame of a stream has few masks; each has two conversions to record.
  private static let known = KnownResults<ClippingTest, LoweredProgram>(limit: 256)
}
