internal import Dispatch
internal import ImageBuffer
internal import Synchronization

/// A cache of computed pixels for later renderings of the same or derived pictures; see ``Picture/cached(in:)``.
///
/// Pixels are cached in blocks. The least recently used blocks are evicted when a new one exceeds the capacity. Any
/// number of pictures may share a cache, and any number of threads may render from it. The blocks of a picture are
/// removed when the picture is deallocated.
public final class PictureCache: Sendable {
  /// The capacity in bytes of pixels.
  package let byteLimit: Int
  let blockSide: Int

  private let state = Mutex(State())

  fileprivate struct State {
    var slots: [BlockName: Slot] = [:]
    // A linked list of the cached blocks, from the most to the least recently used.
    var newest: CachedBlock?
    var oldest: CachedBlock?
    var byteCount = 0
    var (hitCount, missCount) = (0, 0)
  }

  fileprivate enum Slot {
    case kept(CachedBlock)
    case promised(BlockPromise)
  }

  /// The answer to a request for a block.
  enum Answer {
    case found(CachedBlock)
    /// Not cached. The caller must compute the block and keep or break the promise.
    case missing(BlockPromise)
    /// Another thread is computing it.
    case promised(BlockPromise)
  }

  /// Creates an empty cache for so many bytes of pixels.
  ///
  /// - Precondition: The number is not negative.
  public convenience init(bytes: Int) { self.init(bytes: bytes, blockSide: 256) }

  /// Creates an empty cache with blocks of at least `blockSide` pixels, a power of two, in width and height.
  package init(bytes: Int, blockSide: Int) {
    precondition(bytes >= 0, "A cache cannot hold \(bytes) bytes.")
    (byteLimit, self.blockSide) = (bytes, blockSide)
  }

  /// The bytes of the cached pixels.
  public var byteCount: Int { state.withLock { $0.byteCount } }
  /// The number of requests for blocks that were cached.
  public var hitCount: Int { state.withLock { $0.hitCount } }
  /// The number of requests for blocks that were not cached.
  public var missCount: Int { state.withLock { $0.missCount } }

  /// Removes all blocks.
  public func removeAll() { remove { _ in true } }

  /// Removes the blocks of a node.
  func remove(blocksOf node: ObjectIdentifier) { remove { $0.node == node } }

  private func remove(where isMeant: (BlockName) -> Bool) {
    state.withLock { state in
      for case .kept(let block) in state.slots.values where isMeant(block.name) {
        state.remove(block)
      }
    }
  }

  func ask(for name: BlockName) -> Answer {
    state.withLock { state in
      switch state.slots[name] {
      case .kept(let block):
        state.hitCount += 1
        state.unlink(block)
        state.linkAsNewest(block)
        return .found(block)
      case .promised(let promise): return .promised(promise)
      case nil:
        state.missCount += 1
        let promise = BlockPromise()
        state.slots[name] = .promised(promise)
        return .missing(promise)
      }
    }
  }

  /// Stores a promised block if it fits the capacity, and passes it to waiting threads.
  func keep(_ block: CachedBlock, promisedAs promise: BlockPromise) {
    state.withLock { state in
      state.slots[block.name] = nil
      if block.byteCount > byteLimit { return }
      while let oldest = state.oldest, state.byteCount > byteLimit - block.byteCount {
        state.remove(oldest)
      }
      state.slots[block.name] = .kept(block)
      state.byteCount += block.byteCount
      state.linkAsNewest(block)
    }
    promise.end(with: block)
  }

  /// Breaks the promise of a block. Waiting threads compute it themselves.
  func give(up name: BlockName, promisedAs promise: BlockPromise) {
    state.withLock { $0.slots[name] = nil }
    promise.end(with: nil)
  }
}

extension PictureCache.State {
  fileprivate mutating func remove(_ block: CachedBlock) {
    slots[block.name] = nil
    byteCount -= block.byteCount
    unlink(block)
  }

  fileprivate mutating func linkAsNewest(_ block: CachedBlock) {
    block.older = newest
    newest?.newer = block
    newest = block
    oldest = oldest ?? block
  }

  fileprivate mutating func unlink(_ block: CachedBlock) {
    let (newer, older) = (block.newer, block.older)
    if let newer { newer.older = older } else { newest = older }
    if let older { older.newer = newer } else { oldest = newer }
    (block.newer, block.older) = (nil, nil)
  }
}

/// The key of a block: its node and position, and the caches whose half floats it is made of.
struct BlockName: Hashable, Sendable {
  let node: ObjectIdentifier
  let region: Region
  let halves: Set<ObjectIdentifier>
}

/// A cached block of pixels.
final class CachedBlock: @unchecked Sendable {
  // Sendable because its pixels are written before it is shared, and the cache's lock guards its links.

  let name: BlockName
  let byteCount: Int
  fileprivate unowned(unsafe) var newer: CachedBlock?
  fileprivate unowned(unsafe) var older: CachedBlock?
  private let memory: AlignedBuffer
  private let planeCount: Int
  private let format: SampleFormat

  init(_ name: BlockName, planeCount: Int, format: SampleFormat) {
    (self.name, self.planeCount, self.format) = (name, planeCount, format)
    byteCount = Self.byteCount(name.region, planeCount: planeCount, format: format)
    memory = AlignedBuffer(required: byteCount)
  }

  static func byteCount(_ region: Region, planeCount: Int, format: SampleFormat) -> Int {
    region.size.pixelCount * planeCount * format.byteCount
  }

  /// The samples, in the coordinates of the node.
  var surface: BitmapSurface {
    let region = name.region
    let bytesPerRow = region.width * format.byteCount
    return BitmapSurface(
      owner: self,
      base: memory.bytes.baseAddress.map {
        $0 - region.y * bytesPerRow - region.x * format.byteCount
      },
      size: region.size, channels: planeCount == 4 ? .rgba : .rgb, format: format,
      arrangement: .planar, bytesPerRow: bytesPerRow, bytesPerPlane: region.height * bytesPerRow)
  }
}

/// The promise of a block that a thread is computing.
final class BlockPromise: Sendable {
  private let end = DispatchGroup()
  private let block = Mutex<CachedBlock?>(nil)

  init() { end.enter() }

  fileprivate func end(with block: CachedBlock?) {
    self.block.withLock { $0 = block }
    end.leave()
  }

  /// Waits until the block is done.
  ///
  /// - Parameter isCancelled: Called every 20 milliseconds; return true to cancel. The block may belong to another
  ///   rendering, which is not cancelled.
  /// - Returns: The block; nil if it could not be computed.
  /// - Throws: `RenderError.cancelled` if `isCancelled` returns true.
  func wait(isCancelled: () -> Bool) throws(RenderError) -> CachedBlock? {
    while end.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if isCancelled() { throw .cancelled }
    }
    return block.withLock { $0 }
  }
}
