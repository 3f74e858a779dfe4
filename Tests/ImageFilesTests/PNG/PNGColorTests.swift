import ColorSpaces
import FilterGraph
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Color spaces in PNG files: the chunk with the highest precedence decides.
@Suite struct PNGColorTests {
  static let gammaChunk: (String, [UInt8]) = ("gAMA", TestPNG.bigEndian(100_000))
  static let lightsChunk: (String, [UInt8]) = (
    "cHRM",
    [31_270, 32_900, 70_800, 29_200, 17_000, 79_700, 13_100, 4600].flatMap(TestPNG.bigEndian)
  )

  func profileChunk(_ profile: ICCProfile) -> (String, [UInt8]) {
    ("iCCP", Array("name".utf8) + [0, 0] + Zlib.stored(profile.bytes))
  }

  func space(
    _ chunks: [(String, [UInt8])], colorType: Int = 2, assuming assumption: ColorSpace? = nil
  ) throws -> ColorSpace {
    let png = TestPNG(colorType: colorType, chunks: chunks) { x, y in
      [Int](repeating: x + y, count: colorType == 0 ? 1 : 3)
    }
    return try ImageFile.read(bytes: png.bytes, assuming: assumption).space
  }

  @Test func chunksHaveAnOrderOfPrecedence() throws {
    let adobe = profileChunk(try ICCProfile(describing: .adobeRGB))
    var chunks = [Self.gammaChunk, Self.lightsChunk]
    #expect(try space(chunks) == .linearRec2020)
    chunks.append(("sRGB", [0]))
    #expect(try space(chunks) == .sRGB)
    chunks.append(adobe)
    #expect(try space(chunks) == .adobeRGB)
    chunks.append(("cICP", [12, 13, 0, 1]))
    #expect(try space(chunks) == .displayP3)
    // An assumption applies to untagged files only.
    #expect(try space(chunks, assuming: .proPhoto) == .displayP3)
  }

  @Test func fileWithoutAColorSpaceIsUntaggedUnlessAssumed() throws {
    let error = #expect(throws: ImageFileError.untagged(file: "data")) { try space([]) }
    #expect(error?.description.contains("assuming: .sRGB") == true)
    // One of the two states only half of it.
    #expect(throws: ImageFileError.untagged(file: "data")) { try space([Self.gammaChunk]) }
    #expect(throws: ImageFileError.untagged(file: "data")) { try space([Self.lightsChunk]) }
    #expect(try space([], assuming: .rec709) == .rec709)
  }

  @Test func unspecifiedCodePointsDeferToOtherChunks() throws {
    #expect(try space([("cICP", [2, 2, 0, 1]), ("sRGB", [0])]) == .sRGB)
  }

  private func notes(_ chunks: [(String, [UInt8])], colorType: Int = 2) throws -> [ImageFileNote] {
    let png = TestPNG(colorType: colorType, chunks: chunks) { _, _ in
      [Int](repeating: 0, count: colorType == 0 ? 1 : 3)
    }
    return try ImageFile.info(bytes: png.bytes).notes
  }

  @Test func gammaWithoutPrimariesIsNoted() throws {
    func note(_ gamma: Int) throws -> String? {
      let notes = try notes([("gAMA", TestPNG.bigEndian(gamma))])
      return notes.count == 1 ? "\(notes[0])" : nil
    }
    #expect(try note(100_000)?.contains("(gAMA), an exponent of 1.0,") == true)
    #expect(try note(45_455)?.contains("(gAMA), an exponent of 2.2,") == true)
    #expect(try note(0) == nil)
    #expect(try notes([("gAMA", TestPNG.bigEndian(45_455)), ("sRGB", [0])]).isEmpty)
  }

