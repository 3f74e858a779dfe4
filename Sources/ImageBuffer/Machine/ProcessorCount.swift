internal import PlatformLibc

/// How many threads of this process can run at once: as many as there are processors on which it may run (`taskset`, cpusets), less where
/// control groups give it less time.
package let activeProcessorCount: Int = {
  // The mask of a process may hold processors that are not online.
  let processors = min(allowedProcessorCount(under: "") ?? .max, onlineProcessorCount)
  let time = ControlGroup.processorLimits(under: "").min() ?? .infinity
  return max(1, Int(min(Double(processors), time.rounded(.up))))
}()

/// The number of processors on which this process may run; nil where the system is not Linux.
///
/// - Parameter root: The folder that holds `proc`: empty, or another one for tests.
package func allowedProcessorCount(under root: String) -> Int? {
  let name = "Cpus_allowed:"  // hexadecimal digits, and commas between words of 32 bits
  let status = textOfSystemFile(root + "/proc/self/status")?.split(separator: "\n")
  guard let line = status?.first(where: { $0.hasPrefix(name) }) else { return nil }
  return line.dropFirst(name.count).reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
}

private var onlineProcessorCount: Int {
  #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
    Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  #else
    4
  #endif
}
