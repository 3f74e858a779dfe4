internal import CLittleCMS

/// What Little CMS reports and allocates while it parses one profile.
final class ParserMonitor {
  /// Returns the most bytes that parsing a profile may hold: the profile, copied, and the tags that Little CMS decodes.
  ///
  /// A named color takes eight times its size in the file, and three times that while the list grows. A count that a few bytes claim
  /// takes no more.
  static func byteLimit(forProfileOf byteCount: Int) -> Int {
    min(32 * byteCount + 1 << 20, ICCProfile.byteLimit + 48 << 20)
  }

  /// The first error since this was last cleared.
  var reason: String?
  private var heldBytes = 0
  private let byteLimit: Int

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// A context that reports to this monitor, which must outlive it; nil where there is no memory.
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
      guard let monitor = ParserMonitor.of(context), monitor.reason == nil else { return }
      monitor.reason = text.map { "Little CMS reports “\(String(cString: $0))”" }
    }
    return context
  }

  /// The monitor of a context; nil while the context is made and deleted.
  fileprivate static func of(_ context: cmsContext?) -> ParserMonitor? {
    guard let context, let data = cmsGetContextUserData(context) else { return nil }
    return Unmanaged<ParserMonitor>.fromOpaque(data).takeUnretainedValue()
  }

  /// Blocks below this size are never refused: version 2.14 does not check for all of them whether it got them. Their number is bounded
  /// by the size of a profile.
  private static let leastRefusedByteCount = 4096

  /// Counts bytes, unless they would be too many.
  fileprivate func take(_ byteCount: Int) -> Bool {
    guard heldBytes + byteCount <= byteLimit || byteCount < Self.leastRefusedByteCount else {
      reason = reason ?? "parsing it takes more than the limit of \(byteLimit) bytes"
      return false
    }
    heldBytes += byteCount
    return true
  }

  fileprivate func giveBack(_ byteCount: Int) { heldBytes -= byteCount }
}

/// What stands before each block: its size, in as many bytes as keep the block aligned.
private let prefixSize = 16

private func allocate(_ context: cmsContext?, _ size: Int) -> UnsafeMutableRawPointer? {
  guard ParserMonitor.of(context)?.take(size) ?? true else { return nil }
  // Zeroed: version 2.14 hands out text whose last units it has not written, where surrogates were joined.
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
