import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// XMP that is copied loses wrong statements, and keeps every other byte.
@Suite struct XMPEditingTests {
  private static func packet(_ attributes: String, _ elements: String) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- kept > < -->
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
        xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif='http://ns.adobe.com/exif/1.0/'
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"
        xmlns:Container="http://ns.google.com/photos/1.0/container/"
        xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:other="http://example.com/other/"\(attributes)>
       <dc:title><rdf:Alt><rdf:li xml:lang="x-default">a &lt;title&gt;</rdf:li></rdf:Alt></dc:title>\(elements)
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """
  }

  private static func written(
    _ packet: [UInt8], as format: ImageFileFormat = .png, in space: ColorSpace = .displayP3,
    orientation: Orientation = .upright
  ) throws -> String? {
    var options = WritingOptions()
    options.metadata.xmp = packet
    options.orientation = orientation
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(13, 20), in: space, channels: .rgb))
    let file = try ImageFile.encode(bitmap, as: format, options: options)
    return try ImageFile.info(bytes: file).metadata.xmp.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func statementsAreCorrectedAsAttributesAndAsElements(format: ImageFileFormat) throws {
    let before = Self.packet(
      #" tiff:Orientation="6" exif:ColorSpace='2' other:Orientation="6""#,
      "<exif:PixelXDimension>60</exif:PixelXDimension><exif:PixelYDimension> 40 </exif:PixelYDimension>"
    )
    func after(_ orientation: Int, _ space: Int) -> String {
      Self.packet(
        #" tiff:Orientation="\#(orientation)" exif:ColorSpace='\#(space)' other:Orientation="6""#,
        "<exif:PixelXDimension>13</exif:PixelXDimension><exif:PixelYDimension>20</exif:PixelYDimension>"
      )
    }
    let bytes = Array(before.utf8)
    #expect(try Self.written(bytes, as: format) == after(1, 65_535))
    #expect(try Self.written(bytes, as: format, in: .sRGB) == after(1, 1))
    #expect(
      try Self.written(bytes, as: format, orientation: .quarterTurned)
        == after(Orientation.quarterTurned.rawValue, 65_535))
  }

  @Test func wrongClaimsAreRemoved() throws {
    let directory = """
      <Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap"/></rdf:li></rdf:Seq></Container:Directory>
      """
    let before = Self.packet(
      #" photoshop:ICCProfile="Adobe RGB (1998)" photoshop:City="Here" xmpNote:HasExtendedXMP="0123" "#
        + #"hdrgm:Version="1.0" GCamera:MotionPhoto="1" other:Version="1.0""#,
      "\n" + directory + "<xmp:Thumbnails><rdf:Alt><rdf:li>aGk=</rdf:li></rdf:Alt></xmp:Thumbnails>"
        + "<hdrgm:GainMapMax>3</hdrgm:GainMapMax><dc:creator>who</dc:creator>")
    let after = Self.packet(
      #" photoshop:City="Here" other:Version="1.0""#, "<dc:creator>who</dc:creator>")
    #expect(try Self.written(Array(before.utf8)) == after)
  }

  /// The packet may come from a CMYK file with another depth.
  @Test func propertiesOfStoredPixelsAreRemoved() throws {
    let before = Self.packet(
      #" photoshop:ColorMode="4" tiff:PhotometricInterpretation="5" tiff:Make="Maker""#,
      "<tiff:SamplesPerPixel>4</tiff:SamplesPerPixel><tiff:Compression>5</tiff:Compression>"
        + "<tiff:BitsPerSample><rdf:Seq><rdf:li>16</rdf:li></rdf:Seq></tiff:BitsPerSample>")
    #expect(try Self.written(Array(before.utf8)) == Self.packet(#" tiff:Make="Maker""#, ""))
  }

  @Test func structuresOfOtherPropertiesAreKept() throws {
    // A history with another file's orientation, other prefixes, and names without a namespace.
    let packet = Self.packet(
      "",
      "<other:history rdf:parseType='Resource'><tiff:Orientation>6</tiff:Orientation></other:history>"
    )
    #expect(try Self.written(Array(packet.utf8)) == packet)
    let renamed = #"""
      <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="6" Orientation="6"/></r:RDF>
      """#
    #expect(
      try Self.written(Array(renamed.utf8))
        == renamed.replacing(#"t:Orientation="6""#, with: #"t:Orientation="1""#))
  }

  @Test func damagedPacketsAreLeftOutWithANote() throws {
    let folder = try TemporaryFolder()
    let intact = Self.packet(#" tiff:Orientation="6""#, "<exif:ColorSpace>2</exif:ColorSpace>")
    for damaged in ["<x:xmpmeta", "<a></b>", "<a b=c/>", String(intact.prefix(700))] {
      var options = WritingOptions()
      options.metadata.xmp = Array(damaged.utf8)
      let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB, channels: .rgb))
      let report = try ImageFile.write(bitmap, to: folder.path("x.png"), options: options)
      #expect(report.notes == [.damagedMetadata(.xmp)])
      #expect(try ImageFile.info(folder.path("x.png")).metadata.xmp == nil)
    }
  }

  /// No mutation crashes or hangs, and none that is copied states the old orientation to an XML parser.
  @Test func mutatedPacketsAreHarmless() throws {
    let intact = Array(
      Self.packet(#" tiff:Orientation="6""#, "<exif:ColorSpace>2</exif:ColorSpace>").utf8)
    for index in intact.indices {
      let letters = Array("<>/\"'= :\0".utf8)
      for step in [0, 4] {
        var mutant = intact
        mutant[index] = letters[(index + step) % letters.count]
        _ = try Self.written(mutant)
      }
      if index % 7 == 0 { _ = try Self.written(Array(intact.prefix(index))) }
    }
    // Nesting is limited.
    let deep = Array(String(repeating: "<a>", count: 100_000).utf8)
    #expect(try Self.written(deep) == nil)
  }

  @Test func unreadPartsAreNamed() throws {
    var png = TestPNG { _, _ in [0, 0, 0] }
    let packet = Self.packet(
      #" hdrgm:Version="1.0" xmpNote:HasExtendedXMP="0" GCamera:MotionPhoto="1""#, "")
    png.chunks.append(("iTXt", Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + packet.utf8))
    let notes = try ImageFile.info(bytes: png.bytes).notes
    #expect(
      Set(notes) == [
        .unread("a gain map"), .unread("extended XMP"), .unread("the video of a motion photo"),
      ])
  }

  /// A packet of which no property would be left is no metadata; others are kept.
  @Test(arguments: [
    (#" hdrgm:Version="1.0""#, nil), (#" hdrgm:Version="1.0" xmp:Rating="5""#, #" xmp:Rating="5""#),
    ("", ""),
  ])
  func packetsOfOnlyWrongClaimsAreLeftOut(attributes: String, left: String?) throws {
    func packet(_ attributes: String) -> String {
      #"<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" "#
        + #"xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/""#
        + "\(attributes)/></rdf:RDF>"
    }
    let before = Array(packet(attributes).utf8)
    #expect(try Self.written(before) == left.map(packet))
    // A format without XMP omits none then.
    var metadata = WritingOptions()
    metadata.metadata.xmp = before
    metadata.isUntagged = true
    let folder = try TemporaryFolder()
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB, channels: .rgb))
    let report = try ImageFile.write(bitmap, to: folder.path("x.ppm"), options: metadata)
    #expect(report.notes.isEmpty == (left == nil), "\(report.notes)")
  }
}
