internal import ColorSpaces
public import FilterGraph
internal import ImageBuffer
public import Testing

/// What every filter must obey. One line in a test checks all of it.
public enum FilterLaws {
  /// Checks a filter that changes each pixel by itself. `identity` is the same filter with parameters that change nothing.
  public static func check<Filter: PointFilter>(
    _ filter: Filter, identity: Filter? = nil, tolerance: Double = 4e-6,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let laws = Laws(
      name: "\(filter)", location: sourceLocation, apply: { $0.applying(filter) },
      tolerance: tolerance, reach: { region, _ in region })
    try laws.check(identity: identity.map { identity in { $0.applying(identity) } })
  }

  /// Checks a filter whose pixels depend on their neighbours.
  public static func check<Filter: AreaFilter>(
    _ filter: Filter, identity: Filter? = nil, tolerance: Double = 4e-6,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let laws = Laws(
      name: "\(filter)", location: sourceLocation, apply: { $0.applying(filter) },
      tolerance: tolerance, reach: { filter.inputRegion(for: $0, of: $1) })
    try laws.check(identity: identity.map { identity in { $0.applying(identity) } })
  }
  /// Checks a filter that makes one picture of `inputs` others.
  public static func check<Filter: BlendFilter>(
    _ filter: Filter, inputs: Int = 2, tolerance: Double = 4e-6,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // The others are other pictures, elsewhere, of other sizes.
    let others = (1..<inputs).map { index in
      Picture(
        TestPictures.floats(PixelSize(37 + index, 11), channels: index % 2 == 0 ? .rgb : .rgba)
      )
      .moved(by: Offset(-index, -index))
    }
    let laws = Laws(
      name: "\(filter)", location: sourceLocation,
      apply: { $0.applying(filter, with: others).placed(at: .zero) },
      tolerance: tolerance,
      reach: { region, _ in
        let first = Region(PixelSize(41, 23))
        let corner = filter.extent.region(of: [first] + others.map(\.region)).origin
        return region.moved(by: corner)
      })
    try laws.check(identity: nil)
  }

  /// Checks a painter.
  public static func check<Filter: Painter>(
    _ painter: Filter, tolerance: Double = 4e-6,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let laws = Laws(
      name: "\(painter)", location: sourceLocation,
      apply: { source in
        let picture = Picture(painter, in: source.space)
        return picture.isEndless
          ? picture.cropped(to: source.region.moved(by: Offset(-3, -2))) : picture
      },
      tolerance: tolerance, reach: { region, _ in region })
    try laws.check(identity: nil)
  }
}

private struct Laws {
  let name: String
  let location: SourceLocation
  let apply: (Picture) -> Picture
  let tolerance: Double
  let reach: (Region, PixelSize) -> Region

  func check(identity: ((Picture) -> Picture)?) throws {
    for channels in [Channels.rgba, .rgb] {
      for size in [PixelSize(271, 19), PixelSize(5, 3), PixelSize(1, 1)] {
        let source = TestPictures.floats(size, channels: channels)
        try isReference(source)
        try isTileIndependent(source)
        try isFusionIndependent(source)
        try isArrangementIndependent(source)
        if let identity { try isIdentity(identity, source) }
      }
    }
    try isReference(TestPictures.codes(as: UInt8.self))
    try containsNaN()
  }

  /// Tiled, fused and in single precision is what the reference says, within the tolerance.
  ///
  /// 4·10⁻⁶ of the value, or of 1 where it is smaller: six curves of 4 ulp each (2.4·10⁻⁷), and as much again for a filter's own
  /// slope. Steeper filters say so. Dividing by coverage enlarges an error by as much as the color.
  func isReference<Sample: PixelSample>(_ source: Bitmap<Sample>) throws {
    let picture = apply(Picture(source))
    let tiled = try picture.render(as: Float.self)
    let reference = try ReferenceEvaluator().render(picture)
    for y in 0..<picture.size.height {
      for x in 0..<picture.size.width {
        for channel in 0..<tiled.channels.count {
          let (value, expected) = (Double(tiled[x, y, channel]), reference[x, y][channel])
          let coverage = max(min(abs(reference[x, y].w), 1), 1e-9)
          guard abs(value - expected) <= tolerance * max(1, abs(expected)) / coverage else {
            fail("(\(x), \(y)) channel \(channel) is \(value), the reference says \(expected)")
            return
          }
        }
      }
    }
  }

