#if HEIF
  internal import CHEIF
  internal import ColorSpaces
  internal import ICCProfiles
  internal import ImageBuffer

  extension ImageFileFormat {
    /// HEIF with HEVC (ISO/IEC 23008-12): 8, 10 and 12 bits, straight alpha, lossy or lossless. The file is in memory as a whole while it
    /// is read or written.
    ///
    /// Samples of 16 bits are written as 10 bits, or losslessly as 12. Available where the package is built with its trait `HEIF`.
    public static let heif = ImageFileFormat(
      heif: "HEIF", fileExtensions: ["heic", "heif", "hif"],
      mimeTypes: ["image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"],
      heif_compression_HEVC,
      brands: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"])

    /// AVIF: HEIF with AV1, 8 and 12 bits; otherwise like ``heif``.
    public static let avif = ImageFileFormat(
      heif: "AVIF", fileExtensions: ["avif"], mimeTypes: ["image/avif", "image/avif-sequence"],
      heif_compression_AV1, brands: ["avif", "avis"])

    private init(
      heif name: String, fileExtensions: [String], mimeTypes: [String],
      _ compression: heif_compression_format, brands: Set<String>
    ) {
      self.init(
        name, fileExtensions: fileExtensions, mimeTypes: mimeTypes, samples: [.uint16, .uint8],
        channels: [.gray, .rgb, .rgba], holdsProfiles: true,
        metadata: [.exif, .xmp, .resolution, .contentLight, .masteringDisplay, .orientation],
        besidesEXIF: [.orientation], losslessBits: 12, holdsGainMaps: true,
        hasEffort: { _ in true }, hasQuality: { !$0.isLossless },
        encoderBytes: { $0.wholeImageBytes },
        recognizes: { !brands.isDisjoint(with: HEIFReader.brands($0)) },
        decoder: { job throws(ImageFileError) in
          let reader = try HEIFReader(job)
          return WholeImageDecoder(
            try reader.info(), of: job, libraryBytes: reader.libraryBytes
          ) { pixels throws(ImageFileError) in
            try reader.decode(into: pixels)
          }
        },
        encoder: { job, sink throws(ImageFileError) in
          let color = try HEIFColor(job)
          return WholeImageEncoder(job, sink) { job, pixels throws(ImageFileError) in
            try HEIFWriter(job, color, compression).encode(pixels)
          }
        })
    }
  }

  /// Decodes a file's primary picture with libheif, upright and cropped as the file says.
  private final class HEIFReader {
    private let job: DecodingJob
    private let file: MemoryBlock
    private var input: UnsafeMutableRawBufferPointer { file.bytes }
    private let context: OpaquePointer?
    private var handle: OpaquePointer?
    private var pages = ImagePages(.picture)
    private var item: heif_item_id = 0
    private let items: HEIFItems
    private var demand = HEIFDemand()

    /// libheif's decoders, and those of this package, which it uses in their place while this package decodes.
    private static let registered: Void = cheif_register()

    /// The major brand of a file and the compatible ones (ISO/IEC 14496-12, 4.3).
    private static func statedBrands(_ start: [UInt8]) -> [String] {
      guard start.count >= 16, start[4..<8].elementsEqual("ftyp".utf8) else { return [] }
      let end = min(Int(start.bigEndian32(at: 0)), start.count)
      return ([8] + Array(stride(from: 16, to: end - 3, by: 4))).map {
        String(decoding: start[$0..<$0 + 4], as: UTF8.self)
      }
    }

    /// The kinds that a file says it is of, the most fitting first.
    static func brands(_ start: [UInt8]) -> [String] {
      let brands = statedBrands(start)
      // AV1 files list “avif” or “avis” beside the general brands of HEIF.
      let isAV1 = brands.contains("avif") || brands.contains("avis")
      return isAV1 ? ["avif"] : brands
    }

    /// Reads up to the first pixel.
    init(_ job: DecodingJob) throws(ImageFileError) {
      self.job = job
      file = try job.bytes.block()
      items = try HEIFItems(UnsafeRawBufferPointer(file.bytes), name: job.file)
      // Last: `deinit` is not called where an error is thrown before all properties have values.
      context = heif_context_alloc()
      // libheif opens no hidden picture, as gain maps are. This is a copy of the file.
      if let item = job.item { items.show(item, in: file.bytes) }
      Self.registered
      // The parts of a picture are decoded sequentially in this thread.
      heif_context_set_max_decoding_threads(context, 0)
      try check(
        heif_context_read_from_memory_without_copy(
          context, input.baseAddress, input.count, nil))
      try openPicture()
      demand = try items.demand(of: item, limits: job.limits)
    }

    /// The bytes that libheif and its decoders take: a copy of the coded bytes twice, and their pictures.
    var libraryBytes: Double { Double(job.bytes.count) + demand.libraryBytes }

    /// Opens the picture that was asked for, or else the primary one.
    private func openPicture() throws(ImageFileError) {
      var identifiers = [heif_item_id](
        repeating: 0, count: Int(max(heif_context_get_number_of_top_level_images(context), 1)))
      let count = heif_context_get_list_of_top_level_image_IDs(
        context, &identifiers, Int32(clamping: identifiers.count))
      var primary: heif_item_id = 0
      try check(heif_context_get_primary_image_ID(context, &primary))
      pages.count = max(Int(count), 1)
      pages.number = (identifiers.firstIndex(of: primary) ?? 0) + 1
      item = primary
      if let part = job.item {
        (pages, item) = (ImagePages(.picture), part)
        return try check(heif_context_get_image_handle(context, item, &handle))
      }
      guard let page = job.page, page != pages.number else {
        return try check(heif_context_get_primary_image_handle(context, &handle))
      }
      guard (1...pages.count).contains(page) else { throw .noSuchPage(file: job.file, page, pages) }
      (pages.number, item) = (page, identifiers[page - 1])
      try check(heif_context_get_image_handle(context, item, &handle))
    }

    /// Whether the file says that it holds a sequence of pictures (ISO/IEC 23008-12, 10.2.3).
    private var isSequence: Bool {
      Self.statedBrands(Array(input.prefix(256))).contains {
        ["msf1", "avis", "hevc"].contains($0)
      }
    }

    deinit {
      heif_image_handle_release(handle)
      heif_context_free(context)
    }

    private var size: PixelSize {
      PixelSize(
        Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)))
    }
    private var bits: Int { Int(heif_image_handle_get_luma_bits_per_pixel(handle)) }
    private var hasAlpha: Bool { heif_image_handle_has_alpha_channel(handle) != 0 }
    private var samples: SampleFormat { bits > 8 ? .uint16 : .uint8 }
    private var channels: Channels {
      hasAlpha ? .rgba : items.isGray(item) ? .gray : .rgb
    }

    func info() throws(ImageFileError) -> ImageFileInfo {
      guard size.width > 0, size.height > 0, (1...16).contains(bits) else {
        throw .damaged(
          file: job.file, reason: "it states \(size) pixels of \(bits) bits")
      }
      var metadata = ImageMetadata()
      metadata.exif = try block("Exif").flatMap { EXIF.data(ofBlock: $0) }
      metadata.xmp = try block("mime", contentType: "application/rdf+xml")
      // EXIF data state it for the stored pixels, which libheif turns.
      let exif = metadata.exif.flatMap(EXIF.init)
      metadata.resolution = exif?.resolution?.oriented(by: exif?.orientation ?? .upright)
      metadata.readLight(of: item, in: items)
      let (color, profile) = statedColor()
      let format =
        Self.brands(Array(input.prefix(64))) == ["avif"]
        ? ImageFileFormat.avif : ImageFileFormat.heif
      let (gainMap, notes) = gainMap()
      // libheif applies the file's own transforms, and EXIF's orientation is ignored (ISO/IEC 23008-12, A.2.1).
      return ImageFileInfo(
        format: format, storedSize: size, channels: channels, samples: samples,
        alpha: hasAlpha && heif_image_handle_is_premultiplied_alpha(handle) != 0
          ? .premultiplied : .straight,
        storage: "\(bits) bits", color: color, profile: profile, metadata: metadata, pages: pages,
        notes: notes + (isSequence ? [.unread("a sequence of pictures")] : []), gainMap: gainMap)
    }

    /// Finds the picture's gain map. A damaged one is a note, because the picture can be read without it.
    private func gainMap() -> (found: ImageFileGainMap?, notes: [ImageFileNote]) {
      guard job.findsGainMap else { return (nil, []) }
      do {
        return (
          try items.toneMap(of: item).map { try ImageFileGainMap($0, in: items, of: job) }, []
        )
      } catch {
        return (nil, [.unusableGainMap(reason: GainMapDamage(error).reason)])
      }
    }

    /// By a profile, or else code points; sRGB where there are neither (ISO/IEC 23000-22, 7.3.6.4).
    private func statedColor() -> (StatedColor, ICCProfile?) {
      let count = heif_image_handle_get_raw_color_profile_size(handle)
      if let error = job.limits.excess(ofProfileBytes: count) {
        return (.unusable(.profile(file: job.file, error)), nil)
      }
      if count > 0 {
        var bytes = [UInt8](repeating: 0, count: count)
        if heif_image_handle_get_raw_color_profile(handle, &bytes).code == heif_error_Ok {
          return ImageFiles.statedColor(
            byProfile: bytes, isGray: channels == .gray, file: job.file, limits: job.limits)
        }
      }
      var nclx: UnsafeMutablePointer<heif_color_profile_nclx>?
      guard heif_image_handle_get_nclx_color_profile(handle, &nclx).code == heif_error_Ok,
        let stated = nclx?.pointee
      else { return (.space(.sRGB, by: .formatRule), nil) }
      heif_nclx_color_profile_free(nclx)
      // libheif has undone matrix and range.
      let points = CodePoints(
        UInt8(clamping: stated.color_primaries.rawValue),
        UInt8(clamping: stated.transfer_characteristics.rawValue))
      if !points.isSpecified { return (.space(.sRGB, by: .formatRule), nil) }
      if let space = try? ColorSpace(cicp: points) { return (.space(space, by: .codePoints), nil) }
      return (
        .unusable(
          .unsupportedColor(
            file: job.file, reason: "its code points \(points) mean \(points.explanation)")), nil
      )
    }

    /// The first block of metadata of a type. EXIF data have an empty content type.
    private func block(
      _ type: String, contentType: String = ""
    ) throws(ImageFileError) -> [UInt8]? {
      let most = heif_image_handle_get_number_of_metadata_blocks(handle, type)
      var identifiers = [heif_item_id](repeating: 0, count: Int(max(most, 0)))
      let found = heif_image_handle_get_list_of_metadata_block_IDs(
        handle, type, &identifiers, Int32(clamping: identifiers.count))
      let ofContentType = identifiers.prefix(Int(max(found, 0))).first {
        heif_image_handle_get_metadata_content_type(handle, $0).map { String(cString: $0) }
          == contentType
      }
      guard let identifier = ofContentType else { return nil }
      let count = heif_image_handle_get_metadata_size(handle, identifier)
      guard count <= job.limits.metadataBytes else {
        throw .tooMuchMetadata(file: job.file, limit: job.limits.metadataBytes)
      }
      var bytes = [UInt8](repeating: 0, count: count)
      try check(heif_image_handle_get_metadata(handle, identifier, &bytes))
      return bytes
    }

    func decode(into pixels: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
      var work = cheif_work()
      work.heap.limit = demand.pictureBytes
      (work.width, work.height) = (UInt32(demand.coded.width), UInt32(demand.coded.height))
      work.bytes_per_sample = Int32(demand.sampleBytes)
      var image: OpaquePointer?
      let layout = HEIFLayout(channels, samples)
      let error = cheif_decode(handle, &work, layout.colors, layout.chroma, &image)
      defer { heif_image_release(image) }
      if let failure = work.failure(in: job.file, stated: demand) { throw failure }
      try check(error)
      var stride: Int32 = 0
      let plane = heif_image_get_plane_readonly(image, layout.plane, &stride)
      let found = PixelSize(
        Int(heif_image_get_width(image, layout.plane)),
        Int(heif_image_get_height(image, layout.plane)))
      let rowBytes = size.width * channels.count * samples.byteCount
      // A gray plane has the bitstream's bits, which may be others than the container's.
      guard let plane, found == size, stride >= rowBytes,
        Int(heif_image_get_bits_per_pixel(image, layout.plane))
          == 8 * channels.count * samples.byteCount
      else {
        throw .damaged(file: job.file, reason: "its header does not fit its \(found) pixels")
      }
      let largest =
        (1 << Int(heif_image_get_bits_per_pixel_range(image, layout.plane))) - 1
      for y in 0..<size.height {
        let source = UnsafeRawBufferPointer(start: plane + y * Int(stride), count: rowBytes)
        let target = UnsafeMutableRawBufferPointer(
          rebasing: pixels[y * rowBytes..<(y + 1) * rowBytes])
        target.copyMemory(from: source)
        if samples == .uint16 {
          let codes = target.bindMemory(to: UInt16.self)
          for index in codes.indices {
            let code = min(Int(UInt16(littleEndian: codes[index])), largest)
            codes[index] = UInt16((code * 65_535 + largest / 2) / largest)
          }
        }
      }
    }

    private func check(_ error: heif_error) throws(ImageFileError) {
      guard error.code != heif_error_Ok else { return }
      let message = String(cString: error.message)
      guard error.subcode != heif_suberror_End_of_data else {
        throw .truncated(file: job.file, rows: 0, of: handle == nil ? 1 : size.height)
      }
      throw .damaged(file: job.file, reason: "libheif says “\(message)”")
    }
  }

  extension cheif_work {
    /// The error for a coded picture that exceeds what the container states; nil where none does.
    fileprivate func failure(in file: String, stated: HEIFDemand) -> ImageFileError? {
      if coded_width > 0 {
        let coded = PixelSize(Int(coded_width), Int(coded_height))
        return .damaged(
          file: file,
          reason: "its bitstream codes \(coded) pixels, and its container states \(stated.coded)")
      }
      if coded_bits > 0 {
        return .damaged(
          file: file,
          reason:
            "its bitstream codes \(coded_bits) bits, and its container states \(8 * stated.sampleBytes) at most"
        )
      }
      return heap.readingFailure(in: file)
    }
  }

  /// The color statement of a file: a profile, or code points.
  private enum HEIFColor {
    case codePoints(CodePoints)
    case profile([UInt8])
    case unstated

    init(_ job: EncodingJob) throws(ImageFileError) {
      if job.options.profile == nil, let points = job.space?.cicpForFiles {
        self = .codePoints(points)
      } else {
        self = try job.profile.map { .profile($0.bytes) } ?? .unstated
      }
    }
  }

  /// Encodes a file with libheif.
  private final class HEIFWriter {
    private let job: EncodingJob
    private let color: HEIFColor
    private let compression: heif_compression_format
    private let context = heif_context_alloc()
    private var encoder: OpaquePointer?
    private var image: OpaquePointer?
    private var handle: OpaquePointer?

    init(_ job: EncodingJob, _ color: HEIFColor, _ compression: heif_compression_format) {
      (self.job, self.color, self.compression) = (job, color, compression)
    }

    deinit {
      heif_image_handle_release(handle)
      heif_image_release(image)
      heif_encoder_release(encoder)
      heif_context_free(context)
    }

    private var bits: Int {
      if job.samples == .uint8 { return 8 }
      // libheif 1.15 asks for a profile of AV1 that does not hold 10 bits, for which libaom ends the process.
      return job.options.isLossless || compression == heif_compression_AV1 ? 12 : 10
    }

    func encode(_ pixels: UnsafeRawBufferPointer) throws(ImageFileError) -> [UInt8] {
      try check(heif_context_get_encoder_for_format(context, compression, &encoder))
      try check(
        heif_encoder_set_lossy_quality(encoder, Int32(min(max(job.options.quality, 0), 100))))
      try check(heif_encoder_set_lossless(encoder, job.options.isLossless ? 1 : 0))
      try check(heif_encoder_set_parameter_string(encoder, "chroma", job.options.heifChroma))
      if let effort = job.options.effortInUse {
        try check(job.setEffort(effort, of: encoder))
      }
      try fill(pixels)
      job.metadata.writeLight(to: image)
      guard let nclx = heif_nclx_color_profile_alloc(), let options = heif_encoding_options_alloc()
      else { throw .cannotWrite(file: job.file, reason: "libheif could not allocate memory") }
      defer {
        heif_nclx_color_profile_free(nclx)
        heif_encoding_options_free(options)
      }
      try state(nclx)
      options.pointee.output_nclx_profile = nclx
      options.pointee.image_orientation = heif_orientation(
        UInt32(job.options.orientation.rawValue))
      // The profile states the color space, the code points the matrix of Y′CbCr.
      options.pointee.save_two_colr_boxes_when_ICC_and_nclx_available = 1
      // By default libheif omits the code points from HEVC files, for compatibility with old readers.
      options.pointee.macOS_compatibility_workaround_no_nclx_profile = 0
      // libheif decodes pictures made of others as colors, which pictures of odd sizes are made for old readers.
      if job.isGray { options.pointee.macOS_compatibility_workaround = 0 }
      try check(heif_context_encode_image(context, image, encoder, options, &handle))
      try addMetadata()
      let memory = MemorySink()
      let output = OrderedOutput(memory)
      try check(cheif_write(context, OrderedOutput.put, output.context))
      return try job.withGainMap(memory.bytes)
    }

    private func fill(_ pixels: UnsafeRawBufferPointer) throws(ImageFileError) {
      let (width, height) = (
        try job.count(job.size.width, as: Int32.self),
        try job.count(job.size.height, as: Int32.self)
      )
      let layout = HEIFLayout(job.channels, job.samples)
      try check(
        heif_image_create(
          width, height, layout.colors, layout.chroma, &image))
      try check(heif_image_add_plane(image, layout.plane, width, height, Int32(bits)))
      var stride: Int32 = 0
      guard let plane = heif_image_get_plane(image, layout.plane, &stride) else {
        throw .cannotWrite(file: job.file, reason: "libheif found no memory for its pixels")
      }
      let rowBytes = job.size.width * job.channels.count * job.samples.byteCount
      let largest = (1 << bits) - 1
      for y in 0..<job.size.height {
        let target = UnsafeMutableRawBufferPointer(start: plane + y * Int(stride), count: rowBytes)
        target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: pixels[y * rowBytes..<(y + 1) * rowBytes]))
        if job.samples == .uint16 {
          let codes = target.bindMemory(to: UInt16.self)
          for index in codes.indices {
            codes[index] = UInt16((Int(codes[index]) * largest + 32_767) / 65_535).littleEndian
          }
        }
      }
    }

    /// Sets the matrix of Y′CbCr, and the code points of primaries and transfer function where the space has them.
    private func state(
      _ nclx: UnsafeMutablePointer<heif_color_profile_nclx>
    ) throws(ImageFileError) {
      var points = CodePoints(2, 2)
      if case .codePoints(let stated) = color { points = stated }
      try check(heif_nclx_color_profile_set_color_primaries(nclx, UInt16(points.primaries)))
      try check(
        heif_nclx_color_profile_set_transfer_characteristics(nclx, UInt16(points.transfer)))
      // Lossless files store R′G′B′ without a matrix; others use the matrix of JPEG files.
      let isMatrixFree = job.options.isLossless && !job.isGray
      try check(heif_nclx_color_profile_set_matrix_coefficients(nclx, isMatrixFree ? 0 : 6))
      nclx.pointee.full_range_flag = 1
      if case .profile(let bytes) = color {
        try check(heif_image_set_raw_color_profile(image, "prof", bytes, bytes.count))
      }
      try check(heif_image_set_nclx_color_profile(image, nclx))
    }

    private func addMetadata() throws(ImageFileError) {
      let metadata = job.metadata
      if let exif = metadata.exif {
        try check(heif_context_add_exif_metadata(context, handle, exif, job.count(exif.count)))
      }
      if let xmp = metadata.xmp {
        try check(heif_context_add_XMP_metadata(context, handle, xmp, job.count(xmp.count)))
      }
    }

    private func check(_ error: heif_error) throws(ImageFileError) {
      guard error.code != heif_error_Ok else { return }
      throw .cannotWrite(
        file: job.file, reason: "libheif says “\(String(cString: error.message))”")
    }
  }

  extension WritingOptions {
    fileprivate var heifChroma: String {
      if isLossless { return "444" }
      switch chromaInUse {
      case .full: return "444"
      case .half: return "422"
      case .quarter: return "420"
      }
    }
  }

  /// How libheif takes and returns pixels: gray in a plane, colors interleaved.
  private struct HEIFLayout {
    let colors: heif_colorspace
    let chroma: heif_chroma
    let plane: heif_channel

    init(_ channels: Channels, _ samples: SampleFormat) {
      if channels == .gray {
        (colors, chroma, plane) = (
          heif_colorspace_monochrome, heif_chroma_monochrome, heif_channel_Y
        )
        return
      }
      (colors, plane) = (heif_colorspace_RGB, heif_channel_interleaved)
      chroma =
        samples == .uint8
        ? (channels.hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB)
        : channels.hasAlpha
          ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE
    }
  }
#endif
