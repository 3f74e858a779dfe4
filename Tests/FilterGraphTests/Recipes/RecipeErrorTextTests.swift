import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// What errors of filters say.
@Suite struct RecipeErrorTextTests {
  /// Each call that throws moves an error: one reference, whatever it holds.
  @Test func errorsAreMovedAsOneReference() {
    let reference = MemoryLayout<UnsafeRawPointer>.size
    #expect(MemoryLayout<RecipeError>.size == reference)
    #expect(MemoryLayout<RenderError>.size == reference)
    #expect(MemoryLayout<RecipeDecodingError>.size == reference)
    #expect(MemoryLayout<RecipeEncodingError>.size == reference)
    #expect(MemoryLayout<RecipeBindingError>.size == reference)
    #expect(MemoryLayout<BitmapError>.size == reference)
  }

  @Test func errorsNameTheValueAndTheAllowedOnes() {
    let sentences: [(RecipeError, [String])] = [
      (.emptySize(width: 0, height: 7), ["0 × 7", "from 1 up"]),
      (
        .tooManyPixels(width: 9000, height: 8000, limit: 123),
        ["9000 × 8000", "123", "raise RenderOptions.pixelLimit"]
      ),
      (
        .regionOutside(
          Region(x: 9, y: 8, width: 2, height: 3), picture: Region(PixelSize(4, 5))),
        ["2 × 3 at (9, 8)", "4 × 5 at (0, 0)"]
      ),
      (.parameter("radius", value: 7, allowed: 0...5), ["radius", "got 7.", "0…5"]),
      (
        .filmTones(base: [0.5, 0.25, 0.125], white: [1, 1, 1]),
        ["base 0.5, 0.25, 0.125", "white 1.0, 1.0, 1.0"]
      ),
      (RecipeError(.curvePointCount(1, allowed: 2...64)), ["2 to 64 points", "got 1."]),
    ]
    for (error, parts) in sentences {
      for part in parts { #expect("\(error)".contains(part), "\(error)") }
    }
  }

  /// The type of such a step is the package's own, so no conformance can give it a name.
  @Test func closuresCannotBeWritten() {
    let measured = Picture(Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB)).applying(
      measuring: Statistics(), named: "stretch"
    ) { $1.exposure(Double($0.greatest.max())) }
    let error = #expect(throws: RecipeEncodingError.self) { try measured.recipe() }
    let sentence = error.map { "\($0)" } ?? ""
    #expect(sentence.contains("“stretch” is made by a closure, which recipes cannot hold."))
    #expect(!sentence.contains("RecipeFilter"), "\(sentence)")
  }

  /// Curves are no filters, so that errors name what to use instead of a protocol.
  @Test func curvesThatCannotBeWrittenAreNamed() {
    let picture = Picture(Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB))
    func sentence(_ curve: Curve) -> String {
      let look = Look(steps: [.curves(curve, .identity, .identity)])
      let error = #expect(throws: RecipeEncodingError.self) {
        try picture.applying(look).recipe()
      }
      return error.map { "\($0)" } ?? ""
    }
    #expect(
      sentence(.function(FunctionCurve("square") { $0 * $0 }))
        == "Recipes cannot hold the curve “square”, which is a closure. Use a sampled or a segmented curve."
    )
    let steep = CubicCurve([[0, 0], [1, 1]], slopes: [[3, 3]])
    #expect(
      sentence(.cubic(steep))
        == "Recipes hold the points of a cubic curve, and not slopes of its own. Create it through points, with one of the interpolations."
    )
  }

  @Test func errorsOfColorsBecomeErrorsOfFilters() {
    #expect(
      RecipeError(.parameter("Duv", value: 1, allowed: 0...0.5))
        == .parameter("Duv", value: 1, allowed: 0...0.5))
    let unknown = ColorError.unknownColorSpace("sRGC", nearest: ["sRGB"])
    #expect(RecipeError(unknown) == .color(unknown))
    #expect("\(RecipeError(unknown))" == "\(unknown)")
  }
}