  func isTileIndependent(_ source: Bitmap<Float>) throws {
    let picture = apply(Picture(source))
    let whole = try render(picture, tile: picture.size, threads: 1)
    for side in [1, 7, 37, 256] {
      for threads in [1, 2] {
        let tiled = try render(picture, tile: PixelSize(side, side), threads: threads)
        expectIdentical(tiled, whole, "in tiles of \(side) on \(threads) threads")
      }
    }
    expectIdentical(try picture.render(), whole, "in the plan's own tiles")
  }

  func isFusionIndependent(_ source: Bitmap<Float>) throws {
    let picture = apply(Picture(source))
    let fused = try render(picture, fusion: .withoutLaws)
    expectIdentical(try render(picture, fusion: .stageByStage), fused, "stage by stage")
    let lawful = try render(picture, fusion: .full)
    for y in 0..<fused.size.height {
      for x in 0..<fused.size.width where fused.channels == .rgb || fused[x, y, 3] > 0 {
        for channel in 0..<fused.channels.count {
          let (a, b) = (Double(lawful[x, y, channel]), Double(fused[x, y, channel]))
          let coverage = fused.channels == .rgba ? Double(min(fused[x, y, 3], 1)) : 1
          if abs(a - b) > tolerance * max(1, abs(b)) / coverage {
            return fail("the laws change (\(x), \(y)) channel \(channel) from \(b) to \(a)")
          }
        }
      }
    }
  }

  func isArrangementIndependent(_ source: Bitmap<Float>) throws {
    let expected = try apply(Picture(source)).render(as: Float.self)
    let planar = apply(Picture(source.rearranged(.planar)))
    expectIdentical(try planar.render(arrangement: .planar), expected, "in planes")
  }

  func isIdentity(_ identity: (Picture) -> Picture, _ source: Bitmap<Float>) throws {
    expectIdentical(
      try identity(Picture(source)).render(), try Picture(source).render(),
      "with parameters that change nothing")
  }

  /// A NaN stays where it was, or within the declared reach.
  func containsNaN() throws {
    let size = PixelSize(41, 23)
    var source = TestPictures.floats(size)
    let clean = try apply(Picture(source)).render(as: Float.self)
    source[20, 11, 1] = .nan
    let result = try apply(Picture(source)).render(as: Float.self)
    for y in 0..<result.size.height {
      for x in 0..<result.size.width {
        let seen = reach(Region(x: x, y: y, width: 1, height: 1), size)
        if seen.columns.contains(20), seen.rows.contains(11) { continue }
        for channel in 0..<result.channels.count where result[x, y, channel] != clean[x, y, channel]
        {
          return fail("a NaN at (20, 11) changes (\(x), \(y)) channel \(channel), out of its reach")
        }
      }
    }
  }

  private func render(
    _ picture: Picture, tile: PixelSize? = nil, threads: Int? = nil,
    fusion: RenderOptions.Fusion = .full
  ) throws -> Bitmap<Float> {
    var options = RenderOptions()
    (options.tile, options.threads, options.fusion) = (tile, threads, fusion)
    return try picture.render(options: options)
  }

  private func expectIdentical(_ a: Bitmap<Float>, _ b: Bitmap<Float>, _ what: String) {
    if let difference = a.firstDifference(from: b) { fail("\(what): \(difference)") }
  }

  private func fail(_ what: String) {
    Issue.record("\(name): \(what)", sourceLocation: location)
  }
}
