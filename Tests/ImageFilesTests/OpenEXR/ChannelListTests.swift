import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// What `ImageFileInfo.layers` lists of OpenEXR parts, and layers of data.
@Suite struct ChannelListTests {
  /// Another value for each channel.
  private static func value(_ x: Int, _ y: Int, _ channel: String) -> Float {
    Float(x) * 0.25 - Float(y) + Float(channel.utf8.reduce(0) { ($0 * 7 + Int($1)) % 64 })
  }

  private static func file(_ names: [String]) -> TestEXR {
    TestEXR(width: 5, height: 4, channels: names.sorted().map { ($0, 1) }, value: value)
  }

  private func floats(_ file: TestEXR, _ layer: String) throws -> [Float] {
    let bitmap: Bitmap<Float> = try OpenedImageFile(bytes: file.bytes, layer: layer)
      .picture().render()
    return (0..<bitmap.size.height).flatMap { Array(bitmap.row($0)) }
  }

  /// The samples of these channels, pixel by pixel; 0 for nil.
  private func expected(_ file: TestEXR, _ names: [String?]) -> [Float] {
    (0..<file.height).flatMap { y in
      (0..<file.width).flatMap { x in names.map { $0.map { Self.value(x, y, $0) } ?? 0 } }
    }
  }

  @Test(
    arguments: [
      ("N", ["N.X", "N.Y", "N.Z"]), ("uv", ["uv.U", "uv.V", nil]),
      ("move", ["move.x", "move.y", nil]),
      ("tex", ["tex.u", "tex.v", "tex.w"]), ("a.b", ["a.b.X", "a.b.Y", "a.b.Z"]),
    ] as [(String, [String?])])
  func vectorsAreThreeChannelsOfData(layer: String, channels: [String?]) throws {
    let names = channels.compactMap(\.self)
    // Alpha and a fourth axis are left out.
    let file = Self.file(["B", "G", "R", "\(layer).A", "\(layer).T"] + names)
    #expect(try floats(file, layer) == expected(file, channels))
    let info = try OpenedImageFile(bytes: file.bytes, layer: layer).info
    #expect(info.channels == .rgb)
    let axes = names.map { $0.dropFirst(layer.count + 1) }.joined(separator: ", ")
    #expect(info.storage.contains("vectors (\(axes)), the layer “\(layer)”"))
    guard case .space(.linearSRGB, by: .data) = info.color else {
      throw Failure("The vectors are in \(info.color).")
    }
  }

  @Test func layersOfOneChannelAreGray() throws {
    let file = Self.file(["B", "G", "R", "depth.Z", "view.id.V", "view.id.key.V"])
    for (layer, channel) in [("depth", "depth.Z"), ("view.id", "view.id.V")] {
      #expect(try floats(file, layer) == expected(file, [channel, channel, channel]))
      #expect(try OpenedImageFile(bytes: file.bytes, layer: layer).info.channels == .gray)
    }
  }

  /// Colors come first, then the channel of the name, then vectors.
  @Test func namesOfSeveralMeaningsReadColorsFirst() throws {
    let named = Self.file(["N", "N.X", "N.Y", "N.Z", "c", "c.B", "c.G", "c.R"])
    #expect(try floats(named, "N") == expected(named, ["N", "N", "N"]))
    #expect(try floats(named, "c") == expected(named, ["c.R", "c.G", "c.B"]))
    let mixed = Self.file(["m.B", "m.G", "m.R", "m.X", "m.Y", "m.Z"])
    #expect(try floats(mixed, "m") == expected(mixed, ["m.R", "m.G", "m.B"]))
    // Each name is listed once, for what it reads.
    let nested = Self.file(["N", "N.X", "a.b", "a.b.B", "a.b.G", "a.b.R", "c", "c.B", "c.G", "c.R"])
    let layers = try OpenedImageFile(bytes: nested.bytes, layer: "c").info.layers
    #expect(layers.map(\.name) == ["N", "N.X", "a", "a.b", "c"])
    #expect(layers.last?.channels == ["c.R", "c.G", "c.B"])
  }

  @Test func layersAreListedWithTheirChannels() throws {
    let file = Self.file([
      "A", "B", "G", "R", "Z", "N.X", "N.Y", "N.Z", "beauty.A", "beauty.B", "beauty.G", "beauty.R",
      "beauty.key.Y", "depth.Z", "pair.p", "pair.q", "uv.A", "uv.U", "uv.V",
    ])
    let layers = try ImageFile.info(bytes: file.bytes).layers
    #expect(
      layers.map(\.name) == [
        "N", "Z", "beauty", "beauty.key", "depth", "pair.p", "pair.q", "uv.A", "uv",
      ])
    #expect(layers[0].channels == ["N.X", "N.Y", "N.Z"])
    #expect(layers[1].channels == ["Z"])
    #expect(layers[2].channels == ["beauty.R", "beauty.G", "beauty.B", "beauty.A"])
    #expect(layers[8].channels == ["uv.U", "uv.V"])
    #expect(try ImageFile.info(bytes: Self.file(["B", "G", "R"]).bytes).layers.isEmpty)
  }

  /// Every listed name can be read, with the listed channels, and no other layer.
  @Test(arguments: [
    ["B", "G", "R", "a.r", "a.g", "a.blue", "a.alpha"],
    ["Y", "l.Y", "l.A", "m.Y", "m.R", "n.Y", "n.X"],
    ["R", "G", "x.X", "x.Z", "y.V", "y.U", "y", "z.W"],
    ["Y", "A", "Q", ".R", "t.", "t.X", "u..Y"],
  ])
  func listedNamesAreThoseThatCanBeRead(names: [String]) throws {
    let file = Self.file(names)
    let first = try #require(names.first { !$0.contains(".") })
    let layers = try OpenedImageFile(bytes: file.bytes, layer: first).info.layers
    for layer in layers {
      let info = try OpenedImageFile(bytes: file.bytes, layer: layer.name).info
      #expect(info.layer == layer.name && info.layers == layers)
      // Two axes are read as three.
      let isPair = layer.channels.count == 2 && !info.channels.hasAlpha
      #expect(info.channels.count == (isPair ? 3 : layer.channels.count), "\(layer)")
    }
    let listed = Set(layers.map(\.name))
    for layer in ["a", "l", "m", "n", "x", "y", "z", "t", "u"]
    where !listed.contains(layer) && !names.contains(layer) {
      #expect(throws: ImageFileError.self) {
        try OpenedImageFile(bytes: file.bytes, layer: layer)
      }
    }
  }

  /// The list takes memory, as texts of the metadata do.
  @Test func manyChannelsCountAsMetadata() throws {
    let file = Self.file((1000..<3000).map { "c\($0)" } + ["B", "G", "R"])
    #expect(try ImageFile.info(bytes: file.bytes).layers.count == 2000)
    var limits = FileLimits()
    limits.metadataBytes = 600_000
    #expect(try ImageFile.info(bytes: file.bytes, limits: limits).layers.count == 2000)
    limits.metadataBytes = 400_000
    #expect(throws: ImageFileError.tooMuchMetadata(file: "data", limit: 400_000)) {
      try ImageFile.info(bytes: file.bytes, limits: limits)
    }
  }
}
