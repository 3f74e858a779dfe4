import ColorSpaces
import Dispatch
import Synchronization
import Testing

/// Values that are computed when they are first read.
@Suite struct DeferredTests {
  private final class Token: Sendable {}

  @Test func valueIsComputedOnce() {
    let counter = Counter()
    let value = Deferred { counter.next() }
    #expect(!value.isComputed)
    #expect(value.value == 1)
    #expect(value.value == 1)
    #expect(value.isComputed)
    #expect(counter.next() == 2)
  }

  @Test func threadsGetTheSameValue() {
    let value = Deferred { Token() }
    let tokens = Mutex<[Token]>([])
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      let token = value.value
      tokens.withLock { $0.append(token) }
    }
    #expect(tokens.withLock { $0.allSatisfy { $0 === value.value } })
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }
}
