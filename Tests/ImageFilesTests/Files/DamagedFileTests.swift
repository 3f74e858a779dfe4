import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// A damaged file of any format is an error with a message, or a picture, but no crash or hang.
@Suite struct DamagedFileTests {
  struct File: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) { (testDescription, self.bytes) = (name, bytes) }
  }

  /// A small file of each format and sample format, and some that only other programs write.
  static let files: [File] = {
    var files = FormatRoundTripTests.Form.all
      .filter { $0.arrangement == .interleaved && $0.channels == .rgb }
      .map { form in
        var options = WritingOptions()
        options.isUntagged = !form.format.statesColor
        let bytes = try? ImageFile.encode(
          form.bitmap(PixelSize(9, 7)), as: form.format, options: options)
        return File(form.testDescription, bytes ?? [])
      }
    var options = WritingOptions()
    options.isProgressive = true
    let photo = AnyBitmap(Bitmap<UInt8>(PixelSize(20, 18), in: .adobeRGB, channels: .rgb))
    files.append(
      File("progressive JPEG", (try? ImageFile.encode(photo, as: .jpeg, options: options)) ?? []))
    files += [
      File("PBM in letters", Array("P1\n3 2\n101\n0 1 0\n".utf8)),
      File("PPM in letters", Array("P3\n# two\n2 1 100\n1 2 3 100 99 50\n".utf8)),
      File("PGM of 1000 steps", Array("P5 2 1 1000\n".utf8) + [3, 232, 0, 1]),
    ]
    for isPlanar in [false, true] {
      var tiff = TestTIFF(width: 20, height: 9, bits: 4, samplesPerPixel: 1, kind: 3) { x, y, _ in
        (x + y) & 15
      }
      tiff.isPlanar = isPlanar
      tiff.tile = isPlanar ? (16, 16) : nil
      tiff.shorts[320] = (0..<48).map { $0 * 1000 }
      files.append(File("TIFF with a palette, \(isPlanar ? "tiles" : "strips")", tiff.bytes))
    }
    return files
  }()

  private func read(_ bytes: [UInt8]) throws(ImageFileError) -> AnyBitmap {
    var limits = FileLimits()
    limits.pixels = 1 << 20
    return try ImageFile.read(bytes: bytes, assuming: .sRGB, limits: limits)
  }

  @Test(arguments: files)
  func noTruncationCrashes(file: File) throws {
    let bytes = file.bytes
    _ = try read(bytes)
    for count in 0..<bytes.count {
      do throws(ImageFileError) {
        _ = try read(Array(bytes.prefix(count)))
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    // A profile may follow the pixels, and the color space that is assumed then replaces a damaged one.
    #expect(throws: ImageFileError.self) { try read(Array(bytes.prefix(bytes.count / 4))) }
  }

  @Test(arguments: files)
  func noWrongByteCrashes(file: File) throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      var damaged = file.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      _ = try? read(damaged)
    }
  }
}
