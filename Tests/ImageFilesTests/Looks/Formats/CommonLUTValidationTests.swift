import ColorSpaces
import FilterGraph
import ImageFiles
import Testing

/// Files of the Common LUT Format that OpenColorIO 2.6 refuses, and their valid neighbors.
@Suite struct CommonLUTValidationTests {
  private static let nine = "1 0 0 0 1 0 0 0 1"
  private static let twelve = "1 0 0 0 0 1 0 0 0 0 1 0"

  private static func matrix(
    _ dimensions: String, _ numbers: String = nine, _ attributes: String = ""
  ) -> String {
    "<Matrix \(attributes)><Array dim=\"\(dimensions)\">\(numbers)</Array></Matrix>"
  }

  private static func curve(_ dimensions: String) -> String {
    "<LUT1D><Array dim=\"\(dimensions)\">0 1</Array></LUT1D>"
  }

  private static func exponent(_ style: String, _ offset: String) -> String {
    "<Exponent style=\"\(style)\"><ExponentParams exponent=\"2\" offset=\"\(offset)\"/></Exponent>"
  }

  private static func log(_ style: String, _ parameters: String) -> String {
    "<Log style=\"\(style)\"><LogParams logSideSlope=\"0.5\" \(parameters)/></Log>"
  }

  private static func range(_ values: [(String, Double)], _ attributes: String = "") -> String {
    let elements = values.map { "<\($0)Value>\($1)</\($0)Value>" }.joined()
    return "<Range \(attributes)>\(elements)</Range>"
  }

  private static func depths(_ input: String, _ output: String) -> String {
    "inBitDepth=\"\(input)\" outBitDepth=\"\(output)\""
  }

  private func look(_ steps: String, _ attributes: String = "") throws -> Look {
    try Look(Array("<ProcessList \(attributes)>\(steps)</ProcessList>".utf8), as: .commonLUT)
  }

  private func expectRefusal(_ sentence: String, _ body: () throws -> Look) {
    do {
      _ = try body()
      Issue.record("It was read; expected: \(sentence)")
    } catch {
      #expect(error is LookFileError && "\(error)".contains(sentence), "\(error)")
    }
  }

