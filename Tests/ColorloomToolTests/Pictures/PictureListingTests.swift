import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Folders in place of files: what is read of them, and where `{folder}` leads.
@Suite struct PictureListingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: path(name))
  }

  private func write(_ names: String...) throws {
    for name in names {
      let file = URL(filePath: path(name))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(12, 9), channels: .rgb)
      try ImageFile.write(.uint8(bitmap), to: file.path)
    }
  }

  private struct Report: Decodable {
    struct File: Decodable { let file, source, output: String }
    struct Failed: Decodable {
      let file, error: String
      let source, output: String?
    }
    struct Existing: Decodable, Equatable { let source, output: String }
    let files: [File]
    let failed: [Failed]
    let existing: [Existing]?
    let skipped: [String]?
  }

  // MARK: - What is read

  /// Nobody writes to the pipe, so that opening it would never return.
  @Test func pipesInFoldersAreLeftOut() throws {
    try write("in/a.png")
    try #require(mkfifo(path("in/b.png"), 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: path("in/c.png"), withDestinationPath: path("in/a.png"))
    let note =
      "“\(path("in"))”: “\(path("in/b.png"))” is left out: only regular files are read from folders."
    for words in [
      ["convert", path("in"), "--out", path("out/{name}.png"), "--make-folders"],
      ["info", path("in")], ["montage", path("in"), "--out", path("sheet.png")],
    ] {
      let transcript = run(words)
      #expect(transcript.status == .done && transcript.errors == [note], "\(transcript.errors)")
    }
    #expect(exists("out/a.png") && !exists("out/b.png") && exists("out/c.png"))
  }

  @Test func foldersInFoldersAreCounted() throws {
    try write("tree/a.png", "tree/x/b.png", "tree/y/z/c.png")
    let told = run("info", path("tree"))
    #expect(told.output.count == 1)
    #expect(told.errors == ["“\(path("tree"))”: 2 folders in it are left out."])
    let converted = run("convert", path("tree"), "--out", path("out/{name}.png"), "--make-folders")
    #expect(
      converted.errors == [
        "“\(path("tree"))”: 2 folders in it are left out. Pass --recursive to read the pictures in folders, too."
      ])
    #expect(converted.output == ["1 of 1 pictures written"])
  }

  /// A link to a folder, which may lead in a circle, is left out.
  @Test func foldersInFoldersAreReadOnRequest() throws {
    try write("tree/a.png", "tree/x/a.png", "tree/y/z/a.png")
    try FileManager.default.createSymbolicLink(
      atPath: path("tree/y/round"), withDestinationPath: path("tree"))
    let words = ["convert", path("tree"), "--recursive", "--make-folders", "--out"]
    let flat = run(words + [path("flat/{name}.jpg")])
    #expect(flat.status == .misused && flat.complaint.contains("both be written"))
    let converted = run(words + [path("out/{folder}/{name}.jpg")])
    #expect(converted.status == .done, "\(converted.errors)")
    #expect(converted.output == ["3 of 3 pictures written"])
    #expect(converted.errors == ["“\(path("tree"))”: 1 link to a folder in it is left out."])
    for name in ["a", "x/a", "y/z/a"] {
      #expect(exists("out/\(path("tree"))/\(name).jpg"), "\(name)")
    }
  }

  // MARK: - Where results go

  /// A JPEG often lies beside the PNG that is converted.
  @Test func foldersOfSourcesDoNotLeadOutOfThatOfResults() throws {
    try write("originals/a.png", "originals/a.jpg")
    let before = try Data(contentsOf: URL(filePath: path("originals/a.jpg")))
    // From the folder of the test process up to the root, and down.
    let up = Array(repeating: "..", count: 60).joined(separator: "/")
    let source = up + path("originals/a.png")
    let words = ["convert", source, "--make-folders", "--out"]
    let transcript = run(words + [path("small/{folder}/{name}.jpg")])
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(exists("small/\(path("originals/a.jpg"))"))
    #expect(try Data(contentsOf: URL(filePath: path("originals/a.jpg"))) == before)
    // “..” leads back to a folder before it, and “.” nowhere.
    try write("x/y/b.png")
    let detour = up + path("x/./y/../../originals/a.png")
    let beside = path("b-{folder}/a.jpg")
    #expect(run("convert", detour, "--make-folders", "--out", beside).status == .done)
    #expect(exists("b-\(path("originals").dropFirst())/a.jpg"))
    // At its beginning, the pattern means the folder itself.
    #expect(run(words + ["{folder}/{name}-2.jpg"]).status == .done)
    #expect(exists("originals/a-2.jpg"))
  }

  // MARK: - Reports

  /// A number alone does not say which source a result is made of.
  @Test func reportsNameSourcesAndOutputs() throws {
    try write("in/a.png", "in/c.png", "out/3.jpg")
    try Data("no picture".utf8).write(to: URL(filePath: path("in/b.png")))
    let words = ["convert", path("in"), "--out", path("out/{number}.jpg"), "--json"]
    let report: Report = try run(words + ["--existing", "skip"]).report()
    #expect(report.files.map(\.source) == [path("in/a.png")])
    #expect(report.files.map(\.output) == [path("out/1.jpg")])
    #expect(report.files.map(\.file) == report.files.map(\.output))
    #expect(report.failed.map(\.source) == [path("in/b.png")])
    #expect(report.failed.map(\.output) == [path("out/2.jpg")])
    #expect(report.failed.map(\.file) == report.failed.map(\.source))
    let kept = Report.Existing(source: path("in/c.png"), output: path("out/3.jpg"))
    #expect(report.existing == [kept] && report.skipped == [kept.output])
    struct Plans: Decodable {
      struct File: Decodable { let source, output, file: String }
      let files: [File]
    }
    let plans = try run(words + ["--plan"]).report(as: Plans.self).files
    #expect(plans.map(\.source) == ["a", "c"].map { path("in/\($0).png") })
    #expect(plans.map(\.output) == [1, 3].map { path("out/\($0).jpg") })
    #expect(plans.map(\.file) == plans.map(\.source))
    struct Single: Decodable { let file, source: String }
    let single: Single = try run("convert", path("in/a.png"), path("b.png"), "--json").report()
    #expect(single.source == path("in/a.png") && single.file == path("b.png"))
  }
}
