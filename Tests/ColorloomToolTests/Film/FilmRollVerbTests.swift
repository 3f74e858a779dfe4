import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Rolls of film on the command line.
@Suite struct FilmRollVerbTests {
  private let folder: TemporaryFolder
  /// The scans of the roll.
  private let scans: [String]

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    for name in ["roll", "prints"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    scans = try FilmRollFixture.names.enumerated().map { index, name in
      let path = folder.path("roll/\(name).png")
      try ImageFile.write(.uint16(try FilmRollFixture.scan(index)), to: path)
      return path
    }
  }

  private struct Report: Decodable {
    struct Film: Decodable {
      let base, white, contrast: [Double]
    }
    struct File: Decodable {
      let file: String
      let film: Film?
    }
    struct Roll: Decodable {
      struct Frame: Decodable {
        let file: String
        let finding: String?
      }
      let film: Film
      let frames: [Frame]
    }
    struct Failed: Decodable { let file: String }
    let files: [File]
    let failed: [Failed]
    let roll: Roll?
    let sheet: File?
  }

  private func develop(_ words: String...) -> Transcript {
    run(["develop"] + scans + ["--out", folder.path("prints/{name}.png")] + words)
  }

  private func prints() throws -> [Bitmap<UInt16>] {
    try FilmRollFixture.names.map { try bitmap("prints/\($0).png") }
  }

  private func bitmap(_ name: String) throws -> Bitmap<UInt16> {
    try ImageFile.read(folder.path(name)).converted(to: UInt16.self)
  }

  private func film() throws -> NegativeFilm {
    let film = FilmProcess.c41.film()
    return try FilmRoll(
      measuring: film, on: scans.map { try film.frame($0, of: Picture(contentsOf: $0)) }
    ).film
  }

