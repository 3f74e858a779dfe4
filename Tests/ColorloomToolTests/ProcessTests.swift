import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

private let terminal = Client("script")

/// The tool as a process: its streams, its exit status, and its termination.
@Suite struct ProcessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The tool, beside the test program, without standard input.
  private func tool(_ words: [String]) -> Process {
    let process = Process()
    process.executableURL = Client.built("colorloom")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    return process
  }

  private struct Ending {
    let output, errors: Data
    let status: Int32

    var message: String { String(decoding: errors, as: UTF8.self) }
  }

  private func run(_ words: [String], input: Data = Data()) throws -> Ending {
    let process = tool(words)
    let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, stderr)
    try process.run()
    // Less than the capacity of a pipe, so that no write blocks.
    try #require(input.count <= 4096)
    if !input.isEmpty { try stdin.fileHandleForWriting.write(contentsOf: input) }
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Ending(output: output, errors: errors, status: process.terminationStatus)
  }

  @Test func unknownInstructionSetIsRefused() throws {
    let process = tool(["--version"])
    process.environment = ProcessInfo.processInfo.environment.merging(["COLORLOOM_ISA": "foo"]) {
      $1
    }
    let (stdout, stderr) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (stdout, stderr)
    try process.run()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2 && output.isEmpty)
    let message = String(decoding: errors, as: UTF8.self)
    #expect(message.contains("COLORLOOM_ISA is set to “foo”") && message.contains("baseline"))
  }

  @Test func picturesPassThroughPipes() throws {
    let photo = TestPictures.codes(as: UInt16.self, PixelSize(16, 12), channels: .rgb)
    let file = try ImageFile.encode(.uint16(photo), as: .png)
    let ending = try run(
      ["convert", "-", "-", "--format", "png", "--invert"], input: Data(file))
    #expect(ending.status == 0)
    #expect(ending.errors.isEmpty, "\(ending.message)")
    guard case .uint16(let written) = try ImageFile.read(bytes: [UInt8](ending.output)) else {
      Issue.record("The file has no 16-bit samples.")
      return
    }
    #expect(try written == Picture(photo).inverted().render())
  }

  /// Standard input is read once: its channels are not looked at before, and it is developed by the film of another scan.
  @Test func pipesAreDevelopedByFilmOfOthers() throws {
    let bitmap = Bitmap<UInt16>(PixelSize(32, 8), in: .sRGB, channels: .rgb) { x, _ in
      [UInt16](repeating: UInt16(60_000 - 1800 * x), count: 3)
    }
    let (scan, output) = (folder.path("scan.png"), folder.path("print.png"))
    try ImageFile.write(.uint16(bitmap), to: scan)
    let input = try Data(contentsOf: URL(filePath: scan))
    let ending = try run(["develop", "-", output, "--film-from", scan], input: input)
    #expect(ending.status == 0, "\(ending.message)")
    #expect(try ImageFile.info(output).channels == .rgb)
  }

  /// Lines for a person go to standard error where a file goes to standard output.
  @Test func filesOnStandardOutputAreAlone() throws {
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(16, 12), in: .sRGB, channels: .rgb)
    let file = try ImageFile.encode(.uint8(photo), as: .png)
    let counted = try run(
      ["highlight", "-", "-", "--format", "png", "--count"], input: Data(file))
    #expect(counted.status == 0 && counted.message.contains("pixels outside of sRGB"))
    // The checksum of a PNG's last chunk.
    #expect(Array(counted.output.suffix(4)) == [0xAE, 0x42, 0x60, 0x82])

    let mesh = try run(["spaces", "p3", "--mesh", "-", "--steps", "1"])
    #expect(mesh.status == 0 && mesh.message.contains("white point"), "\(mesh.message)")
    let ply = String(decoding: mesh.output, as: UTF8.self)
    #expect(ply.hasPrefix("ply") && !ply.contains("white point"))

    let input = folder.path("in.png")
    try Data(file).write(to: URL(filePath: input))
    let compared = try run(["compare", input, input, "--difference", "-", "--format", "png"])
    #expect(compared.status == 0 && compared.message.contains("ΔE mean"), "\(compared.message)")
    #expect(Array(compared.output.suffix(4)) == [0xAE, 0x42, 0x60, 0x82])
    let words = ["--wide", folder.path("w.png"), "--narrow", folder.path("n.png")]
    let listed = try run(["variants", input, "--manifest", "-"] + words)
    #expect(listed.status == 0 && listed.message.contains("needs wide color: no"))
    let manifest = try JSONDecoder().decode(VariantManifest.self, from: listed.output)
    #expect(manifest.variants.count == 2)
  }

  /// Two files, or a file and a report, do not fit into standard output.
  @Test func standardOutputHoldsOneThing() throws {
    let size = PixelSize(16, 12)
    let photo = TestPictures.codes(as: UInt8.self, size, in: .displayP3, channels: .rgb)
    let input = folder.path("in.png")
    try ImageFile.write(.uint8(photo), to: input)
    for (words, sentence) in [
      (["inspect", input, "--json", "--extract-profile", "/dev/stdout"], "Name a file, not “/dev"),
      (["inspect", input, "--extract-profile", "-"], "Name a file, not “-”"),
      (["compare", input, input, "--json", "--difference", "-"], "--json cannot print its report"),
      (
        ["compare", input, input, "--json", "--difference", "/dev/stdout"],
        "--json cannot print its report"
      ),
      (["stream", input, "/dev/stdout", "--json"], "--json cannot print its report"),
      (["develop", input, "-", "--roll", "--save-film", "-"], "name the same file"),
    ] {
      let ending = try run(words)
      #expect(ending.status == 2 && ending.output.isEmpty)
      #expect(ending.message.contains(sentence), "\(ending.message)")
    }
  }

  /// A folder in the working folder that is called like a word of a parameter does not change its meaning.
  @Test func foldersAreNoWordsOfSteps() throws {
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(16, 12), channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("in.png"))
    try FileManager.default.createDirectory(
      atPath: folder.path("screen"), withIntermediateDirectories: false)
    let process = tool(["convert", "in.png", "out.png", "--layer", "in.png,screen"])
    process.currentDirectoryURL = URL(filePath: folder.path(""))
    let stderr = Pipe()
    process.standardError = stderr
    try process.run()
    let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(String(decoding: errors, as: UTF8.self))")
  }

  private static let endings: [([String], Int32)] = [
    (["spaces"], 0), (["info", "/there/is/none.png"], 1), (["convert", "-", "-"], 1),
    (["bogus"], 2),
  ]

  @Test(arguments: endings)
  func exitStatusTellsTheOutcome(words: [String], status: Int32) throws {
    let ending = try run(words)
    #expect(ending.status == status)
    #expect(ending.output.isEmpty == (status != 0))
    #expect(ending.errors.isEmpty == (status == 0))
  }

  /// Progress is written to terminals only, and only on request.
  @Test(
    .enabled(if: terminal.can("-qec", "true", "/dev/null"), "script of util-linux is not installed")
  )
  func progressIsForTerminals() throws {
    let path = folder.path("t.png")
    let words = ["triangle", path, "--size", "16x12"]
    #expect(try run(words).errors.isEmpty)
    for (options, isShown) in [([], true), (["--quiet"], false)] {
      let quoted = ([tool([]).executableURL?.path ?? ""] + words + options).map { "'\($0)'" }
      // It ends with the status of the tool, which must be 0.
      let shown: String = try terminal.run("-qec", quoted.joined(separator: " "), "/dev/null")
      #expect(shown.contains("16 × 12 pixels in sRGB") == isShown, "\(shown)")
    }
  }

  /// Reads a descriptor up to the first line end; the timeout allows for a busy machine.
  private func line(from descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "\n") {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&waiting, 1, 60_000) == 1, "Nothing came.")
      var byte: UInt8 = 0
      try #require(read(descriptor, &byte, 1) == 1)
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A result is written before the next job is read, so that callers may wait for it.
  @Test func batchesAnswerEachJobImmediately() throws {
    let process = tool(["batch", "--jobs", "2"])
    let (jobs, results) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (jobs, results)
    try process.run()
    for id in 1...3 {
      let job = Data("{\"id\": \(id), \"run\": [\"spaces\"]}\n".utf8)
      try jobs.fileHandleForWriting.write(contentsOf: job)
      let result = try line(from: results.fileHandleForReading.fileDescriptor)
      #expect(result.contains("\"id\":\(id),"))
    }
    try jobs.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Results that cannot be written are a failure.
  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: "/dev/full"), "this system has no /dev/full"),
    arguments: [["spaces"], ["batch"], ["color", "--from", "p3", "--to", "p3", "1 0 0"]])
  func aFullDiskIsAFailure(words: [String]) throws {
    let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
    let process = tool(words)
    let job = Data("{\"run\": [\"spaces\"]}\n".utf8)
    try (job + job).write(to: URL(filePath: folder.path("jobs")))
    let errors = Pipe()
    process.standardInput = FileHandle(forReadingAtPath: folder.path("jobs"))
    (process.standardOutput, process.standardError) = (full, errors)
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    #expect(
      String(decoding: said, as: UTF8.self)
        == "colorloom: Standard output cannot be written: No space left on device.\n")
  }

  /// Runs the tool with streams that a shell closes, such as by “2>&-”; returns the exit status and standard error.
  private func run(
    _ words: [String], closing redirection: String
  ) throws -> (status: Int32, message: String) {
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments =
      ["-c", "exec \"$0\" \"$@\" \(redirection)", tool([]).executableURL?.path ?? ""] + words
    let errors = Pipe()
    (shell.standardInput, shell.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
    shell.standardError = errors
    try shell.run()
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    shell.waitUntilExit()
    return (shell.terminationStatus, String(decoding: message, as: UTF8.self))
  }

  /// The descriptor of closed standard error would become that of a picture.
  @Test func messagesAreNotWrittenIntoPictures() throws {
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(48, 32), in: .sRGB, channels: .rgb)
    let names = (0..<40).map { "\($0).png" }
    for name in ["in", "open", "closed"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for name in names { try ImageFile.write(.uint8(photo), to: folder.path("in/\(name)")) }
    let words = ["--exposure", "3", "--threads", "4"]
    for (output, redirection) in [("open", ""), ("closed", "2>&-")] {
      let ending = try run(
        ["convert", folder.path("in"), "--out", folder.path(output)] + words, closing: redirection)
      #expect(ending.status == 0)
      #expect(ending.message.contains("are clipped") == redirection.isEmpty)
    }
    for name in names {
      #expect(
        FileManager.default.contentsEqual(
          atPath: folder.path("open/\(name)"), andPath: folder.path("closed/\(name)")))
    }
  }

  @Test func closedInputAndOutputAreFailures() throws {
    let input = folder.path("in.png")
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(16, 12), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: input)
    for format in ["png", "tiff"] {
      let written = try run(["convert", input, "-", "--format", format], closing: ">&-")
      #expect(written.status == 1 && written.message.contains("Standard output cannot be written"))
    }
    let listed = try run(["spaces"], closing: ">&-")
    #expect(listed.status == 1 && listed.message.contains("Standard output cannot be written"))
    let read = try run(["convert", "-", folder.path("out.png")], closing: "<&-")
    #expect(read.status == 1 && read.message.contains("Standard input cannot be read"))
  }

  /// A report would follow the last byte of the picture. `/dev/stdout` and `/dev/fd/1` are standard output, as “-” is.
  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1"], [true, false])
  func reportsDoNotFollowPicturesOnStandardOutput(path: String, isOfInks: Bool) throws {
    let input = folder.path("in.png")
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: input)
    let press = Fixtures.url("Profiles/cmyk-mft2.icc").path
    let words = ["convert", input, path, "--format", "tiff", "--json"]
    let ending = try run(words + (isOfInks ? ["--to", press] : []))
    #expect(ending.status == 2 && ending.output.isEmpty)
    #expect(ending.message.contains("--json cannot print its report"), "\(ending.message)")
  }

  /// Standard output of a batch holds results, whatever a job calls it.
  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1"])
  func jobsDoNotWriteIntoTheStreamOfResults(path: String) throws {
    let job = #"{"run": ["triangle", "\#(path)", "--size", "9x7", "--format", "png"]}"#
    let ending = try run(["batch"], input: Data("\(job)\n".utf8))
    let result = String(decoding: ending.output, as: UTF8.self)
    #expect(result.contains("“\(path)” cannot be used here") && result.contains(#""status":2"#))
    #expect(result.hasSuffix("}\n"))
  }

  /// Standard input of a batch holds jobs: one that read it would take those after it.
  @Test(arguments: [
    ["info", "/dev/stdin"], ["look", "info", "/dev/stdin"], ["pick", "/dev/stdin"],
    ["convert", "a.png", "o.png", "--recipe", "/dev/stdin"],
    ["convert", "a.png", "b.png", "--out", "{name}.tif", "--recipe", "/dev/stdin"],
    ["convert", "a.png", "o.png", "--lut", "/dev/stdin"],
    ["convert", "a.png", "o.png", "--curve", "@/dev/stdin"],
    ["convert", "a.png", "o.png", "--exposure", "@/dev/stdin"],
    ["convert", "a.png", "o.png", "--soft-proof", "/dev/stdin"],
    ["convert", "a.png", "o.png", "--to", "/dev/fd/0"],
    ["develop", "a.png", "o.png", "--film-curves", "/dev/stdin"],
  ])
  func jobsDoNotReadTheStreamOfJobs(words: [String]) throws {
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), in: .sRGB, channels: .rgb)
    for name in ["a.png", "b.png"] { try ImageFile.write(.uint8(photo), to: folder.path(name)) }
    let paths = words.map { word in
      word.contains(where: ".{".contains) ? folder.path(word) : word
    }
    let job = try String(decoding: JSONEncoder().encode(["run": paths]), as: UTF8.self)
    let ending = try run(["batch"], input: Data("\(job)\n\(job)\n".utf8))
    let results = String(decoding: ending.output, as: UTF8.self).split(separator: "\n")
    #expect(results.count == 2)
    for result in results {
      #expect(result.contains("cannot be used here: standard input and output"), "\(result)")
    }
  }

  /// Outside of a batch, standard input may hold the recipe of many pictures.
  @Test func recipesComeFromStandardInput() throws {
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), in: .sRGB, channels: .rgb)
    let files = ["a.png", "b.png"].map { folder.path($0) }
    for file in files { try ImageFile.write(.uint8(photo), to: file) }
    let recipe = #"{"version": 1, "inputs": ["a"], "steps": [{"monochrome": {}}]}"#
    let words = ["--out", folder.path("{name}.tif"), "--recipe", "/dev/stdin", "--threads", "1"]
    let ending = try run(["convert"] + files + words, input: Data(recipe.utf8))
    #expect(ending.status == 0, "\(ending.message)")
    #expect(FileManager.default.fileExists(atPath: folder.path("b.tif")))
  }

  @Test func aCancelledWriteLeavesNothing() throws {
    var options = RenderOptions()
    options.isCancelled = { true }
    let picture = Picture(TestPictures.codes(as: UInt16.self, channels: .rgb))
    #expect(throws: ImageFileError.rendering(.cancelled)) {
      try picture.write(to: folder.path("a.png"), options: options)
    }
    let parent = URL(filePath: folder.path("a.png")).deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent).isEmpty)
  }
}
