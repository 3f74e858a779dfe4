internal import PlatformLibc
internal import Synchronization

/// Ends an input early from any thread, as if it had no more bytes: also while a read waits for a pipe.
package final class InputStop: Sendable {
  /// A pipe that holds a byte once the stop is requested: `poll` waits for it beside the input.
  private let reading, writing: Int32
  private let requested = Atomic(false)

  /// Fails where the process may open no more files.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reading)
    close(writing)
  }

  var isRequested: Bool { requested.load(ordering: .acquiring) }

  package func request() {
    guard !requested.exchange(true, ordering: .acquiringAndReleasing) else { return }
    withUnsafeBytes(of: UInt8(0)) { _ = writeAll($0, to: writing) }
  }

  /// Waits until a descriptor can be read, or is at its end, or the stop is requested. Returns whether to read.
  func permitsReading(_ descriptor: Int32) -> Bool {
    if isRequested { return false }
    var files = [descriptor, reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Where it fails, the read waits.
    _ = uninterrupted { Int(poll(&files, 2, -1)) }
    return files[1].revents == 0
  }
}
