#if WebP
  internal import ICCProfiles
  internal import ImageBuffer

  /// The chunks of a WebP file (RFC 9649), parsed and assembled without libwebp.
  struct WebPContainer {
    /// The most chunks that are read. Each takes time and memory, however small it is.
    private static let chunkLimit = 1 << 16
    private static let metadataNames: Set = ["ICCP", "EXIF", "XMP "]
    private static let headerBytes = 10
    private static let animationFlag: UInt8 = 0x02

    let source: ByteSource
    private(set) var chunks: [WebPChunk] = []
    /// Whether the file has fewer bytes than it states.
    let endsEarly: Bool
    /// The size of the screen on which the frames of an animation are drawn; nil for a still picture.
    private(set) var screen: PixelSize?

    static func begins(_ start: [UInt8]) -> Bool {
      start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8)
    }

    init(_ job: DecodingJob) throws(ImageFileError) {
      try self.init(job.bytes)
      guard chunks.count <= Self.chunkLimit else {
        throw .damaged(file: job.file, reason: "it has more than \(Self.chunkLimit) chunks")
      }
      let kept = chunks.filter { Self.metadataNames.contains($0.name) }
      guard kept.reduce(0, { $0 + $1.body.count }) <= job.limits.metadataBytes else {
        throw .tooMuchMetadata(file: job.file, limit: job.limits.metadataBytes)
      }
    }

    /// Parses the chunks, up to one more than the limit.
    private init(_ source: ByteSource) throws(ImageFileError) {
      self.source = source
      let stated = try source.array(4..<8).number(isBigEndian: false)
      endsEarly = source.count < stated + 8
      var position = 12
      while chunks.count <= Self.chunkLimit,
        let chunk = try source.webPChunk(at: position, before: source.count)
      {
        chunks.append(chunk)
        position = chunk.end
      }
      guard let first = chunks.first, first.name == "VP8X", first.body.count >= Self.headerBytes
      else { return }
      let header = try source.array(first.body.prefix(Self.headerBytes))
      guard header[0] & Self.animationFlag != 0 else { return }
      screen = PixelSize(header.littleEndian24(at: 4) + 1, header.littleEndian24(at: 7) + 1)
    }

    /// The content of the first chunk of a name that is complete.
    func body(_ name: String) throws(ImageFileError) -> [UInt8]? {
      guard let chunk = chunks.first(where: { $0.name == name && $0.isComplete }) else {
        return nil
      }
      return try source.array(chunk.body)
    }

    /// Returns the color chunks and the metadata chunks of a new file.
    static func chunks(
      of job: EncodingJob
    ) throws(ImageFileError) -> [(name: String, body: [UInt8])] {
      let metadata = job.metadata
      return [
        ("ICCP", try job.profile?.bytes), ("EXIF", metadata.exif), ("XMP ", metadata.xmp),
      ].compactMap { name, body in body.map { (name, $0) } }
    }

    /// Returns the file that libwebp encoded, with the chunks around its pixels.
    static func file(
      of job: EncodingJob, _ encoded: [UInt8], _ chunks: [(name: String, body: [UInt8])]
    ) throws(ImageFileError) -> [UInt8] {
      if chunks.isEmpty { return encoded }
      func number(_ number: Int, _ byteCount: Int) -> [UInt8] {
        number.bytes(byteCount, isBigEndian: false)
      }
      let flags: [String: UInt8] = ["ICCP": 0x20, "EXIF": 0x08, "XMP ": 0x04]
      let all = chunks.reduce(job.channels.hasAlpha ? 0x10 : 0) { $0 | (flags[$1.name] ?? 0) }
      let head = [all, 0, 0, 0] + number(job.size.width - 1, 3) + number(job.size.height - 1, 3)
      let pixels = try WebPContainer(ByteSource(encoded)).chunks
        .filter { $0.name != "VP8X" && $0.isComplete }.map { ($0.name, Array(encoded[$0.body])) }
      let ordered =
        [("VP8X", head)] + chunks.filter { $0.name == "ICCP" } + pixels
        + chunks.filter { $0.name != "ICCP" }
      let body = ordered.flatMap { name, body in
        Array(name.utf8) + number(body.count, 4) + body
          + [UInt8](repeating: 0, count: body.count % 2)
      }
      return Array("RIFF".utf8) + number(body.count + 4, 4) + Array("WEBP".utf8) + body
    }
  }

  /// The place of a chunk in a WebP file.
  struct WebPChunk {
    let name: String
    /// The content, or what is there of it.
    let body: Range<Int>
    let isComplete: Bool
    /// The place behind the chunk and its padding, which may be behind the file.
    let end: Int

    /// The place of its name.
    var start: Int { body.lowerBound - 8 }
  }

  extension ByteSource {
    /// Returns the chunk at a position; nil where its name and length are not there before `limit`.
    func webPChunk(at position: Int, before limit: Int) throws(ImageFileError) -> WebPChunk? {
      let start = position + 8
      guard start <= limit else { return nil }
      let head = try array(position..<start)
      let count = head[4...].number(isBigEndian: false)
      return WebPChunk(
        name: String(decoding: head[..<4], as: UTF8.self), body: start..<min(start + count, limit),
        isComplete: start + count <= limit, end: start + count + count % 2)
    }
  }

  extension [UInt8] {
    /// The number of three bytes at a place. The caller has checked that they are there.
    func littleEndian24(at place: Int) -> Int {
      self[place..<place + 3].number(isBigEndian: false)
    }
  }
#endif
