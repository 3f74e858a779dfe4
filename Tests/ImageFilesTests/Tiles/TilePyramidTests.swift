import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Pictures cut into tiles at several resolutions.
@Suite struct TilePyramidTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A picture of odd sides, with detail in each pixel.
  private func picture(_ size: PixelSize, _ channels: Channels = .rgb) -> Picture {
    Picture(
      Bitmap<UInt8>(size, in: .sRGB, channels: channels) { x, y in
        [UInt8(x * 7 & 255), UInt8(y * 11 & 255), UInt8((x * y) & 255)]
          + (channels == .rgba ? [UInt8(255 - (x & 127))] : [])
      })
  }

  /// The levels of a picture, in one rendering each.
  private func levels(_ picture: Picture, _ pyramid: TilePyramid) throws -> [Bitmap<UInt8>] {
    let sizes = pyramid.levels(of: picture.size)
    var levels = [picture]
    while levels.count < sizes.count {
      levels.append(pyramid.half(of: levels[levels.count - 1]))
    }
    #expect(levels.map(\.size) == sizes)
    return try levels.map { try pyramid.shown($0, holdsAlpha: true).render() }
  }

  /// Checks that each tile is the part of its level that it stands for, its overlap included. `path` returns the name of a tile of a
  /// level, 0 for the whole picture. There are `others` beside the tiles.
  private func check(
    _ levels: [Bitmap<UInt8>], _ pyramid: TilePyramid, at root: String, others: Int = 0,
    _ path: (_ level: Int, _ column: Int, _ row: Int) -> String
  ) throws {
    var count = 0
    for (index, level) in levels.enumerated() {
      let grid = pyramid.grid(of: level.size)
      for row in 0..<grid.height {
        for column in 0..<grid.width {
          let name = path(index, column, row)
          let read = try ImageFile.read("\(root)/\(name)")
          guard case .uint8(let tile) = try read.with(level.channels) else {
            Issue.record("“\(name)” has no 8 bits")
            continue
          }
          let columns = pyramid.range(ofTile: column, in: level.size.width)
          let rows = pyramid.range(ofTile: row, in: level.size.height)
          #expect(tile.size == PixelSize(columns.count, rows.count), "\(name)")
          let isEqual = rows.allSatisfy { y in
            columns.allSatisfy { x in
              (0..<level.channels.count).allSatisfy {
                tile[x - columns.lowerBound, y - rows.lowerBound, $0] == level[x, y, $0]
              }
            }
          }
          #expect(isEqual, "\(name)")
          count += 1
        }
      }
    }
    let files = try #require(FileManager.default.enumerator(atPath: root)).compactMap {
      ($0 as? String).flatMap { $0.hasSuffix(".png") ? $0 : nil }
    }
    #expect(files.count == count + others)
  }

  /// The tiles of all levels, of the whole picture to one pixel, rejoin to the picture that was halved so many times.
  @Test(arguments: [(16, 1), (16, 0), (32, 5), (7, 6)], [Channels.rgb, .rgba])
  func tilesRejoin(tile: (size: Int, overlap: Int), channels: Channels) throws {
    let picture = picture(PixelSize(97, 65), channels)
    let pyramid = TilePyramid(tileSize: tile.size, overlap: tile.overlap)
    let root = folder.path("a")
    try picture.writeTiles(to: root, pyramid, as: .png)
    let levels = try levels(picture, pyramid)
    #expect(levels.count == 8)
    try check(levels, pyramid, at: root) { level, column, row in
      "a_files/\(7 - level)/\(column)_\(row).png"
    }
    let description = try String(contentsOfFile: "\(root)/a.dzi", encoding: .utf8)
    #expect(description.contains("<Size Height=\"65\" Width=\"97\"/>"))
    #expect(
      description.contains("Format=\"png\" Overlap=\"\(tile.overlap)\" TileSize=\"\(tile.size)\""))
  }

  /// Neither threads nor tiles of the rendering change a file.
  @Test func tilesDoNotDependOnThreads() throws {
    let picture = picture(PixelSize(97, 65)).exposure(0.2)
    let pyramid = TilePyramid(tileSize: 16)
    func bytes(_ name: String, _ options: RenderOptions) throws -> [String: Data] {
      let root = folder.path(name)
      try picture.writeTiles(to: root + "/x", pyramid, options: options)
      let names = try #require(FileManager.default.enumerator(atPath: root)).compactMap {
        $0 as? String
      }
      return names.reduce(into: [:]) {
        $0[$1] = FileManager.default.contents(atPath: root + "/" + $1)
      }
    }
    for name in ["one", "many"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: false)
    }
    var options = RenderOptions()
    options.threads = 1
    let one = try bytes("one", options)
    (options.threads, options.tile) = (3, PixelSize(13, 9))
    #expect(try bytes("many", options) == one && one.count > 30)
  }

  /// Slippy maps have whole tiles, which end transparent, white or in a color.
  @Test func tilesOfMapsAreWhole() throws {
    let picture = picture(PixelSize(75, 33))
    let pyramid = TilePyramid(.xyz, tileSize: 16)
    let root = folder.path("a")
    try picture.writeTiles(to: root, pyramid, as: .png)
    let levels = try levels(picture, pyramid)
    #expect(
      levels.map(\.size) == [
        PixelSize(80, 48), PixelSize(48, 32), PixelSize(32, 16), PixelSize(16, 16),
      ])
    #expect(levels[0].channels.hasAlpha && levels[0][79, 47, 3] == 0)
    try check(levels, pyramid, at: root) { level, column, row in
      "\(3 - level)/\(column)/\(row).png"
    }
    struct Description: Decodable { let width, height, tileSize, minzoom, maxzoom: Int }
    let read = try JSONDecoder().decode(
      Description.self, from: Data(contentsOf: URL(filePath: "\(root)/tiles.json")))
    #expect((read.width, read.height, read.tileSize, read.maxzoom) == (75, 33, 16, 3))

    try picture.writeTiles(to: folder.path("white"), pyramid)
    guard case .uint8(let white) = try ImageFile.read(folder.path("white/3/4/2.jpg")) else {
      Issue.record("JPEG has 8 bits")
      return
    }
    #expect(white.size == PixelSize(16, 16) && white[15, 15, 0] > 250 && white[15, 15, 2] > 250)
    let red = TilePyramid(.xyz, tileSize: 16, background: ColorPoint(1, 0, 0, in: .sRGB))
    try picture.writeTiles(to: folder.path("red"), red, as: .png)
    guard case .uint8(let filled) = try ImageFile.read(folder.path("red/3/4/2.png")) else {
      Issue.record("The tile has 8 bits")
      return
    }
    #expect(filled[15, 15, 0] == 255 && filled[15, 15, 1] == 0)
  }

  /// The tiles of a IIIF image are requests of its regions; the smallest ones show it whole.
  @Test func tilesAreRequestsOfIIIF() throws {
    let picture = picture(PixelSize(75, 33))
    let pyramid = TilePyramid(.iiif(id: "https://example.com/\"a\""), tileSize: 16)
    let root = folder.path("a")
    try picture.writeTiles(to: root, pyramid, as: .png)
    let levels = try levels(picture, pyramid)
    #expect(levels.map(\.size.width) == [75, 38, 19, 10])
    try check(levels, pyramid, at: root, others: 2) { level, column, row in
      if level == 3 { return "full/10,5/0/default.png" }
      let side = 16 << level
      let (x, y) = (column * side, row * side)
      let (width, height) = (min(side, 75 - x), min(side, 33 - y))
      let scale = 1 << level
      return
        "\(x),\(y),\(width),\(height)/\((width + scale - 1) / scale),\((height + scale - 1) / scale)"
        + "/0/default.png"
    }
    struct Description: Decodable {
      struct Tiles: Decodable { let width: Int, scaleFactors: [Int] }
      struct Size: Decodable, Equatable { let width, height: Int }
      let id, profile: String, width, height, maxWidth, maxHeight: Int, tiles: [Tiles]
      let sizes: [Size]
    }
    let read = try JSONDecoder().decode(
      Description.self, from: Data(contentsOf: URL(filePath: "\(root)/info.json")))
    #expect(read.id == "https://example.com/\"a\"" && read.profile == "level0")
    #expect(read.tiles[0].scaleFactors == [1, 2, 4, 8] && read.tiles[0].width == 16)
    // The largest size within the limits has the picture's proportions.
    #expect(read.maxWidth == 16 && read.maxHeight == 16)
    #expect(read.sizes == [.init(width: 10, height: 5), .init(width: 16, height: 7)])
    let largest = try ["full/16,7", "full/max"].map {
      try ImageFile.read("\(root)/\($0)/0/default.png")
    }
    #expect(largest.map(\.size) == [PixelSize(16, 7), PixelSize(16, 7)])
    #expect(largest[0].sampleBytes == largest[1].sampleBytes)
  }

  /// The largest whole picture shows the picture also where its level begins a rendering, and is a level where that has its size.
  @Test(arguments: [(200, 16, 4), (257, 16, 16), (32, 16, 1), (16, 16, 1)])
  func wholePicturesOfIIIFFitATile(width: Int, tile: Int, height: Int) throws {
    let picture = Picture(
      Bitmap<UInt8>(PixelSize(width, height * width / 16), in: .sRGB, channels: .gray) { x, _ in
        [UInt8(x * 255 / width)]
      })
    let root = folder.path("a")
    let count = try Picture.writeTiles(
      of: PictureFile(picture, at: root, as: .png, samples: .uint8),
      TilePyramid(.iiif(id: "a"), tileSize: tile), options: RenderOptions()
    ).tileCount
    let read = try ImageFile.read("\(root)/full/max/0/default.png")
    guard case .uint8(let whole) = read else {
      Issue.record("The whole picture has 8 bits")
      return
    }
    #expect(whole.size.width == 16 && whole.size.height == height)
    // The level that it is made of reaches beyond the picture by less than one of its pixels, 16 codes, and the kernel sharpens.
    #expect((1..<15).allSatisfy { abs(Int(whole[$0, 0, 0]) - ($0 * 16 + 8)) < 16 + 12 })
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
      $0.hasSuffix(".png")
    }
    #expect(files.count - count == (width > 32 ? 2 : 1))
  }

  /// IIIF asks for the largest size as “max” where the picture is one tile.
  @Test func singleTilesAreAlsoTheLargestSize() throws {
    let root = folder.path("one")
    try picture(PixelSize(20, 10)).writeTiles(to: root, TilePyramid(.iiif(id: "a")), as: .png)
    let files = ["full/20,10/0/default.png", "full/max/0/default.png"]
      .map { FileManager.default.contents(atPath: "\(root)/\($0)") }
    #expect(files[0] != nil && files[0] == files[1])
  }

  @Test func turnedTilesAreRefused() throws {
    #expect(throws: ImageFileError.self) {
      try picture(PixelSize(20, 10)).writeTiles(
        to: folder.path("a"), writing: WritingOptions(orientation: .quarterTurned))
    }
    #expect(try names(folder.path("")) == [])
  }

  /// A half level is the mean of a flat area, and is not shifted where a side is odd: its pixels are those of whole pairs.
  @Test func levelsAreExactHalves() throws {
    let flat = Picture(
      Bitmap<UInt8>(PixelSize(9, 5), in: .sRGB, channels: .rgb) { _, _ in [10, 200, 77] })
    let half: Bitmap<UInt8> = try TilePyramid().half(of: flat).render()
    #expect(half.size == PixelSize(5, 3) && half.samples.prefix(3).elementsEqual([10, 200, 77]))
    let odd = picture(PixelSize(41, 40))
    let even = odd.cropped(to: Region(PixelSize(40, 40)))
    let (a, b): (Bitmap<Float>, Bitmap<Float>) = (
      try TilePyramid().half(of: odd).render(), try TilePyramid().half(of: even).render()
    )
    // Three pixels at the edge differ, where kernels reach the last column.
    #expect((0..<16).allSatisfy { x in (0..<3).allSatisfy { a[x, 10, $0] == b[x, 10, $0] } })
  }

  /// The levels of a pyramid by its rule, in double precision: pairs of pixels by a kernel of twice its reach, in linear light, of values that
  /// are neither rounded nor clipped.
  private func computedLevels(_ size: PixelSize, by kernel: ResamplingKernel) -> [[Double]] {
    /// Halves the rows; columns are rows of the exchanged picture.
    func halved(_ values: [Double], width: Int, height: Int) -> [Double] {
      let reach = Int(2 * kernel.reach)
      return (0..<(height + 1) / 2).flatMap { row in
        let middle = 2 * row + 1
        let used = max(middle - reach, 0)..<min(middle + reach, (height + 1) / 2 * 2)
        let weights = used.map { kernel((Double($0 - middle) + 0.5) / 2) }
        let sum = weights.reduce(0, +)
        return (0..<width).map { x in
          zip(used, weights).reduce(0) {
            $0 + values[min($1.0, height - 1) * width + x] * $1.1
          } / sum
        }
      }
    }
    func exchanged(_ values: [Double], width: Int, height: Int) -> [Double] {
      (0..<width).flatMap { x in (0..<height).map { y in values[y * width + x] } }
    }
    var (values, width, height) = (
      (0..<size.height).flatMap { y in
        (0..<size.width).map { x in
          ColorSpace.sRGB.transfer.decode(Double(Self.spot(x, y)) / 255)
        }
      }, size.width, size.height
    )
    var levels = [values]
    while max(width, height) > 1 {
      values = halved(values, width: width, height: height)
      height = (height + 1) / 2
      values = halved(
        exchanged(values, width: width, height: height), width: height, height: width)
      width = (width + 1) / 2
      values = exchanged(values, width: height, height: width)
      levels.append(values)
    }
    return levels
  }

  /// Black and white in single pixels and areas, at which kernels overshoot.
  private static func spot(_ x: Int, _ y: Int) -> UInt8 {
    (x / 23 + y / 17) % 2 == 0 || (x * 7 + y * 13) % 31 == 0 ? 255 : 0
  }

  /// The tiles of every level are those of the rule, rounded: also where a level is made of one that was stored in between.
  @Test(arguments: [ResamplingKernel.lanczos3, .box, .mitchell])
  func levelsFollowTheirRule(kernel: ResamplingKernel) throws {
    let size = PixelSize(301, 203)
    let source = Bitmap<UInt8>(size, in: .sRGB, channels: .gray) { [Self.spot($0, $1)] }
    let pyramid = TilePyramid(tileSize: 512, kernel: kernel)
    try Picture(source).writeTiles(to: folder.path("a"), pyramid, as: .png)
    let computed = computedLevels(size, by: kernel)
    #expect(computed.count == 10)
    for (index, values) in computed.enumerated() {
      let name = "a/a_files/\(9 - index)/0_0.png"
      guard case .uint8(let tile) = try ImageFile.read(folder.path(name)) else {
        Issue.record("The tile has 8 bits")
        continue
      }
      let width = tile.size.width
      #expect(width * tile.size.height == values.count)
      let error = values.indices.reduce(0.0) { error, pixel in
        let code = 255 * ColorSpace.sRGB.transfer.encode(min(max(values[pixel], 0), 1))
        return max(error, abs(Double(tile[pixel % width, pixel / width, 0]) - code))
      }
      #expect(error < 0.51, "level \(9 - index): \(error)")
    }
  }

  // MARK: Folders

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test func olderPyramidsAreReplaced() throws {
    let root = folder.path("a")
    try picture(PixelSize(97, 65)).writeTiles(to: root, TilePyramid(tileSize: 16))
    try picture(PixelSize(40, 30)).writeTiles(to: root + "/", TilePyramid(tileSize: 16))
    #expect(try names("\(root)/a_files") == ["0", "1", "2", "3", "4", "5", "6"])
    let description = try String(contentsOfFile: "\(root)/a.dzi", encoding: .utf8)
    #expect(description.contains("<Size Height=\"30\" Width=\"40\"/>"))
    #expect(try names(folder.path("")) == ["a"])
  }

  /// A folder with anything else in it is not replaced, and a file neither.
  @Test func otherFoldersAreRefused() throws {
    let (root, file) = (folder.path("a"), folder.path("file"))
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    for path in ["\(root)/thesis.txt", file] {
      try Data("text".utf8).write(to: URL(filePath: path))
    }
    for path in [root, file, folder.path("none/a"), "", "-"] {
      #expect(throws: ImageFileError.self) { try picture(PixelSize(20, 10)).writeTiles(to: path) }
    }
    #expect(try names(folder.path("")) == ["a", "file"] && names(root) == ["thesis.txt"])
  }

  /// Folders with the names of levels are no pyramid without its description.
  @Test func foldersWithoutADescriptionAreRefused() throws {
    for (name, layout) in [("2024", TilePyramid.Layout.xyz), ("full", .iiif(id: "a"))] {
      let root = folder.path("archive-\(name)")
      try FileManager.default.createDirectory(
        atPath: "\(root)/\(name)", withIntermediateDirectories: true)
      #expect(throws: ImageFileError.self) {
        try picture(PixelSize(20, 10)).writeTiles(to: root, TilePyramid(layout))
      }
      #expect(try names(root) == [name])
    }
  }

  /// Also among the tiles, at any depth.
  @Test(arguments: [TilePyramid.Layout.deepZoom, .xyz, .iiif(id: "a")])
  func otherFilesAmongTilesAreNotRemoved(layout: TilePyramid.Layout) throws {
    let root = folder.path("a")
    func write() throws {
      try picture(PixelSize(300, 10)).writeTiles(to: root, TilePyramid(layout))
    }
    try write()
    try write()
    let tile = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: root).first { $0.hasSuffix(".jpg") })
    let note = URL(filePath: "\(root)/\(tile)").deletingLastPathComponent().appending(
      path: "notes.txt")
    try Data([1]).write(to: note)
    let error = #expect(throws: ImageFileError.self) { try write() }
    #expect(error?.description.contains("notes.txt") == true)
    #expect(FileManager.default.fileExists(atPath: note.path))
  }

  /// A symbolic link to a folder stays one, and its folder is written.
  @Test func linksToFoldersAreFollowed() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("real"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a"), withDestinationPath: "real")
    for _ in 0..<2 { try picture(PixelSize(20, 10)).writeTiles(to: folder.path("a")) }
    #expect(try names(folder.path("real")) == ["a.dzi", "a_files"])
    let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("a"))
    #expect(try link == "real" && names(folder.path("")) == ["a", "real"])
    #expect(throws: ImageFileError.self) {
      try picture(PixelSize(20, 10)).writeTiles(to: folder.path("real/."))
    }
  }

  private struct Damaged: RowSource {
    let size = PixelSize(64, 64)
    let space = ColorSpace.sRGB
    let channels = Channels.rgb
    let alpha = Alpha.straight
    let format = SampleFormat.uint8

    final class Reader: RowReader {
      var row = 0

      func readRow(into row: UnsafeMutableRawBufferPointer) throws {
        if self.row == 50 { throw ImageFileError.damaged(file: "a", reason: "it ends") }
        row.initializeMemory(as: UInt8.self, repeating: 9)
        self.row += 1
      }
    }

    func makeReader() throws -> any RowReader { Reader() }
  }

  /// Where the picture, a tile or the move of the folder fails, nothing is left and an older pyramid is unchanged.
  @Test func failuresLeaveNothing() throws {
    let root = folder.path("a")
    let pyramid = TilePyramid(tileSize: 16)
    #expect(throws: ImageFileError.self) { try Picture(Damaged()).writeTiles(to: root, pyramid) }
    #expect(try names(folder.path("")).isEmpty)
    try picture(PixelSize(40, 30)).writeTiles(to: root, pyramid)
    let before = try FileDigest(ofFile: "\(root)/a_files/6/0_0.jpg").sha256
    #expect(throws: ImageFileError.self) { try Picture(Damaged()).writeTiles(to: root, pyramid) }
    var failing = FileSystem()
    failing.sync = { _ in
      errno = ENOSPC
      return -1
    }
    #expect(throws: ImageFileError.self) {
      try FileSystem.$current.withValue(failing) {
        try picture(PixelSize(41, 30)).writeTiles(to: root, pyramid)
      }
    }
    #expect(throws: ImageFileError.self) {
      try picture(PixelSize(40, 30), .rgba).writeTiles(to: root, pyramid)
    }
    #expect(try names(folder.path("")) == ["a"])
    #expect(try FileDigest(ofFile: "\(root)/a_files/6/0_0.jpg").sha256 == before)
  }

  @Test func parametersOutOfRangeAreRefused() throws {
    for pyramid in [
      TilePyramid(tileSize: 0), TilePyramid(tileSize: 8193), TilePyramid(tileSize: 8, overlap: 8),
      TilePyramid(overlap: -1), TilePyramid(.xyz, overlap: 1),
    ] {
      #expect(throws: ImageFileError.self) {
        try picture(PixelSize(20, 10)).writeTiles(to: folder.path("a"), pyramid)
      }
    }
    var options = RenderOptions()
    options.memoryLimit = 10_000
    #expect(throws: ImageFileError.self) {
      try picture(PixelSize(20, 10)).writeTiles(to: folder.path("a"), options: options)
    }
    #expect(try names(folder.path("")).isEmpty)
  }

  /// The folder of a killed process is removed by the next one that writes there; those of running processes and other folders stay.
  @Test func foldersOfKilledProcessesAreRemoved() throws {
    let process = try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", "exit"])
    process.waitUntilExit()
    let abandoned = ".colorloom-\(process.processIdentifier)-0123456789abcdef.folder.tmp"
    let kept = [
      ".colorloom-\(ProcessInfo.processInfo.processIdentifier)-0123456789abcdef.folder.tmp",
      ".colorloom-\(process.processIdentifier)-0123456789abcdef.tmp",
    ]
    for name in [abandoned] + kept {
      try FileManager.default.createDirectory(
        atPath: folder.path("\(name)/0"), withIntermediateDirectories: true)
    }
    try picture(PixelSize(20, 10)).writeTiles(to: folder.path("a"))
    #expect(try names(folder.path("")) == (kept + ["a"]).sorted())
  }
}
