import Foundation
import ImageFiles
import Synchronization

/// Makes terminating signals remove half-written files first; ``EarlyEnd`` may take the first one.
///
/// Must be called while there is only one thread. All threads block these signals, and one thread waits for them, because the code that a
/// signal handler interrupts may hold any lock.
func prepareSignals() {
  var awaited = sigset_t()
  sigemptyset(&awaited)
  for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU] {
    // What the caller ignores, as nohup does, stays ignored.
    if isIgnored(signal(number, SIG_DFL)) {
      signal(number, SIG_IGN)
    } else {
      sigaddset(&awaited, number)
    }
  }
  // A write into a closed pipe or beyond `ulimit -f` fails then, and the error cleans up.
  readersMayLeave.store(!isIgnored(signal(SIGPIPE, SIG_IGN)), ordering: .relaxed)
  signal(SIGXFSZ, SIG_IGN)
  pthread_sigmask(SIG_BLOCK, &awaited, nil)
  Thread.detachNewThread { [awaited] in
    var (awaited, number) = (awaited, Int32(0))
    while sigwait(&awaited, &number) == 0 {
      if !EarlyEnd.takes(number) { endProcess(by: number) }
    }
  }
}

/// Lets the first SIGINT or SIGTERM end an input instead of the process, because a recording of a camera has no other end.
///
/// What was read is written, and then the process ends by that signal: its caller sees that there may have been more, and `&&` does not go
/// on as if all were done. A second signal ends the process at once, but not within ``grace`` of the first one: `timeout` sends each signal
/// twice, to the process and to its group.
package enum EarlyEnd {
  private struct State {
    var input: InputStop?
    /// The signal that ended the input, and when.
    var first: (number: Int32, instant: ContinuousClock.Instant)?
  }

  private static let grace = Duration.milliseconds(500)
  private static let state = Mutex(State())

  /// Whether a signal is a repetition of the first one.
  package static func isRepetition(
    at instant: ContinuousClock.Instant, first: ContinuousClock.Instant
  ) -> Bool { instant - first < grace }

  /// The name of the signal that ended the input; nil where none did.
  static var signalName: String? {
    state.withLock { $0.first?.number }.map { $0 == SIGINT ? "SIGINT" : "SIGTERM" }
  }

  /// Makes the first signal end an input.
  static func permit(of input: InputStop) { state.withLock { $0.input = input } }

  /// Ends the process where a signal has ended the input.
  static func endProcessIfRequested() {
    if let number = state.withLock({ $0.first?.number }) { endProcess(by: number) }
  }

  /// Ends the input by a signal; returns false where the signal ends the process.
  fileprivate static func takes(_ number: Int32) -> Bool {
    state.withLock { state in
      guard let input = state.input, [SIGINT, SIGTERM].contains(number) else { return false }
      let now = ContinuousClock.now
      if let first = state.first { return isRepetition(at: now, first: first.instant) }
      state.first = (number, now)
      input.request()
      return true
    }
  }
}

/// Whether a reader of standard output that leaves ends the process silently, as the caller of a process decides by `SIGPIPE`.
private let readersMayLeave = Atomic(false)

/// Ends the process silently, as `cat` does in `cat file | head -c 10`, where an error says that the reader of standard output is gone.
func endIfReaderIsGone(_ error: any Error) {
  let brokenPipe = String(cString: strerror(EPIPE))
  let isGone =
    switch error {
    case ImageFileError.cannotWrite(file: "-", reason: brokenPipe): true
    case let failure as OutputFailure: failure.reason == brokenPipe
    default: false
    }
  if isGone, readersMayLeave.load(ordering: .relaxed) { endProcess(by: SIGPIPE) }
}

/// Removes half-written files, and lets a signal end the process, so that shells see why.
private func endProcess(by number: Int32) -> Never {
  TemporaryFiles.removeAll {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    signal(number, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
    // The first process of a container does not end by it.
    _exit(128 + number)
  }
}

/// Whether a signal's handler is SIG_IGN, which systems import in different types.
private func isIgnored<Handler>(_ handler: Handler) -> Bool {
  unsafeBitCast(handler, to: Int.self) == 1
}
