#if HEIF
  import ColorSpaces
  import ImageBuffer
  import ImageFiles
  import Testing

  @Suite struct HEIFMetadataTests {
    /// Texts of any type are items of one kind.
    @Test func xmpIsFoundByItsContentType() throws {
      let photo = Bitmap<UInt8>(PixelSize(64, 64), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(x), UInt8(y), 7]
      }
      func text(_ content: String, _ contentType: String) -> TestHEIF.Item {
        var item = TestHEIF.Item(type: "mime", size: PixelSize(1, 1), data: Array(content.utf8))
        (item.contentType, item.describes) = (contentType, 1)
        return item
      }
      let other = text("{}", "application/json")
      let xmp = text("<x/>", "application/rdf+xml")
      let picture = try TestHEIF.coded(photo, as: .heif)
      let cases: [(items: [TestHEIF.Item], xmp: [UInt8]?)] = [
        ([picture, other, xmp], xmp.data), ([picture, xmp, other], xmp.data),
        ([picture, other], nil), ([picture], nil),
      ]
      for (items, expected) in cases {
        let info = try ImageFile.info(bytes: TestHEIF(items: items).bytes)
        #expect(info.metadata.xmp == expected)
      }
    }
  }
#endif
