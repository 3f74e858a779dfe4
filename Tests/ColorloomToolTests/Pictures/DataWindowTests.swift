import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Elements of one shot in OpenEXR files, whose data windows differ.
@Suite struct DataWindowTests {
  private let folder: TemporaryFolder

  /// A black plate of 10 × 6 pixels, the same with two columns of overscan and one row, a white element of 4 × 3 pixels at (3, 2), and what
  /// both look like.
  init() throws {
    folder = try TemporaryFolder()
    try write("plate.exr", Region(PixelSize(10, 6))) { _, _ in 0 }
    try write("overscan.exr", Region(x: -2, y: -1, width: 14, height: 8)) { _, _ in 0 }
    try write("element.exr", Self.element) { _, _ in 1 }
    try write("whole.exr", Region(PixelSize(10, 6))) { x, y in
      Self.element.contains(Region(x: x, y: y, width: 1, height: 1)) ? 1 : 0
    }
  }

  private static let element = Region(x: 3, y: 2, width: 4, height: 3)

  /// Writes a file of a data window; `value` takes positions in the display window.
  private func write(
    _ name: String, _ window: Region, value: @escaping (Int, Int) -> Float
  ) throws {
    var file = TestEXR(width: window.width, height: window.height) { x, y, _ in
      value(x + window.x, y + window.y)
    }
    (file.left, file.top, file.display) = (window.x, window.y, [0, 0, 9, 5])
    try Data(file.bytes).write(to: URL(filePath: folder.path(name)))
  }

