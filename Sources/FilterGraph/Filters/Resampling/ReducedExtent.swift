package import ImageBuffer

/// The part of its pixels that a picture of a reduced source covers.
///
/// Where a side is no multiple of the reduction, its last pixel stands for fewer columns or rows than the others: 1001 columns become
/// 126 at an eighth, and cover 125.125 of them.
package struct ReducedExtent: Hashable, Sendable {
  /// The sides; nil where whole pixels are covered.
  package let columns, rows: ReducedLength?

  private init(columns: ReducedLength?, rows: ReducedLength?) {
    (self.columns, self.rows) = (columns, rows)
  }

  /// Creates the extent of a picture of `size` of which a pixel stands for so many columns and rows, turned upright from an orientation.
  package init(of size: PixelSize, reduction: Int, _ orientation: Orientation = .upright) {
    let stored = ReducedExtent(
      columns: ReducedLength(size.width, reduction: reduction, startsInside: false),
      rows: ReducedLength(size.height, reduction: reduction, startsInside: false))
    self = stored.oriented(orientation)
  }

  /// Returns how many pixels of an input are covered. A side of another length than the extent has is covered whole.
  func covered(of input: PixelSize) -> (width: Double, height: Double) {
    (
      columns.flatMap { $0.pixels == input.width ? $0.covered : nil } ?? Double(input.width),
      rows.flatMap { $0.pixels == input.height ? $0.covered : nil } ?? Double(input.height)
    )
  }

  /// Returns the extent of the picture after a turn or a reflection.
  fileprivate func oriented(_ orientation: Orientation) -> ReducedExtent {
    let corner = PixelSize(2, 2)
    let start = orientation.uprightPosition(
      x: columns?.startsInside == true ? 0 : 1, y: rows?.startsInside == true ? 0 : 1, in: corner)
    let (across, down) = orientation.exchangesAxes ? (rows, columns) : (columns, rows)
    return ReducedExtent(
      columns: across?.starting(inside: start.x == 0), rows: down?.starting(inside: start.y == 0))
  }
}

/// A side of a ``ReducedExtent`` that ends within a pixel.
package struct ReducedLength: Hashable, Sendable {
  /// The columns or rows of the whole picture.
  let whole: Int
  /// How many of them a pixel stands for.
  let reduction: Int
  /// Whether the first pixel stands for fewer, and not the last one, as in mirrored pictures.
  private(set) var startsInside: Bool

  /// Creates a side; nil where the whole is a multiple of the reduction.
  package init?(_ whole: Int, reduction: Int, startsInside: Bool) {
    guard reduction > 1, whole > 0, whole % reduction > 0 else { return nil }
    (self.whole, self.reduction, self.startsInside) = (whole, reduction, startsInside)
  }

  fileprivate func starting(inside: Bool) -> ReducedLength {
    var length = self
    length.startsInside = inside
    return length
  }

  /// The pixels of the side.
  var pixels: Int { whole / reduction + 1 }

  /// The pixels that are covered.
  var covered: Double { Double(whole) / Double(reduction) }

  /// The part of the pixel at the edge that is covered, less than 1.
  var edge: Double { Double(whole % reduction) / Double(reduction) }

  /// The index of that pixel.
  var edgeIndex: Int { startsInside ? 0 : pixels - 1 }
}

extension Resize: ExtentDependent {
  func reading(_ node: Node) -> Resize {
    var resize = self
    resize.extent = node.reducedExtent
    return resize
  }
}

extension Node {
  /// The extent of a reduced source, where nothing but point filters, quarter turns and reflections follows it; otherwise nil.
  fileprivate var reducedExtent: ReducedExtent? {
    var orientations: [Orientation] = []
    let chain = chain { node in
      if node.isPartOfProgram || node.isCached || node.storedFormat != nil { return .descend }
      guard let turn = node.areaFilter as? Reorientation else { return .end }
      orientations.append(turn.orientation)
      return .descend
    }
    guard let source = chain.end.rowSource as? any ReducedRowSource else { return nil }
    let extent = ReducedExtent(of: source.wholeSize, reduction: source.reduction)
    return orientations.reversed().reduce(extent) { $0.oriented($1) }
  }
}
