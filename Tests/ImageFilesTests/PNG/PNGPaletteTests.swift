import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// PNG files with a palette.
@Suite struct PNGPaletteTests {
  /// The bits of an index and the names of the chunks of a file with a palette.
  private struct Layout {
    var bits = 0, colorType = 0
    var chunks: [String] = []
    var entries: [[UInt8]] = []
    var opacities: [UInt8] = []

    init(_ bytes: [UInt8]) {
      var position = 8
      while position + 12 <= bytes.count {
        let count = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        let name = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
        let body = Array(bytes[position + 8..<position + 8 + count])
        chunks.append(name)
        switch name {
        case "IHDR": (bits, colorType) = (Int(body[8]), Int(body[9]))
        case "PLTE": entries = stride(from: 0, to: count, by: 3).map { Array(body[$0..<$0 + 3]) }
        case "tRNS": opacities = body
        default: break
        }
        position += 12 + count
      }
    }
  }

  private func encoded(
    _ bitmap: Bitmap<UInt8>, colors: Int, isDithered: Bool = true
  ) throws -> [UInt8] {
    var options = WritingOptions(paletteColors: colors)
    options.isPaletteDithered = isDithered
    return try ImageFile.encode(.uint8(bitmap), as: .png, options: options)
  }

  private func decoded(_ bytes: [UInt8]) throws -> Bitmap<UInt8> {
    try #require(try ImageFile.read(bytes: bytes).bytesOfSamples)
  }

  /// Smooth gradients of many colors.
  private func photo(_ size: PixelSize = PixelSize(160, 120)) -> Bitmap<UInt8> {
    Bitmap(size, in: .sRGB, channels: .rgb) { x, y in
      let (u, v) = (Double(x) / Double(size.width), Double(y) / Double(size.height))
      return [u * 255, v * 200 + 20, (1 - u) * v * 255].map { UInt8($0) }
    }
  }

