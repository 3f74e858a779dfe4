import ColorSpaces
import FilterGraph
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// LUT and CDL files, against OpenColorIO.
@Suite struct LookFileTests {
  private struct CubeCases: Decodable {
    struct Case: Decodable {
      let file: String
      let linear, trilinear, tetrahedral: [[[Double]]]?
    }
    let cases: [Case]
  }

  @Test func cubeFilesEqualTheFixture() throws {
    let table = try Fixtures.json("Tables/cube_cases.json", as: CubeCases.self)
    #expect(table.cases.count == 6)
    for cube in table.cases { try check(cube, Fixtures.url("Looks/\(cube.file)").path) }
  }

  @Test(SharedReference.whenPresent) func cubeFilesEqualTheWholeReference() throws {
    let table = try #require(try SharedReference.json("cube_cases.json", as: CubeCases.self))
    let folder = try #require(SharedReference.folder())
    for cube in table.cases { try check(cube, folder.appending(path: cube.file).path) }
  }

  private func check(_ cube: CubeCases.Case, _ path: String) throws {
    let look = try Look(contentsOf: path)
    let kinds: [(ColorTable.Interpolation, [[[Double]]]?)] = [
      (.trilinear, cube.trilinear), (.tetrahedral, cube.tetrahedral), (.tetrahedral, cube.linear),
    ]
    var checked = 0
    for (interpolation, rows) in kinds {
      let interpolated = interpolating(look, interpolation)
      for row in rows ?? [] {
        checked += 1
        let color = interpolated(vector(row[0]))
        for channel in 0..<3 {
          // Values are floats, with six decimals in the file; they and their differences have weights that sum to 1.
          // The domain spans up to 64 steps.
          let expected = row[1][channel]
          #expect(abs(color[channel] - expected) <= 3e-7 * (1 + abs(expected)), "\(path) \(row[0])")
        }
      }
    }
    #expect(checked > 0)
  }

  private func interpolating(_ look: Look, _ interpolation: ColorTable.Interpolation) -> Look {
    var look = look
    look.steps = look.steps.map { step in
      guard case .table(var table) = step else { return step }
      table.interpolation = interpolation
      return .table(table)
    }
    return look
  }

  private struct Files: Decodable {
    struct Case: Decodable {
      let file, id: String
      let out: [[Double]]
    }
    let `in`: [[Double]]
    let cases: [Case]
  }

  @Test func filesOfAllFormatsEqualOpenColorIO() throws {
    let table = try Fixtures.json("Tables/look_files.json", as: Files.self)
    #expect(table.cases.count == 24)
    for file in table.cases {
      let look = try Look(
        contentsOf: Fixtures.url("Looks/\(file.file)").path, id: file.id.isEmpty ? nil : file.id)
      for (input, expected) in zip(table.in, file.out) {
        let color = look(vector(input))
        for channel in 0..<3 {
          // OpenColorIO computes in single precision, including positions in tables: the reference documents 3·10⁻⁵.
          let tolerance = 3e-5 * (1 + abs(expected[channel]))
          #expect(abs(color[channel] - expected[channel]) <= tolerance, "\(file.file) of \(input)")
        }
      }
    }
  }

  @Test func looksRoundTripThroughFiles() throws {
    let folder = try TemporaryFolder()
    let table = try ColorTable(size: 3, lowest: [-0.25, 0, 0], highest: [1, 2, 1.5]) {
      $0 * $0 / 3
    }
    let curve = SampledCurve([0, 0.1, 1 / 3, 1])
    let looks = [
      Look(table, title: "a look"), Look(table),
      Look(steps: [
        .curves(.sampled(curve), .sampled(curve), .sampled(SampledCurve([1, 0.5, 0, -1])))
      ]),
    ]
    for (index, look) in looks.enumerated() {
      let path = folder.path("look\(index).cube")
      try look.write(to: path)
      let read = try Look(contentsOf: path)
      #expect(read.title == look.title)
      #expect(read.steps.last == look.steps.last)
      #expect(read([0.3, 0.7, 0.9]) == look([0.3, 0.7, 0.9]))
    }
    let grade = Look(steps: [.decisions(try ColorDecisions(saturation: 2))])
    #expect(throws: LookFileError.self) { try grade.write(to: folder.path("grade.cube")) }
    #expect(throws: LookFileError.self) { try looks[0].write(to: folder.path("look.spi3d")) }
    #expect(throws: LookFileError.self) { try looks[0].write(to: folder.path("none/look.cube")) }
  }

