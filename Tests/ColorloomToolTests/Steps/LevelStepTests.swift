import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `--auto-levels` on the command line.
@Suite struct LevelStepTests {
  private let folder: TemporaryFolder
  private let flat: Picture
  private let input, output, uniform: String

  /// Writes a picture of the middle tones only, with a cast, and a picture of one color.
  init() throws {
    folder = try TemporaryFolder()
    input = folder.path("flat.png")
    output = folder.path("out.png")
    uniform = folder.path("uniform.png")
    let tones = Bitmap<UInt16>(PixelSize(60, 40), in: .displayP3, channels: .rgb) { x, y in
      let tone = 20_000 + 300 * (x + y)
      return [UInt16(tone + 2_000), UInt16(tone), UInt16(tone / 2)]
    }
    flat = Picture(tones)
    try flat.write(to: input, samples: .uint16)
    try Picture(
      Bitmap<UInt8>(PixelSize(8, 6), in: .sRGB, channels: .rgb) { _, _ in [100, 50, 20] }
    ).write(to: uniform, samples: .uint8)
  }

  private func bitmap(at path: String) throws -> Bitmap<UInt16>? {
    if case .uint16(let bitmap) = try ImageFile.read(path) { bitmap } else { nil }
  }

  @Test func tonesAreStretched() throws {
    for (words, expected) in [
      (["--auto-levels"], try flat.automaticLevels()),
      (["--auto-levels=0"], try flat.automaticLevels(clipping: 0)),
      (["--auto-levels=2%"], try flat.automaticLevels(clipping: 0.02)),
      (["--auto-levels", "2%"], try flat.automaticLevels(clipping: 0.02)),
      (["--auto-levels", "0.02"], try flat.automaticLevels(clipping: 0.02)),
      (["--auto-levels", "channels"], try flat.automaticLevels(perChannel: true)),
      (["--auto-levels=2%,channels"], try flat.automaticLevels(clipping: 0.02, perChannel: true)),
    ] {
      for command in [["convert", input, output] + words, ["convert"] + words + [input, output]] {
        let transcript = run(command)
        #expect(transcript.status == .done, "\(words): \(transcript.errors)")
        #expect(try bitmap(at: output) == expected.render(), "\(words)")
      }
    }
    #expect(try bitmap(at: output) != flat.render())
  }

  /// The step measures the picture after the steps before it.
  @Test func stepsBeforeAndAfterAreInOrder() throws {
    let part = Region(x: 0, y: 0, width: 20, height: 10)
    for (words, expected) in [
      (["--crop", "0,0,20x10", "--auto-levels"], try flat.cropped(to: part).automaticLevels()),
      (["--auto-levels", "--crop", "0,0,20x10"], try flat.automaticLevels().cropped(to: part)),
      (["--auto-levels", "--exposure", "-1"], try flat.automaticLevels().exposure(-1)),
    ] {
      let transcript = run(["convert", input, output] + words)
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
      #expect(try bitmap(at: output) == expected.render(), "\(words)")
    }
  }

  @Test func uniformPicturesStayAsTheyAre() throws {
    let transcript = run("convert", uniform, output, "--auto-levels")
    #expect(transcript.status == .done)
    #expect(
      transcript.errors == [
        "“--auto-levels” changes nothing of “\(uniform)”: apart from 0.1 % at each end, the pixels that show have one color, or none shows."
      ])
    guard case .uint8(let bitmap) = try ImageFile.read(output) else {
      Issue.record("The result has other samples.")
      return
    }
    #expect(bitmap[3, 2, 0] == 100 && bitmap[3, 2, 1] == 50 && bitmap[3, 2, 2] == 20)
  }

  /// Each picture of a batch is measured by itself.
  @Test func manyPicturesAreMeasured() throws {
    let pattern = folder.path("full-{name}.png")
    let transcript = run("convert", input, uniform, "--out", pattern, "--auto-levels")
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(transcript.complaint.contains("changes nothing of “\(uniform)”"))
    #expect(try bitmap(at: folder.path("full-flat.png")) == flat.automaticLevels().render())
  }

  @Test func grayFilesStayGray() throws {
    let gray = folder.path("gray.png")
    try Picture(
      Bitmap<UInt8>(PixelSize(9, 1), in: .sGray, channels: .gray) { x, _ in [UInt8(60 + 10 * x)] }
    ).write(to: gray, samples: .uint8, writing: WritingOptions(isGray: true))
    #expect(run("convert", gray, output, "--auto-levels=0,channels").status == .done)
    guard case .uint8(let bitmap) = try ImageFile.read(output) else {
      Issue.record("The result has other samples.")
      return
    }
    #expect(bitmap.channels == .gray && bitmap[0, 0, 0] == 0 && bitmap[8, 0, 0] == 255)
  }

  @Test func uselessLevelsAreRefused() throws {
    for (words, sentence) in [
      (
        ["--auto-levels=50%"],
        "“--auto-levels” needs a part of the pixels from 0 to 0.49 such as 0.005, or 0.5%, “channels”, or both with a comma in "
          + "between, not “50%”."
      ),
      (["--auto-levels=-1%"], "not “-1%”"), (["--auto-levels=channel"], "not “channel”"),
      (["--auto-levels="], "needs a part of the pixels"),
      (
        ["--to", "lab", "--auto-levels"],
        "“--auto-levels” stretches the channels of RGB and gray spaces, and “\(input)” is in"
      ),
    ] {
      let transcript = run(["convert", input, output] + words)
      #expect(transcript.status == .misused, "\(words)")
      #expect(transcript.complaint.contains(sentence), "\(transcript.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: output))
    let stream = run("stream", "in.y4m", "out.y4m", "--auto-levels")
    #expect(stream.status == .misused)
    #expect(
      stream.complaint.contains("“stream” has no option “--auto-levels”."), "\(stream.errors)")
  }
}
