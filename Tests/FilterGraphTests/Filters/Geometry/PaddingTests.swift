import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Pictures padded to regions, to sizes and by borders, with edges and with a color.
@Suite struct PaddingTests {
  private static let photo = TestPictures.codes(as: UInt16.self, PixelSize(41, 23))
  private static let color = ColorPoint(0.2, 0.4, 0.6, in: .sRGB)

  /// Reads a recipe of one step.
  private func recipe(_ step: String) throws -> Recipe {
    try Recipe(json: #"{"version": 1, "inputs": ["photo"], "steps": [{\#(step)}]}"#)
  }

  /// Halves go to the right and the bottom.
  @Test(arguments: [(0, 5, -7), (0.5, 4, -9), (0.7, 3, -10), (1, 2, -12)] as [(Double, Int, Int)])
  func sizesPlaceThePicture(fraction: Double, left: Int, top: Int) throws {
    let picture = Picture(TestPictures.codes(as: UInt16.self, PixelSize(4, 3)))
      .moved(by: Offset(5, -7))
    let (size, region) = (PixelSize(7, 8), Region(x: left, y: top, width: 7, height: 8))
    let padded = picture.padded(to: size, edges: .mirrored, x: fraction, y: fraction)
    #expect(padded.region == region)
    #expect(
      try padded.render(as: UInt16.self)
        == picture.padded(to: region, edges: .mirrored).render(as: UInt16.self))
    let framed = picture.padded(to: size, with: Self.color, x: fraction, y: fraction)
    #expect(framed.region == region)
    #expect(
      try framed.render(as: UInt16.self)
        == picture.padded(to: region, with: Self.color).render(as: UInt16.self))
  }

  @Test func theMiddleIsTheDefault() {
    let photo = Picture(Self.photo)
    let region = Region(x: -4, y: -13, width: 50, height: 50)
    #expect(photo.padded(to: PixelSize(50, 50)).region == region)
    #expect(photo.padded(to: PixelSize(50, 50), with: Self.color).region == region)
  }

  /// Sizes within the picture keep the part that ``Picture/cropped(toAspect:_:x:y:)`` keeps.
  @Test(arguments: [0, 0.25, 0.5, 1])
  func smallerSizesCutThePicture(fraction: Double) {
    let photo = Picture(Self.photo)
    let cut = photo.cropped(toAspect: 1, x: fraction).region
    #expect(photo.padded(to: PixelSize(23, 23), x: fraction).region == cut)
    #expect(photo.padded(to: PixelSize(23, 23), with: Self.color, x: fraction).region == cut)
    let both = photo.padded(to: PixelSize(23, 33), with: Self.color, x: fraction, y: 0)
    #expect(both.region == Region(x: cut.x, y: 0, width: 23, height: 33))
  }

  @Test(arguments: [PixelSize(42, 23), PixelSize(44, 30), PixelSize(20, 31), PixelSize(60, 60)])
  func theMiddleIsFoundAgain(size: PixelSize) {
    let photo = Picture(Self.photo).moved(by: Offset(-3, 8))
    let whole = photo.region
    #expect(photo.padded(to: size).padded(to: whole.size).region == whole)
  }

  @Test(arguments: [("20", 20, 20), ("[20, 10]", 20, 10), ("[0, 3]", 0, 3), ("0", 0, 0)])
  func bordersSurroundPicturesOfAnySize(border: String, x: Int, y: Int) throws {
    for step in [#""pad": {"by": \#(border)}"#, #""frame": {"by": \#(border), "color": "red"}"#] {
      let recipe = try recipe(step)
      for size in [PixelSize(41, 23), PixelSize(8, 30)] {
        let photo = Picture(TestPictures.codes(as: UInt16.self, size)).moved(by: Offset(2, 9))
        let picture = try recipe.picture(["photo": photo])
        #expect(
          picture.region
            == Region(x: 2 - x, y: 9 - y, width: size.width + 2 * x, height: size.height + 2 * y))
        #expect(try Recipe(picture, inputs: ["photo": photo]) == recipe)
      }
      #expect(try Recipe(json: recipe.json) == recipe)
    }
  }

  @Test func targetsAreRegionsSizesOrBorders() throws {
    let photo = Picture(Self.photo)
    let region = Region(x: -3, y: -2, width: 50, height: 40)
    for (step, expected) in [
      (#""pad": {"to": [-3, -2, 50, 40]}"#, photo.padded(to: region)),
      (#""pad": {"to": [50, 40]}"#, photo.padded(to: PixelSize(50, 40))),
      (
        #""pad": {"to": [50, 40], "x": 0, "y": 1}"#,
        photo.padded(to: PixelSize(50, 40), x: 0, y: 1)
      ),
      (
        #""frame": {"to": [50, 40], "y": 0.25, "color": "color(srgb 0.2 0.4 0.6)"}"#,
        photo.padded(to: PixelSize(50, 40), with: Self.color, y: 0.25)
      ),
      (#""pad": {"by": 20}"#, photo.padded(by: 20)),
      (
        #""pad": {"by": [20, 10], "edges": "mirrored"}"#,
        photo.padded(by: 20, 10, edges: .mirrored)
      ),
      (
        #""frame": {"by": [0, 3], "color": "color(srgb 0.2 0.4 0.6)"}"#,
        photo.padded(by: 0, 3, with: Self.color)
      ),
    ] {
      let recipe = try recipe(step)
      #expect(try recipe.picture(["photo": photo]).region == expected.region, "\(step)")
      #expect(try Recipe(expected, inputs: ["photo": photo]) == recipe, "\(step)")
    }
  }

  @Test(arguments: [
    (#""pad": {}"#, "steps[0].pad: Padding needs one of “to”"),
    (#""pad": {}"#, "and “by”, the width of a border; it has neither."),
    (#""frame": {"to": [9, 9], "by": 2, "color": "red"}"#, "a border; it has both."),
    (#""pad": {"by": 2, "x": 0}"#, "The x 0 and y 0.5 of padding choose where the picture lies"),
    (#""pad": {"to": [0, 0, 9, 9], "y": 1}"#, "Leave both at 0.5, or pad to a size."),
    (#""pad": {"by": -1}"#, "steps[0].pad.by: expected a number in 0…1073741824, found -1."),
    (#""pad": {"by": [1, 2, 3]}"#, "steps[0].pad.by: expected a list of 2 whole numbers"),
    (
      #""pad": {"to": [1, 2, 3]}"#,
      "steps[0].pad.to: expected a list of 4 whole numbers for a region, or of 2 for a size, found"
    ),
    (#""pad": {"to": "50x40"}"#, "expected a list of 4 whole numbers for a region, or of 2 for"),
    (#""pad": {"to": [0, 3]}"#, "A picture needs at least one pixel; 0 × 3 has none."),
  ])
  func wrongRecipesAreExplained(step: String, sentence: String) {
    let error = #expect(throws: RecipeDecodingError.self) { try recipe(step) }
    #expect(error.map { "\($0)".contains(sentence) } == true, "\(String(describing: error))")
  }

  @Test func wrongValuesFail() {
    let photo = Picture(Self.photo)
    let size = PixelSize(50, 50)
    #expect(
      photo.padded(to: size, x: 1.5).failure
        == .parameter("The x of pad", value: 1.5, allowed: 0...1))
    #expect(
      photo.padded(to: size, with: Self.color, y: -1).failure
        == .parameter("The y of frame", value: -1, allowed: 0...1))
    let none = RecipeError.emptySize(width: 0, height: 4)
    #expect(photo.padded(to: PixelSize(0, 4)).failure == none)
    #expect(photo.padded(to: PixelSize(0, 4), with: Self.color).failure == none)
    #expect(photo.padded(to: Region(PixelSize(0, 4)), with: Self.color).failure == none)
    #expect(
      photo.padded(by: 1, -1).failure
        == .parameter("The by of pad", value: -1, allowed: 0...0x1p30))
    #expect(
      photo.padded(by: -1, with: Self.color).failure
        == .parameter("The by of frame", value: -1, allowed: 0...0x1p30))
    // Also where the frame adds no pixels.
    let bright = ColorPoint(1e38, 0, 0, in: .linearSRGB)
    for picture in [photo.padded(by: 1, with: bright), photo.padded(by: 0, with: bright)] {
      #expect(picture.failure.map { "\($0)" }?.contains("needs finite linear light") == true)
    }
    let endless = photo.extended(by: .mirrored)
    #expect(endless.padded(by: 1).failure == .endless)
    #expect(endless.padded(to: size).failure == .endless)
    #expect(endless.padded(to: size, with: Self.color).failure == .endless)
    #expect(endless.padded(to: Region(size)).failure == nil)
  }

  /// Positions saturate.
  @Test func farPicturesFailToRender() {
    for far in [Int.min, .max] {
      let photo = Picture(Self.photo).moved(by: Offset(far, far))
      for picture in [
        photo.padded(to: PixelSize(50, 50), x: 1), photo.padded(to: PixelSize(9, 9), y: 1),
        photo.cropped(toAspect: 1, x: 1),
        Picture(Self.photo).padded(to: PixelSize(.max, .max), x: 1),
      ] {
        #expect(throws: RenderError.self) { try picture.render(as: UInt8.self) }
      }
    }
  }
}