  private func pixels(_ bitmap: Bitmap<UInt8>) -> [[UInt8]] {
    (0..<bitmap.size.height).flatMap { y in
      (0..<bitmap.size.width).map { x in
        (0..<bitmap.channels.count).map { bitmap[x, y, $0] }
      }
    }
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8), (256, 8)])
  func fewColorsAreWrittenWithoutLossInTheFewestBits(count: Int, bits: Int) throws {
    let bitmap = Bitmap<UInt8>(PixelSize(31, 23), in: .displayP3, channels: .rgb) { x, y in
      let color = (x * 7 + y * 31) % count
      return [UInt8(color), UInt8(255 - color), UInt8(color * 37 % 256)]
    }
    let bytes = try encoded(bitmap, colors: 256)
    let layout = Layout(bytes)
    #expect(layout.colorType == 3 && layout.bits == bits && layout.entries.count == count)
    #expect(layout.opacities.isEmpty)
    #expect(try decoded(bytes) == bitmap)
  }

  /// Pixels beyond 4 MiB wait in a temporary file.
  @Test func largePicturesWaitForTheirPaletteInAFile() throws {
    let bitmap = Bitmap<UInt8>(PixelSize(1500, 1000), in: .sRGB, channels: .rgb) { x, y in
      [UInt8(x * y % 13), UInt8(x % 5), UInt8(y % 3)]
    }
    #expect(try decoded(encoded(bitmap, colors: 256)) == bitmap)
  }

  @Test(arguments: [2, 16, 200], [true, false])
  func manyColorsBecomeAsManyAsAskedFor(count: Int, isDithered: Bool) throws {
    let photo = photo()
    let bytes = try encoded(photo, colors: count, isDithered: isDithered)
    let read = try decoded(bytes)
    #expect(Layout(bytes).entries.count == count && Set(pixels(read)).count <= count)
    let squares = zip(photo.samples, read.samples).map { a, b in
      (Double(a) - Double(b)) * (Double(a) - Double(b))
    }
    let error = (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    #expect(error < [2: 75, 16: 30, 200: 9][count] ?? 0, "\(error)")
    #expect(try encoded(photo, colors: count, isDithered: !isDithered) != bytes)
  }

  @Test func countsAreClamped() throws {
    let photo = photo()
    #expect(try encoded(photo, colors: -3) == encoded(photo, colors: 2))
    #expect(try encoded(photo, colors: 5000) == encoded(photo, colors: 256))
  }

  /// Without dithering each pixel has the nearest color of the palette, by brute force. Distances are those of Oklab, interpolated between
  /// the points of a grid.
  @Test func pixelsGetTheNearestEntry() throws {
    let photo = photo(PixelSize(60, 40))
    let read = try decoded(encoded(photo, colors: 32, isDithered: false))
    let entries = Set(pixels(read))
    func point(_ pixel: [UInt8]) -> SIMD3<Double> {
      let color = SIMD3(Double(pixel[0]), Double(pixel[1]), Double(pixel[2])) / 255
      return ColorPoint(color, in: .sRGB).converted(to: .oklab).components * SIMD3(1, 2, 2)
    }
    let points = entries.map { ($0, point($0)) }
    for (wanted, found) in zip(pixels(photo), pixels(read)) {
      let place = point(wanted)
      func distance(_ other: SIMD3<Double>) -> Double {
        ((place - other) * (place - other)).sum().squareRoot()
      }
      let least = points.map { distance($0.1) }.min() ?? 0
      #expect(distance(point(found)) <= least + 0.01)
    }
  }

  /// A ramp in two colors keeps its mean by diffusion, and becomes two areas without.
  @Test func diffusionKeepsTheMeanOfGradients() throws {
    let ramp = Bitmap<UInt8>(PixelSize(256, 64), in: .sRGB, channels: .rgb) { x, _ in
      [UInt8](repeating: UInt8(x), count: 3)
    }
    func strips(_ bitmap: Bitmap<UInt8>) -> [Double] {
      (0..<8).map { strip in
        let columns = strip * 32..<strip * 32 + 32
        let sum = columns.reduce(0) { sum, x in
          (0..<64).reduce(sum) { $0 + Int(bitmap[x, $1, 0]) }
        }
        return Double(sum) / (32 * 64)
      }
    }
    let (wanted, diffused) = (strips(ramp), strips(try decoded(encoded(ramp, colors: 2))))
    // Entries are means of clusters, so that the ends of the ramp are beyond them.
    for strip in 2..<6 { #expect(abs(wanted[strip] - diffused[strip]) < 16, "\(diffused)") }
    #expect(Set(strips(try decoded(encoded(ramp, colors: 2, isDithered: false)))).count <= 3)
  }

  @Test func transparentPixelsShareAnEntry() throws {
    let bitmap = Bitmap<UInt8>(PixelSize(64, 32), in: .sRGB, channels: .rgba) { x, y in
      [UInt8(x * 4), UInt8(y * 8), 100, x < 20 ? 0 : x < 40 ? UInt8(x * 6) : 255]
    }
    for isDithered in [true, false] {
      let bytes = try encoded(bitmap, colors: 40, isDithered: isDithered)
      let (layout, read) = (Layout(bytes), try decoded(bytes))
      #expect(layout.opacities.count < layout.entries.count)
      #expect(layout.opacities.filter { $0 == 0 }.count == 1 && !layout.opacities.contains(255))
      #expect(
        zip(pixels(bitmap), pixels(read)).allSatisfy { wanted, found in
          switch wanted[3] {
          case 0: found == [0, 0, 0, 0]
          case 255: found[3] == 255
          default: (1..<255).contains(found[3])
          }
        })
    }
  }

  /// More than 65,536 colors are counted with fewer bits, in each of which three kinds of alpha stay apart.
  @Test func similarColorsAreCountedTogether() throws {
    let bitmap = Bitmap<UInt8>(PixelSize(256, 280), in: .sRGB, channels: .rgba) { x, y in
      [UInt8(x), UInt8(y * 255 / 280), UInt8((x * 300 + y) % 256), y < 4 ? 254 : 255]
    }
    let read = try decoded(encoded(bitmap, colors: 256, isDithered: false))
    #expect(Set(pixels(read)).count > 200)
    #expect(
      zip(pixels(bitmap), pixels(read)).allSatisfy { wanted, found in
        wanted[3] == 255 ? found[3] == 255 : found[3] >= 240
      })
  }

  @Test(arguments: [ColorSpace.sRGB, .displayP3, .adobeRGB, .rec2100PQ])
  func theColorSpaceStandsBeforeThePalette(space: ColorSpace) throws {
    let bitmap = Bitmap<UInt8>(PixelSize(16, 16), in: space, channels: .rgba) { x, y in
      [UInt8(x * 16), UInt8(y * 16), 90, UInt8(x * y)]
    }
    let bytes = try encoded(bitmap, colors: 64)
    let chunks = Layout(bytes).chunks
    let color = try #require(chunks.lastIndex { ["sRGB", "iCCP", "cICP", "cHRM"].contains($0) })
    let places = [color] + ["PLTE", "tRNS", "IDAT"].compactMap(chunks.firstIndex)
    #expect(places.count == 4 && places == places.sorted(), "\(chunks)")
    #expect(try ImageFile.read(bytes: bytes).space == space)
  }

  @Test func metadataAndEffortApply() throws {
    var options = WritingOptions(effort: 0, paletteColors: 8)
    options.metadata.resolution = .init(horizontal: 300, vertical: 300, unit: .inch)
    let stored = try ImageFile.encode(.uint8(photo()), as: .png, options: options)
    #expect(try ImageFile.info(bytes: stored).metadata.resolution != nil)
    options.effort = 9
    let packed = try ImageFile.encode(.uint8(photo()), as: .png, options: options)
    #expect(packed.count < stored.count)
    #expect(try decoded(packed) == decoded(stored))
  }

  @Test(arguments: [Channels.gray, .grayAlpha])
  func graysHaveEqualChannels(channels: Channels) throws {
    let bitmap = Bitmap<UInt8>(PixelSize(64, 4), in: .sGray, channels: channels) { x, _ in
      [UInt8(x * 4), 200].prefix(channels.count).map(\.self)
    }
    let read = try decoded(encoded(bitmap, colors: 16))
    #expect(read.channels == (channels.hasAlpha ? .rgba : .rgb))
    for pixel in pixels(read) { #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2]) }

    let picture = Picture(bitmap)
    let written = try picture.encoded(
      as: .png, writing: WritingOptions(isGray: true, paletteColors: 16))
    #expect(Layout(written).colorType == 3)
  }

  /// The file depends on pixels alone.
  @Test func tilesAndThreadsDoNotChangeTheFile() throws {
    let photo = photo()
    let picture = Picture(photo).saturation(1.3)
    var files: Set<[UInt8]> = []
    for (tile, threads) in [(16, 1), (64, 2), (1000, 3)] {
      var options = RenderOptions()
      (options.tile, options.threads) = (PixelSize(tile, tile), threads)
      files.insert(
        try picture.encoded(as: .png, options: options, writing: .init(paletteColors: 24)))
    }
    let rendered = try picture.render(as: UInt8.self)
    files.insert(try encoded(rendered, colors: 24))
    #expect(files.count == 1)
  }

  /// Most of the work is done after the last row. As many questions as without a palette are answered by no.
  @Test func cancellingEndsTheSearchForEntries() throws {
    let picture = Picture(photo())
    func encode(_ questions: Questions, _ writing: WritingOptions) throws {
      var options = RenderOptions()
      (options.threads, options.isCancelled) = (1, questions.ask)
      _ = try picture.encoded(as: .png, samples: .uint8, options: options, writing: writing)
    }
    let questions = Questions(limit: .max)
    try encode(questions, WritingOptions())
    #expect(throws: ImageFileError.rendering(.cancelled)) {
      try encode(Questions(limit: questions.count), WritingOptions(paletteColors: 16))
    }
  }

  @Test func palettesNeedSamplesOf8Bits() throws {
    let picture = Picture(photo(PixelSize(8, 8)))
    let error = #expect(throws: ImageFileError.self) {
      try picture.encoded(as: .png, samples: .uint16, writing: WritingOptions(paletteColors: 9))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("a palette holds 8 bits"))
  }

  @Test func formatsWithoutPalettesIgnoreTheOption() throws {
    let photo = photo(PixelSize(16, 16))
    for format in ImageFileFormat.all where !format.holdsPalettes && format.samples.contains(.uint8)
    {
      var options = WritingOptions()
      options.isUntagged = !format.statesColor
      let plain = try ImageFile.encode(.uint8(photo), as: format, options: options)
      options.paletteColors = 4
      #expect(try ImageFile.encode(.uint8(photo), as: format, options: options) == plain)
    }
  }

  @Test func memoryOfAPaletteCounts() throws {
    let photo = photo()
    var options = WritingOptions(memoryLimit: 1 << 22)
    _ = try ImageFile.encode(.uint8(photo), as: .png, options: options)
    options.paletteColors = 16
    #expect(throws: ImageFileError.self) {
      try ImageFile.encode(.uint8(photo), as: .png, options: options)
    }
  }
}
