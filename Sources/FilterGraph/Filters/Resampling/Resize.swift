internal import ColorSpaces
package import ImageBuffer

/// Resamples to another size.
///
/// In linear light and premultiplied, so that edges neither darken nor fringe. A kernel that reaches over the edge is cut there
/// and normalized, so that flat areas stay flat. A pixel at the edge that a reduced source covers in part weighs as much as that part,
/// in its middle.
///
/// Each pixel has the same number of weights, at the ends some that are 0: NaN, and infinity as NaN, reach as far as those.
package struct Resize: AreaFilter {
  /// The target size.
  package let target: ResizeTarget
  /// The weights of the pixels by their distance.
  package var kernel: ResamplingKernel
  /// Whether no pixel may be darker or brighter than all that lie in the kernel's middle.
  package var limitsRinging: Bool
  /// How much of the pixels the picture covers, where its source was reduced. It applies to inputs of its size, and is no part of recipes:
  /// the picture that a recipe resizes has its own.
  package var extent: ReducedExtent?

  /// A resampling to `target`. Throws where it has no pixels, or a factor that is not in 10⁻⁶…10⁶.
  package init(
    to target: ResizeTarget, by kernel: ResamplingKernel = .lanczos3, limitsRinging: Bool = false
  ) throws(RecipeError) {
    try target.check()
    (self.target, self.kernel, self.limitsRinging) = (target, kernel, limitsRinging)
  }

  /// The size that the target means for this input. Throws for a picture of infinite extent, even where it would keep
  /// its size: weights are computed for each column and row.
  package func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    if input == Region.everywhere.size { throw .endless }
    return size(for: input)
  }

  /// The size that the target means for this input.
  fileprivate func size(for input: PixelSize) -> PixelSize {
    let whole = (width: Double(input.width), height: Double(input.height))
    let covered = extent?.covered(of: input) ?? whole
    func scaled(by scale: Double) -> PixelSize {
      PixelSize(scaledLength(covered.width, by: scale), scaledLength(covered.height, by: scale))
    }
    switch target {
    case .exact(let width, let height): return PixelSize(width, height)
    case .fit(let width, let height):
      let size = scaled(by: min(Double(width) / covered.width, Double(height) / covered.height))
      return PixelSize(min(width, size.width), min(height, size.height))
    case .fill(let width, let height):
      let size = scaled(by: max(Double(width) / covered.width, Double(height) / covered.height))
      return PixelSize(max(width, size.width), max(height, size.height))
    case .scaled(let scale): return scaled(by: scale)
    }
  }

  private func resamplings(
    of input: PixelSize
  ) -> (size: PixelSize, columns: Resampling, rows: Resampling) {
    let size = size(for: input)
    return (
      size, Resampling(from: input.width, to: size.width, by: kernel, covering: extent?.columns),
      Resampling(from: input.height, to: size.height, by: kernel, covering: extent?.rows)
    )
  }

  /// What the kernels around the new pixels touch.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    let resamplings = resamplings(of: input)
    return Region(
      columns: resamplings.columns.input(of: output.columns),
      rows: resamplings.rows.input(of: output.rows))
  }

  /// The weighted sum of the pixels under the kernel.
  package func pixel(
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
    // A comparison would replace NaN.
    return pointwiseMin(pointwiseMax(sum, least), most).replacing(with: sum, where: sum .!= sum)
  }

  /// The weights of both directions.
  package struct Preparation: Sendable {
    let passes: [SeparablePass]
    /// The middles of the kernels, where ringing is limited.
    let middles: (columns: [Range<Int>], rows: [Range<Int>])?
  }

  /// The weights of every column and row.
  package func prepare(for input: PixelSize) -> Preparation {
    let resamplings = resamplings(of: input)
    let output = resamplings.size
    return Preparation(
      passes: [
        SeparablePass(columns: AxisTaps(resamplings.columns), rows: AxisTaps(resamplings.rows))
      ],
      middles: limitsRinging
        ? (
          (0..<output.width).map(resamplings.columns.middle),
          (0..<output.height).map(resamplings.rows.middle)
        ) : nil)
  }

  /// The weights of every column and row, and the middles of the kernels where ringing is limited.
  package func preparationByteCount(for input: PixelSize) -> Int {
    let resamplings = resamplings(of: input)
    let middles =
      limitsRinging
      ? MemoryLayout<Range<Int>>.stride * (resamplings.size.width + resamplings.size.height) : 0
    return AxisTaps.byteCount(resamplings.columns) + AxisTaps.byteCount(resamplings.rows)
      + middles
  }

  /// What a ring of rows takes, of however many rows.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    // A strip needs no more than all of the input; where kernels are cut at edges, planning counts them whole.
    let whole = (2 * (input.width + 1), 2 * (input.height + 1))
    var shape = SeparablePass.Shape(
      columns: AxisShape(taps: whole.0, input: 0, output: 1),
      rows: AxisShape(taps: whole.1, input: 0, output: 1))
    // Whether rows are added depends on the whole picture.
    let counts = [false, true].map { addsRows in
      shape.addsRows = addsRows
      return scratchCount([shape], for: output, inputHeight: .max, planes: planes)
    }
    return max(counts[0], counts[1]) + tileScratchCount(from: input)
  }

  /// Mixes rows and columns, each in one pass.
  package func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    renderRows(into: output, from: input, with: preparation)
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
}

