import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// One command for many files.
@Suite struct ManyPicturesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
  }

  fileprivate func path(_ name: String) -> String { folder.path(name) }

  fileprivate func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  /// Pictures of different sizes, and their paths.
  fileprivate func pictures(_ names: [String]) throws -> [String] {
    try names.enumerated().map { index, name in
      let bitmap = TestPictures.codes(
        as: UInt8.self, PixelSize(40 + index, 30), in: .displayP3, channels: .rgb)
      try ImageFile.write(.uint8(bitmap), to: path("in/\(name)"))
      return path("in/\(name)")
    }
  }

  @Test func manyOutputsEqualSeparateConversions() throws {
    let files = try pictures(["a.png", "b.jpg", "c.tif"])
    let words = ["--thumbnail", "20", "--to", "srgb", "--make-folders"]
    let transcript = run(["convert"] + files + ["--out", path("small/{name}.png")] + words)
    #expect(transcript.status == .done)
    #expect(transcript.output == ["3 of 3 pictures written"])
    for (file, name) in zip(files, ["a", "b", "c"]) {
      #expect(run(["convert", file, path("alone.png")] + words).status == .done)
      #expect(
        FileManager.default.contentsEqual(
          atPath: path("small/\(name).png"), andPath: path("alone.png")))
    }
  }

  @Test func foldersAreReadByTheirNames() throws {
    _ = try pictures(["b.png", "a.jpg", "c.png"])
    try Data("no picture".utf8).write(to: URL(filePath: path("in/notes.txt")))
    let transcript = run(
      "convert", path("in"), "--out", path("out/{number}-{name}.{ext}"), "--make-folders")
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(exists("out/1-a.jpg") && exists("out/2-b.png") && exists("out/3-c.png"))
    #expect(run("convert", path("in"), "--out", path("out"), "--fit", "9").status == .done)
    #expect(try ImageFile.info(path("out/b.png")).size.width == 9)
  }

  /// A folder to create needs no slash, unless its name has an ending.
  @Test func foldersToMakeNeedNoSlash() throws {
    let files = try pictures(["a.png", "b.jpg"])
    let words = ["--out", path("new"), "--thumbnail", "20"]
    let refused = run(["convert"] + files + words)
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains("end in “/” to name a folder"), "\(refused.errors)")
    let made = run(["convert"] + files + words + ["--make-folders"])
    #expect(made.status == .done, "\(made.errors)")
    #expect(exists("new/a.png") && exists("new/b.jpg"))
    // A mistyped ending, and that of a format which is not written.
    for name in ["a.jpgg", "result.pdf"] {
      let mistyped = run("convert", files[0], "--out", path(name), "--make-folders")
      #expect(mistyped.status != .done && !exists(name), "\(name)")
    }
    let file = run("convert", files[0], "--out", path("one.png"), "--make-folders")
    #expect(file.status == .done, "\(file.errors)")
    #expect(try ImageFile.info(path("one.png")).size == PixelSize(40, 30))
    // --format says that the name is that of a file, whether it exists or not.
    for _ in 0..<2 {
      let named = run(
        "convert", files[0], "--out", path("one"), "--format", "png", "--make-folders")
      #expect(named.status == .done, "\(named.errors)")
      #expect(try ImageFile.info(path("one")).size == PixelSize(40, 30))
    }
  }

  /// The sentence names all endings that are looked for, also those of formats that are only read.
  @Test func aFolderWithoutPicturesNamesTheEndings() throws {
    let empty = run("info", path("in"))
    #expect(empty.status == .failed)
    for ending in ["png", "jpeg", "ppm", "gif"] {
      #expect(empty.complaint.contains(".\(ending)"), "\(empty.errors)")
    }
  }

  @Test func picturesThatFoldersLeaveOutAreCounted() throws {
    _ = try pictures(["a.png"])
    for name in ["b.tga", "c.TGA", "d.psd", "notes.txt", ".e.tga"] {
      try Data("no picture".utf8).write(to: URL(filePath: path("in/\(name)")))
    }
    let note =
      "“\(path("in"))”: 3 files are left out, of formats that are not read from folders here: 1 .psd, 2 .tga."
    for words in [
      ["convert", path("in"), "--out", path("out/{name}.png"), "--make-folders"],
      ["info", path("in")],
      ["montage", path("in"), "--out", path("sheet.png")],
    ] {
      let transcript = run(words)
      #expect(transcript.status == .done && transcript.errors == [note], "\(transcript.errors)")
    }
    #expect(run("info", path("in/a.png")).errors.isEmpty)
  }

  @Test func aFailureStopsNoOther() throws {
    var files = try pictures(["a.png", "b.png", "c.png"])
    try Data([1, 2, 3]).write(to: URL(filePath: path("in/broken.png")))
    files.insert(path("in/broken.png"), at: 1)
    files.append(path("in/missing.png"))
    try FileManager.default.createDirectory(
      atPath: path("out"), withIntermediateDirectories: true)
    let transcript = run(["convert"] + files + ["--out", path("out/{name}.jpg")])
    #expect(transcript.status == .failed)
    #expect(transcript.output == ["3 of 5 pictures written, 2 failed"])
    #expect(transcript.errors.count == 2)
    for name in ["broken.png", "missing.png"] {
      #expect(transcript.errors.contains { $0.contains(path("in/\(name)")) })
    }
    #expect(exists("out/a.jpg") && exists("out/b.jpg") && exists("out/c.jpg"))
    #expect(!exists("out/broken.jpg") && !exists("out/missing.jpg"))

    struct Report: Decodable {
      struct Written: Decodable { let file: String }
      struct Failed: Decodable { let file, error: String }
      let files: [Written]
      let failed: [Failed]
    }
    let json = run(["convert"] + files + ["--out", path("out/{name}.jpg"), "--json"])
    let report = try json.report(as: Report.self)
    #expect(report.files.map(\.file) == ["a", "b", "c"].map { path("out/\($0).jpg") })
    #expect(report.failed.map(\.file) == [files[1], files[4]])
  }

  /// Before the first pixel: what would overwrite something, and what goes nowhere.
  @Test func namesAreChecked() throws {
    let files = try pictures(["a.png", "a.jpg", "b.png"])
    func refusal(_ words: String...) -> String {
      let transcript = run(["convert"] + files + words)
      #expect(transcript.status != .done)
      #expect(transcript.errors.count == 1)
      return transcript.errors.first ?? ""
    }
    #expect(refusal().contains("--out"))
    #expect(refusal("--out", path("{name}.tif")).contains("both be written"))
    #expect(refusal("--out", path("same.tif")).contains("both be written"))
    #expect(refusal("--out", path("in/{name}.{ext}")).contains("which is read"))
    #expect(refusal("--out", path("{nmae}.tif")).contains("{name}"))
    #expect(refusal("--out", path("{name.tif")).contains("}"))
    #expect(refusal("--out", "-").contains("several"))
    let missing = refusal("--out", path("none/{name}.{ext}.tif"))
    #expect(missing.contains(path("none")) && missing.contains("--make-folders"))
    #expect(
      run("convert", files[0], path("none/a.png")).errors.first?.contains("--make-folders") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: path("")).sorted()
    #expect(names == ["in"])
  }

  /// A picture that exceeds its share of the memory budget is processed alone with all of it.
  @Test func memoryIsShared() throws {
    var files: [String] = []
    for index in 0..<4 {
      let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(600, 400), channels: .rgb)
      files.append(path("in/\(index).png"))
      try ImageFile.write(.uint8(bitmap), to: files[index])
    }
    let words = ["--out", path("{name}.tif"), "--threads", "4", "--gaussian-blur", "2"]
    let alone = run(
      "convert", files[0], path("one.tif"), "--gaussian-blur", "2", "--threads", "4", "--memory",
      "1000")
    let needed = try #require(
      alone.errors.first.flatMap { $0.split(separator: " ").compactMap { Int($0) }.first })
    let enough = run(["convert"] + files + words + ["--memory", "\(needed)"])
    #expect(enough.status == .done, "\(enough.errors)")
    #expect(enough.output == ["4 of 4 pictures written"])
    let little = run(["convert"] + files + words + ["--memory", "1000"])
    #expect(little.status == .failed && little.errors.count == 4)
    #expect(little.output == ["0 of 4 pictures written, 4 failed"])
  }

  @Test func otherVerbsTakeManyToo() throws {
    let files = try pictures(["a.png", "b.png"])
    let highlighted = run(["highlight"] + files + ["--out", path("h-{name}.png")])
    #expect(highlighted.status == .done && exists("h-a.png") && exists("h-b.png"))
    #expect(
      run(["highlight"] + files + ["--out", path("h-{name}.png"), "--count"]).status == .misused)
    let plans = run(["convert"] + files + ["--plan", "--fit", "9", "--out", path("p-{name}.png")])
    #expect(plans.status == .done && !exists("p-a.png"))
    let headings = ["a.png", "b.png"].map { "\(path("in/\($0)")) → \(path("p-\($0)")):" }
    #expect(plans.output.count == 4 && [plans.output[0], plans.output[2]] == headings)
  }

  /// One report, in which each plan has its files, and which names those that have none.
  @Test func plansOfManyAreOneReport() throws {
    struct Report: Decodable {
      struct File: Decodable {
        struct Plan: Decodable { let peakBytes: Int }
        let file, output: String
        let plan: Plan
      }
      struct Failure: Decodable { let file: String }
      let files: [File]
      let failed: [Failure]
    }
    let files = try pictures(["a.png", "b.png"])
    let missing = path("in/none.png")
    let planned = run(
      "convert", files[0], missing, files[1], "--out", path("p-{name}.png"), "--plan", "--json")
    #expect(planned.status == .failed)
    let report = try planned.report(as: Report.self)
    #expect(report.files.map(\.file) == files && report.files.allSatisfy { $0.plan.peakBytes > 0 })
    #expect(report.files.map(\.output) == ["p-a.png", "p-b.png"].map { path($0) })
    #expect(report.failed.map(\.file) == [missing])
  }

  @Test func plansMakeNoFolders() throws {
    let files = try pictures(["a.png"])
    let words = ["convert", files[0], path("new/deep/a.png"), "--plan"]
    #expect(run(words).status == .failed)
    let plan = run(words + ["--make-folders"])
    #expect(plan.status == .done, "\(plan.errors)")
    let many = ["--out", path("new/{name}.tif"), "--make-folders", "--plan"]
    #expect(run(["convert", files[0]] + many).status == .done)
    #expect(!exists("new"))
  }

  @Test func infoTellsOfMany() throws {
    let files = try pictures(["a.png", "b.png"])
    let transcript = run(["info", files[0], path("in/none.png"), files[1]])
    #expect(transcript.status == .failed)
    #expect(transcript.output.count == 2 && transcript.errors.count == 1)
    #expect(run("info", path("in")).output.count == 2)
    #expect(run("info", path("in"), "--json").json.count == 2)
  }

  /// A file that cannot be read has a report too, and the note on a folder is not repeated as one on each of its files.
  @Test func infoReportsEachFileAlone() throws {
    struct Report: Decodable {
      let file: String
      let notes: [String]?
      let error: String?
    }
    let files = try pictures(["a.png", "b.png"])
    try Data("no picture".utf8).write(to: URL(filePath: path("in/c.tga")))
    try Data("no picture".utf8).write(to: URL(filePath: path("in/d.png")))
    let transcript = run("info", path("in"), "--json")
    #expect(transcript.status == .failed && transcript.errors.count == 2)
    let reports = try transcript.json.map {
      try JSONDecoder().decode(Report.self, from: Data($0.utf8))
    }
    #expect(reports.map(\.file) == files + [path("in/d.png")])
    #expect(reports.map { $0.notes?.count } == [0, 0, nil])
    #expect(reports.map { $0.error != nil } == [false, false, true])
  }

  /// A folder without pictures, like one that cannot be read.
  @Test func unusableFoldersStopNoOther() throws {
    let (file, empty) = (try pictures(["a.png"])[0], path("empty"))
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    let told = run("info", empty, file)
    #expect(told.status == .failed && told.output.count == 1 && told.errors.count == 1)
    struct Report: Decodable {
      struct Failed: Decodable { let file, error: String }
      let failed: [Failed]
    }
    let sheet = run("montage", empty, file, "--out", path("sheet.png"), "--json")
    #expect(sheet.status == .failed && exists("sheet.png"))
    let failed = try sheet.report(as: Report.self).failed
    #expect(failed.map(\.file) == [empty] && failed.map(\.error) == sheet.errors)
    let none = run("montage", empty, "--out", path("none.png"))
    #expect(none.status == .failed && none.errors == sheet.errors && !exists("none.png"))
  }

  /// No folder can be made in /proc.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc"), "this system has no /proc"))
  func reasonsAreThoseOfTheSystem() throws {
    let file = try pictures(["a.png"])[0]
    let transcript = run("convert", file, "--out", "/proc/none/{name}.png", "--make-folders")
    let sentence = "The folder “/proc/none” cannot be made: No such file or directory."
    #expect(transcript.errors == ["colorloom: \(sentence)"])
  }

  @Test func comparisonsMayFail() throws {
    let files = try pictures(["a.png"])
    #expect(
      run("convert", files[0], path("b.png"), "--exposure", "-0.1", "--samples", "u8").status
        == .done)
    #expect(run("compare", files[0], files[0], "--fail-above", "0").status == .done)
    #expect(run("compare", files[0], path("b.png"), "--fail-above", "0.01").status == .failed)
    #expect(run("compare", files[0], path("b.png"), "--fail-above", "50").status == .done)
    #expect(run("compare", files[0], path("b.png"), "--fail-above", "-1").status == .misused)
  }

  /// A difference that is NaN is not below any limit.
  @Test func comparisonsOfNaNFail() throws {
    let files = try ["a.exr", "b.exr"].map { name in
      let bitmap = Bitmap<Float>(PixelSize(12, 12), in: .linearSRGB, channels: .rgb) { x, y in
        [x + y == 0 && name == "a.exr" ? .nan : 0.5, 0.5, 0.5]
      }
      try ImageFile.write(.float32(bitmap), to: path(name))
      return path(name)
    }
    let transcript = run("compare", files[0], files[1], "--fail-above", "100")
    #expect(transcript.status == .failed)
    #expect(transcript.output.contains("ΔE undefined    1 pixel, of NaN or infinite values"))
    #expect(transcript.output.contains("ΔE largest      NaN"), "\(transcript.output)")
    #expect(!transcript.text.contains("nan"), "\(transcript.output)")
    struct Report: Decodable {
      struct Difference: Decodable { let maximum: String }
      let deltaE: Difference
    }
    let report: Report = try run("compare", files[0], files[1], "--json").report()
    #expect(report.deltaE.maximum == "nan")
  }

  @Test func shortForms() throws {
    let files = try pictures(["a.png"])
    #expect(run("--version").output.first?.hasPrefix("colorloom ") == true)
    let output = path("q.jpg")
    #expect(run("convert", files[0], output, "-q", "--progressive").status == .done)
    #expect(try ImageFile.info(output).storage.contains("progressive"))
    let misuse = run("convert", files[0], output, "-q", "85")
    #expect(misuse.status == .misused && misuse.errors.first?.contains("--quality 85") == true)
    // After “--”, and as values, the same words are texts.
    #expect(run("info", "--", "-q").complaint.contains("“-q” cannot be read"))
    let look = path("a.cube")
    #expect(run("look", "bake", look, "--exposure", "0", "--title", "-q").status == .done)
    #expect(try Look(contentsOf: look).title == "-q")
  }

  @Test func standardInputIsNoneOfSeveralPictures() throws {
    let refused = run("info", try pictures(["a.png"])[0], "-")
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains("“-” cannot be one of several pictures."))
    #expect(!refused.complaint.contains("--out"))
  }

  @Test func montagesAreSheets() throws {
    var files = try pictures(["a.png", "b.png", "c.png"])
    let words = ["--out", path("sheet.png"), "--cell", "20", "--gap", "2", "--columns", "2"]
    #expect(run(["montage"] + files + words).status == .done)
    let sheet = try ImageFile.read(path("sheet.png")).converted(to: UInt16.self)
    #expect(sheet.size == PixelSize(46, 46) && sheet.channels == .rgb)
    let first = try Picture(contentsOf: files[0]).thumbnail(20).render(as: UInt16.self)
    let top = 2 + (20 - first.size.height) / 2
    let part = sheet.view(of: Region(x: 2, y: top, width: 20, height: first.size.height))
    #expect(part.samples == first.samples)
    #expect(sheet.row(0).allSatisfy { $0 == 65535 })
    // The fourth cell is empty.
    #expect(sheet.view(of: Region(x: 24, y: 24, width: 22, height: 22)).samples.min() == 65535)
    files[1] = path("in/none.png")
    let broken = run(["montage"] + files + words)
    #expect(broken.status == .failed && broken.errors.count == 1)
    #expect(exists("sheet.png"))
    struct Report: Decodable {
      struct Failed: Decodable { let file, error: String }
      let failed: [Failed]
    }
    let failed = try run(["montage"] + files + words + ["--json"]).report(as: Report.self).failed
    #expect(failed.map(\.file) == [files[1]] && failed.map(\.error) == broken.errors)
  }
}

