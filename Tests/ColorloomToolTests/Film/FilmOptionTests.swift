import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The options of “develop” that describe the film.
@Suite struct FilmOptionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes the scan of a ramp, from the film base to a density of 2 above it.
  private func scan(_ name: String, _ channels: Channels) throws -> String {
    let bitmap = Bitmap<UInt16>(PixelSize(32, 8), in: .sRGB, channels: channels) { x, _ in
      [UInt16](repeating: UInt16(60_000 - 1800 * x), count: channels.count)
    }
    let path = folder.path(name)
    try ImageFile.write(.uint16(bitmap), to: path)
    return path
  }

  private func developed(_ scan: String, _ words: String...) throws -> Data {
    let output = folder.path("print.png")
    let transcript = run(["develop", scan, output] + words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    return try Data(contentsOf: URL(filePath: output))
  }

  /// The contrasts of color film differ by layer and would tint the grays of one channel.
  @Test func scansOfOneChannelAreGrayFilm() throws {
    let gray = try scan("gray.png", .gray)
    let print = try developed(gray)
    #expect(try ImageFile.info(folder.path("print.png")).channels == .gray)
    #expect(try developed(gray, "--film", "gray") == print)
    #expect(try developed(gray, "--film", "color") != print)
    #expect(try ImageFile.info(folder.path("print.png")).channels == .rgb)
    let color = try scan("color.png", .rgb)
    #expect(try developed(color) == developed(color, "--film", "color"))
  }

  /// The frames of a roll share one film, which is gray where all of them have one channel.
  @Test func rollsAreGrayWhereAllScansAre() throws {
    struct Report: Decodable {
      struct Roll: Decodable { let film: Film }
      struct Film: Decodable { let gray: Bool }
      struct File: Decodable { let film: Film }
      let files: [File]
      let roll: Roll?
    }
    let gray = try [scan("a.png", .gray), scan("b.png", .gray)]
    let mixed = [gray[0], try scan("c.png", .rgb)]
    for (scans, words, grays) in [
      (gray, ["--roll"], [true, true]), (mixed, ["--roll"], [false, false]),
      (gray, ["--roll", "--film", "color"], [false, false]), (mixed, [], [true, false]),
    ] {
      let transcript = run(
        ["develop"] + scans + ["--out", folder.path("{name}-print.png"), "--json"] + words)
      #expect(transcript.status == .done, "\(transcript.errors)")
      let report: Report = try transcript.report()
      #expect(report.files.map(\.film.gray) == grays, "\(words)")
      #expect((report.roll != nil) == words.contains("--roll"))
    }
  }

  /// A saved film is the one that the scan was developed as.
  @Test func savedFilmOfAGrayScanIsGray() throws {
    let (gray, film) = (try scan("gray.png", .gray), folder.path("film.json"))
    let known = ["--film-base", "0.8,0.8,0.8", "--film-white", "0.01,0.01,0.01"]
    let output = folder.path("saved.png")
    let saving = run(["develop", gray, output, "--save-film", film] + known)
    #expect(saving.status == .done, "\(saving.errors)")
    let saved = try Data(contentsOf: URL(filePath: output))
    #expect(try ImageFile.info(output).channels == .gray)
    #expect(try developed(gray, "--film", film) == saved)
  }

  /// The sentence names the option, the limits and the layer.
  @Test func contrastsOutOfRangeAreRefused() {
    for (word, found) in [("0,1,1", "0.0 for red"), ("1,0.6,21", "21.0 for blue")] {
      let refused = run("develop", "in.png", "out.png", "--film-contrast", word)
      #expect(refused.status == .misused)
      #expect(
        refused.complaint.contains(
          "“--film-contrast” is from 0.05 to 20 for each layer; got \(found)."),
        "\(refused.errors)")
    }
    let refused = run("develop", "in.png", "out.png", "--film-contrast", "1,1")
    #expect(refused.complaint.contains("three numbers from 0.05 to 20"), "\(refused.errors)")
  }
}
