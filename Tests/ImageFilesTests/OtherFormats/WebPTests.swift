#if WebP
  import ColorSpaces
  import ImageBuffer
  import ImageFiles
  import Testing

  @Suite struct WebPTests {
    /// Wherever a file ends, even within its first chunk.
    @Test func filesThatEndTooEarlyAreTruncated() throws {
      let bitmap = Bitmap<UInt8>(PixelSize(40, 30), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x), UInt8(y), 7]
      }
      let bytes = try ImageFile.encode(.uint8(bitmap), as: .webP)
      for count in [12, 20, 29, bytes.count / 2, bytes.count - 1] {
        let error = #expect(throws: ImageFileError.self) {
          try ImageFile.read(bytes: Array(bytes.prefix(count)))
        }
        guard case .truncated(_, rows: 0, let height) = error else {
          Issue.record("\(count) bytes: \(error.map { "\($0)" } ?? "no error")")
          continue
        }
        #expect([1, 30].contains(height), "\(count) bytes")
      }
    }

    /// Each chunk costs time and memory, however small it is.
    @Test func tooManyChunksAreRefused() throws {
      let bitmap = Bitmap<UInt8>(PixelSize(8, 8), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x), UInt8(y), 7]
      }
      let bytes = try ImageFile.encode(.uint8(bitmap), as: .webP)
      func crowd(_ count: Int) -> [UInt8] {
        let chunks = [[UInt8]](repeating: Array("abcd\0\0\0\0".utf8), count: count).joined()
        var crowd = bytes + chunks
        for index in 0..<4 {
          crowd[4 + index] = UInt8(truncatingIfNeeded: (crowd.count - 8) >> (8 * index))
        }
        return crowd
      }
      #expect(try ImageFile.info(bytes: crowd(3000)).storedSize == bitmap.size)
      let error = ImageFileError.damaged(file: "data", reason: "it has more than 65536 chunks")
      #expect(throws: error) { try ImageFile.info(bytes: crowd(1 << 16)) }
    }

    @Test func profileAndPixelsAreReadFromTheirChunks() throws {
      let bitmap = Bitmap<UInt8>(PixelSize(9, 5), in: .displayP3, channels: .rgb) { x, y in
        [UInt8(x), UInt8(y), 7]
      }
      var options = WritingOptions()
      options.isLossless = true
      let bytes = try ImageFile.encode(.uint8(bitmap), as: .webP, options: options)
      #expect(try ImageFile.info(bytes: bytes).profile != nil)
      #expect(try ImageFile.read(bytes: bytes).sampleBytes == AnyBitmap(bitmap).sampleBytes)
    }
  }
#endif
