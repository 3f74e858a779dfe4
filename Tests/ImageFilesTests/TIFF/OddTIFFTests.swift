import ColorSpaces
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

private let tiffcp = Client("tiffcp")
private let tiff2rgba = Client("tiff2rgba")

/// TIFF variants written by libtiff's own tools, libvips and Pillow.
@Suite struct OddTIFFTests {
  /// An uncompressed file of each kind of samples.
  private static var sources: [(name: String, tiff: TestTIFF)] {
    func tiff(_ bits: Int, _ samples: Int, _ kind: Int, _ format: Int = 1) -> TestTIFF {
      var tiff = TestTIFF(
        width: 45, height: 37, bits: bits, samplesPerPixel: samples, sampleFormat: format,
        kind: kind
      ) { x, y, channel in
        let number = x * 37 + y * 101 + channel * 1299
        guard format == 3 else { return (number + x * y) % (1 << bits) }
        let float = Float(number % 500) * 0.25 - 20
        return bits == 16 ? Int(Float16(float).bitPattern) : Int(float.bitPattern)
      }
      if kind == 5 {
        tiff.blobs[34_675] =
          TableProfile.profile(.mft2, space: "CMYK", channels: 4, version: 2)
          .bytes
      }
      if samples == 4, kind == 2 { tiff.shorts[338] = [2] }
      return tiff
    }
    return [
      ("1 bit", tiff(1, 1, 1)), ("gray", tiff(8, 1, 1)), ("gray 16", tiff(16, 1, 1)),
      ("RGB", tiff(8, 3, 2)), ("RGB 16", tiff(16, 3, 2)), ("RGBA", tiff(8, 4, 2)),
      ("CMYK", tiff(8, 4, 5)), ("CMYK 16", tiff(16, 4, 5)), ("float", tiff(32, 3, 2, 3)),
      ("half", tiff(16, 3, 2, 3)),
    ]
  }

  private static let arrangements = [
    [], ["-t", "-w", "16", "-l", "32"], ["-t", "-w", "48", "-l", "16"], ["-r", "5"],
    ["-r", "1", "-B"], ["-8", "-r", "50"],
  ]

  /// The compressions of libtiff: predictors need whole bytes, fax codes single bits.
  private static func packings(_ tiff: TestTIFF) -> [String] {
    var packings = ["none", "packbits", "lzw", "zip"]
    if tiff.bits >= 8, tiff.sampleFormat == 1 { packings += ["lzw:2", "zip:2"] }
    if tiff.sampleFormat == 3 { packings += ["lzw:3", "zip:3"] }
    if tiff.bits == 1 { packings += ["g3", "g4", "g3:2d"] }
    return packings
  }

  @Test(.enabled(if: tiffcp.isPresent, "libtiff-tools are not installed"), arguments: 0..<10)
  func everyCompressionAndArrangementReadsTheSame(source: Int) throws {
    let folder = try TemporaryFolder()
    var (name, tiff) = Self.sources[source]
    let (plain, packed) = (folder.path("plain.tif"), folder.path("packed.tif"))
    try Peers.write(tiff.bytes, plain)
    let pixels = try ImageFile.read(plain, assuming: .sRGB).sampleBytes
    for isPlanar in [false, true] where !isPlanar || tiff.samplesPerPixel > 1 {
      tiff.isPlanar = isPlanar
      try Peers.write(tiff.bytes, plain)
      for arrangement in Self.arrangements {
        // libtiff's tool mixes up the bytes of 16-bit planar tiles.
        if isPlanar, tiff.bits != 8, arrangement.contains("-t") { continue }
        for packing in Self.packings(tiff) {
          // It also swaps the bytes of floats after a byte-wise predictor; libvips reads what we read.
          if packing.hasSuffix(":3"), arrangement.contains("-B") { continue }
          try tiffcp.run(arrangement + ["-c", packing, plain, packed])
          let read = try ImageFile.read(packed, assuming: .sRGB).sampleBytes
          let isSame = read == pixels
          #expect(isSame, "\(name), planar: \(isPlanar), \(arrangement), \(packing)")
        }
      }
    }
  }

  @Test(.enabled(if: Peers.vips.isPresent, "libvips-tools are not installed"))
  func libvipsDecodesTheSame() throws {
    let folder = try TemporaryFolder()
    for (name, tiff) in Self.sources
    where tiff.kind != 5 && (tiff.sampleFormat, tiff.bits) != (3, 16) {
      for isPlanar in [false, true] where !isPlanar || tiff.bits >= 8 {
        let file = folder.path("odd.tif")
        var tiff = tiff
        tiff.isPlanar = isPlanar
        try Peers.write(tiff.bytes, file)
        let ours = try ImageFile.read(file, assuming: .sRGB).sampleBytes
        #expect(try ours == Peers.vipsPixels(file), "\(name), planar: \(isPlanar)")
      }
    }
  }

