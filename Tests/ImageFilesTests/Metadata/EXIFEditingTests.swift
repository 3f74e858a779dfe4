import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// EXIF data that is copied states nothing that is wrong for the new file.
@Suite struct EXIFEditingTests {
  /// Formats that hold EXIF data.
  static let formats: [ImageFileFormat] = [.png, .jpeg, .tiff]

  private static let thumbnail = Array("a thumbnail of what a crop removed".utf8)

  /// EXIF data of a camera that writes Adobe RGB.
  private static func camera(isBigEndian: Bool = true) -> TestEXIF {
    var exif = TestEXIF(isBigEndian: isBigEndian, orientation: 6, colorSpace: 0xFFFF)
    exif.interoperability = "R03"
    exif.pixelSize = [60, 40]
    exif.thumbnail = thumbnail
    exif.maker = "Some maker"
    exif.makerNote = Array("a note of the maker".utf8)
    return exif
  }

  private static func written(
    _ exif: [UInt8], as format: ImageFileFormat, in space: ColorSpace = .sRGB,
    isUntagged: Bool = false, orientation: Orientation = .upright,
    size: PixelSize = PixelSize(13, 20)
  ) throws -> [UInt8] {
    var options = WritingOptions()
    options.metadata.exif = exif
    options.isUntagged = isUntagged
    options.orientation = orientation
    let bitmap = AnyBitmap(Bitmap<UInt8>(size, in: space, channels: .rgb))
    return try ImageFile.encode(bitmap, as: format, options: options)
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test(arguments: formats, [ColorSpace.displayP3, .sRGB, .adobeRGB])
  func untaggedFilesStateNoSpaceByEXIF(format: ImageFileFormat, space: ColorSpace) throws {
    for isBigEndian in [true, false] {
      var exif = Self.camera(isBigEndian: isBigEndian)
      let variants =
        [exif.bytes]
        + {
          exif.interoperability = nil
          (exif.white, exif.lights) = ([313, 329], [640, 330, 210, 710, 150, 60])
          exif.gamma = 2200
          return [exif.bytes]
        }()
      for bytes in variants {
        let file = try Self.written(bytes, as: format, in: space, isUntagged: true)
        let info = try ImageFile.info(bytes: file)
        guard case .unstated = info.color else {
          Issue.record("\(format) states \(info.color)")
          continue
        }
        // The EXIF data alone, in the format that reads a color space from it, states none.
        let alone = try #require(info.metadata.exif)
        var jpeg = TestJPEG { _, _ in [0, 0, 0] }
        jpeg.segments = [(0xE1, Array("Exif\0\0".utf8) + alone)]
        guard case .unstated = try ImageFile.info(bytes: jpeg.bytes).color else {
          Issue.record("the EXIF data of \(format) states a space")
          continue
        }
      }
    }
  }

  @Test(arguments: formats)
  func aSpaceThatEXIFCanStateIsStated(format: ImageFileFormat) throws {
    for space in [ColorSpace.sRGB, .adobeRGB] {
      let file = try Self.written(Self.camera().bytes, as: format, in: space)
      let exif = try #require(try ImageFile.info(bytes: file).metadata.exif)
      var jpeg = TestJPEG { _, _ in [0, 0, 0] }
      jpeg.segments = [(0xE1, Array("Exif\0\0".utf8) + exif)]
      guard case .space(let read, by: .exif) = try ImageFile.info(bytes: jpeg.bytes).color else {
        Issue.record("\(space) is not stated")
        continue
      }
      #expect(read == space)
      #expect(contains(exif, Array((space == .sRGB ? "R98" : "R03").utf8)))
    }
  }

  @Test(arguments: formats)
  func thumbnailsAreRemovedCompletely(format: ImageFileFormat) throws {
    let file = try Self.written(Self.camera().bytes, as: format)
    #expect(!contains(file, Self.thumbnail))
    let exif = try #require(try ImageFile.info(bytes: file).metadata.exif)
    #expect(contains(exif, Array("a note of the maker".utf8)))
    #expect(contains(exif, Array("Some maker".utf8)))
  }

  private static func number(_ value: Int, isBigEndian: Bool = true) -> [UInt8] {
    value.bytes(4, isBigEndian: isBigEndian)
  }

  /// The fields of a main directory that converters from TIFF and camera raw files leave: strips, tiles, and a SubIFD with a SubIFD.
  @Test(arguments: formats, [true, false])
  func previewsInOtherDirectoriesAreRemovedCompletely(
    format: ImageFileFormat, isBigEndian: Bool
  ) throws {
    func entry(_ tag: Int, _ value: Int) -> TestEXIF.Entry {
      (tag, 4, 1, Self.number(value, isBigEndian: isBigEndian))
    }
    func directory(_ entries: [(tag: Int, value: Int)]) -> [UInt8] {
      func half(_ value: Int) -> [UInt8] {
        let bytes = Self.number(value, isBigEndian: isBigEndian)
        return Array(isBigEndian ? bytes[2...] : bytes[..<2])
      }
      return half(entries.count)
        + entries.flatMap { tag, value in
          half(tag) + half(4) + Self.number(1, isBigEndian: isBigEndian)
            + Self.number(value, isBigEndian: isBigEndian)
        } + [0, 0, 0, 0]
    }
    let texts = ["main strips", "main tiles.", "SubIFD data", "nested data"]
    let (pixels, count) = (texts.map { Array($0.utf8) }, 11)
    var exif = Self.camera(isBigEndian: isBigEndian)
    func fields(at start: Int) -> [TestEXIF.Entry] {
      [
        entry(0x0111, start), entry(0x0117, count), entry(0x0144, start + count),
        entry(0x0145, count), entry(0x014A, start + 4 * count),
      ]
    }
    exif.fields = fields(at: 0)
    let start = exif.bytes.count
    exif.fields = fields(at: start)
    let nested = start + 4 * count + directory([(0, 0), (0, 0), (0, 0)]).count
    let bytes =
      exif.bytes + pixels.joined()
      + directory([(0x0111, start + 2 * count), (0x0117, count), (0x014A, nested)])
      + directory([(0x0201, start + 3 * count), (0x0202, count)])
    let file = try Self.written(bytes, as: format)
    for (text, part) in zip(texts, pixels) { #expect(!contains(file, part), "\(text)") }
    let read = try #require(try ImageFile.info(bytes: file).metadata.exif)
    #expect(contains(read, Array("a note of the maker".utf8)))
    #expect(contains(read, Array("Some maker".utf8)))
  }

  /// Hostile data: previews that lie over everything, and SubIFDs that are the other directories.
  @Test(arguments: [ImageFileFormat.png, .jpeg])
  func previewsOverOtherValuesRemoveNoneOfThem(format: ImageFileFormat) throws {
    var exif = Self.camera()
    exif.thumbnail = nil
    let plain = exif.bytes
    func fields(_ camera: Int) -> [TestEXIF.Entry] {
      [
        (0x0111, 4, 1, Self.number(0)), (0x0117, 4, 1, Self.number(0xFFFF_FFFF)),
        (0x014A, 4, 3, Self.number(8) + Self.number(camera) + Self.number(0xFFFF_FFF0)),
      ]
    }
    exif.fields = fields(0)
    let link = try #require(exif.bytes.firstRange(of: [0x87, 0x69, 0, 4, 0, 0, 0, 1])).upperBound
    exif.fields = fields(exif.bytes[link..<link + 4].reduce(0) { $0 << 8 | Int($1) })
    let read = try [plain, exif.bytes].map {
      try #require(try ImageFile.info(bytes: Self.written($0, as: format)).metadata.exif)
    }
    for bytes in read {
      for text in ["a note of the maker", "Some maker", "R98"] {
        #expect(contains(bytes, Array(text.utf8)), "\(text)")
      }
    }
  }

  /// The data may come from a CMYK file with another depth.
  @Test(arguments: [ImageFileFormat.png, .jpeg])
  func fieldsOfStoredPixelsAreRemoved(format: ImageFileFormat) throws {
    var exif = Self.camera()
    exif.thumbnail = nil
    exif.fields = [
      (0x0102, 3, 4, [0, 16, 0, 16, 0, 16, 0, 16]), (0x0103, 3, 1, [0, 5]), (0x0106, 3, 1, [0, 5]),
      (0x0115, 3, 1, [0, 4]),
    ]
    let file = try Self.written(exif.bytes, as: format)
    let read = try #require(try ImageFile.info(bytes: file).metadata.exif)
    for tag: UInt8 in [0x02, 0x03, 0x06, 0x15] {
      #expect(contains(exif.bytes, [1, tag, 0, 3]) && !contains(read, [1, tag, 0, 3]))
    }
    #expect(contains(read, Array("Some maker".utf8)))
  }

  /// Maker notes hold previews, which show what a crop removed. What is before and behind them stays.
  @Test(arguments: formats)
  func previewsInMakerNotesAreCleared(format: ImageFileFormat) throws {
    let whole = TestJPEG { x, y in
      [0, 1, 2].map { UInt8(truncatingIfNeeded: 31 * x + 57 * y + 99 * $0) }
    }
    var (progressive, restarting) = (whole, whole)
    (progressive.isProgressive, restarting.restartInterval) = (true, 2)
    let (before, behind) = (Array("the lens".utf8), Array("the serial number".utf8))
    for picture in [whole, progressive, restarting].map(\.bytes) {
      var exif = Self.camera()
      exif.makerNote = before + picture + behind
      let file = try Self.written(exif.bytes, as: format)
      let read = try #require(try ImageFile.info(bytes: file).metadata.exif)
      #expect(contains(read, before) && contains(read, behind))
      #expect(!contains(read, [0xFF, 0xD8, 0xFF]))
      let nothing = [UInt8](repeating: 0, count: picture.count)
      #expect(contains(read, before + nothing + behind))
    }
    // Something else follows a segment, without the marker of an end: it stays.
    let segments: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 97, 98]
    var short = Self.camera()
    short.makerNote = before + segments + behind
    let kept = try #require(
      try ImageFile.info(bytes: try Self.written(short.bytes, as: format)).metadata.exif)
    #expect(contains(kept, before + [UInt8](repeating: 0, count: segments.count) + behind))
    // Cut off within its scan: nothing but the note is cleared.
    let part = whole.bytes.dropLast(20)
    var exif = Self.camera()
    exif.makerNote = before + part
    let file = try Self.written(exif.bytes, as: format)
    let read = try #require(try ImageFile.info(bytes: file).metadata.exif)
    #expect(contains(read, before) && !contains(read, Array(part.suffix(12))))
    exif.makerNote = before + [UInt8](repeating: 0, count: part.count)
    let other = try Self.written(exif.bytes, as: format)
    #expect(try ImageFile.info(bytes: other).metadata.exif == read)
  }

