internal import Foundation

/// Returns whether this process ignores a signal; the programs that tests start inherit that.
///
/// Unlike `signal`, which would have to set another handler for a moment, this changes nothing for the tests that run at the same time.
package func isIgnored(_ signal: Int32) -> Bool {
  var action = sigaction()
  sigaction(signal, nil, &action)
  #if os(Linux)
    let handler = action.__sigaction_handler.sa_handler
  #else
    let handler = action.__sigaction_u.__sa_handler
  #endif
  return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
}