  @Test func decisionsAndMatricesRoundTripThroughFiles() throws {
    let folder = try TemporaryFolder()
    let decisions = try ColorDecisions(
      slope: [1.1, 0.9, 1.05], offset: [0.1 / 3, -0.02, 0], power: [0.8, 1.2, 1], saturation: 0.7)
    let graded = Look(title: "warm & <dark> \"1\"", steps: [.decisions(decisions)])
    for ending in ["cc", "ccc", "cdl"] {
      try graded.write(to: folder.path("a.\(ending)"))
      #expect(try Look(contentsOf: folder.path("a.\(ending)")) == graded)
    }
    let matrix = ColorMatrix(rows: [0.7, 0.2, 0.1], [0.1 / 3, 1, -0.1], [0, 0.25, 0.8])
    let mixed = Look(steps: [
      .matrix(matrix), .affine(scale: .one, offset: [0.1, -1.0 / 3, 0]),
    ])
    try mixed.write(to: folder.path("a.spimtx"))
    #expect(try Look(contentsOf: folder.path("a.spimtx")) == mixed)
    // Steps that follow each other are one matrix.
    let scaled = Look(steps: [.affine(scale: [2, 4, 8], offset: [1, 2, 3])] + mixed.steps)
    try scaled.write(to: folder.path("b.spimtx"))
    let read = try Look(contentsOf: folder.path("b.spimtx"))
    guard case .matrix(let product) = read.steps[0], case .affine(.one, let offset) = read.steps[1]
    else {
      Issue.record("\(read)")
      return
    }
    #expect(product == matrix * ColorMatrix(diagonal: [2, 4, 8]))
    // Two roundings, of the division by 65,535 and of the sum.
    let expected = matrix * SIMD3<Double>(1, 2, 3) + [0.1, -1.0 / 3, 0]
    for channel in 0..<3 {
      #expect(abs(offset[channel] - expected[channel]) <= 4 * expected[channel].ulp)
    }
    let soft = try ColorDecisions(slope: [2, 1, 1], style: .unclamped)
    for (look, name) in [
      (mixed, "c.cdl"), (graded, "c.spimtx"), (Look(steps: [.decisions(soft)]), "c.cc"),
      (Look(steps: graded.steps + graded.steps), "c.ccc"),
    ] {
      #expect(throws: LookFileError.self) { try look.write(to: folder.path(name)) }
    }
  }

  /// References by name and by number, in attributes and in the text of elements (XML 1.0, 4.1).
  @Test func characterReferencesAreResolved() throws {
    let text = """
      <ColorCorrection id="&#x57;arm &amp; &#60;d&#228;rk&#x3E; &#x1F31E;">
      <SOPNode><Slope>1&#32;2&#9;3</Slope><Offset>0 0 0</Offset><Power>1 1 1</Power></SOPNode>
      </ColorCorrection>
      """
    let look = try Look(Array(text.utf8), as: .colorCorrection)
    #expect(look.title == "Warm & <därk> 🌞")
    #expect(look.steps == [.decisions(try ColorDecisions(slope: [1, 2, 3]))])
  }

  @Test func resolveShaperIsAppliedFirst() throws {
    let text = """
      # a curve and a table in one file
      LUT_1D_SIZE 2
      LUT_1D_INPUT_RANGE 0.0 2.0
      LUT_3D_SIZE 2
      0 0 0
      1 1 1
      0 0 0
      1 0 0
      0 1 0
      1 1 0
      0 0 1
      1 0 1
      0 1 1
      1 1 1
      """
    let look = try Look(Array(text.utf8), as: .cube)
    #expect(look.steps.count == 3)
    #expect(look([1, 0.5, 2]) == [0.5, 0.25, 1])
  }

  // MARK: Damaged files

