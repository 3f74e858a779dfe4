internal import CPixelKernels
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
  public let target: Target
  /// The weights of the pixels by their distance.
  public var kernel: ResamplingKernel
  /// Whether no pixel may be darker or brighter than all that lie in the kernel's middle.
  public var limitsRinging: Bool

  /// A resampling to `target`. Throws where it has no pixels, or a factor that is not in 10⁻⁶…10⁶.
  public init(
    to target: Target, by kernel: ResamplingKernel = .lanczos(3), limitsRinging: Bool = false
  ) throws(RecipeError) {
    try target.check()
    (self.target, self.kernel, self.limitsRinging) = (target, kernel, limitsRinging)
  }

  /// The size that the target means for this input.
  public func outputSize(for input: PixelSize) -> PixelSize {
    switch target {
    case .exact(let width, let height): return PixelSize(width, height)
    case .fit(let width, let height):
      let scale = min(
        Double(width) / Double(input.width), Double(height) / Double(input.height))
      return PixelSize(
        min(width, scaled(input.width, by: scale)), min(height, scaled(input.height, by: scale)))
    case .fill(let width, let height):
      let scale = max(
        Double(width) / Double(input.width), Double(height) / Double(input.height))
      return PixelSize(
        max(width, scaled(input.width, by: scale)), max(height, scaled(input.height, by: scale)))
    case .scaled(let scale):
      return PixelSize(scaled(input.width, by: scale), scaled(input.height, by: scale))
    }
  }

  private func resamplings(
    of input: PixelSize
  ) -> (size: PixelSize, columns: Resampling, rows: Resampling) {
    let size = outputSize(for: input)
    return (
      size, Resampling(from: input.width, to: size.width, by: kernel),
      Resampling(from: input.height, to: size.height, by: kernel)
    )
  }

  private func scaled(_ length: Int, by scale: Double) -> Int {
    // Clamped so that the conversion cannot overflow; pictures are limited to far fewer pixels.
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
    let (least, most) = (output.scratchPointer(width), output.scratchPointer(width))
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
    let mixed = output.scratchPointer(width * lanes)
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
    let pointers = UnsafeMutableRawPointer(output.scratchPointer(2 * region.height))
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
  /// The declaration of `resample`.
  public static let declaration = Declaration<Resize>(
    "resample", "Resamples to another size in linear light; a fill is not cropped.",
    keepsGray: true, swift: "try picture.applying(Resize(to: .exact(24, 24)))",
    Parameter("to", \.target, "the size in pixels, or a factor", sample: .exact(24, 24)),
    Parameter.kernel(\.kernel, default: .lanczos(3)),
    Parameter(
      "limits-ringing", \.limitsRinging, "whether kernels may not overshoot along edges",
      default: false)
  ) { target, kernel, limitsRinging throws(RecipeError) in
    try Resize(to: target, by: kernel, limitsRinging: limitsRinging)
  }
}

/// Resizes a picture unless it has the right size already, and crops it to the size that it is to fill.
struct ResizeCompound: CompoundFilter, RecipeFilter {
  var resize: Resize

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let isSame = resize.outputSize(for: picture.size) == picture.size
    let resized = isSame ? picture : picture.applying(resize)
    guard case .fill(let width, let height) = resize.target, resized.failure == nil else {
      return resized
    }
    let overhang = Offset((resized.size.width - width) / 2, (resized.size.height - height) / 2)
    let corner = resized.region.origin
    return resized.moved(by: .zero - overhang)
      .cropped(to: Region(x: corner.x, y: corner.y, width: width, height: height))
  }

  static let declaration = Declaration<ResizeCompound>(
    "resize", "Resizes a picture in linear light; a fill is cropped to its size.",
    aliases: [FilterAlias("fill", prefix: "fill:"), FilterAlias("fit", prefix: "fit:")],
    keepsGray: true, swift: "picture.resized(to: .fit(24, 24))",
    Parameter("to", \.resize.target, "the size in pixels, or a factor", sample: .exact(24, 24)),
    Parameter.kernel(\.resize.kernel, default: .lanczos(3)),
    Parameter(
      "limits-ringing", \.resize.limitsRinging, "whether kernels may not overshoot along edges",
      default: false)
  ) { target, kernel, limitsRinging throws(RecipeError) in
    ResizeCompound(resize: try Resize(to: target, by: kernel, limitsRinging: limitsRinging))
  }
}

extension Resize.Target {
  /// Throws where no picture has that size.
  fileprivate func check() throws(RecipeError) {
    switch self {
    case .exact(let width, let height), .fit(let width, let height), .fill(let width, let height):
      try PixelSize(width, height).checkNotEmpty()
    case .scaled(let scale): try checked("The scale of a resize", scale, in: 1e-6...1e6)
    }
  }
}

extension Resize.Target: RecipeChoice {
  /// A size alone is exact: `800x600`, `fit:800x600`, `fill:800x600`, `scaled:0.5`.
  public static var textForm: TextForm {
    let size = PixelSize.textForm
    let choice = TextForm.choice(recipeCases)
    return TextForm("WxH|fit:WxH|fill:WxH|scaled:NUMBER") { text in
      size.read(text).map { .object([RecipeValue.Member("exact", $0)]) } ?? choice.read(text)
    }
  }

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
  /// This picture in another size, resampled in linear light with premultiplied alpha, by the Lanczos kernel of three lobes unless
  /// another one is named. `limitsRinging` avoids the halos of sharp kernels along edges.
  public func resized(
    to target: Resize.Target, by kernel: ResamplingKernel = .lanczos(3),
    limitsRinging: Bool = false
  ) -> Picture {
    applying { () throws(RecipeError) in
      ResizeCompound(resize: try Resize(to: target, by: kernel, limitsRinging: limitsRinging))
    }
  }
}
