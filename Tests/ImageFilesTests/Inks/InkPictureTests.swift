import Colorloom
import FilterGraph
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Pictures of CMYK and n-color channels: converted from colors, and read from files unchanged.
@Suite struct InkPictureTests {
  /// How far a channel may be off beside the evaluation in double precision, for reasons that `ProfileKernelTests` states. The tables
  /// themselves agree with Little CMS (`ReferenceTransformTests`).
  private static let bound = 1e-5

  /// The corners of the cube, and colors between.
  private static let colors: [[Float]] = {
    var random = SeededGenerator(seed: 20_261_122)
    return (0..<8).map { corner in (0..<3).map { Float(corner >> $0 & 1) } }
      + (0..<392).map { _ in (0..<3).map { _ in Float.random(in: 0...1, using: &random) } }
  }()

  static func picture() -> Picture {
    Picture(
      Bitmap<Float>(PixelSize(20, 20), in: .sRGB, channels: .rgb) { x, y in colors[20 * y + x] })
  }

  /// The values of all pixels.
  private static func values(_ bitmap: AnyBitmap) throws -> [[Float]] {
    guard case .float32(let bitmap) = bitmap else { throw Failure("These are no floats.") }
    return (0..<bitmap.size.height).flatMap { y in
      (0..<bitmap.size.width).map { x in
        (0..<bitmap.channels.count).map { bitmap[x, y, $0] }
      }
    }
  }

  private static let presses = [
    "cmyk-mft1", "cmyk-mft2", "cmyk-mft2-pale-black", "cmyk-mAB", "5clr-mft2",
  ]

  @Test(arguments: presses) func channelsAreThoseOfTheTables(_ name: String) throws {
    let press = try Fixtures.profile(name)
    for intent in RenderingIntent.allCases {
      let rendering = ProfileRendering(
        intent: intent, blackPointCompensation: intent == .relativeColorimetric)
      let exact = try ICCTransform(
        from: .space(.sRGB), to: .profile(press), intent: intent,
        blackPointCompensation: rendering.blackPointCompensation)
      let found = try Self.values(Self.picture().inks(by: press, rendering: rendering).render())
      var worst = 0.0
      for (color, found) in zip(Self.colors, found) {
        for (a, b) in zip(found, exact(color.map(Double.init))) {
          worst = larger(worst, abs(Double(a) - b))
        }
      }
      #expect(worst <= Self.bound, "\(name), \(intent): \(worst)")
    }
  }

  @Test func tilesAndThreadsChangeNoBit() throws {
    let inks = try Self.picture().inks(by: Fixtures.profile("5clr-mft2"))
    let whole = try inks.render()
    for (tile, threads) in [(1, 1), (7, 2), (64, 3)] {
      var options = RenderOptions()
      (options.tile, options.threads) = (PixelSize(tile, tile), threads)
      #expect(try inks.render(options: options).sampleBytes == whole.sampleBytes)
    }
  }

  /// Rows that wait for other plates are counted: at most those of two bands.
  @Test func memoryCountsTheRowsOfTallTiles() throws {
    // Rows of 64 bytes, which bitmaps do not pad.
    let size = PixelSize(16, 4000)
    let plain = Picture(
      SolidColor(ColorPoint(0.2, 0.5, 0.3, in: .sRGB), in: .sRGB), in: .sRGB)
    let inks = try plain.cropped(to: Region(size)).inks(by: Fixtures.profile("cmyk-mft2"))
    var options = RenderOptions()
    (options.threads, options.memoryLimit) = (1, 1)
    func neededBytes(_ render: () throws -> Void) throws -> Int {
      do { try render() } catch RenderError.tooMuchMemory(let bytes, _) { return bytes }
      throw Failure("It takes no memory.")
    }
    for (height, waiting) in [(4000, 4000), (2500, 4000), (1000, 2000), (10, 20)] {
      options.tile = PixelSize(16, height)
      let plates = try neededBytes {
        let results = inks.plates.map {
          BandedResult($0, channels: .rgb, as: .uint8, alpha: .straight)
        }
        _ = try BandRendering(results, options: options)
      }
      let whole = try neededBytes { _ = try inks.render(as: .uint8, options: options) }
      // The bitmap and the waiting rows, with four bytes per pixel.
      #expect(whole - plates == 4 * 16 * (4000 + waiting), "\(height)")
    }
  }