  @Test func invalidFilesAreExplained() {
    let cases: [(LookFileFormat, String, String)] = [
      (.cube, "", "it states no LUT_1D_SIZE and no LUT_3D_SIZE"),
      (.cube, "LUT_3D_SIZE 2\n0 0 0\n", "8 rows of numbers should follow; there are 1"),
      (.cube, "LUT_3D_SIZE 999999999\n", "a whole number of 2 to 256 should stand here"),
      (
        .cube, "LUT_1D_SIZE 2\n0 0 0\n0 0 x\n",
        "Line 3 of “data” cannot be read: “x” is not a number"
      ),
      (.cube, "LUT_1D_SIZE 2\n0 0 0\n0 0 nan\n", "“nan” is not a number"),
      (.cube, "LUT_1D_SIZE 2\n0 0\n0 0 0\n", "3 numbers should stand here; there are 2"),
      (
        .cube, "LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0\n0 0 0\n1 1 1\n",
        "its domain ends at 1.0 1.0 1.0, not above its beginning at 1.0 0.0 0.0"
      ),
      (.cube, "LUT_4D_SIZE 2\n", "“LUT_4D_SIZE” is no word of the format"),
      (
        .cube, "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n2 2 2\n",
        "2 rows of numbers should follow; there are more"
      ),
      (.cube, "0 0 0\nLUT_1D_SIZE 2\n", "it states no LUT_1D_SIZE and no LUT_3D_SIZE"),
      (.cube, "LUT_1D_SIZE 2\n0 0 0\nLUT_3D_SIZE 2\n", "sizes should stand before the rows"),
      (.cube, "LUT_1D_SIZE 2\n0 0 0e\n", "Line 2 of “data” cannot be read: “0e” is not a number"),
      (.cube, "LUT_1D_SIZE 2\n0 0 0e0x 1\n", "“0e0x” is not a number"),
      // No format has hexadecimal numbers.
      (.cube, "LUT_1D_SIZE 2\n0x1p0 0 0\n", "“0x1p0” is not a number"),
      (.cube, "LUT_1D_SIZE 2\n" + String(repeating: "0 ", count: 30_000), "there are 30000"),
      (
        .cube, "LUT_1D_SIZE 2\n" + String(repeating: "0", count: 2_200_000),
        "it has more than 2097152 bytes"
      ),
      (.threeDL, "0 1 2 3\n", "it has no rows of three numbers"),
      (.threeDL, "0 1023\n" + rows("1 2 3", 9), "8 rows of numbers should follow; there are more"),
      (
        .spi1D, "Version 1\nLength 2\n{\n0\n1\n1\n}",
        "it states 2 rows of 1 or 3 numbers and has more"
      ),
      (.spi1D, "Version 1\n{\n0\n1\n}", "it states no rows of 1 or 3 numbers"),
      (.spiMatrix, rows("1 0 0 0", 1000), "a matrix of 3 × 4 has 12 numbers; it has 16"),
      (.threeDL, "0 900 1023 1024\n" + rows("1 2 3", 64), "not evenly spread"),
      (.spi1D, "Version 2\n", "only version 1"),
      (.spi1D, "Version 1\nFrom 1 0\nLength 2\nComponents 1\n{\n0\n1\n}", "its range ends"),
      (.spi1D, "Version 1\nLength 3\nComponents 1\n{\n0\n1\n}", "it states 3 rows"),
      (
        .spi3D, "SPILUT 1.0\n3 3\n2 2 2\n" + rows("0 0 0 1 1 1", 8),
        "7 of its 8 entries are missing"
      ),
      (.spi3D, "SPILUT 1.0\n3 3\n2 3 2\n0 0 0 1 1 1", "its sides are of different sizes"),
      (
        .spi3D, "SPILUT 1.0\n3 3\n2 2 2\n" + rows("0 0 2 1 1 1", 8), "a whole number of 0 to 1"
      ),
      (
        .spi3D, "SPILUT 1.0\n3 3\n2 2 2\n" + rows("0 0 0 1 1 1", 9),
        "8 rows of numbers should follow; there are more"
      ),
      (
        .spi3D, "SPILUT 1.0\n3 3\n256 256 256\n0 0 0 1 1 1",
        "16777216 rows of numbers should follow; there are fewer"
      ),
      (.cineSpace, "CSPLUTV100\n3D\n2\n0 1\n", "it ends too early"),
      (.cineSpace, "CSPLUTV100\n3D\n2\n1 0\n0 1\n2\n0 1\n0 1\n2\n0 1\n0 1\n", "do not rise"),
      (.colorCorrection, "", "its first element does not end"),
      (.colorCorrection, "<a><b></a>", "an element ends as “a” that has not begun so"),
      (.colorCorrection, "<!DOCTYPE a [<!ENTITY b \"c\">]><a/>", "a document type is not accepted"),
      (.colorCorrection, "<a>&b;</a>", "“&b;” is no character that is known"),
      (.colorCorrection, "<a>&#0;</a>", "“&#0;” is no character that is known"),
      (.colorCorrection, "<a>&#xD800;</a>", "“&#xD800;” is no character that is known"),
      (.colorCorrection, "<a>&#xFFFF;</a>", "“&#xFFFF;” is no character that is known"),
      (.colorCorrection, "<a>&#x110000;</a>", "is no character that is known"),
      (.colorCorrection, "<a>&#+65;</a>", "“&#+65;” is no character that is known"),
      (.colorCorrection, "<a>&#X41;</a>", "“&#X41;” is no character that is known"),
      (.colorCorrection, "<a>&#;</a>", "“&#;” is no character that is known"),
      (.colorCorrection, "<a b=c/>", "the value of “b” has no quotes"),
      (.colorCorrection, "<a b=\"c", "the value of “b” has no end"),
      (.colorCorrection, "<a b=\"1\"c=\"2\"/>", "there is no space before “c”"),
      (.colorCorrection, "<p:a></q:a>", "an element ends as “a” that has not begun so"),
      (
        .colorCorrection, "<a\(String(repeating: "b", count: 1000))/>",
        "a name has more than 1000 bytes"
      ),
      (.colorCorrection, rows("<a>", 100), "elements lie deeper than 32"),
      (.colorCorrection, "<!-- ", "“<!--” has no “-->”"),
      (
        .colorCorrection, "<a>" + String(repeating: "<b/>", count: 1 << 17),
        "there are more than 131072 elements and attributes"
      ),
      (.colorCorrection, "<ColorCorrections/>", "it holds no color decisions"),
      (
        .colorCorrection,
        "<ColorCorrection><SOPNode><Slope>1 1 1</Slope><Offset>0 0 0</Offset><Power>0 1 1</Power>"
          + "</SOPNode></ColorCorrection>",
        "The power of color decisions must lie in 0.1…10; got 0."
      ),
      (
        .colorCorrection, "<ColorCorrection><SOPNode><Slope>1</Slope></SOPNode></ColorCorrection>",
        "<Slope> has 1 numbers and should have 3"
      ),
      (.commonLUT, "<a/>", "it is no <ProcessList> but a <a>"),
      (.commonLUT, "<ProcessList><Log/></ProcessList>", "<Log> is not known"),
      (
        .commonLUT,
        "<ProcessList><Range><minInValue>0</minInValue><maxInValue>1</maxInValue><minOutValue>2"
          + "</minOutValue><maxOutValue>1</maxOutValue></Range></ProcessList>",
        "a <Range> ends before it begins"
      ),
      (.commonLUT, "<ProcessList><Matrix/></ProcessList>", "<Matrix> has no <Array>"),
      (
        .commonLUT, "<ProcessList><LUT3D><Array dim=\"2 2 2 3\">0 1</Array></LUT3D></ProcessList>",
        "has 2 numbers and should have 24"
      ),
      (.commonLUT, curves(" hueAdjust=\"dw4\"", ""), "the hueAdjust “dw4” is not known"),
      (.commonLUT, curves("", "<IndexMap>0@0</IndexMap>"), "an <IndexMap> of 1 pairs is not known"),
      (
        .commonLUT, curves("", "<IndexMap dim=\"3\">0@0 1@1</IndexMap>"),
        "an <IndexMap> is a list of pairs"
      ),
      (.commonLUT, curves("", "<IndexMap>0@0 x@1</IndexMap>"), "an <IndexMap> is a list of pairs"),
      (.commonLUT, curves("", "<IndexMap>1@0 0@1</IndexMap>"), "must rise from pair to pair"),
      (.commonLUT, curves("", "<IndexMap>0@1 1@1</IndexMap>"), "must rise from pair to pair"),
      (.commonLUT, curves("", "<IndexMap>0@0 1@9</IndexMap>"), "lie in 0…1"),
      (
        .commonLUT, curves("", "<IndexMap>0@0 1@1</IndexMap><IndexMap>0@0 1@1</IndexMap>"),
        "has 2 <IndexMap>"
      ),
      (
        .commonLUT, "<ProcessList><Matrix inBitDepth=\"9i\"/></ProcessList>", "unknown bit depth 9i"
      ),
    ]
    for (format, text, sentence) in cases {
      do {
        _ = try Look(Array(text.utf8), as: format)
        Issue.record("\(format) was read: \(text)")
      } catch {
        #expect("\(error)".contains(sentence), "\(format): \(error)")
      }
    }
  }

