#if JPEGXL
  internal import CJPEGXL

  /// The boxes of metadata of a JPEG XL file (ISO/IEC 18181-2), which may be compressed with Brotli, as cjxl writes them by default.
  struct JPEGXLBoxes {
    /// The beginning of a file that is made of boxes.
    static let signature: [UInt8] =
      [0, 0, 0, 0x0C] + Array("JXL ".utf8) + [0x0D, 0x0A, 0x87, 0x0A]

    /// The contents of the first boxes of EXIF and XMP.
    private(set) var contents: [String: [UInt8]] = [:]
    private(set) var notes: [ImageFileNote] = []
    /// Whether libjxl can decompress boxes.
    private var decompresses = true

    /// Reads the boxes with a decoder of their own, since they may follow the pixels. Contents are bounded while they are decompressed.
    init(
      of file: UnsafeRawBufferPointer, _ job: DecodingJob, _ heap: JPEGXLHeap
    ) throws(ImageFileError) {
      guard file.starts(with: Self.signature) else { return }
      var manager = heap.manager
      let decoder = JxlDecoderCreate(&manager)
      defer { JxlDecoderDestroy(decoder) }
      guard decoder != nil,
        JxlDecoderSubscribeEvents(decoder, Int32(JXL_DEC_BOX.rawValue)) == JXL_DEC_SUCCESS,
        JxlDecoderSetInput(
          decoder, file.bindMemory(to: UInt8.self).baseAddress, file.count) == JXL_DEC_SUCCESS
      else {
        throw heap.readingFailure(in: job.file)
          ?? .damaged(file: job.file, reason: "libjxl could not allocate memory")
      }
      // Fails where libjxl was built without Brotli.
      decompresses = JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) == JXL_DEC_SUCCESS
      JxlDecoderCloseInput(decoder)
      try read(decoder, job, heap)
    }

    private mutating func read(
      _ decoder: OpaquePointer?, _ job: DecodingJob, _ heap: JPEGXLHeap
    ) throws(ImageFileError) {
      let part = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)
      defer { part.deallocate() }
      // The kind of the box whose content libjxl puts into `part`.
      var kind: String?
      while true {
        let status = JxlDecoderProcessInput(decoder)
        if let failure = heap.readingFailure(in: job.file) { throw failure }
        if let kind {
          let unused = JxlDecoderReleaseBoxBuffer(decoder)
          contents[kind, default: []] += part.dropLast(unused)
          let kept = contents.values.reduce(0) { $0 + $1.count }
          guard kept <= job.limits.metadataBytes else {
            throw .tooMuchMetadata(file: job.file, limit: job.limits.metadataBytes)
          }
        }
        switch status {
        case JXL_DEC_BOX: kind = unreadKind(decoder)
        case JXL_DEC_BOX_NEED_MORE_OUTPUT: break
        case JXL_DEC_SUCCESS: return
        default:
          // The file ends within the box, or its compression is damaged.
          if let kind {
            contents[kind] = nil
            notes.append(.unread("its box “\(kind)”, which is damaged"))
          }
          return
        }
        if kind != nil { JxlDecoderSetBoxBuffer(decoder, part.baseAddress, part.count) }
      }
    }

    /// The kind of the box that begins, where it is one of metadata, the first of its kind, and libjxl can read it.
    private mutating func unreadKind(_ decoder: OpaquePointer?) -> String? {
      guard let kind = kind(decoder, decompressed: true), ["Exif", "xml "].contains(kind),
        contents[kind] == nil
      else { return nil }
      guard decompresses || kind == self.kind(decoder, decompressed: false) else {
        notes.append(.unread("its box “\(kind)”, compressed with Brotli, which libjxl lacks"))
        return nil
      }
      return kind
    }

    /// The kind of the box that begins. Without `decompressed`, that of compressed ones is “brob”.
    private func kind(_ decoder: OpaquePointer?, decompressed: Bool) -> String? {
      var code = [CChar](repeating: 0, count: 4)
      guard
        JxlDecoderGetBoxType(decoder, &code, decompressed ? JXL_TRUE : JXL_FALSE)
          == JXL_DEC_SUCCESS
      else { return nil }
      return String(decoding: code.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
#endif
