import Colorloom
import FilterGraph
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Single ink channels: measured, shown as gray pictures, and added.
@Suite struct InkChannelTests {
  /// The ink channels of 24 × 18 colors.
  private func inks(_ press: String) throws -> InkPicture {
    let picture = Picture(
      Bitmap<Float>(PixelSize(24, 18), in: .sRGB, channels: .rgb) { x, y in
        [Float(x) / 23, Float(y) / 17, Float((x * y) % 7) / 6]
      })
    return try picture.inks(by: Fixtures.profile(press))
  }

  /// The values of a channel, as they are stored.
  private func values(_ inks: InkPicture, _ channel: Int) throws -> [Float] {
    guard case .float32(let bitmap) = try inks.render() else {
      throw Failure("These are no floats.")
    }
    return (0..<bitmap.size.height).flatMap { y in
      (0..<bitmap.size.width).map { x in bitmap[x, y, channel] }
    }
  }

  /// The red of all pixels.
  private func grays(_ picture: Picture) throws -> [Float] {
    let bitmap = try picture.render(as: Float.self)
    return (0..<bitmap.size.height).flatMap { y in
      (0..<bitmap.size.width).map { x in bitmap[x, y, 0] }
    }
  }

  @Test(arguments: ["cmyk-mft2", "5clr-mft2"]) func coverageOfEachInkIsMeasured(press: String)
    throws
  {
    let inks = try inks(press)
    let coverage = try inks.coverage()
    #expect(coverage.inks.map(\.name) == inks.names)
    for (channel, ink) in coverage.inks.enumerated() {
      let values = try values(inks, channel).map { Double(min(max($0, 0), 1)) * 100 }
      #expect(abs(ink.mean - values.reduce(0, +) / Double(values.count)) < 1e-9)
      #expect(ink.maximum == values.max())
    }
    #expect(abs(coverage.inks.reduce(0) { $0 + $1.mean } - coverage.mean) < 1e-4)
  }

  /// A value that no ink can have counts as the nearest one that it can.
  @Test func coverageOfEachInkClampsFloats() throws {
    let amounts: [Float] = [-1, 0.5, 3, .nan]
    let colors = try inks("cmyk-mft2")
    let plate = Picture(
      Bitmap<Float>(PixelSize(4, 1), in: colors.plates[0].space, channels: .rgb) { x, _ in
        [amounts[x], 0, 1]
      })
    let inks = colors.mapChannels { _ in plate }
    let coverage = try inks.coverage()
    #expect(coverage.inks.map(\.mean) == [37.5, 0, 100, 37.5])
    #expect(coverage.inks.map(\.maximum) == [100, 0, 100, 100])
  }

  /// A separation is white where there is no ink, and loses no code.
  @Test func channelsAreGrayPicturesWithoutInkInWhite() throws {
    let inks = try inks("5clr-mft2")
    guard case .uint8(let stored) = try inks.render(as: .uint8) else { throw Failure("No bytes.") }
    for channel in inks.names.indices {
      let picture = inks.channel(channel)
      #expect(picture.space == .sGray && picture.size == inks.size)
      let shown = try picture.render(as: UInt8.self)
      for y in 0..<18 {
        for x in 0..<24 {
          #expect((0..<3).allSatisfy { shown[x, y, $0] == 255 - stored[x, y, channel] })
        }
      }
    }
    #expect(try grays(#require(inks.channel(named: "INK 5"))) == grays(inks.channel(4)))
    #expect(inks.channel(named: "cyan") == nil)
  }

  /// Of four, five and six channels: the new one follows one, two and no channels of the last plate.
  @Test func addedPlatesFollowTheChannels() throws {
    let varnish = Picture(
      Bitmap<Float>(PixelSize(24, 18), in: .sGray, channels: .gray) { x, y in
        [Float(x + y) / 40]
      })
    var inks = try inks("cmyk-mft2")
    let first = try (0..<4).map { try values(inks, $0) }
    for name in ["white", "varnish", "gold"] { inks = inks.adding(varnish, named: name) }
    #expect(inks.names == ["cyan", "magenta", "yellow", "black", "white", "varnish", "gold"])
    #expect(inks.profile == nil && inks.plates.count == 3)
    for channel in 0..<4 { #expect(try values(inks, channel) == first[channel]) }
    let amounts = try grays(varnish).map { 1 - $0 }
    for channel in 4..<7 {
      for (found, expected) in zip(try values(inks, channel), amounts) {
        #expect(abs(found - expected) < 1e-6)
      }
    }
    let folder = try TemporaryFolder()
    let path = folder.path("seven.tif")
    try inks.write(to: path, samples: .uint16)
    let read = try #require(try OpenedImageFile(path).inkPicture())
    #expect(read.names == inks.names && read.profile == nil)
    #expect(try read.render(as: .uint16).sampleBytes == inks.render(as: .uint16).sampleBytes)
  }

  /// Beyond a plate there is no ink, transparent pixels have none, and colors count by their luminance.
  @Test func platesOfOtherSizesAndColorsAreAdded() throws {
    let inks = try inks("cmyk-mft2")
    let small = Picture(
      Bitmap<Float>(PixelSize(2, 2), in: .sRGB, channels: .rgba) { x, _ in
        x == 0 ? [0, 0, 0, 0] : [0, 0, 0, 1]
      })
    let printed = try values(inks.adding(small, named: "spot"), 4)
    for (index, value) in printed.enumerated() {
      #expect(abs(value - ([1, 25].contains(index) ? 1 : 0)) < 1e-6, "\(index)")
    }
    let large = Picture.constant(ColorPoint(1, 0, 0, in: .sRGB), in: .sRGB)
      .cropped(to: Region(PixelSize(100, 100)))
    let added = inks.adding(large, named: "spot")
    #expect(added.size == inks.size)
    let gray = try grays(large.converted(to: .sGray))[0]
    for value in try values(added, 4) { #expect(abs(value - (1 - gray)) < 1e-6) }
  }

  /// A URL writes the file that its path does.
  @Test func inkChannelsAreWrittenToURLs() async throws {
    let inks = try inks("cmyk-mft2")
    let folder = try TemporaryFolder()
    try await inks.write(to: folder.path("path.tif"))
    let expected = try Data(contentsOf: URL(filePath: folder.path("path.tif")))
    let url = URL(filePath: folder.path("url.tif"))
    let write = { try inks.write(to: url) }
    #expect(try write().sampleCount == 24 * 18 * 4)
    #expect(try Data(contentsOf: url) == expected)
    let later = URL(filePath: folder.path("later.tif"))
    try await inks.write(to: later)
    #expect(try Data(contentsOf: later) == expected)
    let web = try #require(URL(string: "https://example.com/a.tif"))
    await #expect(throws: ImageFileError.self) { try await inks.write(to: web) }
  }

  @Test func failedRenderingsLeaveNoFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("inks.tif")
    var options = RenderOptions()
    options.memoryLimit = 1
    let refused = options
    #expect(throws: ImageFileError.self) { try inks("cmyk-mft2").write(to: path, options: refused) }
    options = RenderOptions()
    options.isCancelled = { true }
    let cancelled = options
    #expect(throws: ImageFileError.rendering(.cancelled)) {
      try inks("cmyk-mft2").write(to: path, options: cancelled)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