  /// A Common LUT Format file of curves with two entries.
  private func curves(_ attributes: String, _ content: String) -> String {
    "<ProcessList><LUT1D\(attributes)>\(content)<Array dim=\"2 1\">0 1</Array></LUT1D></ProcessList>"
  }

  /// OpenColorIO reads index maps of two pairs; the specification has any number, with linear interpolation, and one
  /// per channel.
  @Test func indexMapsOfManyPairsAreLinearBetweenThem() throws {
    let rows = (0...8).map { "\(Double($0 * $0) / 64)" }.joined(separator: " ")
    func look(_ maps: String) throws -> Look {
      try Look(
        Array(
          ("<ProcessList><LUT1D inBitDepth=\"10i\" outBitDepth=\"32f\">\(maps)<Array dim=\"9 1\">"
            + "\(rows)</Array></LUT1D></ProcessList>").utf8), as: .commonLUT)
    }
    let points: [(code: Double, index: Double)] = [
      (64, 0), (100, 1.5), (300, 2), (301, 5), (700, 5.25), (940, 8),
    ]
    let text = points.map { "\($0.code)@\($0.index)" }.joined(separator: " ")
    let mapped = try look("<IndexMap dim=\"6\">\(text)</IndexMap>")
    let plain = "<IndexMap dim=\"2\">0@0 1023@8</IndexMap>"
    let one = try look("<IndexMap dim=\"6\">\(text)</IndexMap>" + plain + plain)
    for code in stride(from: -50.0, through: 1100, by: 3.7) {
      let held = min(max(code, 64), 940)
      let next = points.firstIndex { $0.code >= held && $0.code > 64 } ?? 1
      let (a, b) = (points[next - 1], points[next])
      let index = a.index + (b.index - a.index) * (held - a.code) / (b.code - a.code)
      func entry(_ index: Double) -> Double {
        let first = min(Double(Int(index)), 7)
        let (low, high) = (first * first / 64, (first + 1) * (first + 1) / 64)
        return low + (high - low) * (index - first)
      }
      let even = min(max(code / 1023 * 8, 0), 8)
      // Five lines in sequence, with slopes up to 400, in double precision, and entries in single precision.
      let color = mapped(SIMD3(repeating: code / 1023))
      #expect(abs(color.x - entry(index)) <= 1e-7 && color.x == color.y && color.x == color.z)
      let channels = one(SIMD3(repeating: code / 1023))
      #expect(abs(channels.x - entry(index)) <= 1e-7 && abs(channels.y - entry(even)) <= 1e-7)
      #expect(channels.y == channels.z)
    }
  }

