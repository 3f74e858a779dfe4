internal import PlatformLibc

/// How much memory this process can have.
package enum MachineMemory {
  /// The bytes of memory that this process can have at most: what is built in, less where a control group (cgroup) or a resource
  /// limit (`ulimit -v`) allows less. Swap space does not count.
  package static let bytes: Int =
    ([builtIn, addressSpace] + cgroupLimits(under: "")).compactMap(\.self).min() ?? .max

  /// The memory that is built in.
  private static var builtIn: Int? {
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      let (pages, size) = (Int(sysconf(Int32(_SC_PHYS_PAGES))), Int(sysconf(Int32(_SC_PAGESIZE))))
      return pages > 0 && size > 0 ? pages * size : nil
    #else
      return nil
    #endif
  }

  /// The resource limit of the address space.
  private static var addressSpace: Int? {
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      var limit = rlimit()
      #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
      #else
        let resource = RLIMIT_AS
      #endif
      guard getrlimit(resource, &limit) == 0 else { return nil }
      return Int(clamping: limit.rlim_cur)
    #else
      return nil
    #endif
  }

  /// The memory limits of this process's control groups and of those that they are in, versions 1 and 2.
  ///
  /// - Parameter root: The folder that holds `proc` and `sys`: empty, or another one for tests.
  package static func cgroupLimits(under root: String) -> [Int] {
    guard let groups = text(ofFile: root + "/proc/self/cgroup") else { return [] }
    return groups.split(separator: "\n").flatMap { line -> [Int] in
      // “0::/path” in version 2, “4:memory:/path” in version 1.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      if fields[0] == "0", fields[1].isEmpty {
        return limits(named: "memory.max", from: fields[2], in: root + "/sys/fs/cgroup")
      }
      guard fields[1].split(separator: ",").contains("memory") else { return [] }
      return limits(
        named: "memory.limit_in_bytes", from: fields[2], in: root + "/sys/fs/cgroup/memory")
    }
  }

  /// The limits in a group's folder and in all those above it. A container often sees its own group as the top folder.
  private static func limits(
    named file: String, from group: Substring, in top: String
  ) -> [Int] {
    var names = group.split(separator: "/")
    var limits: [Int] = []
    while true {
      let folder = ([top] + names.map(String.init)).joined(separator: "/")
      // “max” where there is no limit.
      if let text = text(ofFile: "\(folder)/\(file)"),
        let limit = text.split(whereSeparator: \.isWhitespace).first.flatMap({ Int($0) })
      {
        limits.append(limit)
      }
      if names.popLast() == nil { return limits }
    }
  }

  /// The first 64 KiB of a file; nil where it cannot be read.
  private static func text(ofFile path: String) -> String? {
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      guard let file = fopen(path, "r") else { return nil }
      defer { fclose(file) }
      let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
      }
      return String(decoding: bytes, as: UTF8.self)
    #else
      return nil
    #endif
  }
}
