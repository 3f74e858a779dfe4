import CAllocationCounter
import Foundation

/// Reads inputs sequentially, in a process that may die on one.
struct Worker {
  let target: FuzzTarget
  let options: FuzzOptions

  /// The cost of reading one input.
  struct Measurement {
    var bytes: Int64
    var seconds: Double
    /// The error that the reader threw; nil for success.
    var error: String?
  }

  /// Reads every input of this worker, and prints its results for the supervisor.
  func run(from first: Int, progress path: String) {
    limitAddressSpace()
    let place = mapped(path)
    abortIfStalled(watching: place)
    let scratch = Scratch(path: path + ".input")
    var most = Measurement(bytes: 0, seconds: 0)
    for index in stride(from: first, to: options.count, by: options.jobs) {
      place.pointee = Int64(index)
      let input = target.input(seed: options.seed, index: index)
      let measured = measure(input, index, scratch)
      if measured.bytes > Int64(target.memoryBudget + input.count) {
        say("memory\t\(index)\t\(measured.bytes)")
      }
      most.bytes = max(most.bytes, measured.bytes)
      most.seconds = max(most.seconds, measured.seconds)
      if let error = measured.error {
        if index < target.seeds.count { say("seed\t\(index)\t\(error)") }
      } else {
        place[1] += 1
      }
    }
    say("done\t\(most.bytes)\t\(most.seconds)")
  }

  /// Reads one input under a timer that ends the process.
  func measure(_ input: [UInt8], _ index: Int, _ scratch: Scratch) -> Measurement {
    reset_allocated_bytes_peak()
    let (before, start) = (allocated_bytes(), clock())
    setTimer(seconds: options.seconds)
    var failure: String?
    do { try target.read(input, index, scratch) } catch { failure = "\(error)" }
    setTimer(seconds: 0)
    return Measurement(
      bytes: allocated_bytes_peak() - before,
      seconds: Double(clock() - start) / Double(CLOCKS_PER_SEC), error: failure)
  }

  /// Terminates the process after so many seconds of CPU time; 0 disables the limit. Wall time would count a busy
  /// machine as a hang.
  private func setTimer(seconds: Int) {
    #if canImport(Glibc)
      var timer = itimerval()
      timer.it_value.tv_sec = seconds
      setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    #endif
  }

  /// Makes allocations of gigabytes fail, instead of exhausting the machine's memory. The address sanitizer takes terabytes of addresses,
  /// and limits allocations itself: `ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=4096`.
  private func limitAddressSpace() {
    #if canImport(Glibc)
      var limit = rlimit(rlim_cur: 8 << 30, rlim_max: 8 << 30)
      if dlsym(nil, "__asan_init") == nil {
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      }
      // Core dumps are not needed.
      limit = rlimit(rlim_cur: 0, rlim_max: 0)
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    #endif
  }

  /// The current index, and the number of inputs accepted before it.
  static let progressBytes = 16

  /// Numbers in a mapped file, which the supervisor can read after this process has died.
  private func mapped(_ path: String) -> UnsafeMutablePointer<Int64> {
    let file = open(path, O_RDWR)
    guard file >= 0,
      let memory = mmap(nil, Self.progressBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { fatalError("“\(path)” cannot be mapped.") }
    close(file)
    return memory.assumingMemoryBound(to: Int64.self)
  }

  /// Ends the process where its threads neither run nor wait for a processor for two minutes in the middle of an input, as in a deadlock.
  /// On a busy machine they wait, which is no stall.
  private func abortIfStalled(watching place: UnsafeMutablePointer<Int64>) {
    let address = UInt(bitPattern: place)
    Thread.detachNewThread {
      var last: (index: Int64, nanoseconds: Int) = (-1, 0)
      while let place = UnsafePointer<Int64>(bitPattern: address) {
        let now = (index: place.pointee, nanoseconds: Self.scheduledNanoseconds())
        if now.index == last.index, abs(now.nanoseconds - last.nanoseconds) < 10_000_000_000 {
          FileHandle.standardError.write(Data("stalled: it waits for something forever\n".utf8))
          _exit(1)
        }
        last = now
        sleep(120)
      }
    }
  }

  /// For how long the threads of this process have run and have waited for a processor: the first two numbers of `schedstat`.
  private static func scheduledNanoseconds() -> Int {
    let folder = "/proc/self/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.reduce(0) { sum, thread in
      let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)
      let numbers = (text ?? "").split(separator: " ").prefix(2).compactMap { Int($0) }
      return sum + numbers.reduce(0, +)
    }
  }
}
