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
  /// Each kind of loss is reported once, at the first step after which ``colorLosses(storedAs:options:)`` finds it; where that concerns no
  /// pixel, once more at the first clipping that does. The pictures of a
  /// step with losses are rendered and compared with those of the step before it. A pixel counts for a loss of gamut where its color
  /// lay outside of sRGB before the step, for a loss of headroom where it was brighter than white, for a loss of alpha where it was
  /// not opaque, for a loss of precision where it lay within 0…1, and for the others everywhere, if its
  /// color moved by more than 0.001 in CIEDE2000, which the rounding of `Float` does not explain. When integers are stored, chroma is lost
  /// where values are clipped. Where a gamut mapping, a clamp or a store of integers clips values that no source held, but a step made,
  /// that is a loss of headroom or gamut, too; so it is where values are encoded and the space's transfer function clamps them, at a floor
  /// (such as that of ACEScc) or at a ceiling. A picture of infinite extent is not measured: its losses are reported at the next step.
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
    // The kinds that a loss of some pixels was reported of.
    var measured: Set<ColorLoss.Kind> = []
    var search = ClippingSearch()
    _ = search.steps(addedBy: source.picture)
    var before = source.picture
    var found: [StepLoss] = []
    let stored = (name: "store as \(format)", picture: last.picture.storedInFile(as: format))
    let traced = steps.dropFirst() + [stored]
    let allLosses = try colorLosses(of: traced.map(\.picture), storedAs: format, options)
    for (index, (step, stepLosses)) in zip(traced, allLosses).enumerated() {
      let isLast = index == steps.count - 1
      var losses = stepLosses.filter { !known.contains($0.kind) }
      known.formUnion(losses.map(\.kind))
      let clippings = search.steps(addedBy: step.picture)
      let kept = isLast ? clippings.last?.kept : nil
      let part = options.part(index, of: steps.count)
      let parts = 1 + clippings.count
      var extents = try step.picture.lossExtents(
        by: losses.map { LossTest($0.kind, clipping: $0.kind == .chroma ? kept : nil) },
        since: before, options: part.part(0, of: parts))
      for (loss, extent) in zip(losses, extents) where extent?.affectedPixelCount != 0 {
        measured.insert(loss.kind)
      }
      for (place, clipping) in clippings.enumerated() {
        let kinds = [ColorLoss.Kind.headroom, .gamut].filter { !measured.contains($0) }
        let options = part.part(1 + place, of: parts)
        for (loss, extent) in try clipping.losses(of: kinds, options: options) {
          known.insert(loss.kind)
          measured.insert(loss.kind)
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

  /// Returns the losses on the way to each picture of a pipeline, the last one of which is stored in a format.
  ///
  /// One plan computes the pixels of all pictures. A tag stands in a plan at the step whose values it concerns, which pictures before the tag
  /// share; so each picture has a plan of its own for tags, of which nothing is computed.
  private static func colorLosses(
    of pictures: [Picture], storedAs format: SampleFormat, _ options: RenderOptions
  ) throws(RenderError) -> [[ColorLoss]] {
    let stored = pictures.map(\.storedForm)
    let formats = pictures.indices.map { $0 == pictures.count - 1 ? format : .float32 }
    var losses = try Plan(stored, options: options).tracedLosses(storedAs: formats, options)
    for (index, picture) in stored.enumerated() {
      if let lostTag = try Plan([picture], options: options).firstLostTag {
        losses[index].append(lostTag)
      }
    }
    return losses
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

  /// Measures the pixels that each of some losses concerns, in one rendering; nil where this picture has another size than `original`.
  fileprivate func lossExtents(
    by tests: [LossTest], since original: Picture, options: RenderOptions
  ) throws(RenderError) -> [LossExtent?] {
    guard !tests.isEmpty, size == original.size, !isEndless else { return tests.map { _ in nil } }
    let corner = region.origin
    let (a, b) = (original.placed(at: .zero), placed(at: .zero))
    let tally = ExtentTally(by: tests, in: a)
    try Picture.renderBands(
      [b.difference(from: a), b.difference(from: a, by: .itp), a.converted(to: a.space.linear)],
      as: Float.self, options: options
    ) { picture, firstRow, band in
      tally.add(band, of: picture, at: firstRow)
    }
    return tally.extents(from: corner)
  }
}

extension ClippingStep {
  /// Measures the losses of headroom and gamut at this step. A kind of which it clips no pixel is left out.
  fileprivate func losses(
    of kinds: [ColorLoss.Kind], options: RenderOptions
  ) throws(RenderError) -> [(ColorLoss, LossExtent)] {
    let tests = kinds.map { LossTest($0, clipping: kept) }
    let extents = try after.lossExtents(by: tests, since: before, options: options)
    var found: [(ColorLoss, LossExtent)] = []
    for (kind, extent) in zip(kinds, extents) {
      guard let extent, let worst = extent.worst else { continue }
      let (old, new) = (try before.light(at: worst, options), try after.light(at: worst, options))
      found.append((ColorLoss(kind: kind, step: name, before: [old], after: [new]), extent))
    }
    return found
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

/// A test for the pixels that a loss may concern.
private struct LossTest {
  let kind: ColorLoss.Kind
  /// Where only pixels count that are clipped: the range of linear values that is kept.
  let clipping: KeptRange?

  init(_ kind: ColorLoss.Kind, clipping: KeptRange?) {
    (self.kind, self.clipping) = (kind, clipping)
  }

  /// Returns for each pixel whether it has a color or a value of the kind that is lost.
  func flags(_ pixels: PixelRow, sRGB: GamutBoundary) -> [Bool] {
    var flags = [Bool](repeating: false, count: pixels.count)
    if let clipping {
      for x in flags.indices where pixels.alpha(x) > 0 {
        let light = clipping.channels(of: SIMD3<Double>(pixels.color(x)))
        let (isBright, isNegative) = (
          light.max() > clipping.values.upperBound, light.min() < clipping.values.lowerBound
        )
        let isClipped =
          kind == .headroom ? isBright : kind == .gamut ? isNegative : isBright || isNegative
        if isClipped { flags[x] = true }
      }
      return flags
    }
    if kind == .gamut {
      sRGB.judge(pixels) { x, isOutside in
        if isOutside && pixels.alpha(x) > 0 { flags[x] = true }
      }
      return flags
    }
    for x in flags.indices {
      let (light, alpha) = (pixels.color(x), pixels.alpha(x))
      flags[x] =
        switch kind {
        case .headroom: light.max() > 1
        case .alpha: alpha < 1
        // Clipped values are counted by other kinds.
        case .precision: light.min() >= 0 && light.max() <= 1
        default: true
        }
    }
    return flags
  }
}

/// Joins the rows of three pictures: two color differences in hundreds, and the linear light before the step.
private final class ExtentTally: Sendable {
  /// The parts of a row that have been rendered so far.
  private struct Row {
    var deltaE2000, deltaITP: [Float]?
    /// For each loss, whether each pixel has what is lost.
    var flags: [[Bool]]?
  }

  /// The pixels that one loss concerns.
  private struct Count {
    var pixels = 0
    var sums = SIMD2<Double>.zero
    var largest = SIMD2<Double>.zero
    var worst: Offset?
  }

  private struct State {
    /// Rows still missing from one of the three pictures.
    var rows: [Int: Row] = [:]
    /// One for each loss.
    var counts: [Count]
  }

  private let tests: [LossTest]
  private let size: PixelSize
  private let sRGB: GamutBoundary
  private let state: Mutex<State>

  /// Counts what a step takes from `original`.
  init(by tests: [LossTest], in original: Picture) {
    (self.tests, size) = (tests, original.size)
    sRGB = GamutBoundary(
      of: .sRGB, from: original.space, nil, .light, original.sourcePrecisions)
    state = Mutex(State(counts: tests.map { _ in Count() }))
  }

  /// Adds rows of one of the pictures. Their bands have different heights.
  func add(_ band: Bitmap<Float>, of picture: Int, at firstRow: Int) {
    let channels = band.channels.count
    for y in 0..<band.size.height {
      band.withUnsafeRow(y) { samples in
        if picture == 2 {
          guard let pixels = PixelRow(samples, channels: channels) else { return }
          let flags = tests.map { $0.flags(pixels, sRGB: sRGB) }
          return change(firstRow + y) { $0.flags = flags }
        }
        let delta = stride(from: 0, to: samples.count, by: channels).map { samples[$0] * 100 }
        change(firstRow + y) { row in
          if picture == 0 { row.deltaE2000 = delta } else { row.deltaITP = delta }
        }
      }
    }
  }

  /// Changes a row, and counts it where it has come of all three pictures.
  private func change(_ y: Int, _ body: (inout Row) -> Void) {
    state.withLock { state in
      body(&state.rows[y, default: Row()])
      guard let row = state.rows[y], let deltaE2000 = row.deltaE2000,
        let deltaITP = row.deltaITP, let flags = row.flags
      else { return }
      state.rows[y] = nil
      for index in tests.indices {
        for x in flags[index].indices where flags[index][x] {
          let moved = SIMD2(Double(deltaE2000[x]), Double(deltaITP[x]))
          count(moved, at: Offset(x, y), by: tests[index], in: &state.counts[index])
        }
      }
    }
  }

  /// Counts a pixel whose color moved by the differences `moved`.
  private func count(
    _ moved: SIMD2<Double>, at place: Offset, by test: LossTest, in count: inout Count
  ) {
    guard test.kind == .alpha || moved.x > Self.rounding || !moved.x.isFinite else { return }
    count.pixels += 1
    count.sums += moved
    if moved.x > count.largest.x || count.worst == nil { count.worst = place }
    count.largest = pointwiseMax(count.largest, moved)
  }

  /// A difference that single precision does not explain: Lab has some 1e-5 of rounding, which the formula's roots enlarge.
  private static let rounding = 1e-3

  func extents(from corner: Offset) -> [LossExtent] {
    state.withLock(\.counts).map { count in
      let pixels = Double(max(count.pixels, 1))
      func difference(_ index: Int) -> LossExtent.Difference {
        LossExtent.Difference(mean: count.sums[index] / pixels, maximum: count.largest[index])
      }
      return LossExtent(
        affectedPixelCount: count.pixels, pixelCount: size.pixelCount,
        deltaE2000: difference(0), deltaITP: difference(1), worst: count.worst.map { corner + $0 })
    }
  }
}

extension LossExtent: CustomStringConvertible {
  /// How many pixels, and how far their colors moved.
  public var description: String {
    guard let worst else { return "none of the picture's pixels" }
    let share = Double(affectedPixelCount) / Double(pixelCount)
    return "\(affectedPixelCount) of \(pixelCount) pixels (\(percent(share)) %), "
      + "ΔE2000 \(rounded(deltaE2000.mean)) on average and at most "
      + "\(rounded(deltaE2000.maximum)) at (\(worst.x), \(worst.y)), "
      + "ΔE ITP at most \(rounded(deltaITP.maximum))"
  }

  private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
