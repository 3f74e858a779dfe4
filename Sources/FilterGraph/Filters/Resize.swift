internal import CPixelKernels
public import ColorSpaces
public import ImageBuffer

/// Resamples to another size.
///
/// In linear light and premultiplied, so that edges neither darken nor fringe. A kernel that reaches over the edge is cut there
/// and normalized, so that flat areas stay flat.
public struct Resize: AreaFilter {
  /// What size to make.
  @nonexhaustive
  public enum Target: Hashable, Sendable {
    /// This width and height, whatever becomes of the proportions.
    case exact(Int, Int)
    /// As large as fits into this width and height, proportions kept.
    case fit(Int, Int)
    /// As small as covers this width and height, proportions kept. ``Picture/resized(to:by:limitsRinging:)`` cuts off what hangs over.
    case fill(Int, Int)
    /// So many times as wide and high.
    case scaled(by: Double)
  }

  /// What size to make.
  public var target: Target
  /// How much each pixel counts.
  public var kernel: ResamplingKernel
  /// Whether no pixel may be darker or brighter than all that lie in the kernel's middle.
  public var limitsRinging: Bool

  /// A resampling to `target`.
  public init(
    to target: Target, by kernel: ResamplingKernel = .lanczos(3), limitsRinging: Bool = false
  ) {
    (self.target, self.kernel, self.limitsRinging) = (target, kernel, limitsRinging)
  }

