#if COLORLOOM_TIFF
  internal import CTIFF
  internal import ICCProfiles
  internal import ImageBuffer

  /// Encodes a file with libtiff, in strips of whole rows.
  final class TIFFEncoder: ImageEncoder {
    private let job: EncodingJob
    private let output: PlacedOutput
    private let writer: UnsafeMutablePointer<ctiff_writer>
    private var rowsWritten: UInt32 = 0
    private let row: MemoryBlock

    init(_ job: EncodingJob, _ sink: any ByteSink) throws(ImageFileError) {
      let output = PlacedOutput(sink)
      let profile = try job.profile?.bytes ?? []
      let row = try MemoryBlock(byteCount: wholeBytes(job.rowBytes), for: job.file)
      var header = try job.tiffHeader()
      let metadata = job.metadata
      let isBig = needsBigTIFF(
        pixelBytes: job.rowBytes * Double(job.size.height), job.options.compression)
      header.is_big = isBig ? 1 : 0
      guard let writer = ctiff_writer_create(PlacedOutput.put, output.context) else {
        throw .cannotWrite(file: job.file, reason: "libtiff could not allocate memory")
      }
      (self.job, self.output, self.writer, self.row) = (job, output, writer, row)
      let exif = metadata.exif.flatMap(EXIF.init).flatMap { TIFFEXIF($0, isBig: isBig) }
      let isNativeBigEndian = 1.bigEndian == 1
      let isBigEndian = exif?.isBigEndian ?? isNativeBigEndian
      header.is_big_endian = isBigEndian ? 1 : 0
      header.predictor = job.predictor(isNativeOrder: isBigEndian == isNativeBigEndian)
      (header.exif, header.gps) = (UInt64(exif?.camera ?? 0), UInt64(exif?.position ?? 0))
      // libtiff copies all of these.
      let blocks = [
        profile, metadata.xmp ?? [], metadata.iptc ?? [],
        PhotoshopResources.bytes(of: metadata, withIPTC: false), exif?.bytes ?? [],
        job.inkNames,
      ]
      let memoryLimit = job.encoderBytes + 3 * blocks.reduce(0) { $0 + $1.count }
      let result = withPointers(to: blocks) { pointers in
        (header.profile, header.profile_count) = (pointers[0], UInt32(clamping: blocks[0].count))
        (header.xmp, header.xmp_count) = (pointers[1], UInt32(clamping: blocks[1].count))
        (header.iptc, header.iptc_count) = (pointers[2], UInt32(clamping: blocks[2].count))
        (header.photoshop, header.photoshop_count) = (
          pointers[3], UInt32(clamping: blocks[3].count)
        )
        (header.front, header.front_count) = (pointers[4], blocks[4].count)
        header.ink_names = pointers[5]?.assumingMemoryBound(to: CChar.self)
        header.ink_names_count = UInt16(clamping: blocks[5].count)
        return ctiff_writer_begin(writer, header, memoryLimit)
      }
      try check(result)
      for field in exif?.fields ?? [] {
        field.nativeValue(isBigEndian: header.is_big_endian == 1)?.withUnsafeBytes { value in
          ctiff_writer_field(
            writer,
            ctiff_field(
              tag: UInt32(field.tag), type: TIFFDataType(UInt32(field.type)),
              count: UInt32(clamping: field.count), value: value.baseAddress))
        }
      }
    }

    deinit { ctiff_writer_destroy(writer) }

    func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
      // libtiff's predictors compute in place.
      self.row.bytes.copyMemory(from: row)
      try check(ctiff_writer_row(writer, self.row.bytes.baseAddress, rowsWritten))
      rowsWritten += 1
    }

    func finish() throws(ImageFileError) { try check(ctiff_writer_end(writer)) }

    private func check(_ result: Int32) throws(ImageFileError) {
      guard result != 1 else { return }
      let message = String(cString: ctiff_writer_message(writer))
      throw job.failure(of: "libtiff", message, writingTo: output.sink)
    }
  }

  /// Whether offsets in a file may need 64 bits.
  ///
  /// LZW makes noise larger: its codes have up to 12 bits, and one may stand for a single byte.
  package func needsBigTIFF(pixelBytes: Double, _ compression: LosslessCompression) -> Bool {
    pixelBytes * (compression == .lzw ? 1.5 : 1) > 4e9
  }

  extension EncodingJob {
    /// How many rows a strip has: as many as are worth packing.
    private var rowsPerStrip: Double { max(1, (0x1p18 / rowBytes).rounded(.down)) }

    /// A row, a strip as it is packed, tables of the packings, and the places and lengths of all strips, as numbers and as they are
    /// written.
    var tiffEncoderBytes: Double {
      let strips = (Double(size.height) / rowsPerStrip).rounded(.up)
      return 0x1p19 + 40 * strips + 3 * rowBytes + 1.25 * min(rowsPerStrip, Double(size.height))
        * rowBytes
    }

    /// The names of inks other than CMYK, each with a zero after it.
    fileprivate var inkNames: [UInt8] {
      guard let inks, !inks.areCMYK else { return [] }
      return inks.names.flatMap { $0.utf8.filter { $0 != 0 } + [0] }
    }

    fileprivate func tiffHeader() throws(ImageFileError) -> ctiff_header {
      var header = ctiff_header()
      (header.width, header.height) = (try count(size.width), try count(size.height))
      header.rows_per_strip = UInt32(rowsPerStrip)
      header.bits = UInt16(8 * samples.byteCount)
      header.samples = UInt16(channels.count)
      header.sample_format = UInt16(isFloat ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT)
      if let inks {
        header.photometric = UInt16(PHOTOMETRIC_SEPARATED)
        header.ink_set = UInt16(inks.areCMYK ? INKSET_CMYK : INKSET_MULTIINK)
      } else {
        header.photometric = UInt16(isGray ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB)
      }
      if channels.hasAlpha {
        header.alpha = UInt16(
          alpha == .premultiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA)
      }
      header.orientation = UInt16(options.orientation.rawValue)
      // Baseline TIFF needs a resolution; without a unit it only says that pixels are square.
      let resolution = metadata.resolution?.tiffFields ?? ((72, 1), (72, 1), 1)
      header.x_resolution = Double(resolution.across.0) / Double(resolution.across.1)
      header.y_resolution = Double(resolution.down.0) / Double(resolution.down.1)
      header.resolution_unit = UInt16(resolution.unit)
      switch options.compression {
      case .none: header.compression = UInt16(COMPRESSION_NONE)
      case .deflate: header.compression = UInt16(COMPRESSION_ADOBE_DEFLATE)
      case .lzw: header.compression = UInt16(COMPRESSION_LZW)
      }
      if ImageFileFormat.tiff.hasEffort(options), let level = options.deflateLevel {
        header.deflate_level = Int32(level)
      }
      return header
    }

    /// The predictor for the samples. Floats in foreign byte order get none: libtiff swaps their bytes before its floating-point predictor,
    /// which expects native order, so that every reader would get other values.
    fileprivate func predictor(isNativeOrder: Bool) -> UInt16 {
      if options.compression == .none || isFloat && !isNativeOrder { return 0 }
      return UInt16(isFloat ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL)
    }

    private var isFloat: Bool { samples == .float16 || samples == .float32 }
  }

  extension TIFFStructure.Field {
    /// The value in native byte order, a text with a zero at its end, fractions as floats of 32 bits; nil where one is 0/0, which libtiff
    /// does not write.
    fileprivate func nativeValue(isBigEndian: Bool) -> [UInt8]? {
      let isFraction = type == 5 || type == 10
      let size = isFraction ? 4 : TIFFStructure.size(ofType: type) ?? 1
      let isNative = isBigEndian == (1.bigEndian == 1)
      if type == 2 { return value + [0] }
      let native =
        isNative || size == 1
        ? value
        : stride(from: 0, to: value.count, by: size).flatMap { value[$0..<$0 + size].reversed() }
      return isFraction ? fractions(native) : native
    }

    /// The quotients of pairs of numbers; nil where one is 0/0.
    private func fractions(_ pairs: [UInt8]) -> [UInt8]? {
      let values = pairs.withUnsafeBytes { pairs in
        (0..<pairs.count / 8).map { index in
          func number(_ offset: Int) -> Double {
            let bits = pairs.loadUnaligned(fromByteOffset: 8 * index + offset, as: UInt32.self)
            return type == 10 ? Double(Int32(bitPattern: bits)) : Double(bits)
          }
          return Float(number(0) / number(4))
        }
      }
      return values.contains(where: \.isNaN) ? nil : values.withUnsafeBytes { Array($0) }
    }
  }

  /// Calls `body` with the addresses of arrays, nil for those that are empty.
  private func withPointers<Result>(
    to arrays: [[UInt8]], _ pointers: [UnsafeRawPointer?] = [],
    _ body: ([UnsafeRawPointer?]) -> Result
  ) -> Result {
    guard pointers.count < arrays.count else { return body(pointers) }
    let array = arrays[pointers.count]
    return array.withUnsafeBytes {
      withPointers(to: arrays, pointers + [array.isEmpty ? nil : $0.baseAddress], body)
    }
  }
#endif
