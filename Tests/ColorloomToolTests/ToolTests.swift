import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The command line: its results and its exit status.
@Suite struct ToolTests {
  private static let red = "0,0 .38,.07 .63,.24 .78,.49 1,1"
  private static let green = "0,0 .67,.07 .85,.19 .92,.39 1,.90"
  private static let blue = "0,0 .69,.06 .90,.20 .96,.44 1,.92"

  /// A whole session: from a 16-bit Display P3 file, through every kind of step, to an sRGB file.
  @Test func everyKindOfStepRunsEndToEnd() throws {
    let folder = try TemporaryFolder()
    let source = try sourcePicture(in: folder)
    let output = folder.path("out.png")
    let status = run([
      "convert", folder.path("source.png"), output, "--invert", "--curves", Self.red, Self.green,
      Self.blue, "--exposure", "0.5", "--fit", "64x64", "--to", "sRGB",
    ]).status
    #expect(status == .done)
    guard case .uint16(let result) = try ImageFile.read(output) else {
      Issue.record("The file has no 16-bit samples.")
      return
    }
    #expect(result.space == .sRGB)
    let picture = Picture(source).inverted()
      .toneCurves(red: FilmCurves.red, green: FilmCurves.green, blue: FilmCurves.blue)
      .exposure(0.5).resized(to: .fit(64, 64)).converted(to: .sRGB)
    #expect(try result == picture.render())
    let reference = try ReferenceEvaluator().render(picture)
    for y in 0..<result.size.height {
      for x in 0..<result.size.width {
        for channel in 0..<3 {
          let expected = min(max(reference[x, y][channel], 0), 1) * 65535
          // Half a code for rounding, and the chain's error of 4·10⁻⁵ (see the law of tone curves).
          #expect(abs(Double(result[x, y, channel]) - expected) <= 0.5 + 4e-5 * 65535)
        }
      }
    }
  }

  @Test func developsTheShippedNegative() throws {
    let folder = try TemporaryFolder()
    let output = folder.path("print.png")
    #expect(run(["develop", Fixtures.url("negative.png").path, output]).status == .done)
    let print = try ImageFile.read(output)
    #expect(print.size == PixelSize(720, 480))
    #expect(print.space == .displayP3)
  }

  @Test func stepsHappenInTheirOrder() throws {
    let folder = try TemporaryFolder()
    let source = try sourcePicture(in: folder)
    let input = folder.path("source.png")
    let (first, second) = (folder.path("1.png"), folder.path("2.png"))
    #expect(run(["convert", input, first, "--invert", "--exposure", "-1"]).status == .done)
    #expect(run(["convert", input, second, "--exposure", "-1", "--invert"]).status == .done)
    guard case .uint16(let darkNegative) = try ImageFile.read(first),
      case .uint16(let negativeOfDark) = try ImageFile.read(second)
    else {
      Issue.record("The files have no 16-bit samples.")
      return
    }
    #expect(try darkNegative == Picture(source).inverted().exposure(-1).render())
    #expect(try negativeOfDark == Picture(source).exposure(-1).inverted().render())
    #expect(darkNegative != negativeOfDark)
  }

  /// A curve is a natural spline by default, or the interpolation named before its points.
  @Test func curvesSelectTheirInterpolation() throws {
    let folder = try TemporaryFolder()
    let source = try sourcePicture(in: folder)
    let input = folder.path("source.png")
    for interpolation in CubicCurve.Interpolation.allCases {
      let output = folder.path("\(interpolation.rawValue).png")
      let points = "\(interpolation.rawValue) 0,0 .25,.2 .5,.8 1,1"
      #expect(run(["convert", input, output, "--curve", points]).status == .done)
      let curve = try CubicCurve(
        through: [[0, 0], [0.25, 0.2], [0.5, 0.8], [1, 1]], interpolation: interpolation)
      guard case .uint16(let curved) = try ImageFile.read(output) else {
        Issue.record("The file has no 16-bit samples.")
        return
      }
      #expect(try curved == Picture(source).toneCurve(curve).render())
    }
  }

