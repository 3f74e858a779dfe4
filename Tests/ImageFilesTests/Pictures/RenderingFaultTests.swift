import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// The file errors of measures, which throw errors of rendering.
@Suite struct RenderingFaultTests {
  private static let file = ImageFileError.truncated(file: "a", rows: 1, of: 2)

  @Test func causesAreUnwrapped() {
    let file = Self.file
    #expect(ImageFileError(.source(SourceError(file))) == file)
    #expect(ImageFileError(.sink(SourceError(file))) == file)
    // A source that renders a picture of a file.
    #expect(ImageFileError(.source(SourceError(RenderError.source(SourceError(file))))) == file)
    #expect(ImageFileError(.source(SourceError(RenderError.cancelled))) == .rendering(.cancelled))
    #expect(ImageFileError(.cancelled) == .rendering(.cancelled))
    let memory = RenderError.tooMuchMemory(bytes: 2, limit: 1)
    #expect(ImageFileError(memory) == .rendering(memory))
  }

  /// The finding of a rendering is its description without the sentences that name Swift symbols.
  @Test(arguments: [
    RenderError.tooMuchMemory(bytes: 2, limit: 1), .moreThanMachineMemory(bytes: 2, machine: 1),
    .tooManyTiles(2, tile: PixelSize(1, 1), limit: 1), .alphaWouldBeLost, .recipe(.endless),
    .recipe(.tooManyPixels(width: 2, height: 2, limit: 3)), .recipe(.notLight(channels: "cmyk")),
    .recipe(.step(at: "steps[2].resize", .tooManyPixels(width: 2, height: 2, limit: 3))),
    .incomparable(PixelSize(1, 1), PixelSize(2, 2)),
    .sizeMismatch(picture: PixelSize(1, 1), bitmap: PixelSize(2, 2)),
  ])
  func findingsOfRenderingsHaveNoAdvice(rendering: RenderError) {
    let error = ImageFileError.rendering(rendering)
    #expect("\(error)" == "\(rendering)" && error.description.hasPrefix(error.finding + " "))
    for symbol in ["RenderOptions", "cropped(to:)", "ICCTransform", "Render ", "Resize"] {
      #expect(!error.finding.contains(symbol), "\(error.finding)")
    }
  }
}