  @Test func framesOfARollShareItsFilm() throws {
    let transcript = develop("--film", "c-41", "--roll", "--json")
    #expect(transcript.status == .done, "\(transcript.errors)")
    // The frame without a border and the blank one.
    let findings = transcript.errors.filter { $0.contains("differs from its roll") }
    #expect(
      findings.count == 2
        && findings[0].contains(
          "3-borderless.png” differs from its roll: it shows no unexposed film. Its brightest ")
        && findings[1].contains("4-blank.png” differs from its roll: it is blank. Nothing "))
    let report = try transcript.report(as: Report.self)
    #expect(report.roll?.frames.compactMap(\.finding).count == 2)
    let film = try film()
    guard case .transmittance(let base) = film.base, case .transmittance(let white) = film.white
    else { throw Failure("The film was not measured.") }
    for found in report.files.map(\.film) + [report.roll?.film] {
      #expect(
        found?.base == [base.x, base.y, base.z] && found?.white == [white.x, white.y, white.z])
      #expect(found?.contrast == [0.6, 0.6, 0.6])
    }
    for (scan, print) in zip(scans, try prints()) {
      let expected = try Picture(contentsOf: scan).developed(film).render(as: UInt16.self)
      #expect(print == expected)
    }
  }

  @Test func filmIsSavedAndUsedAgain() throws {
    let file = folder.path("roll.json")
    #expect(develop("--film", "c-41", "--roll", "--save-film", file, "--plan").status == .done)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(develop("--film", "c-41", "--roll", "--save-film", file).status == .done)
    let first = try prints()
    let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
    #expect(try FilmRoll(json: text).film == film())
    #expect(develop("--film", file).status == .done)
    #expect(try prints() == first)
    // A single frame, by the film of its roll.
    let one = folder.path("one.png")
    #expect(run("develop", scans[1], one, "--film", file).status == .done)
    #expect(try bitmap("one.png") == first[1])
  }

  /// A scan of unexposed film has the base, and the frames the white.
  @Test func filmIsMeasuredOnABorder() throws {
    let transcript = run(
      ["develop"] + scans + [
        "--out", folder.path("prints/{name}.png"), "--film", "c-41", "--film-from", scans[3],
        "--json",
      ])
    #expect(transcript.status == .done)
    let found = try #require(try transcript.report(as: Report.self).roll?.film)
    let model = try FilmRollFixture.film()
    for channel in 0..<3 {
      #expect(abs(found.base[channel] - model.base[channel]) < 2.5e-5)
      #expect(abs(found.white[channel] / model.white[channel] - 1) < 1e-3)
    }
    // A frame with a scene has both.
    let other = develop("--film", "c-41", "--film-from", scans[0], "--json")
    let film = try FilmProcess.c41.film().measured(on: Picture(contentsOf: scans[0]))
    guard case .transmittance(let white) = film.white else {
      throw Failure("The white was not measured.")
    }
    #expect(try other.report(as: Report.self).roll?.film.white == [white.x, white.y, white.z])
  }

  @Test func oneFrameTellsItsFilm() throws {
    let output = folder.path("one.png")
    let json = run("develop", scans[0], output, "--json")
    #expect(json.status == .done)
    let measured = try NegativeFilm.colorNegative().measured(on: Picture(contentsOf: scans[0]))
    guard case .transmittance(let base) = measured.base else {
      throw Failure("The base was not measured.")
    }
    #expect(try json.report(as: Report.File.self).film?.base == [base.x, base.y, base.z])
    let plan = run("develop", scans[0], "--plan")
    #expect(
      plan.output.first?.hasPrefix("film: base 0.8, 0.46, 0.27; white ") == true, "\(plan.output)")
    struct Plan: Decodable { let film: Report.Film }
    let planned = try run("develop", scans[0], "--plan", "--json").report(as: Plan.self)
    #expect(planned.film.base == [base.x, base.y, base.z])
  }

  @Test func aFrameThatFailsStopsNoOther() throws {
    try Data("no picture".utf8).write(to: URL(filePath: scans[1]))
    let transcript = develop("--film", "c-41", "--roll", "--json")
    #expect(transcript.status == .failed)
    let report = try transcript.report(as: Report.self)
    #expect(report.files.count == 4 && report.failed.map(\.file) == [scans[1]])
    #expect(report.roll?.frames.count == 4)
    #expect(transcript.errors.filter { $0.contains("2-dim") }.count == 1)
  }

  /// Empty slots of a film holder are named and left out of the measurement.
  @Test func scansWithoutFilmDoNotSpoilARoll() throws {
    let film = try film()
    for (name, code) in [("white", UInt16.max), ("black", 0)] {
      let path = folder.path("\(name).png")
      let empty = Bitmap<UInt16>(FilmRollFixture.size, in: .displayP3, channels: .rgb) { _, _ in
        [code, code, code]
      }
      try ImageFile.write(.uint16(empty), to: path)
      let file = folder.path("film.json")
      let transcript = run(
        ["develop"] + scans + [
          path, "--film", "c-41", "--roll", "--out", folder.path("prints/{name}.png"),
          "--save-film", file,
        ])
      #expect(transcript.status == .done, "\(transcript.errors)")
      let notes = transcript.errors.filter { $0.contains("“\(path)” is left out") }
      #expect(notes.count == 1 && notes[0].contains("no film"), "\(transcript.errors)")
      let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
      #expect(try FilmRoll(json: text).film == film)
      let expected = try Picture(contentsOf: scans[0]).developed(film).render(as: UInt16.self)
      #expect(try prints()[0] == expected)
      // Each measured alone, it fails, and no other does.
      let alone = run(
        "develop", scans[0], path, "--film", "c-41", "--out", folder.path("prints/{name}.png"))
      #expect(alone.status == .failed && alone.errors.contains { $0.contains("no film") })
      #expect(alone.output.last == "1 of 2 pictures written, 1 failed")
      #expect(run("develop", path, folder.path("a.png")).status == .failed)
    }
  }

  @Test func stripsBecomeFrames() throws {
    // Two scenes on one strip, with film between them.
    let parts = try [0, 1].map { try FilmRollFixture.scan($0) }
    let strip = Bitmap<UInt16>(PixelSize(144, 48), in: .displayP3, channels: .rgb) { x, y in
      (0..<3).map { parts[x / 72][x % 72, y, $0] }
    }
    let path = folder.path("strip.png")
    try ImageFile.write(.uint16(strip), to: path)
    let out = folder.path("prints/{name}.png")
    let transcript = run(
      "develop", path, "--film", "c-41", "--out", out, "--frames", "3,3,66x42; 75,3,66x42")
    #expect(transcript.status == .done, "\(transcript.errors)")
    let picture = try Picture(contentsOf: path)
    let film = try FilmProcess.c41.film().measured(on: picture)
    for (index, x) in [3, 75].enumerated() {
      let expected = try picture.developed(film)
        .cropped(to: Region(x: x, y: 3, width: 66, height: 42)).render(as: UInt16.self)
      #expect(try bitmap("prints/strip-\(index + 1).png") == expected)
    }
    let outside = run("develop", path, "--out", out, "--frames", "100,3,66x42")
    #expect(outside.status == .failed && outside.complaint.contains("--frames 100,3,66x42"))
    #expect(outside.complaint.contains("144 × 48"), "\(outside.complaint)")
    #expect(run("develop", path, folder.path("a.png"), "--frames", "0,0,9x9").status == .misused)
    #expect(run("develop", path, "--out", out, "--frames", "0,0,9").status == .misused)
  }

  @Test func optionsThatContradictAreRefused() throws {
    let cases: [([String], Outcome, String)] = [
      (["--roll", "--film-from", scans[0]], .misused, "--film-from"),
      (["--film", "published", "--roll"], .misused, "roll"),
      (["--film", "kodak"], .misused, "c-41"),
      (["--film", folder.path("none.json")], .failed, "none.json"),
      (["--roll", "--film-base-region", "70,0,9,9"], .failed, "--film-base-region 70,0,9x9"),
      (["--film-white-region", "0,40,9,9"], .failed, "--film-white-region 0,40,9x9"),
      (["--film-from", folder.path("none.png")], .failed, "none.png"),
      (["--contact-sheet", scans[0]], .misused, "which is read"),
      (["--contact-sheet", folder.path("prints/2-dim.png")], .misused, "2-dim.png"),
      (["--save-film", folder.path("film.json")], .misused, "Add --roll."),
      (["--film", "c-41", "--save-film", folder.path("film.json")], .misused, "Add --roll."),
      (["--roll", "--save-film", scans[1]], .misused, "which is read"),
      (["--roll", "--save-film", folder.path("prints/2-dim.png")], .misused, "2-dim.png"),
    ]
    for (words, status, named) in cases {
      let transcript = run(
        ["develop"] + scans + ["--out", folder.path("prints/{name}.png")] + words)
      #expect(transcript.status == status && transcript.complaint.contains(named), "\(words)")
    }
    let output = folder.path("a.png")
    #expect(
      run("develop", scans[0], output, "--contact-sheet", folder.path("s.png")).status == .misused)
    let before = try Data(contentsOf: URL(filePath: scans[0]))
    for film in [scans[0], output] {
      #expect(
        run("develop", scans[0], output, "--roll", "--save-film", film).status == .misused)
    }
    #expect(try Data(contentsOf: URL(filePath: scans[0])) == before)
  }

  /// Nothing is developed, and no film written, where the sheet or the names of results cannot be.
  @Test func argumentsAreCheckedBeforeTheWork() throws {
    let files = FileManager.default
    let film = folder.path("film.json")
    for (words, sentence) in [
      (["--out", folder.path("prints/same.png")], "would both be written"),
      (["--out", folder.path("none/{name}.png")], "--make-folders"),
      (["--contact-sheet", folder.path("sheet")], "Let it end in one of"),
      (["--contact-sheet", folder.path("s.png"), "--cell", "99999999"], "exceeds the limit"),
      (["--contact-sheet", folder.path("s.png"), "--gap", "99999999"], "exceeds the limit"),
      (["--contact-sheet", folder.path("none/s.png")], "--make-folders"),
      (["--contact-sheet", folder.path("s.png"), "--untagged"], "“--untagged” leaves out"),
    ] {
      let out = words[0] == "--out" ? [] : ["--out", folder.path("prints/{name}.png")]
      let transcript = run(
        ["develop"] + scans + ["--roll", "--save-film", film] + out + words)
      #expect(transcript.status != .done, "\(words)")
      #expect(transcript.complaint.contains(sentence), "\(words): \(transcript.errors)")
      #expect(try files.contentsOfDirectory(atPath: folder.path("prints")).isEmpty, "\(words)")
      #expect(!files.fileExists(atPath: film), "\(words)")
    }
    let one = run(
      "develop", scans[0], folder.path("none/a.png"), "--roll", "--save-film", film)
    #expect(one.status == .failed && one.complaint.contains("--make-folders"), "\(one.errors)")
    #expect(!files.fileExists(atPath: film))
    for (words, sentence) in [
      (scans + ["--roll"], "without --out one picture"),
      ([scans[0], folder.path("a.png"), "--roll", "--frames", "0,0,9x9"], "“--frames”"),
      (
        [scans[0], folder.path("a.png"), "--roll", "--contact-sheet", folder.path("s.png")],
        "“--contact-sheet”"
      ),
      ([scans[0], "--film-from", scans[1]], "There is no file to write. Name one after"),
    ] {
      let transcript = run(["develop"] + words + ["--save-film", film])
      #expect(transcript.status == .misused, "\(words)")
      #expect(transcript.complaint.contains(sentence), "\(words): \(transcript.errors)")
      #expect(!files.fileExists(atPath: film), "\(words)")
    }
  }

  /// The film is measured on all scans, and the sheet shows all prints, whichever exist already.
  @Test func anInterruptedRollContinues() throws {
    func roll(_ words: String...) -> Transcript {
      run(
        ["develop"] + scans + ["--out", folder.path("prints/{name}.png"), "--roll"]
          + ["--contact-sheet", folder.path("sheet.png")] + words)
    }
    #expect(roll().status == .done)
    let whole = (try prints(), try bitmap("sheet.png"))
    for name in [FilmRollFixture.names[0], FilmRollFixture.names[2]] {
      try FileManager.default.removeItem(atPath: folder.path("prints/\(name).png"))
    }
    let continued = roll("--existing", "skip")
    #expect(continued.status == .done, "\(continued.errors)")
    let count = scans.count
    #expect(continued.output == ["2 of \(count) pictures written, \(count - 2) were there"])
    #expect(try prints() == whole.0)
    #expect(try bitmap("sheet.png") == whole.1)
    let refused = roll("--existing", "refuse")
    #expect(refused.status == .failed && refused.errors.count == 1)
    #expect(refused.complaint.contains("of \(count + 1) of the \(count + 1) files"))
  }

  @Test func theFolderOfAFilmIsMade() throws {
    let path = folder.path("films/film.json")
    let words = ["--roll", "--save-film", path, "--make-folders"]
    let planned = run(
      ["develop"] + scans + ["--out", folder.path("prints/{name}.png"), "--plan"] + words)
    #expect(planned.status == .done, "\(planned.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("films")))
    let developed = run(
      ["develop"] + scans + ["--out", folder.path("prints/{name}.png")] + words)
    #expect(developed.status == .done, "\(developed.errors)")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  /// The sheet of the guide. COLORLOOM_RECORD=1 records it again.
  @Test func contactSheetsShowTheRoll() throws {
    let sheet = folder.path("sheet.png")
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path).render(as: UInt16.self)
    let names = (0..<6).map { folder.path("roll/frame-\($0 + 1).png") }
    // Parts of one negative, each with the same border of unexposed film above.
    for (index, name) in names.enumerated() {
      let (left, top) = (20 + index % 3 * 220, 20 + index / 3 * 215)
      let frame = Bitmap<UInt16>(PixelSize(220, 202), in: photo.space, channels: .rgb) { x, y in
        (0..<3).map { y < 12 ? photo[x, y, $0] : photo[left + x, top + y - 12, $0] }
      }
      try ImageFile.write(.uint16(frame), to: name)
    }
    let transcript = run(
      ["develop"] + names + [
        "--roll", "--exposure", "0.3", "--paper", "1.6", "--out", folder.path("prints/{name}.png"),
        "--contact-sheet", sheet, "--columns", "3", "--cell", "180x166", "--captions", "--sheet",
        "white", "--json",
      ])
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(try transcript.report(as: Report.self).sheet?.file == sheet)
    let made = try ImageFile.read(sheet).converted(to: UInt8.self)
    #expect(made.size == PixelSize(3 * 188 + 8, 2 * (166 + 20 + 8) + 8))
    let shipped = Fixtures.url("../Documentation/Images/film-roll.png").path
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] == "1" {
      try ImageFile.write(.uint8(made), to: shipped)
    }
    #expect(try ImageFile.read(shipped).converted(to: UInt8.self) == made)
  }

  @Test func captionsStandBelowCells() throws {
    func sheet(_ words: String...) throws -> Bitmap<UInt16> {
      let path = folder.path("sheet.png")
      #expect(
        run(
          ["montage"] + scans.prefix(2) + ["--out", path, "--cell", "72x48", "--gap", "4"] + words
        ).status
          == .done)
      return try ImageFile.read(path).converted(to: UInt16.self)
    }
    let (plain, captioned) = (try sheet(), try sheet("--captions"))
    #expect(captioned.size == PixelSize(plain.size.width, plain.size.height + 20))
    let cell = Region(x: 4, y: 4, width: 148, height: 48)
    #expect(plain.view(of: cell).samples == captioned.view(of: cell).samples)
    // Black letters of two pixels, on white.
    let below = captioned.view(of: Region(x: 4, y: 52, width: 72, height: 20)).samples
    #expect(Set(below) == [0, 65535])
    let dark = try sheet("--captions", "--sheet", "black")
    #expect(dark.view(of: Region(x: 4, y: 52, width: 72, height: 20)).samples.max() == 65535)
  }

  /// Each file is open only while it is measured, developed or laid on the sheet. Files of more than 64 KiB are not read into memory.
  @Test func rollsOfManyFramesNeedFewOpenFiles() throws {
    let (first, count) = (folder.path("many/0.png"), 70)
    try FileManager.default.createDirectory(
      atPath: folder.path("many"), withIntermediateDirectories: true)
    let negative = Fixtures.url("negative.png").path
    #expect(run("convert", negative, first, "--crop", "0,0,240x200").status == .done)
    try #require(Data(contentsOf: URL(filePath: first)).count > 1 << 16)
    for index in 1..<count {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("many/\(index).png"), withDestinationPath: first)
    }
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = [
      "-c", #"ulimit -n 64 && exec "$0" "$@" > .output 2> .message"#,
      Client.built("colorloom").path, "develop", "many", "--roll", "--film", "c-41", "--fit", "16",
      "--out", "prints/{name}.png", "--contact-sheet", "sheet.png", "--threads", "2",
    ]
    shell.currentDirectoryURL = URL(filePath: folder.path(""))
    shell.standardInput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    let output = try String(contentsOf: URL(filePath: folder.path(".output")), encoding: .utf8)
    #expect(shell.terminationStatus == 0 && output == "70 of 70 pictures written\n", "\(output)")
  }
}