  @Test(
    .enabled(
      if: tiffcp.isPresent && Peers.vips.isPresent, "libtiff-tools or libvips-tools are missing"),
    arguments: ["msb2lsb", "lsb2msb"])
  func bitsMayBeFilledFromEitherEnd(order: String) throws {
    let folder = try TemporaryFolder()
    let (plain, filled) = (folder.path("plain.tif"), folder.path("filled.tif"))
    try Peers.write(Self.sources[0].tiff.bytes, plain)
    for packing in ["none", "packbits", "g4"] {
      try tiffcp.run("-f", order, "-c", packing, plain, filled)
      let ours = try ImageFile.read(filled, assuming: .sRGB).sampleBytes
      #expect(try ours == ImageFile.read(plain, assuming: .sRGB).sampleBytes)
      #expect(try ours == Peers.vipsPixels(filled), "\(packing)")
    }
  }

  @Test(
    .enabled(
      if: tiffcp.isPresent && Peers.vips.isPresent, "libtiff-tools or libvips-tools are missing"))
  func photographsInStripsAndTiles() throws {
    let folder = try TemporaryFolder()
    let (plain, packed) = (folder.path("plain.tif"), folder.path("packed.tif"))
    for source in [1, 3] {
      try Peers.write(Self.sources[source].tiff.bytes, plain)
      for arrangement in [["-r", "48"], ["-t", "-w", "32", "-l", "16"], ["-r", "16"]] {
        for packing in ["jpeg", "jpeg:50", "jpeg:r"] {
          try tiffcp.run(arrangement + ["-c", packing, plain, packed])
          let ours = try ImageFile.read(packed, assuming: .sRGB).sampleBytes
          #expect(try ours == Peers.vipsPixels(packed), "\(arrangement), \(packing)")
        }
      }
    }
  }

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed"))
  func pillowOrientsFilesTheSameWay() throws {
    let folder = try TemporaryFolder()
    let paths = try Orientation.allCases.map { orientation in
      var tiff = Self.sources[3].tiff
      tiff.shorts[274] = [orientation.rawValue]
      try Peers.write(tiff.bytes, folder.path("\(orientation.rawValue).tif"))
      return folder.path("\(orientation.rawValue).tif")
    }
    for (path, theirs) in zip(paths, try Peers.pillowPixels(paths)) {
      #expect(try ImageFile.read(path, assuming: .sRGB).sampleBytes == theirs, "\(path)")
    }
  }

