internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// The laws that are checked by rendering pictures through a filter.
struct PictureLaws {
  let name: String
  let domain: PixelDomain
  let tolerance: Double
  let except: Set<FilterLaw>
  /// Whether a constant alpha must be preserved.
  var evenAlphaStays = true
  let apply: (Picture) -> Picture
  /// The region of the picture that a region of the result depends on.
  let reach: (Region, PixelSize) -> Region
  /// The result beside even pictures of a value; nil for filters of one picture.
  var applyBeside: ((Picture, Float) -> Picture)?

  func violations(
    identity: ((Picture) -> Picture)?, equal: ((Picture) -> Picture)?
  ) -> [FilterViolation] {
    var found: [FilterViolation] = []
    func check(_ law: FilterLaw, _ difference: () throws(RenderError) -> String?) {
      if except.contains(law) || found.contains(where: { $0.law == law }) { return }
      do throws(RenderError) {
        guard let difference = try difference() else { return }
        found.append(FilterViolation(law: law, description: "\(name): \(difference)"))
      } catch {
        if found.contains(where: { $0.law == .renders }) || except.contains(.renders) { return }
        found.append(FilterViolation(law: .renders, description: "\(name): \(error)"))
      }
    }
    for channels in [Channels.rgba, .rgb] {
      for size in [PixelSize(271, 19), PixelSize(5, 3), PixelSize(1, 1)] {
        let source = TestPictures.floats(size, channels: channels)
        check(.meaning) { () throws(RenderError) in try differenceFromMeaning(source) }
        check(.tiles) { () throws(RenderError) in try differenceOfTiles(source) }
        check(.threads) { () throws(RenderError) in try differenceOfThreads(source) }
        check(.fusion) { () throws(RenderError) in try differenceOfFusion(source) }
        check(.storage) { () throws(RenderError) in try differenceOfStorage(source) }
        if let identity {
          check(.identity) { () throws(RenderError) in
            try identity(Picture(source)).render(as: Float.self)
              .firstDifference(from: Picture(source).render())
          }
        }
        if let equal {
          check(.equality) { () throws(RenderError) in
            try equal(Picture(source)).render(as: Float.self)
              .firstDifference(from: apply(Picture(source)).render())
              .map { "is equal to a filter that does something else: \($0)" }
          }
        }
      }
    }
    check(.meaning) { () throws(RenderError) in
      try differenceFromMeaning(TestPictures.codes(as: UInt8.self))
    }
    check(.containment) { () throws(RenderError) in try originOfNaN() }
    check(.containment) { () throws(RenderError) in try spreadOfNaN() }
    check(.range) { () throws(RenderError) in try clamping() }
    check(.alpha) { () throws(RenderError) in try lossOfAlpha() }
    return found
  }

