import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The part of a picture that is kept where it is cropped to a shape.
@Suite struct KeptPartTests {
  private static let photo = TestPictures.codes(as: UInt16.self, PixelSize(41, 23))
  private static let fractions = [0, 0.1, 0.25, 0.5, 0.9, 1]

  /// The middle has the pixels that were kept before there was a choice: an odd excess loses its smaller half first.
  @Test(arguments: [(20, 20), (10, 31), (41, 7), (8, 23), (50, 23)])
  func middleOfAFillIsUnchanged(width: Int, height: Int) throws {
    let picture = Picture(Self.photo).moved(by: Offset(5, -7))
    let target = ResizeTarget.fill(width, height)
    let resize = try Resize(to: target)
    let isSame = try resize.outputSize(for: picture.size) == picture.size
    let resized = isSame ? picture : picture.applying(resize)
    let before = resized.cropped(
      to: Region(
        x: 5 + (resized.size.width - width) / 2, y: -7 + (resized.size.height - height) / 2,
        width: width, height: height))
    let filled = picture.resized(to: target)
    #expect(filled.region == Region(x: 5, y: -7, width: width, height: height))
    #expect(try filled.render(as: UInt16.self) == before.render(as: UInt16.self))
    #expect(
      try picture.resized(to: target, x: 0.5, y: 0.5).render(as: UInt16.self)
        == before.render(as: UInt16.self))
  }

  /// A picture that has one side of the size already is cropped only.
  @Test func fillKeepsTheNamedPart() throws {
    let row = Bitmap<UInt8>(PixelSize(9, 3), in: .sRGB, channels: .rgb) { x, y in
      [UInt8(x), UInt8(y), 0]
    }
    for (x, first) in [(0, 0), (0.1, 1), (0.25, 1), (0.5, 3), (0.75, 4), (0.9, 5), (1, 6)] {
      let kept = try Picture(row).resized(to: .fill(3, 3), x: x).render(as: UInt8.self)
      #expect((0..<3).map { Int(kept[$0, 1, 0]) } == Array(first..<first + 3), "\(x)")
      let column = Picture(row).turned(quarters: 1).resized(to: .fill(3, 3), y: x)
      let turned = try column.turned(quarters: -1).render(as: UInt8.self)
      #expect(turned == kept, "\(x)")
    }
  }

  @Test(
    arguments: [(16, 9), (1, 1), (2.39, 1), (2, 3), (9, 16), (1000, 1), (1, 1000)]
      as [(Double, Double)])
  func aspectCropsAreLargestAndInside(width: Double, height: Double) {
    for size in [PixelSize(41, 23), PixelSize(23, 41), PixelSize(1, 1), PixelSize(1920, 1080)] {
      let picture = Picture(Bitmap<UInt8>(size, in: .sRGB)).moved(by: Offset(-3, 8))
      let whole = picture.region
      for x in Self.fractions {
        for y in Self.fractions {
          let kept = picture.cropped(toAspect: width, height, x: x, y: y).region
          #expect(!kept.isEmpty && whole.contains(kept))
          #expect(kept.width == whole.width || kept.height == whole.height)
          let ideal = min(Double(whole.width), Double(whole.height) * width / height)
          #expect(abs(Double(kept.width) - max(ideal, 1)) <= 0.5 + 1e-9)
          #expect(abs(Double(kept.height) - max(ideal * height / width, 1)) <= 0.5 + 1e-9)
          #expect(x > 0 || kept.x == whole.x)
          #expect(y > 0 || kept.y == whole.y)
          #expect(x < 1 || kept.x + kept.width == whole.x + whole.width)
          #expect(y < 1 || kept.y + kept.height == whole.y + whole.height)
        }
      }
    }
  }

  /// Left and top are those of the upright picture.
  @Test(arguments: Orientation.allCases)
  func partsAreThoseOfTheUprightPicture(orientation: Orientation) throws {
    let picture = Picture(Self.photo).oriented(orientation)
    let upright = Picture(try picture.render(as: UInt16.self))
    let side = 23
    let region = Region(
      x: upright.size.width - side, y: upright.size.height - side, width: side, height: side)
    let expected = try upright.cropped(to: region).render(as: UInt16.self)
    let cropped = picture.cropped(toAspect: 1, x: 1, y: 1)
    #expect(try cropped.render(as: UInt16.self) == expected)
    let filled = picture.resized(to: .fill(side, side), x: 1, y: 1)
    #expect(try filled.render(as: UInt16.self) == expected)
  }

  /// The pixels keep their positions in layers.
  @Test func aspectCropsKeepPositions() throws {
    let ground = Picture(Self.photo)
    let layer = ground.inverted().cropped(toAspect: 1, x: 1)
    #expect(layer.region == Region(x: 18, y: 0, width: 23, height: 23))
    #expect(
      try layer.composited(onto: ground).render(as: UInt16.self)
        == ground.inverted().cropped(to: layer.region).composited(onto: ground)
        .render(as: UInt16.self))
  }

  @Test func ratiosAreNumbersOrPairs() throws {
    func recipe(_ ratio: String) throws -> Recipe {
      try Recipe(
        json:
          #"{"version": 1, "inputs": ["photo"], "steps": [{"aspect-crop": {"ratio": \#(ratio)}}]}"#
      )
    }
    let photo = Picture(Self.photo)
    for (ratio, picture) in [
      ("\"16:9\"", photo.cropped(toAspect: 16, 9)), ("\"2.39:1\"", photo.cropped(toAspect: 2.39)),
      ("1.5", photo.cropped(toAspect: 1.5)), ("2", photo.cropped(toAspect: 2, 1)),
    ] {
      let made = try recipe(ratio).picture(["photo": photo])
      #expect(made.region == picture.region, "\(ratio)")
      #expect(try recipe(ratio) == Recipe(picture, inputs: ["photo": photo]), "\(ratio)")
    }
    #expect(try recipe("\"16:9\"").json.contains("\"16:9\""))
    for wrong in ["\"16\\u00d79\"", "\"16:9:4\"", "\"-16:-9\"", "\":9\"", "\"\"", "0", "2000"] {
      #expect(throws: (any Error).self, "\(wrong)") { try recipe(wrong) }
    }
  }

  @Test func wrongValuesFail() {
    let photo = Picture(Self.photo)
    let range = 0.001...1000.0
    #expect(
      photo.cropped(toAspect: 16, 0).failure
        == .parameter("The ratio of aspect crop", value: .infinity, allowed: range))
    for (width, height) in [(-16, -9), (-16, 9), (16, -9), (.nan, 9)] as [(Double, Double)] {
      #expect(photo.cropped(toAspect: width, height).failure != nil, "\(width):\(height)")
    }
    #expect(
      photo.cropped(toAspect: 1, x: 1.5).failure
        == .parameter("The x of aspect crop", value: 1.5, allowed: 0...1))
    #expect(
      photo.resized(to: .fill(9, 9), y: -0.5).failure
        == .parameter("The y of resize", value: -0.5, allowed: 0...1))
    for target in [ResizeTarget.exact(9, 9), .fit(9, 9), .scaled(by: 0.5)] {
      #expect(photo.resized(to: target, x: 0).failure != nil, "\(target)")
      #expect(photo.resized(to: target, x: 0.5).failure == nil, "\(target)")
    }
    #expect(photo.extended(by: .mirrored).cropped(toAspect: 1).failure == .endless)
  }

  @Test(arguments: [
    (
      #"{"aspect-crop": {"ratio": [16, 9]}}"#,
      "steps[0].aspect-crop.ratio: expected a ratio such as \"16:9\" or 1.5, found a list."
    ),
    (
      #"{"aspect-crop": {"ratio": 0}}"#,
      "steps[0].aspect-crop.ratio: expected a number in 0.001…1000, found 0."
    ),
    (
      #"{"resize": {"to": {"fill": [4, 4]}, "x": 2}}"#,
      "steps[0].resize.x: expected a number in 0…1, found 2."
    ),
  ])
  func errorsNameTheRange(step: String, sentence: String) {
    let error = #expect(throws: RecipeDecodingError.self) {
      try Recipe(json: #"{"version": 1, "steps": [\#(step)]}"#)
    }
    #expect(error.map { "\($0)" }?.contains(sentence) == true)
  }
}