  /// Tables that are written and read in several parts are restored bit for bit.
  @Test func tablesOfManyPartsRoundTrip() throws {
    // 3 MB of text, and in optimized builds the largest table.
    #if DEBUG
      let size = 48
    #else
      let size = ColorTable.sizes.upperBound
    #endif
    let folder = try TemporaryFolder()
    let table = try ColorTable(size: size, lowest: [-0.5, 0, 0]) { $0 * $0 / 3 }
    let path = folder.path("large.cube")
    try Look(table, title: "large").write(to: path)
    #expect(try Look(contentsOf: path).steps == [.table(table)])
  }

  @Test func theLargestSizeIsAccepted() throws {
    let count = 256 * 256 * 256
    let header = Array("LUT_3D_SIZE 256\n".utf8)
    let bytes = header + Array(String(repeating: "0 1 .5\n", count: 1000).utf8)
    // Too few rows: all present ones are read, and the error states their number.
    #expect(
      throws: LookFileError.incomplete(
        file: "data", reason: "\(count) rows of numbers should follow; there are 1000")
    ) { try Look(bytes, as: .cube) }
    // One value more than the table has.
    #expect(throws: LookFileError.self) { try Look(Array("LUT_3D_SIZE 257\n".utf8), as: .cube) }
  }

  /// Every notation of a number parses as the nearest float.
  @Test func numbersParseAsTheNearestFloat() throws {
    var words = [
      "0", "-0", "+1", "1.", ".5", "-.25", "1e-3", "1E+2", "1e18", "123456789012345e-22", "0.1",
      "1234567890.12345", "-123456789012345678", "0.000000000000000000000000123", "1e-30",
      "-123456.654321e7", "1e-999", "1e-9223372036854775808", "-1e-9223372036854775809",
    ]
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      words.append("\(Double.random(in: -2...2, using: &random))")
      words.append("\(Float.random(in: 0...1, using: &random))")
      words.append("\(Float.random(in: 0...1e-6, using: &random))")
    }
    while words.count % 3 != 0 { words.append("1") }
    let rows = stride(from: 0, to: words.count, by: 3).map {
      words[$0..<$0 + 3].joined(separator: "\t")
    }
    let text = "LUT_1D_SIZE \(rows.count)\r\n" + rows.joined(separator: "\r\n")
    let look = try Look(Array(text.utf8), as: .cube)
    guard case .curves(.sampled(let red), .sampled(let green), .sampled(let blue)) = look.steps.last
    else {
      Issue.record("\(look.steps.count) steps")
      return
    }
    let read = red.values.indices.flatMap { [red.values[$0], green.values[$0], blue.values[$0]] }
    for (word, value) in zip(words, read) {
      let expected = try Float(#require(Double(word)))
      #expect(value == expected && value.sign == expected.sign, "\(word)")
    }
  }

  /// Editors write a byte-order mark, and lines that end in CR LF or CR. Lines lie on the ends of the parts that are read.
  @Test(arguments: ["\n", "\r\n", "\r"], [[], [0xEF, 0xBB, 0xBF]] as [[UInt8]])
  func everyLineEndIsRead(end: String, mark: [UInt8]) throws {
    let rows = (0..<9000).map { "\(Float($0) / 9000) 0.5 \($0 % 7)" }
    let lines = ["# a curve", "LUT_1D_SIZE 9000"] + rows
    let plain = try Look(Array(lines.joined(separator: "\n").utf8), as: .cube)
    for last in ["", end] {
      let bytes = mark + Array((lines.joined(separator: end) + last).utf8)
      #expect(try Look(bytes, as: .cube) == plain)
    }
    let wrong = mark + Array(["LUT_1D_SIZE 2", "1 1 1", "1 x 1"].joined(separator: end).utf8)
    let error = #expect(throws: LookFileError.self) { try Look(wrong, as: .cube) }
    #expect(error.map { "\($0)" }?.contains("3") == true)
    let matrix = ["1 0 0 0", "0 1 0 0", "0 0 1 0"]
    #expect(
      try Look(mark + Array(matrix.joined(separator: end).utf8), as: .spiMatrix)
        == Look(Array(matrix.joined(separator: "\n").utf8), as: .spiMatrix))
  }

  /// Prefixes of a file and changed bytes parse or throw.
  @Test(arguments: LookFileFormat.allCases) func damagedFilesThrow(format: LookFileFormat) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.url("Looks").path)
      .filter { $0.hasSuffix("." + format.rawValue) }.sorted()
    let name = try #require(names.first)
    let bytes = try Fixtures.bytes("Looks/\(name)")
    var random = SeededGenerator(seed: 5)
    for _ in 0..<60 {
      let end = Int.random(in: 0..<bytes.count, using: &random)
      _ = try? Look(Array(bytes[..<end]), as: format)
      var changed = bytes
      for _ in 0..<3 {
        changed[Int.random(in: 0..<bytes.count, using: &random)] =
          UInt8.random(in: 0...255, using: &random)
      }
      if let look = try? Look(changed, as: format) {
        // A file that parses can be applied.
        _ = look([0.2, 0.4, 0.6])
      }
    }
  }

  @Test func decisionsAreFoundByName() throws {
    let path = Fixtures.url("Looks/grades.ccc").path
    #expect(try Look(contentsOf: path).title == "warm")
    #expect(try Look(contentsOf: path, id: "cold").title == "cold")
    do {
      _ = try Look(contentsOf: path, id: "green")
      Issue.record("There are no such decisions.")
    } catch {
      #expect("\(error)".contains("no color decisions are called “green”; there are warm, cold"))
    }
  }

  @Test func extensionsSelectTheFormat() {
    for path in ["look.png", "look", ""] {
      #expect(throws: LookFileError.self) { try Look(contentsOf: path) }
    }
    #expect(throws: LookFileError.self) { try Look(contentsOf: "/nowhere/look.cube") }
  }

  private func rows(_ row: String, _ count: Int) -> String {
    Array(repeating: row, count: count).joined(separator: "\n")
  }

  private func vector(_ numbers: [Double]) -> SIMD3<Double> {
    [numbers[0], numbers[1], numbers[2]]
  }
}
