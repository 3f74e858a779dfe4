internal import PlatformLibc

/// Returns the system's description of the last error.
package func systemReason() -> String { String(cString: strerror(errno)) }

/// Runs a system call again while signals interrupt it.
package func uninterrupted(_ call: () -> Int) -> Int {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Waits, at most 50 ms, where the last call on a descriptor failed because it would have blocked; returns whether to call again. A process
/// that shares the pipe may have set `O_NONBLOCK` for it. The wait is short so that callers can ask in between whether to stop.
func waitsIfBusy(_ descriptor: Int32, for events: Int32) -> Bool {
  guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
  var file = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  return uninterrupted { Int(poll(&file, 1, 50)) } >= 0
}

/// Writes all bytes, at an offset or at the end; returns whether that succeeded.
package func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int? = nil
) -> Bool {
  var (rest, written) = (bytes, 0)
  while let base = rest.baseAddress, !rest.isEmpty {
    let count = uninterrupted {
      position.map { pwrite(descriptor, base, rest.count, off_t($0 + written)) }
        ?? write(descriptor, base, rest.count)
    }
    if count < 0, waitsIfBusy(descriptor, for: POLLOUT) { continue }
    guard count > 0 else { return false }
    written += count
    rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
  }
  return true
}

/// Runs a write on this thread without the signal SIGPIPE, whose default action ends the process: a pipe or a socket whose reader has left
/// makes the write fail with `EPIPE` instead.
///
/// The signal is blocked for this thread meanwhile and taken back if the write raised it. The process's own handling of SIGPIPE does not
/// change.
func withoutPipeSignal(_ write: () -> Bool) -> Bool {
  var (pipeSignal, blockedBefore) = (sigset_t(), sigset_t())
  sigemptyset(&pipeSignal)
  sigaddset(&pipeSignal, SIGPIPE)
  // A signal that waits already is the caller's.
  guard !isPipeSignalPending(), pthread_sigmask(SIG_BLOCK, &pipeSignal, &blockedBefore) == 0 else {
    return write()
  }
  defer {
    let reason = errno
    if isPipeSignalPending() {
      #if canImport(Darwin)
        var number: Int32 = 0
        sigwait(&pipeSignal, &number)
      #else
        // Does not wait where another thread has taken a signal that was sent to the whole process.
        var noTime = timespec()
        sigtimedwait(&pipeSignal, nil, &noTime)
      #endif
    }
    pthread_sigmask(SIG_SETMASK, &blockedBefore, nil)
    errno = reason
  }
  return write()
}

private func isPipeSignalPending() -> Bool {
  var pending = sigset_t()
  return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1
}

/// The path that stands for standard input and output.
let standardStream = "-"

/// Fills `target` by repeated calls that return how many bytes they added, 0 at the end; returns the total.
func filled(
  _ target: UnsafeMutableRawBufferPointer,
  by add: (_ rest: UnsafeMutableRawBufferPointer, _ done: Int) -> Int
) -> Int {
  var count = 0
  while count < target.count {
    let added = add(UnsafeMutableRawBufferPointer(rebasing: target[count...]), count)
    if added == 0 { break }
    count += added
  }
  return count
}
