import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

private let combiner = Client("exrmultipart")

/// Parts and layers of OpenEXR files.
@Suite struct OpenEXRLayerTests {
  /// Another value for each channel; 1 for alpha, so that no color is divided by it.
  private static func value(_ x: Int, _ y: Int, _ channel: String) -> Float {
    if channel.hasSuffix("A") || channel.hasSuffix("alpha") { return 1 }
    let number = channel.utf8.reduce(0) { ($0 * 7 + Int($1)) % 64 }
    return Float(x) * 0.25 + Float(y) + Float(number) * 4
  }

  private static func file(
    width: Int = 5, height: Int = 4, _ names: [String] = ["B", "G", "R"], type: Int = 1
  ) -> TestEXR {
    TestEXR(width: width, height: height, channels: names.map { ($0, type) }, value: value)
  }

  /// A render as programs write it, with layers of several naming rules.
  private static var layered: TestEXR {
    file([
      "A", "B", "G", "N.X", "N.Y", "N.Z", "R", "beauty.A", "beauty.B", "beauty.G", "beauty.R",
      "beauty.key.Y", "diffuse.blue", "diffuse.green", "diffuse.red", "id.r", "mask.A", "z",
    ])
  }

  /// The samples of a picture of a file.
  private func floats(
    _ bytes: [UInt8], page: Int? = nil, layer: String? = nil
  ) throws -> [Float] {
    let bitmap: Bitmap<Float> = try OpenedImageFile(bytes: bytes, page: page, layer: layer)
      .picture().render()
    return (0..<bitmap.size.height).flatMap { Array(bitmap.row($0)) }
  }

  /// The samples of these channels, pixel by pixel.
  private func expected(_ file: TestEXR, _ names: [String]) -> [Float] {
    (0..<file.height).flatMap { y in
      (0..<file.width).flatMap { x in names.map { Self.value(x, y, $0) } }
    }
  }

