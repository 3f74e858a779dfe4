import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Whether the package is built with its trait RAW.
enum TraitRAW {
  #if RAW
    static let isOn = true
  #else
    static let isOn = false
  #endif
}

/// Camera raw files through libraw, on DNG files of known numbers.
@Suite(.enabled(if: TraitRAW.isOn, "The package is built without its trait RAW."))
struct CameraRAWTests {
  /// The factors that balance the camera's white, green's as 1.
  private let balance = [10_000.0 / 5000, 1, 10_000.0 / 8000]

  /// A value of 16 bits by libraw, which rounds down after it has made the largest factor 1, read as light with the least factor as 1.
  private var code: Double { 2 / 65_535 }

  private func light(_ bytes: [UInt8]) throws -> Bitmap<Float> {
    guard case .float32(let bitmap) = try ImageFile.read(bytes: bytes) else {
      throw ImageFileError.unsupportedSamples(.float32, format: .tiff)
    }
    return bitmap
  }

  @Test(arguments: [[256, 256, 256], [200, 300, 260]])
  func linearColorsAreLightBetweenTheLevels(black: [Int]) throws {
    var dng = TestDNG { x, y, channel in
      [1000 + 200 * x, 2000 + 250 * y, 500 + 100 * (x + y)][channel]
    }
    dng.black = black
    let light = try light(dng.bytes)
    #expect(light.size == PixelSize(64, 48) && light.channels == .rgb)
    for y in 0..<48 {
      for x in 0..<64 {
        for channel in 0..<3 {
          let above = Double(dng.sample(x, y, channel) - black[channel])
          let expected = above / Double(dng.white - black[channel]) * balance[channel]
          // And single precision of the factors.
          let bound = 1.02 * code + 1e-6 * expected
          #expect(abs(Double(light[x, y, channel]) - expected) <= bound, "\(x), \(y), \(channel)")
        }
      }
    }
  }

  @Test(arguments: [[256, 256, 256, 256], [200, 300, 300, 256]])
  func aMosaicOfOneColorIsThatColor(black: [Int]) throws {
    var dng = TestDNG(isMosaic: true) { _, _, color in [2256, 6256, 3256][color] }
    dng.black = black
    let levels = [black[0], black[1], black[3]]
    let light = try light(dng.bytes)
    for y in 0..<48 {
      for x in 0..<64 {
        for channel in 0..<3 {
          let above = Double([2256, 6256, 3256][channel] - levels[channel])
          let expected = above / Double(dng.white - levels[channel]) * balance[channel]
          #expect(abs(Double(light[x, y, channel]) - expected) <= 1.02 * code + 1e-6)
        }
      }
    }
  }

