import ColorSpaces
import Foundation
import ICCProfiles
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

  /// A process that shares a pipe may have set `O_NONBLOCK` for it. One frame is more than a pipe holds, and the result is read only when
  /// all of it was taken, so that both ends have to wait.
  @Test func pipesThatDoNotBlockAreWaitedFor() throws {
    let samples = (0..<393_216).map { (index: Int) -> UInt8 in UInt8(truncatingIfNeeded: index) }
    var video = Data("YUV4MPEG2 W512 H256 F25:1 C444 XCOLORRANGE=FULL\nFRAME\n".utf8)
    video.append(contentsOf: samples)
    try video.write(to: URL(filePath: folder.path("in.y4m")))
    let (input, output) = (Pipe(), Pipe())
    for end in [input.fileHandleForReading, output.fileHandleForWriting] {
      let flags = fcntl(end.fileDescriptor, F_GETFL)
      try #require(fcntl(end.fileDescriptor, F_SETFL, flags | O_NONBLOCK) == 0)
    }
    let (tool, source) = (Process(), Process())
    (tool.executableURL, tool.arguments) = (Client.built("colorloom"), ["stream"])
    (tool.standardInput, tool.standardOutput) = (input, output)
    (source.executableURL, source.arguments) = (
      URL(filePath: "/bin/cat"), [folder.path("in.y4m")]
    )
    source.standardOutput = input
    try tool.run()
    try source.run()
    try input.fileHandleForReading.close()
    try input.fileHandleForWriting.close()
    try output.fileHandleForWriting.close()
    source.waitUntilExit()
    let result = output.fileHandleForReading.readDataToEndOfFile()
    tool.waitUntilExit()
    #expect(tool.terminationStatus == 0)
    #expect(Array(result.suffix(samples.count)) == samples)
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
    let sentence = #"“./\xe8.png” is a name that is not UTF-8. Rename the file."#
    let told = try run(script: #""$0" info ."#)
    #expect(told.status == 1 && told.message.contains(sentence), "\(told.message)")
    #expect(told.output.contains("g.png") && told.output.split(separator: "\n").count == 1)
    let converted = try run(script: #""$0" convert . --out 'o-{name}.png'"#)
    #expect(converted.status == 1 && converted.message.contains(sentence), "\(converted.message)")
    #expect(converted.output == "1 of 3 pictures written, 2 failed\n")
    #expect(FileManager.default.fileExists(atPath: folder.path("o-g.png")))
    #expect(try run(script: "rm *.png").status == 0)
  }

  /// The pictures in them would otherwise be missing without a word.
  @Test func foldersWhoseNamesAreNotUTF8AreNamed() throws {
    try writePicture("g.png")
    let made = try run(
      script: #"{ d="in/$(printf 'd\351')" && mkdir -p "$d" && cp g.png in && cp g.png "$d"; }"#)
    if made.status != 0 { return }
    #expect(try run(script: #"ln -s "$PWD" "in/$(printf 'l\351')""#).status == 0)
    let words = #""$0" convert in --out 'out/{folder}/{name}.png' --make-folders"#
    let converted = try run(script: "\(words) --recursive")
    let sentence =
      #"“in/d\xe9” is a folder name that is not UTF-8, so that its pictures cannot be read. Rename the folder."#
    #expect(converted.status == 1 && converted.message.contains(sentence), "\(converted.message)")
    #expect(converted.message.contains("1 link to a folder in it is left out"))
    #expect(converted.output == "1 of 2 pictures written, 1 failed\n")
    #expect(FileManager.default.fileExists(atPath: folder.path("out/in/g.png")))
    let flat = try run(script: words)
    #expect(flat.status == 0 && flat.message.contains("2 folders in it are left out."))
    #expect(try run(script: "rm -r in").status == 0)
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

  /// Writes a file of each kind that commands read, for standard input.
  private func writeInputs() throws {
    try writePicture("g.png")
    try writePicture("h.png")
    let cube = "LUT_3D_SIZE 2\n" + (0..<8).map { "\($0 & 1) 0.5 \($0 >> 2)\n" }.joined()
    let frame = "FRAME\n" + String(repeating: "z", count: 3 * 6 * 4)
    for (name, text) in [
      ("r.json", #"{"version": 1, "steps": [{"exposure": {"stops": -1}}]}"#), ("x.cube", cube),
      ("c.txt", "0,0 .5,.4 1,1"), ("n.txt", "-0.5"),
      ("f.txt", "red 0,0 1,1\ngreen 0,0 1,1\nblue 0,0 1,1\n"),
      ("v.y4m", "YUV4MPEG2 W6 H4 F25:1 Ip A1:1 C444\n\(frame)\(frame)"),
    ] {
      try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    }
    try Data(ICCProfile(describing: .displayP3).bytes).write(
      to: URL(filePath: folder.path("p.icc")))
    try FileManager.default.copyItem(
      at: Fixtures.url("Profiles/cmyk-mft2.icc"), to: URL(filePath: folder.path("press.icc")))
    // A file of more than 64 KiB is kept by its descriptor.
    try (Data(contentsOf: URL(filePath: folder.path("g.png"))) + Data(count: 1 << 17)).write(
      to: URL(filePath: folder.path("large.png")))
  }

  /// “-” stands for standard input wherever a file is read.
  @Test(arguments: [
    ("convert - OUT.png --format png", "g.png"), ("run - g.png OUT.png", "r.json"),
    ("convert g.png OUT.png --recipe -", "r.json"), ("convert g.png OUT.png --lut -", "x.cube"),
    ("convert g.png OUT.png --look @-", "x.cube"), ("convert g.png OUT.png --curve @-", "c.txt"),
    ("convert g.png OUT.png --exposure @-", "n.txt"), ("convert g.png OUT.png --to -", "p.icc"),
    ("convert g.png OUT.png --tag -", "p.icc"), ("convert g.png OUT.png --layer -", "h.png"),
    ("convert g.png OUT.png --layer -,mode=screen", "h.png"),
    ("convert g.png OUT.png --embed-profile -", "p.icc"),
    ("proof g.png OUT.png --on -", "press.icc"),
    ("convert g.png OUT.png --soft-proof -", "press.icc"),
    ("develop g.png OUT.png --film-curves -", "f.txt"),
    ("stream v.y4m OUT.y4m --layer -", "h.png"),
    ("convert g.png h.png --out 'OUT-{name}.png' --embed-profile -", "p.icc"),
    ("look convert - OUT.cube", "x.cube"),
  ])
  func filesComeFromStandardInput(words: String, file: String) throws {
    try writeInputs()
    let named = words.replacing(/-(?=$|,| (OUT|g\.png))/, with: file)
    let (a, b) = (words.replacing("OUT", with: "a"), named.replacing("OUT", with: "b"))
    let piped = try run(script: "cat \(file) | \"$0\" \(a)")
    #expect(piped.status == 0, "\(piped.message)")
    let read = try run(script: "\"$0\" \(b)")
    #expect(read.status == 0, "\(b): \(read.message)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
    let results = files.filter { $0.hasPrefix("a.") || $0.hasPrefix("a-") }
    #expect(!results.isEmpty)
    for result in results {
      #expect(
        try Data(contentsOf: URL(filePath: folder.path(result)))
          == Data(contentsOf: URL(filePath: folder.path("b\(result.dropFirst())"))), "\(result)")
    }
  }

  /// A look on standard input has no file extension; its format is recognized by how it begins.
  @Test func looksOnStandardInputAreRecognized() throws {
    let looks = Fixtures.url("Looks")
    let endings = LookFileFormat.allCases.map(\.rawValue)
    let files = try FileManager.default.contentsOfDirectory(atPath: looks.path)
      .filter { endings.contains(URL(filePath: $0).pathExtension) }
    #expect(Set(files.map { URL(filePath: $0).pathExtension }) == Set(endings))
    for file in files {
      let path = looks.appending(path: file).path
      let named = try run(script: "\"$0\" look info '\(path)'")
      let piped = try run(script: "\"$0\" look info - < '\(path)'")
      #expect(named.status == 0 && piped.status == 0, "\(file): \(piped.message)")
      #expect(piped.output == named.output.replacing("\(path):", with: "-:"), "\(file)")
    }
    // A name with the prefix of a namespace, in a line of 3 MiB.
    let look = try #require(files.first { $0.hasSuffix(".clf") })
    let text = try String(contentsOf: looks.appending(path: look), encoding: .utf8)
      .replacing("<ProcessList", with: "<c:ProcessList xmlns:c=\"urn:c\"")
      .replacing("</ProcessList", with: String(repeating: " ", count: 3 << 20) + "</c:ProcessList")
      .replacing("\n", with: " ")
    try Data(text.utf8).write(to: URL(filePath: folder.path("long.clf")))
    let (named, piped) = (
      try run(script: "\"$0\" look info long.clf"), try run(script: "\"$0\" look info - < long.clf")
    )
    #expect(named.status == 0 && piped.status == 0, "\(named.message)\(piped.message)")
    #expect(piped.output == named.output.replacing("long.clf:", with: "-:"))
    let unknown = try run(script: "echo '<svg/>' | \"$0\" look info -")
    #expect(unknown.status == 1)
    #expect(
      unknown.message == "colorloom: “-” cannot be used: it begins as no look format does.\n")
  }

  /// A second reader would find no byte. That a file can be read again does not depend on its size.
  @Test(arguments: [
    ("compare - -", "g.png"), ("compare - -", "large.png"),
    ("convert - o.png --layer -", "g.png"), ("convert - o.png --layer -", "large.png"),
    ("convert g.png o.png --recipe - --to -", "r.json"), ("color --from - --to p3", "p.icc"),
    ("stream - o.y4m --layer -", "v.y4m"),
  ])
  func standardInputIsReadOnce(words: String, file: String) throws {
    try writeInputs()
    let sentence =
      "colorloom: Standard input can be read once, and the command reads “-” twice. Save it to a file first.\n"
    for script in ["cat \(file) | \"$0\" \(words)", "\"$0\" \(words) < \(file)"] {
      let ending = try run(script: script)
      #expect(ending.status == 2, "\(script)")
      #expect(ending.message.hasSuffix(sentence), "\(script): \(ending.message)")
    }
    let paths = words.replacing(/-$/, with: "/dev/stdin")
    guard words.hasSuffix("-") else { return }
    let ending = try run(script: "cat \(file) | \"$0\" \(paths)")
    #expect(ending.status == 2, "\(ending.message)")
    #expect(ending.message.contains("reads it as “-” and as “/dev/stdin”"), "\(ending.message)")
  }

  /// The position of standard input is shared with the shell, whatever the size of the file.
  @Test(arguments: ["g.png", "large.png"])
  func filesOnStandardInputStayWhereTheyAre(file: String) throws {
    try writeInputs()
    let ending = try run(script: "{ \"$0\" info - > /dev/null; wc -c; } < \(file)")
    let count = try Data(contentsOf: URL(filePath: folder.path(file))).count
    #expect(ending.output.trimmingCharacters(in: .whitespacesAndNewlines) == "\(count)")
  }

  /// A file of the name of a space is no profile unless its path looks like one.
  @Test func filesThatAreNoProfilesAreNamed() throws {
    try writePicture("g.png")
    let told = try run(script: #""$0" color --to g.png '0 0 0'"#)
    #expect(told.status == 2)
    #expect(
      told.message.contains(
        "There is a file “g.png”; the path of a profile ends in .icc or .icm, or has a folder, such as ./g.png."
      ),
      "\(told.message)")
    let missing = try run(script: #""$0" color --to h.png '0 0 0'"#)
    #expect(missing.status == 2 && !missing.message.contains("There is a file"))
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
