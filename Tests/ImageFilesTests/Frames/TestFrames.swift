import ColorSpaces
import ImageBuffer
import ImageFiles
import Testing

/// Frames of animated files, as tests of GIF, animated PNG and animated WebP read them.
enum TestFrames {
  /// Returns the pixels of a frame, with alpha where there is none.
  static func pixels(_ bytes: [UInt8], page: Int? = nil) throws -> [[UInt8]] {
    let bitmap = try #require(try ImageFile.read(bytes: bytes, page: page).bytesOfSamples)
    let count = bitmap.channels.count
    return (0..<bitmap.size.height).flatMap { y in
      (0..<bitmap.size.width).map { x in
        let samples = (0..<count).map { bitmap[x, y, $0] }
        return bitmap.channels.hasAlpha ? samples : samples + [255]
      }
    }
  }

  /// Expects the three frames that `Fixtures/Images/make.py` writes with Pillow, which stores of the second and third frame what changes.
  static func expectFramesOfPillow(_ path: String, channels: Channels = .rgb) throws {
    let blues: [(Int, Int) -> Int] = [
      { _, _ in 0 }, { $0 < 8 && $1 >= 6 ? 120 : 0 },
      { (4..<12).contains($0) && $1 < 10 ? 240 : 0 },
    ]
    for (index, blue) in blues.enumerated() {
      let file = try ImageFile.read(path, page: index + 1, assuming: .sRGB)
      let bitmap = try #require(file.bytesOfSamples)
      #expect(bitmap.size == PixelSize(20, 16) && bitmap.channels == channels)
      let differing = (0..<320).filter { place in
        let (x, y) = (place % 20, place / 20)
        let color = [25 * (x / 2), 30 * (y / 2), blue(x, y), 255]
        return (0..<channels.count).contains { Int(bitmap[x, y, $0]) != color[$0] }
      }
      #expect(differing.isEmpty, "frame \(index + 1)")
    }
    let info = try ImageFile.info(path, page: 2)
    #expect(info.animation.map { "\($0)" } == "0.2 s of 0.6 s, repeated 2 times")
  }
}

extension AnyBitmap {
  /// The bitmap of 8-bit samples; nil where they are others.
  var bytesOfSamples: Bitmap<UInt8>? {
    if case .uint8(let bitmap) = self { bitmap } else { nil }
  }
}
