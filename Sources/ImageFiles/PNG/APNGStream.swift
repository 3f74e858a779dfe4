internal import CPNG
internal import ImageBuffer

/// A frame of an animated PNG file as a PNG file of its own, which libpng reads. It is made as it is read, and takes no memory.
final class APNGStream {
  private let bytes: ByteSource
  private let chunks: ChunkReader
  private let frame: APNGFrame
  private let header: [UInt8]
  /// The part that is read, its place in the stream, and the position of the chunk of the file that follows it.
  private var part: Part
  private var start = 0
  private var next: Int
  /// Damage that ends the stream, other than the end of the file.
  private(set) var failure: ImageFileError?

  /// Bytes, then a range of the file, then bytes.
  private struct Part {
    var head: [UInt8] = []
    var body = 0..<0
    var tail: [UInt8] = []
    var isLast = false

    var count: Int { head.count + body.count + tail.count }
  }

  init(_ frame: APNGFrame, _ chunks: PNGChunks, _ bytes: ByteSource) {
    (self.frame, self.bytes, self.chunks) = (frame, bytes, ChunkReader(bytes))
    let size = frame.region.size
    let numbers = bigEndianBytes([UInt32(size.width), UInt32(size.height)])
    var header = PNGChunks.signature
    header += Self.chunk("IHDR", numbers + chunks.pixelKind)
    for name in ["PLTE", "tRNS"] {
      if let body = chunks.bodies[name] { header += Self.chunk(name, body) }
    }
    (self.header, part, next) = (header, Part(head: header), frame.data)
  }

  /// The context pointer that C passes back to ``read``. Valid as long as the stream.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Copies bytes from a position on for C; returns how many were copied.
  static let read:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int, Int) -> Int = {
      context, target, count, position in
      guard let context else { return 0 }
      let stream = Unmanaged<APNGStream>.fromOpaque(context).takeUnretainedValue()
      return stream.read(
        into: UnsafeMutableRawBufferPointer(start: target, count: count), at: position)
    }

  private func read(into target: UnsafeMutableRawBufferPointer, at position: Int) -> Int {
    if position < start { (part, start, next) = (Part(head: header), 0, frame.data) }
    var done = 0
    while done < target.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
      do throws(ImageFileError) {
        let copied = try copy(to: rest, from: position + done - start)
        done += copied
        guard copied == 0 else { continue }
        start += part.count
        guard try advance() else { break }
      } catch {
        failure = error
        break
      }
    }
    return done
  }

  /// Copies bytes of the part from an offset on, and returns how many; 0 behind its end.
  private func copy(
    to target: UnsafeMutableRawBufferPointer, from offset: Int
  ) throws(ImageFileError) -> Int {
    let body = offset - part.head.count
    let (source, from) =
      body < 0 ? (part.head, offset) : (part.tail, body - part.body.count)
    if body >= 0, body < part.body.count {
      let range = part.body.dropFirst(body).prefix(target.count)
      try bytes.copy(
        to: UnsafeMutableRawBufferPointer(rebasing: target[..<range.count]), from: range.lowerBound)
      return range.count
    }
    let copied = source.dropFirst(from).prefix(target.count)
    target.copyBytes(from: copied)
    return copied.count
  }

  /// Goes on to the next part of the stream. Returns false at its end, and where the file ends.
  private func advance() throws(ImageFileError) -> Bool {
    if part.isLast {
      part = Part(isLast: true)
      return false
    }
    part = Part()
    while let chunk = try chunks.outline(at: next) {
      switch chunk.name {
      case "fcTL", "IEND":
        part = Part(head: Self.chunk("IEND", []), isLast: true)
        return true
      case "IDAT" where frame.isPicture:
        (part, next) = (Part(body: next..<chunk.end), chunk.end)
        return true
      case "fdAT" where !frame.isPicture:
        (part, next) = (try data(chunk), chunk.end)
        return true
      default: next = chunk.end
      }
    }
    return false
  }

  /// Makes a chunk IDAT of a chunk fdAT, whose first four bytes are its number in the sequence.
  private func data(_ chunk: ChunkReader.Chunk) throws(ImageFileError) -> Part {
    guard chunk.body.count >= 4, try chunks.isIntact(chunk) else {
      throw .damaged(
        file: bytes.name,
        reason: "the checksum of a chunk “fdAT” of its frame \(frame.number) is wrong")
    }
    let body = chunk.body.dropFirst(4)
    let name = Array("IDAT".utf8)
    let checksum = try chunks.checksum(of: body, behind: name)
    return Part(
      head: bigEndianBytes([UInt32(body.count)]) + name, body: body,
      tail: bigEndianBytes([checksum]))
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let content = Array(name.utf8) + body
    let checksum = UInt32(truncatingIfNeeded: crc32_z(0, content, content.count))
    return bigEndianBytes([UInt32(body.count)]) + content + bigEndianBytes([checksum])
  }
}
