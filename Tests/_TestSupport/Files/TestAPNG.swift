/// Animated PNG files of any frames, uncompressed, so that this file alone determines the bytes.
package struct TestAPNG: Sendable {
  package struct Frame: Sendable {
    package var x = 0, y = 0, width, height: Int
    /// 0 to keep, 1 to clear, 2 to restore; and 0 to replace what is below, 1 to blend with it.
    package var disposal = 0, blending = 0
    package var delay = (numerator: 1, denominator: 10)
    /// The zlib stream of its filtered rows.
    package var data: [UInt8]
    /// The size of its first chunk; the second one holds the rest.
    package var firstChunk = Int.max

    /// A frame of unfiltered rows.
    package init(x: Int = 0, y: Int = 0, width: Int, height: Int, _ samples: [UInt8]) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
      let rowBytes = samples.count / height
      data = Zlib.stored(
        (0..<height).flatMap { [0] + samples[$0 * rowBytes..<($0 + 1) * rowBytes] })
    }

    /// A frame of one color.
    package static func filled(
      _ color: [UInt8], x: Int = 0, y: Int = 0, width: Int, height: Int, disposal: Int = 0,
      blending: Int = 0
    ) -> Frame {
      let samples = Array(repeatElement(color, count: width * height).joined())
      var frame = Frame(x: x, y: y, width: width, height: height, samples)
      (frame.disposal, frame.blending) = (disposal, blending)
      return frame
    }
  }

  package var width, height: Int
  package var bitDepth = 8, colorType = 6
  package var isInterlaced = false
  package var frames: [Frame]
  /// How often the animation is played, 0 for without an end.
  package var plays = 0
  /// The number of frames that the file states; nil for the right one.
  package var statedCount: Int?
  /// The picture that is not a part of the animation; nil where the first frame is the picture.
  package var picture: Frame?
  /// Chunks between the header and the pixels.
  package var chunks: [(name: String, body: [UInt8])] = [("sRGB", [0])]

  package init(width: Int, height: Int, _ frames: [Frame]) {
    (self.width, self.height, self.frames) = (width, height, frames)
  }

  package var bytes: [UInt8] {
    let kind = [UInt8(bitDepth), UInt8(colorType), 0, 0, isInterlaced ? 1 : 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += Self.chunk("IHDR", Self.numbers([width, height]) + kind)
    bytes += Self.chunk("acTL", Self.numbers([statedCount ?? frames.count, plays]))
    for chunk in chunks { bytes += Self.chunk(chunk.name, chunk.body) }
    if let picture { bytes += Self.chunk("IDAT", picture.data) }
    var sequence = 0
    for (index, frame) in frames.enumerated() {
      let delay = [frame.delay.numerator, frame.delay.denominator]
      bytes += Self.chunk(
        "fcTL",
        Self.numbers([sequence, frame.width, frame.height, frame.x, frame.y])
          + delay.flatMap { $0.bytes(2, isBigEndian: true) }
          + [UInt8(frame.disposal), UInt8(frame.blending)])
      sequence += 1
      for part in [frame.data.prefix(frame.firstChunk), frame.data.dropFirst(frame.firstChunk)]
      where !part.isEmpty {
        if index == 0, picture == nil {
          bytes += Self.chunk("IDAT", Array(part))
        } else {
          bytes += Self.chunk("fdAT", Self.numbers([sequence]) + part)
          sequence += 1
        }
      }
    }
    return bytes + Self.chunk("IEND", [])
  }

  /// A chunk with its checksum.
  package static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + body
    return numbers([body.count]) + content + numbers([Int(Checksum.crc32(content))])
  }

  private static func numbers(_ numbers: [Int]) -> [UInt8] {
    numbers.flatMap { $0.bytes(4, isBigEndian: true) }
  }

  /// Files of every disposal and blending, with and without alpha, and with a picture beside the animation.
  package static var samples: [TestAPNG] {
    let (red, glass, gold): ([UInt8], [UInt8], [UInt8]) = (
      [255, 0, 0, 255], [0, 90, 255, 120], [200, 160, 0, 255]
    )
    var blended = TestAPNG(
      width: 12, height: 9,
      [
        .filled(red, width: 12, height: 9),
        .filled(glass, x: 3, y: 2, width: 5, height: 4, disposal: 1, blending: 1),
        .filled(glass, x: 6, y: 1, width: 6, height: 8, disposal: 2, blending: 1),
        .filled(gold, x: 1, y: 1, width: 9, height: 7, disposal: 2),
        .filled(glass, width: 12, height: 9, blending: 1),
      ])
    blended.frames[2].firstChunk = 20
    blended.plays = 3
    var opaque = TestAPNG(
      width: 7, height: 5,
      [
        .filled([10, 20, 30], width: 7, height: 5, disposal: 1),
        .filled([40, 50, 60], x: 1, y: 1, width: 3, height: 2, blending: 1),
      ])
    opaque.colorType = 2
    opaque.picture = .filled([1, 2, 3], width: 7, height: 5)
    return [blended, opaque]
  }
}
