import ColorSpaces
import Testing

/// Large values behind a reference.
@Suite struct BoxedTests {
  private struct Holder {
    @Boxed var numbers = [1, 2, 3]
  }

  @Test func copiesStayWhenTheOriginalChanges() {
    var original = Holder()
    let copy = original
    original.numbers[0] = 7
    original.numbers.append(4)
    #expect(original.numbers == [7, 2, 3, 4])
    #expect(copy.numbers == [1, 2, 3])
  }

  /// The code that copied these values field by field, in all types that hold them, was an eighth of `FilterGraph`.
  @Test func spacesCurvesAndErrorsAreCopiedAsOneReference() {
    let reference = MemoryLayout<Holder>.size
    #expect(MemoryLayout<ColorSpace>.size == reference)
    #expect(MemoryLayout<Curve>.size == reference)
    #expect(MemoryLayout<TransferFunction.Form>.size == reference)
    #expect(MemoryLayout<ColorError>.size == reference)
  }
}
