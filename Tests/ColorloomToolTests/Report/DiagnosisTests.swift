import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The causes that the page of `report` names for lost colors.
@Suite struct DiagnosisTests {
  private let pages: ReportPages

  init() throws { pages = try ReportPages() }

  /// A file as a faulty pipeline leaves it.
  private func broken(_ name: String) throws -> String {
    let png = pages.path("broken.png")
    let untagged = {
      var options = WritingOptions()
      options.isUntagged = true
      return options
    }()
    let clipped = pages.scene.fitted(into: .sRGB, by: .clipped)
    switch name {
    case "profile dropped": try pages.scene.write(to: png, samples: .uint8, writing: untagged)
    case "converted and untagged": try clipped.write(to: png, samples: .uint8, writing: untagged)
    case "assigned": try pages.scene.tagged(as: .sRGB).write(to: png)
    case "clipped": try clipped.converted(to: .displayP3).write(to: png)
    case "swapped":
      try pages.scene.channelMix(
        ColorMatrix(rows: [0, 0, 1], [0, 1, 0], [1, 0, 0]), in: .encoded
      )
      .write(to: png)
    case "curve":
      let curve = try CubicCurve(through: [[0, 0], [0.1, 0], [0.6, 1], [1, 1]])
      try pages.scene.toneCurve(curve).write(to: png)
    case "gray": try pages.scene.monochrome().write(to: png)
    case "twice":
      try clipped.tagged(as: .displayP3).fitted(into: .sRGB, by: .clipped).write(to: png)
    case "wrong code points": try pages.scene.tagged(as: .rec2100PQ).write(to: png)
    default:
      var options = WritingOptions()
      (options.quality, options.chroma) = (40, .quarter)
      let path = pages.path("broken.jpg")
      try pages.scene.write(to: path, writing: options)
      return path
    }
    return png
  }

  @Test(arguments: [
    ("profile dropped", "The profile was dropped"),
    ("converted and untagged", "converted to sRGB and nothing says so"),
    ("assigned", "assigned where colors should have been converted"),
    ("clipped", "clipped to sRGB"), ("swapped", "red and blue swapped"),
    ("curve", "A tone curve changed the values"), ("gray", "turned gray"),
    ("twice", "converted twice"),
    ("wrong code points", "assigned where colors should have been converted"),
    ("JPEG", "JPEG quantization"),
  ])
  func faultyPipelinesAreNamed(name: String, finding: String) throws {
    let verdict = try pages.verdict(
      pages.page([broken(name), "--original", pages.path("original.png")]))
    #expect(verdict.contains("Color is lost."), "\(verdict)")
    #expect(verdict.contains(finding), "\(verdict)")
  }

  @Test func intactCopiesAreIntact() throws {
    for (name, samples) in [("copy.png", SampleFormat.uint8), ("copy.tiff", .uint16)] {
      let copy = pages.path(name)
      try pages.scene.write(to: copy, samples: samples)
      let verdict = try pages.verdict(pages.page([copy, "--original", pages.path("original.png")]))
      #expect(verdict.contains("Color is kept."), "\(verdict)")
    }
  }

  /// A copy that was only rotated or mirrored keeps its colors, and the page names the turn.
  @Test(
    arguments: zip(
      Orientation.allCases.dropFirst(),
      [
        "mirrored horizontally", "rotated by 180°", "mirrored vertically",
        "mirrored at the main diagonal", "rotated by 90° clockwise",
        "mirrored at the other diagonal", "rotated by 90° counterclockwise",
      ]))
  func turnsAreNamed(orientation: Orientation, turn: String) throws {
    let copy = pages.path("copy.png")
    try pages.scene.oriented(orientation).write(to: copy)
    let verdict = try pages.verdict(pages.page([copy, "--original", pages.path("original.png")]))
    #expect(verdict.contains("Color is kept."), "\(verdict)")
    #expect(verdict.contains("The picture is \(turn),"), "\(verdict)")
  }

  @Test func lossesOfTurnedPicturesAreNamed() throws {
    let copy = pages.path("copy.png")
    try pages.scene.turned(quarters: 1).fitted(into: .sRGB, by: .clipped).converted(to: .displayP3)
      .write(to: copy)
    let verdict = try pages.verdict(pages.page([copy, "--original", pages.path("original.png")]))
    #expect(verdict.contains("Color is lost."), "\(verdict)")
    #expect(verdict.contains("rotated by 90°") && verdict.contains("clipped to sRGB"), "\(verdict)")
  }

  /// No known loss makes a crop of a picture, or another picture.
  @Test func otherPicturesAreNotExplained() throws {
    let other = TestPictures.codes(as: UInt8.self, PixelSize(90, 60), in: .sRGB, channels: .rgb)
    let part = pages.scene.cropped(to: Region(x: 70, y: 0, width: 60, height: 128))
    for picture in [
      part, part.turned(quarters: 1), part.monochrome(), Picture(other),
      Picture(other).monochrome(),
    ] {
      let copy = pages.path("copy.png")
      try picture.write(to: copy)
      let verdict = try pages.verdict(pages.page([copy, "--original", pages.path("original.png")]))
      #expect(verdict.contains("The pictures differ."), "\(verdict)")
      #expect(verdict.contains("no known loss explains the difference"), "\(verdict)")
      #expect(!verdict.contains("Color is lost."), "\(verdict)")
    }
  }
}
