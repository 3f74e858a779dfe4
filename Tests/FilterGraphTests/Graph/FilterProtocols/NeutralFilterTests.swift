import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Filters of neighborhoods of 0 pixels: methods and recipes record the step, and change nothing.
@Suite struct NeutralFilterTests {
  /// Transparent pixels have colors, which premultiplied values would lose.
  private static let photo = Picture(
    Bitmap<Float>(PixelSize(5, 4), in: .sRGB) { x, y in
      [Float(x) / 4, Float(y) / 3, 0.5, x == 2 ? 0 : Float(y) / 3]
    })
  private static let mask = photo.exposure(-1)

  private static let steps: [(recipe: String, call: @Sendable () -> Picture)] = [
    (#""gaussian-blur": {"sigma": 0}"#, { photo.blurred(sigma: 0) }),
    (#""box-blur": {"radius": 0}"#, { photo.boxBlurred(radius: 0) }),
    (#""median": {"radius": 0}"#, { photo.median(radius: 0) }),
    (#""morphology": {"operation": "dilate", "radius": 0}"#, { photo.dilated(by: 0) }),
    (#""morphology": {"operation": "erode", "radius": 0}"#, { photo.eroded(by: 0) }),
    (
      #""guided-filter": {"radius": 0, "contrast": 0.1}"#,
      { photo.guidedSmoothed(radius: 0, contrast: 0.1) }
    ),
    (#""sharpen": {"sigma": 0, "amount": 2}"#, { photo.sharpened(sigma: 0, amount: 2) }),
    (
      #""from": ["photo", "mask"], "blur-by-mask": {"sigma": 0}"#,
      { photo.blurred(sigma: 0, mask: mask) }
    ),
  ]

  @Test(arguments: steps.indices) func stepsOfZeroAreRecordedAndChangeNothing(
    index: Int
  ) throws {
    let (step, call) = Self.steps[index]
    let inputs = step.contains("mask") ? #"["photo", "mask"]"# : #"["photo"]"#
    let recipe = try Recipe(json: #"{"version": 1, "inputs": \#(inputs), "steps": [{\#(step)}]}"#)
    var pictures = ["photo": Self.photo]
    if step.contains("mask") { pictures["mask"] = Self.mask }
    let (read, called) = (try recipe.picture(pictures), call())
    #expect(try called.contentHash() == read.contentHash())
    #expect(try called.contentHash() != Self.photo.contentHash())
    let pixels = try Self.photo.render(as: Float.self)
    for picture in [read, called] {
      #expect(picture.plan == Self.photo.plan)
      #expect(try picture.render(as: Float.self) == pixels)
    }
  }

  /// Parameters beside one of 0 are checked, and errors of other inputs are kept.
  @Test func stepsOfZeroKeepErrors() {
    let photo = Self.photo
    for picture in [
      photo.guidedSmoothed(radius: 0, contrast: .nan),
      photo.sharpened(sigma: 0, amount: 1, threshold: -1),
      photo.blurred(sigma: 0, mask: photo.blurred(sigma: -1)),
    ] {
      #expect(picture.failure != nil)
    }
  }
}
