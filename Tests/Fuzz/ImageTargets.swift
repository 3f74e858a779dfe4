import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import _TestSupport

/// Image files of every readable format, and video.
enum ImageTargets {
  /// Small enough for thousands of files per second, and below the default limits.
  private static func limits(memory: Int) -> FileLimits {
    var limits = FileLimits(pixels: 1 << 18, bytes: 1 << 20)
    (limits.metadataBytes, limits.profileBytes) = (1 << 20, 1 << 20)
    limits.memoryLimit = memory
    return limits
  }

  /// The memory limit of reading, which is also measured.
  private static let memoryLimit = 8 << 20

  static let all: [FuzzTarget.Entry] = ImageFileFormat.readable.map { format in
    let name = format.name.lowercased().filter { $0 != " " }
    return (name, { try target(name, format) })
  }

  private static func target(_ name: String, _ format: ImageFileFormat) throws -> FuzzTarget {
    // Profiles are mutated within the files in which the tests can embed them.
    let profiles = ["png", "jpeg"].contains(name) ? try ProfileTarget.seeds() : []
    // libraw demosaics tiles of seven megabytes, one for each processor; libjxl has tables of as much.
    let memory = memoryLimit * (["cameraraw": 8, "jpegxl": 4][name] ?? 1)
    return FuzzTarget(
      name: name, seeds: try seeds(format),
      mutate: { mutator, bytes in
        // A third of the mutations ignores the format.
        if mutator.isOne(in: 3) { return mutator.mutate(&bytes) }
        switch name {
        case "png": mutator.mutatePNG(&bytes, profiles: profiles)
        case "jpeg": mutator.mutateJPEG(&bytes, profiles: profiles)
        case "tiff", "cameraraw": mutator.mutateTIFF(&bytes)
        case "openexr": mutator.mutateOpenEXR(&bytes)
        case "gif": mutator.mutateGIF(&bytes)
        case "webp": mutator.mutateWebP(&bytes)
        case "bmp": mutator.mutateBMP(&bytes)
        case "pnm", "pfm", "numpy": mutator.mutateHeader(&bytes)
        default: mutator.mutate(&bytes)
        }
      }, read: { try read($0, $1, $2, limits(memory: memory)) }, memoryBudget: memory)
  }

  /// The profile of untagged files of CMYK.
  private static let assumedInks = try? press("CMYK", channels: 4)

  private static func press(_ space: String, channels: Int) throws -> ICCProfile {
    try ICCProfile(
      bytes: TableProfile.profile(.mft2, space: space, channels: channels, version: 2).bytes)
  }

  /// Reads the header; then all at once, or row by row in a rendering with a memory limit.
  private static func read(
    _ bytes: [UInt8], _ index: Int, _ scratch: Scratch, _ limits: FileLimits
  ) throws {
    let info = try ImageFile.info(bytes: bytes, limits: limits)
    var metadata = info.metadata
    metadata.removeLocation()
    metadata.removeAllButCopyright()
    if ["GIF", "PNG", "WebP"].contains(info.format.name), index % 2 == 0 {
      // Frames lie on those before them.
      _ = try? ImageFile.read(bytes: bytes, page: 1 + index % 7, assuming: .sRGB, limits: limits)
    }
    // Untagged ink channels are read only where a profile can be assumed.
    if index % 8 != 7, info.inks == nil || info.profile != nil {
      _ = try ImageFile.read(bytes: bytes, assuming: .sRGB, limits: limits)
      return
    }
    try Data(bytes).write(to: URL(filePath: scratch.path))
    // More pixels than fit the budget: they must be streamed in rows, or refused.
    var limits = limits
    limits.pixels = 1 << 22
    let file = try OpenedImageFile(scratch.path, assumingInks: assumedInks, limits: limits)
    var options = RenderOptions()
    (options.threads, options.memoryLimit) = (2, limits.memoryLimit)
    if let inks = try file.inkPicture() { _ = try inks.coverage(options: options) }
    let picture = try file.picture(assuming: .sRGB)
    try picture.renderBands(as: UInt8.self, options: options) { _, _ in }
    let hdr = try file.hdrPicture(assuming: .sRGB)
    try hdr?.renderBands(as: Float.self, options: options) { _, _ in }
  }

