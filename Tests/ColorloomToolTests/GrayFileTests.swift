import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Gray files to which steps assign a color space.
@Suite struct GrayFileTests {
  private let folder: TemporaryFolder
  private let gray = TestPictures.codes(as: UInt16.self, PixelSize(8, 6), channels: .gray)
  private var input: String { folder.path("gray.png") }
  private var output: String { folder.path("out.png") }

  init() throws {
    folder = try TemporaryFolder()
    try ImageFile.write(.uint16(gray), to: input)
  }

  /// Assigning a space changes no value: gray files stay gray in gray spaces and in their own.
  @Test(arguments: ["gray-curv-v2", "gray-lab-v2", "gray-para-v4"])
  func tagsKeepGray(name: String) throws {
    let profile = Fixtures.url("Profiles/\(name).icc").path
    let own = gray.space.name
    for words in [
      ["--tag", "sGray"], ["--tag", "gray-gamma22"], ["--tag", own], ["--tag", profile],
      ["--tag", "@" + profile], ["--to", "p3", "--tag", "sGray"], ["--to", "sGray", "--tag", own],
      ["--tag", "p3", "--to", own], ["--tag", "sGray", "--exposure", "0.1"],
    ] {
      let transcript = run(["convert", input, output] + words)
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
      #expect(try ImageFile.info(output).channels == .gray, "\(words)")
    }
    // The values are the same, and the space is that of the profile.
    #expect(run("convert", input, output, "--tag", profile).status == .done)
    let written = try Picture(contentsOf: output).render(as: UInt16.self)
    let space = try ICCProfile(bytes: Array(Data(contentsOf: URL(filePath: profile)))).colorSpace()
    #expect(written.space.isGray && written.space.name == space.name, "\(written.space)")
    for y in 0..<gray.size.height {
      for x in 0..<gray.size.width {
        // Curves of profiles are computed in steps of 16 bits.
        let error = abs(Int(written[x, y, 0]) - Int(gray[x, y, 0]))
        #expect(error <= 66, "\(error) at \(x), \(y)")
      }
    }
  }

  /// A tag keeps no gray where grays have other channels, and makes none of colors.
  @Test func tagsThatColorMakeColors() throws {
    for words in [
      ["--tag", "p3"], ["--tag", "lab", "--to", gray.space.name],
      ["--to", "lab", "--tag", "sGray"], ["--highlight", "sRGB", "--tag", "sGray"],
    ] {
      let transcript = run(["convert", input, output] + words)
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
      #expect(try ImageFile.info(output).channels == .rgb, "\(words)")
    }
  }

  /// As in Swift, colors in a gray space are those of its primaries; grays by lightness have none.
  @Test func tagsMakeNoGraysOfColors() throws {
    let photo = TestPictures.codes(as: UInt16.self, PixelSize(8, 6), in: .rec2020, channels: .rgb)
    let colors = folder.path("colors.png")
    try ImageFile.write(.uint16(photo), to: colors)
    #expect(run("convert", colors, output, "--tag", "sGray").status == .done)
    #expect(try ImageFile.info(output).channels == .rgb)
    let light = try Picture(contentsOf: output).converted(to: .linearSRGB).render(as: Float.self)
    let expected = try Picture(photo).tagged(as: .sGray).converted(to: .linearSRGB)
      .render(as: Float.self)
    let errors = zip(light.samples, expected.samples).map { abs($0 - $1) }
    #expect(errors.count == expected.samples.count && errors.reduce(0, larger) < 1e-3)
    let lightness = Fixtures.url("Profiles/gray-lab-v2.icc").path
    let refused = run("convert", colors, output, "--tag", lightness)
    #expect(refused.status == .misused && refused.complaint.contains("would hold colors"))
  }