  /// Strips of more than four mebibytes are decompressed row by row.
  @Test(.enabled(if: tiffcp.isPresent, "libtiff-tools are not installed"))
  func largeStripsReadTheSame() throws {
    let folder = try TemporaryFolder()
    let size = PixelSize(1280, 1200)
    let bitmap = Bitmap<UInt8>(size, in: .sRGB, channels: .rgb) { x, y in
      [UInt8(truncatingIfNeeded: x * y), UInt8(truncatingIfNeeded: x + 3 * y), UInt8(y & 255)]
    }
    let (plain, packed) = (folder.path("plain.tif"), folder.path("packed.tif"))
    try ImageFile.write(.uint8(bitmap), to: plain)
    for packing in ["lzw", "lzw:2", "zip:2", "packbits", "none"] {
      for (rows, planes) in [("1200", "contig"), ("1100", "contig"), ("1100", "separate")] {
        try tiffcp.run("-r", rows, "-p", planes, "-c", packing, plain, packed)
        let read = try ImageFile.read(packed).sampleBytes
        let isSame = read == AnyBitmap(bitmap).sampleBytes
        #expect(isSame, "\(packing), strips of \(rows) rows, \(planes)")
      }
    }
    // Damage is found at its position.
    try tiffcp.run("-r", "1200", "-c", "lzw", plain, packed)
    var bytes = try Peers.bytes(packed)
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 1000, with: [UInt8](repeating: 255, count: 1000))
    #expect(throws: ImageFileError.self) { try ImageFile.read(bytes: bytes) }
  }

  // Lab.

  @Test(
    .enabled(if: Peers.vips.isPresent, "libvips-tools are not installed"),
    arguments: ["lab", "labs"])
  func libvipsWritesLab(kind: String) throws {
    let folder = try TemporaryFolder()
    let (source, lab) = (folder.path("source.png"), folder.path("lab.tif"))
    let bitmap = Bitmap<UInt8>(PixelSize(32, 32), in: .sRGB, channels: .rgb) { x, y in
      [UInt8(x * 8), UInt8(y * 8), x == y ? 255 : 60]
    }
    try ImageFile.write(.uint8(bitmap), to: source)
    try Peers.vips.run("colourspace", source, lab, kind)
    #expect(try ImageFile.info(lab).samples == .float32)
    guard case .float32(let read) = try ImageFile.read(lab) else { throw Failure("no floats") }
    #expect(read.space == .lab)
    let stored = try Peers.vipsPixels(lab)
    let theirs: [Float] = stored.withUnsafeBytes { bytes in
      guard kind == "labs" else { return Array(bytes.bindMemory(to: Float.self)) }
      // L* of 0…100 in 0…32,767, a* and b* in 256ths.
      return bytes.bindMemory(to: Int16.self).enumerated().map { index, code in
        index % 3 == 0 ? Float(code) * 100 / 32_767 : Float(code) / 256
      }
    }
    let ours = (0..<32).flatMap { read.row($0) }
    #expect(ours.count == theirs.count)
    // Two rounding errors of a float of 100.
    #expect(zip(ours, theirs).allSatisfy { abs($0 - $1) <= 2e-5 })
  }

  // Luminance and chroma.

  @Test(.enabled(if: tiff2rgba.isPresent && Peers.hasPillow, "libtiff-tools or Pillow are missing"))
  func pillowWritesLuminanceAndChroma() throws {
    let folder = try TemporaryFolder()
    let (source, file, copy) = (
      folder.path("source.png"), folder.path("chroma.tif"), folder.path("copy.tif")
    )
    let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(45, 31), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(bitmap), to: source)
    for packing in ["raw", "tiff_lzw", "tiff_adobe_deflate"] {
      let theirs = try Peers.pillow(
        """
        image = Image.open(sys.argv[1]).convert("YCbCr")
        image.save(sys.argv[2], compression=sys.argv[3])
        sys.stdout.buffer.write(image.convert("RGB").tobytes())
        """, [source, file, packing])
      let ours = try ImageFile.read(file, assuming: .sRGB).sampleBytes
      // Pillow truncates where libtiff rounds.
      let steps = zip(ours, theirs).map { abs(Int($0) - Int($1)) }
      #expect(ours.count == theirs.count && steps.max() ?? .max <= 1, "\(packing)")
      try tiff2rgba.run("-n", file, copy)
      #expect(try ours == ImageFile.read(copy, assuming: .sRGB).sampleBytes)
      #expect(try ImageFile.info(file).storage.contains("stored as YCbCr"))
    }
  }

  /// Subsampled chroma: blocks of luma, then a pair of chroma (TIFF 6.0, section 21).
  @Test(arguments: [(1, 1), (2, 1), (2, 2)])
  func chromaMayBeSubsampled(across: Int, down: Int) throws {
    let (width, height) = (8, 4)
    var tiff = TestTIFF(width: width, height: height, kind: 6) { _, _, _ in 0 }
    tiff.shorts[530] = [across, down]
    tiff.rowsPerStrip = height
    // One luma value per pixel, one chroma pair for the whole picture: 99 and 170, as above.
    var data: [UInt8] = []
    for y in stride(from: 0, to: height, by: down) {
      for x in stride(from: 0, to: width, by: across) {
        for row in 0..<down {
          for column in 0..<across { data.append(UInt8(100 + x + column + 8 * (y + row))) }
        }
        data += [99, 170]
      }
    }
    tiff.cellsInstead = [data]
    guard case .uint8(let read) = try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB) else {
      throw Failure("8 bits became something else.")
    }
    for y in 0..<height {
      for x in 0..<width {
        // Rec. ITU-R BT.601, with 128 for zero chroma.
        let luminance = Double(100 + x + 8 * y)
        let expected = [
          luminance + 1.402 * 42, luminance - 0.344136 * -29 - 0.714136 * 42,
          luminance + 1.772 * -29,
        ]
        for channel in 0..<3 {
          // libtiff computes in 65,536ths; ties may round differently.
          #expect(abs(Double(read[x, y, channel]) - expected[channel]) <= 0.51)
        }
      }
    }
  }

  /// Tiles are read like strips, whatever their size in bytes, and the part of a tile beyond the picture is left out.
  @Test(arguments: [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (4, 2), (4, 4)])
  func chromaMayBeInTiles(across: Int, down: Int) throws {
    func cell(_ side: Int) -> [UInt8] {
      var data: [UInt8] = []
      for y in stride(from: 0, to: side, by: down) {
        for x in stride(from: 0, to: side, by: across) {
          for row in 0..<down {
            for column in 0..<across { data.append(UInt8(60 + 9 * (x + column) + 2 * (y + row))) }
          }
          data += [UInt8(100 + 3 * x), UInt8(160 - 4 * y)]
        }
      }
      return data
    }
    var tiff = TestTIFF(width: 12, height: 12, kind: 6) { _, _, _ in 0 }
    tiff.shorts[530] = [across, down]
    (tiff.rowsPerStrip, tiff.cellsInstead) = (12, [cell(12)])
    let pixels = try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB).sampleBytes
    (tiff.tile, tiff.cellsInstead) = ((16, 16), [cell(16)])
    #expect(try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB).sampleBytes == pixels)
  }

  @Test(arguments: [false, true])
  func tilesOfLumaAndChromaMayBeInPlanes(isPlanar: Bool) throws {
    var tiff = TestTIFF(width: 45, height: 37, kind: 6) { x, y, channel in
      (x * 37 + y * 101 + channel * 1299) & 255
    }
    tiff.shorts[530] = [1, 1]
    let pixels = try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB).sampleBytes
    (tiff.isPlanar, tiff.tile) = (isPlanar, (16, 16))
    #expect(try ImageFile.read(bytes: tiff.bytes, assuming: .sRGB).sampleBytes == pixels)
  }

  @Test func unsupportedCompressionsAreNamed() throws {
    var tiff = TestTIFF { _, _, _ in 0 }
    tiff.packing = 34_712
    let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: tiff.bytes) }
    guard case .unsupportedStorage = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
