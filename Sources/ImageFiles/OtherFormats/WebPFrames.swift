#if WebP
  internal import CWebP
  internal import ImageBuffer

  /// A frame of an animated WebP file (RFC 9649, 2.7.1.1).
  struct WebPFrame: LayeredFrame {
    /// From 1.
    let number: Int
    let region: Region
    let disposal: FrameDisposal
    /// Whether transparent pixels show what is below.
    let blends: Bool
    let isOpaque: Bool
    let isLossless: Bool
    /// How long it is shown, in milliseconds.
    let duration: Int
    /// Where its pixels are, and alpha before them where that is apart: chunks that libwebp reads.
    let data: Range<Int>
    /// Whether the file ends within it.
    let isTruncated: Bool

    var replaces: Bool { isOpaque || !blends }

    func unpackedPixels(onRows _: Int) -> Int { region.size.pixelCount }
  }

  /// Reads the frames of an animated WebP file in order. A copy continues at the same place.
  struct WebPFrames {
    private let container: WebPContainer
    private let screen: PixelSize
    private var index = 0
    private var count = 0
    /// How many chunks of frames were read.
    private var partCount = 0
    /// Why there is no further frame; nil before the last one was read.
    private(set) var ending: FrameEnding?

    private static let headerBytes = 16
    /// The most chunks of frames. Each takes time, however small it is.
    private static let partLimit = 1 << 18
    /// The bytes of a chunk of pixels that state their size: the chunk's name and length, and a header.
    private static let pixelHeaderBytes = 8 + 10

    init(_ container: WebPContainer, on screen: PixelSize) {
      (self.container, self.screen) = (container, screen)
    }

    /// Returns the next frame; nil where ``ending`` says why there is none.
    mutating func next() throws(ImageFileError) -> WebPFrame? {
      while ending == nil {
        guard index < container.chunks.count else {
          ending = container.endsEarly ? .file : .end
          break
        }
        let chunk = container.chunks[index]
        index += 1
        guard chunk.name == "ANMF" else { continue }
        if let frame = try frame(chunk) { return frame }
      }
      return nil
    }

    private mutating func frame(_ chunk: WebPChunk) throws(ImageFileError) -> WebPFrame? {
      let name = "its frame \(count + 1)"
      // What is missing behind the end of the file is no damage.
      func end(_ reason: String) -> FrameEnding {
        chunk.isComplete ? .damage("\(name) \(reason)") : .file
      }
      guard chunk.body.count >= Self.headerBytes else {
        ending = end("has \(counted(chunk.body.count, "byte")), fewer than its header")
        return nil
      }
      let header = try container.source.array(chunk.body.prefix(Self.headerBytes))
      let region = Region(
        x: 2 * header.littleEndian24(at: 0), y: 2 * header.littleEndian24(at: 3),
        width: header.littleEndian24(at: 6) + 1, height: header.littleEndian24(at: 9) + 1)
      guard region.intersection(Region(screen)) == region else {
        ending = .damage(
          "\(name) has \(region.size) pixels at (\(region.x), \(region.y)), and the picture \(screen)"
        )
        return nil
      }
      guard let (pixels, alpha) = try pixels(of: chunk) else {
        ending = end("has no pixels")
        return nil
      }
      let start = try container.source.array(
        pixels.start..<min(pixels.start + Self.pixelHeaderBytes, pixels.body.upperBound))
      var features = WebPBitstreamFeatures()
      let status = WebPGetFeatures(start, start.count, &features)
      guard status == VP8_STATUS_OK else {
        ending =
          status == VP8_STATUS_NOT_ENOUGH_DATA
          ? end("has fewer bytes than the header of its pixels")
          : .damage("\(name) has no header of pixels: libwebp stops with error \(status.rawValue)")
        return nil
      }
      let size = PixelSize(Int(features.width), Int(features.height))
      guard size == region.size else {
        ending = .damage("\(name) states \(region.size) pixels, and has \(size)")
        return nil
      }
      count += 1
      let isLossless = pixels.name == "VP8L"
      return WebPFrame(
        number: count, region: region, disposal: header[15] & 1 != 0 ? .clear : .keep,
        blends: header[15] & 2 == 0,
        isOpaque: isLossless ? features.has_alpha == 0 : alpha == nil, isLossless: isLossless,
        duration: header.littleEndian24(at: 12),
        data: (alpha ?? pixels).start..<pixels.body.upperBound, isTruncated: !chunk.isComplete)
    }

    /// Returns the chunk of a frame's pixels, and of alpha where that is apart; nil where there are no pixels.
    private mutating func pixels(
      of frame: WebPChunk
    ) throws(ImageFileError) -> (pixels: WebPChunk, alpha: WebPChunk?)? {
      var position = frame.body.lowerBound + Self.headerBytes
      var alpha: WebPChunk?
      while let part = try container.source.webPChunk(at: position, before: frame.body.upperBound) {
        partCount += 1
        guard partCount <= Self.partLimit else {
          throw .damaged(
            file: container.source.name,
            reason: "its frames have more than \(Self.partLimit) chunks")
        }
        switch part.name {
        case "ALPH": alpha = alpha ?? part
        case "VP8 ": return (part, alpha)
        // Has alpha of its own.
        case "VP8L": return (part, nil)
        default: break
        }
        position = part.end
      }
      return nil
    }
  }
#endif
