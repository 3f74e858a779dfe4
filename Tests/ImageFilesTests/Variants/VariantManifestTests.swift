import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Lists of the files of one picture, and the choice of one of them.
@Suite struct VariantManifestTests {
  private let folder: TemporaryFolder
  private let canary = Picture(Canary(size: PixelSize(192, 64)), in: .displayP3)

  init() throws { folder = try TemporaryFolder() }

  @Test func manifestsDescribeFiles() throws {
    let pictures: [(ColorSpace, DisplayHint.Gamut, Bool)] = [
      (.sRGB, .sRGB, false), (.displayP3, .p3, false), (.adobeRGB, .rec2020, false),
      (.rec2020, .rec2020, false), (.proPhoto, .rec2020, false), (.acescg, .rec2020, false),
      (.dciP3, .rec2020, false), (.rec2100PQ, .rec2020, true), (.rec2100HLG, .rec2020, true),
    ]
    let files = pictures.enumerated().map { index, expected in
      PictureFile(canary.converted(to: expected.0), at: folder.path("\(index).png"))
    }
    try Picture.write(files)
    let manifest = try VariantManifest(of: files)
    for (variant, expected) in zip(manifest.variants, pictures) {
      #expect(variant.space == expected.0.name)
      #expect(variant.gamut == expected.1, "\(variant.space)")
      #expect(variant.hdr == expected.2, "\(variant.space)")
      #expect(variant.width == 192 && variant.height == 64 && variant.format == "PNG")
      #expect(variant.bytes == (try Data(contentsOf: URL(filePath: variant.file))).count)
    }
    let copy = try JSONDecoder().decode(
      VariantManifest.self, from: JSONEncoder().encode(manifest))
    #expect(copy == manifest)
  }

  /// A manifest of bytes in memory is that of the files with these bytes.
  @Test func manifestsOfBytesAreThoseOfFiles() async throws {
    let files = [
      PictureFile(canary.converted(to: .sRGB), at: folder.path("a.jpg")),
      PictureFile(canary, at: folder.path("b.png"), samples: .uint8),
      PictureFile(canary.thumbnail(40), at: folder.path("c"), as: .tiff),
    ]
    let bytes = try await Picture.encoded(files).map(\.bytes)
    let manifest = try VariantManifest(of: files, bytes: bytes)
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.jpg")))
    try await Picture.write(files)
    #expect(try manifest == VariantManifest(of: files))
    #expect(manifest.variants.map(\.bytes) == bytes.map(\.count))
    // A name without an ending needs a format.
    let nameless = PictureFile(canary, at: "wide")
    #expect(throws: ImageFileError.unknownEnding(file: "wide")) {
      try VariantManifest(of: [nameless], bytes: [[]])
    }
  }

  /// Of files in each gamut, a display gets the one in its own, whatever their order.
  @Test func displaysGetTheFileInTheirGamut() throws {
    let spaces: [(ColorSpace, DisplayHint.Gamut)] = [
      (.sRGB, .sRGB), (.displayP3, .p3), (.rec2020, .rec2020),
    ]
    let files = spaces.map { space, gamut in
      PictureFile(canary.converted(to: space), at: folder.path("\(gamut.rawValue).png"))
    }
    try Picture.write(files)
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let manifest = try VariantManifest(of: order.map { files[$0] })
      for (file, (_, gamut)) in zip(files, spaces) {
        let best = manifest.best(for: DisplayHint("gamut=\(gamut.rawValue)"))
        #expect(best?.file == file.path, "\(gamut), order \(order)")
      }
    }
  }

  private static let choices: [(hint: String, file: String)] = [
    ("", "narrow-2000"), ("gamut=srgb", "narrow-2000"), ("gamut=p3", "wide-2000"),
    ("Gamut = P3 ; dpr=2; width=400", "wide-1000"), ("gamut=p3; width=400", "wide-500"),
    ("gamut=p3; dpr=3; width=4000", "wide-2000"), ("gamut=rec2020", "wide-2000"),
    ("hdr=yes; gamut=rec2020", "hdr-2000"), ("width=501, gamut=p3", "wide-1000"),
    ("hdr=1", "hdr-2000"), ("gamut=p3; hdr=no; width=500", "wide-500"),
  ]

  @Test(arguments: choices)
  func displaysGetTheBestVariant(hint: String, file: String) throws {
    func variant(_ name: String, _ gamut: DisplayHint.Gamut, _ hdr: Bool, _ width: Int) -> String {
      """
      {"file": "\(name)-\(width)", "format": "PNG", "space": "", "gamut": "\(gamut.rawValue)",
       "hdr": \(hdr), "width": \(width), "height": 1, "bytes": 1, "sha256": ""}
      """
    }
    let list = [500, 1000, 2000].flatMap {
      [
        variant("narrow", .sRGB, false, $0), variant("wide", .p3, false, $0),
        variant("hdr", .rec2020, true, $0),
      ]
    }
    let manifest = try JSONDecoder().decode(
      VariantManifest.self, from: Data("{\"variants\": [\(list.joined(separator: ","))]}".utf8))
    #expect(manifest.best(for: DisplayHint(hint))?.file == file)
    // Of the remaining wider ones, the narrowest.
    var wide = manifest
    wide.variants.removeAll { $0.gamut == .sRGB }
    #expect(wide.best(for: DisplayHint("gamut=srgb"))?.file == "wide-2000")
    wide.variants = []
    #expect(wide.best(for: DisplayHint(hint)) == nil)
  }
}
