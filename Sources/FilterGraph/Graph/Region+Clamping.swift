package import ImageBuffer

extension Region {
  /// Whether the region has no pixels.
  package var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Creates a rectangle from its columns and its rows.
  package init(columns: Range<Int>, rows: Range<Int>) {
    self.init(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// Returns the pixel inside that is nearest to (x, y).
  package func nearest(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
    (min(max(x, self.x), self.x + width - 1), min(max(y, self.y), self.y + height - 1))
  }

  /// Returns the pixels of `bounds` nearest to the pixels of this region.
  ///
  /// A filter reads these pixels if it reads this region of a picture that is extended by its edge pixels. Unlike the
  /// intersection, the result is not empty for a region entirely outside of `bounds`: it contains the nearest edge
  /// pixels.
  package func clamped(to bounds: Region) -> Region {
    guard !isEmpty, !bounds.isEmpty else {
      return Region(x: bounds.x, y: bounds.y, width: 0, height: 0)
    }
    return Region(
      columns: columns.clampedToNearest(bounds.columns), rows: rows.clampedToNearest(bounds.rows))
  }
}

extension PixelSize {
  /// The pixels of a picture of this size, infinite ones included.
  var bounds: Region { self == Region.everywhere.size ? .everywhere : Region(self) }
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