  /// The size that the target means for this input.
  public func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    switch target {
    case .exact(let width, let height):
      guard width > 0, height > 0 else { throw .emptySize(width: width, height: height) }
      return PixelSize(width, height)
    case .fit(let width, let height):
      guard width > 0, height > 0 else { throw .emptySize(width: width, height: height) }
      let scale = min(
        Double(width) / Double(input.width), Double(height) / Double(input.height))
      return PixelSize(
        min(width, scaled(input.width, by: scale)), min(height, scaled(input.height, by: scale)))
    case .fill(let width, let height):
      guard width > 0, height > 0 else { throw .emptySize(width: width, height: height) }
      let scale = max(
        Double(width) / Double(input.width), Double(height) / Double(input.height))
      return PixelSize(
        max(width, scaled(input.width, by: scale)), max(height, scaled(input.height, by: scale)))
    case .scaled(let scale):
      let allowed = 1e-6...1e6
      guard allowed.contains(scale) else {
        throw .parameter("The scale of a resize", value: scale, allowed: allowed)
      }
      return PixelSize(scaled(input.width, by: scale), scaled(input.height, by: scale))
    }
  }

  private func resamplings(
    of input: PixelSize
  ) -> (size: PixelSize, columns: Resampling, rows: Resampling) {
    let size = (try? outputSize(for: input)) ?? input
    return (
      size, Resampling(from: input.width, to: size.width, by: kernel),
      Resampling(from: input.height, to: size.height, by: kernel)
    )
  }

  private func scaled(_ length: Int, by scale: Double) -> Int {
    // Pictures end long before.
    max(1, Int(Double.minimum((Double(length) * scale).rounded(), 0x1p62)))
  }

  /// What the kernels around the new pixels touch.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    let resamplings = resamplings(of: input)
    let columns = resamplings.columns.input(of: output.columns)
    let rows = resamplings.rows.input(of: output.rows)
    return Region(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// The weighted sum of the pixels under the kernel.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let resamplings = resamplings(of: input)
    let (columns, rows) = (resamplings.columns.taps(of: x), resamplings.rows.taps(of: y))
    var sum = SIMD4<Double>.zero
    for (j, rowWeight) in rows.weights.enumerated() {
      for (i, columnWeight) in columns.weights.enumerated() {
        sum += read(columns.start + i, rows.start + j) * (rowWeight * columnWeight)
      }
    }
    guard limitsRinging else { return sum }
    var least = SIMD4(repeating: Double.infinity)
    var most = -least
    for row in resamplings.rows.middle(of: y) {
      for column in resamplings.columns.middle(of: x) {
        let pixel = read(column, row)
        (least, most) = (pointwiseMin(least, pixel), pointwiseMax(most, pixel))
      }
    }
    return pointwiseMin(pointwiseMax(sum, least), most)
  }

  /// The weights of both directions, and which one comes first.
  public struct Preparation: Sendable {
    let columns, rows: ResamplingTable
    /// The middles of the kernels, where ringing is limited.
    let middles: (columns: [Range<Int>], rows: [Range<Int>])?
    /// Decided for the whole picture, so that no tile differs from another.
    let rowsFirst: Bool
  }

  /// The weights of every column and row.
  public func prepare(for input: PixelSize) -> Preparation {
    let resamplings = resamplings(of: input)
    let output = resamplings.size
    let columns = ResamplingTable(resamplings.columns)
    let rows = ResamplingTable(resamplings.rows)
    // Multiplications a pixel; mixing columns needs transposition and costs about half as much again.
    let (rowTaps, columnTaps) = (Double(rows.taps), 1.5 * Double(columns.taps))
    let (scaleX, scaleY) = (
      Double(input.width) / Double(output.width), Double(input.height) / Double(output.height)
    )
    return Preparation(
      columns: columns, rows: rows,
      middles: limitsRinging
        ? (
          (0..<output.width).map(resamplings.columns.middle),
          (0..<output.height).map(resamplings.rows.middle)
        ) : nil,
      rowsFirst: rowTaps * scaleX + columnTaps <= columnTaps * scaleY + rowTaps)
  }

  /// The weights of every column and row, and the middles of the kernels where ringing is limited.
  public func preparationByteCount(for input: PixelSize) -> Int {
    let resamplings = resamplings(of: input)
    let middles =
      limitsRinging
      ? MemoryLayout<Range<Int>>.stride * (resamplings.size.width + resamplings.size.height) : 0
    return ResamplingTable.byteCount(resamplings.columns)
      + ResamplingTable.byteCount(resamplings.rows) + middles
  }

  /// What lies between the two directions, and the weights' positions.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    let rowsOfLines = (input.width + 15) / 16 * 16 * Int(kernels.lanes)
    let columnsOfLines = (output.width + 15) / 16 * 16 * input.height * planes
    // Every piece of memory begins at a multiple of 16 floats.
    return output.width + TileColumns.scratchCount(input.width) + 2 * input.height + 4 * 16
      + max(rowsOfLines, columnsOfLines) + (limitsRinging ? 2 * (input.width + 16) : 0)
  }

  /// Mixes rows and columns, each in one pass.
  public func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    let columns = preparation.columns.relative(
      to: input.region.x, of: output.region.columns, scratch: output)
    if preparation.rowsFirst {
      mixRows(of: input, into: output, preparation.rows, thenColumns: columns)
    } else {
      mixColumns(of: input, into: output, columns, thenRows: preparation.rows)
    }
    if let middles = preparation.middles {
      limit(output, to: input, columns: middles.columns, rows: middles.rows)
    }
  }

  /// Holds each new pixel between the least and the greatest of the old ones in its middle.
  private func limit(
    _ output: Tile, to input: Tile, columns: [Range<Int>], rows: [Range<Int>]
  ) {
    let width = input.region.width
    let (least, most) = (output.scratch(width), output.scratch(width))
    for plane in 0..<output.planeCount {
      for y in output.region.rows {
        least.update(from: input.pointer(rows[y].lowerBound, plane), count: width)
        most.update(from: least, count: width)
        for row in rows[y].dropFirst() {
          let values = input.pointer(row, plane)
          for x in 0..<width {
            least[x] = min(least[x], values[x])
            most[x] = max(most[x], values[x])
          }
        }
        let target = output.pointer(y, plane) - output.region.x
        for x in output.region.columns {
          let first = columns[x].lowerBound - input.region.x
          var (low, high) = (least[first], most[first])
          for column in first..<first + columns[x].count {
            (low, high) = (min(low, least[column]), max(high, most[column]))
          }
          target[x] = min(max(target[x], low), high)
        }
      }
    }
  }

  private func mixRows(
    of input: Tile, into output: Tile, _ rows: ResamplingTable, thenColumns columns: TileColumns
  ) {
    let lanes = Int(kernels.lanes)
    let width = (input.region.width + 15) / 16 * 16
    let mixed = output.scratch(width * lanes)
    input.forEachPlane(listedIn: output) { plane, old in
      for y in stride(from: output.region.y, to: output.region.rows.upperBound, by: lanes) {
        let count = min(lanes, output.region.rows.upperBound - y)
        rows.mix(
          old, into: y..<y + count, at: mixed, stride: width, count: input.region.width)
        columns.mix(
          mixed, stride: width, inputCount: input.region.width, rows: count,
          into: output.pointer(y, plane), stride: output.rowStride)
      }
    }
  }

  private func mixColumns(
    of input: Tile, into output: Tile, _ columns: TileColumns, thenRows rows: ResamplingTable
  ) {
    let mixed = Tile(
      Region(
        x: output.region.x, y: input.region.y, width: output.region.width,
        height: input.region.height),
      of: output.pictureSize, planeCount: output.planeCount, arena: output.arena)
    mixed.forEachPlane(listedIn: output) { plane, old in
      columns.mix(
        input.pointer(input.region.y, plane), stride: input.rowStride,
        inputCount: input.region.width, rows: input.region.height,
        into: mixed.pointer(mixed.region.y, plane), stride: mixed.rowStride)
      rows.mix(
        old, into: output.region.rows, at: output.pointer(output.region.y, plane),
        stride: output.rowStride, count: output.region.width)
    }
  }
}

