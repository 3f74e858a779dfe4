import ColorSpaces
import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Status 2 is that of a command line that was not understood, or that asks a format for what no file of it holds. A file that is missing,
/// unreadable or wrong has status 1, whichever option names it.
@Suite struct ExitStatusTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: folder.path("in.png"))
    try Data(ICCProfile(describing: .sRGB).bytes).write(to: URL(filePath: folder.path("p.icc")))
    // Bytes that are no file of any kind, at the name of each kind.
    for name in ["bad.icc", "bad.cube", "bad.json", "bad.txt", "bad.png", "bad.y4m"] {
      try Data("garbage 1 2".utf8).write(to: URL(filePath: folder.path(name)))
    }
    for name in ["dir", "dir.icc", "dir.cube", "dir.json"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
  }

  /// Runs a command whose words with a period or a slash are paths in the folder, also after “@”.
  private func tool(_ words: [String]) -> Transcript {
    run(
      words.map { word in
        let name = word.hasPrefix("@") ? String(word.dropFirst()) : word
        guard name.contains(where: { $0 == "." || $0 == "/" }), name.first?.isLetter == true else {
          return word
        }
        return (word.hasPrefix("@") ? "@" : "") + folder.path(name)
      })
  }

  private static let convert = ["convert", "in.png", "o.png"]

  /// The words before and after a file that a command reads, and the file's extension.
  private static let readers: [(before: [String], after: [String], ending: String)] = [
    (convert + ["--to"], [], "icc"), (convert + ["--tag"], [], "icc"),
    (convert + ["--assume"], [], "icc"), (convert + ["--embed-profile"], [], "icc"),
    (convert + ["--soft-proof"], [], "icc"), (["proof", "in.png", "o.png", "--on"], [], "icc"),
    (["inspect"], [], "icc"), (["color", "--from"], ["--to", "sRGB", "0 0 0"], "icc"),
    (convert + ["--lut"], [], "cube"), (convert + ["--look"], [], "cube"),
    (["look", "info"], [], "cube"),
    (convert + ["--recipe"], [], "json"), (["run"], ["in.png", "o.png"], "json"),
    (["plan"], [], "json"), (["develop", "in.png", "o.png", "--film"], [], "json"),
    (["pick"], [], "json"),
    (convert + ["--layer"], [], "png"), (convert + ["--blend-by-mask"], [], "png"),
    (["convert"], ["o.png"], "png"), (["compare", "in.png"], [], "png"),
    (["develop", "in.png", "o.png", "--film-curves"], [], "txt"),
    (["stream"], ["o.y4m"], "y4m"),
  ]

  @Test(arguments: readers.indices)
  func filesThatCannotBeReadAreFailures(index: Int) {
    let reader = Self.readers[index]
    for name in ["missing", "bad"] {
      let file = "\(name).\(reader.ending)"
      let files = reader.before.last == "--blend-by-mask" ? "\(file),\(file)" : file
      let path = files.split(separator: ",").map { folder.path(String($0)) }
        .joined(separator: ",")
      let transcript = run(
        tooled(reader.before) + [path] + tooled(reader.after))
      #expect(transcript.status == .failed, "\(reader.before) \(file): \(transcript.errors)")
    }
  }

  private func tooled(_ words: [String]) -> [String] {
    words.map { $0.contains(".") ? folder.path($0) : $0 }
  }

  /// A value may be in a file; then the file is wrong.
  @Test(arguments: [
    ["--exposure", "@missing.txt"], ["--exposure", "@bad.txt"], ["--curve", "@bad.txt"],
    ["--curves", "@bad.txt", "0,0 1,1", "0,0 1,1"], ["--channel-mix", "@bad.txt"],
    ["--to", "dir.icc"], ["--lut", "dir.cube"], ["--recipe", "dir.json"],
    ["--soft-proof", "dir.icc"],
  ])
  func valuesInWrongFilesAreFailures(words: [String]) {
    let transcript = tool(Self.convert + words)
    #expect(transcript.status == .failed, "\(words): \(transcript.errors)")
    #expect(transcript.errors.count == 1)
  }

  @Test func numbersOutOfRangeAreTheFaultOfTheirFile() throws {
    try Data("1e30".utf8).write(to: URL(filePath: folder.path("big.txt")))
    #expect(tool(Self.convert + ["--exposure", "@big.txt"]).status == .failed)
    #expect(tool(Self.convert + ["--exposure", "1e30"]).status == .misused)
  }

  @Test(arguments: [
    (["convert", "in.png", "o.jpg", "--samples", "uint16"], "Pass --samples uint8, or write"),
    (["convert", "in.png", "o.png", "--samples", "float"], "Pass --samples"),
    (["convert", "in.png", "o.png", "--quality", "50"], "Leave out the option"),
    (["convert", "in.png", "o.xyz"], "Let it end in one of"),
    (["convert", "in.png", "o.gif"], "can only be read"),
    (["montage", "in.png", "--out", "o.xyz"], "Let it end in one of"),
    (["convert", "in.png", "o.bmp", "--embed-profile", "p.icc", "--samples", "u16"], "uint8"),
  ])
  func formatsThatCannotHoldItAreMisuses(words: [String], sentence: String) {
    let transcript = tool(words)
    #expect(transcript.status == .misused, "\(words): \(transcript.errors)")
    #expect(transcript.complaint.contains(sentence), "\(transcript.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("o.jpg")))
  }
}
