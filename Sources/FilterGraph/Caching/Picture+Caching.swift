internal import ColorSpaces
internal import ImageBuffer

extension Picture {
  /// This picture, which keeps what was computed for it in a cache: the next time that it is rendered, or a picture made of it, nothing
  /// before it is computed again, nor read.
  ///
  /// A cache changes no pixel, so recipes and content hashes do not know of it. For that, changes of single pixels at the end of what
  /// was done so far are not kept, but computed each time, together with those that follow; whoever wants them to be kept says what
  /// they are kept as: `picture.stored(as: .float16).cached(in: cache)`, which also takes half the memory.
  public func cached(in cache: PictureCache) -> Picture {
    Picture(node.cached(in: cache), origin: origin, failure: failure, step: step)
  }
}

/// A node's share of a cache, which ends with the node.
final class CacheShare: Sendable {
  let cache: PictureCache

  init(of cache: PictureCache) { self.cache = cache }

  deinit { cache.remove(blocksOf: ObjectIdentifier(self)) }
}

extension Node {
  /// The same node, of which a cache keeps all that is not fused with what follows.
  fileprivate func cached(in cache: PictureCache) -> Node {
    let chain = chain { node in
      if node.isPartOfProgram { return .descend }
      return node.channelsFused.map { .replace($0) } ?? .end
    }
    let end = chain.end
    // A bitmap is in memory anyway.
    let kept =
      end.bitmap != nil || end.isCached
      ? end : end.with(.cached(end, CacheShare(of: cache)), end.region)
    guard let moved = chain.moved(onto: kept) else {
      preconditionFailure("Programs and tags take an input of any size.")
    }
    return moved
  }
}