/// Returns a scaled length in whole pixels, at least 1.
func scaledLength(_ length: Double, by scale: Double) -> Int {
  // Clamped so that the conversion cannot overflow; pictures are limited to far fewer pixels.
  Int(Double.minimum(Double.maximum((length * scale).rounded(), 1), 0x1p62))
}

/// The target size of a resize: exact, or relative to the input.
@nonexhaustive
public enum ResizeTarget: Hashable, Sendable {
  /// This width and height, whatever becomes of the proportions.
  case exact(Int, Int)
  /// As large as fits into this width and height, proportions kept.
  case fit(Int, Int)
  /// As small as covers this width and height, proportions kept. ``Picture/resized(to:by:limitsRinging:x:y:)`` cuts off what hangs over.
  case fill(Int, Int)
  /// So many times as wide and high.
  case scaled(by: Double)
}

extension Resize: SeparableFilter {
  /// Ringing is limited by pixels of the input.
  var readsRows: Bool { !limitsRinging }

  /// The least and the greatest of some rows.
  func tileScratchCount(from input: Region) -> Int { limitsRinging ? 2 * (input.width + 16) : 0 }

  func passShapes(for input: PixelSize) -> [SeparablePass.Shape] {
    let resamplings = resamplings(of: input)
    return [
      SeparablePass.Shape(columns: resamplings.columns.shape, rows: resamplings.rows.shape)
    ]
  }

  func passes(of preparation: Preparation) -> [SeparablePass] { preparation.passes }
}

extension Resize: CustomStringConvertible {
  /// The text of this step in plans, such as “Lanczos 3 resize, ringing limited”.
  package var description: String {
    "\(kernel) resize" + (limitsRinging ? ", ringing limited" : "")
  }
}

extension Resize: RecipeFilter {
  /// The declaration of `resample`.
  package static let declaration = Declaration<Resize>(
    "resample", "Resamples to another size in linear light; a fill is not cropped.",
    keepsGray: true,
    Parameter("to", \.target, "the size in pixels, or a factor", sample: .exact(24, 24)),
    Parameter.kernel(\.kernel, default: .lanczos3),
    Parameter(
      "limits-ringing", \.limitsRinging, "whether kernels may not overshoot along edges",
      default: false)
  ) { target, kernel, limitsRinging throws(RecipeError) in
    try Resize(to: target, by: kernel, limitsRinging: limitsRinging)
  }.with(.moves)
}

/// Resizes a picture unless it has the right size already, and crops it to the size that it is to fill.
struct ResizeCompound: CompoundFilter, RecipeFilter {
  let resize: Resize
  let x, y: Double

  init(_ resize: Resize, x: Double, y: Double) throws(RecipeError) {
    (self.resize, self.x, self.y) = (resize, x, y)
    try Self.declaration.check(self)
    if case .fill = resize.target { return }
    for (name, value) in [("x", x), ("y", y)] where value != 0.5 {
      throw .other(
        "The \(name) of resize is \(value.plainText): only fills crop. "
          + "Leave \(name) at 0.5, or fill the size.")
    }
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    let isSame = resize.size(for: picture.size) == picture.size
    let resized = isSame ? picture : picture.applying(resize)
    guard case .fill(let width, let height) = resize.target, resized.failure == nil else {
      return resized
    }
    let corner = resized.region.origin
    let kept = resized.region.part(of: PixelSize(width, height), x: x, y: y)
    return resized.moved(by: corner - kept.origin)
      .cropped(to: Region(x: corner.x, y: corner.y, width: width, height: height))
  }