extension ManyPicturesTests {
  @Test func sheetsAreWithinTheMemoryLimit() throws {
    let files = try pictures(["a.png", "b.png"])
    let words = ["montage"] + files + ["--out", path("sheet.png"), "--cell", "1000", "--memory"]
    // 2024 × 1016 pixels of 6 bytes.
    let refused = run(words + ["12338303"])
    #expect(
      refused.errors == [
        "colorloom: “\(path("sheet.png"))” takes up to 12338304 bytes of memory; the limit is 12338303. "
          + "Pass --memory 12338304 to allow it."
      ])
    #expect(refused.status == .failed && !exists("sheet.png"))
    #expect(run(words + ["100000000"]).status == .done)
  }

  @Test func truncatedFilesAreSalvaged() throws {
    // Noise, so that a part of the file is a part of the rows.
    var random = SeededGenerator(seed: 3)
    let noise = Bitmap<UInt8>(PixelSize(100, 90), in: .sRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in .random(in: 0...255, using: &random) }
    }
    let files = [path("in/a.png")]
    try ImageFile.write(.uint8(noise), to: files[0])
    let bytes = try Data(contentsOf: URL(filePath: files[0]))
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: files[0]))
    let refused = run("convert", files[0], path("b.png"))
    #expect(refused.status == .failed && !exists("b.png"))
    #expect(
      refused.errors.first?.hasSuffix("rows are present. “colorloom convert --salvage” reads them.")
        == true)
    let salvaged = run("convert", files[0], path("b.png"), "--salvage")
    #expect(salvaged.status == .done && exists("b.png"))
    #expect(salvaged.errors.count == 1 && salvaged.errors.first?.contains("of 90 rows") == true)
  }

  /// Damage in the rows leaves those before it; damage in the header leaves nothing.
  @Test func damagedRowsAreNotReadWithoutSalvage() throws {
    let file = path("in/a.png")
    var random = SeededGenerator(seed: 3)
    let noise = Bitmap<UInt8>(PixelSize(100, 90), in: .sRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in .random(in: 0...255, using: &random) }
    }
    try ImageFile.write(.uint8(noise), to: file)
    let whole = try Data(contentsOf: URL(filePath: file))
    func damage(at index: Int) throws {
      var damaged = whole
      damaged[index] ^= 0xFF
      try damaged.write(to: URL(filePath: file))
    }
    try damage(at: whole.count * 2 / 3)
    let refused = run("convert", file, path("b.png"))
    #expect(refused.status == .failed && !exists("b.png"))
    #expect(refused.complaint.contains("“\(file)” is damaged"), "\(refused.errors)")
    #expect(refused.complaint.hasSuffix("Pass --salvage to read what is intact."))
    // The film is measured before the picture is developed.
    let developed = run("develop", file, path("b.png"), "--roll")
    #expect(developed.complaint.hasSuffix("Pass --salvage to read what is intact."))
    // The gain map is rendered before the picture is written.
    let mapped = run("convert", file, path("b.jpg"), "--gain-maps", "add", "--exposure", "-1")
    #expect(mapped.complaint.contains("“\(file)” is damaged"), "\(mapped.errors)")
    #expect(mapped.complaint.hasSuffix("Pass --salvage to read what is intact."))
    #expect(run("convert", file, path("b.png"), "--salvage").status == .done)
    // The first byte of the packed rows, and the width in the header.
    let packed = try #require(whole.range(of: Data("IDAT".utf8))).upperBound
    for index in [packed, 18] {
      try damage(at: index)
      for words in [[], ["--salvage"]] {
        let transcript = run(["convert", file, path("c.png")] + words)
        #expect(transcript.status == .failed)
        #expect(!transcript.complaint.contains("--salvage"), "\(transcript.errors)")
      }
    }
  }

  /// --salvage reads the scans that are present of a progressive JPEG.
  @Test func missingScansAreNotReadWithoutSalvage() throws {
    let file = path("in/a.jpg")
    let picture = Bitmap<UInt8>(PixelSize(64, 64), in: .sRGB, channels: .rgb) { x, y in
      [UInt8(x), UInt8(y), UInt8(truncatingIfNeeded: 97 * x * y)]
    }
    try ImageFile.write(.uint8(picture), to: file, options: WritingOptions(isProgressive: true))
    let bytes = try Data(contentsOf: URL(filePath: file))
    try bytes.prefix(bytes.count * 3 / 4).write(to: URL(filePath: file))
    let refused = run("convert", file, path("b.png"))
    #expect(
      refused.complaint.hasSuffix(
        "before its last scan, which has details. Pass --salvage to read what is intact."),
      "\(refused.errors)")
    #expect(run("convert", file, path("b.png"), "--salvage").status == .done)
  }
}
