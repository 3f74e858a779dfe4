import Colorloom
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Samples of TIFF files that are neither color nor alpha, such as a scanner's infrared channel, which are read as layers.
@Suite struct TIFFExtraSampleTests {
  /// A file whose samples are codes of all bits.
  private static func tiff(
    _ bits: Int, format: Int = 1, samples: Int = 4, kind: Int = 2, extra: [Int] = [0]
  ) -> TestTIFF {
    var tiff = TestTIFF(
      width: 21, height: 19, bits: bits, samplesPerPixel: samples, sampleFormat: format, kind: kind
    ) { x, y, channel in
      let number = x * 7919 + y * 1013 + channel * 131
      switch (format, bits) {
      case (3, 16): return Int(Float16(number % 500).bitPattern)
      case (3, 32): return Int((Float(number) / 7).bitPattern)
      case (3, _): return Int(bitPattern: UInt((Double(number) / 7).bitPattern))
      case (2, _): return number % (1 << bits) - 1 << (bits - 1)
      default: return number * (bits > 16 ? 99_991 : 1) % (1 << bits)
      }
    }
    tiff.shorts[338] = extra
    if kind == 3 { tiff.shorts[320] = [Int](repeating: 0, count: 3 << bits) }
    return tiff
  }

  /// The value of a stored sample.
  private static func value(_ stored: Int, of tiff: TestTIFF) -> Float {
    switch (tiff.sampleFormat, tiff.bits) {
    case (3, 16): Float(Float16(bitPattern: UInt16(stored)))
    case (3, 32): Float(bitPattern: UInt32(stored))
    case (3, _): Float(Double(bitPattern: UInt64(UInt(bitPattern: stored))))
    case (2, let bits): Float(Double(stored) / Double(1 << (bits - 1) - 1))
    case (_, let bits): Float(Double(stored) / Double(1 << bits - 1))
    }
  }

  /// Compares the pixels of a layer with a sample of the file.
  private func check(
    _ tiff: TestTIFF, _ layer: String, is sample: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bitmap: Bitmap<Float> = try OpenedImageFile(bytes: tiff.bytes, layer: layer)
      .picture().render()
    #expect(bitmap.size == PixelSize(tiff.width, tiff.height), sourceLocation: sourceLocation)
    for y in 0..<tiff.height {
      for x in 0..<tiff.width {
        let expected = Self.value(tiff.sample(x, y, sample), of: tiff)
        // Integers of 10 to 14 bits are scaled to the nearest of 16.
        let isNear = abs(bitmap[x, y, 0] - expected) <= abs(expected) * 1e-6 + 1e-5
        #expect(isNear, "pixel (\(x), \(y))", sourceLocation: sourceLocation)
        guard isNear else { return }
      }
    }
  }

  /// Bits and sample formats.
  @Test(
    arguments: [(8, 1), (12, 1), (16, 1), (32, 1), (16, 2), (16, 3), (32, 3), (64, 3)])
  func infraredBesideRGBIsGray(bits: Int, format: Int) throws {
    for tiff in Self.tiff(bits, format: format).arrangements {
      try check(tiff, "extra 1", is: 3)
    }
  }

  /// Gray, where zero is black or white; palettes; CMYK.
  @Test func otherColorsMayHaveExtraSamples() throws {
    for tiff in [
      Self.tiff(16, samples: 2, kind: 1), Self.tiff(8, samples: 2, kind: 0),
      Self.tiff(4, samples: 2, kind: 1), Self.tiff(8, samples: 2, kind: 3),
      Self.tiff(8, samples: 5, kind: 5), Self.tiff(16, samples: 5, kind: 5),
    ] {
      for tiff in tiff.arrangements where !(tiff.isPlanar && tiff.bits < 8) {
        try check(tiff, "extra 1", is: tiff.samplesPerPixel - 1)
      }
    }
  }

  @Test func extraSamplesBehindAlphaAreCounted() throws {
    let tiff = Self.tiff(16, samples: 6, extra: [2, 0, 0])
    let info = try ImageFile.info(bytes: tiff.bytes)
    #expect(info.channels == .rgba)
    #expect(info.layers.map(\.name) == ["extra 1", "extra 2"])
    #expect(info.notes == [.unread("2 other samples of each pixel, “extra 1”, “extra 2”")])
    try check(tiff, "extra 1", is: 4)
    try check(tiff, "extra 2", is: 5)
  }

  @Test func layersAreDataWhateverTheColorsAre() throws {
    var tiff = Self.tiff(16, samples: 5, extra: [0, 0])
    tiff.blobs[34_675] = try ICCProfile(describing: .displayP3).bytes
    let info = try OpenedImageFile(bytes: tiff.bytes, layer: "extra 2").info
    #expect(info.channels == .gray && info.samples == .uint16 && info.profile == nil)
    #expect(info.layer == "extra 2" && info.layers.map(\.channels) == [["extra 1"], ["extra 2"]])
    guard case .space(.linearSRGB, by: .data) = info.color else {
      throw Failure("The samples are in \(info.color).")
    }
    #expect(info.storage.contains("gray, 16 bits, the extra sample “extra 2”"))
    #expect(info.notes == [.unread("1 other sample of each pixel, “extra 1”")])
    #expect(try OpenedImageFile(bytes: tiff.bytes).info.profile != nil)
  }