  /// YCbCr, reserved codes, and a chunk of the wrong length.
  @Test(arguments: [[9, 16, 9, 1], [200, 200, 0, 1], [1, 13, 0]] as [[UInt8]])
  func unusableCodePointsDeferWithANote(points: [UInt8]) throws {
    let profile = profileChunk(try ICCProfile(describing: .displayP3))
    let others: [([(String, [UInt8])], ColorSpace, ColorStatement)] = [
      ([profile], .displayP3, .profile), ([("sRGB", [0])], .sRGB, .sRGBMark),
      ([Self.gammaChunk, Self.lightsChunk], .linearRec2020, .chromaticities),
    ]
    for (chunks, expected, statement) in others {
      #expect(try space([("cICP", points)] + chunks) == expected)
      let notes = try notes([("cICP", points)] + chunks)
      guard notes.count == 1, case .unusableColor(_, used: statement) = notes[0] else {
        Issue.record("\(notes)")
        continue
      }
    }
    #expect(throws: ImageFileError.self) { try space([("cICP", points)]) }
  }

  @Test func contradictingTransferFunctionsAreReported() throws {
    let p3: (String, [UInt8]) = ("cICP", [12, 13, 0, 1])
    // A transfer function alone may contradict as well.
    #expect(
      try notes([("cICP", [9, 16, 0, 1]), profileChunk(try ICCProfile(describing: .rec2020))]).count
        == 1)
    #expect(try notes([p3, profileChunk(try ICCProfile(describing: .displayP3))]).isEmpty)
  }

  /// Each pair of statements, in the order of precedence.
  @Test func everyContradictionIsReported() throws {
    let numbers = [Self.gammaChunk, Self.lightsChunk]
    let statements: [(chunks: [(String, [UInt8])], kind: ColorStatement, space: ColorSpace)] = [
      ([("cICP", [12, 13, 0, 1])], .codePoints, .displayP3),
      ([profileChunk(try ICCProfile(describing: .adobeRGB))], .profile, .adobeRGB),
      ([("sRGB", [0])], .sRGBMark, .sRGB), (numbers, .chromaticities, .linearRec2020),
    ]
    for (index, used) in statements.enumerated() {
      for other in statements[(index + 1)...] {
        #expect(
          try notes(used.chunks + other.chunks) == [
            .conflictingColor(
              used: used.kind, space: used.space.name, other: other.kind,
              otherSpace: other.space.name)
          ])
      }
    }
    // Fallbacks for readers that know no PQ.
    #expect(try notes([("cICP", [9, 16, 0, 1])] + numbers).isEmpty)
  }

  @Test func secondChunksThatDifferAreReported() throws {
    let profiles = try [ColorSpace.displayP3, .adobeRGB].map {
      profileChunk(try ICCProfile(describing: $0))
    }
    #expect(try notes([profiles[0], profiles[0]]).isEmpty)
    for chunks in [profiles, [("cICP", [12, 13, 0, 1]), ("cICP", [9, 13, 0, 1])]] {
      #expect(try space(chunks) == .displayP3)
      #expect(
        try notes(chunks) == [
          .unread("a second chunk “\(chunks[0].0)”, which differs from the first one")
        ])
    }
  }

  /// The writer states a space twice where possible, and never contradicts itself.
  @Test func writtenFilesDoNotContradictThemselves() throws {
    let colors = ColorSpace.all.filter { $0.transfer.curves != nil }.map { ($0, Channels.rgb) }
    for (space, channels) in colors + ColorSpace.named.map({ ($0, .gray) }) {
      let bitmap = AnyBitmap(Bitmap<UInt16>(PixelSize(1, 1), in: space, channels: channels))
      let file = try ImageFile.encode(bitmap, as: .png)
      #expect(try ImageFile.info(bytes: file).notes.isEmpty, "\(space) \(channels)")
    }
  }

  @Test func codePointsOfHighDynamicRangeAreSpaces() throws {
    #expect(try space([("cICP", [9, 16, 0, 1])]) == .rec2100PQ)
    #expect(try space([("cICP", [9, 18, 0, 1])]) == .rec2100HLG)
    #expect(try space([("cICP", [12, 16, 0, 1])]) == .displayP3PQ)
  }

  /// Narrow range: black is 16 and white 235 of 255.
  @Test func narrowRangeIsRead() throws {
    let png = TestPNG(width: 2, chunks: [("cICP", [1, 13, 0, 0])]) { x, _ in
      [Int](repeating: x == 0 ? 16 : 235, count: 3)
    }
    guard case .uint8(let bitmap) = try ImageFile.read(bytes: png.bytes) else {
      throw Failure("The file has no 8-bit samples.")
    }
    let light: Bitmap<Float> = try Picture(bitmap).converted(to: .sRGB).render()
    for channel in 0..<3 {
      // A few rounding errors of single precision.
      #expect(abs(light[0, 0, channel]) <= 1e-6)
      #expect(abs(light[1, 0, channel] - 1) <= 1e-6)
    }
  }

  @Test(arguments: [8, 16]) func narrowRangeIsWritten(bits: Int) throws {
    func narrow(_ bits: Int) -> ColorSpace {
      .displayP3.asVideo(.identity, .narrow(bits: bits))
    }
    let bitmap = Bitmap<UInt16>(PixelSize(3, 1), in: narrow(bits), channels: .rgb) { x, _ in
      [4096, 60_160, UInt16(x) * 20_000]
    }
    let stored: AnyBitmap = bits == 8 ? .uint8(try bitmap.converted()) : .uint16(bitmap)
    let bytes = try ImageFile.encode(stored, as: .png)
    guard case .space(narrow(bits), by: .codePoints) = try ImageFile.info(bytes: bytes).color else {
      Issue.record("The code points do not say it.")
      return
    }
    let read = try Picture(ImageFile.read(bytes: bytes)).render(as: Float.self)
    #expect(try read == Picture(stored).render())
    // Narrow range depends on the bit depth: 16 of 255 is not 4096 of 65,535.
    #expect(throws: ImageFileError.self) {
      try ImageFile.encode(.uint16(bitmap.tagged(as: narrow(8))), as: .png)
    }
  }

  @Test(arguments: [[9, 16, 9, 1], [1, 13, 0, 7], [1, 13, 1, 1]] as [[UInt8]])
  func unusableCodePointsAloneAreAnError(points: [UInt8]) throws {
    #expect(throws: ImageFileError.self) { try space([("cICP", points)]) }
    #expect(try space([("cICP", points)], assuming: .rec2020) == .rec2020)
  }

  @Test func grayFilesTakeGrayAndColorProfiles() throws {
    let gray = profileChunk(try ICCProfile(describingGraysOf: .displayP3))
    let color = profileChunk(try ICCProfile(describing: .displayP3))
    #expect(try space([gray], colorType: 0).transfer == .sRGB)
    #expect(try space([color], colorType: 0) == .displayP3)
    #expect(throws: ImageFileError.self) { try space([gray], colorType: 2) }
  }

  /// The table of a gray profile has one input, and pictures have three channels.
  @Test(arguments: TableProfile.Kind.allCases)
  func grayFilesTakeGrayProfilesOfTables(kind: TableProfile.Kind) throws {
    let tables = TableProfile.profile(
      kind, space: "GRAY", channels: 1, version: kind == .mAB ? 4 : 2)
    let profile = try ICCProfile(bytes: tables.bytes)
    #expect(try space([profileChunk(profile)], colorType: 0) == profile.colorSpace())
    let gray = try Picture(bitmap(colorType: 0, profile))
    let thumbnail = try gray.resized(to: .fit(1, 1)).converted(to: .sRGB).render(as: Float.self)
    let isFinite = (0..<3).allSatisfy { thumbnail[0, 0, $0].isFinite }
    #expect(isFinite && gray.space.isGray)
  }

  private func bitmap(colorType: Int, _ profile: ICCProfile) throws -> AnyBitmap {
    let png = TestPNG(colorType: colorType, chunks: [profileChunk(profile)]) { x, y in
      [Int](repeating: x + y, count: colorType == 0 ? 1 : 3)
    }
    return try ImageFile.read(bytes: png.bytes)
  }

  /// RGB profiles are for color types 2, 3 and 6, and gray ones for 0 and 4 (PNG, third edition, 11.3.2.3).
  @Test func grayFilesAreNotWrittenWithRGBProfiles() throws {
    let tables = TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2)
    let profile = try ICCProfile(bytes: tables.bytes)
    let colors = try ImageFile.encode(bitmap(colorType: 2, profile), as: .png)
    #expect(try ImageFile.info(bytes: colors).profile == profile)
    let gray = try bitmap(colorType: 0, profile)
    for format in [ImageFileFormat.png, .jpeg] {
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.encode(gray, as: format)
      }
      guard case .profile(_, .cannotDescribe) = error else {
        Issue.record("\(format): \(String(describing: error))")
        continue
      }
    }
  }

  /// Neither as the profile of the picture's space nor as one to embed.
  @Test func profilesOfOtherModelsAreNotWritten() throws {
    let tables = TableProfile.profile(.mft2, space: "CMY ", channels: 3, version: 2)
    let profile = try ICCProfile(bytes: tables.bytes)
    let own = try bitmap(colorType: 2, profile)
    let plain = AnyBitmap(Bitmap<UInt8>(PixelSize(1, 1), in: .sRGB, channels: .rgb))
    var embedding = WritingOptions()
    embedding.profile = profile
    for format in [ImageFileFormat.png, .jpeg] {
      for (bitmap, options) in [(own, WritingOptions()), (plain, embedding)] {
        let error = #expect(throws: ImageFileError.self) {
          try ImageFile.encode(bitmap, as: format, options: options)
        }
        guard case .cannotWrite(_, let reason) = error else {
          Issue.record("\(format): \(String(describing: error))")
          continue
        }
        #expect(reason.contains("“CMY output”, which other readers ignore in a file of RGB values"))
      }
    }
  }

  @Test func profilesThatCannotBeUsedAreAnErrorUnlessAssumed() throws {
    let intact = try ICCProfile(describing: .adobeRGB).bytes
    var cmyk = intact
    cmyk.replaceSubrange(16..<20, with: Array("CMYK".utf8))
    let bodies = [
      Array("name".utf8), Array("name".utf8) + [0, 1] + Zlib.stored(intact),
      [UInt8](repeating: 65, count: 200), Array("name".utf8) + [0, 0, 1, 2, 3],
      Array("name".utf8) + [0, 0] + Zlib.stored(cmyk),
      Array("name".utf8) + [0, 0] + Zlib.stored(Array(intact.dropLast(40))),
    ]
    for body in bodies {
      #expect(throws: ImageFileError.self) { try space([("iCCP", body)]) }
      #expect(try space([("iCCP", body)], assuming: .sRGB) == .sRGB)
    }
  }

  @Test(arguments: [0, 1, 4_000_000_000])
  func invalidGammasAreRefused(gamma: Int) throws {
    #expect(throws: ImageFileError.self) {
      try space([("gAMA", TestPNG.bigEndian(gamma)), Self.lightsChunk])
    }
  }

  /// On an edge of the triangle or beyond, one primary has no part in white, and there is no way back from XYZ.
  @Test(arguments: [[50_000, 25_000], [37_500, 37_500], [25_000, 37_500], [45_000, 45_000]])
  func whiteOnAnEdgeIsRefused(white: [Int]) throws {
    let primaries = [50_000, 25_000, 25_000, 50_000, 25_000, 25_000]
    func chunk(_ white: [Int]) -> (String, [UInt8]) {
      ("cHRM", (white + primaries).flatMap(TestPNG.bigEndian))
    }
    #expect(throws: ImageFileError.self) { try space([Self.gammaChunk, chunk(white)]) }
    let usable = try space([Self.gammaChunk, chunk([33_000, 33_000])])
    // Traps without an inverse.
    let gray = ColorPoint(.one, in: .sRGB).converted(to: usable).components
    #expect((0..<3).allSatisfy { abs(gray[$0] - 1) < 1e-6 })
  }

  /// X, Y and Z, of which two have no luminance.
  @Test func primariesWithoutLuminanceAreRead() throws {
    let numbers = [33_333, 33_333, 100_000, 0, 0, 100_000, 0, 0]
    let space = try space([Self.gammaChunk, ("cHRM", numbers.flatMap(TestPNG.bigEndian))])
    #expect(space.isInterchangeable(with: ColorSpace.dcdm.linear))
    let gray = ColorPoint(.one, in: space).converted(to: .sRGB).components
    #expect((0..<3).allSatisfy { abs(gray[$0] - 1) < 1e-6 })
  }

  @Test func degenerateChromaticitiesAreRefused() throws {
    for value in [0, 31_270, 4_294_967_295] {
      let lights = (0..<8).flatMap { _ in TestPNG.bigEndian(value) }
      #expect(throws: ImageFileError.self) { try space([Self.gammaChunk, ("cHRM", lights)]) }
    }
  }
}
