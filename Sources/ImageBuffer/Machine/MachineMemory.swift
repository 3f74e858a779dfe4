internal import PlatformLibc
internal import Synchronization

/// How much memory this process can have.
package enum MachineMemory {
  /// The bytes of memory that this process can have at most: ``physicalBytes``, less where a resource limit (`ulimit -v`) allows less.
  /// What the process occupies of a limited address space does not count.
  package static let bytes: Int = min(physicalBytes, addressSpace?.bytes ?? .max)

  /// The bytes of memory that are built in, or that a control group (cgroup) allows where that is less. Swap space does not count.
  package static let physicalBytes: Int = min(
    builtIn, ControlGroup.memoryLimits(under: "").min() ?? .max)

  /// The memory that is built in.
  private static var builtIn: Int {
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      let bytes = Int(sysconf(Int32(_SC_PHYS_PAGES))).multipliedSaturated(by: pageSize)
      return bytes <= 0 ? .max : bytes
    #else
      return .max
    #endif
  }

  /// The size of a page of memory.
  static let pageSize: Int = {
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      max(1, Int(sysconf(Int32(_SC_PAGESIZE))))
    #else
      1
    #endif
  }()

  // MARK: Address space

  /// The address space of this process as it was at the first use of this property; nil where its size is not limited.
  package static let addressSpace: AddressSpace? = addressSpaceLimit.map { limit in
    let pages = textOfSystemFile("/proc/self/statm")?.split(separator: " ").first.flatMap {
      Int($0)
    }
    return AddressSpace(
      limit: limit, occupied: (pages ?? 0) * pageSize, stack: stackSize,
      arena: usesOneArena.load(ordering: .relaxed) ? 0 : arenaSize,
      processors: activeProcessorCount)
  }

  /// Lets all threads of the process allocate from one arena where the address space is limited.
  ///
  /// glibc reserves an arena of 64 MiB for almost every thread, far more than it takes. Only a program that has one thread yet may call
  /// this, before it uses the other properties.
  package static func shareArena() {
    #if canImport(Glibc)
      typealias Setter = @convention(c) (Int32, Int32) -> Int32
      guard addressSpaceLimit != nil, let symbol = dlsym(nil, "mallopt") else { return }
      // M_ARENA_MAX, which Swift does not import.
      let isSet = unsafeBitCast(symbol, to: Setter.self)(-8, 1) == 1
      usesOneArena.store(isSet, ordering: .relaxed)
    #endif
  }

  private static let usesOneArena = Atomic(false)

  /// What the allocator reserves for a thread.
  private static var arenaSize: Int {
    #if canImport(Glibc)
      64 << 20
    #else
      0
    #endif
  }

  /// The limit of the address space; nil where there is none, or more than any machine has.
  private static var addressSpaceLimit: Int? {
    let limit = limits.addressSpace
    return limit < 1 << 50 ? limit : nil
  }

  /// The size of a thread's stack.
  private static var stackSize: Int {
    // Without a limit, systems choose at most this.
    let limit = limits.stack
    return limit < 1 << 40 ? limit : 8 << 20
  }

  /// The resource limits of the address space and of a stack; the largest integer where there is none.
  private static var limits: (addressSpace: Int, stack: Int) {
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      #if canImport(Glibc)
        let resources = [RLIMIT_AS, RLIMIT_STACK].map { __rlimit_resource_t($0.rawValue) }
      #else
        let resources = [RLIMIT_AS, RLIMIT_STACK]
      #endif
      let limits = resources.map { resource in
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : .max
      }
      return (limits[0], limits[1])
    #else
      return (.max, .max)
    #endif
  }
}

/// The address space of a process where its size is limited (`ulimit -v`).
///
/// The executable, its libraries, the stacks of threads and the arenas of the allocator occupy it, too. Where a stack cannot be made,
/// Dispatch waits for ever; where other memory cannot, the process may end by a trap.
package struct AddressSpace: Sendable {
  private let free, stack, arena, processors: Int

  /// For memory that no plan counts, such as that of libraries.
  private static let margin = 12 << 20

  /// Describes an address space.
  ///
  /// - Parameters:
  ///   - limit: Its greatest size in bytes.
  ///   - occupied: The bytes that are occupied already.
  ///   - stack: The size of a thread's stack.
  ///   - arena: What the allocator reserves for a thread.
  ///   - processors: How many threads can run at once.
  package init(limit: Int, occupied: Int, stack: Int, arena: Int, processors: Int) {
    free = max(limit - occupied, 0)
    (self.stack, self.arena, self.processors) = (max(stack, 1), arena, processors)
  }

  /// The number of threads for which there are stacks, at least one: the stacks of all take about half of what is free.
  package var threads: Int { max(1, min(processors, free / (4 * stack))) }

  /// The stacks of so many threads: each of them may wait for another one, and one waits for signals.
  private func stacks(of threads: Int) -> Int { (2 * threads + 1) * stack }

  /// The bytes that are left for pictures; 0 where there are none.
  package var bytes: Int {
    max(free - Self.margin - stacks(of: threads) - min(threads * arena, free / 2), 0)
  }

  /// How many bytes are missing for a single thread to work.
  package var shortage: Int { max(stacks(of: 1) + Self.margin - free, 0) }
}
