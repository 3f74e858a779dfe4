internal import ColorSpaces
public import ImageBuffer

extension Picture {
  /// The part of this picture inside of `region`. The pixels stay where they are: the part begins at the region's corner.
  public func cropped(to region: Region) -> Picture {
    let part = self.region.intersection(region)
    guard part.width > 0, part.height > 0 else {
      return failing(.emptySize(width: part.width, height: part.height))
    }
    return window(on: part, edges: .clear)
  }

  /// This picture with more pixels around it, so that it fills `region`; where the region is smaller, it is cropped.
  public func padded(to region: Region, edges: Edges = .clear) -> Picture {
    guard region.width > 0, region.height > 0 else {
      return failing(.emptySize(width: region.width, height: region.height))
    }
    return window(on: region, edges: edges)
  }

  /// This picture going on in all directions, by repeating its edge, mirroring it or as tiles.
  public func extended(by edges: Edges) -> Picture { window(on: .everywhere, edges: edges) }

  /// This picture somewhere else, in whole pixels: where it lies counts when pictures are blended.
  public func moved(by offset: Offset) -> Picture {
    Picture(node, origin: origin + offset, failure: failure)
  }

  /// This picture with its upper left corner at `corner`.
  public func placed(at corner: Offset) -> Picture {
    isEndless ? failing(.endless) : moved(by: corner - region.origin)
  }
}
