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
    guard count > 0 else { return false }
    written += count
    rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
  }
  return true
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
