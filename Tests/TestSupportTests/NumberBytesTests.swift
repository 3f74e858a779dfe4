import Testing
import _TestSupport

@Suite struct NumberBytesTests {
  @Test func bytesFollowTheByteOrder() {
    #expect(0x0102_03FF.bytes(4) == [0xFF, 3, 2, 1])
    #expect(0x0102_03FF.bytes(4, isBigEndian: true) == [1, 2, 3, 0xFF])
    #expect(UInt32.max.bytes(2) == [0xFF, 0xFF])
    #expect((-2).bytes(3, isBigEndian: true) == [0xFF, 0xFF, 0xFE])
  }
}
