#if JPEGXL
  import ColorSpaces
  import ImageBuffer
  import ImageFiles
  import Testing

  @Suite struct JPEGXLMemoryTests {
    @Test func refusedMemoryNamesTheLimit() throws {
      let bitmap = Bitmap<UInt8>(PixelSize(64, 64), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x), UInt8(y), 7]
      }
      let bytes = try ImageFile.encode(.uint8(bitmap), as: .jpegXL)
      var limits = FileLimits()
      // libjxl's own state takes more.
      limits.memoryLimit = 64
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.info(bytes: bytes, limits: limits)
      }
      #expect("\(error.map { "\($0)" } ?? "")".contains("64"))
      // The share of libjxl is declared, and refused before decoding.
      limits.memoryLimit = 8 << 20
      #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes, limits: limits) }
      limits.memoryLimit = 64 << 20
      #expect(try ImageFile.read(bytes: bytes, limits: limits).size == bitmap.size)
    }
  }
#endif
