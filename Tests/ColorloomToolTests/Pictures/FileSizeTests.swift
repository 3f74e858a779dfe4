import ColorSpaces
import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `--max-bytes` and `--min-quality`.
@Suite struct FileSizeTests {
  private let folder: TemporaryFolder
  private let input, output: String

  init() throws {
    folder = try TemporaryFolder()
    (input, output) = (folder.path("in.png"), folder.path("out.jpg"))
    var random = SeededGenerator(seed: 9)
    let noise = Bitmap<UInt8>(PixelSize(80, 60), in: .sRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in UInt8.random(in: 60...200, using: &random) }
    }
    try ImageFile.write(.uint8(noise), to: input)
  }

  private func size(_ path: String) throws -> Int {
    try Data(contentsOf: URL(filePath: path)).count
  }

  private struct Report: Decodable {
    let quality: Int?
    let notes: [String]
  }

  @Test func theNoteAndTheReportStateTheQuality() throws {
    #expect(run("convert", input, output, "--quality", "60").status == .done)
    let limit = try size(output)
    let words = ["convert", input, output, "--max-bytes", "\(limit)", "--json", "--threads"]
    var files: [Data] = []
    for threads in ["1", "3"] {
      let transcript = run(words + [threads])
      let report = try transcript.report(as: Report.self)
      let quality = try #require(report.quality)
      #expect((30..<90).contains(quality))
      let note =
        "Its quality is \(quality) instead of 90, for \(try size(output)) bytes of at most \(limit)."
      #expect(transcript.errors == ["“\(output)”: \(note)"])
      #expect(report.notes == transcript.errors)
      #expect(try size(output) <= limit)
      files.append(try Data(contentsOf: URL(filePath: output)))
    }
    #expect(files[0] == files[1])

    let fitting = run("convert", input, output, "--max-bytes", "1M", "--json")
    #expect(try fitting.errors.isEmpty && fitting.report(as: Report.self).quality == 90)
  }

  @Test func theErrorStatesBothSizes() throws {
    let lowest = folder.path("lowest.jpg")
    for (options, quality) in [([], 30), (["--min-quality", "50"], 50)] {
      #expect(run("convert", input, lowest, "--quality", "\(quality)").status == .done)
      let refused = run(["convert", input, output, "--max-bytes", "0.5k"] + options)
      #expect(refused.status == .failed)
      #expect(
        refused.complaint.contains(
          "“\(output)” is \(try size(lowest)) bytes at quality \(quality); --max-bytes 500. Resize it, "
            + "such as by --fit, or allow a lower quality, such as --min-quality 1."),
        "\(refused.complaint)")
      #expect(!FileManager.default.fileExists(atPath: output))
    }
  }

  @Test func eachVariantFits() throws {
    let (wide, narrow) = (folder.path("w-{size}.jpg"), folder.path("n-{size}.jpg"))
    let transcript = run(
      "variants", input, "--wide", wide, "--narrow", narrow, "--sizes", "100%;50%", "--max-bytes",
      "4k", "--quality", "95")
    #expect(transcript.status == .done, "\(transcript.errors)")
    for name in ["w-100pct.jpg", "n-100pct.jpg", "w-50pct.jpg", "n-50pct.jpg"] {
      #expect(try size(folder.path(name)) <= 4000, "\(name)")
    }
    #expect(try ImageFile.info(folder.path("w-50pct.jpg")).size == PixelSize(40, 30))
    #expect(transcript.errors.contains { $0.contains("w-100pct.jpg”: Its quality is ") })
  }

  /// PNG has no quality to lower: a file that fits is written, beside files whose quality is lowered. One that does not fit is refused
  /// with its size, and no file is written.
  @Test func filesWithoutAQualityAreWrittenWhereTheyFit() throws {
    let (plain, wide, narrow) = (
      folder.path("plain.png"), folder.path("w.png"), folder.path("n.jpg")
    )
    #expect(run("convert", input, plain).status == .done)
    let count = try size(plain)
    let fitting = run("convert", input, wide, "--max-bytes", "\(count)", "--json")
    #expect(try fitting.errors.isEmpty && fitting.report(as: Report.self).quality == nil)
    #expect(try Data(contentsOf: URL(filePath: wide)) == Data(contentsOf: URL(filePath: plain)))

    let words = ["variants", input, "--wide-space", "sRGB", "--wide", wide, "--narrow", narrow]
    let both = run(words + ["--quality", "100", "--max-bytes", "\(count)"])
    #expect(try both.status == .done && size(narrow) <= count && size(wide) <= count)
    let before = try Data(contentsOf: URL(filePath: narrow))
    let limit = count - 1
    let refused = run(words + ["--quality", "40", "--max-bytes", "\(limit)"])
    #expect(refused.status == .failed)
    #expect(
      refused.complaint.contains(
        "“\(wide)” is \(count) bytes; --max-bytes \(limit). PNG files have no quality to lower: resize it, such as by --fit, or write "
          + "a lossy format, such as JPEG."), "\(refused.complaint)")
    #expect(try Data(contentsOf: URL(filePath: narrow)) == before)
  }

  @Test(arguments: [
    ("2k", 2000), ("2K", 2000), ("0.0015M", 1500), ("2KiB", 2048), ("0.003mb", 3000),
    ("4096", 4096), ("4096B", 4096),
  ])
  func unitsAreThoseOfFiles(word: String, bytes: Int) throws {
    // The error of a format without a quality states the number.
    let refused = run("convert", input, folder.path("w.png"), "--max-bytes", word)
    #expect(refused.status == .failed)
    #expect(refused.complaint.contains("; --max-bytes \(bytes). "), "\(refused.complaint)")
  }

  @Test(arguments: ["0", "-1", "many", "200q", "k", "", "inf", "1e30"])
  func otherSizesAreRefused(word: String) {
    let refused = run("convert", input, output, "--max-bytes=\(word)")
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains("needs a size of a file such as 200000, 200k, 1.5M or"))
  }
}
