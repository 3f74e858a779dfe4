package import ImageBuffer

extension Region {
  /// Whether the region has no pixels.
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Returns the pixels of `bounds` that are nearest to the pixels of this region.
  ///
  /// These are the pixels that a filter sees when it looks at this region of a picture whose edges go on. Unlike the
  /// intersection, the result has pixels where this region lies wholly outside of `bounds`: those of the nearest edge.
  package func clamped(to bounds: Region) -> Region {
    guard !isEmpty, !bounds.isEmpty else {
      return Region(x: bounds.x, y: bounds.y, width: 0, height: 0)
    }
    let (columns, rows) = (
      columns.clampedToNearest(bounds.columns), rows.clampedToNearest(bounds.rows)
    )
    return Region(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

extension Range<Int> {
  /// The elements of `bounds` that are nearest to those of this range. Neither is empty.
  fileprivate func clampedToNearest(_ bounds: Range<Int>) -> Range<Int> {
    func nearest(_ value: Int) -> Int {
      Swift.min(Swift.max(value, bounds.lowerBound), bounds.upperBound - 1)
    }
    return nearest(lowerBound)..<nearest(upperBound - 1) + 1
  }
}
