import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

private let pngcheck = Client("pngcheck")
private let jpeginfo = Client("jpeginfo")
private let tiffinfo = Client("tiffinfo")
private let exiftool = Client("exiftool")
private let vips = Peers.vips
private let magick = Client.imageMagick
private let ffmpeg = Client("ffmpeg")
private let hasPillow = Peers.hasPillow

/// Other programs read the same pixels from our files, and we from theirs.
@Suite struct ClientTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  /// All kinds of files that some formats, samples and channels combine to.
  private func files(
    _ format: ImageFileFormat, in space: ColorSpace = .displayP3
  ) throws -> [String] {
    var files: [String] = []
    for samples in format.samples {
      for channels in [Channels.gray, .grayAlpha, .rgb, .rgba]
      where format.channels.contains(channels) {
        let name = path("\(samples)-\(channels).\(format.fileExtensions[0])")
        try ImageFile.write(bitmap(channels, samples, in: space), to: name)
        files.append(name)
      }
    }
    return files
  }

  private func bitmap(
    _ channels: Channels, _ samples: SampleFormat, in space: ColorSpace = .displayP3
  ) -> AnyBitmap {
    let size = PixelSize(45, 31)
    return switch samples {
    case .uint8:
      .uint8(TestPictures.codes(as: UInt8.self, size, in: space, channels: channels))
    case .uint16:
      .uint16(TestPictures.codes(as: UInt16.self, size, in: space, channels: channels))
    case .float32:
      .float32(TestPictures.floats(size, in: space, channels: channels))
    default: .float16(Bitmap(size, in: space, channels: channels))
    }
  }

  // Validators find no errors.

  @Test(.enabled(if: pngcheck.isPresent, "pngcheck is not installed"))
  func pngcheckFindsNoError() throws {
    // In a space without code points: Debian 12's pngcheck does not know the cICP chunk.
    for file in try files(.png, in: .adobeRGB) { try pngcheck.run("-q", file) }
  }

  @Test(.enabled(if: jpeginfo.isPresent, "jpeginfo is not installed"))
  func jpeginfoFindsNoError() throws {
    for file in try files(.jpeg) { #expect(try jpeginfo.run("-c", file).contains("OK")) }
  }

  @Test(.enabled(if: tiffinfo.isPresent, "tiffinfo is not installed"))
  func tiffinfoFindsNoError() throws {
    for file in try files(.tiff) {
      let report = try tiffinfo.run("-D", file)
      #expect(report.contains("Image Width: 45 Image Length: 31"))
      #expect(!report.contains("Warning") && !report.contains("rror"), "\(file): \(report)")
    }
  }

  @Test(.enabled(if: exiftool.isPresent, "exiftool is not installed"))
  func exiftoolFindsTheProfile() throws {
    for format in [ImageFileFormat.png, .jpeg, .tiff] {
      let file = path("photo.\(format.fileExtensions[0])")
      try ImageFile.write(bitmap(.rgb, .uint8), to: file)
      #expect(
        try exiftool.run("-s3", "-ICC_Profile:ProfileDescription", file) == "Display P3\n",
        "\(format)")
    }
  }

  // The same pixels.

  private func expectSame(_ file: String, as copy: String) throws {
    let assumed = ColorSpace.displayP3
    let (ours, theirs) = try (
      ImageFile.read(file, assuming: assumed), ImageFile.read(copy, assuming: assumed)
    )
    #expect(ours.size == theirs.size)
    let (a, b): (Bitmap<UInt16>, Bitmap<UInt16>) = try (
      Picture(ours).tagged(as: .sRGB).render(), Picture(theirs).tagged(as: .sRGB).render()
    )
    #expect(a == b, "\(file)")
  }

  @Test(.enabled(if: vips.isPresent, "libvips-tools are not installed"))
  func vipsSeesOurPixels() throws {
    for (format, samples) in [
      (ImageFileFormat.png, SampleFormat.uint8), (.png, .uint16), (.tiff, .uint8),
      (.tiff, .uint16), (.jpeg, .uint8),
    ] {
      let (file, copy) = (path("ours.\(format.fileExtensions[0])"), path("theirs.ppm"))
      try ImageFile.write(bitmap(.rgb, samples), to: file)
      try vips.run("copy", file, copy)
      try expectSame(file, as: copy)
    }
  }

  @Test(.enabled(if: vips.isPresent, "libvips-tools are not installed"))
  func weSeeThePixelsOfVips() throws {
    let source = path("source.png")
    for (samples, endings) in [
      (
        SampleFormat.uint8,
        [
          ".png[interlace]", ".tif[tile,pyramid]", ".tif[compression=lzw,predictor=horizontal]",
          ".tif[compression=deflate,bigtiff]", ".tif[compression=packbits]", ".jpg[Q=80]",
          ".jpg[Q=95,subsample_mode=off,interlace]", ".jpg[optimize_coding,restart_interval=2]",
        ]
      ),
      (.uint16, [".png", ".tif[tile]", ".tif[compression=lzw,predictor=horizontal]"]),
    ] {
      try ImageFile.write(bitmap(.rgb, samples), to: source)
      for (index, ending) in endings.enumerated() {
        let (file, copy) = (path("\(samples)-\(index)"), path("copy.ppm"))
        let name = file + ending.prefix { $0 != "[" }
        try vips.run("copy", source, file + ending)
        try vips.run("copy", name, copy)
        try expectSame(name, as: copy)
      }
    }
  }

  @Test(.enabled(if: magick.can("-version"), "ImageMagick is not installed"))
  func imageMagickSeesOurPixelsAndWeSeeItsOwn() throws {
    for samples in [SampleFormat.uint8, .uint16] {
      let (source, depth) = (path("source.png"), samples == .uint8 ? "8" : "16")
      try ImageFile.write(bitmap(.rgb, samples), to: source)
      let copy = path("copy.ppm")
      try magick.run(source, "-depth", depth, copy)
      try expectSame(source, as: copy)
      for (options, ending) in [
        (["-interlace", "PNG"], "png"), (["-compress", "LZW"], "tif"),
        (["-compress", "Zip"], "tif"),
        (["-compress", "None", "-interlace", "Plane"], "tif"), (["-endian", "MSB"], "tif"),
      ] {
        let file = path("theirs.\(ending)")
        try magick.run([source] + options + ["-depth", depth, file])
        try expectSame(file, as: source)
      }
    }
  }

  @Test(.enabled(if: ffmpeg.isPresent, "ffmpeg is not installed"))
  func ffmpegSeesOurPixels() throws {
    for (samples, layout) in [(SampleFormat.uint8, "rgb24"), (.uint16, "rgb48be")] {
      let (file, copy) = (path("ours.png"), path("theirs.ppm"))
      try ImageFile.write(bitmap(.rgb, samples), to: file)
      try ffmpeg.run("-v", "error", "-y", "-i", file, "-pix_fmt", layout, copy)
      try expectSame(file, as: copy)
    }
  }

  private func pillow(_ program: String, _ arguments: String...) throws -> [UInt8] {
    try Peers.pillow(program, arguments)
  }

  @Test(.enabled(if: hasPillow, "Pillow is not installed"))
  func pillowSeesOurPixels() throws {
    for format in [ImageFileFormat.png, .tiff, .jpeg] {
      for channels in [Channels.gray, .rgb, .rgba] where format.channels.contains(channels) {
        let file = path("ours.\(format.fileExtensions[0])")
        try ImageFile.write(bitmap(channels, .uint8), to: file)
        let theirs = try pillow(
          "sys.stdout.buffer.write(Image.open(sys.argv[1]).tobytes())", file)
        guard case .uint8(let ours) = try ImageFile.read(file) else {
          Issue.record("\(file) has no 8-bit samples.")
          continue
        }
        #expect((0..<31).flatMap { ours.row($0) } == theirs, "\(format) \(channels)")
      }
    }
  }

  /// Palettes, small depths, transparency by color, progressive scans, unusual subsampling.
  @Test(.enabled(if: hasPillow, "Pillow is not installed"))
  func weSeeThePixelsOfPillow() throws {
    let source = path("source.png")
    try ImageFile.write(bitmap(.rgb, .uint8), to: source)
    for (change, ending, options, mode) in [
      (".convert('P', palette=1, colors=200)", "png", "", "RGB"),
      (".convert('P', palette=1, colors=5)", "png", ", bits=4", "RGB"),
      (".convert('P', palette=1, colors=2)", "png", ", bits=1", "RGB"),
      (".convert('1')", "png", "", "L"), (".convert('L')", "png", "", "L"),
      (".convert('LA')", "png", "", "LA"),
      (".convert('P', palette=1, colors=9)", "png", ", transparency=3", "RGBA"),
      ("", "jpg", ", progressive=True, subsampling='4:2:0'", "RGB"),
      ("", "jpg", ", quality=97, subsampling='4:2:2'", "RGB"),
      (".convert('L')", "jpg", ", optimize=True", "L"),
      ("", "tif", ", compression='tiff_adobe_deflate'", "RGB"),
      (".convert('L')", "tif", ", compression='packbits'", "L"),
      (".convert('1')", "tif", ", compression='group4'", "L"),
      (".convert('P', palette=1, colors=77)", "tif", "", "RGB"),
      (".convert('RGBA')", "tif", ", compression='tiff_lzw'", "RGBA"),
    ] {
      let file = path("theirs.\(ending)")
      let theirs = try pillow(
        """
        Image.open(sys.argv[1])\(change).save(sys.argv[2]\(options))
        sys.stdout.buffer.write(Image.open(sys.argv[2]).convert('\(mode)').tobytes())
        """, source, file)
      guard case .uint8(let ours) = try ImageFile.read(file, assuming: .sRGB) else {
        Issue.record("\(change)\(options) has no 8-bit samples.")
        continue
      }
      #expect((0..<31).flatMap { ours.row($0) } == theirs, "\(change) \(ending)\(options)")
    }
  }

  /// Little CMS with the profile in our file gives our colors.
  @Test(.enabled(if: hasPillow, "Pillow is not installed"))
  func pillowConvertsByOurProfile() throws {
    for space in [ColorSpace.displayP3, .adobeRGB, .rec2020] {
      // In sRGB's gamut, so that nothing depends on gamut mapping.
      let source = Bitmap<UInt8>(PixelSize(32, 32), in: space, channels: .rgb) { x, y in
        [UInt8(90 + 2 * x), UInt8(90 + 2 * y), UInt8(120 + x)]
      }
      let file = path("ours.png")
      try ImageFile.write(.uint8(source), to: file)
      let theirs = try pillow(
        """
        import io
        image = Image.open(sys.argv[1])
        profile = ImageCms.ImageCmsProfile(io.BytesIO(image.info["icc_profile"]))
        image = ImageCms.profileToProfile(image, profile, ImageCms.createProfile("sRGB"), 1)
        sys.stdout.buffer.write(image.tobytes())
        """, file)
      let ours: Bitmap<UInt8> = try Picture(contentsOf: file).converted(to: .sRGB).render()
      let steps = zip((0..<32).flatMap { ours.row($0) }, theirs).map { abs(Int($0) - Int($1)) }
      #expect(theirs.count == 32 * 32 * 3)
      // Both round to codes; Little CMS's 8-bit tables may round differently.
      #expect(steps.max() ?? .max <= 1, "\(space)")
    }
  }
}
