import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

private let vips = Peers.vips
private let magick = Client.imageMagick
private let ffmpeg = Client("ffmpeg")
private let exiftool = Client("exiftool")
private let hasNumPy = Peers.python.can("-c", "import numpy")

/// Other programs convert our files to the same colors, edit them, and write files that we read equally.
@Suite struct PeerColorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  /// Encoded values of wide-gamut spaces for colors in sRGB's gamut, so that nothing depends on gamut mapping.
  private static var dull: Bitmap<UInt8> {
    Bitmap(PixelSize(48, 48), in: .displayP3, channels: .rgb) { x, y in
      [UInt8(80 + 2 * x), UInt8(90 + 2 * y), UInt8(100 + x + y)]
    }
  }

  /// The largest difference of our file and theirs in sRGB, in 8-bit codes.
  private func largestStep(_ file: String, _ theirs: String) throws -> Int {
    let ours: Bitmap<UInt8> = try Picture(contentsOf: file).converted(to: .sRGB).render()
    let read = try ImageFile.read(theirs, assuming: .sRGB)
    guard case .uint8(let theirs) = read, theirs.size == ours.size, theirs.channels == ours.channels
    else { throw Failure("\(read.format), \(read.channels) and \(read.size) were not expected.") }
    return (0..<ours.size.height).flatMap { y in
      zip(ours.row(y), theirs.row(y)).map { abs(Int($0) - Int($1)) }
    }.max() ?? .max
  }

  // Both round to codes, and Little CMS's 8-bit tables may round differently.

  @Test(.enabled(if: vips.isPresent, "libvips-tools are not installed"))
  func libvipsConvertsByOurProfile() throws {
    for format in [ImageFileFormat.png, .jpeg, .tiff] {
      let (file, copy) = (path("ours.\(format.fileExtensions[0])"), path("theirs.ppm"))
      try ImageFile.write(.uint8(Self.dull), to: file)
      try vips.run(
        "icc_transform", file, copy, "srgb", "--embedded", "--intent", "relative", "--depth", "8")
      #expect(try largestStep(file, copy) <= 1, "\(format)")
    }
  }

  @Test(.enabled(if: magick.can("-version"), "ImageMagick is not installed"))
  func imageMagickConvertsByOurProfile() throws {
    let profile = path("sRGB.icc")
    try Peers.write(try ICCProfile(describing: .sRGB).bytes, profile)
    for format in [ImageFileFormat.png, .jpeg, .tiff] {
      let (file, copy) = (path("ours.\(format.fileExtensions[0])"), path("theirs.ppm"))
      try ImageFile.write(.uint8(Self.dull), to: file)
      try magick.run(file, "-intent", "Relative", "-profile", profile, "-depth", "8", copy)
      #expect(try largestStep(file, copy) <= 1, "\(format)")
    }
  }

  @Test(.enabled(if: ffmpeg.isPresent && vips.isPresent, "ffmpeg or libvips-tools are missing"))
  func ffmpegWritesWhatWeRead() throws {
    let source = path("source.png")
    try ImageFile.write(.uint8(Self.dull), to: source)
    for ending in ["png", "tiff", "jpg"] {
      let file = path("theirs.\(ending)")
      try ffmpeg.run("-v", "error", "-y", "-i", source, file)
      let ours = try ImageFile.read(file, assuming: .sRGB).sampleBytes
      #expect(try ours == Peers.vipsPixels(file), "\(ending)")
      if ending != "jpg" { #expect(ours == AnyBitmap(Self.dull).sampleBytes, "\(ending)") }
    }
  }

  @Test(.enabled(if: exiftool.isPresent, "exiftool is not installed"))
  func exiftoolOrientsOurFiles() throws {
    for format in [ImageFileFormat.png, .jpeg, .tiff] {
      let file = path("photo.\(format.fileExtensions[0])")
      try ImageFile.write(.uint8(Self.dull), to: file)
      let upright = try ImageFile.read(file).sampleBytes
      for orientation in Orientation.allCases {
        try exiftool.run(
          "-q", "-n", "-overwrite_original", "-Orientation=\(orientation.rawValue)", file)
        let info = try ImageFile.info(file)
        #expect(info.orientation == orientation, "\(format)")
        let stored = try ImageFile.read(file, isUpright: false)
        #expect(stored.space == .displayP3 && stored.sampleBytes == upright, "\(format)")
      }
    }
  }

  @Test(.enabled(if: exiftool.isPresent, "exiftool is not installed"))
  func exiftoolNamesTheSpacesOfCameras() throws {
    for (code, index, space) in [("65535", "R03", ColorSpace.adobeRGB), ("1", "R98", .sRGB)] {
      let file = path("photo.jpg")
      try Peers.write(JPEGTests.file(), file)
      try exiftool.run(
        "-q", "-n", "-overwrite_original", "-ExifIFD:ColorSpace=\(code)",
        "-InteropIFD:InteropIndex=\(index)", file)
      #expect(try ImageFile.read(file).space == space)
    }
  }

  // Samples of all kinds.

  @Test(.enabled(if: vips.isPresent, "libvips-tools are not installed"))
  func libvipsReadsEveryKindOfOurSamples() throws {
    for form in FormatRoundTripTests.Form.all
    // libvips unpremultiplies premultiplied files.
    where form.alpha == .straight
      && (form.format == .png || (form.format == .tiff && form.samples != .float16))
    {
      let file = path("ours.\(form.format.fileExtensions[0])")
      let bitmap = form.bitmap(PixelSize(33, 21))
      try ImageFile.write(bitmap, to: file)
      #expect(
        try ImageFile.read(file).sampleBytes == Peers.vipsPixels(file), "\(form.testDescription)")
    }
  }

  @Test(.enabled(if: hasNumPy, "NumPy is not installed"))
  func numpyReadsOurArraysAndWeReadIts() throws {
    let forms = FormatRoundTripTests.Form.all.filter { $0.format == .numpy }
    for (index, form) in forms.enumerated() {
      var options = WritingOptions()
      options.isUntagged = true
      try ImageFile.write(
        form.bitmap(PixelSize(33, 21)), to: path("\(index).npy"), options: options)
    }
    // It takes longer to start than to run, hence one process for all files.
    try Peers.python.run(
      "-c",
      """
      import sys, numpy
      for index in range(int(sys.argv[2])):
          path = f"{sys.argv[1]}/{index}"
          array = numpy.load(path + ".npy")
          array.tofile(path + ".raw")
          turned = array[::-1, ::-1].astype(array.dtype.newbyteorder(">"))
          numpy.save(path + ".turned.npy", turned)
      """, folder.path("."), "\(forms.count)")
    for (index, form) in forms.enumerated() {
      let read = try ImageFile.read(path("\(index).npy"), assuming: .sRGB)
      #expect(try read.sampleBytes == Peers.bytes(path("\(index).raw")), "\(form.testDescription)")
      // Rotated by a half turn, and with the other byte order.
      let turned = try ImageFile.read(path("\(index).turned.npy"), assuming: .sRGB).sampleBytes
      let pixel = read.channels.count * read.format.byteCount
      let pixels = stride(from: 0, to: turned.count, by: pixel).map { turned[$0..<$0 + pixel] }
      #expect(
        Array(pixels.reversed().joined()) == read.sampleBytes, "\(form.testDescription)")
    }
  }

  @Test(.enabled(if: ffmpeg.isPresent, "ffmpeg is not installed"))
  func ffmpegDecodesOurFramesToTheSameColors() throws {
    // Areas of one color, so that chroma subsampling costs nothing inside.
    let chart = Bitmap<UInt8>(PixelSize(96, 64), in: .rec709, channels: .rgb) { x, y in
      let field = x / 16 + 6 * (y / 16)
      return [UInt8(field * 37 % 256), UInt8(field * 91 % 256), UInt8(255 - field * 10)]
    }
    let (file, raw) = (path("frame.y4m"), path("frame.rgb"))
    let format = VideoFormat(chart.size, .planes(.full, bits: 8))
    let writer = try VideoWriter(file, format)
    try writer.write(Picture(chart).converted(to: format.space(of: .rec709)).render())
    try writer.finish()
    try ffmpeg.run(
      "-v", "error", "-y", "-i", file, "-vf", "scale=in_color_matrix=bt709:flags=accurate_rnd",
      "-f", "rawvideo", "-pix_fmt", "rgb24", raw)
    let steps = zip(try Peers.bytes(raw), AnyBitmap(chart).sampleBytes)
      .map { abs(Int($0) - Int($1)) }
    #expect(steps.count == 96 * 64 * 3)
    // Codes of narrow range are 255/219 wide, and both sides round.
    #expect(steps.max() ?? .max <= 2)
  }
}
