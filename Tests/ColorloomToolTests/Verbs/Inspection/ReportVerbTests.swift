import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The page that shows what happens to the colors of a picture.
@Suite struct ReportVerbTests {
  private let folder: TemporaryFolder
  private let scene: Picture

  init() throws {
    folder = try TemporaryFolder()
    let (width, height) = (192, 128)
    let pixels = SampleScene.pixels(width: width, height: height, samples: 1)
    let linear = Bitmap<Float>(
      PixelSize(width, height), in: ColorSpace.displayP3.linear, channels: .rgb
    ) { x, y in
      let light = pixels[y * width + x]
      return [light.x, light.y, light.z]
    }
    scene = try Picture(Picture(linear).converted(to: .displayP3).render(as: UInt8.self))
    try scene.write(to: folder.path("original.png"), samples: .uint8)
  }

  private func page(_ words: [String]) throws -> String {
    let path = folder.path("report.html")
    let result = run(["report"] + words + ["-o", path])
    #expect(result.status == .done, "\(result.complaint)")
    return try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }

  /// What stands on the first screen.
  private func verdict(_ page: String) throws -> String {
    let start = try #require(page.range(of: "<div class=\"verdict"))
    let end = try #require(page[start.upperBound...].range(of: "</div>"))
    return String(page[start.lowerBound..<end.lowerBound])
  }

  /// A file as a faulty pipeline leaves it.
  private func broken(_ name: String) throws -> String {
    let png = folder.path("broken.png")
    let untagged = {
      var options = WritingOptions()
      options.isUntagged = true
      return options
    }()
    let clipped = scene.fitted(into: .sRGB, by: .clipped)
    switch name {
    case "profile dropped": try scene.write(to: png, samples: .uint8, writing: untagged)
    case "converted and untagged": try clipped.write(to: png, samples: .uint8, writing: untagged)
    case "assigned": try scene.tagged(as: .sRGB).write(to: png)
    case "clipped": try clipped.converted(to: .displayP3).write(to: png)
    case "swapped":
      try scene.channelMix(ColorMatrix(rows: [0, 0, 1], [0, 1, 0], [1, 0, 0]), in: .encoded)
        .write(to: png)
    case "curve":
      let curve = try CubicCurve(through: [[0, 0], [0.1, 0], [0.6, 1], [1, 1]])
      try scene.toneCurve(curve).write(to: png)
    case "gray": try scene.monochrome().write(to: png)
    case "twice":
      try clipped.tagged(as: .displayP3).fitted(into: .sRGB, by: .clipped).write(to: png)
    case "wrong code points": try scene.tagged(as: .rec2100PQ).write(to: png)
    default:
      var options = WritingOptions()
      (options.quality, options.chroma) = (40, .quarter)
      let path = folder.path("broken.jpg")
      try scene.write(to: path, writing: options)
      return path
    }
    return png
  }

  @Test(arguments: [
    ("profile dropped", "The profile was dropped"),
    ("converted and untagged", "converted to sRGB and nothing says so"),
    ("assigned", "assigned where colors should have been converted"),
    ("clipped", "clipped to sRGB"), ("swapped", "red and blue swapped"),
    ("curve", "A tone curve changed the values"), ("gray", "turned gray"),
    ("twice", "converted twice"),
    ("wrong code points", "assigned where colors should have been converted"),
    ("JPEG", "JPEG quantization"),
  ])
  func faultyPipelinesAreNamed(name: String, finding: String) throws {
    let verdict = try verdict(
      page([broken(name), "--original", folder.path("original.png")]))
    #expect(verdict.contains("Color is lost."), "\(verdict)")
    #expect(verdict.contains(finding), "\(verdict)")
  }

  @Test func intactCopiesAreIntact() throws {
    for (name, samples) in [("copy.png", SampleFormat.uint8), ("copy.tiff", .uint16)] {
      let copy = folder.path(name)
      try scene.write(to: copy, samples: samples)
      let verdict = try verdict(page([copy, "--original", folder.path("original.png")]))
      #expect(verdict.contains("Color is kept."), "\(verdict)")
    }
  }

  /// A copy that was only rotated or mirrored keeps its colors, and the page names the turn.
  @Test(
    arguments: zip(
      Orientation.allCases.dropFirst(),
      [
        "mirrored horizontally", "rotated by 180°", "mirrored vertically",
        "mirrored at the main diagonal", "rotated by 90° clockwise",
        "mirrored at the other diagonal", "rotated by 90° counterclockwise",
      ]))
  func turnsAreNamed(orientation: Orientation, turn: String) throws {
    let copy = folder.path("copy.png")
    try scene.oriented(orientation).write(to: copy)
    let verdict = try verdict(page([copy, "--original", folder.path("original.png")]))
    #expect(verdict.contains("Color is kept."), "\(verdict)")
    #expect(verdict.contains("The picture is \(turn),"), "\(verdict)")
  }

