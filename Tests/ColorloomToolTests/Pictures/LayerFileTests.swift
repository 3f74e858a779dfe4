import Colorloom
import ColorloomTool
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Layers of OpenEXR files that the command line writes.
@Suite struct LayerFileTests {
  private let folder: TemporaryFolder

  /// A picture of one value, a file with layers beside other colors, and a depth of 16 bits.
  init() throws {
    folder = try TemporaryFolder()
    let values: [String: Float] = [
      "N.X": 0, "N.Y": -0.5, "N.Z": 1, "Z": 1000.5, "diffuse.B": 0.25, "diffuse.G": 0.5,
      "diffuse.R": 1,
    ]
    func write(_ names: [(String, Int)], _ name: String) throws {
      let file = TestEXR(width: 3, height: 2, channels: names) { values[$2] ?? 0.125 }
      try Data(file.bytes).write(to: URL(filePath: folder.path(name)))
    }
    try write([("B", 1), ("G", 1), ("R", 1)], "beauty.exr")
    try write(
      [("B", 1), ("G", 1), ("N.X", 2), ("N.Y", 2), ("N.Z", 2), ("R", 1), ("Z", 2)]
        + ["diffuse.B", "diffuse.G", "diffuse.R"].map { ($0, 1) }, "passes.exr")
    let depth = Bitmap<UInt16>(PixelSize(3, 2), in: .sGray, channels: .gray) { _, _ in [32_768] }
    try ImageFile.write(.uint16(depth), to: folder.path("depth.png"))
  }

  private func convert(_ words: String..., to output: String = "out.exr") -> Transcript {
    run(
      ["convert", folder.path("beauty.exr"), folder.path(output)]
        + words.map { word in
          guard let equals = word.firstIndex(of: "=") else { return word }
          return String(word[...equals]) + folder.path(String(word[word.index(after: equals)...]))
        })
  }

  private func pixel(_ layer: String?) throws -> [Float] {
    let picture = try OpenedImageFile(folder.path("out.exr"), layer: layer).picture()
    let bitmap: Bitmap<Float> = try picture.render()
    return (0..<3).map { bitmap[2, 1, $0] }
  }

  @Test func layersOfFilesAreWritten() throws {
    let written = convert(
      "--layer-file", "diffuse=passes.exr", "--layer-file", "N=passes.exr", "--layer-file",
      "Z=passes.exr", "--layer-file", "depth=depth.png", "--layer-file", "other=passes.exr",
      "--exposure", "1")
    #expect(written.status == .done && written.errors.isEmpty, "\(written.errors)")
    // Steps change the picture alone.
    #expect(try pixel(nil) == [0.25, 0.25, 0.25])
    #expect(try pixel("diffuse") == [1, 0.5, 0.25])
    #expect(try pixel("N") == [0, -0.5, 1])
    #expect(Set(try pixel("Z")) == [1000.5])
    // A file without such a layer gives its picture, and a gray one its linear values.
    #expect(try pixel("other") == [0.125, 0.125, 0.125])
    let gray = ColorPoint(32_768 / 65_535.0, 32_768 / 65_535.0, 32_768 / 65_535.0, in: .sRGB)
      .converted(to: .linearSRGB).components[0]
    #expect(try pixel("depth").allSatisfy { abs(Double($0) - gray) <= 1e-5 })
    let info = try ImageFile.info(folder.path("out.exr"))
    #expect(info.layers.map(\.name) == ["N", "Z", "depth", "diffuse", "other"])
    let samples = try ["N", "Z", "depth", "diffuse"].map { name in
      try OpenedImageFile(folder.path("out.exr"), layer: name).info.samples
    }
    #expect(samples == [.float32, .float32, .float32, .float16])
    let listed = run("info", folder.path("out.exr")).output.first ?? ""
    #expect(listed.contains("layers: “N”, “Z”, “depth”, “diffuse”, “other”"), "\(listed)")
  }

  /// A copy of a file takes its layers along, also in place of the file.
  @Test func layersOfTheInputAreKept() throws {
    try FileManager.default.copyItem(
      atPath: folder.path("passes.exr"), toPath: folder.path("out.exr"))
    let file = folder.path("out.exr")
    let written = run(
      "convert", file, file, "--exposure", "1", "--layer-file", "N=\(file)", "--layer-file",
      "Z=\(file)")
    #expect(written.status == .done, "\(written.errors)")
    #expect(try pixel(nil) == [0.25, 0.25, 0.25])
    #expect(try pixel("N") == [0, -0.5, 1])
    #expect(Set(try pixel("Z")) == [1000.5])
  }

  @Test func samplesHoldForLayers() throws {
    let written = convert("--layer-file", "Z=passes.exr", "--samples", "float16")
    #expect(written.status == .done, "\(written.errors)")
    let info = try OpenedImageFile(folder.path("out.exr"), layer: "Z").info
    #expect(info.samples == .float16)
  }

  @Test func refusalsWriteNothing() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path("")).count
    let other = convert("--layer-file", "Z=passes.exr", to: "out.png")
    #expect(other.status == .misused && other.complaint.contains("is for OpenEXR files"))
    #expect(other.complaint.contains("--layer-file Z="), "\(other.errors)")
    for word in ["depth", "=passes.exr", "depth="] {
      let refused = run(
        "convert", folder.path("beauty.exr"), folder.path("out.exr"), "--layer-file", word)
      #expect(refused.status == .misused, "\(refused.errors)")
      #expect(refused.complaint.contains("depth=depth.exr"), "\(refused.errors)")
    }
    let replaced = convert("--layer-file", "Z=passes.exr", to: "passes.exr")
    #expect(replaced.status == .misused && replaced.complaint.contains("which is read"))
    let taken = convert("--layer-file", "R=passes.exr")
    #expect(taken.status == .failed && taken.complaint.contains("“R”"), "\(taken.errors)")
    for words in [["--fit", "2"], ["--fit", "2", "--plan"]] {
      let smaller = run(
        ["convert", folder.path("beauty.exr"), folder.path("out.exr"), "--layer-file"]
          + ["Z=\(folder.path("passes.exr"))"] + words)
      #expect(smaller.status == .failed, "\(smaller.errors)")
      #expect(smaller.complaint.contains("3 × 2") && smaller.complaint.contains("2 × 1"))
    }
    let many = run(
      "convert", folder.path("beauty.exr"), "--out", folder.path("{name}-2.exr"), "--layer-file",
      "Z=\(folder.path("passes.exr"))")
    #expect(many.status == .misused && many.complaint.contains("“--out”"), "\(many.errors)")
    #expect(convert("--layer-file", "Z=missing.exr").status == .failed)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).count == before)
  }
}
