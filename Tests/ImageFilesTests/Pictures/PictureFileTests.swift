import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Pictures from files to files.
@Suite struct PictureFileTests {
  @Test func everyKindOfStepRunsFromFileToFile() throws {
    let folder = try TemporaryFolder()
    let source = TestPictures.codes(as: UInt16.self, in: .displayP3, channels: .rgba)
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))

    let picture = try Picture(contentsOf: folder.path("in.png"))
      .inverted()
      .toneCurves(red: FilmCurves.red, green: FilmCurves.green, blue: FilmCurves.blue)
      .exposure(0.5)
      .resized(to: .exact(31, 17))
      .converted(to: .sRGB)
    try picture.write(to: folder.path("out.png"))

    guard case .uint16(let result) = try ImageFile.read(folder.path("out.png")) else {
      Issue.record("The file has no 16-bit samples.")
      return
    }
    #expect(result.space == .sRGB)
    #expect(try result == picture.render())
    let reference = try ReferenceEvaluator().render(picture)
    for y in 0..<17 {
      for x in 0..<31 {
        for channel in 0..<4 {
          let expected = min(max(reference[x, y][channel], 0), 1) * 65535
          // Half a code for rounding, and the chain's error of 4·10⁻⁵, amplified by the division by alpha.
          let coverage = max(reference[x, y].w, 1e-3)
          #expect(abs(Double(result[x, y, channel]) - expected) <= 0.5 + 2.6 / coverage)
        }
      }
    }
  }

  @Test func depthsAreHonoredOrRefused() throws {
    let folder = try TemporaryFolder()
    let picture = Picture(TestPictures.codes(as: UInt8.self))
    try picture.write(to: folder.path("8.png"), samples: .uint8)
    #expect(try ImageFile.read(folder.path("8.png")).format == .uint8)
    #expect(throws: ImageFileError.self) {
      try picture.write(to: folder.path("float.png"), samples: .float32)
    }
    #expect(throws: ImageFileError.self) {
      try picture.resized(to: .exact(0, 0)).write(to: folder.path("empty.png"))
    }
    for name in ["float.png", "empty.png"] {
      #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
    }
  }

  @Test(arguments: Dither.Method.allCases) func filesAreDithered(method: Dither.Method) throws {
    let folder = try TemporaryFolder()
    for channels in [Channels.rgb, .rgba] {
      let picture = Picture(
        TestPictures.floats(PixelSize(90, 70), in: .linearSRGB, channels: channels))
      try picture.write(to: folder.path("a.png"), samples: .uint8, dither: Dither(method))
      guard case .uint8(let png) = try ImageFile.read(folder.path("a.png")) else {
        Issue.record("The file has no 8-bit samples.")
        return
      }
      #expect(try png == picture.render(dither: Dither(method)))
      // Floating-point samples are not dithered.
      try picture.write(to: folder.path("a.exr"), samples: .float32, dither: Dither(method))
      try picture.write(to: folder.path("b.exr"), samples: .float32)
      #expect(
        try Picture(contentsOf: folder.path("a.exr")).render(as: Float.self)
          == Picture(contentsOf: folder.path("b.exr")).render(as: Float.self))
    }
  }

  @Test func bitmapsInAnyChannelOrderAreWritten() throws {
    let usual = TestPictures.codes(as: UInt8.self, channels: .rgba)
    for channels in [Channels.bgra, .argb] {
      let other = try usual.converted(channels: channels, arrangement: .planar)
      let bytes = try ImageFile.encode(.uint8(other), as: .png)
      guard case .uint8(let read) = try ImageFile.read(bytes: bytes) else {
        Issue.record("The file has no 8-bit samples.")
        return
      }
      #expect(read == usual)
    }
    let inks = Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB, channels: .cmyk)
    #expect(throws: ImageFileError.unsupportedChannels(.cmyk, format: .png)) {
      try ImageFile.encode(.uint8(inks), as: .png)
    }
  }

  /// An empty picture reports its own error, not that of the codec for its size.
  @Test(arguments: ImageFileFormat.all)
  func picturesWithoutPixelsReportTheirOwnErrors(format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let square = Picture(Ramp(), in: .linearSRGB).cropped(to: Region(PixelSize(9, 9)))
    let failed = square.resized(to: .exact(0, 5))
    let large = square.resized(to: .exact(1 << 20, 1 << 20))
    let pictures: [(Picture, RecipeError)] = [
      (Picture(Ramp(), in: .linearSRGB), .endless), (failed, .emptySize(width: 0, height: 5)),
      (large, .tooManyPixels(width: 1 << 20, height: 1 << 20, limit: 1 << 30)),
    ]
    var writing = WritingOptions()
    writing.isUntagged = true
    for (picture, error) in pictures {
      #expect(throws: ImageFileError.rendering(.recipe(error))) {
        try picture.write(to: folder.path("out"), as: format, writing: writing)
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }
  }

  /// One option makes files gray, of bytes, of paths and of `PictureFile`, where the format holds gray.
  @Test(arguments: ImageFileFormat.all)
  func grayIsWrittenWhereItIsAskedFor(format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let picture = FormatPictures.picture(for: format).monochrome()
    let gray: Channels = picture.hasAlpha ? .grayAlpha : .gray
    var writing = WritingOptions(isUntagged: !format.statesColor)
    let color = try ImageFile.info(bytes: picture.encoded(as: format, writing: writing)).channels
    #expect(color == (picture.hasAlpha ? .rgba : .rgb))

    writing.isGray = true
    let bytes = try picture.encoded(as: format, writing: writing)
    let holdsGray = format.channels.contains(gray)
    #expect(try ImageFile.info(bytes: bytes).channels == (holdsGray ? gray : color))
    try picture.write(to: folder.path("a"), as: format, writing: writing)
    var file = PictureFile(
      picture, at: folder.path("b"), as: format,
      writing: WritingOptions(isUntagged: !format.statesColor))
    file.writing.isGray = true
    try Picture.write([file])
    for name in ["a", "b"] {
      #expect(try Array(Data(contentsOf: URL(filePath: folder.path(name)))) == bytes, "\(name)")
    }
  }

  /// The advice of the error leads to a file.
  @Test func grayMapsNeedGrayFiles() throws {
    let folder = try TemporaryFolder()
    let picture = Picture(TestPictures.codes(as: UInt8.self, in: .sRGB, channels: .rgb))
    var writing = WritingOptions(isUntagged: true)
    let error = #expect(throws: ImageFileError.self) {
      try picture.write(to: folder.path("a.pgm"), writing: writing)
    }
    let advice = "convert it to grays, such as sGray, and write it as gray, or write .ppm"
    #expect(error.map { "\($0)" }?.contains(advice) == true, "\(String(describing: error))")
    writing.isGray = true
    try picture.converted(to: .sGray).write(to: folder.path("a.pgm"), writing: writing)
    #expect(try ImageFile.info(folder.path("a.pgm")).channels == .gray)
  }

  @Test func grayFilesHoldTheValuesOfTheirPicture() throws {
    let source = TestPictures.codes(as: UInt8.self, in: .sGray, channels: .grayAlpha)
    let bytes = try Picture(source).encoded(
      as: .png, samples: .uint8, writing: WritingOptions(isGray: true))
    guard case .uint8(let read) = try ImageFile.read(bytes: bytes) else {
      Issue.record("The file has no 8-bit samples.")
      return
    }
    #expect(read == source)
  }

  @Test func pixelsAreReadWhenTheyAreRendered() throws {
    let folder = try TemporaryFolder()
    let source = TestPictures.codes(as: UInt16.self, PixelSize(300, 200), in: .displayP3)
    let bytes = try ImageFile.encode(.uint16(source), as: .png)
    try Data(bytes.prefix(bytes.count / 2)).write(to: URL(filePath: folder.path("half.png")))
    let picture = try Picture(contentsOf: folder.path("half.png"))
    #expect(picture.size == source.size)
    #expect("\(picture.plan)".contains("row by row"))
    // The error is the reader's, and no file is left behind.
    let error = #expect(throws: ImageFileError.self) {
      try picture.inverted().write(to: folder.path("out.png"))
    }
    guard case .truncated(folder.path("half.png"), _, 200) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("out.png")))
  }

  @Test(arguments: ImageFileFormat.all)
  func picturesGoThroughEveryFormat(format: ImageFileFormat) throws {
    let folder = try TemporaryFolder()
    let isWhole = format.samples[0] == .uint16 || format.samples[0] == .uint8
    let space: ColorSpace = isWhole ? .displayP3 : .linearDisplayP3
    let picture = Picture(
      TestPictures.codes(as: UInt16.self, PixelSize(90, 61), in: .displayP3, channels: .rgb)
    ).resized(to: .exact(70, 300)).converted(to: space)
    var writing = WritingOptions()
    writing.isUntagged = !format.statesColor
    // JPEG ignores it; of JPEG only the space and the size are compared.
    writing.isLossless = true
    let path = folder.path("picture.\(format.fileExtensions[0])")
    try picture.write(to: path, writing: writing)
    let info = try ImageFile.info(path)
    #expect(info.format == format && info.samples == format.samples[0])
    let read = try Picture(contentsOf: path, assuming: format.statesColor ? nil : space)
    #expect(read.space == space)
    if format == .jpeg { return }
    let (stored, expected): (Bitmap<Float>, Bitmap<Float>) = (
      try read.render(), try picture.render()
    )
    // Lossless HEIF and AVIF hold 12 bits, to which samples of 16 bits are rounded once more.
    let codes: Float = info.samples == .uint8 ? 255 : info.storage == "12 bits" ? 4095 : 65_535
    let step: Float = isWhole ? 0.5 / codes + (codes == 4095 ? 0.5 / 65_535 : 0) : 0.0005
    for y in stride(from: 0, to: 300, by: 7) {
      for x in 0..<70 {
        for channel in 0..<3 {
          let limited =
            isWhole ? min(max(expected[x, y, channel], 0), 1) : expected[x, y, channel]
          // Half a step of the stored code, or of a half below 2.
          #expect(abs(stored[x, y, channel] - limited) <= step * 1.01)
        }
      }
    }
  }

  @Test func alphaRoundTripsThroughPremultipliedFormats() throws {
    let folder = try TemporaryFolder()
    let source = TestPictures.floats(PixelSize(40, 30), in: .linearSRGB)
    try Picture(source).write(to: folder.path("a.exr"), samples: .float32)
    let read: Bitmap<Float> = try Picture(contentsOf: folder.path("a.exr")).render()
    for y in 0..<30 {
      for x in 0..<40 where source[x, y, 3] > 0 {
        for channel in 0..<4 {
          // Premultiplied and unpremultiplied, each rounded once.
          let expected = source[x, y, channel]
          #expect(abs(read[x, y, channel] - expected) <= 4 * expected.ulp.magnitude)
        }
      }
    }
  }

  /// Straight alpha cannot express light of pixels with alpha 0, such as that of flames.
  @Test func lightOfTransparentPixelsIsKeptInFloats() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.tif")
    let pixels: [Float] = [0.75, 0.5, 0.25, 0, 0.75, 0.5, 0.25, 0.5]
    func picture(_ alpha: Alpha) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(2, 1), in: .linearSRGB, channels: .rgba, alpha: alpha) { x, _ in
          Array(pixels[4 * x..<4 * x + 4])
        })
    }
    try picture(.premultiplied).write(to: path, samples: .float32)
    guard case .float32(let read) = try ImageFile.read(path) else { throw Failure("no floats") }
    #expect(read.alpha == .premultiplied)
    #expect((0..<8).map { read[$0 / 4, 0, $0 % 4] } == pixels)
    // Colors of a straight source are kept, too, and integers and encoded values remain straight.
    try picture(.straight).write(to: path, samples: .float32)
    #expect(try ImageFile.info(path).alpha == .straight)
    try picture(.premultiplied).write(to: path, samples: .uint16)
    #expect(try ImageFile.info(path).alpha == .straight)
    try picture(.premultiplied).converted(to: .sRGB).write(to: path, samples: .float32)
    #expect(try ImageFile.info(path).alpha == .straight)
  }
}
