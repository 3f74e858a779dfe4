import ImageBuffer
import ImageFiles
import Testing

/// PNG files with very many chunks: each takes time, however small it is, so their number is bounded.
@Suite struct CrowdedPNGTests {
  private static let png = TestPNG { x, y in [x, y, 0] }.bytes
  private static let emptyText = TestPNG.chunk("tEXt", [])
  private static let emptyPixels = TestPNG.chunk("IDAT", [])

  /// A file with `count` more chunks before its pixels, or after them.
  private static func bytes(_ count: Int, of chunk: [UInt8], afterPixels: Bool) -> [UInt8] {
    // The chunk IEND has 12 bytes; before the first chunk with pixels stand the signature, the header, and sRGB.
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

  @Test(arguments: [false, true]) func moreAreRefused(afterPixels: Bool) throws {
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