extension Tile {
  /// Calls `body` with the rows of each plane, whose list takes memory of `output`.
  fileprivate func forEachPlane(
    listedIn output: Tile, _ body: (_ plane: Int, _ rows: PlaneRows) -> Void
  ) {
    let pointers = UnsafeMutableRawPointer(output.scratch(2 * region.height))
      .bindMemory(to: UnsafePointer<Float>?.self, capacity: region.height)
    for plane in 0..<output.planeCount {
      for (index, y) in region.rows.enumerated() {
        pointers[index] = UnsafePointer(pointer(y, plane))
      }
      body(plane, PlaneRows(rows: region.rows, pointers: pointers))
    }
  }
}

extension Resize: CustomStringConvertible {
  /// The name in plans.
  public var description: String {
    "\(kernel) resize" + (limitsRinging ? ", ringing limited" : "")
  }
}

extension Resize: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Resize>(
    "resample", RecipeField("to", \.target), RecipeField("kernel", \.kernel, default: .lanczos(3)),
    RecipeField("limits-ringing", \.limitsRinging, default: false)
  ) { Resize(to: $0, by: $1, limitsRinging: $2) }
}

/// A resize that leaves a picture of the right size alone, and cuts off what hangs over where one is filled.
struct ResizedPicture: CompoundFilter, RecipeFilter {
  var resize: Resize

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let isSame = (try? resize.outputSize(for: picture.size)) == picture.size
    let resized = isSame ? picture : picture.applying(resize)
    guard case .fill(let width, let height) = resize.target, resized.failure == nil else {
      return resized
    }
    let overhang = Offset((resized.size.width - width) / 2, (resized.size.height - height) / 2)
    let corner = resized.region.origin
    return resized.moved(by: .zero - overhang)
      .cropped(to: Region(x: corner.x, y: corner.y, width: width, height: height))
  }

  static let recipeForm = RecipeForm<ResizedPicture>(
    "resize", RecipeField("to", \.resize.target),
    RecipeField("kernel", \.resize.kernel, default: .lanczos(3)),
    RecipeField("limits-ringing", \.resize.limitsRinging, default: false)
  ) { ResizedPicture(resize: Resize(to: $0, by: $1, limitsRinging: $2)) }
}

extension Resize.Target: RecipeChoice {
  /// The words for it in recipes, each with a size or a factor.
  public static let recipeCases: [RecipeCase<Resize.Target>] = [
    RecipeCase("exact") {
      if case .exact(let width, let height) = $0 { PixelSize(width, height) } else { nil }
    } make: {
      .exact($0.width, $0.height)
    },
    RecipeCase("fit") {
      if case .fit(let width, let height) = $0 { PixelSize(width, height) } else { nil }
    } make: {
      .fit($0.width, $0.height)
    },
    RecipeCase("fill") {
      if case .fill(let width, let height) = $0 { PixelSize(width, height) } else { nil }
    } make: {
      .fill($0.width, $0.height)
    },
    RecipeCase("scaled") {
      if case .scaled(let scale) = $0 { scale } else { nil }
    } make: {
      .scaled(by: $0)
    },
  ]
}

extension Picture {
  /// This picture in another size, in linear light and premultiplied, through Lanczos' kernel of three lobes unless another one
  /// is named. `limitsRinging` keeps the halos away that sharp kernels leave along edges.
  public func resized(
    to target: Resize.Target, by kernel: ResamplingKernel = .lanczos(3),
    limitsRinging: Bool = false
  ) -> Picture {
    applying(
      ResizedPicture(resize: Resize(to: target, by: kernel, limitsRinging: limitsRinging)))
  }
}
