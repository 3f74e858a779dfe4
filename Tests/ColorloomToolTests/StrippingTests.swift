import ColorloomTool
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `--strip` leaves out all metadata, or only the parts that it names.
@Suite struct StrippingTests {
  private let folder: TemporaryFolder
  private let input, output: String

  /// EXIF data with an orientation, and a GPS directory at 38 whose reference of latitude is north.
  private static let exif: [UInt8] =
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 2]
    + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0] + [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]
    + [0, 0, 0, 0]
    + [0, 1, 0, 1, 0, 2, 0, 0, 0, 2, UInt8(ascii: "N"), 0, 0, 0, 0, 0, 0, 0]

  private static let xmp = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:Credit="who" p:City="Here"/>\
    </rdf:RDF></x:xmpmeta>
    """

  private static let iptc: [UInt8] =
    [0x1C, 2, 5, 0, 5] + Array("Title".utf8) + [0x1C, 2, 80, 0, 3] + Array("Who".utf8)

  init() throws {
    folder = try TemporaryFolder()
    (input, output) = (folder.path("in.png"), folder.path("out.jpg"))
    var options = WritingOptions()
    options.metadata.exif = Self.exif
    options.metadata.xmp = Array(Self.xmp.utf8)
    options.metadata.iptc = Self.iptc
    let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), channels: .rgb)
    try ImageFile.write(.uint8(bitmap), to: input, options: options)
  }

  private func metadata(_ words: String...) throws -> ImageMetadata {
    let transcript = run(["convert", input, output] + words)
    #expect(transcript.status == .done && transcript.errors.isEmpty, "\(transcript.errors)")
    return try ImageFile.info(output).metadata
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test func onlyTheLocationIsLeftOut() throws {
    #expect(try metadata().statesLocation)
    let metadata = try metadata("--strip=location")
    #expect(!metadata.statesLocation)
    #expect(
      metadata.xmp.map { String(decoding: $0, as: UTF8.self) }
        == Self.xmp.replacing(#" p:City="Here""#, with: ""))
    let exif = try #require(metadata.exif)
    #expect(contains(exif, [0x01, 0x12, 0, 3]))
    let file = try [UInt8](Data(contentsOf: URL(filePath: output)))
    #expect(!contains(file, Array("Here".utf8)))
    #expect(!contains(file, [0, 1, 0, 2, 0, 0, 0, 2, UInt8(ascii: "N")]))
  }

  @Test func namedPartsAreLeftOut() throws {
    let withoutEXIF = try metadata("--strip=exif")
    #expect(withoutEXIF.exif == nil && withoutEXIF.xmp != nil)
    let withoutXMP = try metadata("--strip=xmp")
    #expect(withoutXMP.exif != nil && withoutXMP.xmp == nil)
    for words in [["--strip=xmp", "--strip=exif"], ["--strip=xmp,exif"], ["--strip=EXIF, xmp"]] {
      #expect(run(["convert", input, output] + words).status == .done)
      let metadata = try ImageFile.info(output).metadata
      #expect(metadata.exif == nil && metadata.xmp == nil && metadata.iptc == Self.iptc)
    }
    let withoutIPTC = try metadata("--strip=iptc,location")
    #expect(withoutIPTC.iptc == nil && withoutIPTC.exif != nil && !withoutIPTC.statesLocation)
  }

  /// The profile and the orientation stay as with `--strip`, and no note names what is left out.
  @Test func allButTheCopyrightIsLeftOut() throws {
    _ = try metadata()
    let profile = try #require(try ImageFile.info(output).profile).bytes
    let metadata = try metadata("--strip=all-but-copyright")
    #expect(metadata.kinds == [.xmp, .iptc] && metadata.creators == ["Who"])
    #expect(metadata.xmp.map { contains($0, Array("who".utf8)) } == true)
    let file = try [UInt8](Data(contentsOf: URL(filePath: output)))
    #expect(!contains(file, Array("Here".utf8)) && !contains(file, Array("Title".utf8)))
    #expect(try ImageFile.info(output).profile?.bytes == profile)
    #expect(try self.metadata("--strip=all-but-copyright,xmp").kinds == [.iptc])
    #expect(try self.metadata("--strip=all-but-copyright", "--strip").kinds.isEmpty)
  }

  @Test func allIsLeftOutWithoutAPart() throws {
    #expect(try metadata("--strip").kinds.isEmpty)
    #expect(try metadata("--strip=location", "--strip").kinds.isEmpty)
  }

  @Test func unknownPartsAreRefused() {
    for value in ["no", "", "locations", "exif,", "exif,no", "exif xmp", "e x if"] {
      let transcript = run("convert", input, output, "--strip=\(value)")
      #expect(transcript.status == .misused)
      #expect(
        transcript.complaint.contains("one of location, exif, xmp, iptc, all-but-copyright, or"),
        "\(transcript.complaint)")
    }
    #expect(
      run("convert", input, output, "--strip", "location").complaint.contains("--strip=location"))
  }

  @Test func reportsSayWhetherALocationIsStated() throws {
    #expect(run("info", input).output.joined().contains("location in the metadata"))
    #expect(run("inspect", input).output.joined().contains("states a location"))
    #expect(try statesLocation(input))
    _ = try metadata("--strip=location")
    #expect(!run("info", output).output.joined().contains("location"))
    #expect(!run("inspect", output).output.joined().contains("location"))
    #expect(try !statesLocation(output))
  }

  private func statesLocation(_ path: String) throws -> Bool {
    struct Head: Decodable {
      struct Metadata: Decodable { let statesLocation: Bool }
      let metadata: Metadata
    }
    let heads = try ["info", "inspect"].map {
      try run($0, path, "--json").report(as: Head.self).metadata.statesLocation
    }
    #expect(heads[0] == heads[1])
    return heads[0]
  }

  @Test func helpShowsTheParts() {
    let help = run("convert", "--help").output.joined(separator: "\n")
    #expect(help.contains("--strip[=location|exif|xmp|iptc|all-but-copyright[,…]]"))
  }
}