  /// Compares the tiled, fused, single-precision result with the reference.
  private func differenceFromMeaning<Sample: PixelSample>(
    _ source: Bitmap<Sample>
  ) throws(RenderError) -> String? {
    let picture = apply(Picture(source))
    let tiled = try picture.render(as: Float.self)
    let reference = try ReferenceEvaluator().render(picture)
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width {
        for channel in 0..<tiled.channels.count {
          let (value, expected) = (Double(tiled[x, y, channel]), reference[x, y][channel])
          let allowed = tolerance(ofChannel: channel, alpha: reference[x, y].w)
          guard agrees(value, with: expected, within: allowed) else {
            return "(\(x), \(y)) channel \(channel) is \(text(value)), the reference says "
              + text(expected)
          }
        }
      }
    }
    return nil
  }

  private func differenceOfTiles(_ source: Bitmap<Float>) throws(RenderError) -> String? {
    let picture = apply(Picture(source))
    let whole = try render(picture, tile: picture.size, threads: 1)
    for side in [1, 7, 37, 256] {
      let tiled = try render(picture, tile: PixelSize(side, side), threads: 1)
      if let difference = tiled.firstDifference(from: whole) {
        return "in tiles of \(side): \(difference)"
      }
    }
    return try picture.render().firstDifference(from: whole).map {
      "in the plan's own tiles: \($0)"
    }
  }

  private func differenceOfThreads(_ source: Bitmap<Float>) throws(RenderError) -> String? {
    let picture = apply(Picture(source))
    let tile = PixelSize(16, 7)
    let first = try render(picture, tile: tile, threads: 1)
    for threads in [1, 2, 4] {
      let again = try render(picture, tile: tile, threads: threads)
      if let difference = again.firstDifference(from: first) {
        return "on \(threads) threads, after one: \(difference)"
      }
    }
    return nil
  }

  private func differenceOfFusion(_ source: Bitmap<Float>) throws(RenderError) -> String? {
    let picture = apply(Picture(source))
    let fused = try render(picture, fusion: .withoutLaws)
    let stageByStage = try render(picture, fusion: .stageByStage)
    if let difference = stageByStage.firstDifference(from: fused) {
      return "stage by stage: \(difference)"
    }
    return try difference(of: render(picture, fusion: .full), from: fused)
      .map { "the laws change it: \($0)" }
  }

  private func differenceOfStorage(_ source: Bitmap<Float>) throws(RenderError) -> String? {
    let expected = try apply(Picture(source)).render(as: Float.self)
    let planes = try apply(Picture(source.rearranged(.planar)))
      .render(as: Float.self, arrangement: .planar)
    if let difference = planes.firstDifference(from: expected) { return "in planes: \(difference)" }

    // Transparent pixels have no color once they are premultiplied.
    var source = source
    if source.channels.hasAlpha {
      for y in 0..<source.size.height {
        for x in 0..<source.size.width { source[x, y, 3] = max(source[x, y, 3], 0.25) }
      }
    }
    let covered = try apply(Picture(source)).render(as: Float.self)
    func stored(in space: ColorSpace, _ alpha: Alpha) throws(RenderError) -> String? {
      var other = Bitmap<Float>(
        source.size, in: space, channels: source.channels, alpha: alpha)
      try Picture(source).render(into: &other)
      let result = apply(Picture(other)).converted(to: covered.space)
      return try difference(of: result.render(), from: covered)
    }
    if source.channels.hasAlpha, let difference = try stored(in: source.space, .premultiplied) {
      return "of a premultiplied picture: \(difference)"
    }
    // Encoded values differ from linear ones, by design.
    if domain.isEncoded { return nil }
    return try stored(in: source.space.linear, .straight).map { "of linear light: \($0)" }
  }

  /// The size of the picture in which a NaN must stay within the declared reach.
  static let sizeForNaN = PixelSize(41, 23)

  private func spreadOfNaN() throws(RenderError) -> String? {
    var source = TestPictures.floats(Self.sizeForNaN)
    let clean = try apply(Picture(source)).render(as: Float.self)
    source[20, 11, 1] = .nan
    let result = try apply(Picture(source)).render(as: Float.self)
    for y in 0..<result.size.height {
      for x in 0..<result.size.width {
        let seen = reach(Region(x: x, y: y, width: 1, height: 1), Self.sizeForNaN)
        if seen.columns.contains(20), seen.rows.contains(11) { continue }
        for channel in 0..<result.channels.count where result[x, y, channel] != clean[x, y, channel]
        {
          return "a NaN at (20, 11) changes (\(x), \(y)) channel \(channel), out of its reach"
        }
      }
    }
    return nil
  }

  /// Checks that no finite color becomes NaN, inside or outside of 0…1.
  private func originOfNaN() throws(RenderError) -> String? {
    let sources = [Channels.rgb, .rgba].map { TestPictures.floats(Self.sizeForNaN, channels: $0) }
    for source in sources + [sources[0].scaled(by: 4), sources[0].scaled(by: -4)] {
      let result = try apply(Picture(source)).render(as: Float.self)
      for y in 0..<result.size.height {
        for x in 0..<result.size.width {
          for channel in 0..<result.channels.count where result[x, y, channel].isNaN {
            return "makes NaN of finite colors, at (\(x), \(y)) channel \(channel)"
          }
        }
      }
    }
    return nil
  }

  /// Checks that grays, and colors that differ in one channel, stay distinct beyond 0…1 in every channel in which they
  /// do inside.
  ///
  /// Beside other pictures, which are even, a bound that moves with their values is not a clamp: the lesser of two values is one of them.
  private func clamping() throws(RenderError) -> String? {
    guard let applyBeside else { return try bounds(of: apply).first?.description }
    for value: Float in [0.25, 0.5, 0.75] {
      let found = try bounds { applyBeside($0, value) }
      if found.isEmpty { continue }
      let others = try bounds { applyBeside($0, value * (31 / 32)) }
      guard let clamp = found.first(where: { bound in others.contains { $0.isSame(as: bound) } })
      else { continue }
      return "\(clamp.description), beside pictures of \(value)"
    }
    return nil
  }

  /// A value that different colors become.
  private struct Bound {
    let source: String
    let values: [Float]
    let channel: Int
    let result: Float

    func isSame(as other: Bound) -> Bool {
      source == other.source && values == other.values && channel == other.channel
        && areEqual([result, other.result])
    }

    var description: String {
      "\(source) of \(values) always becomes \(["red", "green", "blue"][channel]) of \(result): it clamps"
    }
  }

  /// Returns the values that colors beyond 0…1 have in common in a channel in which those inside differ.
  private func bounds(of apply: (Picture) -> Picture) throws(RenderError) -> [Bound] {
    let directions: [(name: String, change: SIMD3<Float>)] = [
      ("gray", [1, 1, 1]), ("red", [1, 0, 0]), ("green", [0, 1, 0]), ("blue", [0, 0, 1]),
    ]
    var found: [Bound] = []
    for (name, change) in directions {
      func results(_ values: [Float]) throws(RenderError) -> [[Float]] {
        try values.map { value throws(RenderError) in
          try middle(of: SIMD3(repeating: 0.5) + (value - 0.5) * change, by: apply)
        }
      }
      let between = try results([0.375, 0.5, 0.625])
      for values: [Float] in [[1, 1.25, 1.5], [4, 5, 6], [0, -0.25, -0.5], [-4, -5, -6]] {
        let beyond = try results(values)
        for channel in 0..<3 {
          let (dark, middle, bright) = (
            between[0][channel], between[1][channel], between[2][channel]
          )
          if dark == middle || middle == bright { continue }
          let result = beyond[0][channel]
          guard areEqual(beyond.map { $0[channel] }) else { continue }
          // A filter may leave colors beyond 0…1 alone, so channels that do not change inside are not compared.
          if change[channel] == 0, abs(result - 0.5) < 1e-4 { continue }
          found.append(Bound(source: name, values: values, channel: channel, result: result))
        }
      }
    }
    return found
  }

  /// Returns the pixel in the middle of a rendered picture of one color.
  private func middle(
    of color: SIMD3<Float>, by apply: (Picture) -> Picture
  ) throws(RenderError) -> [Float] {
    let picture = apply(TestPictures.even(color))
    let middle = Region(
      x: picture.size.width / 2, y: picture.size.height / 2, width: 1, height: 1)
    return try picture.cropped(to: middle.moved(by: picture.region.origin)).render().row(0)
  }

  private func lossOfAlpha() throws(RenderError) -> String? {
    let size = PixelSize(33, 33)
    guard evenAlphaStays else { return nil }
    let even = Bitmap<Float>(size, in: .displayP3) { _, _ in [0.25, 0.5, 0.75, 0.5] }
    let result = try apply(Picture(even)).render(as: Float.self)
    let (x, y) = (result.size.width / 2, result.size.height / 2)
    let alpha = result.channels.hasAlpha ? Double(result[x, y, 3]) : 1
    return abs(alpha - 0.5) <= tolerance
      ? nil : "an even alpha of 0.5 becomes \(alpha)"
  }

  /// Returns the tolerance of a channel in a pixel of an alpha. Division by alpha amplifies the error of the color, and
  /// makes that of transparent pixels arbitrary; alpha itself is divided by nothing.
  private func tolerance(ofChannel channel: Int, alpha: Double) -> Double {
    channel == 3 ? tolerance : tolerance / max(min(1, abs(alpha)), 1e-9)
  }

  /// Describes the first difference above the tolerance.
  private func difference(of a: Bitmap<Float>, from b: Bitmap<Float>) -> String? {
    if a.size != b.size || a.channels != b.channels { return a.firstDifference(from: b) }
    for y in 0..<b.size.height {
      for x in 0..<b.size.width {
        let alpha = b.channels == .rgba ? Double(b[x, y, 3]) : 1
        for channel in 0..<b.channels.count where channel == 3 || alpha != 0 {
          let (value, expected) = (Double(a[x, y, channel]), Double(b[x, y, channel]))
          let allowed = tolerance(ofChannel: channel, alpha: alpha)
          guard agrees(value, with: expected, within: allowed) else {
            return "(\(x), \(y)) channel \(channel) is \(text(value)) instead of "
              + text(expected)
          }
        }
      }
    }
    return nil
  }

  private func render(
    _ picture: Picture, tile: PixelSize? = nil, threads: Int? = nil,
    fusion: RenderOptions.Fusion = .full
  ) throws(RenderError) -> Bitmap<Float> {
    var options = RenderOptions()
    (options.tile, options.threads, options.fusion) = (tile, threads, fusion)
    return try picture.render(options: options)
  }
}

/// Whether a value differs from the expected one by no more than a tolerance, which is relative to values above 1.
///
/// Two NaNs agree; another law decides whether a NaN may occur.
func agrees(_ value: Double, with expected: Double, within tolerance: Double) -> Bool {
  if value == expected || value.isNaN && expected.isNaN { return true }
  // A tolerance relative to an infinite value would allow every number.
  return expected.isFinite && abs(value - expected) <= tolerance * max(1, abs(expected))
}

/// Whether values differ by no more than rounding does.
private func areEqual(_ values: [Float]) -> Bool {
  values.allSatisfy { abs($0 - values[0]) <= 1e-6 * max(1, abs(values[0])) }
}

/// A value in a sentence: NaN is printed without its sign.
func text(_ value: Double) -> String { value.isNaN ? "NaN" : "\(value)" }

extension Bitmap<Float> {
  /// The same bitmap with each sample multiplied.
  fileprivate func scaled(by factor: Float) -> Bitmap {
    Bitmap(size, in: space, channels: channels) { x, y in
      (0..<channels.count).map { factor * self[x, y, $0] }
    }
  }
}
