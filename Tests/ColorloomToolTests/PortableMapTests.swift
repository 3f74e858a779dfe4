import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What portable maps of each ending hold.
@Suite struct PortableMapTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func source(_ channels: Channels) throws -> String {
    let path = folder.path("\(channels.count).png")
    let bitmap = Bitmap<UInt8>(
      PixelSize(4, 3), in: channels.isGray ? .sGray : .sRGB, channels: channels
    ) { x, y in [UInt8](repeating: UInt8(40 * x + 10 * y), count: channels.count) }
    try ImageFile.write(.uint8(bitmap), to: path)
    return path
  }

  private func convert(_ channels: Channels, to name: String, _ more: String...) throws
    -> Transcript
  {
    run(["convert", try source(channels), folder.path(name), "--untagged"] + more)
  }

  private func kind(of name: String) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(filePath: folder.path(name))).prefix(2), as: UTF8.self)
  }

  @Test func endingsSayWhatIsWritten() throws {
    for (channels, name, kind) in [
      (Channels.rgb, "a.ppm", "P6"), (.gray, "a.pgm", "P5"), (.gray, "b.ppm", "P6"),
      (.rgb, "a.pnm", "P6"), (.gray, "b.pnm", "P5"), (.rgba, "c.pnm", "P7"), (.rgba, "a.pam", "P7"),
      (.rgb, "b.pam", "P7"), (.gray, "c.pam", "P7"),
    ] {
      let done = try convert(channels, to: name)
      #expect(done.status == .done, "\(name): \(done.errors)")
      #expect(try self.kind(of: name) == kind, "\(name)")
    }
    #expect(try convert(.rgb, to: "d.pgm", "--to", "sGray").status == .done)
    #expect(try kind(of: "d.pgm") == "P5")
  }

  /// `--format` decides as the ending of the same letters does, however the file is named.
  @Test func formatsAreWrittenAsFilesOfTheirEnding() throws {
    for (channels, format, kind) in [
      (Channels.gray, "ppm", "P6"), (.rgb, "pam", "P7"), (.gray, "PAM", "P7"), (.gray, "pnm", "P5"),
    ] {
      let done = try convert(channels, to: "a.dat", "--format", format)
      #expect(done.status == .done, "\(format): \(done.errors)")
      #expect(try self.kind(of: "a.dat") == kind, "\(format)")
    }
    for (channels, format) in [(Channels.rgb, "pgm"), (.rgba, "ppm"), (.gray, "pbm")] {
      let refused = try convert(channels, to: "b.ppm", "--format", format)
      #expect(refused.status != .done, "\(format)")
      let reason = format == "pbm" ? "can only be read" : "a .\(format) holds"
      #expect(refused.complaint.contains(reason), "\(refused.errors)")
    }
  }

  /// PAM without alpha names its tuples, and holds the values of the source.
  @Test(arguments: [(Channels.rgb, "RGB"), (.gray, "GRAYSCALE")])
  func opaquePAMNamesItsTuples(channels: Channels, tuples: String) throws {
    #expect(try convert(channels, to: "a.pam").status == .done)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path("a.pam"))))
    let header =
      "P7\nWIDTH 4\nHEIGHT 3\nDEPTH \(channels.count)\nMAXVAL 255\nTUPLTYPE \(tuples)\nENDHDR\n"
    #expect(bytes.starts(with: header.utf8))
    func samples(_ path: String) throws -> [UInt8] {
      try ImageFile.read(path, assuming: channels.isGray ? .sGray : .sRGB)
        .converted(to: UInt8.self).samples
    }
    #expect(try samples(folder.path("a.pam")) == samples(source(channels)))
  }

  /// A `.ppm` holds colors only.
  @Test func grayBitmapsBecomeColorsInPPM() throws {
    let bitmap = Bitmap<UInt8>(PixelSize(2, 1), in: .sGray, channels: .gray) { x, _ in
      [UInt8(10 * x + 7)]
    }
    let path = folder.path("gray.ppm")
    try ImageFile.write(.uint8(bitmap), to: path, options: WritingOptions(isUntagged: true))
    #expect(try kind(of: "gray.ppm") == "P6")
    let samples = try ImageFile.read(path, assuming: .sRGB).converted(to: UInt8.self).samples
    #expect(samples == [7, 7, 7, 17, 17, 17])
  }

  @Test(arguments: [
    (Channels.rgb, "a.pgm", "sGray"), (.rgba, "a.ppm", "flatten"),
    (.rgba, "a.pgm", "flatten it onto a background and convert it to grays"),
    (.rgb, "a.pbm", "can only be read; write .pnm"), (.gray, "a.pbm", "can only be read"),
  ])
  func otherChannelsAreRefused(channels: Channels, name: String, hint: String) throws {
    let refused = try convert(channels, to: name)
    #expect(refused.status == .failed && refused.complaint.contains(hint), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
  }
}
