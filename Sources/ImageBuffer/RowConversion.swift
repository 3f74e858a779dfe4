internal import CPixelKernels

/// Converts rows between bitmaps of different sample formats, channels and alpha. It uses the kernels' loads and
/// stores, so that the results equal those of rendering.
package struct RowConversion {
  /// Up to three channels and alpha that are converted together. Channels without a source become 1.
  private struct Pass {
    var source: [Int?]
    var target: [Int?]
    var sourceAlpha: Int?
    var targetAlpha: Int?
    /// The kernels' constant for the conversion of alpha; nil for none.
    var stage: Int?
  }

  private let width: Int
  private let isPremultiplied: Bool
  private var passes: [Pass] = []
  private var dither: DitheredRows?
  /// A row in single precision, for dithering.
  private var unrounded: BitmapSurface?

  /// Creates a conversion to samples of `format` and other channels; with `onlyColors`, of colors and alpha alone.
  package init(
    from source: Channels, _ sourceAlpha: Alpha, to target: Channels, _ targetAlpha: Alpha,
    format: SampleFormat, width: Int, dither: Dither?, onlyColors: Bool = false
  ) throws(BitmapError) {
    self.width = width
    isPremultiplied = target.hasAlpha && targetAlpha == .premultiplied
    if let dither, let steps = dither.steps(for: format) {
      self.dither = DitheredRows(
        dither, steps: steps, width: width, channelCount: target.count)
      unrounded = try BitmapSurface(
        uninitialized: PixelSize(width, 1), channels: .rgba, format: .float32, arrangement: .planar)
    }
    var covered: [(source: Int?, target: Int)] = []
    var others = covered
    for (index, role) in target.roles.enumerated() where role != .alpha {
      if onlyColors, !role.isCovered { continue }
      let origin = try source.index(for: role)
      if role.isCovered { covered.append((origin, index)) } else { others.append((origin, index)) }
    }
    let alphas = (source.roles.firstIndex(of: .alpha), target.roles.firstIndex(of: .alpha))
    let wasPremultiplied = source.hasAlpha && sourceAlpha == .premultiplied
    let stage =
      wasPremultiplied == isPremultiplied
      ? nil : wasPremultiplied ? CPK_UNPREMULTIPLY : CPK_PREMULTIPLY
    for part in covered.inThrees(atLeastOne: alphas.1 != nil) {
      passes.append(
        Pass(
          source: part.map { $0?.source }, target: part.map { $0?.target }, sourceAlpha: alphas.0,
          targetAlpha: alphas.1, stage: stage))
    }
    for part in others.inThrees(atLeastOne: false) {
      passes.append(Pass(source: part.map { $0?.source }, target: part.map { $0?.target }))
    }
  }

  /// Converts a row. With error diffusion rows must come in order.
  package mutating func convert(
    _ source: BitmapSurface, row from: Int, to target: BitmapSurface, row to: Int
  ) {
    for pass in passes {
      let (s, t) = (pass.source, pass.target)
      let source = source.row(from, from: 0, s[0], s[1], s[2], alpha: pass.sourceAlpha)
      let target = target.row(to, from: 0, t[0], t[1], t[2], alpha: pass.targetAlpha)
      if dither == nil {
        run(source, target, pass.stage)
      } else {
        convert(source, target, pass, y: to)
      }
    }
  }

  private mutating func convert(
    _ source: cpk_surface, _ target: cpk_surface, _ pass: Pass, y: Int
  ) {
    guard let unrounded, let (base, _, plane) = unrounded.planarFloats else {
      preconditionFailure("A conversion with a dither has a row of floats.")
    }
    func floats(_ index: Int) -> UnsafeMutableBufferPointer<Float> {
      UnsafeMutableBufferPointer(start: base + index * plane, count: width)
    }
    run(source, unrounded.row(0, from: 0), pass.stage)
    // On the stack: rows allocate nothing.
    withUnsafeTemporaryAllocation(of: DitheredRows.Row.self, capacity: 3) { rows in
      var count = 0
      for (index, channel) in pass.target.enumerated() {
        guard let channel, pass.source[index] != nil else { continue }
        rows.initializeElement(at: count, to: (channel, floats(index)))
        count += 1
      }
      dither?.round(
        UnsafeBufferPointer(rebasing: rows[..<count]), y: y,
        notAbove: isPremultiplied && pass.targetAlpha != nil ? floats(3) : nil)
    }
    if pass.targetAlpha != nil { dither?.roundAlpha(floats(3)) }
    run(unrounded.row(0, from: 0), target, nil)
  }

  private func run(_ source: cpk_surface, _ target: cpk_surface, _ stage: Int?) {
    withUnsafePointer(to: source) { source in
      withUnsafePointer(to: target) { target in
        withUnsafePointer(to: cpk_stage(kind: Int32(stage ?? 0), first: 0, count: 0, payload: nil))
        { stages in
          cpk_active().pointee.run(source, target, stages, stage == nil ? 0 : 1, width, 0, 0)
        }
      }
    }
  }
}

extension Channels {
  /// The index of the channel for a role; nil for channels that are filled with ones.
  fileprivate func index(for role: Role) throws(BitmapError) -> Int? {
    if role == .unused { return nil }
    if let same = roles.firstIndex(of: role) { return same }
    if [.red, .green, .blue].contains(role), let gray = roles.firstIndex(of: .gray) { return gray }
    throw .noChannel(role, in: self)
  }
}

extension Array {
  /// The elements in groups of three, padded with nil.
  fileprivate func inThrees(atLeastOne: Bool) -> [[Element?]] {
    let end = isEmpty && atLeastOne ? 1 : count
    return stride(from: 0, to: end, by: 3).map { first in
      (first..<first + 3).map { $0 < count ? self[$0] : nil }
    }
  }
}
