import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// The eight EXIF orientations.
@Suite struct OrientationTests {
  /// The letter F as the eight orientations of Exif 3.0, 4.6.5, store it: each must be read upright.
  static let stored: [Orientation: [String]] = [
    .upright: ["##", "# ", "##", "# "], .mirrored: ["##", " #", "##", " #"],
    .halfTurned: [" #", "##", " #", "##"], .flipped: ["# ", "##", "# ", "##"],
    .transposed: ["####", "# # "], .quarterTurned: ["# # ", "####"],
    .transverse: [" # #", "####"], .quarterTurnedBack: ["####", " # #"],
  ]

  @Test(arguments: Orientation.allCases)
  func letterIsReadUpright(orientation: Orientation) throws {
    let rows = try #require(Self.stored[orientation])
    let letter = rows.map(Array.init)
    var png = TestPNG(width: letter[0].count, height: letter.count, colorType: 0) { x, y in
      [letter[y][x] == "#" ? 255 : 0]
    }
    png.chunks.append(("eXIf", TestEXIF(orientation: orientation.rawValue).bytes))
    let info = try ImageFile.info(bytes: png.bytes)
    #expect(info.orientation == orientation)
    #expect(info.storedSize == PixelSize(png.width, png.height))
    #expect(info.size == PixelSize(2, 4))

    #expect(try text(ImageFile.read(bytes: png.bytes)) == ["##", "# ", "##", "# "])
    #expect(try text(ImageFile.read(bytes: png.bytes, isUpright: false)) == rows)
  }

  private func text(_ bitmap: AnyBitmap) throws -> [String] {
    guard case .uint8(let pixels) = bitmap else { throw Failure("8 bits became \(bitmap.format)") }
    return (0..<pixels.size.height).map { y in
      String((0..<pixels.size.width).map { pixels[$0, y, 0] == 255 ? "#" : " " })
    }
  }

  @Test func pixelsOfEverySizeAreMovedWhole() throws {
    for channels in [Channels.gray, .grayAlpha, .rgb, .rgba] {
      let stored: Bitmap<UInt16> = TestPictures.codes(PixelSize(5, 3), channels: channels)
      var options = WritingOptions()
      options.metadata.exif = TestEXIF(orientation: 6).bytes
      // Written files are upright, whatever the metadata said before.
      let written = try ImageFile.encode(.uint16(stored), as: .png, options: options)
      #expect(try ImageFile.info(bytes: written).orientation == .upright)

      let turned = try ImageFile.read(bytes: patched(written, orientation: 6))
      guard case .uint16(let upright) = turned else { throw Failure("\(turned.format)") }
      for y in 0..<3 {
        for x in 0..<5 {
          for channel in 0..<channels.count {
            #expect(upright[2 - y, x, channel] == stored[x, y, channel])
          }
        }
      }
    }
  }

  /// The file with another orientation in its EXIF chunk.
  private func patched(_ png: [UInt8], orientation: Int) -> [UInt8] {
    let name = Array("eXIf".utf8)
    guard let start = png.indices.first(where: { png[$0...].starts(with: name) }) else { return [] }
    let count = TestEXIF(orientation: 1).bytes.count
    var bytes = png
    bytes.replaceSubrange(
      start - 4..<start + 8 + count,
      with: TestPNG.chunk("eXIf", TestEXIF(orientation: orientation).bytes))
    return bytes
  }

  @Test func damagedEXIFDataIsIgnored() throws {
    let intact = TestEXIF(orientation: 6, colorSpace: 1, interoperability: "R98").bytes
    for count in 0..<intact.count {
      var png = TestPNG(colorType: 0) { _, _ in [0] }
      png.chunks.append(("eXIf", Array(intact.prefix(count))))
      _ = try ImageFile.read(bytes: png.bytes)
    }
    for index in intact.indices {
      var (bytes, png) = (intact, TestPNG(colorType: 0) { _, _ in [0] })
      bytes[index] = 255
      png.chunks.append(("eXIf", bytes))
      _ = try ImageFile.read(bytes: png.bytes)
    }
  }
}
