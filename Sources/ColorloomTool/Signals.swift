import Foundation
import ImageFiles

/// Lets the signals by which people and systems end a process remove half-written files first.
///
/// To be called before there is a second thread: all of them leave these signals to one that waits for them, since the code that a
/// signal interrupts may hold any lock.
func removeTemporaryFilesOnSignals() {
  var awaited = sigset_t()
  sigemptyset(&awaited)
  for number in [SIGINT, SIGTERM, SIGHUP] {
    // What the caller ignores, as nohup does, stays ignored.
    if isIgnored(signal(number, SIG_DFL)) {
      signal(number, SIG_IGN)
    } else {
      sigaddset(&awaited, number)
    }
  }
  pthread_sigmask(SIG_BLOCK, &awaited, nil)
  Thread.detachNewThread { [awaited] in
    var (awaited, number) = (awaited, Int32(0))
    guard sigwait(&awaited, &number) == 0 else { return }
    TemporaryFiles.removeAll {
      // The process ends by the signal, so that shells see why.
      pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
      raise(number)
      // The first process of a container does not end by it.
      _exit(128 + number)
    }
  }
}

/// Whether a signal's handler is SIG_IGN, which systems import in different types.
private func isIgnored<Handler>(_ handler: Handler) -> Bool {
  unsafeBitCast(handler, to: Int.self) == 1
}