  private func refusal(_ bytes: [UInt8], page: Int? = nil, layer: String? = nil) throws
    -> ImageFileError
  {
    try #require(
      #expect(throws: ImageFileError.self) {
        try OpenedImageFile(bytes: bytes, page: page, layer: layer)
      })
  }

  // Parts.

  private static var parts: [(name: String, part: TestEXR)] {
    var (first, second, third) = (
      file(), file(width: 7, height: 9, ["A", "B", "G", "R"]), file(width: 3, height: 2, ["Y"])
    )
    (first.display, first.whiteLuminance) = ([0, 0, 4, 3], 100)
    (second.left, second.top, second.display) = (-3, 7, [0, 0, 99, 49])
    (second.pixelAspectRatio, second.isDecreasing) = (2, true)
    second.attributes = [("owner", "string", Array("me".utf8))]
    third.attributes = [("expTime", "float", [0, 0, 0, 63])]
    return [("beauty", first), ("background", second), ("depth of field", third)]
  }

  @Test func partsArePages() throws {
    let parts = Self.parts
    let bytes = TestEXR.parts(parts)
    for (index, (name, part)) in parts.enumerated() {
      let info = try ImageFile.info(bytes: bytes, page: index + 1)
      #expect(info.pages == ImagePages(.part, number: index + 1, count: 3))
      #expect("\(info.pages)" == "part \(index + 1) of 3")
      #expect(info.size == PixelSize(part.width, part.height))
      #expect(info.storage.contains("the part “\(name)”"))
      #expect(info.notes.first == .unread("the attributes expTime") || index < 2)
      #expect(info.notes.contains(.otherPages(info.pages)))
    }
    let channels = [["R", "G", "B"], ["R", "G", "B", "A"], ["Y", "Y", "Y"]]
    for index in parts.indices {
      #expect(
        try floats(bytes, page: index + 1) == expected(parts[index].part, channels[index]))
    }
    #expect(try floats(bytes) == floats(bytes, page: 1))
    guard case .float16(let bitmap) = try ImageFile.read(bytes: bytes, page: 3) else {
      throw Failure("The part has no halves.")
    }
    #expect(bitmap.channels == .gray && Float(bitmap[2, 1, 0]) == Self.value(2, 1, "Y"))
  }

  @Test func metadataIsThatOfThePart() throws {
    let bytes = TestEXR.parts(Self.parts)
    let first = try ImageFile.info(bytes: bytes).metadata
    #expect(first.framing == nil && first.whiteLuminance == 100 && first.text.isEmpty)
    let second = try ImageFile.info(bytes: bytes, page: 2).metadata
    #expect(
      second.framing
        == ImageMetadata.Framing(
          dataWindow: Region(x: -3, y: 7, width: 7, height: 9),
          displayWindow: Region(PixelSize(100, 50)), pixelAspectRatio: 2))
    #expect(second.whiteLuminance == nil)
    #expect(second.text == [.init(keyword: "owner", value: "me")])
  }

  /// A name that is no layer's of the first part is that of a part: of its colors, or of the layer in it that has its name, too.
  @Test func partsAreReadByName() throws {
    let parts = [
      ("beauty", Self.file()), ("spec", Self.file(width: 3)), ("depth", Self.file(["Z"])),
      ("glow", Self.file(["glow.B", "glow.G", "glow.R"])), ("R", Self.file(width: 2)),
      ("uv", Self.file(["U", "V"])),
    ]
    let bytes = TestEXR.parts(parts)
    for (name, number, channels) in [
      ("beauty", 1, ["R", "G", "B"]), ("spec", 2, ["R", "G", "B"]),
      ("depth", 3, ["Z", "Z", "Z"]),
      ("glow", 4, ["glow.R", "glow.G", "glow.B"]), ("R", 1, ["R", "R", "R"]),
    ] {
      let info = try OpenedImageFile(bytes: bytes, layer: name).info
      #expect(info.layer == name && info.pages.number == number)
      #expect(info.partNames == parts.map(\.0))
      #expect(try floats(bytes, layer: name) == expected(parts[number - 1].1, channels))
    }
    #expect(try floats(bytes, page: 3, layer: "Z") == expected(parts[2].1, ["Z", "Z", "Z"]))
    // A page says which part it is.
    #expect(try floats(bytes, page: 2, layer: "spec") == expected(parts[1].1, ["R", "G", "B"]))
    let names = parts.map(\.0)
    for (page, layer, channels) in [
      (nil, "uv", ["U", "V"]), (1, "spec", ["B", "G", "R"]), (nil, "Z", ["B", "G", "R"]),
    ] as [(Int?, String, [String])] {
      let error = try refusal(bytes, page: page, layer: layer)
      #expect(
        error == .noSuchLayer(file: "data", layer, channels: channels, parts: names))
      let words = "its parts are “beauty”, “spec”, “depth”, “glow”, “R”, “uv”."
      #expect(error.finding.hasSuffix(words))
    }
    #expect(try ImageFile.info(bytes: Self.layered.bytes).partNames.isEmpty)
  }

  /// A part is read by its name where the first one cannot be read.
  @Test func namedPartsAreReadBesideOnesThatAreNot() throws {
    let bytes = TestEXR.parts([("numbers", Self.file(type: 0)), ("spec", Self.file())])
    #expect(try floats(bytes, layer: "spec") == expected(Self.file(), ["R", "G", "B"]))
    switch try refusal(bytes, layer: "diffuse") {
    case .unsupportedStorage, .noSuchLayer: break
    case let error: Issue.record("\(error)")
    }
  }

  @Test(arguments: [Int.min, -1, 0, 4, Int.max]) func missingPartsAreNamed(page: Int) throws {
    let bytes = TestEXR.parts(Self.parts)
    let pages = ImagePages(.part, count: 3)
    #expect(try refusal(bytes, page: page) == .noSuchPage(file: "data", page, pages))
  }

  /// An unsupported compression or type of one part does not prevent reading the other parts.
  @Test func onlyThePartThatIsReadCounts() throws {
    var (packed, deep) = (Self.file(), Self.file())
    packed.compression = 8
    deep.partType = "deepscanline"
    deep.attributes = [("maxSamplesPerPixel", "int", 1.bytes(4)), ("version", "int", 1.bytes(4))]
    let bytes = TestEXR.parts([
      ("whole", Self.file()), ("packed", packed), ("numbers", Self.file(type: 0)), ("deep", deep),
    ])
    #expect(try floats(bytes) == expected(Self.file(), ["R", "G", "B"]))
    for (page, word) in [(2, "DWAA"), (3, "whole numbers"), (4, "deep")] {
      guard case .unsupportedStorage(_, let reason) = try refusal(bytes, page: page) else {
        throw Failure("Part \(page) is not refused for its storage.")
      }
      #expect(reason.contains(word), "\(reason)")
    }
  }

  @Test(.enabled(if: combiner.isPresent, "openexr is not installed"))
  func partsOfTheCombinerAreRead() throws {
    let folder = try TemporaryFolder()
    let files = [Self.file(width: 9, height: 6), Self.file(width: 9, height: 6, ["Y"])]
    for (index, file) in files.enumerated() {
      try Peers.write(file.bytes, folder.path("\(index).exr"))
    }
    let both = folder.path("both.exr")
    try combiner.run(
      "-combine", "-i", folder.path("0.exr"), folder.path("1.exr"), "-o", both, "-override", "1")
    let bytes = try Peers.bytes(both)
    #expect(try ImageFile.info(both).pages == ImagePages(.part, count: 2))
    #expect(try floats(bytes) == expected(files[0], ["R", "G", "B"]))
    #expect(try floats(bytes, page: 2) == expected(files[1], ["Y", "Y", "Y"]))
  }

  // Layers.

  @Test(
    arguments: [
      (nil, ["R", "G", "B", "A"]), ("beauty", ["R", "G", "B", "A"].map { "beauty.\($0)" }),
      ("diffuse", ["red", "green", "blue"].map { "diffuse.\($0)" }),
      // A layer in a layer, of luminance.
      ("beauty.key", Array(repeating: "beauty.key.Y", count: 3)),
      // Channels, alone.
      ("z", ["z", "z", "z"]), ("mask.A", ["mask.A", "mask.A", "mask.A"]),
      ("N.Y", ["N.Y", "N.Y", "N.Y"]), ("R", ["R", "R", "R"]),
      // Vectors, and layers of a single channel.
      ("N", ["N.X", "N.Y", "N.Z"]), ("id", ["id.r", "id.r", "id.r"]),
      ("mask", ["mask.A", "mask.A", "mask.A"]),
    ] as [(String?, [String])])
  func layersAndChannelsAreReadByName(layer: String?, channels: [String]) throws {
    let bytes = Self.layered.bytes
    #expect(try floats(bytes, layer: layer) == expected(Self.layered, channels))
    let info = try OpenedImageFile(bytes: bytes, layer: layer).info
    #expect(info.layer == layer)
    if let layer { #expect(info.storage.hasSuffix(" “\(layer)”")) }
    // Of a part, too.
    let parts = TestEXR.parts([("other", Self.file(["Y"])), ("all", Self.layered)])
    #expect(try floats(parts, page: 2, layer: layer) == expected(Self.layered, channels))
  }

  @Test func layersMayMixHalvesAndFloats() throws {
    var file = Self.file(["l.B", "l.G", "l.R"])
    file.channels[1].type = 2
    file.channels.append(("z", 0))
    #expect(try OpenedImageFile(bytes: file.bytes, layer: "l").info.samples == .float32)
    #expect(try floats(file.bytes, layer: "l") == expected(file, ["l.R", "l.G", "l.B"]))
  }

  /// The channels of the layer have the same values as those of a file without layers.
  @Test func chromaOfLayersIsInterpolated() throws {
    func value(_ x: Int, _ y: Int, _ channel: String) -> Float {
      channel.hasSuffix("RY") ? 0.25 : channel.hasSuffix("BY") ? -0.125 : Float(x + y) / 8
    }
    func file(_ prefix: String) -> [UInt8] {
      let names = ["BY", "RY", "Y"].map { prefix + $0 }
      var file = TestEXR(width: 8, height: 6, channels: names.map { ($0, 1) }, value: value)
      file.subsampled = [names[0], names[1]]
      return file.bytes
    }
    #expect(try floats(file("l."), layer: "l") == floats(file("")))
  }

  @Test func refusalsListTheChannels() throws {
    let names = ["N.X", "N.Y", "N.Z", "beauty.B", "beauty.G", "beauty.R", "z"]
    let bytes = Self.file(names).bytes
    // A part of a name names no layer.
    for layer in [nil, "beaut", "beauty.", "R", "Z", ""] {
      let error = try refusal(bytes, layer: layer)
      #expect(error == .noSuchLayer(file: "data", layer, channels: names))
      #expect(error.finding.contains("“N.X”, “N.Y”, “N.Z”, “beauty.B”"))
      #expect("\(error)".contains("layer: \"beauty\""))
    }
    #expect("\(try refusal(Self.file(["z"]).bytes))".contains("layer: \"z\""))
    // Of many channels, a part is listed.
    let many = (100..<200).map { "c\($0)" }
    let finding = try refusal(Self.file(many).bytes).finding
    #expect(finding.contains("“c122” and 77 others") && !finding.contains("c123"))
  }

  @Test func unreadLayersAreNamed() throws {
    let bytes = Self.layered.bytes
    #expect(
      try OpenedImageFile(bytes: bytes).info.notes == [
        .unread(
          "14 other channels, with the layers “N”, “beauty”, “beauty.key”, “diffuse”, “id”, “mask”")
      ])
    #expect(
      try OpenedImageFile(bytes: bytes, layer: "diffuse").info.notes == [
        .unread(
          "15 other channels, with the layers “N”, “beauty”, “beauty.key”, “id”, “mask”")
      ])
  }

  @Test(arguments: ImageFileFormat.all) func otherFormatsHaveNoLayers(
    format: ImageFileFormat
  ) throws {
    guard format != .openEXR else { return }
    var options = WritingOptions()
    options.isUntagged = !format.statesColor
    let bytes = try FormatPictures.picture(for: format).encoded(as: format, writing: options)
    #expect(
      try refusal(bytes, layer: "beauty")
        == .noSuchLayer(file: "data", "beauty", channels: []))
  }

  /// Headers with any byte changed neither crash nor hang.
  @Test func hostilePartsAreHarmless() throws {
    let intact = TestEXR.parts([("a", Self.file(["Y"])), ("b", Self.file(["l.Y", "z"]))])
    for index in intact.indices {
      for value: UInt8 in [0, 0xFF] {
        var mutant = intact
        mutant[index] = value
        _ = try? floats(mutant, page: 2, layer: "l")
        _ = try? floats(mutant, page: 3)
      }
      _ = try? floats(Array(intact.prefix(index)), page: 2, layer: "z")
    }
  }
}
