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

    /// Declared are libjxl's fixed tables, 16 bytes for each of three channels with loss, also for gray, and 32 for each without.
    @Test(arguments: [Channels.gray, .rgb, .rgba], [false, true])
    func writingDeclaresTheMemoryOfItsMode(channels: Channels, isLossless: Bool) throws {
      let bitmap = Bitmap<UInt8>(PixelSize(500, 400), in: .sRGB, channels: channels) { x, y in
        [UInt8](repeating: UInt8((x ^ y) & 255), count: channels.count)
      }
      var options = WritingOptions()
      options.isLossless = isLossless
      let samples =
        isLossless ? 32 * channels.count : 48 + (channels.hasAlpha ? 32 : 0)
      options.memoryLimit = 1 << 24 + 200_000 * (samples + 2 * channels.count)
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.encode(.uint8(bitmap), as: .jpegXL, options: options)
      }
      guard case .tooMuchMemoryToWrite = error else {
        Issue.record("\(error.map { "\($0)" } ?? "no error")")
        return
      }
      options.memoryLimit = nil
      #expect(try !ImageFile.encode(.uint8(bitmap), as: .jpegXL, options: options).isEmpty)
    }
  }
#endif
