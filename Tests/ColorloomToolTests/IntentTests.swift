import Colorloom
import ColorloomTool
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Rendering intents of `convert` through profiles.
@Suite struct IntentTests {
  private let folder: TemporaryFolder
  private let printer: ICCProfile

  init() throws {
    folder = try TemporaryFolder()
    printer = try ICCProfile(bytes: Self.table(channels: 3).bytes)
    try Data(printer.bytes).write(to: URL(filePath: folder.path("printer.icc")))
    let codes = TestPictures.codes(
      as: UInt16.self, PixelSize(16, 12), in: .displayP3, channels: .rgb)
    try ImageFile.write(.uint16(codes), to: folder.path("in.png"))
  }

  /// A profile with different perceptual and relative tables, whose perceptual black is a gray for three channels.
  private static func table(channels: Int) -> ParsedProfile {
    var profile = TableProfile.profile(
      .mft2, space: channels == 3 ? "RGB " : "CMYK", channels: channels, version: 2)
    profile.tags["A2B0"] = TableProfile.table(.mft2, "mAB ", inputs: channels, outputs: 3, grid: 3)
    { color in [1 - color[0] * 0.5 - color[1] * 0.3, 0.4 + 0.2 * color[2], 0.5] }
    profile.tags["B2A0"] = TableProfile.table(.mft2, "mBA ", inputs: 3, outputs: channels, grid: 3)
    { color in (0..<channels).map { (1 - color[0]) * (1 - 0.1 * Double($0)) * color[1] } }
    if channels == 3 {
      profile.tags["A2B1"] = TableProfile.table(.mft2, "mAB ", inputs: 3, outputs: 3, grid: 3) {
        [0.15 + $0.reduce(0, +) * 0.27, 0.5 + 0.1 * ($0[0] - $0[1]), 0.5 + 0.1 * ($0[1] - $0[2])]
      }
      profile.tags["B2A1"] = TableProfile.table(.mft2, "mBA ", inputs: 3, outputs: 3, grid: 9) {
        let light = min(max(($0[0] - 0.15) / 0.81, 0), 1)
        return [light * 0.9 + 0.1 * $0[1], light, light * 0.9 + 0.1 * $0[2]]
      }
    }
    return profile
  }

  private func convert(_ input: String, _ output: String, _ words: [String]) -> Transcript {
    run(
      ["convert", folder.path(input), folder.path(output)]
        + words.map { $0.hasSuffix(".icc") ? folder.path($0) : $0 })
  }

  /// The tolerance is one 16-bit step, for rounding through single precision.
  private func expectSame(
    _ result: Bitmap<UInt16>, _ source: Bitmap<UInt16>, through transform: ICCTransform,
    _ comment: Comment
  ) {
    for y in 0..<source.size.height {
      for x in 0..<source.size.width {
        let exact = transform((0..<3).map { Double(source[x, y, $0]) / 65_535 })
        for channel in 0..<3 {
          let code = (min(max(exact[channel], 0), 1) * 65_535).rounded()
          #expect(abs(Double(result[x, y, channel]) - code) <= 1, comment)
        }
      }
    }
  }

  static let intents: KeyValuePairs<String, RenderingIntent> = [
    "perceptual": .perceptual, "relative": .relativeColorimetric, "saturation": .saturation,
    "absolute": .absoluteColorimetric,
  ]

