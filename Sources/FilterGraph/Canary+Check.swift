internal import ColorSpaces
public import ImageBuffer

extension Canary {
  /// What became of a canary.
  @nonexhaustive
  public enum Fate: String, Hashable, Sendable, CaseIterable {
    /// Its colors are as they were painted.
    case intact
    /// Its colors are as they were painted, and it lies on its side, upside down or mirrored.
    case turned
    /// The numbers are those of a wide space still, but nothing says so any more.
    case profileDropped
    /// It was converted to a space that cannot hold it, and nothing says to which.
    case convertedAndUntagged
    /// Something held the picture in a space that cannot hold it, such as sRGB.
    case clipped
    /// A tone curve changed the grays, and held the colors in sRGB.
    case toneCurveClamped
    /// The numbers of Display P3 were taken for those of another space: a profile was assigned where colors should be converted.
    case mistagged
    /// The colors were converted twice.
    case convertedTwice
    /// The channels are in another order.
    case channelsSwapped
    /// Everything is gray.
    case desaturated
    /// It is a canary still, but the colors are others: something changed them on the way.
    case changed
    /// It is something else, or a part of a canary.
    case notACanary
    /// It has so few pixels that colors run into each other, and nothing can be said.
    case tooSmall
  }

  /// What was found in a picture that once was a canary.
  public struct Verdict: Hashable, Sendable {
    /// What became of it.
    public let fate: Fate
    /// How far marks and fields of red, green and blue are apart, by CIEDE2000.
    public let contrasts: SIMD3<Double>
    /// How far they were when painted.
    public let paintedContrasts: SIMD3<Double>
  }

  /// From this size on ``check(_:isTagged:options:)`` always has something to say. In smaller pictures the sharpest resampling leaves halos
  /// in the middle of the grays.
  public static let leastSize = PixelSize(96, 32)

