import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Reading the remaining part of truncated files.
@Suite struct SalvageTests {
  private static let size = PixelSize(120, 90)
  private let whole: Bitmap<UInt8> = {
    // Noise, so that a part of the file is about that part of the rows.
    var random = SeededGenerator(seed: 11)
    return Bitmap(Self.size, in: .displayP3, channels: .rgb) { _, _ in
      (0..<3).map { _ in .random(in: 0...255, using: &random) }
    }
  }()

  private func cut(
    _ format: ImageFileFormat, to part: Double, _ options: WritingOptions = WritingOptions()
  ) throws -> (pixels: Bitmap<UInt8>, bytes: [UInt8]) {
    let bytes = try ImageFile.encode(.uint8(whole), as: format, options: options)
    return (
      try Picture(bytes: bytes).render(), Array(bytes.prefix(Int(Double(bytes.count) * part)))
    )
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg], [0.4, 0.7])
  func rowsUpToTheEndAreRead(format: ImageFileFormat, part: Double) throws {
    let (pixels, bytes) = try cut(format, to: part)
    let strict = try OpenedImageFile(bytes: bytes)
    #expect(throws: RenderError.self) { try strict.picture().render(as: UInt8.self) }
    #expect(strict.salvage == nil)

    let file = try OpenedImageFile(bytes: bytes, salvaging: true)
    let read: Bitmap<UInt8> = try file.picture().render()
    let salvage = try #require(file.salvage)
    #expect(salvage.count == Self.size.height && salvage.rows > 0 && salvage.rows < salvage.count)
    #expect(abs(Double(salvage.rows) / Double(salvage.count) - part) < 0.2)
    for y in 0..<Self.size.height {
      #expect(
        y < salvage.rows ? read.row(y) == pixels.row(y) : read.row(y).allSatisfy { $0 == 0 })
    }
    #expect("\(salvage)".contains("\(salvage.rows) of \(salvage.count) rows"))
  }

  /// A few bytes of a PNG may hold hundreds of flat rows: those before the cut are read, however few bytes there are.
  @Test(arguments: [0.4, 0.8]) func flatRowsBeforeTheCutAreRead(part: Double) throws {
    var random = SeededGenerator(seed: 12)
    let codes = (0..<900).map { _ in UInt8.random(in: 0...255, using: &random) }
    let flat = Bitmap<UInt8>(PixelSize(1200, 900), in: .sRGB, channels: .rgb) { _, y in
      [codes[y], codes[(y + 1) % 900], 7]
    }
    let bytes = try ImageFile.encode(.uint8(flat), as: .png, options: WritingOptions())
    let cut = Array(bytes.prefix(Int(Double(bytes.count) * part)))
    let file = try OpenedImageFile(bytes: cut, salvaging: true)
    let read: Bitmap<UInt8> = try file.picture().render()
    let salvage = try #require(file.salvage)
    #expect(abs(Double(salvage.rows) / 900 - part) < 0.1, "\(salvage.rows) rows")
    #expect((0..<salvage.rows).allSatisfy { read.row($0) == flat.row($0) })
  }

  /// The scans that are present give a coarser picture, of all rows.
  @Test func progressiveFilesGetCoarse() throws {
    let (pixels, bytes) = try cut(.jpeg, to: 0.6, WritingOptions(isProgressive: true))
    let file = try OpenedImageFile(bytes: bytes, salvaging: true)
    let read: Bitmap<UInt8> = try file.picture().render()
    let salvage = try #require(file.salvage)
    #expect(salvage.rows == salvage.count && "\(salvage)".contains("last scan"))
    #expect(read.row(Self.size.height - 1).contains { $0 != 0 } && read != pixels)
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.read(bytes: bytes)
    }
    #expect(error?.description.contains("ends before its last scan") == true)
  }

  /// libjpeg fails at an end within a table or the header of a scan; the scans before it are read nevertheless.
  @Test(arguments: [0xC4, 0xDA] as [UInt8], [2, 3, 4, 7])
  func progressiveFilesThatEndWithinASegmentGetCoarse(marker: UInt8, count: Int) throws {
    let (pixels, whole) = try cut(.jpeg, to: 1, WritingOptions(isProgressive: true))
    let segment = try #require(
      whole.indices.dropLast().last { whole[$0] == 0xFF && whole[$0 + 1] == marker })
    let file = try OpenedImageFile(bytes: Array(whole[..<(segment + count)]), salvaging: true)
    let read: Bitmap<UInt8> = try file.picture().render()
    let salvage = try #require(file.salvage)
    #expect(salvage.rows == salvage.count && "\(salvage)".contains("last scan"))
    #expect(read.row(0).contains { $0 != 0 } && read != pixels)
  }

  /// Reduced rows are counted as rows of the file, whose height no reduction divides here.
  @Test(arguments: [2, 4, 8], [false, true])
  func reducedPicturesStateTheRowsOfTheFile(reduction: Int, isProgressive: Bool) throws {
    let noise = Bitmap<UInt8>(PixelSize(120, 101), in: .displayP3, channels: .rgb) { x, y in
      whole.row(y % 90)[3 * x..<3 * x + 3].map { $0 }
    }
    let bytes = try ImageFile.encode(
      .uint8(noise), as: .jpeg, options: WritingOptions(isProgressive: isProgressive))
    let wanted = PixelSize(120 / reduction, 101 / reduction)
    let reducedHeight = (101 + reduction - 1) / reduction
    for count in [bytes.count - 2, bytes.count / 2] {
      let file = try OpenedImageFile(bytes: Array(bytes.prefix(count)), salvaging: true)
      let picture = try file.picture().reduced(toAtLeast: wanted)
      #expect(picture.size.height == reducedHeight)
      _ = try picture.render(as: UInt8.self)
      let salvage = try #require(file.salvage)
      let isWhole = isProgressive || count == bytes.count - 2
      #expect(salvage.count == 101)
      #expect(isWhole ? salvage.rows == 101 : (24..<88).contains(salvage.rows))
      guard case .truncated(_, let rows, let all) = salvage.error else {
        #expect(isProgressive && count == bytes.count / 2)
        continue
      }
      #expect(rows == salvage.rows && all == 101)
    }
  }

  /// Cameras and downloads lose the last bytes of a JPEG, which are no pixels.
  @Test(arguments: [false, true], [ChromaSampling.full, .half, .quarter])
  func rowsBeforeAMissingEndMarkAreComplete(isProgressive: Bool, chroma: ChromaSampling) throws {
    for size in [PixelSize(64, 64), PixelSize(41, 75), Self.size] {
      let noise = Bitmap<UInt8>(size, in: .displayP3, channels: .rgb) { x, y in
        whole.row(y % 90)[3 * (x % 120)..<3 * (x % 120) + 3].map { $0 }
      }
      let bytes = try ImageFile.encode(
        .uint8(noise), as: .jpeg,
        options: WritingOptions(chroma: chroma, isProgressive: isProgressive))
      let pixels: Bitmap<UInt8> = try Picture(bytes: bytes).render()
      // EOI has two bytes.
      for count in [1, 2] {
        let cut = Array(bytes.dropLast(count))
        let error = ImageFileError.truncated(file: "data", rows: size.height, of: size.height)
        #expect(throws: error) { try ImageFile.read(bytes: cut) }
        let file = try OpenedImageFile(bytes: cut, salvaging: true)
        #expect(try file.picture().render(as: UInt8.self) == pixels)
        let salvage = try #require(file.salvage)
        #expect(salvage.rows == size.height && salvage.error == error)
      }
    }
  }

  @Test func wholeFilesNeedNoSalvage() throws {
    let bytes = try ImageFile.encode(.uint8(whole), as: .png)
    let file = try OpenedImageFile(bytes: bytes, salvaging: true)
    #expect(try file.picture().render(as: UInt8.self) == whole)
    #expect(file.salvage == nil)
  }

  /// Where no row can be read, damage stays an error.
  @Test func filesWithoutReadableRowsFailDespiteSalvage() throws {
    let bytes = try ImageFile.encode(.uint8(whole), as: .png)
    for count in [20, 100, 300, 600] {
      #expect(throws: (any Error).self) {
        try OpenedImageFile(bytes: Array(bytes.prefix(count)), salvaging: true).picture()
          .render(as: UInt8.self)
      }
    }
  }
}
