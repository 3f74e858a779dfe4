import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Parts and layers of OpenEXR files on the command line.
@Suite struct LayerNameTests {
  private let folder: TemporaryFolder

  /// A file of two parts, each channel of one value: layers and a depth, and gray.
  init() throws {
    folder = try TemporaryFolder()
    let values: [String: Float] = [
      "beauty.B": 0.25, "beauty.G": 0.5, "beauty.R": 1, "z": 0.125, "Y": 0.75,
    ]
    func part(_ names: [String]) -> TestEXR {
      TestEXR(width: 3, height: 2, channels: names.map { ($0, 1) }) { values[$2] ?? 0 }
    }
    let bytes = TestEXR.parts([
      ("render", part(["beauty.B", "beauty.G", "beauty.R", "z"])), ("matte", part(["Y"])),
    ])
    try Data(bytes).write(to: URL(filePath: folder.path("in.exr")))
  }

  /// The first pixel that a command writes.
  private func pixel(_ words: String...) throws -> [Float] {
    let transcript = run(["convert", folder.path("in.exr"), folder.path("out.exr")] + words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    guard case .float16(let bitmap) = try ImageFile.read(folder.path("out.exr")) else {
      throw Failure("The result has no halves.")
    }
    return (0..<bitmap.channels.count).map { Float(bitmap[0, 0, $0]) }
  }

  @Test func layersChannelsAndPartsAreConverted() throws {
    #expect(try pixel("--layer-name", "beauty") == [1, 0.5, 0.25])
    #expect(Set(try pixel("--layer-name", "z")) == [0.125])
    #expect(Set(try pixel("--page", "2")) == [0.75])
  }

  @Test(arguments: [
    ["trace", "in.exr", "--to", "srgb"], ["explain", "in.exr", "--at", "1,1"],
    ["inspect", "in.exr"],
    ["variants", "in.exr", "--wide", "w.png", "--narrow", "n.png"],
  ])
  func verbsTakeLayers(words: [String]) {
    let words = words.map { $0.contains(".") ? folder.path($0) : $0 }
    let chosen = run(words + ["--layer-name", "beauty"])
    #expect(chosen.status == .done, "\(chosen.errors)")
    #expect(run(words).status == .failed)
  }

  @Test func recipesReadLayers() throws {
    let recipe = #"{"version": 1, "inputs": ["photo"], "steps": [{"exposure": {"stops": -1}}]}"#
    try recipe.write(toFile: folder.path("r.json"), atomically: true, encoding: .utf8)
    let words = ["run", folder.path("r.json"), folder.path("in.exr"), folder.path("out.exr")]
    let chosen = run(words + ["--layer-name", "beauty"])
    #expect(chosen.status == .done, "\(chosen.errors)")
    guard case .float16(let bitmap) = try ImageFile.read(folder.path("out.exr")) else {
      throw Failure("The result has no halves.")
    }
    #expect((0..<3).map { Float(bitmap[0, 0, $0]) } == [0.5, 0.25, 0.125])
    let plan = run("plan", folder.path("r.json"), folder.path("in.exr"), "--layer-name", "beauty")
    #expect(plan.status == .done, "\(plan.errors)")
    for refused in [run(words), run("plan", folder.path("r.json"), folder.path("in.exr"))] {
      #expect(refused.complaint.contains("such as --layer-name beauty."), "\(refused.errors)")
    }
  }

  @Test func refusalsSayWhatToPass() throws {
    let words = [folder.path("in.exr"), folder.path("out.exr")]
    let none = run(["convert"] + words)
    #expect(none.status == .failed)
    #expect(none.complaint.contains("its channels are “beauty.B”, “beauty.G”, “beauty.R”, “z”."))
    #expect(none.complaint.contains("such as --layer-name beauty."))
    let wrong = run(["convert"] + words + ["--layer-name", "diffuse"])
    #expect(wrong.complaint.contains("no layer “diffuse”"))
    // Where red, green and blue lie outside of layers, no name is needed.
    let plain = TestEXR(width: 3, height: 2, channels: ["B", "G", "R"].map { ($0, 1) }) { _, _, _ in
      1
    }
    try Data(TestEXR.parts([("plain", plain)])).write(to: URL(filePath: folder.path("plain.exr")))
    let needless = run(
      "convert", folder.path("plain.exr"), folder.path("out.exr"), "--layer-name", "diffuse")
    #expect(needless.status == .failed && !needless.complaint.contains("such as --layer-name"))
    // Of a verb without the option.
    let other = run("canary", "check", folder.path("in.exr"))
    #expect(other.complaint.contains("“colorloom convert --layer-name beauty” reads one of them."))
  }

  @Test func reportsNamePartsAndLayers() throws {
    let input = folder.path("in.exr")
    let line = try #require(run("info", input, "--layer-name", "z").output.first)
    #expect(line.contains("gray") && line.contains("part 1 of 2") && line.contains("of “z”"))
    let lines = run("inspect", input, "--page", "2").output.joined(separator: "\n")
    #expect(lines.contains("the part “matte”") && lines.contains("page: 2 of 2"))
    struct Report: Decodable { let page: Int, pages: Int, layer: String?, notes: [String] }
    let report: Report = try run("info", input, "--layer-name", "beauty", "--json").report()
    #expect(report.layer == "beauty" && report.page == 1 && report.pages == 2)
    #expect(report.notes.contains { $0.contains("1 other channel") })
    let other: Report = try run("info", input, "--page", "2", "--json").report()
    #expect(other.layer == nil && other.page == 2)
  }

  @Test func infoListsLayers() throws {
    let input = folder.path("in.exr")
    let line = try #require(run("info", input, "--layer-name", "beauty").output.first)
    #expect(line.contains("layers: “beauty”, “z”"))
    // Without colors outside of layers, a layer is described, with a note.
    let unnamed = run("info", input)
    #expect(unnamed.status == .done && unnamed.output.first == line, "\(unnamed.errors)")
    #expect(unnamed.errors.contains { $0.contains("this is “beauty”") })
    let matte = try #require(run("info", input, "--page", "2").output.first)
    #expect(!matte.contains("layers"))
    struct Report: Decodable {
      struct Layer: Decodable { let name: String, channels: [String] }
      let layers: [Layer]
    }
    let report: Report = try run("info", input, "--layer-name", "z", "--json").report()
    #expect(report.layers.map(\.name) == ["beauty", "z"])
    #expect(report.layers[0].channels == ["beauty.R", "beauty.G", "beauty.B"])
    let other: Report = try run("info", input, "--page", "2", "--json").report()
    #expect(other.layers.isEmpty)
  }

  /// An extra sample beside the colors, such as a scanner's infrared channel, becomes a mask of what is dark in it, and dust is replaced by the
  /// median of its surroundings, as the guide of film does.
  @Test func extraSamplesOfTIFFBecomeMasks() throws {
    let scan = TestTIFF(width: 9, height: 2, bits: 16, samplesPerPixel: 4) { x, _, channel in
      x == 4 ? 1000 : channel == 3 ? 60_000 : 30_000
    }
    let (input, output) = (folder.path("scan.tif"), folder.path("mask.png"))
    let (filled, clean) = (folder.path("filled.tif"), folder.path("clean.tif"))
    try Data(scan.bytes).write(to: URL(filePath: input))
    #expect(run("info", input).output.first?.contains("layers: “extra 1”") == true)
    let made = run(
      "convert", input, output, "--layer-name", "extra 1", "--threshold=0.5", "--invert",
      "--morphology", "operation=dilate,radius=2")
    #expect(made.status == .done, "\(made.errors)")
    let mask: Bitmap<Float> = try Picture(contentsOf: output).render()
    #expect((0..<9).map { mask[$0, 0, 0] } == [0, 0, 1, 1, 1, 1, 1, 0, 0])
    for words in [
      ["convert", input, filled, "--median", "12", "--assume", "sRGB"],
      [
        "convert", input, clean, "--blend-by-linear-mask", "\(filled),\(output)", "--assume",
        "sRGB",
      ],
    ] {
      let transcript = run(words)
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
    }
    guard case .uint16(let pixels) = try ImageFile.read(clean) else { throw Failure("No codes.") }
    // One code of 16 bits, for the curve of sRGB there and back.
    #expect((0..<9).allSatisfy { abs(Int(pixels[$0, 0, 0]) - 30_000) <= 1 }, "\(pixels.samples)")
    // The name has a space, which a shell needs quotes for.
    let wrong = run("convert", input, folder.path("other.png"), "--layer-name", "infrared")
    #expect(wrong.complaint.contains("--layer-name 'extra 1'"), "\(wrong.errors)")
  }

  @Test func profilesHaveNoLayers() {
    let refused = run("inspect", "p.icc", "--layer-name", "beauty")
    #expect(refused.status == .misused && refused.complaint.contains("need a picture"))
  }
}