  /// Looks for the canary in a picture of any size and space.
  ///
  /// Below ``leastSize``, what happened is only said where it shows all the same.
  ///
  /// - Parameters:
  ///   - picture: What came out of a pipeline.
  ///   - isTagged: Whether it came with its space. Where it did not, its space here is nobody's word, and is not looked at.
  ///   - options: How to render.
  public static func check(
    _ picture: Picture, isTagged: Bool = true, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Verdict {
    let bitmap = try picture.render(as: Float.self, options: options)
    let space = isTagged ? picture.space : .displayP3
    let painted = Patches(
      colors(of: .displayP3) + colors(of: .sRGB) + grays, in: .displayP3)
    let readings = Orientation.allCases.map { orientation in
      (orientation, Patches(of: bitmap, lying: orientation, in: space))
    }
    let (orientation, found) = readings.first { $0.1.areArrangedAsPainted } ?? readings[0]
    let fate =
      isTagged ? fate(of: found, painted: painted) : fateUntagged(of: found, painted: painted)
    return Verdict(
      fate: fate == .intact && orientation != .upright ? .turned : fate,
      contrasts: found.contrasts, paintedContrasts: painted.contrasts)
  }

  /// What happened to numbers that came without a space.
  private static func fateUntagged(of found: Patches, painted: Patches) -> Fate {
    let wide: [ColorSpace] = [.displayP3, .rec2020, .adobeRGB, .proPhoto, .dciP3]
    if wide.contains(where: { found.tagged(as: $0).areClose(to: painted.converted(to: $0)) }) {
      return .profileDropped
    }
    let fate = fate(of: found.tagged(as: .sRGB), painted: painted)
    return fate == .clipped ? .convertedAndUntagged : fate
  }

  private static func fate(of found: Patches, painted: Patches) -> Fate {
    if found.areClose(to: painted) { return .intact }
    // Below six pixels none is the mark's alone.
    if found.side < 6 { return .tooSmall }
    let showsTones = found.showsTones
    guard found.areEven, found.haveFieldsInOrder || found.haveGraysInARow else {
      return showsTones ? .notACanary : .tooSmall
    }
    if found.areGray { return .desaturated }
    let space = found.space
    let mistaken = [space, .sRGB, .adobeRGB, .proPhoto, .rec2020].filter { $0 != .displayP3 }
    // A half of what was painted is far above the roundings of 8 bits, and far below what gamut mapping leaves.
    if all(found.fullContrasts .< painted.fullContrasts / 2) {
      let areGraysKept =
        found.hasGrays(of: painted)
        || mistaken.contains { found.hasGrays(of: painted.read(as: $0, in: space)) }
      return areGraysKept || !showsTones ? .clipped : .toneCurveClamped
    }
    // Halos look like some of what follows.
    if !showsTones { return .tooSmall }
    if mistaken.contains(where: { found.areClose(to: painted.read(as: $0, in: space)) }) {
      return .mistagged
    }
    let once = painted.converted(to: space)
    if found.areClose(to: once.read(as: .displayP3, in: space)) { return .convertedTwice }
    let orders = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    if orders.contains(where: { found.withChannels($0).areClose(to: once) }) {
      return .channelsSwapped
    }
    // Spaces that are wider than sRGB, and narrower than Display P3 in some corner, keep a part of the marks.
    let narrow = [space, .adobeRGB, .dciP3]
    if narrow.contains(where: { found.areClose(to: painted.converted(to: $0).clamped) }) {
      return .clipped
    }
    return .changed
  }

  /// The smaller side of a field, in pixels.
  fileprivate static func sideOfField(in size: PixelSize) -> Double {
    min(Double(size.width) / 3, Double(size.height) * heightOfFields)
  }

  /// The colors of fields, marks and grays, each at some places where neither resizing nor compression blurs them much.
  fileprivate static func samples(
    of bitmap: Bitmap<Float>, _ size: PixelSize, lying orientation: Orientation, reach: Int
  ) -> [[SIMD3<Double>]] {
    func sample(_ across: Double, _ down: Double) -> SIMD3<Double> {
      let (x, y) = (
        min(Int(across * Double(size.width)), size.width - 1),
        min(Int(down * Double(size.height)), size.height - 1)
      )
      let window = Region(x: x - reach, y: y - reach, width: 2 * reach + 1, height: 2 * reach + 1)
        .intersection(Region(size))
      let colors = window.rows.flatMap { y in
        window.columns.map { x in
          let place = orientation.inverse.uprightPosition(x: x, y: y, in: size)
          return SIMD3((0..<3).map { Double(bitmap[place.x, place.y, $0]) })
        }
      }
      return median(of: colors)
    }
    let places: [[(across: Double, down: Double)]] = [
      [0.2, 0.8].flatMap { down in [0.2, 0.8].map { ($0, down * heightOfFields) } },
      [(0.5, 0.5 * heightOfFields)],
      [0.3, 0.5, 0.7].map { ($0, (1 + heightOfFields) / 2) },
    ]
    return places.flatMap { places in
      (0..<3).map { field in
        places.map { sample((Double(field) + $0.across) / 3, $0.down) }
      }
    }
  }
}

/// The median of each channel.
private func median(of colors: [SIMD3<Double>]) -> SIMD3<Double> {
  SIMD3((0..<3).map { channel in colors.map { $0[channel] }.sorted()[colors.count / 2] })
}

/// The colors of three fields, of their marks and of the grays below, as a space stores them.
private struct Patches {
  var colors: [ColorPoint]
  var space: ColorSpace
  /// Whether each patch has one color.
  var areEven = true
  /// The smaller side of a field, in pixels.
  var side = Double.infinity

  init(_ numbers: [SIMD4<Double>], in space: ColorSpace) {
    colors = numbers.map { ColorPoint(SIMD3($0.x, $0.y, $0.z), in: space) }
    self.space = space
  }

  /// What a picture holds where a canary that lies like this has its patches.
  init(of bitmap: Bitmap<Float>, lying orientation: Orientation, in space: ColorSpace) {
    let size = orientation.uprightSize(of: bitmap.size)
    side = Canary.sideOfField(in: size)
    let samples = Canary.samples(
      of: bitmap, size, lying: orientation, reach: min(Int(side / 16), 4))
    colors = samples.map { ColorPoint(median(of: $0), in: space) }
    self.space = space
    // Fields and marks of red and green are 5 apart, two fields 40 or more. Halos leave up to 10.
    let limit: Double = showsTones ? 3 : 10
    areEven = zip(samples, colors).allSatisfy { places, median in
      places.allSatisfy { ColorDifference.ciede2000()(ColorPoint($0, in: space), median) <= limit }
    }
  }

