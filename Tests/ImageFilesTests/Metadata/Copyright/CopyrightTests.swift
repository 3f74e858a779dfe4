import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Removing all metadata but the copyright keeps its texts exactly, and leaves no byte of anything else in the file.
@Suite struct CopyrightTests {
  private static let formats = ImageFileFormat.all.filter { !$0.metadataKinds.isEmpty }

  private static let notice = "© 2026 Zoë & Søn, “all rights reserved”"
  private static let names = ["Zoë Å", "山田太郎"]

  /// What no file may hold any more. Each is longer than 4 bytes, so that EXIF has it outside of the directory.
  private static let secrets = [
    "serial 1234", "a note of the maker", "a thumbnail", "at the lake", "Some maker",
    "Photoshop 99", "history of edits", "a caption", "printer flags", "a title", "document 4711",
  ]

  private static func text(_ tag: Int, _ text: String, type: Int = 2) -> TestEXIF.Entry {
    let bytes = Array(text.utf8) + [0]
    return (tag, type, bytes.count, bytes)
  }

  /// EXIF data of a camera with everything that it writes, and a GPS directory behind it.
  private static func exif(isBigEndian: Bool) -> [UInt8] {
    func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
      value.bytes(byteCount, isBigEndian: isBigEndian)
    }
    var exif = TestEXIF(isBigEndian: isBigEndian, orientation: 1, colorSpace: 1)
    (exif.maker, exif.resolution) = ("Some maker", 300_000)
    exif.makerNote = Array("a note of the maker".utf8)
    exif.thumbnail = [0xFF, 0xD8, 0xFF, 0xE0, 0, 13] + Array("a thumbnail".utf8) + [0xFF, 0xD9]
    let descriptive = [
      text(0x8298, notice), text(0x013B, names.joined(separator: "; ")), text(0x010E, "a caption"),
      text(0xC62F, "serial 1234"),
    ]
    exif.fields = descriptive + [(0x8825, 4, 1, number(0, 4))]
    let start = exif.bytes.count
    exif.fields = descriptive + [(0x8825, 4, 1, number(start, 4))]
    let area = Array("ASCII\0\0\0at the lake".utf8)
    return exif.bytes + number(1, 2) + number(28, 2) + number(7, 2) + number(area.count, 4)
      + number(start + 18, 4) + number(0, 4) + area
  }

  private static func packet(_ attributes: String, _ elements: String) -> [UInt8] {
    Array(
      """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Photoshop 99"><!-- history of edits -->
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="document 4711" xmlns:d="http://purl.org/dc/elements/1.1/"
          xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:p="http://ns.useplus.org/ldf/xmp/1.0/"
          xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
          xmlns:stEvt="http://ns.adobe.com/xap/1.0/sType/ResourceEvent#" xmlns:cc="http://creativecommons.org/ns#"
          xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:own="http://example.com/&amp;'own'/"\(attributes)>
         \(elements)
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>\(String(repeating: " ", count: 200))
      <?xpacket end="w"?>
      """.utf8)
  }

  private static let xmp = packet(
    #" xmpRights:Marked="True" photoshop:Credit='Agency "Ö" &amp; Co' photoshop:City="at the lake""#
      + #" xmpMM:DocumentID="document 4711" exif:GPSLatitude="47,22.5N""#,
    """
    <d:rights><!-- a caption --><rdf:Alt>
      <rdf:li xml:lang="de">© 2026 Zoë, alle Rechte</rdf:li>
      <rdf:li xml:lang='x-default'>© 2026 Zoë <![CDATA[& S]]>&#xF8;n<!-- a caption -->, “all rights reserved”</rdf:li>
    </rdf:Alt></d:rights>
    <d:creator><rdf:Seq><rdf:li>Zoë Å</rdf:li><rdf:li>山田太郎</rdf:li></rdf:Seq></d:creator>
    <d:title><rdf:Alt><rdf:li xml:lang="x-default">a title</rdf:li></rdf:Alt></d:title>
    <xmpMM:History><rdf:Seq><rdf:li stEvt:action="history of edits"/></rdf:Seq></xmpMM:History>
    <cc:license rdf:resource="https://example.com/licence?a=1&amp;b=2"/>
    <p:Licensor><rdf:Seq><rdf:li rdf:parseType="Resource" own:note="of&#10;ours">
      <p:LicensorName>Zoë</p:LicensorName><p:LicensorURL>https://example.com</p:LicensorURL>
    </rdf:li></rdf:Seq></p:Licensor>
    """)

  /// The packet that is left of it.
  private static let keptXMP =
    "<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
    + #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
    + #"<rdf:Description rdf:about="" xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/""#
    + #" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/""#
    + #" xmlns:cc="http://creativecommons.org/ns#" xmlns:plus="http://ns.useplus.org/ldf/xmp/1.0/""#
    + #" xmlns:ns6="http://example.com/&amp;'own'/">"#
    + #"<xmpRights:Marked>True</xmpRights:Marked><photoshop:Credit>Agency "Ö" &amp; Co</photoshop:Credit>"#
    + #"<dc:rights><rdf:Alt><rdf:li xml:lang="de">© 2026 Zoë, alle Rechte</rdf:li>"#
    + #"<rdf:li xml:lang="x-default">© 2026 Zoë &amp; Søn, “all rights reserved”</rdf:li></rdf:Alt></dc:rights>"#
    + #"<dc:creator><rdf:Seq><rdf:li>Zoë Å</rdf:li><rdf:li>山田太郎</rdf:li></rdf:Seq></dc:creator>"#
    + #"<cc:license rdf:resource="https://example.com/licence?a=1&amp;b=2"></cc:license>"#
    + #"<plus:Licensor><rdf:Seq><rdf:li rdf:parseType="Resource" ns6:note="of&#xA;ours">"#
    + #"<plus:LicensorName>Zoë</plus:LicensorName><plus:LicensorURL>https://example.com</plus:LicensorURL>"#
    + #"</rdf:li></rdf:Seq></plus:Licensor></rdf:Description></rdf:RDF></x:xmpmeta>"#
    + #"<?xpacket end="w"?>"#

  private static func dataset(_ record: UInt8, _ number: UInt8, _ text: String) -> [UInt8] {
    [0x1C, record, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private static let keptIPTC =
    dataset(1, 90, "\u{1B}%G") + names.flatMap { dataset(2, 80, $0) } + dataset(2, 116, notice)

  private static let keptResources =
    photoshopResource(1034, [1]) + photoshopResource(1035, Array("https://a.b".utf8))

  private static let keptTexts: [ImageMetadata.Text] = [
    .init(keyword: "Copyright", value: notice),
    .init(keyword: "Author", value: "Zoë Å", language: "de", translatedKeyword: "Autorin"),
  ]

  /// Metadata with all kinds.
  private static func everything(isBigEndian: Bool = true) -> ImageMetadata {
    var metadata = ImageMetadata()
    (metadata.exif, metadata.xmp) = (exif(isBigEndian: isBigEndian), xmp)
    metadata.iptc = dataset(2, 5, "a title") + keptIPTC + dataset(2, 90, "at the lake")
    metadata.photoshop =
      photoshopResource(1011, Array("printer flags".utf8)) + keptResources
    metadata.text =
      [.init(keyword: "Comment", value: "a caption")] + keptTexts
      + [.init(keyword: "Software", value: "Photoshop 99")]
    metadata.resolution = .init(horizontal: 300, vertical: 300, unit: .inch)
    metadata.contentLight = .init(maximum: 1000, frameAverage: 180)
    return metadata
  }

  private func contains(_ bytes: [UInt8]?, _ part: String) -> Bool {
    bytes?.firstRange(of: Array(part.utf8)) != nil
  }

  private func written(
    _ metadata: ImageMetadata, as format: ImageFileFormat, orientation: Orientation = .upright
  ) throws -> [UInt8] {
    var options = WritingOptions()
    (options.metadata, options.orientation) = (metadata, orientation)
    let space: ColorSpace = format == .openEXR ? .linearDisplayP3 : .displayP3
    let bitmap = Bitmap<Float>(PixelSize(3, 2), in: space, channels: .rgb)
    let eight = Bitmap<UInt8>(PixelSize(3, 2), in: space, channels: .rgb)
    return try ImageFile.encode(
      format == .openEXR ? .float32(bitmap) : .uint8(eight), as: format, options: options)
  }

  private func withoutOthers(_ metadata: ImageMetadata) -> ImageMetadata {
    var metadata = metadata
    metadata.removeAllButCopyright()
    return metadata
  }

  @Test(arguments: formats, [true, false])
  func onlyTheCopyrightStaysInFiles(format: ImageFileFormat, isBigEndian: Bool) throws {
    let everything = Self.everything(isBigEndian: isBigEndian)
    let original = try ImageFile.info(bytes: written(everything, as: format)).metadata
    let file = try written(withoutOthers(original), as: format)
    let read = try ImageFile.info(bytes: file).metadata
    let kinds = format.metadataKinds
    let blocks = [read, withoutOthers(everything)].flatMap { metadata in
      [metadata.exif, metadata.xmp, metadata.iptc, metadata.photoshop]
    }
    for secret in Self.secrets {
      #expect(!([file] + blocks).contains { contains($0, secret) }, "\(secret)")
    }
    if !kinds.isDisjoint(with: [.exif, .xmp, .iptc, .text]) {
      #expect(read.copyright == Self.notice)
      #expect(read.creators.first == Self.names[0])
    }
    if kinds.contains(.exif) {
      #expect(contains(read.exif, Self.notice) && contains(read.exif, "Zoë Å; 山田太郎\0"))
    }
    if kinds.contains(.xmp) {
      #expect(read.xmp.map { String(decoding: $0, as: UTF8.self) } == Self.keptXMP)
    }
    if kinds.contains(.iptc) { #expect(read.iptc == Self.keptIPTC) }
    if kinds.contains(.photoshop) { #expect(read.photoshop == Self.keptResources) }
    if kinds.contains(.text) {
      #expect(Set(read.text.map(\.value)) == Set(Self.keptTexts.map(\.value)))
    }
    #expect(read.resolution == nil && read.contentLight == nil && !read.statesLocation)
    // The kept fields are all that a second call finds.
    #expect(withoutOthers(read) == read)
  }

  /// EXIF data may be the only place for the orientation, and the profile is none of the metadata.
  @Test(arguments: formats.filter { $0.metadataKinds.contains(.orientation) })
  func orientationAndColorStay(format: ImageFileFormat) throws {
    let metadata = withoutOthers(Self.everything())
    let info = try ImageFile.info(
      bytes: written(metadata, as: format, orientation: .quarterTurned))
    #expect(info.size == PixelSize(2, 3))
    if case .space(let space, by: _) = info.color {
      #expect(space.isInterchangeable(with: .displayP3))
    } else {
      Issue.record("The file states no color space.")
    }
    #expect(info.metadata.copyright == Self.notice)
  }

  @Test func theFramingStays() {
    var metadata = Self.everything()
    metadata.framing = .init(PixelSize(9, 9))
    #expect(withoutOthers(metadata).framing == metadata.framing)
    #expect(withoutOthers(ImageMetadata()) == ImageMetadata())
  }

  /// EXIF counts first, then XMP, IPTC and texts.
  @Test func valuesAreReadFromEachKind() {
    var metadata = ImageMetadata()
    #expect(metadata.copyright == nil && metadata.creators.isEmpty)
    metadata.text = [
      .init(keyword: "copyright", value: " T "), .init(keyword: "author", value: "t"),
    ]
    #expect(metadata.copyright == "T" && metadata.creators == ["t"])
    metadata.text = [.init(keyword: "owner", value: "O"), .init(keyword: "Artist", value: "a")]
    #expect(metadata.copyright == "O" && metadata.creators == ["a"])
    metadata.iptc = [0x1C, 2, 116, 0, 2, 0xA9, 0x49, 0x1C, 2, 80, 0, 1, 0x69]
    #expect(metadata.copyright == "©I" && metadata.creators == ["i"])
    metadata.xmp = Self.packet(
      #" d:rights="X &lt;&#x41;&gt; &nbsp;""#, "<d:creator>x</d:creator>")
    #expect(metadata.copyright == "X <A> &nbsp;" && metadata.creators == ["x"])
    var exif = TestEXIF()
    exif.fields = [Self.text(0x8298, "E"), Self.text(0x013B, "e; f ;; g")]
    metadata.exif = exif.bytes
    #expect(metadata.copyright == "E" && metadata.creators == ["e", "f", "g"])
  }

  /// Cameras fill fields with blanks, and the photographer's notice comes before that of the editor.
  @Test func noticesOfEXIFAreSeparated() {
    for (value, expected) in [
      ("photographer\0editor", "photographer, editor"), (" \0editor", "editor"),
      ("photographer\0", "photographer"), ("     ", nil), ("\0\0\0\0", nil), ("", nil),
    ] as [(String, String?)] {
      for type in [2, 129] {
        var exif = TestEXIF(orientation: 1)
        exif.maker = "Some maker"
        exif.fields = [Self.text(0x8298, value, type: type)]
        var metadata = ImageMetadata()
        metadata.exif = exif.bytes
        #expect(metadata.copyright == expected)
        metadata.removeAllButCopyright()
        #expect(metadata.copyright == expected && (metadata.exif == nil) == (expected == nil))
        if expected != nil { #expect(contains(metadata.exif, value + "\0")) }
        #expect(!contains(metadata.exif, "Some maker"))
      }
    }
    var exif = TestEXIF()
    exif.fields = [(0x8298, 2, 5, [0xA9, 0x20, 0x5A, 0xEB, 0])]
    var metadata = ImageMetadata()
    metadata.exif = exif.bytes
    #expect(metadata.copyright == "© Zë")
  }

  /// A text in UTF-8 reaches a TIFF file, whose fields have no such type.
  @Test func textsOfUTF8ReachTIFFFiles() throws {
    var exif = TestEXIF()
    exif.fields = [Self.text(0x8298, Self.notice, type: 129)]
    var metadata = ImageMetadata()
    metadata.exif = exif.bytes
    let read = try ImageFile.info(bytes: written(metadata, as: .tiff)).metadata
    #expect(read.copyright == Self.notice)
  }

  @Test func emptyAndDamagedKindsAreRemoved() {
    for packet in [
      Self.packet("", "<d:title>a title</d:title>"), Self.packet(#" d:rights="""#, "<d:creator/>"),
      Self.packet("", "<d:rights>who"), Self.packet("", "<d:rights><who/></d:rights>"),
      Self.packet("", "<undeclared:rights>who</undeclared:rights>"), [0, 60, 0, 120],
    ] {
      var metadata = ImageMetadata()
      (metadata.xmp, metadata.exif) = (packet, Array("no EXIF data".utf8))
      metadata.iptc = Self.dataset(1, 90, "\u{1B}%G") + Self.dataset(2, 5, "a title")
      metadata.photoshop = photoshopResource(1034, [0])
      metadata.removeAllButCopyright()
      #expect(metadata == ImageMetadata(), "\(String(decoding: packet, as: UTF8.self))")
    }
  }

  /// Of a property that is stated twice, as hostile packets have it, one is kept: the packet stays well-formed.
  @Test func eachPropertyIsKeptOnce() throws {
    var metadata = ImageMetadata()
    metadata.xmp = Self.packet(
      #" d:rights="first""#, "<d:rights>second</d:rights><d:creator>who</d:creator>\r\n")
    metadata.removeAllButCopyright()
    let kept = try #require(metadata.xmp)
    #expect(contains(kept, "first") && !contains(kept, "second") && metadata.copyright == "first")
    let read = try ImageFile.info(bytes: written(metadata, as: .png)).metadata
    #expect(read.xmp == kept)
  }

  /// The namespace of `xml` may be declared, and two prefixes may give one attribute twice.
  @Test func attributesAreKeptOnce() throws {
    var metadata = ImageMetadata()
    metadata.xmp = Self.packet(
      #" xmlns:xml="http://www.w3.org/XML/1998/namespace" xmlns:e="http://purl.org/dc/elements/1.1/""#,
      """
      <d:rights><rdf:Alt><rdf:li xml:lang="de">eins</rdf:li>
      <rdf:li xml:lang="x-default" lang="de" d:a="1" e:a="2">one</rdf:li></rdf:Alt></d:rights>
      """)
    metadata.removeAllButCopyright()
    #expect(metadata.copyright == "one")
    let kept = try #require(metadata.xmp)
    #expect(contains(kept, #"<rdf:li xml:lang="x-default" dc:a="1">one</rdf:li>"#))
    #expect(!contains(kept, "1998"))
  }

  /// A quotation mark with a combining mark is one character, and still ends an attribute.
  @Test func namespacesAreEscapedByScalars() {
    var metadata = ImageMetadata()
    metadata.xmp = Self.packet(
      " xmlns:odd='a\"\u{301}'", #"<d:rights odd:x="1">who</d:rights>"#)
    metadata.removeAllButCopyright()
    #expect(contains(metadata.xmp, "=\"a&quot;\u{301}\""))
    #expect(metadata.copyright == "who")
  }

  /// The properties and texts that the documentation lists, beside those of `everything`.
  @Test func listedPropertiesAndTextsAreKept() {
    let tiff = ["tiff:Copyright", "tiff:Artist"]
    let plus = ["CopyrightOwner", "ImageCreator", "OtherConstraints", "DataMining"]
    var metadata = ImageMetadata()
    metadata.xmp = Self.packet(
      #" xmlns:tiff="http://ns.adobe.com/tiff/1.0/""#,
      (tiff + plus.map { "p:\($0)" }).map { "<\($0)>who</\($0)>" }.joined())
    metadata.iptc = Self.dataset(2, 110, "Agency")
    metadata.text = ["copyright", "Author", "ARTIST", "Creator", "owner"].map {
      .init(keyword: $0, value: "who")
    }
    let kept = withoutOthers(metadata)
    #expect(kept.iptc == metadata.iptc && kept.text == metadata.text)
    for name in tiff + plus.map({ "plus:\($0)" }) {
      #expect(contains(kept.xmp, "<\(name)>who</\(name)>"), "\(name)")
    }
  }

  /// No mutation crashes, and none leaves data that is not kept again.
  @Test func mutatedDataIsReducedOnce() throws {
    let intact = Self.everything()
    let (exif, xmp) = (try #require(intact.exif), try #require(intact.xmp))
    func expectReduction(of mutant: ImageMetadata, _ place: String) {
      let reduced = withoutOthers(mutant)
      #expect(withoutOthers(reduced) == reduced, "\(place)")
    }
    for index in exif.indices {
      for value: UInt8 in [0, 8, 0xFF, UInt8(truncatingIfNeeded: index)] {
        var mutant = intact
        mutant.xmp = nil
        mutant.exif?[index] = value
        mutant.iptc = Array((intact.iptc ?? []).prefix(index)) + [value]
        mutant.photoshop = Array((intact.photoshop ?? []).prefix(index)) + [value]
        expectReduction(of: mutant, "\(index): \(value)")
      }
    }
    for index in xmp.indices {
      var mutant = ImageMetadata()
      mutant.xmp = xmp
      mutant.xmp?[index] = Array("<>&\"/:!\0".utf8)[index % 8]
      expectReduction(of: mutant, "\(index)")
    }
  }
}
