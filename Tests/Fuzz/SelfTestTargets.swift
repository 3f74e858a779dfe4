import PlatformLibc
import _TestSupport

/// Readers that fail intentionally, by which the tests check that failures are detected.
enum SelfTestTargets {
  static let all: [FuzzTarget.Entry] = [
    target("broken-crash") { bytes in if bytes.count >= 40 { fatalError("too long by intention") }
    },
    // An empty loop is one that the optimizer leaves out; one that yields takes no processor time on a busy machine.
    target("broken-hang") { bytes in while bytes.count >= 40 { _ = clock() } },
    target("broken-memory") { bytes in
      guard bytes.count >= 40 else { return }
      let block = UnsafeMutableRawPointer.allocate(byteCount: 1 << 24, alignment: 16)
      block.storeBytes(of: 1, as: UInt8.self)
      block.deallocate()
    },
    target("broken-seed") { bytes in
      if bytes == seed { throw Failure("not one of ours") }
    },
  ]

  private static let seed = [UInt8](repeating: 7, count: 20)

  private static func target(
    _ name: String, _ read: @escaping @Sendable ([UInt8]) throws -> Void
  ) -> FuzzTarget.Entry {
    (
      name,
      {
        FuzzTarget(
          name: name, seeds: [seed], mutate: { $0.mutate(&$1) },
          read: { bytes, _, _ in try read(bytes) }, memoryBudget: 1 << 20)
      }
    )
  }
}