  @Test(arguments: [
    ["bogus"], ["convert", "only-one.png"], ["convert", "a.png", "b.png", "c.png"],
    ["convert", "a.png", "b.png", "--bogus"], ["convert", "a.png", "b.png", "--fit"],
    ["convert", "a.png", "b.png", "--fit", "big"], ["convert", "a.png", "b.png", "--fit", "0x0"],
    ["convert", "a.png", "b.png", "--to", "Display P4"],
    ["convert", "a.png", "b.png", "--curve", "0,0 .5,.5 .4,.6 .8,.8 1,1"],
    ["convert", "a.png", "b.png", "--curve", "0,0 1"],
    ["convert", "a.png", "b.png", "--curve", "0,0 1e-30,1 1,1"],
    ["convert", "a.png", "b.png", "--curve", "wavy 0,0 1,1"],
    ["convert", "a.png", "b.png", "--samples", "u9"],
    ["convert", "a.png", "b.png", "--exposure", "nan"],
    ["convert", "a.png", "b.png", "--film-base", "1,1,1"], ["info"],
    ["develop", "a.png", "b.png", "--film-base", "1,1"], ["spaces", "all"],
    ["develop", "a.png", "b.png", "--film-base", "0,0,0"], ["-x"],
    ["develop", "a.png", "b.png", "--film-white", "0.1,0.1,-0.1"],
    ["color", "--from", "p3"], ["color", "--from", "p3", "--to", "nowhere", "1 0 0"],
    ["color", "--from", "p3", "--to", "oklch", "--gamut", "css", "1 0 0"],
    ["curve", "slog9", "encode", "1"], ["curve", "slog3", "bend", "1"], ["curve", "lab", "encode"],
    ["convert", "a.png", "b.png", "--invert=yes"], ["--threads", "0", "spaces"], ["--bogus"],
    ["--threads", "2147483648", "spaces"], ["--tile", "9223372036854775807", "spaces"],
    ["convert", "a.png", "b.png", "--fit", "9223372036854775807"],
    ["convert", "a.png", "b.png", "--resize", "1x2147483648"],
    ["convert", "a.png", "b.jpg", "--quality", "101"],
    ["develop", "a.png", "b.png", "--film-base-region", "0,0,2147483648,1"],
    ["develop", "a.png", "b.png", "--film-base-region", "-9223372036854775808,0,1,1"],
  ])
  func misuseIsTwo(words: [String]) { #expect(run(words).status == .misused) }

  @Test func absurdSizesAreMisuseAndLeaveNoFile() throws {
    let folder = try TemporaryFolder()
    _ = try sourcePicture(in: folder)
    let output = folder.path("huge.png")
    let words = ["convert", folder.path("source.png"), output, "--resize", "50000x30000"]
    #expect(run(words).status == .misused)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func failureHasStatusOneAndLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    _ = try sourcePicture(in: folder)
    let whole = try Data(contentsOf: URL(filePath: folder.path("source.png")))
    try whole.prefix(whole.count / 2).write(to: URL(filePath: folder.path("half.png")))
    try Data("GIF89a, not a PNG".utf8).write(to: URL(filePath: folder.path("not.png")))
    for input in ["missing.png", "half.png", "not.png", "."] {
      let output = folder.path("out.png")
      #expect(run(["convert", folder.path(input), output]).status == .failed, "\(input)")
      #expect(!FileManager.default.fileExists(atPath: output))
    }
    #expect(
      run(["convert", folder.path("source.png"), folder.path("no/such/folder.png")]).status
        == .failed)
    // A picture of one tone is no negative.
    let flat = Bitmap<UInt8>(PixelSize(9, 9), in: .sRGB, channels: .rgb) { _, _ in [90, 90, 90] }
    try ImageFile.write(.uint8(flat), to: folder.path("flat.png"))
    #expect(run(["develop", folder.path("flat.png"), folder.path("print.png")]).status == .failed)
  }

  #if RAW
    @Test func theVersionNamesFormatsThatAreOnlyRead() {
      #expect(run("--version").output.first?.contains("camera raw") == true)
    }
  #endif

  @Test func helpAndVersionArePrinted() throws {
    let folder = try TemporaryFolder()
    _ = try sourcePicture(in: folder)
    let info = run("info", folder.path("source.png"))
    #expect(
      info.output == [
        "\(folder.path("source.png")): 90 × 70 pixels, rgb, uint16, Display P3 by its code points (H.273)"
      ])
    let plan = run("convert", folder.path("source.png"), "--plan", "--invert")
    #expect(plan.output.joined().contains("read 90 × 70 uint16 rgb in Display P3, row by row"))
  }

  private func sourcePicture(in folder: TemporaryFolder) throws -> Bitmap<UInt16> {
    let source = TestPictures.codes(
      as: UInt16.self, PixelSize(90, 70), in: .displayP3, channels: .rgb)
    try ImageFile.write(.uint16(source), to: folder.path("source.png"))
    return source
  }
}
