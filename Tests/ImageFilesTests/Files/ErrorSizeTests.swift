import ICCProfiles
import ImageFiles
import Testing

/// Errors of files are moved as one reference, whatever they hold: each call that throws has code for that.
@Suite struct ErrorSizeTests {
  @Test func errorsAreOneReference() {
    let reference = MemoryLayout<UnsafeRawPointer>.size
    #expect(MemoryLayout<ImageFileError>.size == reference)
    #expect(MemoryLayout<LookFileError>.size == reference)
    #expect(MemoryLayout<ICCProfileError>.size == reference)
  }
}