  static let declaration = Declaration<ResizeCompound>(
    "resize", "Resizes a picture in linear light; a fill is cropped to its size.",
    aliases: [FilterAlias("fill", prefix: "fill:"), FilterAlias("fit", prefix: "fit:")],
    keepsGray: true, swift: "picture.resized(to: .exact(24, 24))",
    Parameter("to", \.resize.target, "the size in pixels, or a factor", sample: .exact(24, 24)),
    Parameter.kernel(\.resize.kernel, default: .lanczos3),
    Parameter(
      "limits-ringing", \.resize.limitsRinging, "whether kernels may not overshoot along edges",
      default: false),
    Parameter.keptColumn(\.x), Parameter.keptRow(\.y)
  ) { target, kernel, limitsRinging, x, y throws(RecipeError) in
    let resize = try Resize(to: target, by: kernel, limitsRinging: limitsRinging)
    return try ResizeCompound(resize, x: x, y: y)
  }.with(.moves)
}

extension ResizeTarget {
  /// The allowed scales.
  package static let scales = 1e-6...1e6

  /// Throws where no picture has that size.
  fileprivate func check() throws(RecipeError) {
    switch self {
    case .exact(let width, let height), .fit(let width, let height), .fill(let width, let height):
      try PixelSize(width, height).checkNotEmpty()
    case .scaled(let scale): try checked("The scale of a resize", scale, in: Self.scales)
    }
  }
}

extension ResizeTarget: RecipeChoice {
  /// A size alone is exact: `800x600`, `800x`, `x600`, `50%`, `fit:800x600`, `fill:800x600`, `scaled:0.5`.
  public static var textForm: TextForm {
    let size = PixelSize.textForm
    let choice = TextForm.choice(recipeCases)
    return TextForm("WxH|Wx|xH|N%|fit:WxH|fill:WxH|scaled:NUMBER") { text in
      if let target = proportional(text) { return target }
      // A box of one number is a square.
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      if parts.count == 2, ["fit", "fill"].contains(parts[0]), Int(parts[1]) != nil {
        return choice.read("\(text)x\(parts[1])")
      }
      return size.read(text).map { .object([RecipeValue.Member("exact", $0)]) } ?? choice.read(text)
    }
  }

  /// Returns the target that keeps proportions for one side, `800x` or `x600`, also after `fit:`, or for `50%`; nil for another word.
  private static func proportional(_ text: String) -> RecipeValue? {
    if text.hasSuffix("%") {
      let scale = decimalNumber(text.dropLast()).flatMap { try? RecipeValue($0 / 100) }
      return scale.map { .object([RecipeValue.Member("scaled", $0)]) }
    }
    let longest = 1 << 30
    let word = text.hasPrefix("fit:") ? text.dropFirst(4) : text[...]
    let words = word.split(separator: "x", omittingEmptySubsequences: false)
    let sides = words.compactMap { $0.isEmpty ? longest : Int($0) }
    guard words.count == 2, words[0].isEmpty != words[1].isEmpty, sides.count == 2,
      sides.allSatisfy({ $0 <= longest })
    else { return nil }
    return .object([RecipeValue.Member("fit", .array(sides.map { .integer($0) }))])
  }

  /// The names of the targets, each with a size or a factor.
  public static let recipeCases: [RecipeCase<ResizeTarget>] = [
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
  /// another one is named. `limitsRinging` avoids the halos of sharp kernels along edges. Where a kernel reaches beyond the picture, it
  /// is cut off there, and the other weights are scaled to a sum of 1.
  ///
  /// `x` and `y`, within 0…1, say which part of a ``ResizeTarget/fill(_:_:)`` is kept: 0 the left or the top, 0.5 the middle,
  /// 1 the right or the bottom. Other targets crop nothing, and the picture fails for values other than 0.5.
  public func resized(
    to target: ResizeTarget, by kernel: ResamplingKernel = .lanczos3,
    limitsRinging: Bool = false, x: Double = 0.5, y: Double = 0.5
  ) -> Picture {
    applying { () throws(RecipeError) in
      let resize = try Resize(to: target, by: kernel, limitsRinging: limitsRinging)
      return try ResizeCompound(resize, x: x, y: y)
    }
  }
}

extension RecipeFilter {
  /// The target of a resize; nil for other filters.
  package var resizeTarget: ResizeTarget? {
    (self as? Resize)?.target ?? (self as? ResizeCompound)?.resize.target
  }

  /// Whether the filter resizes to an exact size, which may change the proportions of the picture.
  package var stretches: Bool { if case .exact? = resizeTarget { true } else { false } }
}
