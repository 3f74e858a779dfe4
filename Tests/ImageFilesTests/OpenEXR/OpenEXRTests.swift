import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Color spaces in OpenEXR files.
@Suite struct OpenEXRTests {
  @Test(arguments: [ColorSpace.linearSRGB, .linearDisplayP3, .linearRec2020, .acescg, .aces2065])
  func writtenSpacesAreRecognized(space: ColorSpace) throws {
    let bitmap = Bitmap<Float>(PixelSize(3, 2), in: space, channels: .rgb) { x, y in
      [Float(x) * 100, -Float(y), 1e-8]
    }
    let bytes = try ImageFile.encode(.float32(bitmap), as: .openEXR)
    guard case .float32(let read) = try ImageFile.read(bytes: bytes) else {
      Issue.record("Floats became something else.")
      return
    }
    #expect(read == bitmap)
    guard case .space(_, by: .colorInteropID) = try ImageFile.info(bytes: bytes).color else {
      Issue.record("The file does not name its space.")
      return
    }
  }

  @Test(arguments: [ColorSpace.linearSRGB, .linearDisplayP3, .linearRec2020, .acescg, .aces2065])
  func chromaticitiesAreRecognizedAsTheirSpace(space: ColorSpace) throws {
    var file = TestEXR { _, _, _ in 1 }
    let points = [
      space.primaries.red, space.primaries.green, space.primaries.blue, space.primaries.white,
    ]
    let numbers = points.flatMap { [Float($0.x), Float($0.y)] }
    file.attributes = [
      ("chromaticities", "chromaticities", numbers.flatMap { Int($0.bitPattern).bytes(4) })
    ]
    guard
      case .space(let found, by: .chromaticities) = try ImageFile.info(bytes: file.bytes).color
    else {
      Issue.record("The file does not name its primaries.")
      return
    }
    #expect(found == space)
  }

  /// X and Z have no luminance, hence chromaticities whose y is 0.
  @Test func primariesWithoutLuminanceAreRead() throws {
    let space = ColorSpace.dcdm.linear
    let bitmap = Bitmap<Float>(PixelSize(3, 2), in: space, channels: .rgb) { x, y in
      [Float(x), Float(y), 0.25]
    }
    let bytes = try ImageFile.encode(.float32(bitmap), as: .openEXR)
    guard case .space(let read, by: .chromaticities) = try ImageFile.info(bytes: bytes).color else {
      Issue.record("The file does not name its primaries.")
      return
    }
    #expect(read.isInterchangeable(with: space))
    let color = SIMD3(0.5, 0.25, 0.75)
    let (there, expected) = (
      ColorPoint(color, in: read).converted(to: .sRGB).components,
      ColorPoint(color, in: space).converted(to: .sRGB).components
    )
    // The file states the white point in single precision.
    #expect((0..<3).allSatisfy { abs(there[$0] - expected[$0]) <= 1e-5 })
  }

  @Test func filesWithoutChromaticitiesUseTheDefault() throws {
    var options = WritingOptions()
    options.isUntagged = true
    let bitmap = Bitmap<Float>(PixelSize(3, 2), in: .linearRec2020, channels: .rgb)
    let bytes = try ImageFile.encode(.float32(bitmap), as: .openEXR, options: options)
    let info = try ImageFile.info(bytes: bytes)
    guard case .space(.linearSRGB, by: .formatRule) = info.color else {
      Issue.record("\(info.color)")
      return
    }
  }

  @Test func nonlinearSpacesAreRefusedWithAdvice() throws {
    let bitmap = AnyBitmap(Bitmap<Float>(PixelSize(3, 2), in: .displayP3, channels: .rgb))
    let error = #expect(throws: ImageFileError.notLinear("Display P3", format: .openEXR)) {
      try ImageFile.encode(bitmap, as: .openEXR)
    }
    #expect(error?.description.contains("linear") == true)
  }
}
