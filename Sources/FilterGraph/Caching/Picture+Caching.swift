internal import ColorSpaces
internal import ImageBuffer

extension Picture {
  /// Returns this picture with a cache of its computed pixels: later renderings of it, or of pictures made of it, do
  /// not compute or read anything before it again.
  ///
  /// A cache changes no pixel, so recipes and content hashes ignore it. To guarantee that, point filters directly
  /// before it are not cached but computed each time, fused with those that follow. To cache their results as well,
  /// state a format: `picture.stored(as: .float16).cached(in: cache)`, which also halves the memory.
  public func cached(in cache: PictureCache) -> Picture {
    Picture(node.cached(in: cache), origin: origin, failure: failure, step: step)
  }
}

/// A node's share of a cache, which is released with the node.
final class CacheShare: Sendable {
  let cache: PictureCache

  init(of cache: PictureCache) { self.cache = cache }

  deinit { cache.remove(blocksOf: ObjectIdentifier(self)) }
}

extension Node {
  /// Returns the node with a cache around everything that is not fused with later steps.
  fileprivate func cached(in cache: PictureCache) -> Node {
    let chain = chain { node in
      if node.isPartOfProgram { return .descend }
      return node.channelsFused.map { .replace($0) } ?? .end
    }
    let end = chain.end
    // A bitmap is in memory already.
    let kept =
      end.bitmap != nil || end.isCached
      ? end : end.with(.cached(end, CacheShare(of: cache)), end.region)
    guard let moved = chain.moved(onto: kept) else {
      preconditionFailure("Programs and tags take an input of any size.")
    }
    return moved
  }
}