  @Test(arguments: formats, [3, 4])
  func orientationOfEitherTypeIsReset(format: ImageFileFormat, type: Int) throws {
    var exif = TestEXIF(orientation: 6)
    exif.orientationType = type
    let file = try Self.written(exif.bytes, as: format)
    #expect(try ImageFile.info(bytes: file).orientation == .upright)
  }

  @Test(arguments: formats, Orientation.allCases)
  func orientationIsKeptWithStoredPixels(format: ImageFileFormat, orientation: Orientation) throws {
    for exif in [TestEXIF(orientation: 1).bytes, TestEXIF(colorSpace: 1).bytes] {
      let file = try Self.written(exif, as: format, orientation: orientation)
      #expect(try ImageFile.info(bytes: file).orientation == orientation)
    }
    // Also without EXIF data.
    var options = WritingOptions()
    options.orientation = orientation
    let bitmap = AnyBitmap(Bitmap<UInt8>(PixelSize(3, 2), in: .sRGB, channels: .rgb))
    let file = try ImageFile.encode(bitmap, as: format, options: options)
    #expect(try ImageFile.info(bytes: file).orientation == orientation)
  }

  /// The EXIF data of a TIFF file has no orientation, which another TIFF file states elsewhere.
  @Test(arguments: formats, Orientation.allCases)
  func dataWithoutOrientationIsKept(format: ImageFileFormat, orientation: Orientation) throws {
    var exif = TestEXIF(colorSpace: 1)
    exif.maker = "Some maker"
    let file = try Self.written(exif.bytes, as: format, orientation: orientation)
    let again = try Self.written(
      #require(ImageFile.info(bytes: file).metadata.exif), as: .tiff, orientation: orientation)
    let info = try ImageFile.info(bytes: again)
    #expect(info.orientation == orientation)
    #expect(contains(try #require(info.metadata.exif), Array("Some maker".utf8)))
  }

  /// Maker notes contain offsets from the beginning of the data.
  @Test(arguments: [true, false])
  func makerNotesKeepTheirPlaceOnTheWayThroughTIFF(isBigEndian: Bool) throws {
    let note = Array("a note of the maker".utf8)
    let exif = Self.camera(isBigEndian: isBigEndian).bytes
    let place = try #require(exif.indices.first { exif[$0...].starts(with: note) })
    let tiff = try Self.written(exif, as: .tiff)
    #expect(tiff[place...].starts(with: note))
    let read = try #require(try ImageFile.info(bytes: tiff).metadata.exif)
    #expect(read[place...].starts(with: note))
  }

  /// No mutation crashes, and none makes the new file state a wrong orientation or color space.
  @Test func mutatedDataIsCorrectedOrLeftOut() throws {
    let intact = Self.camera().bytes
    var mutants = (0..<intact.count).map { Array(intact.prefix($0)) }
    for index in intact.indices {
      for value: UInt8 in [0, 0xFF, UInt8(truncatingIfNeeded: index)] {
        var mutant = intact
        mutant[index] = value
        mutants.append(mutant)
      }
    }
    // Directories that refer to each other, and offsets into the header.
    for pointer in intact.indices.dropLast(3) {
      var mutant = intact
      mutant.replaceSubrange(pointer..<pointer + 4, with: [0, 0, 0, 8])
      mutants.append(mutant)
    }
    for mutant in mutants {
      for format in [ImageFileFormat.png, .tiff] {
        let file = try Self.written(mutant, as: format, in: .displayP3, isUntagged: true)
        let info = try ImageFile.info(bytes: file)
        #expect(info.orientation == .upright)
        guard let exif = info.metadata.exif else { continue }
        var jpeg = TestJPEG(size: PixelSize(1, 1)) { _, _ in [0, 0, 0] }
        jpeg.segments = [(0xE1, Array("Exif\0\0".utf8) + exif)]
        let alone = try ImageFile.info(bytes: jpeg.bytes)
        #expect(alone.orientation == .upright)
        // In a TIFF file no reader takes the color space from EXIF data; a copy to another format corrects it again.
        if format != .tiff, case .space(let space, _) = alone.color {
          Issue.record("\(format): a mutant states \(space)")
        }
      }
    }
  }

  private static let exiftool = Client("exiftool")

  @Test(.enabled(if: exiftool.isPresent, "exiftool is not installed"))
  func exiftoolReadsTheCorrectedData() throws {
    let folder = try TemporaryFolder()
    for format in Self.formats {
      let path = folder.path("x.\(format.fileExtensions[0])")
      try Peers.write(
        Self.written(Self.camera().bytes, as: format, orientation: .quarterTurned), path)
      let lines = try Self.exiftool.run(
        "-s", "-n", "-a", "-G1", "-Orientation", "-ExifImageWidth", "-ExifImageHeight",
        "-InteropIndex", "-ColorSpace", "-Make", "-ThumbnailImage", "-Warning", path)
      let values = lines.split(separator: "\n").reduce(into: [String: String]()) { values, line in
        let parts = line.split(separator: "]", maxSplits: 1)[1].split(separator: ":", maxSplits: 1)
        values[parts[0].filter { $0 != " " }] = parts[1].trimmingPrefix(" ").description
      }
      #expect(
        values == [
          "Orientation": "\(Orientation.quarterTurned.rawValue)", "ExifImageWidth": "13",
          "ExifImageHeight": "20", "InteropIndex": "R98", "ColorSpace": "1", "Make": "Some maker",
        ], "\(format): \(lines)")
    }
  }
}