  private static let invalidSteps: [(String, String)] = [
    (
      matrix("3 3 3 4 5 6 7 8 9 0"),
      "the array of <Matrix> has 2 dimensions; its dim is “3 3 3 4 5 6 7 8 9 0”"
    ),
    (matrix("3 3 3 3"), "the array of <Matrix> has 2 dimensions"),
    (matrix("3 x"), "the array of <Matrix> has 2 dimensions; its dim is “3 x”"),
    (matrix("3 3 7"), "an array of 3 × 3 × 7 in <Matrix> is not known"),
    (matrix("3 4 4", twelve), "an array of 3 × 4 × 4 in <Matrix> is not known"),
    (curve("2 1 1"), "the array of <LUT1D> has 2 dimensions"),
    (curve("2 2"), "an array of 2 × 2 in <LUT1D> is not known"),
    (curve("1048577 1"), "<LUT1D> has 1048577 entries; 2 to 1048576 can be read"),
    ("<LUT1D><Array>0 1</Array></LUT1D>", "the array of <LUT1D> states no dimensions"),
    ("<LUT3D><Array dim=\"2 2 2 3 1\">0</Array></LUT3D>", "the array of <LUT3D> has 4 dimensions"),
    ("<LUT3D><Array dim=\"2 2 3 3\">0</Array></LUT3D>", "an array of 2 × 2 × 3 × 3 in <LUT3D>"),
    (
      matrix("3 3", nine, depths("32f", "16f")) + matrix("3 3", nine, depths("32f", "32f")),
      "<Matrix> has the inBitDepth 32f, but <Matrix> before it the outBitDepth 16f"
    ),
    // A step that is bypassed has bit depths, too.
    (
      matrix("3 3", nine, depths("32f", "8i"))
        + matrix("3 3", nine, depths("16f", "16f") + " bypass=\"true\""),
      "<Matrix> has the inBitDepth 16f"
    ),
    (
      "<ASC_CDL><SOPNode><Offset>0 0 0</Offset><Power>1 1 1</Power></SOPNode></ASC_CDL>",
      "<SOPNode> has no <Slope>"
    ),
    (
      "<ASC_CDL><SOPNode><Slope>1 1 1</Slope><Power>1 1 1</Power></SOPNode></ASC_CDL>",
      "<SOPNode> has no <Offset>"
    ),
    (
      "<ASC_CDL><SOPNode><Slope>1 1 1</Slope><Offset>0 0 0</Offset></SOPNode></ASC_CDL>",
      "<SOPNode> has no <Power>"
    ),
    (exponent("basicFwd", "0"), "an <ExponentParams> has an offset"),
    (exponent("basicMirrorRev", "0.1"), "an <ExponentParams> has an offset"),
    (log("linToLog", "linSideBreak=\"0.01\""), "a <LogParams> has a linSideBreak"),
    (log("logToLin", "linearSlope=\"1.2\""), "a <LogParams> has a linearSlope"),
    (log("linToLog", "channel=\"Q\""), "the channel “Q” of <LogParams> is not known"),
    (
      "<Exponent style=\"basicFwd\"><ExponentParams exponent=\"2\" channel=\"X\"/></Exponent>",
      "the channel “X” of <ExponentParams> is not known; it is R, G or B"
    ),
    (
      "<LUT1D><IndexMap>0@0 1e300@1</IndexMap><Array dim=\"2 1\">0 1</Array></LUT1D>",
      "an <IndexMap> is a list of pairs"
    ),
    (
      range([("minIn", 0), ("maxIn", 1e-30), ("minOut", 0), ("maxOut", 1)]),
      "a <Range> ends before it begins, or is narrower than 1e-6"
    ),
    (range([("minIn", 0)]), "one of a pair is missing"),
    (range([("minIn", 0), ("maxOut", 1)]), "one of a pair is missing"),
    (range([("minIn", 0), ("minOut", 0), ("maxOut", 1)]), "one of a pair is missing"),
    (range([("minIn", 0), ("minOut", 0)], "style=\"noClamp\""), "style noClamp states all four"),
    (range([("minIn", 0), ("minOut", 0.5)]), "a <Range> of one limit clamps only"),
    (range([("maxIn", 1), ("maxOut", 0.5)]), "these are 1.0 and 0.5"),
    (
      range([("minIn", 256), ("minOut", 256)], depths("10i", "16i")),
      "a <Range> of one limit clamps only"
    ),
    (range([]), "a <Range> states no pair of values"),
    ("<Signature/>", "<Signature> is not known"),
  ]

  @Test(arguments: invalidSteps)
  func invalidStepsAreRefused(steps: String, sentence: String) {
    expectRefusal(sentence) { try look(steps) }
  }

  private static let validSteps: [(String, SIMD3<Double>)] = [
    (matrix("3 3 3"), [-0.5, 0.25, 2]),
    (matrix(" 3  4 3  ", twelve), [-0.5, 0.25, 2]),
    (
      matrix("3 3", "1023 0 0 0 1023 0 0 0 1023", depths("32f", "10i"))
        + matrix("3 3", nine, depths("10i", "8i") + " bypass=\"true\"")
        + matrix("3 3", "2 0 0 0 2 0 0 0 2", depths("8i", "8i")),
      [-1, 0.5, 4]
    ),
    ("<ASC_CDL><SatNode/></ASC_CDL>", [0, 0.25, 1]),
    (range([("minIn", 0.1), ("minOut", 0.1)]), [0.1, 0.25, 2]),
    (range([("maxIn", 0.5), ("maxOut", 0.5)], "style=\"Clamp\""), [-0.5, 0.25, 0.5]),
    (
      range(
        [("minIn", 0), ("maxIn", 1), ("minOut", 0), ("maxOut", 2)], "style=\"noclamp\""),
      [-1, 0.5, 4]
    ),
    // 256 of 1023 is 16399.8 of 65535, rounded to one decimal.
    (range([("maxIn", 256), ("maxOut", 16_399.8)], depths("10i", "16i")), [-0.5, 0.25, 0.250245]),
  ]

