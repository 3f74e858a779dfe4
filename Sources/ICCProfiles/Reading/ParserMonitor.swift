internal import CLittleCMS

/// Records the errors and limits the allocations of Little CMS while it parses one profile.
final class ParserMonitor {
  /// Returns the maximum number of bytes for parsing a profile: a copy of the profile, and the tags that Little CMS
  /// decodes.
  ///
  /// A named color takes eight times its size in the file, and three times that while the list grows. A count in a few
  /// bytes of a damaged file cannot claim more.
  private static func byteLimit(forProfileOf byteCount: Int) -> Int {
    min(32 * byteCount + 1 << 20, ICCProfile.byteLimit + 48 << 20)
  }

  /// The first error since this was last set to nil.
  var failure: Failure?
  private var heldBytes = 0
  private let byteLimit: Int
  /// Whether the caller's limit is lower than that of the profile.
  private let isLimitOfCaller: Bool

  /// Why Little CMS cannot parse something.
  enum Failure {
    case refused(String)
    /// It takes more memory than the caller allows.
    case tooMuchMemory(limit: Int)

    /// Returns the error to throw. `refusal` makes it from a reason other than the caller's limit.
    func error(_ refusal: (String) -> ICCProfileError) -> ICCProfileError {
      switch self {
      case .refused(let reason): refusal(reason)
      case .tooMuchMemory(let limit): .tooMuchMemory(limit: limit)
      }
    }
  }

  init(byteLimit: Int, profileByteCount: Int) {
    let profileLimit = Self.byteLimit(forProfileOf: profileByteCount)
    self.byteLimit = min(byteLimit, profileLimit)
    isLimitOfCaller = byteLimit < profileLimit
  }

  /// Creates a context that reports to this monitor, which must outlive it; nil if there is not enough memory.
  func makeContext() -> cmsContext? {
    var plugin = cmsPluginMemHandler()
    plugin.base.Magic = cmsUInt32Number(cmsPluginMagicNumber)
    plugin.base.ExpectedVersion = cmsUInt32Number(LCMS_VERSION)
    plugin.base.`Type` = cmsUInt32Number(cmsPluginMemHandlerSig)
    plugin.MallocPtr = { allocate($0, Int($1)) }
    plugin.FreePtr = { deallocate($0, $1) }
    plugin.ReallocPtr = { reallocate($0, $1, Int($2)) }
    let context = cmsCreateContext(&plugin, Unmanaged.passUnretained(self).toOpaque())
    guard let context else { return nil }
    cmsSetLogErrorHandlerTHR(context) { context, _, text in
      guard let monitor = ParserMonitor.of(context), monitor.failure == nil else { return }
      monitor.failure = text.map { .refused("Little CMS reports “\(String(cString: $0))”") }
    }
    return context
  }

  /// The monitor of a context; nil while the context is created and deleted.
  fileprivate static func of(_ context: cmsContext?) -> ParserMonitor? {
    guard let context, let data = cmsGetContextUserData(context) else { return nil }
    return Unmanaged<ParserMonitor>.fromOpaque(data).takeUnretainedValue()
  }

  /// Blocks below this size are never refused: Little CMS 2.14 does not check all small allocations for failure. The
  /// size of a profile bounds their number.
  private static let leastRefusedByteCount = 4096

  /// Counts an allocation; returns false if it would exceed the limit.
  fileprivate func take(_ byteCount: Int) -> Bool {
    guard heldBytes + byteCount <= byteLimit || byteCount < Self.leastRefusedByteCount else {
      failure =
        failure
        ?? (isLimitOfCaller
          ? .tooMuchMemory(limit: byteLimit)
          : .refused("parsing it takes more than the limit of \(byteLimit) bytes"))
      return false
    }
    heldBytes += byteCount
    return true
  }

  fileprivate func giveBack(_ byteCount: Int) { heldBytes -= byteCount }
}

/// The size of the header before each block, which stores the block's size and keeps its alignment.
private let prefixSize = 16

private func allocate(_ context: cmsContext?, _ size: Int) -> UnsafeMutableRawPointer? {
  guard ParserMonitor.of(context)?.take(size) ?? true else { return nil }
  // Zeroed: Little CMS 2.14 returns text whose last units are uninitialized where surrogates were joined.
  guard let block = calloc(1, size + prefixSize) else { return nil }
  block.storeBytes(of: size, as: Int.self)
  return block + prefixSize
}

private func deallocate(_ context: cmsContext?, _ pointer: UnsafeMutableRawPointer?) {
  guard let pointer else { return }
  let block = pointer - prefixSize
  ParserMonitor.of(context)?.giveBack(block.load(as: Int.self))
  free(block)
}

private func reallocate(
  _ context: cmsContext?, _ pointer: UnsafeMutableRawPointer?, _ size: Int
) -> UnsafeMutableRawPointer? {
  guard let pointer else { return allocate(context, size) }
  guard let moved = allocate(context, size) else { return nil }
  let oldSize = (pointer - prefixSize).load(as: Int.self)
  moved.copyMemory(from: pointer, byteCount: min(oldSize, size))
  deallocate(context, pointer)
  return moved
}
