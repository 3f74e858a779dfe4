import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

@Suite struct DamagedProfileTests {
  /// Reads a profile as far as possible; resulting spaces must have finite values.
  func read(_ bytes: [UInt8]) throws(ICCProfileError) {
    let profile = try ICCProfile(bytes: bytes)
    _ = profile.description
    for intent in RenderingIntent.allCases {
      // A damaged profile may have lost either direction.
      for links in [[.profile(profile), .space(.lab)], [.space(.lab), .profile(profile)]]
        as [[ICCTransform.Link]]
      {
        guard
          let transform = try? ICCTransform(links, intent: intent, blackPointCompensation: true)
        else { continue }
        for number in [0, 0.3, 1, -.infinity, .nan] {
          _ = transform([Double](repeating: number, count: transform.inputCount))
        }
      }
    }
    let space = try profile.colorSpace()
    let hub = space.toHub.rows.flatMap { [$0.x, $0.y, $0.z] }
    let isFinite = hub.allSatisfy { $0.isFinite }
    #expect(isFinite)
    for step in 0...16 {
      let x = Double(step) / 16
      let light = space.transfer.decode(SIMD3(x, x / 2, 1 - x))
      let numbers = space.transfer.encode(light)
      #expect((light + numbers).sum().isFinite)
    }
  }

  @Test func everyTruncationIsAnError() throws {
    for space in [ColorSpace.displayP3, .adobeRGB] {
      let bytes = try ICCProfile(describing: space).bytes
      for count in bytes.indices {
        #expect(throws: ICCProfileError.self) { try read(Array(bytes.prefix(count))) }
      }
    }
  }

  static let tables: [[UInt8]] = TableProfile.Kind.allCases.flatMap { kind in
    [("GRAY", 1), ("RGB ", 3), ("CMYK", 4)].map { space, channels in
      TableProfile.profile(kind, space: space, channels: channels, version: kind == .mAB ? 4 : 2)
        .bytes
    }
  }

