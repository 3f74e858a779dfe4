#if JPEGXL
  import ColorSpaces
  import ImageBuffer
  import ImageFiles
  import Testing

  @Suite struct JPEGXLMetadataTests {
    /// The box begins with the offset of the data (ISO/IEC 23008-12, A.2.1), which is 0 in most files.
    @Test func exifDataBeginAtTheirOffset() throws {
      var options = WritingOptions()
      options.metadata.exif = TestEXIF(orientation: 1, colorSpace: 0xFFFF).bytes
      let bitmap = Bitmap<UInt8>(PixelSize(8, 8), in: .sRGB, channels: .rgb)
      var bytes = try ImageFile.encode(.uint8(bitmap), as: .jpegXL, options: options)
      let exif = try #require(try ImageFile.info(bytes: bytes).metadata.exif)
      let start = try #require(bytes.firstRange(of: Array("Exif".utf8))?.upperBound)
      let length = bytes[start - 8..<start - 4].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(start..<start + 4, with: [0, 0, 0, 6, 1, 2, 3, 4, 5, 6])
      bytes.replaceSubrange(start - 8..<start - 4, with: TestPNG.bigEndian(length + 6))
      #expect(try ImageFile.info(bytes: bytes).metadata.exif == exif)
      // Beyond the box there are none.
      bytes.replaceSubrange(start..<start + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
      #expect(try ImageFile.info(bytes: bytes).metadata.exif == nil)
    }

    /// A file with boxes of EXIF and XMP of so many bytes, which are compressed or not.
    private func file(
      xmpByteCount: Int, compressed compress: (([UInt8]) -> [UInt8])? = nil
    ) throws -> [UInt8] {
      var options = WritingOptions()
      options.metadata.exif = TestEXIF(orientation: 1, colorSpace: 0xFFFF).bytes
      options.metadata.xmp = (0..<xmpByteCount).map { UInt8(97 + $0 % 23) }
      let bitmap = Bitmap<UInt8>(PixelSize(8, 8), in: .sRGB, channels: .rgb)
      let bytes = try ImageFile.encode(.uint8(bitmap), as: .jpegXL, options: options)
      guard let compress else { return bytes }
      var (result, rest) = ([UInt8](), bytes[...])
      while !rest.isEmpty {
        let stated = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        let box = Array(rest.prefix(stated == 0 ? rest.count : stated))
        rest = rest.dropFirst(box.count)
        let kind = box[4..<8]
        let isMetadata = ["Exif", "xml "].contains(String(decoding: kind, as: UTF8.self))
        let content = isMetadata ? kind + compress(Array(box[8...])) : []
        result +=
          isMetadata
          ? TestPNG.bigEndian(content.count + 8) + Array("brob".utf8) + content : box
      }
      return result
    }

    /// Brotli data that hold bytes as they are (RFC 7932, 9.2), up to 65,536 in each of their parts.
    private func brotli(_ bytes: [UInt8]) -> [UInt8] {
      // The first bit, of the window's size, is only in the first part.
      var (result, rest, firstBits) = ([UInt8](), bytes[...], 1)
      while !rest.isEmpty {
        let part = rest.prefix(1 << 16)
        rest = rest.dropFirst(part.count)
        let head = ((part.count - 1) << 3 | 1 << 19) << firstBits
        result += (0..<3).map { UInt8(head >> (8 * $0) & 255) } + part
        firstBits = 0
      }
      return result + [3]
    }

    @Test(arguments: [10, 65_536, 200_000])
    func compressedMetadataAreRead(xmpByteCount: Int) throws {
      let plain = try ImageFile.info(bytes: file(xmpByteCount: xmpByteCount))
      let bytes = try file(xmpByteCount: xmpByteCount, compressed: brotli)
      let info = try ImageFile.info(bytes: bytes)
      #expect(info.metadata.exif != nil && info.metadata.exif == plain.metadata.exif)
      #expect(info.metadata.xmp?.count == xmpByteCount)
      #expect(info.metadata.xmp == plain.metadata.xmp)
      #expect(info.notes.isEmpty)
      #expect(try ImageFile.read(bytes: bytes).size == PixelSize(8, 8))
      var limits = FileLimits()
      limits.metadataBytes = xmpByteCount
      #expect(throws: ImageFileError.tooMuchMetadata(file: "data", limit: xmpByteCount)) {
        try ImageFile.info(bytes: bytes, limits: limits)
      }
    }

    @Test func damagedCompressionIsNoted() throws {
      let bytes = try file(xmpByteCount: 100) { _ in [UInt8](repeating: 0xFF, count: 40) }
      let info = try ImageFile.info(bytes: bytes)
      #expect(info.metadata.exif == nil && info.metadata.xmp == nil)
      #expect(info.notes == [.unread("its box “Exif”, which is damaged")])
    }

    @Test func filesThatEndInTheirHeaderAreTruncated() throws {
      let bitmap = Bitmap<UInt8>(PixelSize(8, 8), in: .sRGB, channels: .rgb)
      let bytes = try ImageFile.encode(.uint8(bitmap), as: .jpegXL)
      #expect(throws: ImageFileError.truncated(file: "data", rows: 0, of: 1)) {
        try ImageFile.info(bytes: Array(bytes.prefix(3)))
      }
    }
  }
#endif
