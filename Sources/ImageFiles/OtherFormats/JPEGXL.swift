#if JPEGXL
  internal import CJPEGXL
  internal import ColorSpaces
  internal import ICCProfiles
  internal import ImageBuffer

  extension ImageFileFormat {
    /// JPEG XL (ISO/IEC 18181): 8 and 16 bits, half and single precision, straight alpha, lossy or lossless. The file is in memory as a
    /// whole while it is read or written. Premultiplied alpha is read too. Lossless pictures of half precision with values between 0 and
    /// ±2⁻¹⁴ are written in single precision, because libjxl alters them in half precision.
    ///
    /// Available where the package is built with its trait `JPEGXL`.
    public static let jpegXL = ImageFileFormat(
      "JPEG XL", fileExtensions: ["jxl"], mimeTypes: ["image/jxl"],
      samples: [.uint16, .uint8, .float16, .float32], holdsProfiles: true,
      metadata: [.exif, .xmp, .resolution, .orientation], besidesEXIF: [.orientation],
      hasEffort: { _ in true }, hasQuality: { !$0.isLossless },
      encoderBytes: { $0.jpegXLEncoderBytes },
      recognizes: { start in
        start.starts(with: [0xFF, 0x0A]) || start.starts(with: JPEGXLBoxes.signature)
      },
      decoder: { job throws(ImageFileError) in
        let reader = try JPEGXLReader(job)
        return WholeImageDecoder(
          try reader.info(), of: job, libraryBytes: reader.libraryBytes
        ) { pixels throws(ImageFileError) in
          try reader.decode(into: pixels)
        }
      },
      encoder: { job, sink throws(ImageFileError) in
        let color = try JPEGXLColor(job)
        return WholeImageEncoder(job, sink) { job, pixels throws(ImageFileError) in
          try JPEGXLWriter(job, color).encode(pixels)
        }
      })
  }

  /// The number of threads with which libjxl decodes and encodes.
  private let threadCount = JxlThreadParallelRunnerDefaultNumWorkerThreads()

  /// The bytes that libjxl takes for a picture beside those of its samples. Its tables of weights, the codes of a file and the largest
  /// transforms are of a fixed size, and each thread has a buffer for the largest transform.
  private func fixedBytes(_ size: PixelSize) -> Double {
    let groups = (size.width + 255) / 256 * ((size.height + 255) / 256)
    return 0x1p24 + 0x1p22 * Double(min(threadCount, groups))
  }

  extension EncodingJob {
    /// The peak memory of encoding in bytes: all pixels, the file, and libjxl's memory as measured with libjxl 0.7.
    ///
    /// libjxl takes up to 32 bytes for each sample that it codes without loss, as it does alpha always, and up to 16 for each sample of
    /// the three channels (XYB) that it codes with loss, also for gray. Effort 9 takes twice as much for samples without loss. From
    /// effort 8 on it compares lossy encodings with the picture, which takes six times as much for them.
    fileprivate var jpegXLEncoderBytes: Double {
      let effort = options.jpegXLEffort ?? 7
      let losslessBytes = effort > 8 ? 64 : 32
      let lossyBytes = effort > 7 ? 96 : 16
      let sampleBytes =
        options.isLossless
        ? losslessBytes * channels.count
        : lossyBytes * 3 + (channels.hasAlpha ? losslessBytes : 0)
      let pixelBytes =
        mayNeedSinglePrecision
        ? (samples.byteCount + 2 * SampleFormat.float32.byteCount) * channels.count
        : 2 * channels.count * samples.byteCount
      return fixedBytes(size) + Double(size.pixelCount) * Double(pixelBytes + sampleBytes)
    }
  }

  /// Decodes a file's first picture with libjxl.
  private final class JPEGXLReader {
    private let job: DecodingJob
    private let file: MemoryBlock
    private var input: UnsafeMutableRawBufferPointer { file.bytes }
    private let heap = JPEGXLHeap()
    private let decoder: OpaquePointer?
    private let threads: UnsafeMutableRawPointer?
    private var header = JxlBasicInfo()

    /// Reads up to the first pixel.
    init(_ job: DecodingJob) throws(ImageFileError) {
      self.job = job
      file = try job.bytes.block()
      // After what throws: `deinit` is not called where a property has no value yet.
      threads = JxlThreadParallelRunnerCreate(nil, threadCount)
      // A header is small; the pixels are bounded when its size is known.
      heap.setLimit(job.limits.memoryLimit ?? .max)
      var manager = heap.manager
      decoder = JxlDecoderCreate(&manager)
      let events =
        JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue
      guard decoder != nil,
        JxlDecoderSetParallelRunner(decoder, JxlThreadParallelRunner, threads) == JXL_DEC_SUCCESS,
        JxlDecoderSubscribeEvents(decoder, Int32(events)) == JXL_DEC_SUCCESS,
        JxlDecoderSetKeepOrientation(decoder, JXL_TRUE) == JXL_DEC_SUCCESS,
        JxlDecoderSetInput(
          decoder, input.bindMemory(to: UInt8.self).baseAddress, input.count) == JXL_DEC_SUCCESS
      else {
        throw heap.readingFailure(in: job.file)
          ?? .damaged(file: job.file, reason: "libjxl could not allocate memory")
      }
      try advance(to: JXL_DEC_BASIC_INFO)
      guard JxlDecoderGetBasicInfo(decoder, &header) == JXL_DEC_SUCCESS else {
        throw .damaged(file: job.file, reason: "its header cannot be read")
      }
      try advance(to: JXL_DEC_COLOR_ENCODING)
    }

    deinit {
      JxlDecoderDestroy(decoder)
      JxlThreadParallelRunnerDestroy(threads)
    }

    /// The bytes that libjxl takes for a picture of this size.
    var libraryBytes: Double {
      fixedBytes(size) + 12 * Double(size.pixelCount) * Double(3 + header.num_extra_channels)
    }

    private var size: PixelSize { PixelSize(Int(header.xsize), Int(header.ysize)) }
    private var isGray: Bool { header.num_color_channels == 1 }
    private var hasAlpha: Bool { header.alpha_bits > 0 }

    /// Whether half precision, with 5 bits of exponent and 10 of mantissa, holds all floating-point values. Besides both a sample has a
    /// sign bit, and files may divide 16 bits otherwise.
    private var isWithinHalf: Bool {
      header.exponent_bits_per_sample <= 5
        && header.bits_per_sample <= header.exponent_bits_per_sample + 11
    }

    private var samples: SampleFormat {
      header.exponent_bits_per_sample > 0 || header.bits_per_sample > 16
        ? (isWithinHalf ? .float16 : .float32)
        : header.bits_per_sample <= 8 ? .uint8 : .uint16
    }

    func info() throws(ImageFileError) -> ImageFileInfo {
      for index in 0..<Int(header.num_extra_channels) {
        var channel = JxlExtraChannelInfo()
        if JxlDecoderGetExtraChannelInfo(decoder, index, &channel) == JXL_DEC_SUCCESS,
          channel.type == JXL_CHANNEL_BLACK
        {
          throw .unsupportedStorage(file: job.file, reason: "it has CMYK channels")
        }
      }
      var metadata = ImageMetadata()
      let boxes = try JPEGXLBoxes(of: UnsafeRawBufferPointer(input), job, heap)
      metadata.exif = boxes.contents["Exif"].flatMap { EXIF.data(ofBlock: $0) }
      metadata.xmp = boxes.contents["xml "]
      metadata.resolution = metadata.exif.flatMap(EXIF.init)?.resolution
      let (color, profile) = statedColor()
      let kind = header.exponent_bits_per_sample > 0 ? "floats of " : ""
      let others = Int(header.num_extra_channels) - (hasAlpha ? 1 : 0)
      let storage = [
        "\(kind)\(header.bits_per_sample) bits",
        others > 0 ? "\(others) other channels left out" : nil,
      ]
      return ImageFileInfo(
        format: .jpegXL, storedSize: size,
        channels: isGray ? (hasAlpha ? .grayAlpha : .gray) : hasAlpha ? .rgba : .rgb,
        samples: samples,
        alpha: hasAlpha && header.alpha_premultiplied != 0 ? .premultiplied : .straight,
        storage: storage.compactMap(\.self).joined(separator: ", "), color: color,
        profile: profile,
        orientation: Orientation(rawValue: Int(header.orientation.rawValue)) ?? .upright,
        metadata: metadata,
        notes: boxes.notes
          + (header.have_animation != 0 ? [.unread("the other frames of an animation")] : []))
    }

    /// Returns the color space of the decoded values.
    private func statedColor() -> (StatedColor, ICCProfile?) {
      var encoding = JxlColorEncoding()
      let isNamed = JxlDecoderGetColorAsEncodedProfile(
        decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &encoding)
      if isNamed == JXL_DEC_SUCCESS, let space = encoding.space {
        return (.space(space, by: .codePoints), nil)
      }
      var count = 0
      guard
        JxlDecoderGetICCProfileSize(decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &count)
          == JXL_DEC_SUCCESS, count > 0
      else { return (.unstated, nil) }
      if let error = job.limits.excess(ofProfileBytes: count) {
        return (.unusable(.profile(file: job.file, error)), nil)
      }
      var bytes = [UInt8](repeating: 0, count: count)
      guard
        JxlDecoderGetColorAsICCProfile(
          decoder, nil, JXL_COLOR_PROFILE_TARGET_DATA, &bytes, count) == JXL_DEC_SUCCESS
      else { return (.unstated, nil) }
      return ImageFiles.statedColor(
        byProfile: bytes, isGray: isGray, file: job.file, limits: job.limits)
    }

    func decode(into pixels: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
      var format = JxlPixelFormat(
        samples, channels: (isGray ? 1 : 3) + (hasAlpha ? 1 : 0))
      if job.limits.memoryLimit != nil { heap.setLimit(wholeBytes(libraryBytes)) }
      try advance(to: JXL_DEC_NEED_IMAGE_OUT_BUFFER)
      guard
        JxlDecoderSetImageOutBuffer(decoder, &format, pixels.baseAddress, pixels.count)
          == JXL_DEC_SUCCESS
      else { throw .damaged(file: job.file, reason: "its header does not fit its pixels") }
      try advance(to: JXL_DEC_FULL_IMAGE)
    }

    private func advance(to wanted: JxlDecoderStatus) throws(ImageFileError) {
      let status = JxlDecoderProcessInput(decoder)
      if let failure = heap.readingFailure(in: job.file) { throw failure }
      switch status {
      case wanted: return
      case JXL_DEC_NEED_MORE_INPUT:
        // Within the header, there is no size yet.
        throw .truncated(file: job.file, rows: 0, of: max(size.height, 1))
      default: throw .damaged(file: job.file, reason: "libjxl cannot decode it")
      }
    }
  }

  /// The color statement of a file: libjxl's enumerated values, or a profile.
  private enum JPEGXLColor {
    case named(JxlColorEncoding)
    case profile([UInt8])

    init(_ job: EncodingJob) throws(ImageFileError) {
      // A file without a name means sRGB.
      let space = job.space ?? .sRGB
      let given = job.space == nil ? nil : job.options.profile
      if given == nil, let encoding = JxlColorEncoding(space, isGray: job.isGray) {
        self = .named(encoding)
      } else {
        self = .profile(try job.profile?.bytes ?? [])
      }
    }
  }

  extension JxlColorEncoding {
    /// The primaries of H.273 that libjxl enumerates, with their code, libjxl's value, and its value of their white point.
    private static var primariesAndWhites: [(code: UInt8, JxlPrimaries, white: JxlWhitePoint)] {
      [
        (1, JXL_PRIMARIES_SRGB, JXL_WHITE_POINT_D65), (9, JXL_PRIMARIES_2100, JXL_WHITE_POINT_D65),
        (12, JXL_PRIMARIES_P3, JXL_WHITE_POINT_D65), (11, JXL_PRIMARIES_P3, JXL_WHITE_POINT_DCI),
      ]
    }

    /// The codes of the transfer functions of H.273 that libjxl enumerates by the same numbers.
    private static var curves: Set<UInt8> { [1, 8, 13, 16, 17, 18] }

    fileprivate init?(_ space: ColorSpace, isGray: Bool) {
      guard let points = space.cicpForFiles, Self.curves.contains(points.transfer),
        let (_, primaries, white) = Self.primariesAndWhites.first(where: {
          $0.code == points.primaries
        })
      else { return nil }
      self.init()
      color_space = isGray ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
      (self.primaries, white_point) = (primaries, white)
      transfer_function = JxlTransferFunction(UInt32(points.transfer))
      rendering_intent = JXL_RENDERING_INTENT_RELATIVE
    }

    fileprivate var space: ColorSpace? {
      let isGray = color_space == JXL_COLOR_SPACE_GRAY
      guard isGray || color_space == JXL_COLOR_SPACE_RGB,
        let curve = UInt8(exactly: transfer_function.rawValue), Self.curves.contains(curve),
        let match = Self.primariesAndWhites.first(where: {
          $0.white == white_point && (isGray || $0.1 == primaries)
        })
      else { return nil }
      return try? ColorSpace(cicp: CodePoints(match.code, curve))
    }
  }

  extension JxlPixelFormat {
    fileprivate init(_ samples: SampleFormat, channels: Int) {
      self.init()
      num_channels = UInt32(channels)
      endianness = JXL_NATIVE_ENDIAN
      data_type =
        switch samples {
        case .uint8: JXL_TYPE_UINT8
        case .uint16: JXL_TYPE_UINT16
        case .float16: JXL_TYPE_FLOAT16
        default: JXL_TYPE_FLOAT
        }
    }
  }

  /// Encodes a file with libjxl.
  private final class JPEGXLWriter {
    private let job: EncodingJob
    private let color: JPEGXLColor
    private let heap = JPEGXLHeap()
    private let encoder: OpaquePointer?
    private let threads = JxlThreadParallelRunnerCreate(nil, threadCount)

    init(_ job: EncodingJob, _ color: JPEGXLColor) throws(ImageFileError) {
      (self.job, self.color) = (job, color)
      var blocks = [job.metadata.exif?.count ?? 0, job.metadata.xmp?.count ?? 0]
      if case .profile(let bytes) = color { blocks.append(bytes.count) }
      // libjxl copies all of these.
      heap.setLimit(job.encoderBytes + 3 * blocks.reduce(0, +))
      var manager = heap.manager
      encoder = JxlEncoderCreate(&manager)
      guard encoder != nil, threads != nil else { throw noMemory }
    }

    deinit {
      JxlEncoderDestroy(encoder)
      JxlThreadParallelRunnerDestroy(threads)
    }

    func encode(_ pixels: UnsafeRawBufferPointer) throws(ImageFileError) -> [UInt8] {
      try job.checkJPEGXLValues(pixels)
      guard job.needsSinglePrecision(pixels) else { return try encode(pixels, as: job.samples) }
      let floats = try MemoryBlock(byteCount: 2 * pixels.count, for: job.file)
      job.widen(pixels, into: floats.bytes)
      return try encode(UnsafeRawBufferPointer(floats.bytes), as: .float32)
    }

    private func encode(
      _ pixels: UnsafeRawBufferPointer, as samples: SampleFormat
    ) throws(ImageFileError) -> [UInt8] {
      try check(JxlEncoderSetParallelRunner(encoder, JxlThreadParallelRunner, threads))
      try addMetadata()
      var header = try header(samples)
      try check(JxlEncoderSetBasicInfo(encoder, &header))
      switch color {
      case .named(var encoding): try check(JxlEncoderSetColorEncoding(encoder, &encoding))
      case .profile(let bytes):
        try check(JxlEncoderSetICCProfile(encoder, bytes, bytes.count))
      }
      guard let settings = JxlEncoderFrameSettingsCreate(encoder, nil) else { throw noMemory }
      if let effort = job.options.jpegXLEffort {
        try check(
          JxlEncoderFrameSettingsSetOption(
            settings, JXL_ENC_FRAME_SETTING_EFFORT, numericCast(effort)))
      }
      if job.options.isLossless {
        try check(JxlEncoderSetFrameLossless(settings, JXL_TRUE))
        if job.needsUnpredictedFloats(samples) {
          for option in [
            JXL_ENC_FRAME_SETTING_PALETTE_COLORS, JXL_ENC_FRAME_SETTING_MODULAR_PREDICTOR,
          ] {
            try check(JxlEncoderFrameSettingsSetOption(settings, option, 0))
          }
        }
      } else {
        try check(JxlEncoderSetFrameDistance(settings, job.options.distance))
      }
      var format = JxlPixelFormat(samples, channels: job.channels.count)
      try check(JxlEncoderAddImageFrame(settings, &format, pixels.baseAddress, pixels.count))
      JxlEncoderCloseInput(encoder)
      return try output()
    }

    private func header(_ samples: SampleFormat) throws(ImageFileError) -> JxlBasicInfo {
      var header = JxlBasicInfo()
      JxlEncoderInitBasicInfo(&header)
      header.xsize = try job.count(job.size.width)
      header.ysize = try job.count(job.size.height)
      header.num_color_channels = job.isGray ? 1 : 3
      header.bits_per_sample = UInt32(8 * samples.byteCount)
      header.exponent_bits_per_sample = samples == .float32 ? 8 : samples == .float16 ? 5 : 0
      if job.channels.hasAlpha {
        header.num_extra_channels = 1
        header.alpha_bits = header.bits_per_sample
        header.alpha_exponent_bits = header.exponent_bits_per_sample
      }
      header.orientation = JxlOrientation(UInt32(job.options.orientation.rawValue))
      header.uses_original_profile = job.options.isLossless ? JXL_TRUE : JXL_FALSE
      if case .named(let encoding) = color {
        // The peak luminance that the transfer function stands for, in cd/m².
        switch encoding.transfer_function {
        case JXL_TRANSFER_FUNCTION_PQ: header.intensity_target = 10_000
        case JXL_TRANSFER_FUNCTION_HLG: header.intensity_target = 1000
        default: break
        }
      }
      return header
    }

    private func addMetadata() throws(ImageFileError) {
      let (metadata, exif) = (job.metadata, job.metadata.exif)
      guard exif != nil || metadata.xmp != nil else { return }
      try check(JxlEncoderUseBoxes(encoder))
      // The box begins with the offset of the data.
      if let exif {
        try check(
          JxlEncoderAddBox(encoder, "Exif", [0, 0, 0, 0] + exif, exif.count + 4, JXL_FALSE))
      }
      if let xmp = metadata.xmp {
        try check(JxlEncoderAddBox(encoder, "xml ", xmp, xmp.count, JXL_FALSE))
      }
    }

    private func output() throws(ImageFileError) -> [UInt8] {
      var bytes: [UInt8] = []
      while true {
        var status = JXL_ENC_ERROR
        let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { target, used in
          var (next, left) = (target.baseAddress, target.count)
          status = JxlEncoderProcessOutput(encoder, &next, &left)
          used = target.count - left
        }
        bytes += part
        if status == JXL_ENC_NEED_MORE_OUTPUT { continue }
        try check(status)
        return bytes
      }
    }

    private func check(_ status: JxlEncoderStatus) throws(ImageFileError) {
      guard status != JXL_ENC_SUCCESS else { return }
      throw failure("libjxl stops with error \(JxlEncoderGetError(encoder).rawValue)")
    }

    private var noMemory: ImageFileError { failure("libjxl could not allocate memory") }

    /// The error of refused memory, else one for a reason.
    private func failure(_ reason: String) -> ImageFileError {
      heap.writingFailure(in: job.file) ?? .cannotWrite(file: job.file, reason: reason)
    }
  }

  extension WritingOptions {
    /// Returns libjxl's distance (1 is just visible) for the quality scale of JPEG, as the tool cjxl maps it.
    fileprivate var distance: Float {
      let quality = Float(min(max(quality, 1), 100))
      return quality >= 30
        ? 0.1 + (100 - quality) * 0.09
        : 53 / 3000 * quality * quality - 23 / 20 * quality + 25
    }
  }
#endif
