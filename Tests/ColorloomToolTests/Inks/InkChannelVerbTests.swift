import Colorloom
import ColorloomTool
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Single ink channels at the command line.
@Suite struct InkChannelVerbTests {
  private let folder: TemporaryFolder
  private let page: String
  private let stored: Bitmap<UInt8>

  init() throws {
    folder = try TemporaryFolder()
    page = folder.path("page.tif")
    let press = try ICCProfile(
      bytes: [UInt8](Data(contentsOf: Fixtures.url("Profiles/cmyk-mft2.icc"))))
    let inks = try Picture(
      TestPictures.codes(as: UInt8.self, PixelSize(20, 10), in: .sRGB, channels: .rgb)
    ).inks(by: press)
    try inks.write(to: page, samples: .uint8)
    guard case .uint8(let bytes) = try inks.render(as: .uint8) else { throw Failure("No bytes.") }
    stored = bytes
  }

  @Test func inspectReportsEachInk() throws {
    struct Report: Decodable {
      struct Ink: Decodable, Equatable {
        let name: String
        let mean, maximum: Double
      }
      struct Coverage: Decodable { let inks: [Ink] }
      let areaCoverage: Coverage
    }
    let inks = try #require(try OpenedImageFile(page).inkPicture()).coverage().inks
    let report: Report = try run("inspect", page, "--json").report()
    #expect(
      report.areaCoverage.inks
        == inks.map { Report.Ink(name: $0.name, mean: $0.mean, maximum: $0.maximum) })
    let lines = run("inspect", page).output
    for ink in inks {
      #expect(lines.contains { $0.hasPrefix("  \(ink.name): up to ") && $0.contains(" %, mean ") })
    }
  }

  @Test func convertReadsOneInkAsGray() throws {
    let output = folder.path("out.png")
    let converted = run("convert", page, output, "--ink", "Magenta")
    #expect(converted.status == .done && converted.errors.isEmpty, "\(converted.errors)")
    let info = try ImageFile.info(output)
    #expect(info.channels == .gray && info.samples == .uint8)
    guard case .uint8(let shown) = try ImageFile.read(output) else { throw Failure("No bytes.") }
    #expect(shown.space == .sGray)
    for y in 0..<10 {
      for x in 0..<20 { #expect(shown[x, y, 0] == 255 - stored[x, y, 1]) }
    }
    // Steps act on the gray picture, in files and in plans.
    #expect(
      run("convert", page, output, "--ink", "black", "--invert", "--crop", "0,0,5x4").status
        == .done)
    guard case .uint8(let amounts) = try ImageFile.read(output) else { throw Failure("No bytes.") }
    #expect(amounts.size == PixelSize(5, 4) && amounts[3, 2, 0] == stored[3, 2, 3])
    #expect(run("convert", page, "--ink", "black", "--plan").status == .done)
  }

  /// Colors that no option asked for lose the separations.
  @Test func convertedInksAreNoted() throws {
    struct Report: Decodable {
      let space: String
      let notes: [String]
    }
    let output = folder.path("out.tif")
    let beginning = "The ink channels of “\(page)” are converted to ProPhoto RGB. Pass "
    let cropped = run("convert", page, output, "--crop", "0,0,5x4", "--json")
    let note = beginning + "--as-stored to keep them, or --to sRGB to write a file for screens."
    #expect(cropped.status == .done && cropped.errors.contains(note), "\(cropped.errors)")
    let report: Report = try cropped.report()
    #expect(report.space == "ProPhoto RGB" && report.notes.contains(note))
    // Colors that steps change cannot be kept.
    let lighter = run("convert", page, output, "--exposure", "0.5")
    #expect(
      lighter.errors.contains(beginning + "--to sRGB to write a file for screens."),
      "\(lighter.errors)")
    // Nor does PNG hold ink channels.
    let shown = run("convert", page, folder.path("out.png"))
    #expect(
      shown.errors.contains(beginning + "--to sRGB to write a file for screens."),
      "\(shown.errors)")
    for words in [["--to", "sRGB"], ["--as-stored"], ["--ink", "black"]] {
      let asked = run(["convert", page, output] + words)
      #expect(asked.status == .done && !asked.complaint.contains("are converted"), "\(words)")
    }
  }

  @Test func inksThatAreMissingAreNamed() throws {
    let output = folder.path("no.png")
    let unknown = run("convert", page, output, "--ink", "cyen")
    #expect(unknown.status == .misused)
    #expect(
      unknown.complaint.contains(
        "has no ink channel “cyen”. Did you mean “cyan”? It has cyan, magenta, yellow, black."),
      "\(unknown.errors)")
    let photo = folder.path("photo.png")
    try ImageFile.write(
      .uint8(TestPictures.codes(as: UInt8.self, PixelSize(4, 4), in: .sRGB)), to: photo)
    let colors = run("convert", photo, output, "--ink", "cyan")
    #expect(colors.status == .misused && colors.complaint.contains("“--ink” reads an ink channel"))
    for other in [["--gain-maps", "drop"], ["--layer-name", "extra 1"]] {
      #expect(run(["convert", page, output, "--ink", "cyan"] + other).status == .misused)
    }
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
