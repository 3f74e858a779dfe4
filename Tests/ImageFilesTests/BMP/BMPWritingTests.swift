import ColorSpaces
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// BMP files that are written.
@Suite struct BMPWritingTests {
  private func bitmap(_ channels: Channels, in space: ColorSpace = .sRGB) -> Bitmap<UInt8> {
    Bitmap(PixelSize(3, 2), in: space, channels: channels) { x, y in
      (0..<channels.count).map { UInt8(10 * x + 100 * y + $0 + 1) }
    }
  }

  private func number(_ bytes: [UInt8], _ offset: Int, _ count: Int = 4) -> Int {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private func read(_ bytes: [UInt8]) throws -> Bitmap<UInt8> {
    guard case .uint8(let bitmap) = try ImageFile.read(bytes: bytes) else {
      throw Failure("The file has no bytes.")
    }
    return bitmap
  }

  /// The fields of Microsoft's BITMAPFILEHEADER and BITMAPV5HEADER.
  @Test func headersAreThoseOfWindows() throws {
    var options = WritingOptions()
    options.metadata.resolution = .init(horizontal: 300, vertical: 150, unit: .inch)
    let file = try ImageFile.encode(.uint8(bitmap(.rgb)), as: .bmp, options: options)
    #expect(file.starts(with: "BM".utf8) && number(file, 2) == file.count)
    #expect(number(file, 10) == 138 && number(file, 14) == 124)
    #expect(number(file, 18) == 3 && number(file, 22) == 2)
    #expect(number(file, 26, 2) == 1 && number(file, 28, 2) == 24 && number(file, 30) == 0)
    #expect(number(file, 34) == 24 && number(file, 38) == 11_811 && number(file, 42) == 5906)
    #expect(number(file, 14 + 56) == 0x7352_4742 && number(file, 14 + 108) == 4)
    // The bottom row, padded, in the order blue, green, red.
    let rows: [[UInt8]] = [
      [103, 102, 101, 113, 112, 111, 123, 122, 121, 0, 0, 0],
      [3, 2, 1, 13, 12, 11, 23, 22, 21, 0, 0, 0],
    ]
    #expect(Array(file[138...]) == Array(rows.joined()))
  }

  @Test func alphaHasAMask() throws {
    let file = try ImageFile.encode(.uint8(bitmap(.rgba)), as: .bmp)
    #expect(number(file, 28, 2) == 32 && number(file, 30) == 3)
    #expect(
      (0..<4).map { number(file, 54 + 4 * $0) } == [0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000])
    #expect(Array(file[138..<142]) == [103, 102, 101, 104])
    #expect(try read(file) == bitmap(.rgba))
  }

  /// Spaces other than sRGB are stated by a profile behind the pixels.
  @Test func profilesAreEmbedded() throws {
    let file = try ImageFile.encode(.uint8(bitmap(.rgb, in: .displayP3)), as: .bmp)
    #expect(number(file, 14 + 56) == 0x4D42_4544 && number(file, 2) == file.count)
    let (start, count) = (14 + number(file, 14 + 112), number(file, 14 + 116))
    #expect(start == 138 + 24 && start + count == file.count)
    #expect(try read(file) == bitmap(.rgb, in: .displayP3))
    var options = WritingOptions()
    options.isUntagged = true
    let untagged = try ImageFile.encode(
      .uint8(bitmap(.rgb, in: .displayP3)), as: .bmp, options: options)
    #expect(number(untagged, 14 + 56) == 0x5769_6E20 && untagged.count == 138 + 24)
  }

  @Test func whatCannotBeHeldIsNamed() throws {
    #expect(throws: ImageFileError.unsupportedChannels(.gray, format: .bmp)) {
      try ImageFile.encode(.uint8(bitmap(.gray, in: .sGray)), as: .bmp)
    }
    // An aspect ratio has no unit of length.
    let folder = try TemporaryFolder()
    var options = WritingOptions()
    options.metadata.resolution = .init(horizontal: 4, vertical: 3, unit: .none)
    let report = try Picture(bitmap(.rgb)).write(to: folder.path("a.bmp"), writing: options)
    #expect(report.notes == [.unrepresentable(.resolution, format: .bmp)])
    #expect(try ImageFile.info(folder.path("a.bmp")).format == .bmp)
    #expect(ImageFileFormat(ofFileNamed: "a.DIB") == .bmp)
  }
}