  /// The matrix of the file makes the camera's white of white, and one channel of each primary.
  @Test func theColorSpaceIsThatOfTheMatrix() throws {
    let dng = TestDNG { _, _, _ in 1000 }
    guard case .space(let space, _) = try ImageFile.info(bytes: dng.bytes).color else {
      Issue.record("It states no space.")
      return
    }
    #expect(space.transfer.isLinear && space.name.contains("Test Camera"))
    let rows = (0..<3).map { row in
      SIMD3((0..<3).map { Double(dng.matrix[3 * row + $0]) / 10_000 })
    }
    let camera = ColorMatrix(rows: rows[0], rows[1], rows[2]) * space.primaries.toXYZ
    let white = camera * SIMD3<Double>(1, 1, 1)
    for channel in 0..<3 {
      // Numbers of single precision through an inverse.
      #expect(abs(white[channel] / white.y - Double(dng.neutral[channel]) / 10_000) < 1e-5)
      for other in 0..<3 where other != channel {
        #expect(abs(camera.rows[channel][other]) < 1e-5)
      }
    }
    // The camera's white is the white of every other space.
    let gray = TestDNG { _, _, channel in 256 + [1000, 2000, 1600][channel] }
    let shown = try Picture(bytes: gray.bytes).converted(to: .linearSRGB).render(as: Float.self)
    let value = Double(shown[9, 9, 1])
    #expect(abs(value - 2000 / Double(gray.white - 256)) < 2 * code)
    // Conversions keep white exactly; codes of the channels differ by one.
    #expect(
      abs(Double(shown[9, 9, 0]) - value) < 4 * code
        && abs(Double(shown[9, 9, 2]) - value) < 4 * code)
  }

  @Test(arguments: [false, true])
  func fewerPixelsAreReadOnRequest(isMosaic: Bool) throws {
    let dng = TestDNG(isMosaic: isMosaic) { _, _, color in [2256, 6256, 3256][color] }
    let picture = try Picture(bytes: dng.bytes)
    let whole = try light(dng.bytes)
    for (target, size) in [
      (PixelSize(32, 24), PixelSize(32, 24)), (PixelSize(10, 9), PixelSize(16, 12)),
    ] {
      let reduced = try picture.reduced(toAtLeast: target).render(as: Float.self)
      #expect(reduced.size == size)
      for channel in 0..<3 {
        #expect(abs(Double(reduced[5, 5, channel] - whole[5, 5, channel])) <= 1e-6)
      }
    }
  }

  @Test func picturesAreTurnedUpright() throws {
    var dng = TestDNG { x, y, _ in 1000 + (x < 8 && y < 8 ? 8000 : 0) }
    dng.orientation = 6
    let info = try ImageFile.info(bytes: dng.bytes)
    #expect(info.storedSize == PixelSize(64, 48) && info.size == PixelSize(48, 64))
    let light = try light(dng.bytes)
    // The upper left corner turns to the upper right.
    #expect(light[44, 3, 1] > 0.5 && light[3, 3, 1] < 0.1)
  }

  /// A scan of a negative by a camera, from the file to the scene.
  @Test func negativesAreDevelopedFromRawFiles() throws {
    let film = try FilmRollFixture.film()
    let scan = try Picture(FilmRollFixture.scene(0)).applying(NegativeExposure(undoneBy: film))
      .render(as: Float.self)
    var dng = TestDNG { x, y, channel in
      256 + Int((Double(scan[x, y, channel]) * 60_000).rounded())
    }
    (dng.width, dng.height, dng.white) = (scan.size.width, scan.size.height, 60_256)
    // The illuminant of the scanner is balanced already.
    dng.neutral = [10_000, 10_000, 10_000]
    let picture = try Picture(bytes: dng.bytes)
    let light = try picture.developed(FilmProcess.c41.film()).render(as: Float.self)
    let patch = FilmRollFixture.patch
    for channel in 0..<3 {
      // As from 16-bit files: a bin of white's transmittance, 0.06 %, is 0.1 % of its exposure.
      let value = Double(light[patch.x, patch.y, channel])
      #expect(abs(value - FilmRollFixture.gray) < 2e-3 * (FilmRollFixture.gray + 0.02))
    }
  }

  @Test func whatCannotBeReadIsAnError() throws {
    let dng = TestDNG(isMosaic: true) { _, _, _ in 1000 }
    var (unbalanced, unknown) = (dng, dng)
    unbalanced.neutral = []
    unknown.matrix = []
    #expect("\(try #require(failure(of: unbalanced.bytes)))".contains("AsShotNeutral"))
    #expect("\(try #require(failure(of: unknown.bytes)))".contains("matrix"))
    var limits = FileLimits(pixels: 1000)
    guard case .tooManyPixels? = failure(of: dng.bytes, limits) else {
      Issue.record("The limit of pixels does not hold.")
      return
    }
    limits = FileLimits()
    limits.memoryLimit = 1000
    guard case .tooMuchMemory? = failure(of: dng.bytes, limits) else {
      Issue.record("The limit of memory does not hold.")
      return
    }
    // Without its directory, or with a part of it, a file is nothing that can be read.
    for count in stride(from: 8, to: dng.bytes.count, by: 131) {
      #expect(failure(of: Array(dng.bytes.prefix(count))) != nil, "\(count)")
    }
    let folder = try TemporaryFolder()
    #expect(throws: ImageFileError.self) {
      try Picture(bytes: dng.bytes).write(to: folder.path("never-written.dng"))
    }
  }

  private func failure(
    of bytes: [UInt8], _ limits: FileLimits = FileLimits()
  ) -> ImageFileError? {
    do throws(ImageFileError) {
      _ = try ImageFile.read(bytes: bytes, limits: limits)
      return nil
    } catch { return error }
  }
}
