import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Removing the location leaves none of its bytes in the file, and keeps all other metadata.
@Suite struct LocationTests {
  private static let formats: [ImageFileFormat] = [.png, .jpeg, .tiff]

  /// The values of latitude and longitude, and the name of the place: longer than 4 bytes, so that they are outside of the directory.
  private static let latitude: [UInt8] = [
    0, 0, 0, 0x2F, 0, 0, 0, 1, 0, 0, 0, 0x16, 0, 0, 0, 1, 0, 0, 0x12, 0x34, 0, 0, 0, 0x64,
  ]
  private static let area = Array("ASCII\0\0\0at the lake".utf8)

  /// EXIF data of a camera with a GPS directory behind everything else: version, latitude and the name of the area.
  private static func exif(isBigEndian: Bool, versionOnly: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
      value.bytes(byteCount, isBigEndian: isBigEndian)
    }
    var exif = TestEXIF(isBigEndian: isBigEndian, orientation: 1, colorSpace: 1)
    exif.maker = "Some maker"
    exif.makerNote = Array("a note of the maker".utf8)
    exif.fields = [(0x8825, 4, 1, number(0, 4))]
    let start = exif.bytes.count
    exif.fields = [(0x8825, 4, 1, number(start, 4))]
    let count = versionOnly ? 1 : 3
    let values = start + 2 + 12 * count + 4
    var directory = number(count, 2) + number(0, 2) + number(1, 2) + number(4, 4) + [2, 3, 0, 0]
    if !versionOnly {
      directory += number(2, 2) + number(5, 2) + number(3, 4) + number(values, 4)
      directory += number(28, 2) + number(7, 2) + number(area.count, 4)
      directory += number(values + latitude.count, 4)
    }
    return exif.bytes + directory + number(0, 4) + (versionOnly ? [] : latitude + area)
  }

  private static let iptc: [UInt8] =
    [0x1C, 2, 5, 0, 5] + Array("Title".utf8) + [0x1C, 2, 90, 0, 6] + Array("Zürich".utf8.prefix(6))
    + [0x1C, 2, 101, 0x80, 4, 0, 0, 0, 11] + Array("Switzerland".utf8)
    + [0x1C, 2, 80, 0, 3] + Array("Who".utf8)

  private static func packet(_ attributes: String, _ elements: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
     <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
       xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
       xmlns:core="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" xmlns:GPS="http://example.com/GPS/"
       xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/"
       xmlns:drone-dji="http://www.dji.com/drone-dji/1.0/"\(attributes)>
      <dc:title>a title</dc:title>\(elements)
     </rdf:Description></rdf:RDF></x:xmpmeta>
    """
  }

  private static func removing(from packet: String) -> String? {
    var metadata = ImageMetadata()
    metadata.xmp = Array(packet.utf8)
    metadata.removeLocation()
    #expect(!metadata.statesLocation)
    return metadata.xmp.map { String(decoding: $0, as: UTF8.self) }
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  private func written(_ metadata: ImageMetadata, as format: ImageFileFormat) throws -> [UInt8] {
    var options = WritingOptions()
    options.metadata = metadata
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB, channels: .rgb))
    return try ImageFile.encode(bitmap, as: format, options: options)
  }

  @Test(arguments: formats, [true, false])
  func noByteOfTheGPSDirectoryStays(format: ImageFileFormat, isBigEndian: Bool) throws {
    var metadata = ImageMetadata()
    metadata.exif = Self.exif(isBigEndian: isBigEndian)
    let original = try written(metadata, as: format)
    // TIFF files store the fractions in their own byte order.
    let hidden = format == .tiff ? [Self.area] : [Self.latitude, Self.area]
    #expect(hidden.allSatisfy { contains(original, $0) })
    #expect(try ImageFile.info(bytes: original).metadata.statesLocation)
    #expect(metadata.statesLocation)
    metadata.removeLocation()
    #expect(!metadata.statesLocation)
    let file = try written(metadata, as: format)
    for bytes in [file, try #require(metadata.exif)] {
      #expect(!hidden.contains { contains(bytes, $0) })
    }
    let read = try ImageFile.info(bytes: file).metadata
    #expect(!read.statesLocation)
    let exif = try #require(read.exif)
    #expect(!contains(exif, isBigEndian ? [0x88, 0x25] : [0x25, 0x88]))
    #expect(contains(exif, Array("Some maker".utf8)))
    #expect(contains(exif, Array("a note of the maker".utf8)))
  }

  @Test func otherValuesOfEXIFKeepTheirOffsets() throws {
    let exif = Self.exif(isBigEndian: true)
    var metadata = ImageMetadata()
    metadata.exif = exif
    metadata.removeLocation()
    let edited = try #require(metadata.exif)
    let note = Array("a note of the maker".utf8)
    let place = try #require(exif.indices.first { exif[$0...].starts(with: note) })
    #expect(edited[place...].starts(with: note))
    // The directory and its values were the last bytes.
    #expect(edited.count < exif.count - Self.latitude.count - Self.area.count)
    metadata.removeLocation()
    #expect(metadata.exif == edited)
  }

  @Test func aGPSDirectoryWithOnlyItsVersionStatesNoLocation() {
    var metadata = ImageMetadata()
    metadata.exif = Self.exif(isBigEndian: true, versionOnly: true)
    #expect(!metadata.statesLocation)
  }

  @Test func dataWithoutALocationIsUnchanged() {
    var metadata = ImageMetadata()
    var exif = TestEXIF(orientation: 6, colorSpace: 0xFFFF)
    exif.thumbnail = Array("a thumbnail".utf8)
    metadata.exif = exif.bytes
    metadata.xmp = Array(Self.packet(#" photoshop:Credit="who""#, "").utf8)
    metadata.iptc = MetadataTransferTests.iptc
    let before = metadata
    metadata.removeLocation()
    #expect(metadata == before && !metadata.statesLocation)
  }

  @Test func propertiesOfALocationAreRemovedAsAttributesAndAsElements() {
    let kept = Self.packet(#" photoshop:Credit="who""#, "<dc:creator>who</dc:creator>")
    let attributes = [
      #"exif:GPSLatitude="47,22.5N""#, #"photoshop:City="Here""#, #"photoshop:State="Here""#,
      #"photoshop:Country="Here""#, #"core:Location="Here""#, #"core:CountryCode="CH""#,
      #"drone-dji:GpsLongitude="8.5""#,
      // Prefixes without a declaration.
      #"camera:GPSLatitude="47,22.5N""#, #"ps:City="Here""#,
    ]
    for attribute in attributes {
      let packet = Self.packet(
        #" \#(attribute) photoshop:Credit="who""#, "<dc:creator>who</dc:creator>")
      #expect(Self.removing(from: packet) == kept, "\(attribute)")
    }
    let elements = [
      "<exif:GPSAltitude>4000/10</exif:GPSAltitude>", "<photoshop:City>Here</photoshop:City>",
      "<core:Location>Here</core:Location>",
      "<ext:LocationCreated><rdf:Bag><rdf:li ext:City='Here'/></rdf:Bag></ext:LocationCreated>",
      "<ext:LocationShown rdf:parseType='Resource'><ext:City>Here</ext:City></ext:LocationShown>",
    ]
    for element in elements {
      let packet = Self.packet(
        #" photoshop:Credit="who""#, "\n  \(element)<dc:creator>who</dc:creator>")
      #expect(Self.removing(from: packet) == kept, "\(element)")
    }
  }

  /// Composites repeat the properties of their ingredients.
  @Test func propertiesWithinOthersAreRemoved() {
    func pantry(_ attribute: String, _ element: String) -> String {
      Self.packet(
        "",
        "<xmpMM:Pantry><rdf:Bag><rdf:li><rdf:Description dc:format=\"image\"\(attribute)>"
          + "<dc:title>a part</dc:title>\(element)</rdf:Description></rdf:li></rdf:Bag></xmpMM:Pantry>"
      )
    }
    let packet = pantry(
      #" photoshop:City="Here""#, "<exif:GPSLatitude>47,22.5N</exif:GPSLatitude>")
    #expect(Self.removing(from: packet) == pantry("", ""))
  }

  @Test func datasetsOfALocationAreRemoved() {
    var metadata = ImageMetadata()
    metadata.iptc = Self.iptc
    #expect(metadata.statesLocation)
    metadata.removeLocation()
    #expect(metadata.iptc == MetadataTransferTests.iptc && !metadata.statesLocation)
  }

  /// What cannot be parsed may state a location that is not found.
  @Test func damagedMetadataIsRemovedWhole() {
    var metadata = ImageMetadata()
    metadata.exif = Array("no EXIF data".utf8)
    metadata.xmp = Array("<x:xmpmeta photoshop:City='Here'".utf8)
    metadata.iptc = Array("no datasets".utf8)
    #expect(!metadata.statesLocation)
    metadata.removeLocation()
    #expect(metadata == ImageMetadata())
  }

  /// No mutation crashes, and none leaves a GPS directory.
  @Test func mutatedDataStatesNoLocation() {
    let intact = Self.exif(isBigEndian: true)
    for index in intact.indices {
      for value: UInt8 in [0, 8, 0xFF, UInt8(truncatingIfNeeded: index)] {
        var metadata = ImageMetadata()
        var mutant = intact
        mutant[index] = value
        metadata.exif = mutant
        metadata.iptc = Array(Self.iptc.prefix(index)) + [value]
        metadata.removeLocation()
        #expect(!metadata.statesLocation, "\(index): \(value)")
      }
    }
  }
}
