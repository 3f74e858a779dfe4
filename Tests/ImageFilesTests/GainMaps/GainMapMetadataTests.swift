import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Metadata that shares a segment of a JPEG file with the announcement of a gain map.
@Suite struct GainMapMetadataTests {
  private static let hdr = Picture(
    Bitmap<Float>(PixelSize(16, 16), in: .linearSRGB, channels: .rgb) { x, _ in
      [Float(x) / 2, Float(x) / 2, Float(x) / 2]
    })
  private static let base = hdr.exposure(-3).converted(to: .sRGB)

  /// A packet of so many bytes.
  private func packet(_ count: Int) -> [UInt8] {
    let start =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source=""#
    let end = #""/></rdf:RDF></x:xmpmeta>"#
    let rest = count - start.utf8.count - end.utf8.count
    return Array((start + String(repeating: "x", count: rest) + end).utf8)
  }

  private func write(
    _ xmp: [UInt8], to path: String, in space: ColorSpace? = nil
  ) throws -> [ImageFileNote] {
    var writing = WritingOptions()
    writing.gainMap = try PictureGainMap(from: Self.base, to: Self.hdr)
    writing.gainMap?.space = space
    writing.metadata.xmp = xmp
    return try Self.base.write(to: path, writing: writing).notes
  }

  /// A segment has 65,504 bytes beside the name of XMP. Adobe's programs end packets just below.
  @Test func fullPacketsAreLeftOutForTheAnnouncement() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.jpg")
    let notes = try write(packet(65_504), to: path)
    guard case .tooLarge(.xmp, 65_504, let limit, .jpeg)? = notes.first, notes.count == 1 else {
      throw Failure("\(notes)")
    }
    #expect("\(notes[0])".contains("\(limit) beside the announcement of a gain map"))
    let info = try ImageFile.info(path)
    #expect(info.gainMap?.standards == [.iso21496, .ultraHDR] && info.notes.isEmpty)
    #expect(info.metadata.xmp?.contains(UInt8(ascii: "x")) == true)

    #expect(try write(packet(limit), to: path).isEmpty)
    let kept = try ImageFile.info(path)
    #expect(kept.gainMap?.standards == [.iso21496, .ultraHDR] && kept.notes.isEmpty)
    let text = String(decoding: kept.metadata.xmp ?? [], as: UTF8.self)
    #expect(text.contains("xxxx") && text.contains("Item:Semantic=\"GainMap\""))
    #expect(
      try write(packet(limit + 1), to: path)
        == [.tooLarge(.xmp, byteCount: limit + 1, limit: limit, format: .jpeg)])
  }

  /// XMP does not announce a map that is applied in another space than the base picture's.
  @Test func mapsOfAnotherSpaceLeaveTheWholeSegment() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a.jpg")
    #expect(try write(packet(65_504), to: path, in: .proPhoto).isEmpty)
    let info = try ImageFile.info(path)
    #expect(info.gainMap?.standards == [.iso21496] && info.metadata.xmp?.count == 65_504)
  }
}
