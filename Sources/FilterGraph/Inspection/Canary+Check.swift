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

  /// From this size on ``check(_:isTagged:options:)`` always has something to say, also of a JPEG of quality 50 with shared chroma. In
  /// smaller pictures the sharpest resampling leaves halos in the middle of the grays.
  public static let leastSize = PixelSize(96, 32)

  /// Looks for the canary in a picture of any size and space.
  ///
  /// Colors are medians over the interiors of fields, marks and grays. They count as those painted within a CIEDE2000 difference of 1,
  /// and of more where the picture comes from a JPEG file, by its quantization tables (``ColorPrecision/compressionError``).
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
    let painted = CanaryPatches(
      colors(of: .displayP3) + colors(of: .sRGB) + grays, in: .displayP3)
    let compression = picture.sourcePrecisions.map(\.compressionError).max() ?? 0
    let readings = Orientation.allCases.lazy.map { orientation in
      (
        orientation,
        CanaryPatches(of: bitmap, lying: orientation, in: space, compressionError: compression)
      )
    }
    let (orientation, found) =
      readings.first { $0.1.areArrangedAsPainted } ?? readings[readings.startIndex]
    let fate =
      isTagged ? fate(of: found, painted: painted) : fateUntagged(of: found, painted: painted)
    return Verdict(
      fate: fate == .intact && orientation != .upright ? .turned : fate,
      contrasts: found.contrasts, paintedContrasts: painted.contrasts)
  }

  /// What happened to numbers that came without a space.
  private static func fateUntagged(of found: CanaryPatches, painted: CanaryPatches) -> Fate {
    let wide: [ColorSpace] = [.displayP3, .rec2020, .adobeRGB, .proPhoto, .dciP3]
    if wide.contains(where: { found.tagged(as: $0).areClose(to: painted.converted(to: $0)) }) {
      return .profileDropped
    }
    let fate = fate(of: found.tagged(as: .sRGB), painted: painted)
    return fate == .clipped ? .convertedAndUntagged : fate
  }

  private static func fate(of found: CanaryPatches, painted: CanaryPatches) -> Fate {
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
    // A half of what was painted is far above the roundings of 8 bits, and far below what gamut mapping leaves. Blue's contrast is not
    // far above what JPEG does.
    let (contrasts, halves) = (found.fullContrasts, painted.fullContrasts / 2)
    if contrasts.x < halves.x, contrasts.y < halves.y {
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
}
