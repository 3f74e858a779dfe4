import ColorloomTool
import Foundation
import Testing
import _TestSupport

/// The tool through standard input and output: every name and number of the reference.
@Suite(SharedReference.whenPresent) struct ReferenceTests {
  private func json(_ file: String) throws -> [String: Any] {
    let folder = try #require(SharedReference.folder())
    let data = try Data(contentsOf: folder.appending(path: file))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Runs a command over rows, and compares its output with the expected numbers.
  private func check(
    _ words: [String], _ rows: [(input: [Double], expected: [Double])],
    _ isClose: ([Double?], [Double]) -> Bool
  ) {
    let input = rows.map { row in row.input.map { "\($0)" }.joined(separator: " ") }
    let transcript = run(words, input: input)
    guard transcript.output.count == rows.count, transcript.status == .done else {
      Issue.record("\(words): \(transcript.errors.first ?? "too few rows")")
      return
    }
    for (line, row) in zip(transcript.output, rows) {
      var numbers = line.split(separator: " ").map { Double($0) }
      // The reference states powerless hues of grays.
      if Set(row.input).count == 1 {
        for (index, expected) in row.expected.enumerated().prefix(numbers.count)
        where numbers[index] == nil && !expected.isNaN { numbers[index] = expected }
      }
      guard numbers.count == row.expected.count, isClose(numbers, row.expected) else {
        Issue.record("\(words) at \(row.input): \(line), not \(row.expected)")
        return
      }
    }
  }

  /// Whether all numbers agree within a tolerance, relative to 1 or the value.
  private func within(_ tolerance: Double) -> ([Double?], [Double]) -> Bool {
    { found, expected in
      zip(found, expected).allSatisfy { found, expected in
        abs((found ?? 0) - expected) <= tolerance * (1 + abs(expected))
      }
    }
  }

  @Test func primariesOfEverySpaceEqualTheReference() throws {
    let spaces = try #require(try json("rgb_spaces.json")["spaces"] as? [String: [String: Any]])
    for (name, space) in spaces {
      let matrix = try #require(space["rgb_to_xyz_d65_bradford"] as? [[Double]])
      let rows = [[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.5, 0.7]].map { light in
        (input: light, expected: matrix.map { zip($0, light).reduce(0) { $0 + $1.0 * $1.1 } })
      }
      // The matrices are exact; some products are not.
      check(["color", "--from", "\(name)-linear", "--to", "xyz-d65"], rows, within(1e-13))
    }
  }

  @Test func everyPairOfSpacesEqualsTheReference() throws {
    let rows = try #require(try json("rgb_space_pairs.json")["rows"] as? [[Any]])
    for row in rows {
      let names = try #require(Array(row[0...1]) as? [String])
      let numbers = try #require(Array(row[2...4]) as? [[Double]])
      let words = ["color", "--from", "\(names[0])-linear", "--to", "\(names[1])-linear"]
      // The documented error of the table.
      check(words, [(numbers[0], numbers[1])], within(1e-13))
      check(words + ["--intent", "absolute"], [(numbers[0], numbers[2])], within(1e-13))
    }
  }

  @Test func everyCurveEqualsTheReference() throws {
    let curves = try #require(try json("transfer.json")["curves"] as? [String: [String: Any]])
    for (name, curve) in curves {
      for direction in ["encode", "decode"] {
        // BT.1886 describes displays: the table has its inverse for a black level of 0 only. HLG's OOTF has rows of
        // colors.
        guard let rows = curve[direction] as? [[Double]],
          (name, direction) != ("bt1886-black0.001", "encode")
        else { continue }
        check(["curve", name, direction], rows.map { ([$0[0]], [$0[1]]) }, within(1e-12))
      }
    }
  }

  /// Polar coordinates: the index of the hue, of the distance from gray, and of the lightness.
  private static let polar: [String: (hue: Int, chroma: Int, lightness: Int)] = [
    "lch": (2, 1, 0), "lch-d65": (2, 1, 0), "lchuv": (2, 1, 0), "oklch": (2, 1, 0),
    "jzczhz": (2, 1, 0), "cam16-jmh": (2, 1, 0), "zcam-jmh": (2, 1, 0), "okhsl": (0, 1, 2),
    "okhsv": (0, 1, 2), "hsluv": (0, 1, 2), "hpluv": (0, 1, 2), "hsl": (0, 1, 2),
    "hsv": (0, 1, 2), "hct": (0, 1, 2),
  ]

  @Test func everyModelEqualsTheReference() throws {
    let samples = try #require(try json("perceptual.json")["samples"] as? [[String: Any]])
    let names = samples.reduce(into: Set<String>()) { $0.formUnion($1.keys) }
      .subtracting(["in", "xyz", "in_srgb_gamut"])
    var compared = 0
    for name in names {
      for source in ["srgb", "display-p3", "rec2020"] {
        let rows = try samples.compactMap { sample -> (input: [Double], expected: [Double])? in
          let input = try #require(sample["in"] as? [Any])
          // Outside of sRGB, and for negative linear values, programs differ in the models' definition.
          guard input[0] as? String == source, sample["in_srgb_gamut"] as? Bool == true,
            let values = sample[name] as? [Any]
          else { return nil }
          return (
            try #require(input[1] as? [Double]), values.map { $0 as? Double ?? .nan }
          )
        }
        compared += rows.count
        check(["color", "--from", source, "--to", name], rows, closeness(name))
      }
    }
    #expect(compared > 3000)
  }

  private func closeness(_ name: String) -> ([Double?], [Double]) -> Bool {
    if name == "hwb" {
      // The weight of a hue is the fraction that is neither white nor black.
      return { found, expected in
        guard expected[0].isNaN == (found[0] == nil) else { return false }
        let turn = expected[0].isNaN ? 0 : ((found[0] ?? 0) - expected[0]) * .pi / 180
        return abs(2 * sin(turn / 2) * (1 - expected[1] - expected[2])) <= 1e-9
          && within(1e-9)(Array(found[1...]), Array(expected[1...]))
      }
    }
    guard let polar = Self.polar[name] else {
      // Four digits of ProPhoto's primaries in the table, and its rounding near 0, which the root of Adobe RGB
      // amplifies.
      return within(["prophoto-rgb": 2e-5, "a98-rgb": 1e-7][name] ?? 1e-9)
    }
    return { found, expected in
      // Powerless hues are “none” here and NaN in the table.
      let isGray = expected[polar.hue].isNaN
      guard isGray == (found[polar.hue] == nil) else { return false }
      let chroma = expected[polar.chroma]
      let turn = ((found[polar.hue] ?? 0) - (isGray ? 0 : expected[polar.hue])) * .pi / 180
      let apart = [
        (found[polar.lightness] ?? 0) - expected[polar.lightness],
        (found[polar.chroma] ?? 0) - chroma,
        2 * sin(turn / 2) * chroma,
      ]
      return apart.allSatisfy { abs($0) <= 1e-9 * max(1, abs(expected[polar.lightness]), chroma) }
    }
  }

  @Test func foundingValuesAreReproduced() throws {
    let table = try json("seed_numbers.json")
    for (key, from, to) in [
      ("p3_to_srgb_linear_matrix", "display-p3-linear", "srgb-linear"),
      ("srgb_to_p3_linear_matrix", "srgb-linear", "display-p3-linear"),
    ] {
      let matrix = try #require(table[key] as? [[Double]])
      let rows = (0..<3).map { light in
        (input: (0..<3).map { $0 == light ? 1.0 : 0 }, expected: matrix.map { $0[light] })
      }
      // The documented error of the table is 10⁻¹⁴.
      check(["color", "--from", from, "--to", to], rows, within(1e-14))
    }
  }

  @Test func everyDifferenceEqualsTheReference() throws {
    let table = try json("deltae.json")
    let pairs = try #require(table["lab_pairs"] as? [[Double]])
    let formulas = ["76", "94", "94-textiles", "2000", "cmc", "cmc-1:1", "hyab"]
    for (index, formula) in formulas.enumerated() {
      check(
        ["deltae", "--space", "lab", "--formula", formula],
        pairs.map { (Array($0[..<6]), [$0[6 + index]]) }, within(1e-9))
    }
    let sharma = try #require(table["sharma"] as? [[Double]])
    check(["deltae", "--space", "lab"], sharma.map { (Array($0[..<6]), [$0[7]]) }, within(1e-9))
    let colors = try #require(table["color_pairs"] as? [[Any]])
    for (index, formula) in ["ok", "itp", "jz", "cam16", "2000", "hyab", "din99o"].enumerated() {
      for row in colors {
        let space = try #require(row[0] as? String)
        let numbers = try #require([row[1], row[2], row[5]] as? [[Double]])
        check(
          ["deltae", "--space", space, "--formula", formula],
          [(numbers[0] + numbers[1], [numbers[2][index]])], within(1e-9))
      }
    }
  }

  @Test func everyGamutMappingEqualsTheReference() throws {
    let rows = try #require(try json("gamut_mapping.json")["rows"] as? [[Any]])
    for row in rows {
      let space = try #require(row[0] as? String)
      // The table rounds ProPhoto's primaries to four digits, where CSS has six.
      if space == "prophoto-rgb" { continue }
      for (target, entry) in zip(["srgb", "display-p3"], row[3...]) {
        guard let results = entry as? [String: [Double]] else { continue }
        // The table's tolerances; ray tracing ends at small steps.
        let words = [("css", "css-chroma", 1e-9), ("raytrace", "raytrace-oklch", 1e-3)]
        for (word, name, tolerance) in words + [("clip", "clip", 1e-12)] {
          check(
            ["color", "--from", space, "--to", target, "--gamut", word],
            [(try #require(row[1] as? [Double]), try #require(results[name]))], within(tolerance))
        }
      }
    }
    let film = try #require(try json("aces_rgc13.json")["rows"] as? [[[Double]]])
    check(
      ["color", "--from", "acescg", "--to", "acescg", "--gamut", "compress"],
      film.map { ($0[0], $0[1]) }, within(1e-12))
  }
}