  /// Whether there are pixels that no halo reaches.
  var showsTones: Bool { side >= Canary.sideOfField(in: Canary.leastSize) }

  var contrasts: SIMD3<Double> {
    SIMD3((0..<3).map { ColorDifference.ciede2000()(colors[$0], colors[$0 + 3]) })
  }

  /// The contrasts where each field were as bright as it can be, which no exposure changes.
  var fullContrasts: SIMD3<Double> {
    let light = converted(to: ColorSpace.displayP3.linear)
    return light.withColors { index, color in
      color / light.colors[index % 3].components.max()
    }.contrasts
  }

  /// Whether red, green and blue lie side by side above grays from dark to light.
  var areArrangedAsPainted: Bool {
    areEven && haveFieldsInOrder && haveGraysInARow && lightness(6) < lightness(8)
  }

  /// Whether the first field and its mark are rather red than anything else, the second green and the third blue, and what lies below
  /// them is much paler.
  var haveFieldsInOrder: Bool {
    let areInOrder = (0..<6).allSatisfy { index in
      let numbers = colors[index].converted(to: .displayP3).components
      return (0..<3).allSatisfy { $0 == index % 3 || numbers[$0] < numbers[index % 3] - 0.1 }
    }
    return areInOrder && (0..<3).allSatisfy { chroma($0 + 6) < chroma($0) / 2 }
  }

  /// Whether the last three are grays that become lighter, or darker, from one to the next.
  var haveGraysInARow: Bool {
    let steps = [lightness(7) - lightness(6), lightness(8) - lightness(7)]
    return (6..<9).allSatisfy(isGray)
      && (steps.allSatisfy { $0 > 0.02 } || steps.allSatisfy { $0 < -0.02 })
  }

  var areGray: Bool { colors.indices.allSatisfy(isGray) }

  /// Within what compression does to grays.
  private func isGray(_ index: Int) -> Bool { chroma(index) <= 0.02 }

  private func lightness(_ index: Int) -> Double {
    colors[index].converted(to: .oklch).components.x
  }

  private func chroma(_ index: Int) -> Double { colors[index].converted(to: .oklch).components.y }

  /// Within what 8 bits and a good compression change, where numbers may or may not have been held in 0…1.
  func areClose(to others: Patches) -> Bool {
    [others, others.clamped].contains { others in
      zip(colors, others.colors).allSatisfy { ColorDifference.ciede2000()($0, $1) <= 1 }
    }
  }

  /// The same for the grays alone.
  func hasGrays(of others: Patches) -> Bool {
    zip(colors, others.colors).suffix(3).allSatisfy { ColorDifference.ciede2000()($0, $1) <= 1 }
  }

  /// The numbers as those of another space.
  func tagged(as other: ColorSpace) -> Patches {
    var copy = self
    copy.space = other
    copy.colors = colors.map { ColorPoint($0.components, in: other) }
    return copy
  }

  /// The numbers taken for those of one space, and converted to another.
  func read(as mistaken: ColorSpace, in target: ColorSpace) -> Patches {
    tagged(as: mistaken).converted(to: target)
  }

  func converted(to target: ColorSpace) -> Patches {
    var copy = self
    copy.space = target
    copy.colors = colors.map { $0.converted(to: target) }
    return copy
  }

  /// The numbers held in 0…1.
  var clamped: Patches {
    withColors { $1.clamped(lowerBound: .zero, upperBound: .one) }
  }

  /// The channels in another order.
  func withChannels(_ order: [Int]) -> Patches {
    withColors { _, color in SIMD3(order.map { color[$0] }) }
  }

  private func withColors(_ change: (Int, SIMD3<Double>) -> SIMD3<Double>) -> Patches {
    var copy = self
    copy.colors = colors.enumerated().map { ColorPoint(change($0, $1.components), in: space) }
    return copy
  }
}
