internal import ColorSpaces
public import ImageBuffer

extension Canary {
  /// The damage that a pipeline did to a canary.
  @nonexhaustive
  public enum Fate: String, Hashable, Sendable, CaseIterable {
    /// The colors are as painted.
    case intact
    /// The colors are as painted, and the picture is rotated or mirrored.
    case turned
    /// The values are still those of a wide-gamut space, but the file no longer says so.
    case profileDropped
    /// The picture was converted to a smaller gamut, and the file does not say to which.
    case convertedAndUntagged
    /// The colors were clipped to a smaller gamut, such as sRGB.
    case clipped
    /// A tone curve changed the grays and clipped the colors to sRGB.
    case toneCurveClamped
    /// The values of Display P3, or of another wide-gamut space, were interpreted in another space: a profile was assigned instead of
    /// converted to.
    case mistagged
    /// The colors were converted twice.
    case convertedTwice
    /// The channels are in another order.
    case channelsSwapped
    /// All colors are gray.
    case desaturated
    /// It is still a canary, but its colors changed in some other way.
    case changed
    /// It is another picture, or a part of a canary.
    case notACanary
    /// It has so few pixels that colors blend into each other, and no verdict is possible.
    case tooSmall
  }

  /// The result of checking a picture that was a canary.
  public struct Verdict: Hashable, Sendable {
    /// What happened to the colors.
    public let fate: Fate
    /// The CIEDE2000 differences between marks and fields of red, green and blue.
    public let contrasts: SIMD3<Double>
    /// The CIEDE2000 differences of the undamaged canary.
    package let paintedContrasts: SIMD3<Double>
  }

  /// The smallest size for which ``check(_:isTagged:options:)`` always gives a verdict, including for a JPEG of quality
  /// 50 with chroma subsampling. In smaller pictures the ringing of the sharpest resampling reaches the middle of the
  /// grays.
  public static let leastSize = PixelSize(96, 32)

  /// Checks a picture of any size and space for the canary.
  ///
  /// Colors are medians over the interiors of fields, marks and grays. They are considered as painted within a
  /// CIEDE2000 difference of 1, and of more for a picture from a JPEG file, by its quantization tables
  /// (``ColorPrecision/compressionError``). Below ``leastSize``, damage is reported only where it is evident.
  ///
  /// - Parameters:
  ///   - picture: The output of a pipeline.
  ///   - isTagged: Whether the file declared its color space. If not, the space of `picture` is ignored.
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

  /// Finds the damage in values without a declared color space.
  private static func fateUntagged(of found: CanaryPatches, painted: CanaryPatches) -> Fate {
    if ([.displayP3, .dciP3] + wide).contains(where: { found.tagged(as: $0).areClose(to: painted) })
    {
      return .profileDropped
    }
    if narrow.contains(where: { found.tagged(as: $0).areClose(to: painted.clipped(by: $0)) }) {
      return .convertedAndUntagged
    }
    let fate = fate(of: found.tagged(as: .sRGB), painted: painted)
    return fate == .clipped ? .convertedAndUntagged : fate
  }

  /// Spaces between sRGB and Display P3, which keep a part of the contrast of the marks.
  private static let narrow: [ColorSpace] = [.adobeRGB, .dciP3]

  /// Wide-gamut spaces besides those of P3's primaries.
  private static let wide: [ColorSpace] = [.rec2020, .rec2020Camera, .adobeRGB, .proPhoto]

  private static func fate(of found: CanaryPatches, painted: CanaryPatches) -> Fate {
    if found.areClose(to: painted) { return .intact }
    // In fields below six pixels, no pixel lies entirely inside a mark.
    if found.side < 6 { return .tooSmall }
    let showsTones = found.showsTones
    guard found.areEven, found.haveFieldsInOrder || found.haveGraysInARow else {
      return showsTones ? .notACanary : .tooSmall
    }
    if found.areGray { return .desaturated }
    let space = found.space
    let mistaken = [space, .sRGB, .adobeRGB, .proPhoto, .rec2020].filter { $0 != .displayP3 }
    // Half of the painted contrast is far above the rounding of 8 bits, and far below what gamut mapping leaves. For
    // blue, it is not far above what JPEG compression changes.
    let (contrasts, halves) = (found.fullContrasts, painted.fullContrasts / 2)
    if contrasts.x < halves.x, contrasts.y < halves.y {
      let areGraysKept =
        found.hasGrays(of: painted)
        || mistaken.contains { found.hasGrays(of: painted.read(as: $0, in: space)) }
      return areGraysKept || !showsTones ? .clipped : .toneCurveClamped
    }
    // Ringing resembles some of the damage below.
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
    let isClipped = ([space] + narrow).contains { found.areClose(to: painted.clipped(by: $0)) }
    if isClipped { return .clipped }
    return isMistagged(found, painted: painted, as: [.displayP3] + mistaken) ? .mistagged : .changed
  }

  /// Returns whether a canary that was converted to another wide space was then tagged as one of some spaces without conversion.
  private static func isMistagged(
    _ found: CanaryPatches, painted: CanaryPatches, as mistaken: [ColorSpace]
  ) -> Bool {
    wide.contains { source in
      let stored = painted.clipped(by: source)
      return mistaken.contains {
        $0 != source && found.areClose(to: stored.read(as: $0, in: found.space))
      }
    }
  }
}

extension Canary.Verdict: CustomStringConvertible {
  /// What happened to the colors, and the contrasts of the marks beside those that were painted.
  public var description: String {
    func words(_ contrasts: SIMD3<Double>) -> String {
      (0..<3).map { inWords((contrasts[$0] * 10).rounded() / 10) }.joined(separator: ", ")
    }
    return
      "\(fate.rawValue): the marks differ by \(words(contrasts)) from their fields, painted were \(words(paintedContrasts)) (CIEDE2000)"
  }
}
