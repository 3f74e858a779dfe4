import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Gain maps in JPEG files: Ultra HDR and ISO 21496-1.
@Suite struct GainMapFileTests {
  private static let grays: [Double] = [255, 200, 128, 64, 16, 0]
  private static let maps: [Double] = [255, 128, 0, 64, 192, 32]

  static func fixture(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("Images/\(name).jpg")
  }

  private func light(_ code: Double) -> Double {
    let value = code / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  @Test func ultraHDRIsDescribed() throws {
    let info = try ImageFile.info(bytes: Self.fixture("ultra-hdr"))
    let map = try #require(info.gainMap)
    #expect(map.standards == [.ultraHDR] && map.size == PixelSize(24, 16) && map.channels == .gray)
    #expect(
      try map.gain
        == GainMap(
          least: SIMD3(repeating: -0.5), greatest: SIMD3(repeating: 3.25),
          gamma: SIMD3(repeating: 1.5), baseOffset: .one / 64, alternateOffset: .one / 32,
          alternateHeadroom: 3.25, displayHeadroom: 3.25))
    #expect(map.space == nil && info.notes.isEmpty)
  }

  @Test func binaryMetadataAreDescribedByChannel() throws {
    let map = try #require(try ImageFile.info(bytes: Self.fixture("iso-21496-1")).gainMap)
    #expect(map.standards == [.iso21496] && map.channels == .rgb)
    #expect(
      try map.gain
        == GainMap(
          least: [-0.5, 0, 0.5], greatest: [2, 2.5, 3], gamma: [1, 2, 3], baseOffset: .one / 64,
          alternateOffset: -.one / 128, baseHeadroom: 0.25, alternateHeadroom: 2.5,
          displayHeadroom: 2.5))
  }

  /// The formula of ISO 21496-1 in double precision, in the middle of each patch. Flat blocks lose nothing by JPEG's best quality.
  @Test(arguments: ["ultra-hdr", "iso-21496-1"])
  func highDynamicRangeEqualsTheFormula(name: String) throws {
    let file = try OpenedImageFile(bytes: Self.fixture(name))
    let gain = try #require(file.info.gainMap).gain
    let picture = try #require(try file.hdrPicture(assuming: .sRGB, isUpright: false))
    let result = try picture.render(as: Float.self)
    for index in 0..<6 {
      for channel in 0..<3 {
        let part = pow(Self.maps[index] / 255, 1 / gain.gamma[channel])
        let stops = gain.least[channel] + (gain.greatest[channel] - gain.least[channel]) * part
        let expected =
          (light(Self.grays[index]) + gain.baseOffset[channel]) * pow(2, stops)
          - gain.alternateOffset[channel]
        let found = Double(result[index % 3 * 32 + 16, index / 3 * 32 + 16, channel])
        // Ten steps in single precision, on values of up to 11.
        #expect(abs(found - expected) <= 11 * 10 * 0x1p-24, "patch \(index), channel \(channel)")
      }
    }
  }

  /// The base picture's orientation holds for the map.
  @Test func bothPicturesAreUpright() throws {
    let file = try OpenedImageFile(bytes: Self.fixture("ultra-hdr"))
    let map = try #require(file.gainMap())
    #expect(try file.picture(assuming: .sRGB).size == PixelSize(64, 96))
    #expect(map.picture.size == PixelSize(16, 24))
    // A quarter turn clockwise brings the first patch to the right.
    let values = try map.picture.render(as: Float.self)
    #expect(values[12, 4, 0] == 1 && abs(values[4, 4, 0] - 64 / 255) < 0x1p-22)
  }

  @Test func headroomLimitsTheGain() throws {
    let file = try OpenedImageFile(bytes: Self.fixture("ultra-hdr"))
    let base = try file.picture(assuming: .sRGB).converted(to: .linearSRGB).render(as: Float.self)
    let shown = try #require(try file.hdrPicture(headroom: 0, assuming: .sRGB))
    #expect(try shown.render(as: Float.self).isIdentical(to: base))
    #expect(throws: RecipeError.self) { try file.hdrPicture(headroom: -1, assuming: .sRGB) }
  }

  private static let hdr = Picture(
    Bitmap<Float>(PixelSize(64, 48), in: .linearDisplayP3, channels: .rgb) { x, y in
      let light = Float(8 * (x + 1)) / 64
      return [light, light * Float(y + 24) / 72, light * 0.75]
    })
  private static let base = hdr.exposure(-3).converted(to: .displayP3)

  private func written(
    _ map: PictureGainMap, beside base: Picture = base, quality: Int = 100
  ) throws -> [UInt8] {
    var writing = WritingOptions(quality: quality, chroma: .full)
    writing.gainMap = map
    return try base.encoded(as: .jpeg, writing: writing)
  }

  /// The errors of a round trip, in codes of 8 bits. In Y′, Cb and Cr: half a code of rounding, and one of the coefficients that JPEG's best
  /// quality rounds, 3.5 times the standard deviation of 1 / √12. In red, green and blue: that of Y′ and its multiple for chroma.
  private func codes(_ channel: Int) -> Double {
    1.5 * (1 + [1.402, 0.344 + 0.714, 1.772][channel])
  }

  /// A code of the base is 2.4 / ln 2 / code stops, as of a power of 2.4; a code of the map is a part of its range.
  @Test(arguments: [true, false])
  func highDynamicRangeSurvivesAFile(isGray: Bool) throws {
    var map = try PictureGainMap(from: Self.base, to: Self.hdr, reduction: 1, isGray: isGray)
    map.quality = 100
    let file = try OpenedImageFile(bytes: written(map))
    let info = try #require(file.info.gainMap)
    #expect(info.standards == [.iso21496, .ultraHDR] && info.gain == map.gain)
    #expect(info.channels == (isGray ? .gray : .rgb) && file.info.notes.isEmpty)
    let (found, sought) = try (
      #require(try file.hdrPicture()).render(as: Float.self), Self.hdr.render(as: Float.self)
    )
    let values = try Self.base.render(as: Float.self)
    let range = map.gain.greatest.max() - map.gain.least.min()
    var count = 0
    for y in 0..<48 {
      for x in 0..<64 {
        for channel in 0..<3 {
          let code = Double(values[x, y, channel]) * 255
          guard code >= 64 else { continue }
          count += 1
          let offset = 1.0 / 64
          let ratio =
            (Double(found[x, y, channel]) + offset) / (Double(sought[x, y, channel]) + offset)
          let error = log(ratio) / log(2)
          // One gain for all channels is exact where all have the same ratio: far above the offset.
          let gray = isGray ? 1 / 64 / light(code) / log(2) : 0
          let mapCodes = isGray ? 2 : codes(channel)
          #expect(
            abs(error) <= codes(channel) * 2.4 / log(2) / code + mapCodes * range / 255 + gray)
        }
      }
    }
    #expect(count > 4000)
  }

  /// The map's profile states the space in which the gain is applied.
  @Test(arguments: [true, false])
  func anotherSpaceIsStatedByTheProfileOfTheMap(isGray: Bool) throws {
    var map = try PictureGainMap(from: Self.base, to: Self.hdr, isGray: isGray)
    map.space = .proPhoto
    let info = try ImageFile.info(bytes: written(map))
    let found = try #require(info.gainMap)
    #expect(found.standards == [.iso21496] && found.space != nil && info.notes.isEmpty)
  }

  @Test func smallerMapsShareGains() throws {
    let map = try PictureGainMap(from: Self.base, to: Self.hdr)
    #expect(map.picture.size == PixelSize(16, 12) && map.isGray)
    let info = try #require(try ImageFile.info(bytes: written(map)).gainMap)
    #expect(info.size == PixelSize(16, 12))
  }

  @Test func aMapMayBeOnePixel() throws {
    let map = try PictureGainMap(from: Self.base, to: Self.hdr, reduction: .max)
    #expect(map.picture.size == PixelSize(1, 1))
  }

  @Test func renditionsHaveTheSameSize() throws {
    let small = Self.hdr.resized(to: .exact(32, 24))
    #expect(
      throws: ImageFileError.rendering(.incomparable(PixelSize(64, 48), PixelSize(32, 24)))
    ) { try PictureGainMap(from: Self.base, to: small) }
  }

  /// A range of gains of 0 stops divides nothing by zero.
  @Test func equalRenditionsHaveAMapOfZero() throws {
    let picture = Self.base.converted(to: .linearDisplayP3)
    let map = try PictureGainMap(from: Self.base, to: picture, reduction: 1)
    #expect(map.gain.greatest.largest < 1e-3 && map.gain.least.largest < 1e-3)
    let file = try OpenedImageFile(bytes: written(map))
    let (shown, base) = try (
      #require(try file.hdrPicture()).render(as: Float.self),
      file.picture().converted(to: .linearDisplayP3).render(as: Float.self)
    )
    for x in 0..<64 { #expect(abs(shown[x, 20, 1] - base[x, 20, 1]) < 2e-3) }
  }

  @Test func otherXMPIsKeptBesideTheAnnouncement() throws {
    var writing = WritingOptions(quality: 90)
    writing.gainMap = try PictureGainMap(from: Self.base, to: Self.hdr)
    writing.metadata.xmp = Array(
      (#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
        + #"<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="a field"/>"#
        + "</rdf:RDF></x:xmpmeta>").utf8)
    let bytes = try Self.base.encoded(as: .jpeg, writing: writing)
    let info = try ImageFile.info(bytes: bytes)
    let packet = String(decoding: try #require(info.metadata.xmp), as: UTF8.self)
    #expect(packet.contains("a field") && packet.contains("Item:Semantic=\"GainMap\""))
    #expect(info.gainMap?.standards == [.iso21496, .ultraHDR])
    // XMP properties of a gain map are not copied to a file without one.
    var plain = WritingOptions()
    plain.metadata = info.metadata
    let again = try ImageFile.info(bytes: Self.base.encoded(as: .jpeg, writing: plain))
    #expect(again.gainMap == nil && again.notes.isEmpty)
    #expect(String(decoding: again.metadata.xmp ?? [], as: UTF8.self).contains("a field"))
  }

  @Test func formatsWithoutGainMapsSayThatItIsLeftOut() throws {
    let folder = try TemporaryFolder()
    var writing = WritingOptions()
    writing.gainMap = try PictureGainMap(from: Self.base, to: Self.hdr)
    let report = try Self.base.write(to: folder.path("a.png"), writing: writing)
    #expect(report.notes == [.omittedGainMap(format: .png)])
  }

  @Test func mapsMoveWithTheirPictures() throws {
    let file = try OpenedImageFile(bytes: Self.fixture("iso-21496-1"))
    let (base, map) = (try file.picture(), try #require(file.gainMap()))
    let turned = map.moved(with: base) { picture in
      picture.oriented(.quarterTurned).cropped(to: Region(x: 0, y: 0, width: 32, height: 64))
    }
    #expect(turned.picture.size == PixelSize(8, 16))
    let values = try turned.picture.render(as: Float.self)
    // The left half of the turned picture has the fourth patch above the fifth.
    #expect(
      abs(values[4, 4, 0] - 64 / 255) < 0x1p-20 && abs(values[4, 12, 0] - 192 / 255) < 0x1p-20)
    let half = map.moved(with: base) { $0.resized(to: .exact(48, 32)) }
    #expect(half.picture.size == PixelSize(12, 8) && half.gain == map.gain)
  }

  // MARK: Other programs

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed"))
  func pillowReadsTheBaseAndFindsTheMap() throws {
    let folder = try TemporaryFolder()
    let map = try PictureGainMap(from: Self.base, to: Self.hdr)
    let path = folder.path("hdr.jpg")
    try Peers.write(written(map), path)
    // Pillow reads Ultra HDR files as their base, and has the index.
    let said = try Peers.pillow(
      """
      import io
      image = Image.open(sys.argv[1])
      index = image._getmp()
      entry = index[0xB002][1]
      start = entry["DataOffset"] + image.info["mpoffset"]
      data = open(sys.argv[1], "rb").read()[start:start + entry["Size"]]
      second = Image.open(io.BytesIO(data))
      print(index[0xB001], image.size, second.size, second.mode)
      """, [path])
    #expect(String(decoding: said, as: UTF8.self) == "2 (64, 48) (16, 12) L\n")
    let pixels = try Peers.pillowPixels([path])[0]
    #expect(try ImageFile.read(path).sampleBytes == pixels)
  }

  private static let exiftool = Client("exiftool"), ffmpeg = Client("ffmpeg")

  @Test(.enabled(if: exiftool.isPresent, "exiftool is not installed"))
  func exiftoolFindsBothDescriptions() throws {
    let folder = try TemporaryFolder()
    let bytes = try written(PictureGainMap(from: Self.base, to: Self.hdr))
    let path = folder.path("hdr.jpg")
    try Peers.write(bytes, path)
    let info = try #require(try ImageFile.info(path).gainMap)
    let said = try Self.exiftool.run(
      "-s", "-G", "-a", "-DirectoryItemLength", "-NumberOfImages", "-MPImageLength", path)
    let length = try #require(
      said.split(separator: "\n").first { $0.contains("DirectoryItemLength") }?.split(
        separator: " "
      )
      .last.flatMap { Int($0) })
    // The map ends with the file.
    #expect(Array(bytes[(bytes.count - length)...].prefix(3)) == [0xFF, 0xD8, 0xFF])
    #expect(said.contains("NumberOfImages") && info.size == PixelSize(16, 12))
    // Minor warnings are that exiftool does not know the segment of ISO 21496-1, and that XMP needs no wrapper.
    let warnings = try Self.exiftool.run("-validate", "-warning", "-a", path).split(separator: "\n")
    #expect(warnings.dropFirst().allSatisfy { $0.contains("[minor]") }, "\(warnings)")
  }

  @Test(.enabled(if: ffmpeg.isPresent, "ffmpeg is not installed"))
  func ffmpegReadsTheBase() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("hdr.jpg")
    try Peers.write(try written(PictureGainMap(from: Self.base, to: Self.hdr)), path)
    try Self.ffmpeg.run("-v", "error", "-i", path, "-frames:v", "1", folder.path("base.png"))
    #expect(try ImageFile.info(folder.path("base.png")).size == PixelSize(64, 48))
  }
}
