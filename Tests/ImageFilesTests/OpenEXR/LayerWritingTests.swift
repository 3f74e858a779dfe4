import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Layers that OpenEXR files hold beside their picture.
@Suite struct LayerWritingTests {
  /// Rows of three chunks, the last one not full, and an odd number of halves in a row.
  private static let size = PixelSize(5, 37)

  /// A picture of values that half precision holds, as long as `offset` is such a value up to 256. Alpha is 1.
  private static func picture(
    _ channels: Channels, _ offset: Float = 0, in space: ColorSpace = .linearSRGB,
    size: PixelSize = Self.size
  ) -> Picture {
    Picture(
      Bitmap<Float>(size, in: space, channels: channels) { x, y in
        (0..<channels.count).map { channel in
          channels.hasAlpha && channel == channels.count - 1
            ? 1 : Float(x) * 0.25 + Float(y % 64) + Float(channel) * 32 + offset
        }
      })
  }

  private static func writing(
    _ layers: [PictureLayer], _ compression: LosslessCompression = .deflate
  ) -> WritingOptions {
    var writing = WritingOptions(compression: compression)
    writing.layers = layers
    return writing
  }

  private func samples(_ picture: Picture) throws -> [Float] {
    let bitmap: Bitmap<Float> = try picture.render()
    return (0..<bitmap.size.height).flatMap { Array(bitmap.row($0)) }
  }

  private func samples(_ bytes: [UInt8], layer: String? = nil) throws -> [Float] {
    try samples(OpenedImageFile(bytes: bytes, layer: layer).picture())
  }

  /// Each kind of layer, in half and in single precision.
  private static let layers = [
    PictureLayer("diffuse", picture(.rgba, 8)),
    PictureLayer("beauty.key", picture(.rgb, 0.1), samples: .float32),
    PictureLayer("Z", picture(.gray, 0.3), as: .gray, samples: .float32),
    PictureLayer("matte", picture(.grayAlpha, 64), as: .gray),
    PictureLayer("N", picture(.rgb, 128), as: .vectors),
  ]

