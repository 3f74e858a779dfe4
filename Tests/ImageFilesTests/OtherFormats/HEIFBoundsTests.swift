#if HEIF
  import ColorSpaces
  import ImageBuffer
  import ImageFiles
  import Testing

  /// The sizes that the container of a file states limit the memory and the time of its decoders.
  @Suite struct HEIFBoundsTests {
    private static let formats: [ImageFileFormat] = [.heif, .avif]

    private func photo(_ size: PixelSize) -> Bitmap<UInt8> {
      Bitmap(size, in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x & 255), UInt8(y & 255), UInt8((x ^ y) & 255)]
      }
    }

    private func refusal(_ file: TestHEIF, limits: FileLimits = FileLimits()) -> String {
      refusal(file.bytes, limits: limits)
    }

    private func refusal(_ bytes: [UInt8], limits: FileLimits = FileLimits()) -> String {
      do {
        _ = try ImageFile.read(bytes: bytes, assuming: .sRGB, limits: limits)
        return "no error"
      } catch {
        return "\(error)"
      }
    }

    @Test(arguments: formats)
    func codedPicturesOfTheStatedSizeAreRead(format: ImageFileFormat) throws {
      let photo = photo(PixelSize(64, 64))
      let tile = try TestHEIF.coded(photo, as: format)
      let read = try ImageFile.read(bytes: TestHEIF(items: [tile]).bytes)
      #expect(read.size == photo.size)
      // Four times the same one in a grid.
      let size = PixelSize(128, 128)
      let grid = TestHEIF.Item(
        type: "grid", size: size, data: TestHEIF.grid(rows: 2, columns: 2, size),
        parts: [2, 2, 2, 2])
      let four = try ImageFile.read(bytes: TestHEIF(items: [grid, tile]).bytes, assuming: .sRGB)
      #expect(four.size == size)
    }

    @Test(arguments: formats)
    func largerBitstreamsAreRefusedWithBothSizes(format: ImageFileFormat) throws {
      var item = try TestHEIF.coded(photo(PixelSize(256, 192)), as: format)
      item.size = PixelSize(40, 23)
      let said = refusal(TestHEIF(items: [item]))
      #expect(said.contains("codes 256 × 192 pixels"), "\(said)")
      #expect(said.contains("states 40 × 23"), "\(said)")
      // Also as a part, where libheif passes on no options.
      let size = PixelSize(80, 23)
      let grid = TestHEIF.Item(
        type: "grid", size: size, data: TestHEIF.grid(rows: 1, columns: 2, size), parts: [2, 2])
      let part = refusal(TestHEIF(items: [grid, item]))
      #expect(part.contains("codes 256 × 192 pixels"), "\(part)")
    }

    @Test(arguments: formats)
    func partsThatDoNotFitAreRefused(format: ImageFileFormat) throws {
      let tile = try TestHEIF.coded(photo(PixelSize(64, 64)), as: format)
      func file(_ made: PixelSize, stated: PixelSize, parts: Int = 4) -> TestHEIF {
        let grid = TestHEIF.Item(
          type: "grid", size: stated, data: TestHEIF.grid(rows: 2, columns: parts / 2, made),
          parts: [Int](repeating: 2, count: parts))
        return TestHEIF(items: [grid, tile])
      }
      let said = refusal(file(PixelSize(30_000, 20_000), stated: PixelSize(128, 128)))
      #expect(said.contains("make 30000 × 20000 pixels"), "\(said)")
      #expect(said.contains("states 128 × 128"), "\(said)")
      // 512 parts for a picture of 128 × 128 pixels.
      let many = refusal(file(PixelSize(128, 128), stated: PixelSize(128, 128), parts: 512))
      #expect(many.contains("made of 81 pictures or more"), "\(many)")
      #expect(many.contains("and has 16384"), "\(many)")
      var cut = file(PixelSize(128, 128), stated: PixelSize(128, 128))
      cut.items[0].data = [0, 0, 1]
      #expect(refusal(cut).contains("ends too early"))
    }

    /// A larger limit of pixels would not help, so the error does not name it. Some versions of libheif refuse the file themselves.
    @Test func longSidesAreRefusedWithTheirOwnLimit() {
      let long = TestHEIF.Item(type: "iden", size: PixelSize(70_000, 100), parts: [2])
      let said = refusal(TestHEIF(items: [long]))
      let isOurs = said.contains("picture 1 has 70000 × 100 pixels; those of up to 65536 a side")
      let isOfTheLibrary = said.contains("Image size 70000x100 exceeds the maximum image size")
      #expect(isOurs || isOfTheLibrary, "\(said)")
      #expect(!said.contains("the limit is"), "\(said)")
    }

    @Test func picturesMadeOfThemselvesAreRefused() throws {
      let size = PixelSize(64, 64)
      let itself = TestHEIF.Item(type: "iden", size: size, parts: [1])
      #expect(refusal(TestHEIF(items: [itself])).contains("picture 1 is made of itself"))
      let ring = [
        TestHEIF.Item(type: "iden", size: size, parts: [2]),
        TestHEIF.Item(type: "iden", size: size, parts: [1]),
      ]
      #expect(refusal(TestHEIF(items: ring)).contains("made of itself"))
      // Two pictures that are each other's alpha.
      var (a, b) = (
        try TestHEIF.coded(photo(size), as: .heif), try TestHEIF.coded(photo(size), as: .heif)
      )
      (a.auxiliaryOf, b.auxiliaryOf) = (2, 1)
      #expect(refusal(TestHEIF(items: [a, b])) != "no error")
    }

    @Test func ambiguousContainersAreRefused() throws {
      var file = TestHEIF(items: [try TestHEIF.coded(photo(PixelSize(64, 64)), as: .heif)])
      file.others = TestHEIF.box("iref", [0, 0, 0, 0]) + TestHEIF.box("iref", [0, 0, 0, 0])
      #expect(refusal(file).contains("2 boxes “iref”"))
      // A reference whose size hides the one after it, which libheif would follow.
      let (hidden, to) = (
        TestHEIF.box("auxl", [0, 1, 0, 1, 0, 1]), TestHEIF.box("dimg", [0, 1, 0, 0])
      )
      file.others = TestHEIF.box("iref", [0, 0, 0, 0] + to + hidden)
      file.others[file.others.count - hidden.count] = 0xF3
      #expect(
        refusal(file).contains("a reference states 4076863502 bytes, and its targets take 14"))
      // 32 times the same bytes: libheif would hold all of them.
      file.others = []
      file.items[0].extentCount = 32
      #expect(refusal(file).contains("its item 1 takes"))
      file.items[0].extentCount = 1
      // Metadata that libheif would inflate without a limit; the same stored as it is.
      let text = TestHEIF.Item(type: "mime", size: PixelSize(1, 1), data: Array("<x/>".utf8))
      file.items.append(text)
      #expect(refusal(file) == "no error")
      file.items[1].encoding = "deflate"
      #expect(refusal(file).contains("its metadata is compressed"))
      file.items.removeLast()
      file.items += [TestHEIF.Item](repeating: text, count: 4096)
      #expect(refusal(file).contains("it has more than 4096 items"))
    }

    private func codes(of file: TestHEIF) throws -> [UInt8] {
      try ImageFile.read(bytes: file.bytes, assuming: .sRGB).sampleBytes
    }

    /// Several boxes may state properties, those of an item once. Of several entries libheif reads the first one.
    @Test func itemsStateTheirPropertiesOnce() throws {
      let size = PixelSize(128, 64)
      let tile = try TestHEIF.coded(photo(PixelSize(64, 64)), as: .heif)
      let grid = TestHEIF.Item(
        type: "grid", size: size, data: TestHEIF.grid(rows: 1, columns: 2, size), parts: [2, 2])
      var file = TestHEIF(items: [grid, tile])
      let whole = try codes(of: file)
      file.propertyBoxes = [[1], [2]]
      #expect(try codes(of: file) == whole)
      for boxes in [[[1, 2, 2]], [[1, 2], [2]]] {
        file.propertyBoxes = boxes
        #expect(refusal(file).contains("states the properties of its item 2 twice"), "\(boxes)")
      }
    }

    @Test func itemLocationsAreLimited() throws {
      var file = TestHEIF(items: [try TestHEIF.coded(photo(PixelSize(64, 64)), as: .heif)])
      file.emptyLocationCount = 4095
      #expect(refusal(file) == "no error")
      // libheif would read those beyond, and keep their bytes.
      file.emptyLocationCount = 4096
      #expect(refusal(file).contains("it has more than 4096 item locations"))
      file.emptyLocationCount = 0
      file.items[0].extentCount = 33
      #expect(refusal(file).contains("its item 1 has 33 extents, more than 32"))
      file.items[0].extentCount = 1
      // After a version, flags and the sizes of fields, 4 bytes each, a box counts its item locations.
      let start = try #require(file.bytes.firstRange(of: Array("iloc".utf8))?.upperBound)
      let changes: [([(offset: Int, value: UInt8)], said: String)] = [
        ([(7, 2)], "its box “iloc” ends too early"),
        ([(4, 0x24)], "a field size of 2; libheif reads 0, 4 and 8"),
        ([(0, 1), (5, 4)], "indices in version 1, which libheif 1.15 ignores"),
      ]
      for (change, said) in changes {
        var bytes = file.bytes
        for (offset, value) in change { bytes[start + offset] = value }
        let found = refusal(bytes)
        #expect(found.contains(said), "\(found)")
      }
    }

    @Test func referencesOfAuxiliaryPicturesAreLimited() throws {
      var file = TestHEIF(items: [try TestHEIF.coded(photo(PixelSize(64, 64)), as: .heif)])
      let targets = [[UInt8]](repeating: [0, 9], count: 4097).joined()
      file.others = TestHEIF.box(
        "iref",
        [0, 0, 0, 0] + TestHEIF.box("auxl", [0, 1] + TestHEIF.number(4097, 2) + targets))
      #expect(refusal(file).contains("it has more than 4096 references of auxiliary pictures"))
    }

    /// Their memory is bounded before any of the memory limit's checks.
    @Test func crowdsOfReferencesAndPropertiesAreRefused() throws {
      var file = TestHEIF(items: [try TestHEIF.coded(photo(PixelSize(64, 64)), as: .heif)])
      let reference = TestHEIF.box("cdsc", [0, 9, 0, 1, 0, 1])
      func references(_ count: Int) -> [UInt8] {
        let all = [[UInt8]](repeating: reference, count: count).joined()
        return TestHEIF.box("iref", [0, 0, 0, 0] + all)
      }
      // A reference and a target each.
      file.others = references((1 << 15) + 1)
      #expect(
        refusal(file).contains("it has more than 65536 references and targets of them"))
      file.others = []
      // Beside the item's own entry.
      file.otherPropertyItemCount = 4095
      #expect(!refusal(file).contains("items with properties"))
      file.otherPropertyItemCount = 4096
      #expect(refusal(file).contains("it has more than 4096 items with properties"))
      file.otherPropertyItemCount = 0
      file.emptyPropertyCount = 0x8000
      #expect(refusal(file).contains("it has more than 32767 properties"))
    }

    /// A picture that was followed before may be used, but not deeper than others.
    @Test func picturesAreNestedUpToEightDeep() throws {
      let size = PixelSize(64, 64)
      let wide = PixelSize(128, 64)
      // A grid, seven pictures of which each is the next one, and a coded one.
      func file(_ parts: [Int]) throws -> TestHEIF {
        let grid = TestHEIF.Item(
          type: "grid", size: wide, data: TestHEIF.grid(rows: 1, columns: 2, wide), parts: parts)
        let chain = (3...9).map { TestHEIF.Item(type: "iden", size: size, parts: [$0]) }
        return TestHEIF(items: [grid] + chain + [try TestHEIF.coded(photo(size), as: .heif)])
      }
      #expect(try refusal(file([8, 3])) == "no error")
      #expect(try refusal(file([8, 2])).contains("picture 1 is made of more than 8 pictures"))
      #expect(try refusal(file([2, 8])).contains("picture 1 is made of more than 8 pictures"))
    }

    /// A gray plane has the bits of the bitstream. Narrow ones are in memory wide enough for 16 bits.
    @Test(arguments: formats)
    func grayBitstreamsOfOtherDepthsAreRefused(format: ImageFileFormat) throws {
      let gray = Bitmap<UInt8>(PixelSize(32, 32), in: .sRGB, channels: .gray) { x, y in
        [UInt8(x * 8 ^ y)]
      }
      var bytes = try ImageFile.encode(.uint8(gray), as: format)
      #expect(refusal(bytes) == "no error")
      // The depths of luma and chroma in the decoder's configuration.
      let (box, depths, bits): (String, [Int], UInt8) =
        format == .heif ? ("hvcC", [17, 18], 2) : ("av1C", [2], 0x40)
      let start = try #require(bytes.firstRange(of: Array(box.utf8))?.upperBound)
      for offset in depths { bytes[start + offset] |= bits }
      #expect(try ImageFile.info(bytes: bytes).samples == .uint16)
      #expect(refusal(bytes).contains("its header does not fit"))
    }

    @Test(arguments: formats)
    func limitsHoldForPartsToo(format: ImageFileFormat) throws {
      var limits = FileLimits()
      limits.pixels = 4000
      let tile = try TestHEIF.coded(photo(PixelSize(64, 64)), as: format)
      let grid = TestHEIF.Item(
        type: "grid", size: PixelSize(32, 32),
        data: TestHEIF.grid(rows: 1, columns: 1, PixelSize(32, 32)), parts: [2])
      let said = refusal(TestHEIF(items: [grid, tile]), limits: limits)
      #expect(said.contains("64 × 64 pixels; the limit is 4000"), "\(said)")
    }

    /// Each byte of a coded picture damaged: the decoder ends, without threads that wait for each other.
    @Test(arguments: formats)
    func damagedPicturesEnd(format: ImageFileFormat) throws {
      var item = try TestHEIF.coded(photo(PixelSize(48, 48)), as: format)
      let intact = item.data
      #expect(intact.count > 100)
      var refused = 0
      for index in stride(from: 0, to: intact.count, by: 1 + intact.count / 400) {
        for change: UInt8 in [0x01, 0x80, 0xFF] {
          item.data = intact
          item.data[index] ^= change
          if refusal(TestHEIF(items: [item])) != "no error" { refused += 1 }
        }
      }
      #expect(refused > 0)
      // Cut off anywhere, it is refused or an incomplete picture, but read to an end.
      for count in stride(from: 0, to: intact.count, by: 1 + intact.count / 100) {
        item.data = Array(intact.prefix(count))
        _ = refusal(TestHEIF(items: [item]))
      }
    }
  }
#endif
