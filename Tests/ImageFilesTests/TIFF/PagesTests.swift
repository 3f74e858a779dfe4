import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Files with several pages, frames or resolutions, and raw files whose first directory is a preview.
@Suite struct PagesTests {
  private typealias Directory = TestPages.Directory

  private func gray(_ bytes: [UInt8], page: Int? = nil) throws -> UInt8 {
    guard case .uint8(let bitmap) = try ImageFile.read(bytes: bytes, page: page, assuming: .sRGB)
    else { return 0 }
    return bitmap[0, 0, 0]
  }

  @Test(arguments: [false, true])
  func eachPageOfATIFFCanBeRead(isBigEndian: Bool) throws {
    let bytes = TestPages.tiff(
      (1...12).map { Directory(value: UInt8(20 * $0), size: $0) }, isBigEndian: isBigEndian)
    for page in 1...12 {
      let info = try ImageFile.info(bytes: bytes, page: page)
      #expect(info.pages == ImagePages(.page, number: page, count: 12))
      #expect("\(info.pages)" == "page \(page) of 12")
      #expect(info.size == PixelSize(page, page))
      #expect(try gray(bytes, page: page) == UInt8(20 * page))
    }
    let first = try ImageFile.info(bytes: bytes)
    #expect(first.pages.number == 1)
    #expect(first.notes == [.otherPages(first.pages)])
    for page in [0, 13, -1, Int.max] {
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.info(bytes: bytes, page: page)
      }
      #expect("\(try #require(error))".contains("12"))
    }
  }

  @Test func reducedPicturesAndMasksAreNoPages() throws {
    let bytes = TestPages.tiff([
      Directory(value: 1, size: 1, numbers: [254: 1]),
      Directory(value: 2, children: [Directory(value: 9)]),
      Directory(value: 3, numbers: [254: 4]), Directory(value: 4, numbers: [255: 2]),
      Directory(value: 5, numbers: [254: 2]),
    ])
    #expect(try ImageFile.info(bytes: bytes).pages.count == 2)
    #expect(try gray(bytes) == 2)
    #expect(try gray(bytes, page: 2) == 5)
    // A reduced picture in the chain, and the full one in a subdirectory.
    let inner = TestPages.tiff([
      Directory(value: 1, size: 1, numbers: [254: 1], children: [Directory(value: 7)])
    ])
    #expect(try gray(inner) == 7)
    // A reduced picture only.
    let reduced = TestPages.tiff([Directory(value: 8, numbers: [254: 1])])
    #expect(try gray(reduced) == 8)
    #expect(try ImageFile.info(bytes: reduced).storage.contains("reduced"))
  }

  /// With the trait RAW they are read, or libraw says why not.
  @Test(.enabled(if: !TraitRAW.isOn, "The package is built with its trait RAW."))
  func rawFilesAreRefusedByName() throws {
    let sensor = Directory(size: 4, numbers: [262: 32_803])
    let files: [(name: String, [Directory])] = [
      ("DNG", [Directory(numbers: [254: 1, 50_706: 1], children: [sensor])]),
      ("DNG", [Directory(numbers: [50_706: 1, 262: 34_892])]),
      ("NEF", [Directory(numbers: [254: 1], text: [271: "NIKON CORPORATION"], children: [sensor])]),
      ("ARW", [Directory(text: [271: "SONY"], children: [Directory(numbers: [259: 32_767])])]),
      ("PEF", [Directory(numbers: [259: 65_535], text: [271: "PENTAX Corporation"])]),
      ("unknown", [Directory(text: [271: "Nobody"]), sensor]),
    ]
    for (name, directories) in files {
      let bytes = TestPages.tiff(directories)
      let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: bytes) }
      guard case .unsupportedStorage(_, let reason) = error else {
        Issue.record("\(name): \(String(describing: error))")
        continue
      }
      #expect(reason.contains("raw") && reason.contains(name))
    }
    // The header of Canon's files, whose directory begins at byte 16.
    var canon = TestPages.tiff([Directory(text: [270: "abc"])])
    canon.replaceSubrange(8..<12, with: Array("CR\u{2}\0".utf8))
    let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: canon) }
    #expect("\(try #require(error))".contains("CR2"))
    // A DNG with a rendered picture only is a picture.
    #expect(try gray(TestPages.tiff([Directory(value: 6, numbers: [50_706: 1])])) == 6)
  }

  /// Cyclic chains, counts beyond the file, and directories at any offset neither crash nor hang.
  @Test func hostileDirectoriesAreHarmless() throws {
    let intact = TestPages.tiff([
      Directory(value: 1, text: [270: "a text"], children: [Directory(value: 9)]),
      Directory(value: 2),
    ])
    for index in intact.indices {
      for value: UInt8 in [0, 8, 0xFF] {
        var mutant = intact
        mutant[index] = value
        _ = try? ImageFile.read(bytes: mutant, assuming: .sRGB)
        _ = try? ImageFile.info(bytes: mutant, page: 2)
      }
      _ = try? ImageFile.read(bytes: Array(intact.prefix(index)), assuming: .sRGB)
    }
    // A cyclic chain has as many pages as directories.
    var loop = TestPages.tiff([Directory(value: 1)])
    loop.replaceSubrange(loop.count - 4..<loop.count, with: loop[4..<8])
    #expect(try ImageFile.info(bytes: loop).pages.count == 1)
  }

  /// Directories that share their entries are longer than their file together: the chain ends before them.
  @Test func overlappingDirectoriesEndTheChain() throws {
    let (count, entryCount) = (20, 4096)
    let directoryBytes = 2 + 12 * entryCount + 4
    func file(isOverlapping: Bool) -> [UInt8] {
      // Each directory begins an entry after the one before, or behind it.
      let step = isOverlapping ? 12 : directoryBytes
      var bytes = Array("II".utf8) + 42.bytes(2) + 8.bytes(4)
      bytes += [UInt8](repeating: 0, count: (count - 1) * step + directoryBytes)
      for index in 0..<count {
        let start = 8 + index * step
        bytes.replaceSubrange(start..<start + 2, with: entryCount.bytes(2))
        let (end, next) = (start + directoryBytes, index + 1 < count ? start + step : 0)
        bytes.replaceSubrange(end - 4..<end, with: next.bytes(4))
      }
      return bytes
    }
    for (isOverlapping, pages) in [(false, count), (true, 1)] {
      let error = ImageFileError.noSuchPage(file: "data", 1000, ImagePages(count: pages))
      #expect(throws: error) {
        try ImageFile.info(bytes: file(isOverlapping: isOverlapping), page: 1000)
      }
    }
  }

  @Test(.enabled(if: Peers.hasPillow, "Pillow is not installed"))
  func pagesOfPillowAreRead() throws {
    let folder = try TemporaryFolder()
    _ = try Peers.pillow(
      """
      pages = [Image.new("L", (4, 3), 50 * n) for n in range(1, 5)]
      pages[0].save(sys.argv[1], save_all=True, append_images=pages[1:])
      """, [folder.path("pages.tif")])
    for page in 1...4 {
      let read = try ImageFile.read(folder.path("pages.tif"), page: page, assuming: .sRGB)
      guard case .uint8(let bitmap) = read else {
        throw Failure("Page \(page) has no 8-bit samples.")
      }
      #expect(bitmap[0, 0, 0] == UInt8(50 * page))
    }
  }
}
