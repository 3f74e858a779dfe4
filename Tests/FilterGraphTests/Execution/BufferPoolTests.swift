import Dispatch
import FilterGraph
import ImageBuffer
import Synchronization
import Testing

@Suite struct BufferPoolTests {
  /// Counts the existing buffers and those in use.
  private final class Count: Sendable {
    let made = Atomic(0)
    let taken = Atomic(0)
    let most = Mutex(0)
  }

  @Test(.endsDeadlocks, arguments: [1, 3])
  func threadsBeyondTheCapacityWait(capacity: Int) async throws {
    let count = Count()
    let pool = BufferPool(capacity: capacity) { () throws(RenderError) in
      count.made.add(1, ordering: .relaxed).newValue
    }
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          await onAThread {
            for _ in 0..<500 {
              guard let buffer = try? pool.take() else { continue }
              let taken = count.taken.add(1, ordering: .sequentiallyConsistent).newValue
              count.most.withLock { $0 = max($0, taken) }
              count.taken.subtract(1, ordering: .sequentiallyConsistent)
              pool.giveBack(buffer)
            }
          }
        }
      }
    }
    #expect(count.most.withLock(\.self) <= capacity)
    #expect(count.made.load(ordering: .relaxed) <= capacity)
  }

  @Test(.endsDeadlocks) func waitingThreadGetsAReturnedBuffer() async throws {
    let pool = BufferPool(capacity: 1) { () throws(RenderError) in 7 }
    #expect(try pool.take() == 7)
    async let second = onAThread { try? pool.take() }
    await pool.hasWaiter()
    pool.giveBack(8)
    #expect(await second == 8)
  }

  @Test(.endsDeadlocks) func closingEndsWaiting() async throws {
    let pool = BufferPool(capacity: 1) { () throws(RenderError) in 7 }
    _ = try pool.take()
    async let second = onAThread { try? pool.take() }
    await pool.hasWaiter()
    pool.close()
    #expect(await second == nil)
    pool.giveBack(7)
    #expect(try pool.take() == nil)
  }

  @Test func failedAllocationKeepsTheCapacity() throws {
    let fails = Atomic(true)
    let pool = BufferPool(capacity: 1) { () throws(RenderError) in
      if fails.exchange(false, ordering: .relaxed) { throw .bitmap(.notEnoughMemory(bytes: 1)) }
      return 7
    }
    #expect(throws: RenderError.bitmap(.notEnoughMemory(bytes: 1))) { try pool.take() }
    #expect(try pool.take() == 7)
  }
}

extension BufferPool {
  /// Returns once a thread waits.
  fileprivate func hasWaiter() async { while waitingCount == 0 { await Task.yield() } }
}

/// Calls `body` on a thread that may block.
func onAThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "test").async { continuation.resume(returning: body()) }
  }
}
