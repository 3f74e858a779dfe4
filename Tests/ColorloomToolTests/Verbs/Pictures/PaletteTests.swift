import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `--colors`, which writes PNG files with a palette.
@Suite struct PaletteTests {
  private let folder: TemporaryFolder
  private let source: String

  init() throws {
    folder = try TemporaryFolder()
    source = folder.path("in.png")
    let photo = Bitmap<UInt16>(PixelSize(64, 48), in: .sRGB, channels: .rgb) { x, y in
      [UInt16(x * 1000), UInt16(y * 1300), UInt16((x + y) * 500)]
    }
    try ImageFile.write(.uint16(photo), to: source)
  }

  /// The color type and the bits of a PNG file, and its number of colors.
  private func content(_ name: String) throws -> (colorType: UInt8, bits: UInt8, colors: Int) {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder.path(name))))
    guard case .uint8(let bitmap) = try ImageFile.read(bytes: bytes) else { return (0, 0, 0) }
    let samples = bitmap.samples
    let step = bitmap.channels.count
    let colors = Set(
      stride(from: 0, to: samples.count, by: step).map { Array(samples[$0..<$0 + step]) })
    return (bytes[25], bytes[24], colors.count)
  }

  @Test func convertWritesAtMostSoManyColors() throws {
    let output = folder.path("o.png")
    let result = run("convert", source, output, "--colors", "16")
    #expect(result.status == .done, "\(result.errors)")
    let found = try content("o.png")
    #expect(found.colorType == 3 && found.bits == 4 && (9...16).contains(found.colors))
  }

  @Test func ditherNoneSwitchesDiffusionOff() throws {
    var files: [Data] = []
    for (index, dither) in [[], ["--dither", "diffusion"], ["--dither", "none"]].enumerated() {
      let output = folder.path("\(index).png")
      #expect(run(["convert", source, output, "--colors", "16"] + dither).status == .done)
      files.append(try Data(contentsOf: URL(filePath: output)))
    }
    #expect(files[0] == files[1] && files[0] != files[2])
    let (plain, none) = (folder.path("plain.png"), folder.path("none.png"))
    #expect(run("convert", source, plain).status == .done)
    #expect(run("convert", source, none, "--dither", "none").status == .done)
    #expect(FileManager.default.contentsEqual(atPath: plain, andPath: none))
  }

  @Test func otherVerbsWritePalettesToo() throws {
    let paths = (folder.path("w.png"), folder.path("n.jpg"), folder.path("tiles"))
    #expect(
      run("variants", source, "--wide", paths.0, "--narrow", paths.1, "--colors", "8").status
        == .done)
    #expect(try content("w.png").colorType == 3)
    let tiles = run("tiles", source, paths.2, "--format", "png", "--colors", "8")
    #expect(tiles.status == .done, "\(tiles.errors)")
    #expect(run("montage", source, source, "--out", paths.0, "--colors", "4").status == .done)
    #expect(try content("w.png").bits == 2)
  }

  @Test(arguments: [
    (["--samples", "uint16"], "“--samples” asks for"),
    (["--dither", "ordered"], "error diffusion"),
    (["--dither", "blue-noise"], "error diffusion"),
  ])
  func contradictionsAreRefused(words: [String], reason: String) throws {
    let output = folder.path("o.png")
    let result = run(["convert", source, output, "--colors", "16"] + words)
    #expect(result.status == .misused && result.complaint.contains(reason), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// A plan without a file has the checks that the run will have.
  @Test(arguments: [
    (["--samples", "uint16"], "“--samples” asks for"),
    (["--dither", "ordered"], "error diffusion"),
    (["--format", "png", "--dither", "blue-noise"], "error diffusion"),
    (["--format", "jpeg"], "“--colors 16” is for PNG files; the file is JPEG."),
  ])
  func plansRefuseContradictionsToo(words: [String], reason: String) {
    let plan = ["convert", source, "--plan", "--colors", "16"]
    let result = run(plan + words)
    #expect(result.status == .misused && result.complaint.contains(reason), "\(result.errors)")
    #expect(run(plan).status == .done)
  }

  @Test(arguments: ["1", "257", "none"]) func countsAreOf2To256(count: String) {
    let result = run("convert", source, folder.path("o.png"), "--colors", count)
    #expect(result.status == .misused && result.complaint.contains("--colors"))
  }
}
