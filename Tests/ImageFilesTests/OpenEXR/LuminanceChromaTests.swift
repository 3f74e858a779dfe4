import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// OpenEXR files of luminance (Y) and subsampled chroma (RY, BY).
@Suite struct LuminanceChromaTests {
  private static let channels: [TestEXR.Channel] = [("BY", 1), ("RY", 1), ("Y", 1)]

  private static func file(
    _ width: Int = 32, _ height: Int = 40, _ channels: [TestEXR.Channel] = channels,
    _ value: @escaping (_ x: Int, _ y: Int, _ channel: String) -> Float
  ) -> TestEXR {
    var file = TestEXR(width: width, height: height, channels: channels, value: value)
    file.subsampled = ["RY", "BY"]
    return file
  }

  private func fixture(_ name: String) throws -> Bitmap<Float16> {
    guard case .float16(let pixels) = try ImageFile.read(Fixtures.url("Images/\(name)").path) else {
      throw Failure("Halves became something else.")
    }
    return pixels
  }

  /// `Fixtures/Images/luminance_chroma.cpp` writes both files by OpenEXR's own library.
  @Test func colorsAreThoseOfTheLibrary() throws {
    let read = try fixture("luminance-chroma.exr")
    let expected = try fixture("luminance-chroma-rgb.exr")
    #expect(read.size == PixelSize(40, 36) && read.channels == .rgba)
    #expect(read.space.isInterchangeable(with: .acescg))
    for y in 0..<36 {
      #expect(read.row(y).map(\.bitPattern) == expected.row(y).map(\.bitPattern), "row \(y)")
    }
  }

  @Test func partsEqualThoseOfTheWhole() throws {
    let path = Fixtures.url("Images/luminance-chroma.exr").path
    let picture = try Picture(contentsOf: path)
    let whole = try picture.render(as: Float.self)
    for part in [
      Region(x: 0, y: 0, width: 40, height: 1), Region(x: 3, y: 13, width: 9, height: 2),
      Region(x: 39, y: 35, width: 1, height: 1), Region(x: 8, y: 33, width: 20, height: 3),
    ] {
      let expected = try Picture(whole).cropped(to: part).render(as: Float.self)
      let result = try picture.cropped(to: part).render(as: Float.self)
      #expect(result.firstDifference(from: expected) == nil, "\(part)")
    }
  }

  @Test func descriptionNamesLuminanceAndChroma() throws {
    let info = try ImageFile.info(bytes: Self.file { _, _, _ in 0 }.bytes)
    #expect(info.channels == .rgb && info.samples == .float16)
    #expect(info.storage.contains("luminance and subsampled chroma"))
    #expect(info.notes.isEmpty)
  }

  /// Even chroma is interpolated to itself, and red, green and blue follow from the weights of Rec. 709.
  @Test(arguments: [1, 2]) func evenColorsFollowFromTheirWeights(type: Int) throws {
    let (red, green, blue) = (Float(0.75), Float(0.5), Float(0.25))
    let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    let file = Self.file(6, 4, [("BY", type), ("RY", type), ("Y", type)]) { _, _, name in
      switch name {
      case "Y": luminance
      case "RY": red / luminance - 1
      default: blue / luminance - 1
      }
    }
    let picture = try ImageFile.read(bytes: file.bytes)
    #expect(picture.format == (type == 1 ? .float16 : .float32))
    let tolerance: Float = type == 1 ? 1e-3 : 1e-4
    for y in 0..<4 {
      for x in 0..<6 {
        let color = try #require(floats(picture, x, y))
        #expect(abs(color[0] - red) < tolerance, "\(x), \(y): \(color)")
        #expect(abs(color[1] - green) < tolerance, "\(x), \(y): \(color)")
        #expect(abs(color[2] - blue) < tolerance, "\(x), \(y): \(color)")
      }
    }
  }

  private func floats(_ picture: AnyBitmap, _ x: Int, _ y: Int) -> [Float]? {
    switch picture {
    case .float16(let bitmap): (0..<bitmap.channels.count).map { Float(bitmap[x, y, $0]) }
    case .float32(let bitmap): (0..<bitmap.channels.count).map { bitmap[x, y, $0] }
    default: nil
    }
  }

  /// Grays stay as they are, single precision too, with the chroma that is missing taken for 0.
  @Test(arguments: [["BY", "RY"], ["BY"], ["RY"]])
  func pixelsWithoutChromaAreGray(names: [String]) throws {
    let channels = [("A", 1)] + names.map { ($0, 1) } + [("Y", 2)]
    let file = Self.file(8, 6, channels) { x, y, name in
      name == "Y" ? Float(x) / 7 + Float(y) / 3 : name == "A" ? 0.5 : 0
    }
    let picture = try ImageFile.read(bytes: file.bytes)
    #expect(picture.channels == .rgba)
    for y in 0..<6 {
      for x in 0..<8 {
        let gray = Float(x) / 7 + Float(y) / 3
        #expect(floats(picture, x, y) == [gray, gray, gray, 0.5])
      }
    }
  }

  @Test func redGreenAndBlueArePreferred() throws {
    var file = Self.file(4, 4, [("B", 1), ("BY", 1), ("G", 1), ("R", 1), ("RY", 1), ("Y", 1)]) {
      x, _, name in name.count == 1 ? Float(x) : 7
    }
    file.subsampled = ["RY", "BY"]
    let picture = try ImageFile.read(bytes: file.bytes)
    #expect(floats(picture, 2, 1) == [2, 2, 2])
    #expect(try ImageFile.info(bytes: file.bytes).notes == [.unread("3 other channels")])
  }

  @Test func chromaticitiesWithoutLuminanceAreRefused() throws {
    var file = Self.file { _, _, _ in 0.25 }
    file.attributes = [("chromaticities", "chromaticities", [UInt8](repeating: 0, count: 32))]
    let error = #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: file.bytes) }
    guard case .unsupportedStorage(_, let reason) = error else {
      throw Failure("\(String(describing: error))")
    }
    #expect(reason.contains("luminance"), "\(reason)")
  }

  @Test func truncatedFilesAreErrors() throws {
    let bytes = Self.file { x, y, _ in Float(x + y) / 64 }.bytes
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.read(bytes: Array(bytes.dropLast(200)))
    }
    guard case .truncated(_, let rows, of: 40) = error else {
      throw Failure("\(String(describing: error))")
    }
    #expect((30..<40).contains(rows))
  }
}
