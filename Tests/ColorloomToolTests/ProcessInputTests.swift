import ColorSpaces
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Words, names and lines as the bytes that a process gets, which need not be text.
@Suite struct ProcessInputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Ending {
    let output, message: String
    let status: Int32
  }

  /// Runs a shell script in the folder; “$0” is the tool. Bytes that `printf` makes become words and names, which `Process` cannot pass.
  private func run(script: String) throws -> Ending {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = [
      "-c", "\(script) > .output 2> .message", Client.built("colorloom").path,
    ]
    shell.currentDirectoryURL = URL(filePath: folder.path(""))
    shell.standardInput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    func text(_ name: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: folder.path(name))), as: UTF8.self)
    }
    return Ending(
      output: try text(".output"), message: try text(".message"), status: shell.terminationStatus)
  }

  private func writePicture(_ name: String) throws {
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(9, 7), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path(name))
  }

  /// Two such names would otherwise become the same file.
  @Test func wordsThatAreNotUTF8AreRefused() throws {
    try writePicture("g.png")
    let ending = try run(script: #""$0" convert g.png "$(printf 'o\351.png')""#)
    #expect(ending.status == 2 && ending.output.isEmpty)
    #expect(ending.message.contains(#"“o\xe9.png” is not UTF-8"#), "\(ending.message)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    #expect(names.filter { !$0.hasPrefix(".") } == ["g.png"])
  }

  /// Some file systems take UTF-8 only.
  @Test func namesThatAreNotUTF8AreNamed() throws {
    try writePicture("g.png")
    let made = try run(
      script: #"{ cp g.png "$(printf '\350.png')" && cp g.png "$(printf '\351.png')"; }"#)
    if made.status != 0 { return }
    let sentence =
      #"The folder “.” holds pictures whose names are not UTF-8: “\xe8.png” and 1 more."#
    let told = try run(script: #""$0" info ."#)
    #expect(told.status == 1 && told.message.contains(sentence), "\(told.message)")
    #expect(told.output.contains("g.png") && told.output.split(separator: "\n").count == 1)
    let converted = try run(script: #""$0" convert . --out 'o-{name}.png'"#)
    #expect(converted.status == 1 && converted.message.contains(sentence), "\(converted.message)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("o-g.png")))
    #expect(try run(script: "rm *.png").status == 0)
  }

  /// “-” is standard input, not a file of the current folder, which the tiles replace.
  @Test func tilesOfStandardInputReplaceTheCurrentFolder() throws {
    try writePicture("g.png")
    let ending = try run(
      script: #"mkdir in && (cd in && "$0" tiles - "$PWD" --layout xyz < ../g.png)"#)
    #expect(ending.status == 0, "\(ending.message)")
    #expect(FileManager.default.fileExists(atPath: folder.path("in/0/0/0.jpg")))
  }

  @Test func jobsThatAreNotUTF8AreNoJobs() throws {
    try Data([UInt8](#"{"id": 7, "run": ["info", ""#.utf8) + [0xE9] + [UInt8](#""]}"#.utf8))
      .write(to: URL(filePath: folder.path("jobs")))
    let ending = try run(script: #""$0" batch < jobs"#)
    #expect(ending.status == 0 && ending.output.contains(#""id":1,"#))
    #expect(ending.output.contains("Line 1 is no job. It is not UTF-8."), "\(ending.output)")
  }

  /// The lines after a long one are read.
  @Test func longLinesAreNoJobs() throws {
    let longest = 16 << 20
    let job = #"{"id": "last", "run": ["help"]}"#
    let blanks = String(repeating: " ", count: longest - job.utf8.count)
    let lines = [String(repeating: "A", count: longest + 1), job + blanks, ""]
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: folder.path("jobs")))
    let ending = try run(script: #""$0" batch < jobs"#)
    let results = ending.output.split(separator: "\n")
    try #require(results.count == 2)
    #expect(results[0].contains("Line 1 is no job. It is longer than 16 MiB."))
    #expect(results[0].utf8.count < 1000)
    #expect(results[1].contains(#""id":"last""#) && results[1].contains(#""status":0"#))
  }

  /// The rows after one that cannot be read are converted.
  @Test func rowsThatAreNoTextAreNamed() throws {
    let long = String(repeating: "1", count: (16 << 20) + 1)
    try Data([UInt8]("\(long)\n1 0 0\n".utf8) + [0xE9, 0x0A]).write(
      to: URL(filePath: folder.path("rows")))
    let ending = try run(script: #""$0" color --from p3 --to p3 < rows"#)
    #expect(ending.status == 1 && ending.output == "1.0 0.0 0.0\n")
    let problems = "row 1: It is longer than 16 MiB.\nrow 3: It is not UTF-8.\n"
    #expect(ending.message == problems, "\(ending.message)")
  }

  /// A failed read is no end of the input: jobs and rows would be lost without a word.
  @Test(
    arguments: ["< .", "<&-"], ["batch", "color --from p3 --to p3", "deltae", "curve srgb encode"])
  func inputThatCannotBeReadIsAnError(input: String, words: String) throws {
    let ending = try run(script: #""$0" \#(words) \#(input)"#)
    #expect(ending.status == 1 && ending.output.isEmpty, "\(ending)")
    #expect(ending.message.contains("Standard input cannot be read: "), "\(ending.message)")
  }

  /// As other verbs do, which render the picture several times.
  @Test func picturesFromStandardInputAreInspected() throws {
    try writePicture("g.png")
    let whole = try run(script: #"cat g.png | "$0" inspect -"#)
    #expect(whole.status == 0 && whole.output.contains("needs wide color: no"), "\(whole)")
    let scanned = try run(script: #"cat g.png | "$0" inspect - --scan"#)
    #expect(scanned.status == 1 && scanned.output.contains("needs wide color: no"), "\(scanned)")
    #expect(scanned.message.isEmpty)
  }

  /// A last line without an end is a line, and an empty one is none.
  @Test(arguments: ["1 0 0\n0 1 0", "1 0 0\r\n0 1 0\r\n"])
  func rowsEndWithTheirLines(rows: String) throws {
    try Data(rows.utf8).write(to: URL(filePath: folder.path("rows")))
    let ending = try run(script: #""$0" color --from p3 --to p3 < rows"#)
    #expect(ending.status == 0 && ending.output == "1.0 0.0 0.0\n0.0 1.0 0.0\n")
  }

  /// A line feed in a name would make two lines of a report.
  @Test func namesOfReportsAreInOneLine() throws {
    try writePicture("a\n\tb.png")
    let ending = try run(script: #""$0" info "$(printf 'a\n\tb.png')""#)
    #expect(ending.status == 0 && ending.output.hasPrefix(#"a\u000a\u0009b.png: 9 × 7 pixels"#))
    #expect(ending.output.split(separator: "\n").count == 1, "\(ending.output)")
    let saved = try run(
      script: #""$0" look bake "$(printf 'a\nb.cube')" --exposure -1"#)
    #expect(saved.status == 0 && saved.output.hasPrefix(#"a\u000ab.cube: 3D LUT"#), "\(saved)")
    // Texts of several lines keep them.
    let plan = try run(script: #""$0" convert "$(printf 'a\n\tb.png')" --blur 3 --plan"#)
    #expect(plan.status == 0 && plan.output.split(separator: "\n").count > 1, "\(plan)")
  }

  /// A line feed in a name would make two lines of an error.
  @Test func namesOfErrorsAreInOneLine() throws {
    let ending = try run(script: #""$0" info "$(printf 'a\n\tb.png')""#)
    #expect(ending.status == 1)
    #expect(ending.message.contains(#"a\u000a\u0009b.png"#), "\(ending.message)")
    #expect(ending.message.split(separator: "\n").count == 1)
  }
}
