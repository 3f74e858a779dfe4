import ColorSpaces
import ColorloomTool
import Foundation
import Testing
import _TestSupport

/// Rows of numbers: input, output, and rows that cannot be read.
@Suite struct RowTests {
  @Test func numbersArePrintedWithAllDigits() {
    let color = ColorPoint(1, 0, 0, in: .displayP3).converted(to: .sRGB).components
    let transcript = run("color", "--from", "p3", "--to", "sRGB", "1 0 0")
    #expect(transcript.output == ["\(color.x) \(color.y) \(color.z)"])
    #expect(transcript.errors.isEmpty)
  }

  @Test func commasAndBlanksSeparateNumbers() {
    let rows = ["0.5 0 0", ".5,0,0", " 0.5,\t0, -0.0 ", "0.5 none 0"]
    let transcript = run(["color", "--from", "p3", "--to", "p3"] + rows)
    #expect(transcript.output == ["0.5 0.0 0.0", "0.5 0.0 0.0", "0.5 0.0 -0.0", "0.5 0.0 0.0"])
  }

  @Test func cssColorsNameTheirOwnSpace() {
    #expect(run("color", "--from", "acescg", "--to", "sRGB", "#f00").output == ["1.0 0.0 0.0"])
  }

  /// As of gray profiles, a row of a gray space is one number.
  @Test func rowsOfGraySpacesAreOneNumber() {
    let gray = ColorPoint(1, 0, 0, in: .sRGB).converted(to: .sGray).components.x
    #expect(run("color", "--to", "sGray", "1 0 0").output == ["\(gray)"])
    let clipped = run("color", "--to", "sGray", "--gamut", "clip", "1 0 0").output
    #expect(
      clipped.count == 1 && clipped.first.flatMap(Double.init).map { abs($0 - gray) < 1e-9 } == true
    )
    let same = run("color", "--from", "sGray", "--to", "sGray", "0.2", "none", "0.2 0.9 0.4")
    #expect(same.output == ["0.2", "0.0"])
    #expect(same.complaint.contains("a color of sGray, 1 number or a CSS color"))
    #expect(run("color", "--from", "sGray", "--to", "sRGB", "1").output == ["1.0 1.0 1.0"])
    #expect(run("deltae", "--space", "sGray", "0.2 0.2").output == ["0.0"])
  }

  @Test func rowsAreInSRGBByDefault() {
    let transcript = run("color", "--to", "sRGB", "#f00", "0.25 0.5 0.75")
    #expect(transcript.output == ["1.0 0.0 0.0", "0.25 0.5 0.75"])
    #expect(transcript.status == .done && transcript.errors.isEmpty)
  }

  @Test func huesOfGrayAreNone() {
    let row = run("color", "--from", "p3", "--to", "oklch", "0.5 0.5 0.5").output.first
    #expect(row?.hasSuffix(" none") == true)
  }

  /// Grays of every space with a hue, printed and read again. The hue of white replaces `none`, and that of darker
  /// CAM16 grays differs by up to 0.02°, at a colorfulness of 2.
  @Test(arguments: ["cam16 jmh", "hct", "zcam jmh", "jzczhz", "oklch", "lch", "hsl", "okhsv"])
  func graysRoundTripWithoutTheirHue(space: String) throws {
    for level in ["0", "0.25", "0.5", "1"] {
      let gray = "\(level) \(level) \(level)"
      let row = try #require(run("color", "--from", "sRGB", "--to", space, gray).output.first)
      #expect(row.contains("none"), "\(gray) in \(space): \(row)")
      let back = try #require(run("color", "--from", space, "--to", "sRGB", row).output.first)
      for number in back.split(separator: " ") {
        #expect(abs((Double(number) ?? .nan) - (Double(level) ?? 0)) <= 2e-5, "\(back) in \(space)")
      }
    }
  }

  /// White prints as exact white from and to every space.
  @Test func whiteIsPrintedAsWhite() throws {
    for space in ColorSpace.all {
      let white = try #require(
        run("color", "--from", "sRGB", "--to", space.name, "1 1 1").output.first)
      let back = run("color", "--from", space.name, "--to", "sRGB", white).output.first
      // Models whose grays have a hue of their own print none for it, which is read as that of white.
      #expect(back == "1.0 1.0 1.0", "\(space): \(white)")
    }
  }

  /// Code points of H.273 and constants of Core Graphics are names.
  @Test(arguments: [
    ("12/13/0", "Display P3"), ("9/16/0/1", "rec2100-pq"), ("extendedSRGB", "sRGB"),
    ("itur_709", "Rec. 709"),
  ])
  func spacesHaveShortNames(name: String, space: String) {
    let rows = ["1 0.5 0", "0.2 0.4 0.8"]
    #expect(
      run(["color", "--from", name, "--to", "oklch"] + rows).output
        == run(["color", "--from", space, "--to", "oklch"] + rows).output)
    let refused = run("color", "--from", "3/99/0", "--to", "sRGB", "1 1 1")
    #expect(refused.errors.joined().contains("3/99/0"), "\(refused.errors)")
  }

  @Test func anyRGBSpaceHasALinearForm() {
    let light = TransferFunction.gamma(563.0 / 256).encode(0.5)
    #expect(
      run("color", "--from", "a98-rgb-linear", "--to", "Adobe RGB", "1 0 0.5").output
        == ["1.0 0.0 \(light)"])
  }

  @Test func valuesAreClampedOnlyOnRequest() throws {
    let red = "1 0 0"
    let free = run("color", "--from", "rec2020", "--to", "sRGB", red).output
    #expect(free.first?.contains("-") == true)
    let clipped = run("color", "--from", "rec2020", "--to", "sRGB", "--gamut", "clip", red).output
    #expect(clipped == ["1.0 0.0 0.0"])
    #expect(run("color", "--from", "rec2020", "--to", "sRGB", "--clamp", red).output == clipped)
    let mapped = GamutMapping.reducedChroma.map(ColorPoint(1, 0, 0, in: .rec2020), into: .sRGB)
      .components
    #expect(
      run("color", "--from", "rec2020", "--to", "sRGB", "--gamut", "css", red).output
        == ["\(mapped.x) \(mapped.y) \(mapped.z)"])
  }

  /// A space with a curve for each channel has the gamut 0…1, even if its primaries are X, Y and Z.
  @Test func spacesWithCurvesHaveAGamut() throws {
    let words = ["color", "--from", "Xtreme RGB", "--to", "Xtreme RGB", "--gamut", "clip"]
    let clipped = run(words + ["1.5 -0.2 0.5"])
    #expect(clipped.status == .done, "\(clipped.errors)")
    let numbers = try #require(clipped.output.first).split(separator: " ").compactMap { Double($0) }
    #expect(numbers.count == 3)
    for (number, expected) in zip(numbers, [1, 0, 0.5]) {
      #expect(abs(number - expected) < 1e-9, "\(numbers)")
    }
    let xyz = run("color", "--from", "sRGB", "--to", "xyz", "--gamut", "clip", "1 0 0")
    #expect(xyz.status == .misused)
    #expect(
      xyz.complaint.contains("needs a space with a curve for each channel or with RGB primaries"),
      "\(xyz.errors)")
  }

  @Test func unreadableRowsAreCountedAndSkipped() {
    let rows = ["1 1 1", "reddish", "1 2", "", "0 0 0"]
    for transcript in [
      run(["color", "--from", "p3", "--to", "p3"] + rows),
      run("color", "--from", "p3", "--to", "p3", input: rows),
      run("color", "--from", "p3", "--to", "p3", "-", input: rows),
    ] {
      #expect(transcript.output == ["1.0 1.0 1.0", "0.0 0.0 0.0"])
      #expect(transcript.errors.map { $0.prefix(6) } == ["row 2:", "row 3:", "row 4:"])
      #expect(transcript.status == .failed)
    }
  }

  /// A device link converts numbers of its device only.
  @Test func rowsOfDeviceLinksAreNumbers() {
    let link = Fixtures.url("Profiles/link-rgb-cmyk.icc").path
    let transcript = run("color", "--from", link, "red", "1 0 0")
    #expect(transcript.status == .failed && transcript.output.count == 1)
    #expect(transcript.complaint.contains("a device link, is 3 numbers, not a CSS color"))
    #expect(!transcript.complaint.contains("--to"))
  }

  /// Nothing of a row is dropped silently.
  @Test(arguments: [
    ("inf 0 0", "“inf” is no finite number"), ("0 nan 0", "“nan” is no finite number"),
    ("0 0 1e999", "“1e999” is no finite number"),
    ("1,,2,3", "comma"), ("1,2,3,", "comma"), (",1 2 3", "comma"), ("#ff00ff80", "alpha of 0.50"),
    ("color(display-p3 1 0 0 / 0.5)", "alpha of 0.5"), ("transparent", "alpha of 0"),
    ("rgb(1 2 3 / none)", "alpha of none"),
  ])
  func rowsOfMoreOrLessThanColorsAreRefused(row: String, reason: String) {
    let transcript = run("color", "--from", "sRGB", "--to", "oklch", row)
    #expect(transcript.output.isEmpty && transcript.status == .failed)
    #expect(transcript.errors.joined().contains(reason), "\(transcript.errors)")
    #expect(run("deltae", "\(row) \(row)").status == .failed)
  }

  /// Colors of infinite linear light, from which conversions, gamut mapping and differences would compute NaN or an arbitrary color.
  @Test(arguments: [
    ("p3/pq", "1.98 1.99 2"), ("lab", "1e200 0 0"), ("oklch", "0.5 1e200 30"), ("xyz", "nan 0 0"),
    ("sRGB", "1e300 0 0"), ("sRGB", "color(srgb 1e300 0 0)"),
  ])
  func rowsOfInfiniteLightAreRefused(space: String, row: String) {
    let reason = row.contains("nan") ? "“nan” is no finite number" : "has no finite linear light"
    for words in [
      ["color", "--from", space, "--to", "p3", row],
      ["color", "--from", space, "--to", "p3", "--gamut", "css", row],
      ["color", "--from", space, "--to", "p3", "--clamp", row],
      ["deltae", "--space", space, "\(row) red"], ["deltae", "--space", space, "red \(row)"],
    ] {
      let transcript = run(words)
      #expect(transcript.output.isEmpty && transcript.status == .failed, "\(words)")
      #expect(transcript.complaint.contains(reason), "\(transcript.errors)")
      #expect(run(words + ["--json"]).json == [#"{"rows":[null]}"#])
      let piped = run(words.dropLast() + ["--json"], input: [words[words.count - 1], "bad", ""])
      #expect(piped.json == [#"{"rows":[null,null,null]}"#])
    }
  }

  /// Profiles compute infinity or NaN from enormous numbers, also where the result is clamped.
  @Test(arguments: [[], ["--clamp"], ["--gamut", "clip"]])
  func numbersBeyondProfilesAreRefused(options: [String]) {
    let profile = Fixtures.url("Profiles/display-p3-v4.icc").path
    let words = ["color", "--from", profile, "--to", "sRGB", "--json"] + options
    let transcript = run(words + ["--", "1e308 1e308 1e308", "-1e308 0 1e308"])
    #expect(transcript.json == [#"{"rows":[null,null]}"#], "\(transcript.json)")
    #expect(transcript.complaint.contains("not finite"), "\(transcript.errors)")
    let press = Fixtures.url("Profiles/cmyk-mft2.icc").path
    let refused = run(["color", "--to", press, "color(xyz -1e308 1e308 1e308)"])
    #expect(refused.output.isEmpty && refused.status == .failed)
  }

  /// Numbers are in double precision, so that bright colors have finite ones.
  @Test func resultsAreFiniteOrRefused() throws {
    let bright = run("color", "--to", "oklch", "color(srgb-linear 1e300 0 0)")
    #expect(bright.status == .done, "\(bright.errors)")
    for (function, number) in [
      ("pq", "10"), ("Canon Log 3", "-1e3"), ("linear", "inf"), ("pq", "nan"),
    ] {
      let transcript = run("curve", function, "decode", number, "--json")
      #expect(transcript.json == [#"{"rows":[null]}"#] && transcript.status == .failed)
      #expect(transcript.complaint.contains("“\(number)” is "), "\(transcript.errors)")
      #expect(transcript.complaint.contains("finite"))
    }
  }

  /// Weights divide differences.
  @Test(arguments: [
    "cmc:0,0", "cmc:-1,1", "cmc:2,1e-300", "ciede2000:0,1,1", "cie94:0,0.045,0.015",
  ])
  func weightsAreAboveZero(formula: String) {
    let transcript = run("deltae", "--formula", formula, "red blue")
    #expect(transcript.status == .misused && transcript.output.isEmpty)
    #expect(transcript.complaint.contains("must lie in 0.001…1000; got "), "\(transcript.errors)")
  }

  /// Numbers with a sign are rows, not options.
  @Test func negativeNumbersAreRows() {
    #expect(run("curve", "linear", "encode", "-0.5", "-.5", "-1e3").output.count == 3)
    #expect(run("curve", "linear", "encode", "-x").status == .misused)
  }

  @Test func opaqueColorsMayStateTheirAlpha() {
    #expect(
      run("color", "--from", "sRGB", "--to", "sRGB", "#ff0000ff", "rgb(255 0 0 / 1)").output
        == ["1.0 0.0 0.0", "1.0 0.0 0.0"])
  }

  @Test func valuesAreEncodedAndDecoded() {
    #expect(
      run("curve", "slog3", "encode", "0.18", "1").output
        == ["\(TransferFunction.sLog3.encode(0.18))", "\(TransferFunction.sLog3.encode(1))"])
    #expect(
      run("curve", "gamma2.2", "decode", input: ["-0.5"]).output
        == ["\(TransferFunction.gamma(2.2).decode(-0.5))"])
    let transcript = run("curve", "slog3", "encode", "bright", "0.18 1", "0")
    #expect(transcript.output.count == 1)
    #expect(transcript.errors.count == 2)
    #expect(transcript.status == .failed)
  }

  /// Names are separated by semicolons, because one of them holds a comma.
  @Test func helpOfCurvesTellsNamesApart() {
    let help = run("curve", "--help").output.joined(separator: "\n").split { $0.isWhitespace }
      .joined(separator: " ")
    #expect(help.contains("sRGB; Rec. 709; Rec. 709, rounded; SMPTE 240M;"))
  }

  @Test func rowsOfTwoColorsGiveTheirDifference() {
    let pairs = [
      "50 2.6772 -79.7751 50 0 -82.7485", "lab(50 2.6772 -79.7751),lab(50 0 -82.7485)",
      "50, 2.6772, -79.7751 lab(50 0 -82.7485)", "red", "red blue green", "1 2 red",
    ]
    let transcript = run(["deltae", "--space", "lab"] + pairs)
    let expected = ColorDifference.ciede2000()([50, 2.6772, -79.7751], [50, 0, -82.7485])
    #expect(transcript.output == Array(repeating: "\(expected)", count: 3))
    #expect(transcript.errors.map { $0.prefix(6) } == ["row 4:", "row 5:", "row 6:"])
    let words = [
      "76": ColorDifference.cie76, "94": .cie94(), "94-textiles": .cie94(.textiles), "cmc": .cmc(),
      "cmc-1:1": .cmc(l: 1, c: 1), "ok": .ok, "itp": .itp, "jz": .jz, "hyab": .hyAB,
      "cam16": .cam16, "din99o": .din99o,
    ]
    let (red, blue) = (ColorPoint(1, 0, 0, in: .sRGB), ColorPoint(0, 0, 1, in: .sRGB))
    for (word, formula) in words {
      #expect(
        run("deltae", "--formula", word, "1 0 0 blue").output
          == ["\(formula(red, blue))"])
    }
  }
}
