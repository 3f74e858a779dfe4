internal import ColorSpaces
public import ImageBuffer
internal import Synchronization

/// A step of a pipeline, and the color that is lost at it.
public struct StepLoss: Sendable {
  /// The name of the step, as the pipeline gives it.
  public let name: String
  /// What is lost at this step and at no earlier one.
  public let losses: [ColorLoss]
  /// The pixels that each loss concerns, in the order of ``losses``; nil where the size changes at the loss, or after it within the
  /// step, so that pixels cannot be compared.
  public let extents: [LossExtent?]
}

/// The pixels of a picture that a loss concerns, and how far their colors moved.
public struct LossExtent: Hashable, Sendable {
  /// A color difference over some pixels.
  public struct Difference: Hashable, Sendable {
    /// The mean, and the largest.
    public let mean, maximum: Double
  }

  /// How many pixels of the picture lost something, and how many there are.
  public let affectedPixelCount, pixelCount: Int
  /// How far their colors moved by CIEDE2000.
  public let deltaE2000: Difference
  /// How far their colors moved by ΔE ITP (ITU-R BT.2124).
  public let deltaITP: Difference
  /// The affected pixel whose color moved farthest by CIEDE2000, the first of equals; nil where no pixel is affected.
  public let worst: Offset?
}

extension Picture {
  /// Measures at which step of a pipeline color is lost, and how many pixels lose how much.
  ///
  /// Each kind of loss is reported once, at the first step after which ``colorLosses(storedAs:options:)`` finds it. The pictures of a
  /// step with losses are rendered and compared with those of the step before it. A pixel counts for a loss of gamut where its color
  /// lay outside of sRGB before the step, for a loss of headroom where it was brighter than white, for a loss of alpha where it was
  /// not opaque, for a loss of precision where it lay within 0…1, and for the others everywhere, if its
  /// color moved by more than 0.001 in CIEDE2000, which the rounding of `Float` does not explain. When integers are stored, chroma is lost
  /// where values are clipped. Where a gamut mapping, a clamp or a store of integers clips values that no source held, but a step made,
  /// that is a loss of headroom or gamut, too.
  /// A picture of infinite extent is not measured: its losses are reported at the next step.
  ///
  /// - Parameters:
  ///   - steps: The picture after each step, by name; the first one is the source.
  ///   - format: The sample format in which the last picture is stored, encoded. The rounding to it is one more step.
  ///   - options: How to render.
  /// - Returns: One element for each step after the source, and one for storing.
  public static func stepLosses(
    of steps: [(name: String, picture: Picture)], storedAs format: SampleFormat,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [StepLoss] {
    guard let source = steps.first, let last = steps.last else { return [] }
    let steps = steps.joiningEndless
    var known: Set<ColorLoss.Kind> = []
    var search = ClippingSearch()
    _ = search.steps(addedBy: source.picture)
    var before = source.picture
    var found: [StepLoss] = []
    let stored = (name: "store as \(format)", picture: last.picture.storedInFile(as: format))
    for (index, step) in (steps.dropFirst() + [stored]).enumerated() {
      let isLast = index == steps.count - 1
      var losses = try step.picture.colorLosses(
        inSamplesOf: isLast ? format : .float32, options: options
      ).filter { !known.contains($0.kind) }
      known.formUnion(losses.map(\.kind))
      let clippings = search.steps(addedBy: step.picture)
      let keptRange = isLast ? clippings.last?.range : nil
      var extents: [LossExtent?] = []
      let part = options.part(index, of: steps.count)
      let parts = losses.count + 2 * clippings.count
      var place = 0
      for loss in losses {
        extents.append(
          try step.picture.lossExtent(
            of: loss.kind, since: before, clipping: loss.kind == .chroma ? keptRange : nil,
            options: part.part(place, of: parts)))
        place += 1
      }
      for clipping in clippings {
        for kind in [ColorLoss.Kind.headroom, .gamut] where !known.contains(kind) {
          let measured = try clipping.loss(of: kind, options: part.part(place, of: parts))
          place += 1
          guard let (loss, extent) = measured else { continue }
          known.insert(kind)
          losses.append(loss)
          extents.append(clipping.after.size == step.picture.size ? extent : nil)
        }
      }
      part.progress?(1)
      found.append(StepLoss(name: step.name, losses: losses, extents: extents))
      before = step.picture
    }
    return found
  }

  /// This picture encoded and quantized to a sample format, as files store it.
  package func storedInFile(as format: SampleFormat) -> Picture { storedForm.stored(as: format) }

  private func colorLosses(
    inSamplesOf format: SampleFormat, options: RenderOptions
  ) throws(RenderError) -> [ColorLoss] {
    try Plan([storedForm], options: options).colorLosses(storedAs: format, options)
  }

  /// The linear light of one pixel.
  fileprivate func light(
    at place: Offset, _ options: RenderOptions
  ) throws(RenderError) -> SIMD4<Double> {
    var options = options
    options.progress = nil
    let pixel = converted(to: space.linear).cropped(to: Region(pixel: place))
    let values = try pixel.render(as: Float.self, options: options).row(0)
    return SIMD4(
      Double(values[0]), Double(values[1]), Double(values[2]),
      values.count > 3 ? Double(values[3]) : 1)
  }

  /// Measures the pixels that a loss concerns, of those that are not in `clipping` alone; nil where this picture has another size than
  /// `original`.
  fileprivate func lossExtent(
    of kind: ColorLoss.Kind, since original: Picture, clipping: ClosedRange<Double>?,
    options: RenderOptions
  ) throws(RenderError) -> LossExtent? {
    guard size == original.size, !isEndless else { return nil }
    let corner = region.origin
    let (a, b) = (original.placed(at: .zero), placed(at: .zero))
    let tally = ExtentTally(of: kind, in: a, clipping)
    try Picture.renderBands(
      [b.difference(from: a), b.difference(from: a, by: .itp), a.converted(to: a.space.linear)],
      as: Float.self, options: options
    ) { picture, firstRow, band in
      tally.add(band, of: picture, at: firstRow)
    }
    return tally.extent(from: corner)
  }
}

extension ClippingStep {
  /// Measures a loss of headroom or gamut at this step; nil where it clips no such pixel.
  fileprivate func loss(
    of kind: ColorLoss.Kind, options: RenderOptions
  ) throws(RenderError) -> (ColorLoss, LossExtent)? {
    let extent = try after.lossExtent(of: kind, since: before, clipping: range, options: options)
    guard let extent, let worst = extent.worst else { return nil }
    let colors = try [before, after].map { picture throws(RenderError) in
      try picture.light(at: worst, options)
    }
    return (ColorLoss(kind: kind, step: name, before: [colors[0]], after: [colors[1]]), extent)
  }
}

extension Array where Element == (name: String, picture: Picture) {
  /// The steps without pictures of infinite extent, whose names stand before that of the next one.
  fileprivate var joiningEndless: Self {
    var (joined, names): (Self, [String]) = ([], [])
    for step in self {
      names.append(step.name)
      if step.picture.isEndless { continue }
      joined.append((names.joined(separator: " → "), step.picture))
      names = []
    }
    return joined.isEmpty ? self : joined
  }
}

/// Joins the rows of three pictures: two color differences in hundreds, and the linear light before the step.
private final class ExtentTally: Sendable {
  private struct State {
    /// The rows that have not come of all pictures: two differences, and 1 where a pixel has what is lost.
    var rows: [Int: [[Float]?]] = [:]
    var pixels = 0
    var sums = SIMD2<Double>.zero
    var largest = SIMD2<Double>.zero
    var worst: Offset?
  }

