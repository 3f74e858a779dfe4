import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Pictures cut into tiles at the command line.
@Suite struct TilesVerbTests {
  private let folder: TemporaryFolder
  private let input: String

  init() throws {
    folder = try TemporaryFolder()
    input = folder.path("in.png")
    let source = TestPictures.codes(
      as: UInt16.self, PixelSize(61, 40), in: .displayP3, channels: .rgb)
    try ImageFile.write(.uint16(source), to: input)
  }

  private struct Report: Decodable {
    let folder, layout, format, space: String
    let width, height, tileSize, overlap, levels, tiles: Int
  }

  /// Reads the pixels of a tile of 8 bits.
  private func tile(_ name: String) throws -> Bitmap<UInt8> {
    guard case .uint8(let bitmap) = try ImageFile.read(folder.path(name)) else {
      throw ImageFileError.unsupportedSamples(.uint16, format: .png)
    }
    return bitmap
  }

  /// Steps come first, then the conversion to sRGB; the tiles of the largest level are those of “convert”.
  @Test func tilesAreThoseOfConvert() throws {
    let output = folder.path("map")
    let written = run(
      "tiles", input, output, "--fit", "50", "--tile-size", "16", "--format", "png", "--json")
    #expect(written.status == .done, "\(written.errors)")
    let report = try written.report(as: Report.self)
    #expect((report.width, report.height, report.levels, report.tiles) == (50, 33, 7, 21))
    #expect((report.layout, report.format, report.space) == ("dzi", "PNG", "sRGB"))
    #expect((report.tileSize, report.overlap) == (16, 1))
    let plain = folder.path("plain.png")
    let converted = run(
      "convert", input, plain, "--fit", "50", "--to", "sRGB", "--samples", "uint8")
    #expect(converted.status == .done)
    guard case .uint8(let whole) = try ImageFile.read(plain) else {
      Issue.record("The file has 8 bits")
      return
    }
    let first = try tile("map/map_files/6/1_1.png")
    #expect(first.size == PixelSize(18, 18))
    #expect(first[0, 0, 1] == whole[15, 15, 1] && first[17, 17, 2] == whole[32, 32, 2])
    #expect(try tile("map/map_files/0/0_0.png").size == PixelSize(1, 1))
  }

  /// The kernel of --kernel makes the levels, without a step that resamples.
  @Test func kernelsMakeTheLevels() throws {
    let source = try Picture(contentsOf: input).converted(to: .sRGB)
    for (words, kernel) in [([], ResamplingKernel.lanczos3), (["--kernel", "box"], .box)] {
      let written = run(
        ["tiles", input, folder.path("a"), "--tile-size", "64", "--format", "png"] + words)
      #expect(written.status == .done, "\(written.errors)")
      let half: Bitmap<UInt8> = try TilePyramid(kernel: kernel).half(of: source).render()
      #expect(try tile("a/a_files/5/0_0.png") == half)
    }
  }

  /// JPEG holds opaque tiles by default, and PNG others.
  @Test func transparencyChoosesTheFormat() throws {
    let clear = folder.path("clear.png")
    try ImageFile.write(
      .uint8(TestPictures.codes(as: UInt8.self, PixelSize(20, 9), in: .sRGB, channels: .rgba)),
      to: clear)
    #expect(run("tiles", input, folder.path("a")).status == .done)
    #expect(run("tiles", clear, folder.path("b")).status == .done)
    #expect(run("tiles", clear, folder.path("c"), "--background", "white").status == .done)
    for (name, ending) in [("a/a_files/6", "jpg"), ("b/b_files/5", "png"), ("c/c_files/5", "jpg")] {
      let path = folder.path("\(name)/0_0.\(ending)")
      #expect(FileManager.default.fileExists(atPath: path), "\(path)")
    }
    let refused = run("tiles", clear, folder.path("d"), "--format", "jpeg")
    #expect(refused.status == .failed && refused.complaint.contains("--background white"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("d")))
  }

  @Test func layoutsHaveTheirOwnFiles() throws {
    let output = folder.path("map")
    #expect(run("tiles", input, output, "--layout", "xyz", "--tile-size", "32").status == .done)
    #expect(try tile("map/1/1/1.jpg").size == PixelSize(32, 32))
    // A pyramid of another layout is no older version of this one.
    let other = run("tiles", input, output)
    #expect(other.status == .failed && other.complaint.contains("would be removed"))
    let images = folder.path("images")
    let id = ["--id", "https://example.com/images"]
    #expect(
      run(["tiles", input, images, "--layout", "iiif", "--tile-size", "32"] + id).status == .done)
    #expect(try tile("images/32,0,29,32/29,32/0/default.jpg").size == PixelSize(29, 32))
    for words in [
      ["--layout", "iiif"], id, ["--layout", "xyz", "--overlap", "1"],
      ["--layout", "iiif", "--id", ""], ["--layout", "iiif", "--id", "a/b"],
      ["--layout", "iiif", "--id", "https://example.com/images/"],
    ] {
      let refused = run(["tiles", input, folder.path("none")] + words)
      #expect(refused.status == .misused, "\(words): \(refused.errors)")
    }
  }

  @Test func existingTilesAreKeptOnRequest() throws {
    let output = folder.path("map")
    #expect(run("tiles", input, output, "--existing", "refuse").status == .done)
    let refused = run("tiles", input, output, "--existing", "refuse")
    #expect(refused.status == .failed && refused.complaint.contains("map.dzi"))
    let missing = folder.path("none.png")
    let kept = run("tiles", missing, output + "/", "--existing", "skip")
    #expect(kept.status == .done && kept.complaint.contains("left as it is"))
    #expect(run("tiles", input, output, "--tile-size", "8").status == .done)
    #expect(FileManager.default.fileExists(atPath: folder.path("map/map_files/6/7_4.jpg")))
  }

  /// A tile of a pyramid is no source of the pyramid that replaces it.
  @Test func inputsInTheFolderAreKept() throws {
    let output = folder.path("map")
    #expect(run("tiles", input, output).status == .done)
    let tile = folder.path("map/map_files/0/0_0.jpg")
    let refused = run("tiles", tile, output)
    #expect(refused.status == .misused && refused.complaint.contains("lies in the folder"))
    #expect(FileManager.default.fileExists(atPath: tile))
  }

  /// The folder of the input, and standard output, are no folders to write.
  @Test func otherTargetsAreRefused() throws {
    let around = run("tiles", input, folder.path(""))
    #expect(around.status == .misused && around.complaint.contains("in.png"), "\(around.errors)")
    #expect(run("tiles", input, "-").status == .misused)
    #expect(run("tiles", input, input).status == .misused)
    let unmade = run("tiles", input, folder.path("none/map"))
    #expect(unmade.status == .failed && unmade.complaint.contains("Create it."))
    #expect(FileManager.default.fileExists(atPath: input))
  }
}
