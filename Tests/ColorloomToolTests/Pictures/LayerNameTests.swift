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
    #expect(Set(try pixel("--layer-name", "matte")) == [0.75])
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

  /// Both files are read by the same page and layer, and a change outside of the unnamed colors does not pass.
  @Test func layersAreCompared() throws {
    func write(_ name: String, z: Float, _ names: [String], matte: Float = 0.75) throws -> String {
      let values: [String: Float] = [
        "R": 1, "G": 0.5, "B": 0.25, "spec.R": 0.5, "spec.G": 0.5, "spec.B": 0.5, "z": z,
        "Y": matte,
      ]
      func part(_ names: [String]) -> TestEXR {
        TestEXR(width: 3, height: 2, channels: names.map { ($0, 1) }) { values[$2] ?? 0 }
      }
      let bytes = TestEXR.parts([("render", part(names)), ("matte", part(["Y"]))])
      try Data(bytes).write(to: URL(filePath: folder.path(name)))
      return folder.path(name)
    }
    let all = ["B", "G", "R", "spec.B", "spec.G", "spec.R", "z"]
    let (a, b) = (
      try write("a.exr", z: 0.125, all), try write("b.exr", z: 0.25, all, matte: 0.5)
    )
    let words = ["compare", a, b, "--fail-above", "0.01"]
    #expect(run(words).status == .done)
    #expect(run(words + ["--layer-name", "spec"]).status == .done)
    #expect(run(words + ["--layer-name", "z"]).status == .failed)
    #expect(run(words + ["--page", "2"]).status == .failed)
    #expect(run(words + ["--all-layers", "--layer-name", "z"]).status == .misused)

    let pipe = run("compare", a, "-", "--all-layers")
    #expect(pipe.status == .misused && pipe.complaint.contains("read only once"))

    let lines = run(words + ["--all-layers"])
    #expect(lines.status == .failed)
    let headings = lines.output.filter { $0.hasPrefix("layer") || $0.hasPrefix("unnamed") }
    #expect(headings == ["unnamed colors", "layer “spec”", "layer “z”"])
    // Channels of other layers are compared, too.
    #expect(!lines.errors.joined().contains("Not read"), "\(lines.errors)")
    #expect(run(words).errors.joined().contains("4 other channels"))
    struct Report: Decodable {
      struct Layer: Decodable {
        let layer: String?
        let largestStep: Double
      }
      struct Failed: Decodable {
        let layer: String?
        let error: String
      }
      let layers: [Layer]
      let failed: [Failed]
    }
    let report: Report = try run("compare", a, b, "--all-layers", "--json").report()
    #expect(report.failed.isEmpty)
    #expect(report.layers.map(\.layer) == [nil, "spec", "z"])
    #expect(report.layers.map(\.largestStep) == [0, 0, 0.125])
    #expect(run("compare", a, a, "--all-layers", "--fail-above", "0").status == .done)

    // A layer of one file fails, and the others are compared.
    let fewer = try write("c.exr", z: 0.125, Array(all.dropLast()))
    for pair in [[a, fewer], [fewer, a]] {
      let missing = run(["compare"] + pair + ["--all-layers"])
      #expect(missing.status == .failed && missing.output.contains("layer “spec”"))
      #expect(missing.errors.contains { $0.contains("no layer “z”") }, "\(missing.errors)")
      let listed = run(["compare"] + pair + ["--all-layers", "--json"])
      let report: Report = try listed.report()
      #expect(listed.status == .failed && report.layers.map(\.layer) == [nil, "spec"])
      #expect(report.failed.map(\.layer) == ["z"])
      #expect(report.failed.allSatisfy { $0.error.contains("no layer “z”") })
    }
    // Without colors outside of layers.
    let input = folder.path("in.exr")
    let named = run("compare", input, input, "--all-layers", "--fail-above", "0")
    #expect(named.status == .done && named.output.contains("layer “beauty”"), "\(named.errors)")
    #expect(!named.output.contains("unnamed colors"))
  }

  @Test func furtherVerbsTakePagesAndLayers() throws {
    let (input, recipe) = (folder.path("in.exr"), folder.path("i.json"))
    let (sheet, output) = (folder.path("sheet.png"), folder.path("out.exr"))
    try #"{"version": 1, "inputs": ["photo"], "steps": ["invert"]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    for words in [
      ["montage", input, "--out", sheet], ["verify", recipe, input, "--size", "3x2"],
      ["run", recipe, input, output], ["plan", recipe, input],
    ] {
      #expect(run(words).status == .failed, "\(words)")
      for chosen in [["--layer-name", "beauty"], ["--page", "2"]] {
        let transcript = run(words + chosen)
        #expect(transcript.status == .done, "\(words + chosen): \(transcript.errors)")
      }
    }
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
    #expect(none.complaint.contains("its channels are “beauty.B”, “beauty.G”, “beauty.R”, “z”;"))
    #expect(none.complaint.contains("its parts are “render”, “matte”."))
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
    #expect(!matte.contains("layers") && matte.hasSuffix("parts: “render”, “matte”"))
    struct Report: Decodable {
      struct Layer: Decodable { let name: String, channels: [String] }
      let layers: [Layer]
      let parts: [String]?
    }
    let report: Report = try run("info", input, "--layer-name", "z", "--json").report()
    #expect(report.layers.map(\.name) == ["beauty", "z"])
    #expect(report.parts == ["render", "matte"])
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

  /// Names with points, which Photoshop gives, are no layers of OpenEXR.
  @Test func adviceNamesWholeExtraSamples() throws {
    var scan = TestTIFF(width: 4, height: 2, bits: 8, samplesPerPixel: 6) { _, _, _ in 9 }
    scan.shorts[338] = [0, 0, 0]
    scan.blobs[34_377] = photoshopResource(
      1006, ["a.R", "a.G", "a.B"].flatMap { [UInt8($0.utf8.count)] + $0.utf8 })
    let input = folder.path("named.tif")
    try Data(scan.bytes).write(to: URL(filePath: input))
    let words = ["convert", input, folder.path("gray.png"), "--layer-name"]
    let wrong = run(words + ["b"])
    #expect(wrong.complaint.hasSuffix("such as --layer-name a.R."), "\(wrong.errors)")
    #expect(run(words + ["a.R"]).status == .done)
    let error = #expect(throws: ImageFileError.self) { try OpenedImageFile(input, layer: "b") }
    #expect(error?.description.contains("layer: \"a.R\"") == true)
  }

  @Test func profilesHaveNoLayers() {
    let refused = run("inspect", "p.icc", "--layer-name", "beauty")
    #expect(refused.status == .misused && refused.complaint.contains("need a picture"))
  }
}
