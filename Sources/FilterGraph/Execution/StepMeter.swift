internal import PlatformLibc
internal import Synchronization

/// Adds up the processor time that the threads of a rendering spend in each step.
final class StepMeter: Sendable {
  private let times: Mutex<[Double]>

  init(stepCount: Int) { times = Mutex([Double](repeating: 0, count: stepCount)) }

  /// The seconds of each step, all threads together.
  var seconds: [Double] { times.withLock { $0 } }

  /// Runs the work of a step, and adds the time that this thread took for it.
  func measure<Result, Failure: Error>(
    _ step: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = Self.now
    let result = try body()
    let time = Self.now - start
    times.withLock { if $0.indices.contains(step) { $0[step] += time } }
    return result
  }

  /// The processor time of this thread in seconds; where the system does not tell it, that of the clock.
  private static var now: Double {
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    #else
      let duration = ContinuousClock.now - ContinuousClock.Instant.reference
      return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    #endif
  }
}

#if !(canImport(Glibc) || canImport(Musl) || canImport(Darwin))
  extension ContinuousClock.Instant {
    fileprivate static let reference = ContinuousClock.now
  }
#endif