  // MARK: - Files

  @Test(arguments: presses, [SampleFormat.uint8, .uint16, .float32])
  func tiffFilesHoldWhatWasRendered(_ name: String, _ samples: SampleFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("inks.tif")
    let press = try Fixtures.profile(name)
    let inks = try Self.picture().inks(by: press)
    let report = try inks.write(to: path, samples: samples)
    #expect(report.notes.isEmpty && report.clippedSamples == 0)
    #expect(report.sampleCount == 400 * inks.count)

    let file = try OpenedImageFile(path)
    let stored = try #require(file.info.inks)
    #expect(stored.names == press.inkNames && stored.format == samples)
    #expect(file.info.profile?.bytes == press.bytes)
    let read = try #require(try file.inkPicture())
    #expect(read.profile == press && read.names == inks.names && read.size == inks.size)
    #expect(try read.render(as: samples).sampleBytes == inks.render(as: samples).sampleBytes)

    // Converted to colors they are those of the profile.
    let exact = try ICCTransform(from: .profile(press), to: .space(.proPhoto))
    let values = try Self.values(read.render())
    let colors = try Picture(contentsOf: path).render(as: Float.self)
    for (index, inks) in values.enumerated() {
      for (channel, expected) in exact(inks.map(Double.init)).enumerated() {
        let found = Double(colors[index % 20, index / 20, channel])
        #expect(abs(found - expected) <= 2 * Self.bound, "\(name), \(samples), \(index)")
      }
    }
  }

