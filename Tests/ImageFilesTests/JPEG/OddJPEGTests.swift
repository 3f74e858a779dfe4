import CLibJPEG
import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// JPEG variants that few programs write and many read.
@Suite struct OddJPEGTests {
  private static func picture(_ x: Int, _ y: Int) -> [UInt8] {
    [UInt8(40 + 4 * x), UInt8(250 - 7 * y), UInt8((x * y / 3) & 255)]
  }

  private static let files: [(name: String, bytes: [UInt8])] = {
    func file(_ name: String, _ change: (inout TestJPEG) -> Void) -> (name: String, bytes: [UInt8])
    {
      var jpeg = TestJPEG(pixel: picture)
      change(&jpeg)
      return (name, jpeg.bytes)
    }
    var files = [
      file("4:4:4") { _ in }, file("4:2:2") { $0.sampling = (2, 1) },
      file("4:2:0") { $0.sampling = (2, 2) }, file("4:1:1") { $0.sampling = (4, 1) },
      file("4:4:0") { $0.sampling = (1, 2) }, file("4:1:0") { $0.sampling = (4, 2) },
      file("progressive 4:2:0") {
        $0.sampling = (2, 2)
        $0.isProgressive = true
      },
      file("arithmetic") { $0.isArithmetic = true },
      file("progressive and arithmetic") {
        $0.isArithmetic = true
        $0.isProgressive = true
      },
      file("restart after each block") { $0.restartInterval = 1 },
      file("restart after five blocks, 4:2:0") {
        $0.restartInterval = 5
        $0.sampling = (2, 2)
      },
      file("RGB as it is, by Adobe's mark") {
        $0.stored = JCS_RGB
        $0.hasAdobeMarker = true
      },
      file("a scan for each component") { $0.hasScanPerComponent = true },
      file("arithmetic, a scan for each component") {
        $0.isArithmetic = true
        $0.hasScanPerComponent = true
      },
      file("gray") {
        $0.given = JCS_GRAYSCALE
        $0.stored = JCS_GRAYSCALE
        $0.pixel = { [Self.picture($0, $1)[0]] }
      },
      file("of one pixel") { $0.size = PixelSize(1, 1) },
      file("the worst quality") { $0.quality = 1 },
    ]
    files.append(("with bytes after its end", files[0].1 + Array("and more\u{0}\u{1}".utf8)))
    // Segments may be preceded by any number of fill bytes (255).
    files.append(
      ("with filled segments", [0xFF, 0xD8, 0xFF, 0xFF, 0xFF] + files[0].1.dropFirst(3)))
    return files
  }()

