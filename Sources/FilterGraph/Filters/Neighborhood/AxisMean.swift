package import ImageBuffer

/// The mean of each column as a picture one pixel high, or that of each row as one a pixel wide: a profile of a scan's light, of a
/// sensor's stripes, of a lamp that is brighter in the middle.
///
/// Linear light is weighted by alpha. Sums are in double precision, from the first pixel to the last.
package struct AxisMean: AreaFilter {
  /// Whether columns or rows are averaged.
  @nonexhaustive
  package enum Axis: String, Hashable, Sendable, CaseIterable {
    /// Each column, over all rows.
    case columns
    /// Each row, over all columns.
    case rows
  }

  /// Whether columns or rows are averaged.
  package var axis: Axis

  /// Means of columns or of rows.
  package init(of axis: Axis) { self.axis = axis }

  /// One pixel high, or wide.
  package func outputSize(for input: PixelSize) -> PixelSize {
    axis == .columns ? PixelSize(input.width, 1) : PixelSize(1, input.height)
  }

  /// Whole columns or rows.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    axis == .columns
      ? Region(x: output.x, y: 0, width: output.width, height: input.height)
      : Region(x: 0, y: output.y, width: input.width, height: output.height)
  }

  /// The mean of a column or a row.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    let count = axis == .columns ? input.height : input.width
    for index in 0..<count { sum += axis == .columns ? read(x, index) : read(index, y) }
    return sum / Double(count)
  }

  /// Along columns or rows of memory.
  package func render(into output: Tile, from input: Tile, with preparation: Void) {
    let size = input.pictureSize
    for plane in 0..<output.planeCount {
      for y in output.region.rows {
        let target = output.pointer(y, plane) - output.region.x
        for x in output.region.columns {
          var sum = 0.0
          switch axis {
          case .columns:
            for row in 0..<size.height {
              sum += Double(input.pointer(row, plane)[x - input.region.x])
            }
            target[x] = Float(sum / Double(size.height))
          case .rows:
            let source = input.pointer(y, plane) - input.region.x
            for column in 0..<size.width { sum += Double(source[column]) }
            target[x] = Float(sum / Double(size.width))
          }
        }
      }
    }
  }
}

extension AxisMean: CustomStringConvertible {
  /// The text of this step in plans: “mean of columns” or “mean of rows”.
  package var description: String { "mean of \(axis.rawValue)" }
}

extension AxisMean: RecipeFilter {
  /// The declaration of `mean`.
  package static let declaration = Declaration<AxisMean>(
    "mean", "Averages each column or each row to one pixel.",
    keepsGray: true, swift: "picture.columnMeans()",
    Parameter("of", \.axis, "what is averaged: each column or each row", sample: .columns)
  ) { AxisMean(of: $0) }
}

extension AxisMean.Axis: RecipeChoice {}

extension Picture {
  /// The mean of each column of this picture, as a picture one pixel high.
  public func columnMeans() -> Picture { applying(AxisMean(of: .columns)) }

  /// The mean of each row of this picture, as a picture one pixel wide.
  public func rowMeans() -> Picture { applying(AxisMean(of: .rows)) }
}