  @Test(arguments: tables.indices)
  func truncationsOfATableAreErrors(table: Int) throws {
    let bytes = Self.tables[table]
    // Every seventh length, to save time, with a header that states it, so that tags are truncated.
    for count in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = Array(bytes.prefix(count))
      if count >= 4 { damaged.replaceSubrange(0..<4, with: ParsedProfile.bytes(count)) }
      #expect(throws: ICCProfileError.self) { try read(damaged) }
    }
  }

  @Test(arguments: tables.indices)
  func damagedTablesAreHarmless(table: Int) throws {
    let bytes = Self.tables[table]
    var random = SeededGenerator(seed: 20_260_104)
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        // Mostly in the structure: at the start, and at the start of tags.
        let index =
          Bool.random(using: &random)
          ? Int.random(in: 0..<260, using: &random) : Int.random(in: bytes.indices, using: &random)
        damaged[index] =
          [0, 1, 0x7F, 0xFF, UInt8.random(in: 0...255, using: &random)]
          .randomElement(using: &random) ?? 0
      }
      try? read(damaged)
    }
  }

  /// Expects that a table of so many inputs and grid points is refused, in a profile of the model `space`.
  private func expectRefusal(
    inputs: Int, grid: Int, space: String, reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var profile = TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2)
    profile.header.replaceSubrange(16..<20, with: Array(space.utf8))
    profile.tags["A2B0"]?[8] = UInt8(inputs)
    profile.tags["A2B0"]?[10] = UInt8(grid)
    #expect(
      throws: ICCProfileError.malformedTag("A2B0", reason: reason), sourceLocation: sourceLocation
    ) {
      try ICCTransform(
        from: .profile(ICCProfile(bytes: profile.bytes)), to: .space(.lab), intent: .perceptual)
    }
  }

  @Test(arguments: [("FCLR", 15, 255), ("FCLR", 15, 3), ("CMYK", 4, 255), ("RGB ", 3, 255)])
  func oversizedLatticesAreRefused(space: String, inputs: Int, grid: Int) {
    let grids = [Int](repeating: grid, count: inputs)
    expectRefusal(
      inputs: inputs, grid: grid, space: space,
      reason: "a grid of \(grids) points times 3 has more than 10000000 values")
  }

  @Test func latticesOfOnePointAreRefused() {
    expectRefusal(
      inputs: 3, grid: 1, space: "RGB ",
      reason: "a grid of [1, 1, 1] points cannot be interpolated; 2 are needed")
  }

  @Test(arguments: [0, 3, 16]) func tablesOfOtherChannelCountsAreRefused(inputs: Int) {
    expectRefusal(
      inputs: inputs, grid: 2, space: "FCLR",
      reason: "it is a table of \(inputs) to 3 channels; the profile's kind needs 15 to 3")
  }

  @Test func bytesAfterTheProfileAreIgnored() throws {
    let profile = try ICCProfile(describing: .displayP3)
    #expect(try ICCProfile(bytes: profile.bytes + [1, 2, 3]) == profile)
  }

  @Test func everyWrongByteIsAnErrorOrAValidSpace() throws {
    for space in [ColorSpace.displayP3, .linearRec2020] {
      let bytes = try ICCProfile(describing: space).bytes
      for index in bytes.indices {
        for change: UInt8 in [0x01, 0x80] {
          var damaged = bytes
          damaged[index] ^= change
          try? read(damaged)
        }
      }
    }
  }

  @Test func everyByteOfHeaderAndTagTableMayBeAnything() throws {
    let bytes = try ICCProfile(describing: .adobeRGB).bytes
    let tableEnd = 132 + 12 * Int(bytes[131])
    for index in 0..<tableEnd {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var damaged = bytes
        damaged[index] = value
        try? read(damaged)
      }
    }
  }

  @Test func limitsAreStatedInTheError() throws {
    let zeros = [UInt8](repeating: 0, count: 200)
    #expect(throws: ICCProfileError.tooShort(byteCount: 0)) { try ICCProfile(bytes: []) }
    #expect(throws: ICCProfileError.notAProfile(found: "????")) { try ICCProfile(bytes: zeros) }
    let many = [UInt8](repeating: 0, count: ICCProfile.byteLimit + 1)
    #expect(throws: ICCProfileError.tooLarge(byteCount: many.count, limit: ICCProfile.byteLimit)) {
      try ICCProfile(bytes: many)
    }
    var bytes = try ICCProfile(describing: .sRGB).bytes
    for count in [0, 101, 0xFFFF_FFFF] {
      bytes.replaceSubrange(128..<132, with: ParsedProfile.bytes(count))
      #expect(throws: ICCProfileError.tagCount(count, limit: 100)) { try ICCProfile(bytes: bytes) }
    }
  }

  @Test func degeneratePrimariesAreRefused() throws {
    let intact = ParsedProfile(try ICCProfile(describing: .sRGB).bytes)
    for lights in [[0, 0, 0], [0xF6D6, 0x1_0000, 0xD32D], [0x7FFF_FFFF, -0x8000_0000, 1]] {
      var parsed = intact
      parsed.tags["cicp"] = nil
      parsed.tags["rXYZ"] = Array("XYZ ".utf8) + [0, 0, 0, 0] + lights.flatMap(ParsedProfile.bytes)
      #expect(throws: ICCProfileError.self) { try ICCProfile(bytes: parsed.bytes).colorSpace() }
    }
  }

  @Test func anUnusualNameIsHarmless() throws {
    var parsed = ParsedProfile(try ICCProfile(describing: .sRGB).bytes)
    parsed.tags["desc"] =
      Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 8] + Array("a\u{1B}[31mb\0c".utf8)
    #expect(try ICCProfile(bytes: parsed.bytes).description == "a[31mb")
    parsed.tags["desc"] = Array("desc".utf8) + [0, 0, 0, 0, 255, 255, 255, 255]
    #expect(try ICCProfile(bytes: parsed.bytes).description == "RGB display profile without a name")
  }
}
