/// Animated WebP files of frames that the caller encodes.
package struct TestWebP: Sendable {
  package struct Frame: Sendable {
    /// Even numbers.
    package var x = 0, y = 0
    package var width, height: Int
    /// 0 to keep, 1 to clear; and 0 to blend with what is below, 2 to replace it.
    package var disposal = 0, blending = 0
    /// In milliseconds.
    package var duration = 100
    /// The chunks of its pixels.
    package var data: [UInt8]

    /// A frame that has the pixels of a still picture's file.
    package init(x: Int = 0, y: Int = 0, width: Int, height: Int, pixelsOf still: [UInt8]) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
      data = TestWebP.chunks(of: still).filter { ["ALPH", "VP8 ", "VP8L"].contains($0.name) }
        .flatMap { TestWebP.chunk($0.name, $0.body) }
    }
  }

  package var width, height: Int
  package var frames: [Frame]
  /// How often the animation is played, 0 for without an end.
  package var plays = 0
  /// Chunks before and behind the frames.
  package var chunksBefore: [(name: String, body: [UInt8])] = []
  package var chunksBehind: [(name: String, body: [UInt8])] = []

  package init(width: Int, height: Int, _ frames: [Frame]) {
    (self.width, self.height, self.frames) = (width, height, frames)
  }

  package var bytes: [UInt8] {
    func number(_ number: Int, _ count: Int = 3) -> [UInt8] {
      number.bytes(count, isBigEndian: false)
    }
    // Animation, and alpha.
    var body = Self.chunk("VP8X", [0x12, 0, 0, 0] + number(width - 1) + number(height - 1))
    for chunk in chunksBefore { body += Self.chunk(chunk.name, chunk.body) }
    body += Self.chunk("ANIM", [9, 8, 7, 255] + number(plays, 2))
    for frame in frames {
      let head = [frame.x / 2, frame.y / 2, frame.width - 1, frame.height - 1, frame.duration]
      let flags = UInt8(frame.disposal | frame.blending)
      body += Self.chunk("ANMF", head.flatMap { number($0) } + [flags] + frame.data)
    }
    for chunk in chunksBehind { body += Self.chunk(chunk.name, chunk.body) }
    return Array("RIFF".utf8) + number(body.count + 4, 4) + Array("WEBP".utf8) + body
  }

  /// A chunk with its padding.
  package static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + body.count.bytes(4, isBigEndian: false) + body
      + [UInt8](repeating: 0, count: body.count % 2)
  }

  private static func chunks(of file: [UInt8]) -> [(name: String, body: [UInt8])] {
    var (chunks, position): ([(String, [UInt8])], Int) = ([], 12)
    while position + 8 <= file.count {
      let count = file[position + 4..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = min(position + 8 + count, file.count)
      chunks.append(
        (
          String(decoding: file[position..<position + 4], as: UTF8.self),
          Array(file[position + 8..<end])
        ))
      position = end + count % 2
    }
    return chunks
  }
}
