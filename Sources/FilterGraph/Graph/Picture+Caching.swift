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
    var node = self
    var steps: [(Node) -> Node] = []
    while true {
      let step = node
      switch step.kind {
      case .point(let input, let program):
        steps.append { step.with(.point($0, program), step.region) }
        node = input
      case .measured(let input, let measured):
        steps.append { step.with(.measured($0, measured), step.region) }
        node = input
      case .tagged(let input):
        steps.append { step.with(.tagged($0), step.region) }
        node = input
      case .source, .cached: return steps.reversed().reduce(step) { $1($0) }
      case .rows, .painted, .area, .window, .blend, .stored:
        if let fused = step.channelsFused {
          node = fused
        } else {
          let kept = step.with(.cached(step, CacheShare(of: cache)), step.region)
          return steps.reversed().reduce(kept) { $1($0) }
        }
      }
    }
  }

  /// The node whose pixels these are, wherever they are kept.
  var withoutCache: Node { if case .cached(let node, _) = kind { node } else { self } }
}