  @Test func lossesOfTurnedPicturesAreNamed() throws {
    let copy = folder.path("copy.png")
    try scene.turned(quarters: 1).fitted(into: .sRGB, by: .clipped).converted(to: .displayP3)
      .write(to: copy)
    let verdict = try verdict(page([copy, "--original", folder.path("original.png")]))
    #expect(verdict.contains("Color is lost."), "\(verdict)")
    #expect(verdict.contains("rotated by 90°") && verdict.contains("clipped to sRGB"), "\(verdict)")
  }

  /// No known loss makes a crop of a picture, or another picture.
  @Test func otherPicturesAreNotExplained() throws {
    let other = TestPictures.codes(as: UInt8.self, PixelSize(90, 60), in: .sRGB, channels: .rgb)
    let part = scene.cropped(to: Region(x: 70, y: 0, width: 60, height: 128))
    for picture in [
      part, part.turned(quarters: 1), part.monochrome(), Picture(other),
      Picture(other).monochrome(),
    ] {
      let copy = folder.path("copy.png")
      try picture.write(to: copy)
      let verdict = try verdict(page([copy, "--original", folder.path("original.png")]))
      #expect(verdict.contains("The pictures differ."), "\(verdict)")
      #expect(verdict.contains("no known loss explains the difference"), "\(verdict)")
      #expect(!verdict.contains("Color is lost."), "\(verdict)")
    }
  }

  @Test func stepsThatLoseColorAreNamed() throws {
    let text = try page([folder.path("original.png"), "--to", "sRGB"])
    let verdict = try verdict(text)
    #expect(verdict.contains("store as uint8: gamut is lost"), "\(verdict)")
    #expect(verdict.contains("ΔE2000"))
    for part in ["Pictures", "Where color is lost", "Colors", "Plan", "File"] {
      #expect(text.contains("<h2>\(part)</h2>"), "\(part)")
    }
    // Everything is in the page, and described.
    #expect(!text.contains("<script") && !text.contains("http"))
    let images = text.components(separatedBy: "<img ").dropFirst()
    #expect(images.count >= 4)
    #expect(images.allSatisfy { $0.hasPrefix("alt=\"") && !$0.hasPrefix("alt=\"\"") })
    #expect(
      text.components(separatedBy: "<svg ").dropFirst().allSatisfy { $0.contains("aria-label=\"") })
  }

  @Test func canariesAreRecognized() throws {
    let canary = folder.path("canary.png")
    #expect(run("canary", "make", canary).status == .done)
    #expect(try verdict(page([canary])).contains("The canary is intact"))
    let clipped = folder.path("clipped.png")
    #expect(run("convert", canary, clipped, "--to", "sRGB", "--gamut", "clip").status == .done)
    #expect(try verdict(page([clipped])).contains("The canary is clipped"))
  }

  /// Values that no Int holds, infinity and NaN are drawn at the edges, or not at all.
  @Test func extremeValuesAreDrawn() throws {
    for value in [Float(1e20), -1e20, 3e38, .infinity, .nan] {
      let bitmap = Bitmap<Float>(PixelSize(8, 8), in: .linearSRGB, channels: .rgb) { x, y in
        [x == y ? value : 0.5, 0.25, x == 2 ? value : 0]
      }
      let path = folder.path("extreme.exr")
      try ImageFile.write(.float32(bitmap), to: path)
      #expect(try page([path]).contains("<h2>Colors</h2>"), "\(value)")
    }
  }

  /// Parts of a file that are not read are listed, but no loss of color.
  @Test func unreadPartsLoseNoColor() throws {
    let path = folder.path("two.pgm")
    let map = Array("P5\n8 8\n255\n".utf8) + [UInt8](repeating: 99, count: 64)
    try Data(map + map).write(to: URL(filePath: path))
    let text = try page([path, "--assume", "sRGB"])
    #expect(text.contains("Not read: what follows its first picture"))
    #expect(!(try verdict(text)).contains("Not read"))
  }

  @Test func aPageNeedsAFile() {
    #expect(run("report", folder.path("original.png")).status == .misused)
    let missing = folder.path("nowhere/report.html")
    #expect(run("report", folder.path("original.png"), "--out", missing).status == .failed)
  }
}
