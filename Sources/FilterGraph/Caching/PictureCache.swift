internal import Dispatch
internal import ImageBuffer
internal import Synchronization

/// Memory in which pictures keep what was computed, for the next time that they or others made of them are rendered; see
/// ``Picture/cached(in:)``.
///
/// Pixels are kept in blocks. Where a new one does not fit, those go first that were not asked for longest. Any number of pictures
/// share a cache, and any number of threads render from it. The blocks of a picture go when nobody holds the picture any more.
public final class PictureCache: Sendable {
  /// The most bytes of pixels that it ever holds.
  public let byteLimit: Int
  let blockSide: Int

  private let state = Mutex(State())

  fileprivate struct State {
    var slots: [BlockName: Slot] = [:]
    // The blocks that are kept, in the order in which they were asked for.
    var newest: CachedBlock?
    var oldest: CachedBlock?
    var byteCount = 0
    var (hitCount, missCount) = (0, 0)
  }

  fileprivate enum Slot {
    case kept(CachedBlock)
    case promised(BlockPromise)
  }

  /// What a cache says to somebody who needs a block.
  enum Answer {
    case found(CachedBlock)
    /// Nobody has it. Who asked must keep the promise, or break it.
    case missing(BlockPromise)
    /// Somebody computes it.
    case promised(BlockPromise)
  }

  /// An empty cache for so many bytes of pixels.
  public convenience init(bytes: Int) { self.init(bytes: bytes, blockSide: 256) }

  /// Blocks are at least so wide and high, which is a power of two.
  package init(bytes: Int, blockSide: Int) {
    precondition(bytes >= 0, "A cache cannot hold \(bytes) bytes.")
    (byteLimit, self.blockSide) = (bytes, blockSide)
  }

  /// The bytes of pixels that it holds.
  public var byteCount: Int { state.withLock { $0.byteCount } }
  /// How many blocks were asked for and there, since it was made.
  public var hitCount: Int { state.withLock { $0.hitCount } }
  /// How many blocks had to be computed, since it was made.
  public var missCount: Int { state.withLock { $0.missCount } }

  /// Lets go of all pixels.
  public func removeAll() { remove { _ in true } }

  /// Lets go of the blocks of a node.
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

  /// Takes in a block that was promised, as far as there is room for it, and hands it to those who wait.
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

  /// A block that was promised does not come. Who waits for it computes it.
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

/// A part of what a node computes.
struct BlockName: Hashable, Sendable {
  let node: ObjectIdentifier
  let region: Region
}

/// Pixels that a cache keeps.
final class CachedBlock: @unchecked Sendable {
  // Sendable because its pixels are written before anybody else knows of it, and its neighbours by the cache under its lock.

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

  /// The samples, where the node's rows and columns have them.
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

/// A block that somebody computes.
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
  /// - Parameter isCancelled: Asked every 20 milliseconds whether to stop: the block may belong to another
  ///   rendering, which nobody cancels.
  /// - Returns: The block; nil if it could not be computed.
  /// - Throws: `RenderError.cancelled` if `isCancelled` returns true.
  func wait(isCancelled: () -> Bool) throws(RenderError) -> CachedBlock? {
    while end.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
      if isCancelled() { throw .cancelled }
    }
    return block.withLock { $0 }
  }
}
