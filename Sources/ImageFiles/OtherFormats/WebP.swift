#if WebP
  internal import CWebP
  internal import ColorSpaces
  internal import ICCProfiles
  internal import ImageBuffer

  extension ImageFileFormat {
    /// WebP: 8 bits, straight alpha, lossy or lossless, up to 16,383 pixels a side. The file is in memory as a whole while it is read or
    /// written.
    ///
    /// Available where the package is built with its trait `WebP`.
    public static let webP = ImageFileFormat(
      "WebP", fileExtensions: ["webp"], mimeTypes: ["image/webp"], samples: [.uint8],
      channels: [.rgb, .rgba], holdsProfiles: true,
      metadata: [.exif, .xmp, .resolution, .orientation], losslessBits: 8, hasEffort: { _ in true },
      encoderBytes: { $0.webPEncoderBytes },
      recognizes: { WebPContainer.begins($0) },
      decoder: { job throws(ImageFileError) in
        let bytes = try job.bytes.array()
        let info = try WebPContainer(bytes, job).info(job)
        return WholeImageDecoder(info, of: job) { pixels throws(ImageFileError) in
          try decode(bytes, job, info, into: pixels)
        }
      },
      encoder: { job, sink throws(ImageFileError) in
        guard max(job.size.width, job.size.height) <= Int(WEBP_MAX_DIMENSION) else {
          throw .cannotWrite(
            file: job.file,
            reason: "it has \(job.size) pixels, and a WebP file up to \(WEBP_MAX_DIMENSION) a side")
        }
        let chunks = try WebPContainer.chunks(of: job)
        return WholeImageEncoder(job, sink) { job, pixels throws(ImageFileError) in
          WebPContainer.file(of: job, try encode(job, pixels), chunks)
        }
      })

    private static func decode(
      _ bytes: [UInt8], _ job: DecodingJob, _ info: ImageFileInfo,
      into pixels: UnsafeMutableRawBufferPointer
    ) throws(ImageFileError) {
      var config = WebPDecoderConfig()
      guard WebPInitDecoderConfig(&config) != 0 else {
        throw .damaged(file: job.file, reason: "libwebp is of another version than its headers")
      }
      config.options.use_threads = 1
      config.output.colorspace = info.channels.hasAlpha ? MODE_RGBA : MODE_RGB
      config.output.is_external_memory = 1
      config.output.u.RGBA.rgba = pixels.bindMemory(to: UInt8.self).baseAddress
      config.output.u.RGBA.stride = Int32(info.storedSize.width * info.channels.count)
      config.output.u.RGBA.size = pixels.count
      let status = WebPDecode(bytes, bytes.count, &config)
      WebPFreeDecBuffer(&config.output)
      switch status {
      case VP8_STATUS_OK: return
      case VP8_STATUS_SUSPENDED, VP8_STATUS_NOT_ENOUGH_DATA:
        throw .truncated(file: job.file, rows: 0, of: info.storedSize.height)
      default: throw .damaged(file: job.file, reason: "libwebp stops with error \(status.rawValue)")
      }
    }

    private static func encode(
      _ job: EncodingJob, _ pixels: UnsafeRawBufferPointer
    ) throws(ImageFileError) -> [UInt8] {
      var config = WebPConfig()
      var picture = WebPPicture()
      var memory = WebPMemoryWriter()
      let quality = Float(min(max(job.options.quality, 0), 100))
      guard WebPConfigPreset(&config, WEBP_PRESET_PHOTO, quality) != 0,
        WebPPictureInit(&picture) != 0
      else {
        throw .cannotWrite(
          file: job.file, reason: "libwebp is of another version than its headers")
      }
      config.thread_level = 1
      if job.options.isLossless {
        WebPConfigLosslessPreset(&config, Int32(job.options.webPLosslessPreset))
        // The colors of fully transparent pixels are kept too.
        config.exact = 1
      } else if let method = job.options.webPMethod {
        config.method = Int32(method)
      }
      WebPMemoryWriterInit(&memory)
      defer {
        WebPPictureFree(&picture)
        WebPMemoryWriterClear(&memory)
      }
      picture.use_argb = job.options.isLossless ? 1 : 0
      (picture.width, picture.height) = (Int32(job.size.width), Int32(job.size.height))
      picture.writer = WebPMemoryWrite
      let stride: Int32 = try job.count(job.size.width * job.channels.count)
      let samples = pixels.bindMemory(to: UInt8.self).baseAddress
      let isEncoded = withUnsafeMutablePointer(to: &memory) { memory in
        picture.custom_ptr = UnsafeMutableRawPointer(memory)
        let isImported =
          job.channels.hasAlpha
          ? WebPPictureImportRGBA(&picture, samples, stride)
          : WebPPictureImportRGB(&picture, samples, stride)
        return isImported != 0 && WebPEncode(&config, &picture) != 0
      }
      guard isEncoded, let bytes = memory.mem else {
        throw .cannotWrite(
          file: job.file, reason: "libwebp stops with error \(picture.error_code.rawValue)")
      }
      return Array(UnsafeBufferPointer(start: bytes, count: memory.size))
    }
  }

  extension EncodingJob {
    /// The peak memory of encoding in bytes. The greatest lossless effort traces several encodings of the pixels.
    fileprivate var webPEncoderBytes: Double {
      wholeImageBytes * (options.isLossless && options.webPLosslessPreset == 9 ? 1.5 : 1)
    }
  }

  /// The chunks of a WebP file (RFC 9649), parsed and assembled without libwebp.
  private struct WebPContainer {
    /// The most chunks that are read. Each takes time and memory, however small it is.
    private static let chunkLimit = 1 << 16

    private let bytes: [UInt8]
    private var chunks: [(name: String, body: Range<Int>)] = []

    static func begins(_ start: [UInt8]) -> Bool {
      start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8)
    }

    init(_ bytes: [UInt8], _ job: DecodingJob) throws(ImageFileError) {
      self.init(bytes)
      guard chunks.count <= Self.chunkLimit else {
        throw .damaged(file: job.file, reason: "it has more than \(Self.chunkLimit) chunks")
      }
      let kept = chunks.filter { Self.metadata.contains($0.name) }.reduce(0) { $0 + $1.body.count }
      guard kept <= job.limits.metadataBytes else {
        throw .tooMuchMetadata(file: job.file, limit: job.limits.metadataBytes)
      }
    }

    /// Parses all complete chunks, up to one more than the limit.
    private init(_ bytes: [UInt8]) {
      self.bytes = bytes
      var position = 12
      while position + 8 <= bytes.count, chunks.count <= Self.chunkLimit {
        let count = TIFFStructure.number(bytes[position + 4..<position + 8], isBigEndian: false)
        let start = position + 8
        guard start + count <= bytes.count else { return }
        let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
        chunks.append((name, start..<start + count))
        position = start + count + count % 2
      }
    }

    private static let metadata: Set = ["ICCP", "EXIF", "XMP "]

    private func body(_ name: String) -> [UInt8]? {
      chunks.first { $0.name == name }.map { Array(bytes[$0.body]) }
    }

    func info(_ job: DecodingJob) throws(ImageFileError) -> ImageFileInfo {
      var features = WebPBitstreamFeatures()
      let status = WebPGetFeatures(bytes, bytes.count, &features)
      let size = PixelSize(Int(features.width), Int(features.height))
      let stated = TIFFStructure.number(bytes[4..<8], isBigEndian: false)
      guard bytes.count >= stated + 8 else {
        throw .truncated(file: job.file, rows: 0, of: max(size.height, 1))
      }
      guard status == VP8_STATUS_OK, size.width > 0, size.height > 0 else {
        throw .damaged(file: job.file, reason: "libwebp stops with error \(status.rawValue)")
      }
      guard features.has_animation == 0 else {
        let count = chunks.count { $0.name == "ANMF" }
        throw .unsupportedStorage(
          file: job.file, reason: "it is an animation of \(count) frames; save one of them first")
      }
      var metadata = ImageMetadata()
      // Some writers keep the “Exif” prefix of JPEG files.
      metadata.exif = body("EXIF").map {
        $0.starts(with: "Exif\0\0".utf8) ? Array($0.dropFirst(6)) : $0
      }
      metadata.xmp = body("XMP ")
      metadata.resolution = metadata.exif.flatMap(EXIF.init)?.resolution
      let (color, profile) =
        body("ICCP").map {
          statedColor(
            byProfile: $0, isGray: false, file: job.file, limits: job.limits)
        } ?? (.space(.sRGB, by: .formatRule), nil)
      let kinds: [Int32: String] = [1: "with loss", 2: "without loss"]
      return ImageFileInfo(
        format: .webP, storedSize: size, channels: features.has_alpha != 0 ? .rgba : .rgb,
        samples: .uint8, storage: kinds[features.format] ?? "with and without loss", color: color,
        profile: profile,
        orientation: metadata.exif.flatMap(EXIF.init)?.orientation ?? .upright, metadata: metadata)
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
    ) -> [UInt8] {
      if chunks.isEmpty { return encoded }
      func number(_ number: Int, _ byteCount: Int) -> [UInt8] {
        TIFFStructure.bytes(of: number, byteCount, isBigEndian: false)
      }
      let flags: [String: UInt8] = ["ICCP": 0x20, "EXIF": 0x08, "XMP ": 0x04]
      let all = chunks.reduce(job.channels.hasAlpha ? 0x10 : 0) { $0 | (flags[$1.name] ?? 0) }
      let head = [all, 0, 0, 0] + number(job.size.width - 1, 3) + number(job.size.height - 1, 3)
      let pixels = WebPContainer(encoded).chunks.filter { $0.name != "VP8X" }
        .map { ($0.name, Array(encoded[$0.body])) }
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
#endif
