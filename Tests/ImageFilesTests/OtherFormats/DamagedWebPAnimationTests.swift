#if WebP
  import ColorSpaces
  import FilterGraph
  import ImageBuffer
  import ImageFiles
  import Testing
  import _TestSupport

  /// Animated WebP files that are truncated, damaged or hostile.
  @Suite struct DamagedWebPAnimationTests {
    private func reason(_ bytes: [UInt8], page: Int?, _ limits: FileLimits = FileLimits()) -> String
    {
      do throws(ImageFileError) {
        _ = try ImageFile.read(bytes: bytes, page: page, limits: limits)
        return "none"
      } catch { return error.finding }
    }

    private func gray(_ width: Int = 6, _ height: Int = 8) throws -> TestWebP.Frame {
      try .filled([90, 90, 90, 255], width: width, height: height)
    }

    /// Pixels that take bytes.
    private func noise(_ width: Int, _ height: Int, isLossless: Bool) throws -> TestWebP.Frame {
      var random = SeededGenerator(seed: 3)
      let bitmap = Bitmap<UInt8>(PixelSize(width, height), in: .sRGB, channels: .rgb) { _, _ in
        (0..<3).map { _ in .random(in: 0...255, using: &random) }
      }
      var options = WritingOptions()
      options.isLossless = isLossless
      let still = try ImageFile.encode(.uint8(bitmap), as: .webP, options: options)
      return TestWebP.Frame(width: width, height: height, pixelsOf: still)
    }

    @Test func damageIsDescribed() throws {
      let gray = try gray()
      let intact = TestWebP(width: 6, height: 8, [gray, gray, gray])
      func reason(page: Int = 2, _ change: (inout TestWebP) -> Void) -> String {
        var file = intact
        change(&file)
        return self.reason(file.bytes, page: page)
      }
      #expect(reason { _ in } == "none")
      #expect(
        reason { $0.frames[1].x = 2 }.contains(
          "its frame 2 has 6 × 8 pixels at (2, 0), and the picture 6 × 8"))
      #expect(
        reason { $0.frames[1].height = 7 }.contains(
          "its frame 2 states 6 × 7 pixels, and has 6 × 8"))
      #expect(reason { $0.frames[1].data = [] }.contains("its frame 2 has no pixels"))
      #expect(
        reason { $0.frames[1].data[8] = 0 }.contains("its frame 2 has no header of pixels: libwebp")
      )
      #expect(
        reason { $0.frames[1].data = Array($0.frames[1].data.prefix(10)) }.contains(
          "its frame 2 has fewer bytes than the header of its pixels"))
      #expect(
        reason { $0.frames[1].data.removeLast(6) }.contains(
          "its frame 2: it ends after 0 of 8 rows"))
      #expect(reason(page: 4) { _ in }.contains("no frame 4; the last one is 3"))
      #expect(reason(page: 1) { $0.frames = [] }.contains("it is an animation and has no frame"))
      // The first frame is read nevertheless, with a note.
      var file = intact
      file.frames[1].x = 2
      #expect(self.reason(file.bytes, page: nil) == "none")
      #expect(
        "\(try ImageFile.info(bytes: file.bytes).notes)".contains("its animation behind frame 1"))
      // A frame is damaged that the third one hides.
      file = intact
      file.frames[1].data.removeLast(6)
      #expect(self.reason(file.bytes, page: 3) == "none")
    }

    /// Rows above the damage are read, with those of the frames below.
    @Test(arguments: [true, false]) func rowsOfTruncatedFramesAreSalvaged(isLossless: Bool) throws {
      var frame = try noise(64, 96, isLossless: isLossless)
      frame.y = 2
      let whole = TestWebP(width: 64, height: 100, [try gray(64, 100), frame])
      let intact = try ImageFile.read(bytes: whole.bytes, page: 2)
      let bytes = Array(whole.bytes.dropLast(frame.data.count / 3))
      let file = try OpenedImageFile(bytes: bytes, page: 2, salvaging: true)
      let read: Bitmap<UInt8> = try file.picture().render()
      let salvage = try #require(file.salvage)
      #expect((18..<90).contains(salvage.rows))
      #expect(salvage.error == .truncated(file: "data", rows: salvage.rows, of: 100))
      guard case .uint8(let expected) = intact else { throw Failure("No samples of 8 bits.") }
      for y in 0..<salvage.rows {
        let differing = (0..<64).filter { x in
          (0..<3).contains { read[x, y, $0] != expected[x, y, $0] }
        }
        #expect(differing.isEmpty, "row \(y)")
      }
      #expect(throws: salvage.error) { try ImageFile.read(bytes: bytes, page: 2) }
      // The first frame is whole.
      #expect(reason(bytes, page: 1) == "none")
      #expect(
        "\(try ImageFile.info(bytes: bytes).notes)".contains(
          "the end of frame 2, or what follows it, where the file ends early"))
      #expect(reason(bytes, page: 3).contains("it ends behind frame 2 of its animation"))
      // Before the header of the frame's pixels.
      let early = Array(whole.bytes.dropLast(frame.data.count - 4))
      #expect(reason(early, page: 2).contains("it ends behind frame 1 of its animation"))
      #expect(reason(Array(whole.bytes.prefix(50)), page: 1).contains("0 of 100 rows"))
    }

    /// Frames of a few bytes that all show in the wanted one, and small chunks within a frame, would take hours.
    @Test func drawnPixelsAndChunksAreLimited() throws {
      let size = 400
      let clear = try TestWebP.Frame.filled([0, 0, 0, 0], width: size, height: size)
      let limits = FileLimits(pixels: size * size)
      func reason(_ frame: TestWebP.Frame) throws -> String {
        let first = try gray(size, size)
        let frames = [first] + [TestWebP.Frame](repeating: frame, count: 400)
        return self.reason(
          TestWebP(width: size, height: size, frames).bytes, page: 401, limits)
      }
      #expect(
        try reason(clear).contains(
          "To compose frame 401 of “data”, \(401 * size * size) pixels of frames are drawn; the limit is"
        ))
      // These hide what is below.
      var hiding = clear
      hiding.blending = 2
      #expect(try reason(hiding) == "none")
      var crowded = try gray()
      crowded.data =
        Array([[UInt8]](repeating: TestWebP.chunk("abcd", []), count: 1 << 18).joined())
        + crowded.data
      #expect(
        self.reason(TestWebP(width: 6, height: 8, [crowded]).bytes, page: 1).contains(
          "its frames have more than 262144 chunks"))
      let large = TestWebP(width: 1 << 24, height: 1 << 24, [try gray()])
      #expect(
        self.reason(large.bytes, page: 1).contains(
          "has 16777216 × 16777216 pixels; the limit is 1073741824"))
    }

    /// Bytes that are cut off or changed at random are read or refused.
    @Test func noBytesCrash() throws {
      var random = SeededGenerator(seed: 5)
      var limits = FileLimits(pixels: 1 << 20)
      limits.memoryLimit = 16 << 20
      var frames = [try gray(12, 9), try noise(8, 7, isLossless: false)]
      frames.append(try .filled([0, 90, 255, 120], x: 4, y: 2, width: 7, height: 7, disposal: 1))
      frames.append(try noise(9, 9, isLossless: true))
      let intact = TestWebP(width: 12, height: 9, frames).bytes
      for count in intact.indices {
        let page = 1 + count % 5
        _ = try? ImageFile.read(bytes: Array(intact.prefix(count)), page: page, limits: limits)
        var mutant = intact
        mutant[count] = .random(in: 0...255, using: &random)
        _ = try? ImageFile.read(bytes: mutant, page: page, limits: limits)
      }
    }
  }
#endif