  private let kind: ColorLoss.Kind
  /// Where only pixels count that are clipped: the range that is kept.
  private let clipping: ClosedRange<Double>?
  private let size: PixelSize
  private let sRGB: GamutBoundary
  private let state = Mutex(State())

  /// Counts what a step takes from `original`.
  init(of kind: ColorLoss.Kind, in original: Picture, _ clipping: ClosedRange<Double>?) {
    (self.kind, self.clipping, size) = (kind, clipping, original.size)
    sRGB = GamutBoundary(
      of: .sRGB, from: original.space, nil, .light, original.sourcePrecisions)
  }

  /// For each pixel 1 if it has what is lost, else 0.
  private func flags(_ pixels: PixelRow) -> [Float] {
    var flags = [Float](repeating: 0, count: pixels.count)
    if let clipping {
      for x in flags.indices where pixels.alpha(x) > 0 {
        let light = pixels.color(x)
        let (isBright, isNegative) = (
          Double(light.max()) > clipping.upperBound, Double(light.min()) < clipping.lowerBound
        )
        let isClipped =
          kind == .headroom ? isBright : kind == .gamut ? isNegative : isBright || isNegative
        if isClipped { flags[x] = 1 }
      }
      return flags
    }
    if kind == .gamut {
      sRGB.judge(pixels) { x, isOutside in
        if isOutside && pixels.alpha(x) > 0 { flags[x] = 1 }
      }
      return flags
    }
    for x in flags.indices {
      let (light, alpha) = (pixels.color(x), pixels.alpha(x))
      let hasLoss =
        switch kind {
        case .headroom: light.max() > 1
        case .alpha: alpha < 1
        // Clipped values are counted by other kinds.
        case .precision: light.min() >= 0 && light.max() <= 1
        default: true
        }
      if hasLoss { flags[x] = 1 }
    }
    return flags
  }

