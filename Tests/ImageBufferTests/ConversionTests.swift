import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// Conversions between bitmap formats: equal values where both formats can represent them, the nearest ones elsewhere.
@Suite struct ConversionTests {
  private static let arrangements: [Arrangement] = [.interleaved, .planar]
  private static let sizes = Generator<(Int, Int)>.zip(.int(in: 1...300), .int(in: 1...3)).map {
    PixelSize($0.0, $0.1)
  }

  /// Matches samples by their roles.
  private func sameRoles<Sample: PixelSample>(
    _ a: Bitmap<Sample>, _ b: Bitmap<Sample>, _ role: Channels.Role
  ) throws -> Bool {
    guard let i = a.channels.roles.firstIndex(of: role),
      let j = b.channels.roles.firstIndex(of: role)
    else { return true }
    for y in 0..<a.size.height {
      for x in 0..<a.size.width where a[x, y, i] != b[x, y, j] {
        throw Failure("\(role) at (\(x), \(y)): \(b[x, y, j]) instead of \(a[x, y, i])")
      }
    }
    return true
  }

  @Test func everyChannelOrderConvertsToEveryOther() {
    let layout = Generator<(Channels, Arrangement)>.zip(
      .element(of: Shape.lights), .element(of: Self.arrangements))
    func check<Sample: PixelSample & FixedWidthInteger>(_: Sample.Type) {
      checkProperty("\(Sample.self) there and back", layout, layout, Self.sizes) {
        from, to, size in
        guard to.0.roles.allSatisfy({ from.0.roles.contains($0) || $0 == .alpha || $0 == .unused })
        else { return true }
        let source = TestPictures.codes(
          as: Sample.self, size, channels: from.0, arrangement: from.1)
        let target: Bitmap<Sample> = try source.converted(
          channels: to.0, arrangement: to.1, bytesPerRow: size.width * 64)
        for role in to.0.roles where role != .unused {
          guard try sameRoles(source, target, role) else { return false }
        }
        for (index, role) in to.0.roles.enumerated()
        where role == .unused || role == .alpha && !from.0.hasAlpha {
          guard (0..<size.width).allSatisfy({ target[$0, 0, index] == .max }) else {
            throw Failure("\(role) is not filled with ones")
          }
        }
        return target.arrangement == to.1 && target.space == source.space
      }
    }
    check(UInt8.self)
    check(UInt16.self)
  }

  @Test func otherChannelsKeepTheirSamples() {
    checkProperty("planes and back", Shape.any) { shape in
      // Padding channels become ones.
      guard !shape.channels.roles.contains(.unused) else { return true }
      let bitmap: Bitmap<UInt16> = shape.bitmap()
      let other = try bitmap.converted(
        arrangement: shape.arrangement == .planar ? .interleaved : .planar)
      return other == bitmap && other.arrangement != bitmap.arrangement
    }
  }