  /// Files of CMYK, and of five inks where the format holds them.
  private static func inkSeeds(_ format: ImageFileFormat) throws -> [[UInt8]] {
    let presses =
      format == .tiff ? [("CMYK", 4), ("5CLR", 5)] : format == .jpeg ? [("CMYK", 4)] : []
    let folder = try TemporaryFolder()
    return try presses.map { space, channels in
      let path = folder.path("inks")
      let bitmap = bitmap(PixelSize(40, 23), .uint8, .rgb, .straight, in: .sRGB)
      try Picture(bitmap).inks(by: press(space, channels: channels)).write(to: path, as: format)
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
  }

  private static func seeds(_ format: ImageFileFormat) throws -> [[UInt8]] {
    if format == .gif {
      return TestGIF.samples.map(\.bytes) + Fixtures.files(in: "Images", endings: ["gif"])
    }
    if format.samples.isEmpty { return raws }
    var options = WritingOptions()
    options.isUntagged = !format.statesColor
    var seeds = try inkSeeds(format)
    for samples in format.samples {
      for channels in format.channels.sorted(by: { "\($0)" < "\($1)" }) {
        for alpha in channels.hasAlpha
          ? format.alpha.sorted(by: { "\($0)" < "\($1)" }) : [.straight]
        {
          let space: ColorSpace = format.samples.contains(.uint8) ? .displayP3 : .linearDisplayP3
          for size in [PixelSize(9, 7), PixelSize(40, 23)] {
            let bitmap = bitmap(size, samples, channels, alpha, in: space)
            seeds.append(try ImageFile.encode(bitmap, as: format, options: options))
          }
        }
      }
    }
    seeds += try variants(format, options)
    if format == .png { seeds += TestAPNG.samples.map(\.bytes) }
    if format.name == "WebP" { seeds.append(try animation(format)) }
    let endings = Set(format.fileExtensions)
    return seeds + Fixtures.files(in: "Images", endings: endings)
  }

  /// An animated WebP of frames with loss and without, of every disposal and blending.
  private static func animation(_ format: ImageFileFormat) throws -> [UInt8] {
    let frames = try (0..<8).map { index in
      let size = index == 0 ? PixelSize(20, 14) : PixelSize(9, 7)
      var options = WritingOptions()
      options.isLossless = index % 3 == 0
      let still = try ImageFile.encode(
        bitmap(size, .uint8, index % 2 == 0 ? .rgb : .rgba, .straight, in: .sRGB), as: format,
        options: options)
      var frame = TestWebP.Frame(width: size.width, height: size.height, pixelsOf: still)
      (frame.disposal, frame.blending) = (index & 1, index & 2)
      if index > 0 { (frame.x, frame.y) = (2 * (index / 2), index & 6) }
      return frame
    }
    return TestWebP(width: 20, height: 14, frames).bytes
  }

  /// XMP with a property of the copyright and another one.
  private static let copyright = """
    <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
    <rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' dc:title='a'>
    <dc:rights><rdf:Alt><rdf:li xml:lang='x-default'>&#xA9; &lt;who&gt;</rdf:li></rdf:Alt></dc:rights>
    </rdf:Description></rdf:RDF></x:xmpmeta>
    """

  /// The options of formats: compression, chroma subsampling, order, metadata.
  private static func variants(
    _ format: ImageFileFormat, _ usual: WritingOptions
  ) throws -> [[UInt8]] {
    let photo = bitmap(PixelSize(40, 23), format.samples[0], .rgb, .straight, in: .linearDisplayP3)
    var all: [WritingOptions] = []
    for compression in LosslessCompression.allCases {
      var options = usual
      options.compression = compression
      all.append(options)
    }
    for chroma in ChromaSampling.allCases {
      var options = usual
      (options.chroma, options.isProgressive, options.quality) = (chroma, chroma != .full, 60)
      options.metadata.xmp = Array(copyright.utf8)
      // EXIF data is a TIFF structure: an orientation, and an EXIF directory that refers to the main one.
      var exif = TestTIFF(width: 1, height: 1) { _, _, _ in 0 }
      (exif.shorts[0x0112], exif.shorts[0x8769]) = ([6], [8])
      options.metadata.exif = exif.bytes
      all.append(options)
    }
    for isGray in [true, false] {
      var options = usual
      let base = Picture(photo)
      options.gainMap = try PictureGainMap(
        from: base, to: base.exposure(2).saturation(1.5), isGray: isGray)
      all.append(options)
    }
    var seeds = try all.map { try ImageFile.encode(photo, as: format, options: $0) }
    switch format {
    case .tiff: seeds += tiffs
    case .pnm: seeds += pnms.map { Array($0.utf8) }
    case .bmp: seeds += TestBMP.samples.map(\.bytes)
    default: break
    }
    return seeds
  }

  /// DNG files: a mosaic, and linear colors, with one black level and with several.
  private static var raws: [[UInt8]] {
    [(true, [256, 256, 256, 256]), (false, [256, 256, 256]), (false, [200, 300, 260])].map {
      isMosaic, black in
      var dng = TestDNG(isMosaic: isMosaic) { x, y, channel in 1000 + 90 * (x + y) + channel }
      dng.black = black
      return dng.bytes
    }
  }

  /// Variants that the package reads and does not write.
  private static var tiffs: [[UInt8]] {
    var files: [[UInt8]] = []
    for kind in [0, 1, 2, 3, 5, 6, 8] {
      for isBig in [false, true] {
        var tiff = TestTIFF(
          width: 20, height: 9, bits: kind == 3 ? 4 : 8,
          samplesPerPixel: [0: 1, 1: 1, 3: 1, 5: 4][kind] ?? 3, kind: kind, isBigEndian: isBig,
          isBig: isBig
        ) { x, y, channel in x + y + channel & 15 }
        tiff.isPlanar = isBig && kind != 6
        tiff.tile = isBig ? (16, 16) : nil
        if kind == 6 {
          // As many samples of chroma as of luma. libtiff reads uncompressed tiles of Y′CbCr only in multiples of 1024 bytes.
          tiff.shorts[530] = [1, 1]
          tiff.tile = isBig ? (32, 32) : nil
        }
        if kind == 3 { tiff.shorts[320] = (0..<48).map { $0 * 1000 } }
        files.append(tiff.bytes)
      }
    }
    var tiff = TestTIFF(width: 8, height: 4) { _, _, _ in 0 }
    tiff.rowsPerStrip = 2
    let rows = (0..<48).map { UInt8($0) }
    tiff.packing = 34_925
    tiff.cellsInstead = [XZ.stored([(8, rows)]), XZ.stored([(6, rows), (8, rows)])]
    files.append(tiff.bytes)
    tiff.packing = 50_000
    tiff.cellsInstead = [49, 48].map { Zstandard.stored(rows, window: $0) }
    files.append(tiff.bytes)
    return files
  }

  private static let pnms = [
    "P1\n3 2\n101\n0 1 0\n", "P2\n3 2\n99\n10 1 3\n0 1 0\n",
    "P3\n# two\n2 1 100\n1 2 3 100 99 50\n",
    "P4\n9 2\n\u{1}\u{1}\u{1}\u{1}", "P5 2 1 1000\n\u{1}\u{2}\u{1}\u{2}", "P6\n2 1\n255\nabcdef",
    "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\nabcdefgh",
    "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\u{0}\u{1}",
  ]

  private static func bitmap(
    _ size: PixelSize, _ samples: SampleFormat, _ channels: Channels, _ alpha: Alpha,
    in space: ColorSpace
  ) -> AnyBitmap {
    func make<Sample: PixelSample>(_ sample: (Int) -> Sample) -> Bitmap<Sample> {
      Bitmap(size, in: space, channels: channels, alpha: alpha) { x, y in
        (0..<channels.count).map { sample(3 * x + 2 * y + 50 * $0) }
      }
    }
    return switch samples {
    case .uint8: AnyBitmap(make { UInt8($0 & 255) })
    case .uint16: AnyBitmap(make { UInt16($0 * 200 & 65_535) })
    case .float16: AnyBitmap(make { Float16($0) / 256 })
    default: AnyBitmap(make { Float($0) / 256 })
    }
  }

  /// Frames of YUV4MPEG2.
  static var video: FuzzTarget {
    // The parameters of a header, and the bytes of a frame.
    let parameters = [
      ("W6 H4 F25:1 Ip A1:1 C420jpeg", 36),
      ("W6 H4 F30000:1001 Ip A0:0 C420mpeg2 XCOLORRANGE=FULL", 36), ("W5 H3 F25:1 Ip C422", 33),
      ("W6 H4 C444", 72), ("W6 H4 F24:1 Cmono", 24), ("W6 H4 C420p10 XYSCSS=420P10", 72),
      ("W6 H4 F25:1 C422p12 XCOLORRANGE=LIMITED", 96), ("W6 H4 A59:54 C444p16", 144),
      ("W6 H4 C420paldv", 36),
    ]
    let seeds = parameters.map { line, count in
      Array("YUV4MPEG2 \(line)\n".utf8)
        + (0..<2).flatMap { _ in Array("FRAME\n".utf8) + (0..<count).map { UInt8($0) } }
    }
    return FuzzTarget(
      name: "y4m", seeds: seeds, mutate: { $0.mutateHeader(&$1) },
      read: { bytes, _, scratch in
        try Data(bytes).write(to: URL(filePath: scratch.path))
        let reader = try VideoReader(scratch.path, limits: limits(memory: memoryLimit))
        for _ in 0..<4 {
          guard try reader.next(in: reader.format.space(of: .rec709)) != nil else { return }
        }
      }, memoryBudget: memoryLimit)
  }
}