  @Test(arguments: [LosslessCompression.deflate, .none])
  func layersAreReadByTheirNames(compression: LosslessCompression) throws {
    let picture = Self.picture(.rgb)
    let bytes = try picture.encoded(
      as: .openEXR, samples: .float16, writing: Self.writing(Self.layers, compression))
    #expect(try samples(bytes) == samples(picture))
    for layer in Self.layers {
      #expect(try samples(bytes, layer: layer.name) == samples(layer.picture), "\(layer.name)")
      let info = try OpenedImageFile(bytes: bytes, layer: layer.name).info
      #expect(info.samples == layer.samples ?? .float16)
      #expect(info.channels.isGray == (layer.content == .gray))
      let isData = if case .space(.linearSRGB, by: .data) = info.color { true } else { false }
      #expect(isData == (layer.content == .vectors))
    }
    let listed = try ImageFile.info(bytes: bytes).layers
    #expect(listed.map(\.name) == ["N", "Z", "beauty.key", "diffuse", "matte"])
    #expect(
      listed.map(\.channels) == [
        ["N.X", "N.Y", "N.Z"], ["Z"], ["beauty.key.R", "beauty.key.G", "beauty.key.B"],
        ["diffuse.R", "diffuse.G", "diffuse.B", "diffuse.A"], ["matte.Y", "matte.A"],
      ])
  }

  /// Rows of several bands, of layers with and without a halo, are joined in a file as in memory.
  @Test func filesHoldLayersOfManyBands() throws {
    let folder = try TemporaryFolder()
    let size = PixelSize(40, 700)
    let picture = Self.picture(.rgba, size: size)
    let layers = [
      PictureLayer("blurred", picture.blurred(sigma: 9)),
      PictureLayer("depth", Self.picture(.gray, 8, size: size), as: .gray),
    ]
    var options = RenderOptions()
    options.tile = PixelSize(64, 48)
    let report = try picture.write(
      to: folder.path("all.exr"), samples: .float32, options: options,
      writing: Self.writing(layers))
    #expect(report.sampleCount == size.pixelCount * (4 + 4 + 1) && report.clippedSamples == 0)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path("all.exr"))))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["all.exr"])
    #expect(
      try bytes
        == picture.encoded(as: .openEXR, samples: .float32, writing: Self.writing(layers)))
    #expect(try samples(bytes) == samples(picture))
    #expect(try samples(bytes, layer: "depth") == samples(layers[1].picture))
    let (read, expected) = try (samples(bytes, layer: "blurred"), samples(layers[0].picture))
    #expect(read.count == expected.count)
    #expect(zip(read, expected).allSatisfy { abs($0 - $1) <= 1e-3 })
  }

  @Test func colorsAreConvertedToTheSpaceOfThePicture() throws {
    // Each part of the file is converted by itself, in its place between the others.
    let colors = [
      ("light", ColorPoint(0.25, 0.5, 0.75, in: .displayP3)),
      ("shade", ColorPoint(0.5, 0.125, 0.25, in: .sRGB)),
    ]
    var layers = colors.map { name, color in
      PictureLayer(name, Picture.constant(color, in: color.space).cropped(to: Region(Self.size)))
    }
    layers.insert(PictureLayer("N", Self.picture(.rgb, 128), as: .vectors), at: 1)
    // A space of grays holds no colors, so that those of layers are in the RGB space of its primaries.
    for (picture, space) in [
      (Self.picture(.rgb, in: .linearRec2020), ColorSpace.linearRec2020),
      (Self.picture(.gray, in: ColorSpace.sGray.linear), .linearSRGB),
    ] {
      var writing = Self.writing(layers)
      writing.isGray = picture.space.isGray
      let bytes = try picture.encoded(as: .openEXR, samples: .float32, writing: writing)
      let info = try ImageFile.info(bytes: bytes)
      #expect(info.channels == (picture.space.isGray ? .gray : .rgb))
      for (name, color) in colors {
        let (read, expected) = (
          try samples(bytes, layer: name), color.converted(to: space).components
        )
        #expect((0..<3).allSatisfy { abs(Double(read[$0]) - expected[$0]) <= 1e-5 }, "\(name)")
      }
      #expect(try samples(bytes, layer: "N") == samples(layers[1].picture))
    }
  }

  /// Samples of a layer in half precision become infinite, although the picture's are in single precision.
  @Test func clippedSamplesOfLayersAreCounted() throws {
    let bright = Self.picture(.rgb, 1e6)
    let report = try Self.picture(.rgb).encodedWithReport(
      as: .openEXR, samples: .float32,
      writing: Self.writing([PictureLayer("bright", bright, samples: .float16)])
    ).report
    #expect(report.clippedSamples == 3 * Self.size.pixelCount)
    #expect(report.sampleCount == 6 * Self.size.pixelCount)
  }

  @Test func layersCountTowardTheMemoryOfRendering() throws {
    let size = PixelSize(900, 700)
    let picture = Self.picture(.rgb, size: size)
    func needed(_ layers: [PictureLayer]) throws -> Int {
      var options = RenderOptions()
      options.memoryLimit = 1
      let error = #expect(throws: ImageFileError.self) {
        try picture.encoded(
          as: .openEXR, samples: .float32, options: options, writing: Self.writing(layers))
      }
      guard case .rendering(.tooMuchMemory(let bytes, 1)) = error else {
        throw Failure("\(String(describing: error))")
      }
      return bytes
    }
    let layers = (0..<4).map { PictureLayer("pass \($0)", picture) }
    // A chunk of 16 rows, as it is gathered and as it is packed.
    #expect(try needed(layers) - needed([]) >= 2 * 16 * 4 * 12 * size.width)
  }

  private func refusal(_ layers: [PictureLayer]) throws -> String {
    let error = #expect(throws: ImageFileError.self) {
      try Self.picture(.rgb).encoded(as: .openEXR, writing: Self.writing(layers))
    }
    guard case .cannotWrite(_, let reason) = error else {
      throw Failure("\(String(describing: error))")
    }
    return reason
  }

  @Test(arguments: [
    ("", "has no name"), ("R", "name of a channel of its main picture"),
    ("A", "name of a channel of its main picture"), ("Y", "name of a channel of its main picture"),
    (".a", "empty part"), ("a.", "empty part"), ("a..b", "empty part"),
    (String(repeating: "é", count: 127), "256 bytes"),
  ])
  func namesThatOpenEXRForbidsAreRefused(name: String, words: String) throws {
    for content in [PictureLayer.Content.colors, .vectors] {
      let reason = try refusal([PictureLayer(name, Self.picture(.rgb), as: content)])
      #expect(reason.contains(words), "\(reason)")
    }
  }

  @Test func namesWithNULAreRefused() throws {
    #expect(try refusal([PictureLayer("a\0b", Self.picture(.rgb))]).contains("a NUL"))
  }

  @Test func longestNamesAreReadBack() throws {
    let layers = [
      PictureLayer(String(repeating: "m", count: 253), Self.picture(.rgb, 8)),
      PictureLayer(String(repeating: "n", count: 255), Self.picture(.gray, 16), as: .gray),
    ]
    let bytes = try Self.picture(.rgb).encoded(as: .openEXR, writing: Self.writing(layers))
    for layer in layers {
      #expect(try samples(bytes, layer: layer.name) == samples(layer.picture))
    }
    let longer = PictureLayer(String(repeating: "n", count: 256), layers[1].picture, as: .gray)
    #expect(try refusal([longer]).contains("256 bytes"))
  }

  @Test func layersThatCannotBeToldApartAreRefused() throws {
    let (colors, gray) = (Self.picture(.rgb), Self.picture(.gray))
    func reason(_ name: String, _ content: PictureLayer.Content) throws -> String {
      try refusal([
        PictureLayer("beauty", colors), PictureLayer(name, gray, as: content),
      ])
    }
    #expect(try reason("beauty", .gray).contains("have the name “beauty”"))
    #expect(try reason("beauty.R", .gray).contains("have the channel “beauty.R”"))
    // Readers would take it for the alpha, and for red.
    #expect(try reason("beauty.A", .gray).contains("would be read with channels of others"))
    #expect(try reason("beauty.red", .gray).contains("would be read with channels of others"))
    // Depth of a layer, a layer in a layer, and axes one by one are told apart.
    let layers = [
      PictureLayer("beauty", colors), PictureLayer("beauty.depth", gray, as: .gray),
      PictureLayer("beauty.key", colors), PictureLayer("N.X", gray, as: .gray),
      PictureLayer("N.Y", gray, as: .gray), PictureLayer("Beauty", colors),
    ]
    let bytes = try colors.encoded(as: .openEXR, writing: Self.writing(layers))
    for layer in layers {
      #expect(try samples(bytes, layer: layer.name) == samples(layer.picture), "\(layer.name)")
    }
  }

  @Test func picturesThatFitNoLayerAreRefused() throws {
    let small = Self.picture(.rgb, size: PixelSize(4, 37))
    let size = try refusal([PictureLayer("small", small)])
    #expect(size.contains("4 × 37") && size.contains("5 × 37"), "\(size)")
    let encoded = Self.picture(.gray, in: .sRGB)
    #expect(try refusal([PictureLayer("Z", encoded, as: .gray)]).contains("linear"))
    let covered = Self.picture(.rgba)
    #expect(try refusal([PictureLayer("N", covered, as: .vectors)]).contains("alpha"))
    #expect(throws: ImageFileError.unsupportedSamples(.uint8, format: .openEXR)) {
      try Self.picture(.rgb).encoded(
        as: .openEXR,
        writing: Self.writing([PictureLayer("a", Self.picture(.rgb), samples: .uint8)]))
    }
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func otherFormatsRefuseLayers(format: ImageFileFormat) throws {
    let writing = Self.writing([PictureLayer("a", Self.picture(.rgb))])
    let error = #expect(throws: ImageFileError.unsupportedLayers(format: format)) {
      try Self.picture(.rgb, in: .sRGB).encoded(as: format, writing: writing)
    }
    #expect("\(String(describing: error))".contains("Write OpenEXR"))
  }

  @Test func bitmapsInksAndTilesRefuseLayers() throws {
    let picture = Self.picture(.rgb)
    let writing = Self.writing([PictureLayer("a", picture)])
    let bitmap: Bitmap<Float> = try picture.render()
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.encode(.float32(bitmap), as: .openEXR, options: writing)
    }
    #expect("\(String(describing: error))".contains("a bitmap has no layers"))
    let press = try ICCProfile(
      bytes: [UInt8](Data(contentsOf: Fixtures.url("Profiles/cmyk-mft2.icc"))))
    #expect(throws: ImageFileError.unsupportedLayers(format: .tiff)) {
      try picture.inks(by: press).encoded(as: .tiff, writing: writing)
    }
    let folder = try TemporaryFolder()
    #expect(throws: ImageFileError.self) {
      try picture.writeTiles(to: folder.path("tiles"), as: .openEXR, writing: writing)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
  }
}