  /// Steps that change all channels alike keep gray, by whichever option; others make colors.
  @Test(arguments: [
    (["--tone-curves", "all=0,0 .5,.4 1,1"], true), (["--curve", "all=0,0 .5,.4 1,1"], true),
    (["--tone-curves", "red=0,0 .5,.4 1,1"], false), (["--levels=0.1,0.9"], true),
    (["--levels=green=0.1,0.9"], false), (["--store", "uint8"], true),
    (["--reduce-source", "4x3"], true), (["--hue-rotation", "40"], true),
    (["--lift-gamma-gain", "gamma=1.2,1.2,1.2"], true),
    (["--lift-gamma-gain", "gamma=1.2,1.1,1.2"], false),
    (["--color-decisions", "power=1.2,1.2,1.2,saturation=2"], true),
    (["--color-decisions", "slope=1,1,2"], false), (["--reinhard", "4"], true),
    (["--display-mapping", "from=1000,to=203"], true),
    (["--grading-primary", "style=linear,exposure=0,0,0,1"], true),
    (["--grading-primary", "style=linear,exposure=0,0,1,0"], false),
    (["--grading-tone", "style=video,midtones=1,1,1,1.4"], true),
    (["--grading-tone", "style=video,midtones=1,1.2,1,1"], false),
    (["--flatten", "white"], true), (["--flatten", "red"], false),
    (["--frame", "to=0,0,10x8,color=black"], true),
    (["--frame", "to=0,0,10x8,color=blue"], false), (["--auto-levels"], true),
    (["--auto-levels", "1%,channels"], true), (["--chroma-key", "#00b140"], true),
  ])
  func stepsKeepGrayByTheirParameters(words: [String], keepGray: Bool) throws {
    let transcript = run(["convert", input, output] + words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(try ImageFile.info(output).channels.isGray == keepGray, "\(words)")
  }

  /// `--convert` keeps gray in the source's own space and in gray ones, as `--to` does.
  @Test func conversionsKeepGray() throws {
    let own = gray.space.name
    for option in ["--to", "--convert"] {
      for space in [own, "sGray"] {
        #expect(run("convert", input, output, option, space).status == .done)
        #expect(try ImageFile.info(output).channels == .gray, "\(option) \(space)")
      }
    }
  }

  /// Gray on a gray background is gray.
  @Test func backgroundsKeepGrayByTheirColor() throws {
    let veiled = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), channels: .grayAlpha)
    let path = folder.path("veiled.png")
    try ImageFile.write(.uint8(veiled), to: path)
    for (color, channels) in [("white", Channels.gray), ("red", .rgb)] {
      #expect(run("convert", path, output, "--background", color).status == .done)
      #expect(try ImageFile.info(output).channels == channels, "\(color)")
    }
  }

  /// Colors that are added to a gray picture stay colors, in the RGB space of its primaries.
  @Test(arguments: [
    ["--frame", "by=1,color=red"], ["--flatten", "red"], ["--background", "red"],
    ["--layer", "red.png"], ["--layer", "red.png,in=sRGB"], ["--composite", "red.png"],
    ["--dissolve", "red.png,amount=1"], ["--blend-by-mask", "red.png,white.png"],
    // Grays by lightness have no encoding of colors.
    ["--tag", Fixtures.url("Profiles/gray-lab-v2.icc").path, "--frame", "by=1,color=red"],
  ])
  func colorsOnGrayStay(words: [String]) throws {
    let veiled = Bitmap<UInt16>(gray.size, in: .sGray, channels: .grayAlpha) { x, y in
      [UInt16(1000 * x), 0]
    }
    let path = folder.path("veiled.png")
    try ImageFile.write(.uint16(veiled), to: path)
    for (name, color) in [("red.png", [UInt8.max, 0, 0]), ("white.png", [.max, .max, .max])] {
      let bitmap = Bitmap<UInt8>(gray.size, in: .sRGB, channels: .rgb) { _, _ in color }
      try ImageFile.write(.uint8(bitmap), to: folder.path(name))
    }
    let words = words.map { word in
      word.split(separator: ",").map { $0.hasSuffix(".png") ? folder.path(String($0)) : String($0) }
        .joined(separator: ",")
    }
    let transcript = run(["convert", path, output] + words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    let written = try Picture(contentsOf: output)
    #expect(!written.space.isGray)
    let color = try written.converted(to: .sRGB).render(as: Float.self, channels: .rgba)
    let errors = zip([1, 0, 0], (0..<3).map { color[0, 0, $0] }).map { abs($0 - $1) }
    // A code of 16 bits, through the curve of the written profile.
    #expect(errors.reduce(0, larger) < 1e-3, "\(color.samples.prefix(3))")
  }

  /// A recipe that assigns a gray space keeps gray, too.
  @Test func recipesThatTagKeepGray() throws {
    let recipe = folder.path("tag.json")
    for (space, channels) in [("sGray", Channels.gray), ("Display P3", .rgb)] {
      let text = #"{"version": 1, "steps": [{"tag": {"as": "\#(space)"}}]}"#
      try Data(text.utf8).write(to: URL(filePath: recipe))
      let convert = ["convert", input, output, "--recipe", recipe]
      for words in [["run", recipe, input, output], convert] {
        let transcript = run(words)
        #expect(transcript.status == .done, "\(words): \(transcript.errors)")
        #expect(try ImageFile.info(output).channels == channels, "\(words), \(space)")
      }
    }
  }

  /// Black-and-white film, equal curves and gamut mapping make grays of grays, color film does not.
  @Test func developmentsAndGamutMappingKeepGray() throws {
    let curves = folder.path("gray.curves")
    try Data("red 0,0 1,1\ngreen 0,0 1,1\nblue 0,0 1,1\n".utf8).write(to: URL(filePath: curves))
    for (words, channels) in [
      (["develop", input, output, "--film-curves", curves], Channels.gray),
      (["develop", input, output, "--film", "published"], .rgb),
      (["develop", input, output], .gray), (["develop", input, output, "--film", "gray"], .gray),
      (["develop", input, output, "--film", "black-and-white"], .gray),
      (["develop", input, output, "--film", "color"], .rgb),
      (["develop", input, output, "--film", "gray", "--highlight", "sRGB"], .rgb),
      (["convert", input, output, "--develop", "gray=yes"], .gray),
      (["convert", input, output, "--develop", "gray=no"], .rgb),
      (["convert", input, output, "--gamut-fit", "by=clipped"], .gray),
    ] {
      let transcript = run(words)
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
      #expect(try ImageFile.info(output).channels == channels, "\(words)")
    }
  }
}
