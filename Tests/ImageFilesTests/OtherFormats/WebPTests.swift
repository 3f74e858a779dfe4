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
  }
#endif