  /// Photoshop's resources with names of channels (Adobe Photoshop File Formats Specification, 1045 and 1006).
  private func resources(unicode names: [String], latin: [String] = []) -> [UInt8] {
    let unicode = names.flatMap { name -> [UInt8] in
      let units = Array(name.utf16) + [0]
      return units.count.bytes(4, isBigEndian: true)
        + units.flatMap { Int($0).bytes(2, isBigEndian: true) }
    }
    return photoshopResource(1006, latin.flatMap { [UInt8($0.utf8.count)] + $0.utf8 })
      + (names.isEmpty ? [] : photoshopResource(1045, unicode))
  }

  @Test func photoshopNamesExtraSamples() throws {
    var tiff = Self.tiff(8)
    tiff.blobs[34_377] = resources(unicode: ["Infrarøt"], latin: ["Infrared"])
    #expect(try ImageFile.info(bytes: tiff.bytes).layers.map(\.name) == ["Infrarøt"])
    try check(tiff, "Infrarøt", is: 3)
    tiff.blobs[34_377] = resources(unicode: [], latin: ["Infrared"])
    try check(tiff, "Infrared", is: 3)
    // Names of all channels beside the colors begin with that of alpha.
    var covered = Self.tiff(8, samples: 5, extra: [2, 0])
    covered.blobs[34_377] = resources(unicode: ["Transparency", "dust"])
    try check(covered, "dust", is: 4)
    // Names that do not tell the samples apart are none.
    for names in [["a", "b", "c"], [""]] {
      tiff.blobs[34_377] = resources(unicode: names)
      #expect(try ImageFile.info(bytes: tiff.bytes).layers.map(\.name) == ["extra 1"])
    }
  }

  /// A byte of a hostile file may be an empty name, which takes more memory than that.
  @Test(arguments: [1006, 1045]) func noMoreNamesAreReadThanAPixelHasSamples(identifier: Int) {
    let names = [UInt8](repeating: 0, count: identifier == 1006 ? 70_000 : 4 * 70_000)
    let resources = PhotoshopResources(photoshopResource(identifier, names))
    #expect(resources.channelNames.count == 65_535)
    let few = PhotoshopResources(photoshopResource(identifier, Array(names.prefix(400))))
    #expect(few.channelNames.count == (identifier == 1006 ? 400 : 100))
  }

  @Test func wrongNamesListTheExtraSamples() throws {
    let bytes = Self.tiff(8, samples: 5, extra: [0, 0]).bytes
    let error = #expect(throws: ImageFileError.self) {
      try OpenedImageFile(bytes: bytes, layer: "infrared")
    }
    let names = ["extra 1", "extra 2"]
    #expect(error == .noSuchLayer(file: "data", "infrared", channels: names))
    #expect(error?.finding.contains("“extra 1”, “extra 2”") == true)
    #expect("\(try #require(error))".contains("layer: \"extra 1\""))
    let none = #expect(throws: ImageFileError.self) {
      try OpenedImageFile(bytes: TestTIFF { _, _, _ in 0 }.bytes, layer: "extra 1")
    }
    #expect(none == .noSuchLayer(file: "data", "extra 1", channels: []))
    #expect(none?.finding.contains("extra samples") == true)
  }

  /// Of planes, only that of the layer is read.
  @Test func otherPlanesMayBeMissing() throws {
    var tiff = Self.tiff(16)
    tiff.isPlanar = true
    tiff.rowsPerStrip = 10
    let strips = [0..<10, 10..<19].map { rows in
      rows.flatMap { y in (0..<21).flatMap { x in tiff.sample(x, y, 3).bytes(2) } }
    }
    tiff.cellsInstead = [[UInt8]](repeating: [], count: 6) + strips
    try check(tiff, "extra 1", is: 3)
    #expect(throws: (any Error).self) {
      try OpenedImageFile(bytes: tiff.bytes).picture(assuming: .sRGB).render(as: UInt16.self)
    }
  }

  /// Files with any byte changed neither crash nor hang.
  @Test func hostileFilesAreHarmless() throws {
    var tiff = Self.tiff(8, samples: 5, kind: 5)
    (tiff.width, tiff.height) = (3, 2)
    tiff.blobs[34_377] = resources(unicode: ["dust"], latin: ["dust"])
    let intact = tiff.bytes
    for index in intact.indices {
      for value: UInt8 in [0, 2, 0xFF] {
        var mutant = intact
        mutant[index] = value
        for name in ["dust", "extra 1"] {
          let picture = try? OpenedImageFile(bytes: mutant, layer: name).picture()
          _ = try? picture?.render(as: Float.self)
        }
      }
    }
  }
}
