#if HEIF
  import Colorloom
  import Foundation
  import ImageFiles
  import Testing
  import _TestSupport

  /// Gain maps in HEIF and AVIF files: derived items of ISO/IEC 23008-12 with the description of ISO 21496-1.
  @Suite struct HEIFGainMapTests {
    private static let formats: [ImageFileFormat] = [.heif, .avif]
    private static let forms = formats.flatMap { format in [true, false].map { (format, $0) } }
    private static let hdr = Picture(
      Bitmap<Float>(PixelSize(64, 48), in: .linearDisplayP3, channels: .rgb) { x, y in
        let light = Float(8 * (x + 1)) / 64
        return [light, light * Float(y + 24) / 72, light * 0.75]
      })
    private static let base = hdr.exposure(-3).converted(to: .displayP3)
    /// The base with the codes of its file.
    private static var codes: Picture {
      get throws { Picture(try base.render(as: UInt8.self)) }
    }

    private func codes(of picture: Picture) throws -> [UInt8] {
      AnyBitmap(try picture.render(as: UInt8.self)).sampleBytes
    }

    private func written(
      _ map: PictureGainMap?, as format: ImageFileFormat, orientation: Orientation = .upright,
      metadata: ImageMetadata = ImageMetadata()
    ) throws -> [UInt8] {
      var writing = WritingOptions(
        isLossless: true, metadata: metadata, orientation: orientation)
      writing.gainMap = map
      return try Self.base.encoded(as: format, samples: .uint8, writing: writing)
    }

    /// Without loss the picture is that of the codes of base and map, to single precision: ten steps on values of up to 8.
    @Test(arguments: forms)
    func losslessFilesHoldTheCodes(format: ImageFileFormat, isGray: Bool) throws {
      var map = try PictureGainMap(from: Self.base, to: Self.hdr, reduction: 1, isGray: isGray)
      let file = try OpenedImageFile(bytes: written(map, as: format))
      let info = try #require(file.info.gainMap)
      #expect(info.standards == [.iso21496] && info.gain == map.gain && info.space == nil)
      #expect(info.channels == (isGray ? .gray : .rgb) && info.size == Self.base.size)
      #expect(file.info.notes.isEmpty && file.info.pages.count == 1)
      let bytes = try map.picture.render(as: UInt8.self)
      let read = try #require(file.gainMap())
      #expect(read.isGray == isGray)
      #expect(try self.codes(of: read.picture) == AnyBitmap(bytes).sampleBytes)
      map.picture = Picture(bytes)
      let (found, sought) = try (
        #require(try file.hdrPicture()).render(as: Float.self),
        Self.codes.expandedToHDR(by: map).render(as: Float.self)
      )
      for y in 0..<48 {
        for x in 0..<64 {
          for channel in 0..<3 {
            #expect(abs(found[x, y, channel] - sought[x, y, channel]) <= 8 * 10 * 0x1p-24)
          }
        }
      }
    }

    /// A reader that knows no gain maps finds the same picture and metadata as without one.
    @Test(arguments: formats)
    func theBaseIsThatOfAFileWithoutAMap(format: ImageFileFormat) throws {
      let xmp =
        #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
        + #"<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="a field"/>"#
        + "</rdf:RDF></x:xmpmeta>"
      var metadata = ImageMetadata()
      metadata.xmp = Array(xmp.utf8)
      let map = try PictureGainMap(from: Self.base, to: Self.hdr)
      let plain = try written(nil, as: format, metadata: metadata)
      let both = try written(map, as: format, metadata: metadata)
      let (a, b) = try (ImageFile.info(bytes: plain), ImageFile.info(bytes: both))
      #expect(a.metadata == b.metadata && "\(a.color)" == "\(b.color)" && a.pages == b.pages)
      #expect(String(decoding: b.metadata.xmp ?? [], as: UTF8.self).contains("a field"))
      #expect(a.gainMap == nil && b.gainMap?.size == PixelSize(16, 12))
      let c = try ImageFile.read(bytes: plain).sampleBytes
      let d = try ImageFile.read(bytes: both).sampleBytes
      #expect(c == d)
    }

    @Test(arguments: formats)
    func bothPicturesAreTurned(format: ImageFileFormat) throws {
      let map = try PictureGainMap(from: Self.base, to: Self.hdr)
      let file = try OpenedImageFile(
        bytes: written(map, as: format, orientation: .quarterTurned))
      let read = try #require(file.gainMap())
      #expect(file.info.size == PixelSize(48, 64) && read.picture.size == PixelSize(12, 16))
      #expect(
        try codes(of: read.picture) == codes(of: map.picture.oriented(.quarterTurned)))
    }

    /// The picture that the map makes has the size of the turned base, and is not turned itself (ISO/IEC 23008-12, 6.3).
    @Test(arguments: formats)
    func theMadePictureHasTheUprightSize(format: ImageFileFormat) throws {
      let map = try PictureGainMap(from: Self.base, to: Self.hdr)
      for (orientation, size) in [
        (Orientation.upright, [64, 48] as [UInt8]), (.quarterTurned, [48, 64]),
      ] {
        let bytes = try written(map, as: format, orientation: orientation)
        let box = Array("ispe".utf8) + [0, 0, 0, 0, 0, 0, 0, size[0], 0, 0, 0, size[1]]
        // The properties of the made picture are the last ones.
        let sizes = bytes.indices.filter { bytes[$0...].starts(with: Array("ispe".utf8)) }
        #expect(bytes[try #require(sizes.last)...].starts(with: box))
      }
    }

    /// The space in which the gain is applied is that of the other rendition, which states it.
    @Test(arguments: formats)
    func theOtherSpaceIsStated(format: ImageFileFormat) throws {
      var map = try PictureGainMap(from: Self.base, to: Self.hdr)
      // By code points, and by a profile.
      for space in [ColorSpace.rec2020, .proPhoto] {
        map.space = space
        let found = try #require(try ImageFile.info(bytes: written(map, as: format)).gainMap?.space)
        let (a, b) = (found.primaries, space.primaries)
        for (light, other) in [(a.red, b.red), (a.green, b.green), (a.blue, b.blue)] {
          // Profiles hold 16 bits behind the point of XYZ, whose sum is 0.03 for the blue of ProPhoto.
          #expect(abs(light.x - other.x) < 0x1p-10 && abs(light.y - other.y) < 0x1p-10)
        }
      }
    }

    @Test(arguments: formats)
    func mapsAreCarriedBetweenFormats(format: ImageFileFormat) throws {
      let map = try PictureGainMap(from: Self.base, to: Self.hdr, isGray: false)
      let first = try OpenedImageFile(bytes: written(map, as: format))
      var writing = WritingOptions(quality: 95)
      writing.gainMap = first.gainMap()
      let jpeg = try first.picture().encoded(as: .jpeg, writing: writing)
      let second = try #require(try ImageFile.info(bytes: jpeg).gainMap)
      #expect(second.gain == map.gain && second.channels == .rgb)
      #expect(second.standards == [.iso21496, .ultraHDR])
    }

    // MARK: Damage

    /// Returns the reason for which the map of changed bytes is not used. The base picture must be that of the intact file.
    private func reason(_ bytes: [UInt8], of intact: [UInt8]) throws -> String {
      let info = try ImageFile.info(bytes: bytes)
      #expect(info.gainMap == nil && info.notes.count == 1)
      #expect(
        try ImageFile.read(bytes: bytes).sampleBytes == ImageFile.read(bytes: intact).sampleBytes)
      let reasons = info.notes.compactMap { note -> String? in
        if case .unusableGainMap(let reason) = note { reason } else { nil }
      }
      return try #require(reasons.first)
    }

    /// The description of a gray map ends the file: a version; two versions, flags, two fractions and five.
    private static let descriptionLength = 1 + 5 + 7 * 8

    @Test(arguments: formats)
    func damagedDescriptionsAreNamed(format: ImageFileFormat) throws {
      let intact = try written(PictureGainMap(from: Self.base, to: Self.hdr), as: format)
      let start = intact.count - Self.descriptionLength
      // The place, the byte and a part of the reason.
      for (offset, byte, words) in [
        (0, 99 as UInt8, "version 99"), (2, 7, "version 7"), (14, 0, "denominator of 0"),
        (6, 0x7F, "headroom"),
      ] {
        var bytes = intact
        bytes[start + offset] = byte
        // Every byte of a denominator.
        if words.contains("denominator") { for i in 10..<14 { bytes[start + i] = 0 } }
        let reason = try reason(bytes, of: intact)
        #expect(reason.lowercased().contains(words), "\(reason)")
      }
    }

    @Test(arguments: formats)
    func wrongReferencesAreNamed(format: ImageFileFormat) throws {
      let intact = try written(PictureGainMap(from: Self.base, to: Self.hdr), as: format)
      // From an item, to two: the base and the map. It is the last reference.
      let start =
        try #require(
          intact.indices.last { intact[$0...].starts(with: Array("dimg".utf8)) }) + 4
      #expect(intact[start + 2..<start + 4].elementsEqual([0, 2]))
      for target in [intact[start + 5], 99] {
        var bytes = intact
        bytes[start + 7] = target
        #expect(!(try reason(bytes, of: intact)).isEmpty)
      }
      // The base is another picture: nothing is known of this one.
      var other = intact
      other[start + 5] = 98
      #expect(try ImageFile.info(bytes: other).gainMap == nil)
    }

    /// The maps of Apple's first files with gain maps are described by its maker notes and XMP alone.
    @Test func unreadMapsOfAppleAreNamed() throws {
      let picture = try TestHEIF.coded(
        Bitmap(PixelSize(64, 64), in: .displayP3, channels: .rgb) { x, y in
          [UInt8(4 * x), UInt8(2 * y), 7]
        }, as: .heif)
      var map = picture
      (map.auxiliaryOf, map.auxiliaryType) = (1, "urn:com:apple:photo:2020:aux:hdrgainmap")
      let plain = TestHEIF(items: [picture]).bytes
      let reason = try reason(TestHEIF(items: [picture, map]).bytes, of: plain)
      #expect(reason.contains("one of Apple's"))
    }

    @Test(arguments: formats)
    func shortenedFilesAreErrors(format: ImageFileFormat) throws {
      let intact = try written(PictureGainMap(from: Self.base, to: Self.hdr), as: format)
      for count in stride(from: 0, to: intact.count, by: 7) {
        #expect(throws: ImageFileError.self) {
          try ImageFile.read(bytes: Array(intact.prefix(count)))
        }
      }
    }

    // MARK: Other programs

    private static let heifInfo = Client("heif-info")

    @Test(.enabled(if: heifInfo.isPresent, "heif-info is not installed"), arguments: formats)
    func libheifFindsOnePicture(format: ImageFileFormat) throws {
      let folder = try TemporaryFolder()
      let path = folder.path("hdr.\(format.fileExtensions[0])")
      try Peers.write(
        try written(PictureGainMap(from: Self.base, to: Self.hdr), as: format), path)
      let said = try Self.heifInfo.run(path)
      #expect(said.contains("64x48") && !said.contains("16x12"))
      #expect(said.contains("tmap"))
    }
  }
#endif
