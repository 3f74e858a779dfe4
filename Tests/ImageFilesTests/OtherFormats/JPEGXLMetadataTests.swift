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
  }
#endif
