#if WebP
  internal import CWebP
  internal import ColorSpaces
  internal import ICCProfiles
  internal import ImageBuffer

  extension ImageFileFormat {
    /// WebP: 8 bits, straight alpha, lossy or lossless, up to 16,383 pixels a side, frames of animations. The file of a still picture is in
    /// memory as a whole while it is read or written; of an animation, the screen and one frame are.
    ///
    /// A frame is read as browsers show it: on the frames before it, blended or not, as the file says. Where no frame has drawn, pixels are
    /// transparent; the background color of the file is ignored. A still picture is written.
    ///
    /// Available where the package is built with its trait `WebP`.
    public static let webP = ImageFileFormat(
      "WebP", fileExtensions: ["webp"], mimeTypes: ["image/webp"], samples: [.uint8],
      channels: [.rgb, .rgba], holdsProfiles: true,
      metadata: [.exif, .xmp, .resolution, .orientation], losslessBits: 8, hasEffort: { _ in true },
      hasQuality: { !$0.isLossless },
      encoderBytes: { $0.webPEncoderBytes },
      recognizes: { WebPContainer.begins($0) },
      decoder: { job throws(ImageFileError) in
        let container = try WebPContainer(job)
        if let screen = container.screen {
          return try WebPAnimation(container, on: screen, job).decoder
        }
        let bytes = try job.bytes.array()
        let info = try container.info(of: bytes, job)
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
          try WebPContainer.file(of: job, encode(job, pixels), chunks)
        }
      })

    private static func decode(
      _ bytes: [UInt8], _ job: DecodingJob, _ info: ImageFileInfo,
      into pixels: UnsafeMutableRawBufferPointer
    ) throws(ImageFileError) {
      var config = try WebPDecoderConfig(
        info.channels, into: pixels, bytesPerRow: info.storedSize.width * info.channels.count,
        of: job.file)
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

  extension WebPDecoderConfig {
    /// Settings for decoding to channels of a byte each, with straight alpha, in memory of the caller, which must outlive them.
    init(
      _ channels: Channels, into target: UnsafeMutableRawBufferPointer, bytesPerRow: Int,
      of file: String
    ) throws(ImageFileError) {
      self.init()
      guard WebPInitDecoderConfig(&self) != 0 else {
        throw .damaged(file: file, reason: "libwebp is of another version than its headers")
      }
      options.use_threads = 1
      output.colorspace = channels.hasAlpha ? MODE_RGBA : MODE_RGB
      output.is_external_memory = 1
      output.u.RGBA.rgba = target.bindMemory(to: UInt8.self).baseAddress
      output.u.RGBA.stride = Int32(bytesPerRow)
      output.u.RGBA.size = target.count
    }
  }

  extension EncodingJob {
    /// The peak memory of encoding in bytes. The greatest lossless effort traces several encodings of the pixels.
    fileprivate var webPEncoderBytes: Double {
      wholeImageBytes * (options.isLossless && options.webPLosslessPreset == 9 ? 1.5 : 1)
    }
  }

  extension WebPContainer {
    /// Returns the properties of a still picture in a file of these bytes.
    fileprivate func info(
      of bytes: [UInt8], _ job: DecodingJob
    ) throws(ImageFileError) -> ImageFileInfo {
      var features = WebPBitstreamFeatures()
      let status = WebPGetFeatures(bytes, bytes.count, &features)
      let size = PixelSize(Int(features.width), Int(features.height))
      guard !endsEarly else {
        throw .truncated(file: job.file, rows: 0, of: max(size.height, 1))
      }
      guard status == VP8_STATUS_OK, size.width > 0, size.height > 0 else {
        throw .damaged(file: job.file, reason: "libwebp stops with error \(status.rawValue)")
      }
      let kinds: [Int32: String] = [1: "with loss", 2: "without loss"]
      return try info(
        job, size: size, channels: features.has_alpha != 0 ? .rgba : .rgb,
        storage: kinds[features.format] ?? "with and without loss")
    }

    /// Returns the properties of a picture, with the color and the metadata that the chunks state.
    func info(
      _ job: DecodingJob, size: PixelSize, channels: Channels, storage: String,
      pages: ImagePages = ImagePages(), notes: [ImageFileNote] = [], readingBytes: Double = 0,
      animation: ImageAnimation? = nil
    ) throws(ImageFileError) -> ImageFileInfo {
      var metadata = ImageMetadata()
      // Some writers keep the “Exif” prefix of JPEG files.
      metadata.exif = try body("EXIF").map {
        $0.starts(with: "Exif\0\0".utf8) ? Array($0.dropFirst(6)) : $0
      }
      metadata.xmp = try body("XMP ")
      let exif = metadata.exif.flatMap(EXIF.init)
      metadata.resolution = exif?.resolution
      let (color, profile) =
        try body("ICCP").map {
          statedColor(byProfile: $0, isGray: false, file: job.file, limits: job.limits)
        } ?? (.space(.sRGB, by: .formatRule), nil)
      return ImageFileInfo(
        format: .webP, storedSize: size, channels: channels, samples: .uint8, storage: storage,
        color: color, profile: profile, orientation: exif?.orientation ?? .upright,
        metadata: metadata, pages: pages, notes: notes, readingBytes: readingBytes,
        animation: animation)
    }
  }
#endif
