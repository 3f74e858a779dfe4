import ImageBuffer
import ImageFiles
import Testing

/// PNG files with very many chunks: each costs time, however small, so their number is limited.
@Suite struct CrowdedPNGTests {
  private static let png = TestPNG { x, y in [x, y, 0] }.bytes
  private static let emptyText = TestPNG.chunk("tEXt", [])
  private static let emptyPixels = TestPNG.chunk("IDAT", [])

  /// A file with `count` additional chunks before or after its pixels.
  private static func bytes(_ count: Int, of chunk: [UInt8], afterPixels: Bool) -> [UInt8] {
    // The chunk IEND has 12 bytes; before the first chunk of pixels are the signature, the header, and sRGB.
    let place = afterPixels ? png.count - 12 : 8 + 25 + 13
    return Array(png[..<place]) + [[UInt8]](repeating: chunk, count: count).joined() + png[place...]
  }

  @Test(arguments: [false, true]) func thousandsOfChunksAreRead(afterPixels: Bool) throws {
    let crowd = Self.bytes(3000, of: Self.emptyText, afterPixels: afterPixels)
    guard case .uint8(let bitmap) = try ImageFile.read(bytes: crowd),
      case .uint8(let expected) = try ImageFile.read(bytes: Self.png)
    else {
      Issue.record("The file has samples of 8 bits.")
      return
    }
    #expect(bitmap == expected)
  }

  @Test(arguments: [false, true]) func tooManyChunksAreRefused(afterPixels: Bool) throws {
    var crowds = [Self.bytes(1 << 17, of: Self.emptyText, afterPixels: afterPixels)]
    if afterPixels { crowds.append(Self.bytes(1 << 17, of: Self.emptyPixels, afterPixels: true)) }
    for crowd in crowds {
      #expect {
        try ImageFile.read(bytes: crowd)
      } throws: {
        "\($0)".contains("65536 chunks")
      }
    }
  }
}
