import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Fields of EXIF's main directory on their way to TIFF files, and metadata that is too large for JPEG files.
@Suite struct DescriptiveFieldTests {
  private static let bitmap = AnyBitmap(
    Bitmap<UInt8>(PixelSize(8, 6), in: .displayP3, channels: .rgb))

  private func contains(_ bytes: [UInt8]?, _ part: [UInt8]) -> Bool {
    bytes?.firstRange(of: part) != nil
  }

  @Test(arguments: [true, false])
  func fieldsOfThePictureReachTIFFFiles(isBigEndian: Bool) throws {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      value.bytes(count, isBigEndian: isBigEndian)
    }
    func text(_ tag: Int, _ text: String) -> TestEXIF.Entry {
      let bytes = Array(text.utf8) + [0]
      return (tag, 2, bytes.count, bytes)
    }
    let software = text(0x000B, "a raw converter"), serial = text(0xC62F, "serial 1234")
    // That of the photographer and that of the editor.
    let copyright = text(0x8298, "photographer\0editor")
    let lens: TestEXIF.Entry = (
      0xC630, 5, 4, [24, 1, 70, 1, 4, 1, 8, 1].flatMap { number($0, 4) }
    )
    // DNGVersion would make the file a raw one, and StripOffsets state another place.
    let version: TestEXIF.Entry = (0xC612, 1, 4, [1, 4, 0, 0])
    let places: TestEXIF.Entry = (0x0111, 4, 2, number(1_234_567, 4) + number(7_654_321, 4))
    var exif = TestEXIF(isBigEndian: isBigEndian)
    exif.fields = [software, serial, copyright, lens, version, places]
    var options = WritingOptions()
    options.metadata.exif = exif.bytes
    for _ in 0..<2 {
      let file = try ImageFile.encode(Self.bitmap, as: .tiff, options: options)
      options.metadata = try ImageFile.info(bytes: file).metadata
      let read = options.metadata.exif
      for field in [software, serial, copyright, lens] {
        let head = number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
        #expect(contains(read, head) && contains(read, field.value), "\(field.tag)")
      }
      #expect(!contains(read, number(version.tag, 2) + number(version.type, 2) + number(4, 4)))
      #expect(!contains(read, places.value))
    }
  }

  private func note(_ metadata: ImageMetadata, _ path: String) throws -> [ImageFileNote] {
    var writing = WritingOptions()
    (writing.metadata, writing.orientation) = (metadata, .quarterTurned)
    return try Picture(Bitmap<UInt8>(PixelSize(8, 6), in: .displayP3, channels: .rgb))
      .write(to: path, writing: writing).notes
  }

  /// A segment of a JPEG file has up to 65,533 bytes.
  @Test func metadataThatIsTooLargeForJPEGIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("x.jpg")
    let long = String(repeating: "long ", count: 14_000)
    var metadata = ImageMetadata()
    metadata.xmp = Array(
      ("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
        + "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"><rdf:Description "
        + "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" dc:title=\"\(long)\"/></rdf:RDF></x:xmpmeta>")
        .utf8)
    metadata.text = [
      .init(keyword: "Comment", value: long), .init(keyword: "Comment", value: "short"),
    ]
    var exif = TestEXIF(orientation: 1)
    exif.makerNote = Array(long.utf8)
    metadata.exif = exif.bytes
    let limits = try note(metadata, path).map { note -> String in
      guard case .tooLarge(let kind, let count, let limit, .jpeg) = note, count > 70_000 - 1 else {
        return "\(note)"
      }
      return "\(kind) \(limit)"
    }
    #expect(limits == ["EXIF 65527", "XMP 65504", "comment 65533"])
    let info = try ImageFile.info(path)
    #expect(info.metadata.xmp == nil && info.metadata.text.map(\.value) == ["short"])
    // EXIF's orientation has no other place.
    #expect(info.orientation == .quarterTurned)
  }
}