  /// Both use the same library, or a newer version that decodes equally.
  @Test(.enabled(if: Peers.vips.isPresent, "libvips-tools are not installed"))
  func libvipsDecodesTheSame() throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in Self.files {
      let file = folder.path("odd.jpg")
      try Peers.write(bytes, file)
      let ours = try ImageFile.read(file, assuming: .sRGB).sampleBytes
      #expect(try ours == Peers.vipsPixels(file), "\(name)")
    }
  }

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed"))
  func pillowDecodesTheSame() throws {
    let folder = try TemporaryFolder()
    let paths = try Self.files.enumerated().map { index, file in
      try Peers.write(file.bytes, folder.path("\(index).jpg"))
      return folder.path("\(index).jpg")
    }
    for ((name, bytes), theirs) in zip(Self.files, try Peers.pillowPixels(paths)) {
      let ours = try ImageFile.read(bytes: bytes, assuming: .sRGB).sampleBytes
      #expect(ours == theirs, "\(name)")
    }
  }

  /// Every variant decodes to the encoded picture.
  @Test func decodedPicturesAreCloseToTheOriginal() throws {
    for (name, bytes) in Self.files where !name.contains("worst") {
      let bitmap = try ImageFile.read(bytes: bytes, assuming: .sRGB)
      guard case .uint8(let read) = bitmap else { throw Failure("\(name): \(bitmap.format)") }
      var sum = 0
      for y in 0..<read.size.height {
        for x in 0..<read.size.width { sum += abs(Int(read[x, y, 0]) - Int(Self.picture(x, y)[0])) }
      }
      // Chroma subsampled by 8, at quality 90, costs red 4 codes on average.
      #expect(sum <= 8 * read.size.pixelCount, "\(name): \(sum)")
    }
  }

  // Orientations.

  private static func turned(_ orientation: Orientation) -> [UInt8] {
    var jpeg = TestJPEG(pixel: picture)
    jpeg.segments = [JPEGTests.exif(TestEXIF(orientation: orientation.rawValue, colorSpace: 1))]
    return jpeg.bytes
  }

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed"))
  func pillowOrientsFilesTheSameWay() throws {
    let folder = try TemporaryFolder()
    let paths = try Orientation.allCases.map { orientation in
      let path = folder.path("\(orientation.rawValue).jpg")
      try Peers.write(Self.turned(orientation), path)
      return path
    }
    for (path, theirs) in zip(paths, try Peers.pillowPixels(paths)) {
      #expect(try ImageFile.read(path).sampleBytes == theirs, "\(path)")
    }
  }

  // CMYK.

  private static let profile = TableProfile.profile(
    .mft2, space: "CMYK", channels: 4, version: 2
  ).bytes

  /// The storage of CMYK: with Adobe's marker and without, and as YCCK.
  enum Inks: CaseIterable { case marked, unmarked, chroma }

  /// Areas of one color each, so that compression loses little.
  private static func inks(_ x: Int, _ y: Int) -> [UInt8] {
    let (column, row) = (x / 16, y / 16)
    return [UInt8(column * 50), UInt8(row * 60), UInt8(20 + column * row * 10), UInt8(column * 20)]
  }

  private static func file(_ inks: Inks, quality: Int) -> [UInt8] {
    var jpeg = TestJPEG(size: PixelSize(64, 64), given: JCS_CMYK, quality: quality) { x, y in
      Self.inks(x, y).map { 255 - $0 }
    }
    jpeg.stored = inks == .chroma ? JCS_YCCK : JCS_CMYK
    jpeg.hasAdobeMarker = inks != .unmarked
    jpeg.segments = [JPEGTests.profilePart(1, of: 1, profile[...])]
    return jpeg.bytes
  }

  /// The conversion of CMYK values to ProPhoto RGB, as floats.
  private static func light(_ inks: [UInt8]) throws -> [Float] {
    let transform = try ICCTransform(
      from: .profile(ICCProfile(bytes: profile)), to: .space(.proPhoto),
      intent: .relativeColorimetric)
    let amounts = inks.map { Float($0) / 255 }
    var light = [Float](repeating: 0, count: amounts.count / 4 * 3)
    var target = light.mutableSpan
    transform(amounts.span, into: &target)
    return light
  }

  private func floats(_ bytes: [UInt8]) throws -> [Float] {
    guard case .float32(let bitmap) = try ImageFile.read(bytes: bytes) else {
      throw Failure("Inks did not become floats.")
    }
    return (0..<bitmap.size.height).flatMap { bitmap.row($0) }
  }

  private func check(_ bytes: [UInt8], inks: [UInt8]) throws {
    let steps = zip(try floats(bytes), try Self.light(inks)).map { abs($0 - $1) }
    // Files are converted in single precision; an ink code is more than a hundred times that.
    #expect(steps.count == 64 * 64 * 3 && steps.reduce(0, larger) < 1e-5)
  }

  @Test(arguments: Inks.allCases)
  func cmykIsConvertedByItsProfile(inks: Inks) throws {
    let read = try floats(Self.file(inks, quality: 100))
    let stored = (0..<64).flatMap { y in (0..<64).flatMap { x in Self.inks(x, y) } }
    let steps = zip(read, try Self.light(stored)).map { abs($0 - $1) }
    // Chroma is rounded, by at most 2 of 255 codes; where the profile is steepest an ink code is 0.006 in linear light.
    #expect(steps.count == 64 * 64 * 3 && steps.reduce(0, larger) < 0.02)
  }

  @Test(
    .enabled(if: Peers.vips.isPresent, "libvips-tools are not installed"),
    arguments: Inks.allCases)
  func cmykEqualsLibvips(inks: Inks) throws {
    let folder = try TemporaryFolder()
    let bytes = Self.file(inks, quality: 80)
    try Peers.write(bytes, folder.path("inks.jpg"))
    try check(bytes, inks: Peers.vipsPixels(folder.path("inks.jpg")))
  }

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed"), arguments: Inks.allCases)
  func cmykEqualsPillow(inks: Inks) throws {
    let folder = try TemporaryFolder()
    let bytes = Self.file(inks, quality: 80)
    try Peers.write(bytes, folder.path("inks.jpg"))
    let theirs = try Peers.pillowPixels([folder.path("inks.jpg")])
    try check(bytes, inks: theirs[0])
  }

  // Damage.

  /// libjpeg decodes a component without a scan as 0, and does not warn.
  @Test(arguments: 0..<3, [false, true])
  func componentsWithoutScansAreDamage(component: Int, isArithmetic: Bool) throws {
    var jpeg = TestJPEG(pixel: Self.picture)
    (jpeg.hasScanPerComponent, jpeg.isArithmetic) = (true, isArithmetic)
    var bytes = jpeg.bytes
    let starts = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    try #require(starts.count == 3)
    let start = starts[component]
    // In coded data, 0xFF is followed by 0.
    let end = try #require(
      bytes.indices.dropLast().first { $0 > start && bytes[$0] == 0xFF && bytes[$0 + 1] != 0 })
    bytes.removeSubrange(start..<end)
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.read(bytes: bytes, assuming: .sRGB)
    }
    #expect(error?.description.contains("no scan has its component \(component + 1) of 3") == true)

    let file = try OpenedImageFile(bytes: bytes, salvaging: true)
    _ = try file.picture(assuming: .sRGB).render(as: UInt8.self)
    let salvage = try #require(file.salvage)
    #expect(salvage.rows == jpeg.size.height && salvage.count == jpeg.size.height)
  }

  // Unsupported files.

  @Test func unsupportedFilesAreExplained() throws {
    let intact = TestJPEG(pixel: Self.picture).bytes
    let frame = try #require(
      intact.indices.first { intact[$0...].starts(with: [0xFF, 0xC0]) })
    var (deep, lossless) = (intact, intact)
    deep[frame + 1] = 0xC1
    deep[frame + 4] = 12
    lossless[frame + 1] = 0xC3
    for bytes in [deep, lossless] {
      let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: bytes) }
      guard case .unsupportedStorage = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.description.contains("8 bits") == true)
    }
    // JPEG-LS, a height that follows in DNL, and more pixels than libjpeg reads are no damage either.
    var (lossy, late, large) = (intact, intact, intact)
    lossy[frame + 1] = 0xF7
    late.replaceSubrange(frame + 5..<frame + 7, with: [0, 0])
    large.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xFF, 0xFF, 0xFF])
    for bytes in [lossy, late, large] {
      let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: bytes) }
      guard case .unsupportedStorage = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    var empty = intact
    empty.replaceSubrange(frame + 7..<frame + 9, with: [0, 0])
    let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: empty) }
    guard case .damaged = error else { throw Failure("\(String(describing: error))") }
  }
}
