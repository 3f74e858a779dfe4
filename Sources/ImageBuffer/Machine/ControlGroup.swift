internal import PlatformLibc

/// What the control groups (cgroups) of this process allow it, versions 1 and 2.
///
/// The parameter `root` is the folder that holds `proc` and `sys`: empty, or another one for tests.
package enum ControlGroup {
  /// The memory limits in bytes of the groups of this process and of those that they are in.
  package static func memoryLimits(under root: String) -> [Int] {
    folders(of: "memory", under: root).compactMap { folder in
      // “max” where there is no limit.
      number(inFile: folder.path + (folder.isUnified ? "/memory.max" : "/memory.limit_in_bytes"))
    }
  }

  /// The processors whose time the groups of this process, and those that they are in, may use: 1.5 for three halves.
  package static func processorLimits(under root: String) -> [Double] {
    folders(of: "cpu", under: root).compactMap { folder in
      let numbers: [Int]
      if folder.isUnified {
        // “150000 100000”, or “max 100000” without a limit: microseconds in each period of so many.
        numbers = words(inFile: folder.path + "/cpu.max").compactMap { Int($0) }
      } else {
        numbers = ["/cpu.cfs_quota_us", "/cpu.cfs_period_us"].compactMap {
          number(inFile: folder.path + $0)
        }
      }
      // −1 in version 1 without a limit.
      guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
      return Double(numbers[0]) / Double(numbers[1])
    }
  }

  /// The folders of the groups of this process that a controller manages, and of all groups above them. A container often sees its own group
  /// as the top folder.
  private static func folders(
    of controller: String, under root: String
  ) -> [(path: String, isUnified: Bool)] {
    guard let groups = textOfSystemFile(root + "/proc/self/cgroup") else { return [] }
    return groups.split(separator: "\n").flatMap { line -> [(path: String, isUnified: Bool)] in
      // “0::/path” in version 2, “4:memory:/path” in version 1.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      let isUnified = fields[0] == "0" && fields[1].isEmpty
      guard isUnified || fields[1].split(separator: ",").contains(Substring(controller)) else {
        return []
      }
      let top = root + "/sys/fs/cgroup" + (isUnified ? "" : "/\(controller)")
      let names = fields[2].split(separator: "/")
      return (0...names.count).reversed().map { count in
        (([top] + names.prefix(count).map(String.init)).joined(separator: "/"), isUnified)
      }
    }
  }

  private static func number(inFile path: String) -> Int? {
    words(inFile: path).first.flatMap { Int($0) }
  }

  private static func words(inFile path: String) -> [Substring] {
    textOfSystemFile(path)?.split(whereSeparator: \.isWhitespace) ?? []
  }
}

/// The first 64 KiB of a file of the system, such as those of `/proc`; nil where it cannot be read.
func textOfSystemFile(_ path: String) -> String? {
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
