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
}
