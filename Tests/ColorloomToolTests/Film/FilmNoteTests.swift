import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What “develop” says of scans that show more than film.
@Suite struct FilmNoteTests {
  private let folder: TemporaryFolder
  /// Scans with a black holder at their left edge.
  private let held: [String]

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    held = try [0, 1, 4].map { frame in
      let path = folder.path("\(frame).png")
      let scan = try FilmRollFixture.scan(frame)
      let holder = Bitmap<UInt16>(scan.size, in: scan.space, channels: .rgb) { x, y in
        x < 2 ? [1000, 1000, 1000] : (0..<3).map { scan[x, y, $0] }
      }
      try ImageFile.write(.uint16(holder), to: path)
      return path
    }
  }

  /// One note for the roll, and the white of film.
  @Test func aFilmHolderIsNoted() throws {
    let file = folder.path("film.json")
    let transcript = run(
      ["develop"] + held + [
        "--roll", "--film", "c-41", "--out", folder.path("{name}-print.png"), "--save-film", file,
      ])
    #expect(transcript.status == .done, "\(transcript.errors)")
    let notes = transcript.errors.filter { $0.contains("film holder") }
    #expect(notes.count == 1 && notes[0].contains("; so with 2 more"), "\(transcript.errors)")
    #expect(!transcript.errors.contains { $0.contains("differs from its roll") })
    let roll = try FilmRoll(json: String(contentsOf: URL(filePath: file), encoding: .utf8))
    guard case .transmittance(let white) = roll.film.white else {
      throw Failure("The white was not measured.")
    }
    let ratio = white / (try FilmRollFixture.film().white)
    // Where the holder is white, it is a hundredth of that.
    #expect(ratio.min() > 0.95 && ratio.max() < 1.05, "\(ratio)")
    let one = run("develop", held[0], folder.path("a.png"))
    #expect(
      one.errors.contains { $0.contains("“\(held[0])” shows a film holder") }, "\(one.errors)")
  }

  /// Sprocket holes, of a single scan and of a roll; not where nothing is measured.
  @Test func lightBesideTheFilmIsNoted() throws {
    let paths = try [0, 1].map { frame in
      let path = folder.path("holes \(frame).png")
      let scan = try FilmRollFixture.scan(frame)
      let holes = Bitmap<UInt16>(scan.size, in: scan.space, channels: .rgb) { x, y in
        x < 2 ? [65_535, 65_535, 65_535] : (0..<3).map { scan[x, y, $0] }
      }
      try ImageFile.write(.uint16(holes), to: path)
      return path
    }
    let width = try FilmRollFixture.scan(0).size.width
    let percent = Int((200 / Double(width)).rounded())
    let sentence =
      "“\(paths[0])” shows light beside the film on \(percent) % of its area, which is left out"
    let output = folder.path("a.png")
    let one = run("develop", paths[0], output)
    #expect(one.errors.contains { $0.hasPrefix("\(sentence). If it is film") }, "\(one.errors)")
    let roll = run(["develop"] + paths + ["--roll", "--out", folder.path("{name}-print.png")])
    #expect(
      roll.errors.count { $0.hasPrefix("\(sentence); so with 1 more.") } == 1, "\(roll.errors)")
    let known = run(
      "develop", paths[0], output, "--film-base", ".8,.46,.27", "--film-white", ".07,.04,.02")
    #expect(!known.errors.contains { $0.contains("light beside") }, "\(known.errors)")
  }

  /// Not where the base is given.
  @Test func aNeutralBaseIsNoted() throws {
    let path = folder.path("silver.png")
    let scan = Bitmap<UInt16>(PixelSize(32, 8), in: .sRGB, channels: .rgb) { x, _ in
      [UInt16](repeating: UInt16(60_000 - 1500 * x), count: 3)
    }
    try ImageFile.write(.uint16(scan), to: path)
    let output = folder.path("a.png")
    let transcript = run("develop", path, output)
    #expect(transcript.status == .done)
    #expect(
      transcript.errors.count == 1 && transcript.errors[0].contains("has a neutral base"),
      "\(transcript.errors)")
    #expect(run("develop", path, output, "--film", "gray").errors.isEmpty)
    let known = run("develop", path, output, "--film-base", ".8,.8,.8")
    #expect(!known.errors.contains { $0.contains("neutral base") }, "\(known.errors)")
  }

  /// Noise of unexposed film, which becomes white; not where white is known, or measured on other frames.
  @Test func aBlankFrameIsNoted() throws {
    var random = SeededGenerator(seed: 4)
    let path = folder.path("blank.png")
    let scan = Bitmap<UInt16>(PixelSize(32, 8), in: .displayP3, channels: .rgb) { _, _ in
      ([60_000, 46_000, 36_000] as [UInt16]).map { $0 - .random(in: 0...300, using: &random) }
    }
    try ImageFile.write(.uint16(scan), to: path)
    let output = folder.path("a.png")
    for words in [[], ["--film", "gray"]] {
      let transcript = run(["develop", path, output] + words)
      #expect(transcript.status == .done)
      #expect(
        transcript.errors.count {
          $0.hasPrefix("“\(path)” is blank.") && $0.contains("--film-white")
        } == 1,
        "\(transcript.errors)")
    }
    let known = run("develop", path, output, "--film-white", ".07,.04,.02")
    #expect(!known.errors.contains { $0.contains("is blank") }, "\(known.errors)")
    let roll = run("develop", path, held[0], "--roll", "--out", folder.path("{name}-print.png"))
    #expect(roll.errors.count { $0.contains("is blank") } == 1, "\(roll.errors)")
    #expect(roll.errors.contains { $0.contains("“\(path)” differs from its roll") })
  }

  /// A scan with so much light that red, or the gray of silver film, is clipped at the base; not where the base is given.
  @Test func aClippedBaseIsNoted() throws {
    let (path, gray) = (folder.path("clipped.png"), folder.path("silver.png"))
    let scan = Bitmap<UInt16>(PixelSize(32, 8), in: .displayP3, channels: .rgb) { x, _ in
      [UInt16(clamping: 70_000 - 1500 * x), UInt16(50_000 - 1500 * x), UInt16(48_000 - 1500 * x)]
    }
    try ImageFile.write(.uint16(scan), to: path)
    let silver = Bitmap<UInt16>(PixelSize(32, 8), in: .sGray, channels: .gray) { x, _ in
      [UInt16(clamping: 70_000 - 1500 * x)]
    }
    try ImageFile.write(.uint16(silver), to: gray)
    let output = folder.path("a.png")
    for (path, start) in [
      (path, "“\(path)” has a film base of 1 in red, "), (gray, "“\(gray)” has a film base of 1, "),
    ] {
      let transcript = run("develop", path, output)
      #expect(transcript.status == .done)
      #expect(transcript.errors.count { $0.hasPrefix(start) } == 1, "\(transcript.errors)")
      let known = run("develop", path, output, "--film-base", "1.1,1,1")
      #expect(!known.errors.contains { $0.contains("film base of 1") }, "\(known.errors)")
    }
    let light = run("develop", held[0], output)
    #expect(!light.errors.contains { $0.contains("film base of 1") }, "\(light.errors)")
  }

  /// The error names the option of the verb, and the note is true of the print, whose missing rows are white.
  @Test func truncatedScansAreSalvaged() throws {
    var random = SeededGenerator(seed: 3)
    let path = folder.path("cut.png")
    let scan = try FilmRollFixture.scan(0)
    let noisy = Bitmap<UInt16>(scan.size, in: scan.space, channels: .rgb) { x, y in
      (0..<3).map { scan[x, y, $0] - .random(in: 0...63, using: &random) }
    }
    try ImageFile.write(.uint16(noisy), to: path)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: path))
    let output = folder.path("a.png")
    let refused = run("develop", path, output)
    #expect(refused.status == .failed)
    #expect(refused.complaint.hasSuffix("“colorloom develop --salvage” reads them."))
    let salvaged = run("develop", path, output, "--salvage")
    #expect(salvaged.status == .done, "\(salvaged.errors)")
    #expect(
      salvaged.errors.contains { $0.contains("count as black, or transparent, before any change") })
    let opened = try OpenedImageFile(path, salvaging: true)
    let picture = try opened.picture()
    let whole = try NegativeFilm.colorNegative().measured(on: picture)
    let rows = try #require(opened.salvage?.rows)
    let part = picture.cropped(to: Region(x: 0, y: 0, width: scan.size.width, height: rows))
    #expect(try NegativeFilm.colorNegative().measured(on: part) == whole)
  }
}