  /// Bytes are those of the file, without one.
  @Test(arguments: [ImageFileFormat.tiff, .jpeg])
  func inkChannelsAreEncodedAsTheyAreWritten(format: ImageFileFormat) async throws {
    let inks = try Self.picture().inks(by: Fixtures.profile("cmyk-mft2"))
    let folder = try TemporaryFolder()
    let path = folder.path("inks")
    let write = { try inks.write(to: path, as: format, samples: .uint8) }
    let report = try write()
    let file = try Array(Data(contentsOf: URL(filePath: path)))
    let encode = { try inks.encodedWithReport(as: format, samples: .uint8) }
    let encoded = try encode()
    #expect(encoded.bytes == file && encoded.report == report)
    #expect(try await inks.encoded(as: format, samples: .uint8) == file)
    #expect(try await inks.write(to: path, as: format, samples: .uint8) == report)
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == file)
    var options = RenderOptions()
    options.isCancelled = { true }
    let cancelled = options
    await #expect(throws: ImageFileError.rendering(.cancelled)) {
      try await inks.encoded(as: format, options: cancelled)
    }
  }

  /// A bitmap of ink channels has no profile, so the error names the picture that has one.
  @Test func bitmapsOfInkChannelsAreNotWritten() throws {
    let inks = try Self.picture().inks(by: Fixtures.profile("cmyk-mft2"))
    let bitmap = try inks.render(as: .uint8)
    let error = try #require(
      #expect(throws: ImageFileError.self) { try ImageFile.encode(bitmap, as: .tiff) })
    #expect(error == .unsupportedChannels(.cmyk, format: .tiff))
    #expect("\(error)".contains("InkPicture") && !"\(error)".contains("cannot hold"))
  }

  /// The histogram is left out.
  @Test func sumsOfInksAreDescribedInOneLine() throws {
    let inks = try Self.picture().inks(by: Fixtures.profile("cmyk-mft2"))
    let measured = try inks.coverage(limit: 300)
    let sums = "\(measured)"
    #expect(sums.hasPrefix("up to ") && sums.hasSuffix("above 300.0 %"))
    #expect(sums.count < 100)
  }

  @Test func jpegFilesHoldCMYKWithAdobesMarker() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("inks.jpg")
    let press = try Fixtures.profile("cmyk-mft2")
    // Smooth, as blocks of noise lose more.
    let picture = Picture(
      Bitmap<Float>(PixelSize(64, 48), in: .sRGB, channels: .rgb) { x, y in
        [Float(x) / 63, Float(y) / 47, 0.5]
      })
    let inks = try picture.inks(by: press)
    var writing = WritingOptions()
    writing.quality = 100
    writing.metadata.resolution = ImageMetadata.Resolution(
      horizontal: 300, vertical: 300, unit: .inch)
    try inks.write(to: path, writing: writing)
    #expect(try ImageFile.info(path).metadata.resolution?.horizontal == 300)
    let bytes = try Peers.bytes(path)
    // APP14 of 14 bytes, “Adobe”; the last byte says how colors are transformed: not at all.
    let marker = try #require(
      bytes.indices.first {
        bytes[$0...].starts(with: [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8))
      })
    #expect(bytes[marker + 15] == 0)
    let file = try OpenedImageFile(path)
    #expect(file.info.profile?.bytes == press.bytes && file.info.inks?.names.count == 4)
    let read = try #require(try file.inkPicture()).render(as: .uint8).sampleBytes
    let steps = zip(read, try inks.render(as: .uint8).sampleBytes).map { abs(Int($0) - Int($1)) }
    // The coefficients of quality 100 are rounded to whole numbers: a code or two.
    #expect(steps.max() ?? 9 <= 2)
  }

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed"))
  func pillowReadsTheSameChannels() throws {
    let folder = try TemporaryFolder()
    let press = try Fixtures.profile("cmyk-mft2")
    let inks = try Self.picture().inks(by: press)
    var writing = WritingOptions()
    writing.quality = 100
    for name in ["inks.tif", "inks.jpg"] {
      try inks.write(to: folder.path(name), samples: .uint8, writing: writing)
    }
    let found = try Peers.pillowPixels([folder.path("inks.tif"), folder.path("inks.jpg")])
    #expect(try found[0] == inks.render(as: .uint8).sampleBytes)
    let read = try #require(try OpenedImageFile(folder.path("inks.jpg")).inkPicture())
    #expect(try found[1] == read.render(as: .uint8).sampleBytes)
    let sizes = try Peers.pillow(
      "for name in sys.argv[1:]: print(len(Image.open(name).info['icc_profile']), Image.open(name).mode)",
      [folder.path("inks.tif"), folder.path("inks.jpg")])
    let line = "\(press.bytes.count) CMYK\n"
    #expect(String(decoding: sizes, as: UTF8.self) == line + line)
  }

  @Test(.enabled(if: Client("tiffinfo").isPresent, "libtiff-tools are not installed"))
  func tiffinfoNamesTheInks() throws {
    let folder = try TemporaryFolder()
    let five = folder.path("five.tif")
    try Self.picture().inks(by: Fixtures.profile("5clr-mft2")).write(to: five)
    let text = try Client("tiffinfo").run(five)
    #expect(text.contains("Photometric Interpretation: separated"), "\(text)")
    #expect(text.contains("InkSet: 2"), "\(text)")
    #expect(text.contains("ink 1") && text.contains("ink 5"), "\(text)")
  }

  @Test func storedChannelsAreMovedAsTheyAre() throws {
    let folder = try TemporaryFolder()
    let (path, copy) = (folder.path("inks.tif"), folder.path("copy.tif"))
    let press = try Fixtures.profile("5clr-mft2")
    let inks = try Self.picture().inks(by: press)
    try inks.write(to: path, samples: .uint16)
    let read = try #require(try OpenedImageFile(path).inkPicture())
    try read.write(to: copy, samples: .uint16)
    let again = try #require(try OpenedImageFile(copy).inkPicture())
    #expect(
      try again.render(as: .uint16).sampleBytes == inks.render(as: .uint16).sampleBytes)
    let part = Region(x: 3, y: 5, width: 9, height: 4)
    let moved = read.mapChannels { $0.cropped(to: part).flipped() }
    let expected = inks.mapChannels { $0.cropped(to: part).flipped() }
    #expect(moved.size == PixelSize(9, 4))
    #expect(
      try moved.render(as: .uint16).sampleBytes == expected.render(as: .uint16).sampleBytes)
    // Resizing averages ink channel values, not linear light: a uniform field is unchanged.
    let plain = try Picture(
      SolidColor(ColorPoint(0.2, 0.5, 0.3, in: .sRGB), in: .sRGB), in: .sRGB
    ).cropped(to: Region(PixelSize(8, 8))).inks(by: press)
    let field = try Self.values(plain.render())
    let small = try Self.values(plain.mapChannels { $0.resized(to: .exact(3, 3)) }.render())
    for value in small { for (a, b) in zip(value, field[0]) { #expect(abs(a - b) < 1e-6) } }
    // A thumbnail is converted to sRGB, which is undone: single precision has 2⁻²⁴ of a value.
    let thumbnail = try Self.values(plain.mapChannels { $0.thumbnail(3) }.render())
    for value in thumbnail { for (a, b) in zip(value, field[0]) { #expect(abs(a - b) < 2e-6) } }
  }

  @Test func filesOfInksAreDescribedWithoutAProfile() throws {
    let path = Fixtures.url("Images/cmyk-no-profile.jpg").path
    let info = try ImageFile.info(path)
    #expect(info.inks?.names == ["cyan", "magenta", "yellow", "black"])
    #expect(info.profile == nil)
    let inks = try #require(try OpenedImageFile(path).inkPicture())
    #expect(inks.profile == nil)
    #expect(throws: ImageFileError.inks(file: path)) { try Picture(contentsOf: path) }
    let error = #expect(throws: ImageFileError.self) {
      try Picture(contentsOf: path, assumingInks: Fixtures.profile("5clr-mft2"))
    }
    #expect(error?.description.contains("4 ink channels") == true)
    #expect(error?.description.contains("5 channels") == true)
  }

  @Test func profilesAreReplacedAndLeftOut() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("inks.tif")
    let inks = try Self.picture().inks(by: Fixtures.profile("cmyk-mft2"))
    var writing = WritingOptions()
    writing.profile = try Fixtures.profile("cmyk-mAB")
    try inks.write(to: path, writing: writing)
    #expect(try ImageFile.info(path).profile == writing.profile)
    writing.isUntagged = true
    try inks.write(to: path, writing: writing)
    #expect(try ImageFile.info(path).profile == nil)
    writing.isUntagged = false
    writing.profile = try ICCProfile(describing: .displayP3)
    #expect(throws: ImageFileError.self) { try inks.write(to: path, writing: writing) }
    // Pictures of colors take a profile of three channels, byte for byte, and no other statement contradicts it.
    for format in ImageFileFormat.all where format.statesColor && format != .openEXR {
      let name = "a.\(format.fileExtensions[0])"
      for (space, other) in [(ColorSpace.sRGB, ColorSpace.displayP3), (.displayP3, .sRGB)] {
        writing.profile = try ICCProfile(describing: other, version: .v2)
        try Self.picture().tagged(as: space).write(to: folder.path(name), writing: writing)
        let info = try ImageFile.info(folder.path(name))
        // libjxl writes its own name for a space that it recognizes in a profile.
        if format.name != "JPEG XL" {
          #expect(info.profile?.bytes == writing.profile?.bytes, "\(name)")
        }
        #expect(try Picture(contentsOf: folder.path(name)).space == other, "\(name)")
      }
      writing.profile = try Fixtures.profile("cmyk-mAB")
      #expect(throws: ImageFileError.self) {
        try Self.picture().write(to: folder.path(name), writing: writing)
      }
    }
    writing.profile = try ICCProfile(describing: .displayP3)
    #expect(throws: ImageFileError.unsupportedProfile(format: .openEXR)) {
      try Self.picture().converted(to: .linearSRGB).write(
        to: folder.path("a.exr"), writing: writing)
    }
  }

  @Test func whatCannotBeWrittenIsRefused() throws {
    let folder = try TemporaryFolder()
    let (four, five) = try (Fixtures.profile("cmyk-mft2"), Fixtures.profile("5clr-mft2"))
    func refusal(_ picture: Picture, _ press: ICCProfile, _ name: String) throws -> String {
      let path = folder.path(name)
      let error = #expect(throws: ImageFileError.self) {
        try picture.inks(by: press).write(to: path)
      }
      #expect(!FileManager.default.fileExists(atPath: path))
      return error?.description ?? ""
    }
    #expect(try refusal(Self.picture(), four, "a.png").contains("PNG files hold no CMYK"))
    #expect(try refusal(Self.picture(), five, "a.jpg").contains("this picture has 5"))
    let glass = Picture(
      Bitmap<Float>(PixelSize(2, 2), in: .sRGB, channels: .rgba) { _, _ in [0.5, 0.5, 0.5, 0.5] })
    #expect(try refusal(glass, four, "a.tif").contains("transparency"))
    let display = try ICCProfile(describing: .sRGB)
    #expect(throws: ICCProfileError.self) { try Self.picture().inks(by: display) }
    var oneWay = TableProfile.profile(.mft2, space: "CMYK", channels: 4, version: 2)
    (oneWay.tags["B2A0"], oneWay.tags["B2A1"]) = (nil, nil)
    let scanner = try ICCProfile(bytes: oneWay.bytes)
    let error = #expect(throws: ICCProfileError.self) { try Self.picture().inks(by: scanner) }
    #expect(error?.description.contains("B2A0") == true)
  }

  /// Every byte of the directory and its values in turn becomes others: errors are typed, and nothing traps.
  @Test func damagedFilesAreErrorsOrPictures() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("five.tif")
    let small = Self.picture().cropped(to: Region(PixelSize(5, 4)))
    try small.inks(by: Fixtures.profile("5clr-mft2")).write(to: path, samples: .uint8)
    let intact = try Peers.bytes(path)
    let directory = intact.withUnsafeBytes {
      Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
    }
    var limits = FileLimits()
    limits.pixels = 1 << 16
    for place in directory..<min(directory + 260, intact.count) {
      for value: UInt8 in [0, 1, 0xFF, intact[place] ^ 0x10] {
        var damaged = intact
        damaged[place] = value
        try Peers.write(damaged, path)
        do throws(ImageFileError) {
          let file = try OpenedImageFile(path, limits: limits)
          _ = try? file.inkPicture()?.render(as: .uint8)
          _ = try? file.picture(assuming: .sRGB).render(as: UInt8.self)
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
  }

  // MARK: - Total area coverage

  @Test func coverageIsTheSumOfAllChannels() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("inks.tif")
    let press = try Fixtures.profile("cmyk-mft2")
    let inks = try Self.picture().inks(by: press)
    try inks.write(to: path, samples: .float32)
    let read = try #require(try OpenedImageFile(path).inkPicture())
    let sums = try Self.values(read.render()).map { 100 * Double($0.reduce(0, +)) }.sorted()
    let limit = sums[300] + 0.01
    let coverage = try read.coverage(limit: limit)
    // Sums of four values in single precision.
    #expect(abs(coverage.maximum - sums[399]) < 1e-4)
    #expect(abs(coverage.mean - sums.reduce(0, +) / 400) < 1e-4)
    #expect(abs(coverage.percentile(0.5) - sums[199]) <= 0.051)
    #expect(abs(coverage.percentile(1) - sums[399]) <= 0.051)
    #expect(coverage.percentile(.nan).isNaN)
    #expect(coverage.partAboveLimit == Double(sums.filter { $0 > limit + 1e-3 }.count) / 400)
  }

  @Test func inkNamesAreThoseThatTheProfileLists() throws {
    var profile = TableProfile.profile(.mft2, space: "6CLR", channels: 6, version: 4)
    func name(_ text: String) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: 38 - text.utf8.count)
    }
    let names = ["Cyan", "Magenta", "Yellow", "Black", "Orange", "Green"]
    profile.tags["clrt"] =
      Array("clrt".utf8) + [0, 0, 0, 0] + ParsedProfile.bytes(6) + names.flatMap(name)
    let press = try ICCProfile(bytes: profile.bytes)
    #expect(press.inkNames == names && press.isOfInks)
    let folder = try TemporaryFolder()
    let path = folder.path("six.tif")
    try Self.picture().inks(by: press).write(to: path, samples: .uint8)
    let info = try ImageFile.info(path)
    #expect(info.inks?.names == names)
    #expect(info.inks.map { "\($0)" } == "6 ink channels (\(names.joined(separator: ", ")))")
    // A damaged list is none.
    profile.tags["clrt"] = Array("clrt".utf8) + [0, 0, 0, 0] + ParsedProfile.bytes(6)
    #expect(try ICCProfile(bytes: profile.bytes).inkNames.first == "ink 1")
  }
}
