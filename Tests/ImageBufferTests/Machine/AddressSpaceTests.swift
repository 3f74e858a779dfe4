import ImageBuffer
import Testing

/// How many bytes and threads a limited address space leaves for pictures.
@Suite struct AddressSpaceTests {
  private static let mebibyte = 1 << 20

  private func space(
    of limit: Int, occupied: Int = 90, arena: Int = 0, processors: Int = 2
  ) -> AddressSpace {
    let unit = Self.mebibyte
    return AddressSpace(
      limit: limit * unit, occupied: occupied * unit, stack: 8 * unit, arena: arena * unit,
      processors: processors)
  }

  @Test func occupiedSpaceAndStacksAreNoMemory() {
    // 5 stacks of 8 MiB, and 12 MiB for what no plan counts.
    #expect(space(of: 290).bytes == (200 - 40 - 12) * Self.mebibyte)
    #expect(space(of: 290).threads == 2)
    #expect(space(of: 290, arena: 32).bytes == (200 - 40 - 12 - 64) * Self.mebibyte)
    // Arenas are no need: the allocator shares them where there is no space for more.
    #expect(space(of: 290, arena: 640).bytes == (200 - 40 - 12 - 100) * Self.mebibyte)
  }

  @Test func threadsAreAsManyAsThereAreStacksFor() {
    #expect(space(of: 290, processors: 64).threads == 6)
    #expect(space(of: 290, processors: 64).bytes == (200 - 104 - 12) * Self.mebibyte)
    #expect(space(of: 126).threads == 1)
    #expect(space(of: 126).bytes == 0 && space(of: 126).shortage == 0)
    #expect(space(of: 120).shortage == 6 * Self.mebibyte)
    #expect(space(of: 50).threads == 1 && space(of: 50).bytes == 0)
    #expect(space(of: 50).shortage == 36 * Self.mebibyte)
  }

  @Test func memoryIsWithinTheAddressSpace() {
    guard let space = MachineMemory.addressSpace else { return }
    #expect(MachineMemory.bytes <= space.bytes)
  }
}