  @Test(arguments: validSteps)
  func validNeighborsAreRead(steps: String, expected: SIMD3<Double>) throws {
    let color = try look(steps)([-0.5, 0.25, 2])
    for channel in 0..<3 { #expect(abs(color[channel] - expected[channel]) <= 1e-6, "\(color)") }
  }

  @Test(arguments: ["1.2", "2", "2.0", "3", "3.0", "3.0.0", "ST2136-1:2024"])
  func knownVersionsAreRead(version: String) throws {
    let look = try look(Self.matrix("3 3"), "compCLFversion=\"\(version)\"")
    #expect(look([0.1, 0.2, 0.3]) == [0.1, 0.2, 0.3])
  }

  @Test(arguments: ["9.7", "3.1", "3.0.1", "4", "three", "3.", "", "3.0.0.0", "ST2136-1:2025"])
  func otherVersionsAreRefused(version: String) {
    expectRefusal("its compCLFversion is “\(version)”; versions up to 3.0 and ST2136-1:2024") {
      try look(Self.matrix("3 3"), "compCLFversion=\"\(version)\"")
    }
  }

  /// SMPTE ST 2136-1:2024 has the identifier in an element, and prefixes may stand before names.
  @Test func filesOfSMPTEAreRead() throws {
    let text = """
      <clf:ProcessList xmlns:clf="http://www.smpte-ra.org/ns/2136-1/2024"
        xmlns:other="urn:other" compCLFversion="ST2136-1:2024">
      <clf:Id>urn:uuid:a8f91bfa-b79f-5d4d-b750-a411c476bb47</clf:Id>
      <clf:Info><other:Profile><other:Name>x</other:Name></other:Profile></clf:Info>
      <clf:Matrix><clf:Array dim="3 3">2 0 0 0 2 0 0 0 2</clf:Array></clf:Matrix>
      </clf:ProcessList>
      """
    let look = try Look(Array(text.utf8), as: .commonLUT)
    #expect(look.title == "urn:uuid:a8f91bfa-b79f-5d4d-b750-a411c476bb47")
    #expect(look([0.1, 0.2, 0.3]) == [0.2, 0.4, 0.6])
  }

  /// Curves of more entries than 16-bit codes, in each format that has curves.
  @Test(arguments: [
    (
      LookFileFormat.commonLUT, "<ProcessList><LUT1D><Array dim=\"131072 1\">",
      "</Array></LUT1D></ProcessList>"
    ),
    (.spi1D, "Version 1\nLength 131072\nComponents 1\n{\n", "}\n"),
    (.cube, "LUT_1D_SIZE 131072\n", ""),
  ])
  func longCurvesAreRead(format: LookFileFormat, header: String, footer: String) throws {
    let count = 131_072
    let repeats = format == .cube ? 3 : 1
    let rows = (0..<count).map { index in
      Array(repeating: "\(index * index % 1021)", count: repeats).joined(separator: " ") + "\n"
    }
    let look = try Look(Array((header + rows.joined() + footer).utf8), as: format)
    for index in [0, 1, 65_535, 65_536, 100_003, count - 1] {
      let value = look(SIMD3(repeating: Double(index) / Double(count - 1)))
      // Positions of double precision are off by less than 1e-10, and values differ by up to 1020.
      #expect(abs(value.x - Double(index * index % 1021)) < 1e-6 && value.x == value.z, "\(index)")
    }
  }
}