  @Test func grayBecomesRGBAndChannelsAreSelected() throws {
    let gray = TestPictures.codes(as: UInt8.self, PixelSize(9, 2), channels: .gray)
    let light = try gray.converted(channels: .bgra)
    for x in 0..<9 {
      #expect(
        (0..<4).map { light[x, 1, $0] } == [UInt8](repeating: gray[x, 1, 0], count: 3) + [255])
    }
    let five = TestPictures.codes(
      as: UInt8.self, PixelSize(9, 2), channels: .rgba.adding(.named("depth")))
    let depth = try five.converted(channels: .named("depth"))
    #expect(depth.row(1) == (0..<9).map { five[$0, 1, 4] })
  }

  @Test func missingChannelIsAnError() {
    let color = Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB)
    #expect(throws: BitmapError.noChannel(.gray, in: .rgba)) {
      try color.converted(channels: .gray)
    }
    #expect(throws: BitmapError.noChannel(.cyan, in: .rgba)) {
      try color.converted(channels: .cmyk)
    }
    #expect(throws: BitmapError.noChannel(.named("depth"), in: .rgba)) {
      try color.converted(channels: .rgb.adding(.named("depth")))
    }
    let inks = Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB, channels: .cmyk)
    #expect(throws: BitmapError.noChannel(.red, in: .cmyk)) { try inks.converted(channels: .rgb) }
  }

  // MARK: - Samples

  /// A row of gray samples.
  private func row<Sample: PixelSample>(_ samples: [Sample]) -> Bitmap<Sample> {
    Bitmap(PixelSize(samples.count, 1), in: .sRGB, channels: .gray) { x, _ in [samples[x]] }
  }

  @Test func everyCodeRoundTrips() throws {
    let bytes = row((0...255).map { UInt8($0) })
    #expect(try bytes.converted(to: UInt16.self).row(0) == (0...255).map { UInt16($0) * 257 })
    #expect(try bytes.converted(to: UInt16.self).converted(to: UInt8.self) == bytes)
    #expect(try bytes.converted(to: Float.self).converted(to: UInt8.self) == bytes)
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      #expect(try bytes.converted(to: Float16.self).converted(to: UInt8.self) == bytes)
      let halves = row((0...0x7c00).map { Float16(bitPattern: $0) })
      #expect(try halves.converted(to: Float.self).row(0) == halves.row(0).map(Float.init))
      #expect(try halves.converted(to: Float.self).converted(to: Float16.self) == halves)
    #endif
    let words = row((0...65_535).map { UInt16($0) })
    #expect(try words.converted(to: Float.self).converted(to: UInt16.self) == words)
    #expect(
      try words.converted(to: UInt8.self).row(0)
        == (0...65_535).map { UInt8((Double($0) / 257).rounded(.toNearestOrEven)) })
    #expect(
      try words.converted(to: Float.self).row(0) == (0...65_535).map { Float($0) / 65_535 })
  }

  @Test func numbersAreRoundedToTheNearestAndTheEven() throws {
    func check<Sample: PixelSample & FixedWidthInteger>(_: Sample.Type) throws {
      let largest = Double(Sample.max)
      var random = SeededGenerator(seed: 5)
      let codes = (0..<4000).map { _ in Double(Sample.random(in: .min ... .max, using: &random)) }
      // Near ties, and out of range at both ends.
      let numbers =
        codes.map { Float(($0 + 0.5) / largest) } + codes.map { Float(($0 + 0.5) / largest).nextUp }
        + codes.map { Float($0 / largest * 1.5 - 0.25) } + [.infinity, -.infinity, -0.0, 1, 0]
      let converted = try row(numbers).converted(to: Sample.self).row(0)
      for (number, code) in zip(numbers, converted) {
        // A product of 24 and 16 bits is exact in double precision.
        let exact = min(max(Double(number) * largest, 0), largest)
        #expect(code == Sample(exact.rounded(.toNearestOrEven)), "\(number)")
      }
    }
    try check(UInt8.self)
    try check(UInt16.self)
    #expect(try row([Float.nan]).converted(to: UInt8.self).row(0) == [0])
  }

  // MARK: - Alpha

  @Test func alphaIsPremultipliedAndUnpremultiplied() throws {
    for channels in [Channels.rgba, .argb, .grayAlpha, .cmyk.adding(.alpha, .named("depth"))] {
      let straight = TestPictures.codes(
        as: UInt16.self, PixelSize(300, 2), channels: channels)
      let numbers = try straight.converted(to: Float.self)
      let premultiplied = try numbers.converted(alpha: .premultiplied, arrangement: .planar)
      let back = try premultiplied.converted(alpha: .straight)
      let alpha = try #require(channels.roles.firstIndex(of: .alpha))
      for (index, role) in channels.roles.enumerated() {
        for x in 0..<300 {
          let (color, coverage) = (numbers[x, 1, index], numbers[x, 1, alpha])
          switch role {
          case .alpha, .named: #expect(premultiplied[x, 1, index] == color)
          default:
            #expect(premultiplied[x, 1, index] == color * coverage)
            #expect(back[x, 1, index] == (coverage == 0 ? 0 : color * coverage / coverage))
          }
        }
      }
    }
  }

  @Test func droppingAlphaGivesStraightColor() throws {
    let bitmap = Bitmap<Float>(PixelSize(1, 1), in: .sRGB, alpha: .premultiplied) { _, _ in
      [0.25, 0.125, 0, 0.5]
    }
    #expect(try bitmap.converted(channels: .rgb).row(0) == [0.5, 0.25, 0])
    #expect(try bitmap.converted(channels: Channels([.alpha])).row(0) == [0.5])
  }
}
