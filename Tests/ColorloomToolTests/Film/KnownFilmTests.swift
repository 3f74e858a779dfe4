import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Scans that are developed with known film: those that differ from it, and those of another color space.
@Suite struct KnownFilmTests {
  private let folder: TemporaryFolder
  /// Two frames of a roll, and the unexposed film of it.
  private let scans: [String]
  private let leader: String
  /// A frame of half the transmittance.
  private let wrong: String
  /// The second frame in another color space.
  private let wide: String

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    func write(_ name: String, _ picture: Picture) throws -> String {
      let path = folder.path("\(name).png")
      try ImageFile.write(.uint16(picture.render(as: UInt16.self)), to: path)
      return path
    }
    let frames = try [0, 1, 3].map { Picture(try FilmRollFixture.scan($0)) }
    scans = try [write("a", frames[0]), write("b", frames[1])]
    leader = try write("leader", frames[2])
    wrong = try write("wrong", frames[0].exposure(-1))
    wide = try write("wide", frames[1].converted(to: .rec2020))
  }

  private struct Report: Decodable {
    struct Film: Decodable { let base, white: [Double] }
    struct Roll: Decodable { let film: Film }
    let roll: Roll?
  }

  private var film: String { folder.path("film.json") }
  private let base = ["--film-base", "0.8,0.46,0.27"]

  private func develop(_ paths: [String], _ words: [String]) -> Transcript {
    run(
      ["develop"] + paths + [
        "--out", folder.path("{name}-print.png"), "--film-contrast", "0.6,0.6,0.6",
      ] + words)
  }

  private func saved() throws -> FilmRoll {
    try FilmRoll(json: String(contentsOf: URL(filePath: film), encoding: .utf8))
  }

  /// However the base is known, a frame of another film is named, and what is saved was measured on it.
  @Test func framesOfOtherFilmAreNamed() throws {
    let white = ["--film-white", "0.07,0.04,0.02"]
    #expect(develop(scans, ["--roll", "--save-film", folder.path("roll.json")]).status == .done)
    let known = [
      ["--roll"] + base, ["--roll"] + base + white, ["--film-from", leader],
      ["--film-from", scans[0]],
      ["--film", folder.path("roll.json")],
    ]
    for words in known {
      let transcript = develop(scans + [wrong], words + ["--save-film", film])
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
      let findings = transcript.errors.filter { $0.contains("differs from its roll") }
      #expect(findings.count == 1, "\(words): \(findings)")
      #expect(findings.first?.contains("“\(wrong)”") == true, "\(words): \(findings)")
      let frames = try saved().frames
      #expect(frames.map(\.name) == scans + [wrong], "\(words)")
      // Half the transmittance of the base.
      #expect(abs((frames.last?.base.x ?? 0) - FilmRollFixture.base.x / 2) < 1e-4, "\(words)")
    }
    // A single picture, too.
    let one = run("develop", wrong, folder.path("one.png"), "--film", film)
    #expect(one.status == .done)
    #expect(one.errors.filter { $0.contains("differs from its roll") }.count == 1)
  }

  /// A scan without film is named, and is no reason to fail where nothing is measured on it.
  @Test func scansWithoutFilmAreNamed() throws {
    let black = Bitmap<UInt16>(FilmRollFixture.size, in: .displayP3, channels: .rgb) { _, _ in
      [0, 0, 0]
    }
    let path = folder.path("black.png")
    try ImageFile.write(.uint16(black), to: path)
    #expect(develop(scans, ["--roll", "--save-film", film]).status == .done)
    let one = run("develop", path, folder.path("one.png"), "--film", film)
    #expect(one.status == .done, "\(one.errors)")
    #expect(
      one.errors.contains { $0.contains("“\(path)” differs from its roll. The scan shows no film") }
    )
  }

  /// The numbers of a roll are those of its first scan; the others are converted for it.
  @Test func scansOfTwoSpacesAreOneRoll() throws {
    #expect(develop(scans, ["--roll"]).status == .done)
    let expected = try Picture(contentsOf: folder.path("b-print.png"))
    let transcript = develop([scans[0], wide], ["--roll", "--save-film", film, "--json"])
    #expect(transcript.status == .done, "\(transcript.errors)")
    let notes = transcript.errors.filter { $0.contains("another color space") }
    #expect(notes.count == 1 && notes[0].contains("“\(wide)”"), "\(transcript.errors)")
    #expect(!transcript.errors.contains { $0.contains("differs from its roll") })
    let roll = try #require(try transcript.report(as: Report.self).roll)
    for channel in 0..<3 {
      #expect(abs(roll.film.base[channel] - FilmRollFixture.base[channel]) < 1e-4)
    }
    #expect(try saved().film.space == ColorSpace.displayP3.linear)
    let print = try Picture(contentsOf: folder.path("wide-print.png"))
    #expect(print.space.hasPrimaries(of: .rec2020))
    // Codes of 16 bits in two spaces.
    #expect(try PictureComparison(of: print, with: expected).maximum < 0.2)
    // The saved film alone, too.
    #expect(run("develop", wide, folder.path("one.png"), "--film", film).status == .done)
    let one = try Picture(contentsOf: folder.path("one.png"))
    #expect(try PictureComparison(of: one, with: print).maximum < 0.2)
  }

  /// A transmittance that an option gives is in one space.
  @Test func knownTonesOfTwoSpacesAreRefused() throws {
    let roll = develop([scans[0], wide], ["--roll"] + base)
    #expect(
      roll.status == .failed && roll.complaint.contains("transmittances of two spaces"),
      "\(roll.errors)")
    #expect(develop(scans, ["--roll", "--save-film", film]).status == .done)
    let one = run(["develop", wide, folder.path("one.png"), "--film", film] + base)
    #expect(
      one.status == .failed && one.complaint.contains("“--film-base” is a transmittance in"),
      "\(one.errors)")
  }

  /// Files of earlier versions state no space: their tones are those of each scan.
  @Test func oldFilmIsOfEachScan() throws {
    let text = #"""
      {"version": 1, "film": {"base": {"transmittance": [0.8, 0.46, 0.27]},
      "white": {"transmittance": [0.07, 0.04, 0.02]}, "contrast": [0.6, 0.6, 0.6]}}
      """#
    try Data(text.utf8).write(to: URL(filePath: film))
    let transcript = develop([scans[0], wide], ["--film", film])
    #expect(transcript.status == .done, "\(transcript.errors)")
    let own = try Picture(contentsOf: wide).developed(FilmRoll(json: text).film)
    let print = try ImageFile.read(folder.path("wide-print.png")).converted(to: UInt16.self)
    #expect(try print == own.render(as: UInt16.self))
    // In its space, the base is another one.
    #expect(transcript.errors.contains { $0.contains("“\(wide)” differs from its roll") })
  }

  @Test func plansStateOffsetAndGray() throws {
    let known = base + ["--film-white", "0.07,0.04,0.02"]
    func line(_ words: String...) -> String {
      run(["develop", scans[0], "--plan", "--film-contrast", "0.6,0.6,0.6"] + known + words).output
        .first ?? ""
    }
    let plain = "film: base 0.8, 0.46, 0.27; white 0.07, 0.04, 0.02; contrast 0.6, 0.6, 0.6"
    #expect(line() == plain)
    #expect(line("--film-offset", "0.05,0.02,-0.03") == plain + "; offset 0.05, 0.02, -0.03")
    #expect(line("--film", "gray") == plain + "; gray")
  }
}