  /// Adds rows of one of the pictures. Their bands have different heights.
  func add(_ band: Bitmap<Float>, of picture: Int, at firstRow: Int) {
    let channels = band.channels.count
    for y in 0..<band.size.height {
      let values = band.withUnsafeRow(y) { row in
        if picture == 2, let pixels = PixelRow(row, channels: channels) { return flags(pixels) }
        return stride(from: 0, to: row.count, by: channels).map { row[$0] * 100 }
      }
      state.withLock { state in
        state.rows[firstRow + y, default: [nil, nil, nil]][picture] = values
        join(firstRow + y, &state)
      }
    }
  }

  /// Counts a row that has come of all three pictures.
  private func join(_ y: Int, _ state: inout State) {
    guard let rows = state.rows[y], let deltaE2000 = rows[0], let deltaITP = rows[1],
      let flags = rows[2]
    else { return }
    state.rows[y] = nil
    for x in flags.indices where flags[x] == 1 {
      let moved = SIMD2(Double(deltaE2000[x]), Double(deltaITP[x]))
      guard kind == .alpha || moved.x > Self.rounding || !moved.x.isFinite else { continue }
      state.pixels += 1
      state.sums += moved
      if moved.x > state.largest.x || state.worst == nil { state.worst = Offset(x, y) }
      state.largest = pointwiseMax(state.largest, moved)
    }
  }

  /// A difference that single precision does not explain: Lab has some 1e-5 of rounding, which the formula's roots enlarge.
  private static let rounding = 1e-3

  func extent(from corner: Offset) -> LossExtent {
    state.withLock { state in
      let count = Double(max(state.pixels, 1))
      func difference(_ index: Int) -> LossExtent.Difference {
        LossExtent.Difference(mean: state.sums[index] / count, maximum: state.largest[index])
      }
      return LossExtent(
        affectedPixelCount: state.pixels, pixelCount: size.pixelCount,
        deltaE2000: difference(0), deltaITP: difference(1), worst: state.worst.map { corner + $0 })
    }
  }
}

extension LossExtent: CustomStringConvertible {
  /// How many pixels, and how far their colors moved.
  public var description: String {
    guard let worst else { return "none of the picture's pixels" }
    let share = Double(affectedPixelCount) / Double(pixelCount) * 100
    return "\(affectedPixelCount) of \(pixelCount) pixels (\(rounded(share)) %), "
      + "ΔE2000 \(rounded(deltaE2000.mean)) on average and at most "
      + "\(rounded(deltaE2000.maximum)) at (\(worst.x), \(worst.y)), "
      + "ΔE ITP at most \(rounded(deltaITP.maximum))"
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