  /// The regions of white pixels that a command writes to “out.exr”, and what it said.
  private func white(_ words: [String]) throws -> (region: Region, errors: [String]) {
    let transcript = run(words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    let picture: Bitmap<Float> = try Picture(contentsOf: folder.path("out.exr")).render()
    let pixels = (0..<picture.size.height).flatMap { y in
      (0..<picture.size.width).compactMap { x in picture[x, y, 0] == 1 ? (x, y) : nil }
    }
    let (columns, rows) = (pixels.map(\.0), pixels.map(\.1))
    let (left, top) = (try #require(columns.min()), try #require(rows.min()))
    let region = Region(
      x: left, y: top, width: (columns.max() ?? 0) - left + 1, height: (rows.max() ?? 0) - top + 1)
    #expect(pixels.count == region.size.pixelCount)
    return (region, transcript.errors)
  }

  private func convert(_ input: String, _ steps: String...) throws -> (Region, [String]) {
    try white(["convert", folder.path(input), folder.path("out.exr")] + steps)
  }

  @Test func layersLieAtTheirDataWindows() throws {
    let layer = folder.path("element.exr")
    for steps in [["--layer", layer], ["--exposure", "1", "--layer", layer]] {
      let (region, errors) = try white(
        ["convert", folder.path("plate.exr"), folder.path("out.exr")] + steps)
      #expect(region == Self.element && errors.isEmpty, "\(errors)")
    }
    // In the data window of a plate with overscan, which its result keeps.
    let (region, errors) = try convert("overscan.exr", "--layer", layer)
    #expect(region == Region(x: 5, y: 3, width: 4, height: 3) && errors.isEmpty, "\(errors)")
    let framing = try ImageFile.info(folder.path("out.exr")).metadata.framing
    #expect(framing?.dataWindow == Region(x: -2, y: -1, width: 14, height: 8))
  }

  @Test func positionsOfLayersAreThoseOfTheStep() throws {
    let layer = folder.path("element.exr")
    let (region, errors) = try convert("overscan.exr", "--layer", "\(layer),at=1,2")
    #expect(region == Region(x: 1, y: 2, width: 4, height: 3) && errors.isEmpty, "\(errors)")
  }

  /// Files of other formats have no data window: they lie at the upper left corner.
  @Test func layersWithoutWindowsStayInTheCorner() throws {
    let logo = folder.path("logo.png")
    let bitmap = Bitmap<UInt8>(PixelSize(4, 3), in: .sRGB, channels: .rgb) { _, _ in
      [255, 255, 255]
    }
    try ImageFile.write(.uint8(bitmap), to: logo)
    let (region, errors) = try convert("overscan.exr", "--layer", logo)
    #expect(region == Region(PixelSize(4, 3)) && errors.isEmpty, "\(errors)")
  }

  @Test func layersOfResizedPicturesAreNoted() throws {
    let layer = folder.path("element.exr")
    let (region, errors) = try convert("plate.exr", "--resize", "20x12", "--layer", layer)
    #expect(region == Region(PixelSize(4, 3)))
    #expect(errors.contains { $0.contains("begins at (3, 2)") && $0.contains("not aligned") })
    let (_, placed) = try convert(
      "plate.exr", "--resize", "20x12", "--layer", "\(layer),x=1,y=1")
    #expect(placed.allSatisfy { !$0.contains("not aligned") }, "\(placed)")
  }

  /// A file has one data window for all of its layers.
  @Test func layersOfOtherWindowsAreNoted() throws {
    try write("moved.exr", Region(x: 1, y: 0, width: 10, height: 6)) { _, _ in 1 }
    func notes(_ file: String) -> [String] {
      let transcript = run(
        "convert", folder.path("plate.exr"), folder.path("out.exr"), "--layer-file",
        "spec=\(folder.path(file))")
      #expect(transcript.status == .done, "\(transcript.errors)")
      return transcript.errors
    }
    #expect(notes("moved.exr").contains { $0.contains("begins at (1, 0)") })
    #expect(notes("whole.exr").isEmpty)
  }

  @Test func inputsOfRecipesLieAtTheirDataWindows() throws {
    let recipe = folder.path("over.json")
    try """
    {"version": 1, "inputs": ["plate", "element"], "steps": [{"from": ["plate", "element"], "layer": {}}]}
    """.write(toFile: recipe, atomically: true, encoding: .utf8)
    for (plate, region) in [
      ("plate.exr", Self.element), ("overscan.exr", Region(x: 5, y: 3, width: 4, height: 3)),
    ] {
      let found = try white(
        ["run", recipe] + [plate, "element.exr", "out.exr"].map { folder.path($0) })
      #expect(found.region == region && found.errors.isEmpty, "\(found.errors)")
    }
  }

  private func compared(_ a: String, _ b: String) -> Transcript {
    run("compare", folder.path(a), folder.path(b), "--fail-above", "0.01")
  }

  @Test func comparisonsCoverBothDataWindows() throws {
    let same = compared("whole.exr", "element.exr")
    #expect(same.status == .done, "\(same.output)")
    #expect(same.errors.contains { $0.contains("10 × 6 pixels at (0, 0)") }, "\(same.errors)")
    // The same pixels, one column to the right.
    try write("shifted.exr", Region(x: 4, y: 2, width: 4, height: 3)) { _, _ in 1 }
    let shifted = compared("element.exr", "shifted.exr")
    #expect(shifted.status == .failed && shifted.output.contains { $0.hasPrefix("ΔE largest") })
    #expect(compared("element.exr", "element.exr").errors.isEmpty)
  }

  @Test func comparisonsOfDistantWindowsAreRefused() throws {
    try write("far.exr", Region(x: 1 << 24, y: 1 << 24, width: 4, height: 3)) { _, _ in 1 }
    let far = compared("element.exr", "far.exr")
    #expect(far.status == .failed && far.complaint.contains("--max-pixels"), "\(far.errors)")
  }

  @Test func comparisonsNoteOtherDisplayWindows() throws {
    var file = TestEXR(width: 10, height: 6) { _, _, _ in 0 }
    file.display = [0, 0, 19, 11]
    try Data(file.bytes).write(to: URL(filePath: folder.path("wide.exr")))
    let wide = compared("plate.exr", "wide.exr")
    #expect(wide.status == .done && wide.errors.contains { $0.contains("same data window") })
  }
}