  @Test func everyIntentUsesItsTables() throws {
    let source = try folder.bitmap("in.png")
    var results: [Bitmap<UInt16>] = []
    for (word, intent) in Self.intents {
      for bpc in [false, true] where !bpc || intent != .absoluteColorimetric {
        let words = ["--intent", word] + (bpc ? ["--bpc"] : [])
        let comment: Comment = "\(words)"
        #expect(
          convert("in.png", "out.png", ["--to", "printer.icc"] + words).status == .done, comment)
        let printed = try folder.bitmap("out.png")
        expectSame(
          printed, source,
          through: try ICCTransform(
            from: .space(.displayP3), to: .profile(printer), intent: intent,
            blackPointCompensation: bpc), comment)
        #expect(convert("out.png", "back.png", ["--to", "p3"] + words).status == .done, comment)
        expectSame(
          try folder.bitmap("back.png"), printed,
          through: try ICCTransform(
            from: .profile(printer), to: .space(.displayP3), intent: intent,
            blackPointCompensation: bpc), comment)
        results.append(printed)
      }
    }
    #expect(results[0] != results[2], "The perceptual tables are others.")
    #expect(results[2] != results[3], "The printer's black is no black.")
  }

  @Test func cmykIsReadByTheIntent() throws {
    let profile = try ICCProfile(bytes: Self.table(channels: 4).bytes)
    var tiff = TestTIFF(width: 9, height: 7, bits: 8, samplesPerPixel: 4, kind: 5) {
      x, y, channel in
      [x * 28, y * 36, x * y, 255 - x * 20][channel]
    }
    tiff.blobs[34_675] = profile.bytes
    try Data(tiff.bytes).write(to: URL(filePath: folder.path("in.tif")))
    let words = ["--to", "rec2020", "--samples", "float", "--format", "tiff"]
    for (word, intent) in Self.intents {
      let asked = ["--intent", word]
      #expect(convert("in.tif", "out.tif", words + asked).status == .done, "\(word)")
      guard case .float32(let light) = try ImageFile.read(folder.path("out.tif")) else {
        Issue.record("The file has no floats.")
        return
      }
      let transform = try ICCTransform(
        from: .profile(profile), to: .space(.rec2020), intent: intent)
      for (x, y) in [(0, 0), (3, 4), (8, 6)] {
        let exact = transform((0..<4).map { Double(tiff.sample(x, y, $0)) / 255 })
        for channel in 0..<3 {
          // Through ProPhoto RGB in single precision: a few rounding errors.
          #expect(abs(Double(light[x, y, channel]) - exact[channel]) < 2e-5, "\(word)")
        }
      }
    }
    // Without --to, CMYK is still converted to RGB.
    #expect(convert("in.tif", "out.tif", ["--intent", "perceptual"]).status == .done)
  }

  /// `run` reads ink channels by --intent, with --to and without, as `convert --recipe` does.
  @Test(arguments: [[], ["--to", "sRGB"]]) func runReadsCMYKByTheIntent(words: [String]) throws {
    var tiff = TestTIFF(width: 9, height: 7, bits: 8, samplesPerPixel: 4, kind: 5) {
      x, y, channel in
      [x * 28, y * 36, x * y, 255 - x * 20][channel]
    }
    tiff.blobs[34_675] = try ICCProfile(bytes: Self.table(channels: 4).bytes).bytes
    let (input, recipe) = (folder.path("in.tif"), folder.path("recipe.json"))
    try Data(tiff.bytes).write(to: URL(filePath: input))
    try #"{"version": 1, "steps": [{"exposure": {"stops": -0.5}}]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    var results: [Bitmap<UInt16>] = []
    for intent in ["perceptual", "absolute"] {
      let asked = words + ["--intent", intent, "--samples", "uint16"]
      let ran = run(["run", recipe, input, folder.path("ran.png")] + asked)
      #expect(ran.status == .done, "\(ran.errors)")
      let converted = convert("in.tif", "converted.png", ["--recipe", recipe] + asked)
      #expect(converted.status == .done, "\(converted.errors)")
      results.append(try folder.bitmap("ran.png"))
      #expect(try results.last == folder.bitmap("converted.png"))
    }
    #expect(results[0] != results[1])
  }

  @Test func absoluteColorimetryKeepsTheWhitePointOnRequest() throws {
    #expect(
      convert("in.png", "out.png", ["--to", "prophoto", "--intent", "absolute"]).status == .done)
    let (source, result) = (try folder.bitmap("in.png"), try folder.bitmap("out.png"))
    for (x, y) in [(1, 1), (7, 5), (15, 11)] {
      let color = ColorPoint(
        SIMD3((0..<3).map { Double(source[x, y, $0]) / 65_535 }), in: .displayP3)
      let exact = color.convertedAbsolutely(to: .proPhoto).components
      for channel in 0..<3 {
        let code = (min(max(exact[channel], 0), 1) * 65_535).rounded()
        // Rounding through single precision.
        #expect(abs(Double(result[x, y, channel]) - code) <= 1)
      }
    }
  }

  @Test(
    arguments: [
      (["--intent", "perceptual"], "there is no --to"), (["--bpc"], "there is no --to"),
      (["--gamut", "css"], "“--gamut” changes how --to converts, and there is no --to"),
      (["--to", "sRGB", "--intent", "perceptual"], "applies to LUT profiles only"),
      (["--to", "sRGB", "--intent", "saturation"], "Display P3 and sRGB have no lookup tables"),
      (["--to", "sRGB", "--intent", "relative", "--bpc"], "“--bpc” applies to LUT profiles only"),
      (["--to", "printer.icc", "--intent", "absolute", "--bpc"], "Leave one of them out"),
      (
        ["--to", "printer.icc", "--intent", "perceptual", "--gamut", "css"],
        "both choose the gamut mapping"
      ),
    ])
  func ineffectiveOptionsAreErrors(words: [String], sentence: String) {
    let transcript = convert("in.png", "out.png", words)
    #expect(transcript.status == .misused)
    #expect(transcript.errors.joined().contains(sentence), "\(transcript.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.png")))
  }

  @Test func relativeIntentEqualsConversionBetweenSpaces() throws {
    #expect(
      convert("in.png", "out.png", ["--to", "sRGB", "--intent", "relative"]).status == .done)
    let expected = Picture(try folder.bitmap("in.png")).converted(to: .sRGB)
    #expect(try folder.bitmap("out.png") == expected.render())
  }
}
