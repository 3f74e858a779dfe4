import PlatformLibc

/// Readers that fail intentionally, by which the tests check that failures are detected.
enum SelfTestTargets {
  static let all: [FuzzTarget.Entry] = [
    target("broken-crash") { bytes in if bytes.count >= 40 { fatalError("too long by intention") }
    },
    // The optimizer would remove an empty loop.
    target("broken-hang") { bytes in while bytes.count >= 40 { sched_yield() } },
    target("broken-memory") { bytes in
      guard bytes.count >= 40 else { return }
      let block = UnsafeMutableRawPointer.allocate(byteCount: 1 << 24, alignment: 16)
      block.storeBytes(of: 1, as: UInt8.self)
      block.deallocate()
    },
  ]

  private static func target(
    _ name: String, _ read: @escaping @Sendable ([UInt8]) -> Void
  ) -> FuzzTarget.Entry {
    (
      name,
      {
        FuzzTarget(
          name: name, seeds: [[UInt8](repeating: 7, count: 20)], mutate: { $0.mutate(&$1) },
          read: { bytes, _, _ in read(bytes) }, memoryBudget: 1 << 20)
      }
    )
  }
}
