import ColorSpaces
import FilterGraph
import ImageFiles
import Testing

/// Powers and reversed color decisions of the Common LUT Format, against values of OpenColorIO 2.6.
@Suite struct CommonLUTPowerTests {
  private static let inputs = [-0.5, 0, 0.02, 0.2, 0.9, 1.5]

  private static let decisions =
    "<SOPNode><Slope>1.2 0.9 0.8</Slope><Offset>0.05 -0.03 0.1</Offset><Power>1.3 0.8 2</Power>"
    + "</SOPNode><SatNode><Saturation>0.7</Saturation></SatNode>"

  private static let parameters = "<ExponentParams exponent=\"2.4\" offset=\"0.055\"/>"

  private static func exponent(_ style: String, _ parameters: String = parameters) -> String {
    "<Exponent style=\"\(style)\">\(parameters)</Exponent>"
  }

  private func look(_ step: String) throws -> Look {
    try Look(
      Array("<ProcessList id=\"a\" compCLFversion=\"3\">\(step)</ProcessList>".utf8),
      as: .commonLUT)
  }

  @Test(arguments: [
    (
      exponent("monCurveFwd"),
      [
        [-0.03869, -0.011607, 2.163044], [0, 0.010023, 0.787412], [0.001548, 0.011645, 0.748414],
        [0.033105, 0.033105, 0.447988], [0.787412, 0.263273, 0], [2.537155, 0.692071, -0.046428],
      ]
    ),
    (
      exponent("monCurveRev"),
      [
        [-6.461605, -1.938482, 1.158778], [0, 0.34919, 0.954687], [0.151704, 0.365565, 0.945277],
        [0.484529, 0.484529, 0.854306], [0.954687, 0.767376, 0], [1.194176, 0.930925, -7.753926],
      ]
    ),
    (
      exponent("monCurveMirrorFwd"),
      [
        [-0.214041, -0.019607, 2.163044], [0, 0.010023, 0.787412], [0.001548, 0.011645, 0.748414],
        [0.033105, 0.033105, 0.447988], [0.787412, 0.263273, 0], [2.537155, 0.692071, -0.318547],
      ]
    ),
    (
      exponent("monCurveMirrorRev"),
      [
        [-0.735357, -0.423583, 1.158778], [0, 0.34919, 0.954687], [0.151704, 0.365565, 0.945277],
        [0.484529, 0.484529, 0.854306], [0.954687, 0.767376, 0], [1.194176, 0.930925, -0.797738],
      ]
    ),
    (
      exponent(
        "monCurveFwd",
        "<ExponentParams channel=\"R\" exponent=\"2.4\" offset=\"0.055\"/>"
          + "<ExponentParams channel=\"B\" exponent=\"1\" offset=\"0.1\"/>"),
      [
        [-0.03869, -0.15, 1.272743], [0, 0.1, 0.818192], [0.001548, 0.11, 0.80001],
        [0.033105, 0.2, 0.636372], [0.787412, 0.55, 0], [2.537155, 0.85, -0.545461],
      ]
    ),
    (
      "<ASC_CDL style=\"Rev\">\(decisions)</ASC_CDL>",
      [
        [0, 0.033333, 1], [0, 0.083847, 1], [0, 0.091453, 1], [0.185452, 0.167714, 1],
        [0.791667, 0.541879, 0], [0.791667, 0.957055, 0],
      ]
    ),
    (
      "<ASC_CDL style=\"RevNoClamp\">\(decisions)</ASC_CDL>",
      [
        [-0.596726, -0.15119, 1.663948], [-0.090417, 0.083847, 1.259746],
        [-0.070164, 0.091453, 1.241093], [0.185452, 0.167714, 1.060073],
        [0.814095, 0.541879, -0.438232], [1.247989, 0.921068, -1.669732],
      ]
    ),
  ])
  func valuesAreThoseOfOpenColorIO(step: String, expected: [[Double]]) throws {
    let look = try look(step)
    for (x, expected) in zip(Self.inputs, expected) {
      let found = look([x, x * 0.5 + 0.1, 0.9 - x])
      for channel in 0..<3 {
        // OpenColorIO computes in single precision; its values are rounded to six decimals.
        let allowed = 4e-6 * max(1, abs(expected[channel]))
        #expect(abs(found[channel] - expected[channel]) <= allowed, "\(x): \(found)")
      }
    }
  }

  @Test(arguments: [
    (exponent("monCurve"), "the style monCurve of <Exponent> is not known"),
    (exponent("monCurveFwd", "<ExponentParams offset=\"0.1\"/>"), "this one is missing"),
    (
      exponent("monCurveFwd", "<ExponentParams exponent=\"2\" offset=\"0.95\"/>"),
      "the offset of an <ExponentParams> lies in 0.0…0.9; this one is “0.95”"
    ),
    ("<ASC_CDL style=\"Back\">\(decisions)</ASC_CDL>", "the style Back of <ASC_CDL> is not known"),
    (
      "<ASC_CDL style=\"Rev\"><SatNode><Saturation>0</Saturation></SatNode></ASC_CDL>",
      "has slopes and a saturation of 0.01 or more"
    ),
  ])
  func otherParametersAreRefused(step: String, sentence: String) {
    do {
      _ = try look(step)
      Issue.record("\(step) was read.")
    } catch {
      #expect("\(error)".contains(sentence), "\(error)")
    }
  }
}
