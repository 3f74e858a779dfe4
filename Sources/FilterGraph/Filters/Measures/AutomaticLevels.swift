internal import ColorSpaces
internal import ImageBuffer

/// The levels with which a picture reaches black and white.
package enum AutomaticLevels: Hashable, Sendable {
  /// The picture has one value, or no visible pixel.
  case uniform
  /// The picture reaches black and white as it is.
  case unchanged
  /// The picture reaches them by these levels.
  case levels(Levels)
}

extension Picture {
  /// The part of the pixels that ``automaticLevels(clipping:perChannel:options:)`` lets go beyond black, and beyond white, by default.
  package static let clippedPart = 0.001

  /// Returns this picture with ``levels(red:green:blue:)`` by which its darkest pixels become black and its brightest ones white.
  ///
  /// ```swift
  /// let full = try scan.automaticLevels()
  /// let later = try await scan.inBackground { try $0.automaticLevels(options: $1) }
  /// ```
  ///
  /// This measures a histogram of encoded values, so it renders the picture once, and returns plain levels: the ``recipe()`` of the result
  /// holds their numbers and renders the same for other pictures. One scale for all channels keeps the hue of HSV, and no channel clips
  /// more than was asked for, as it could by the percentiles of lightness.
  ///
  /// Pixels count by their alpha; NaN does not count. Levels only stretch: black and white are the encoded values of the linear values
  /// 0 and 1, and a picture that has enough pixels at or beyond them keeps them. So HDR pictures are not darkened, and their highlights
  /// stay beyond white. A uniform picture is returned as it is.
  ///
  /// - Parameters:
  ///   - part: The part of the pixels, 0…0.49, that may go beyond black in each channel, and the part that may go beyond white.
  ///   - perChannel: Whether each channel has a scale of its own, which also removes a color cast.
  ///   - options: How the picture is rendered. The levels do not depend on tiles and threads.
  /// - Throws: ``RenderError`` for a picture whose space has no black and white in equal channels, such as Lab.
  public func automaticLevels(
    clipping part: Double = 0.001, perChannel: Bool = false,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Picture {
    let found = try measuredLevels(clipping: part, perChannel: perChannel, options: options)
    return applying(found)
  }

  /// Returns this picture with measured levels.
  package func applying(_ found: AutomaticLevels) -> Picture {
    if case .levels(let levels) = found { applying(levels) } else { self }
  }

  /// Measures the levels of ``automaticLevels(clipping:perChannel:options:)``.
  package func measuredLevels(
    clipping part: Double, perChannel: Bool, options: RenderOptions
  ) throws(RenderError) -> AutomaticLevels {
    let ends: LevelEnds
    do throws(RecipeError) {
      try checked("The clipped part of automatic levels", part, in: 0...0.49)
      guard space.graysHaveEqualChannels else {
        throw .other(
          "Automatic levels stretch the channels of RGB and gray spaces; this picture is in \(space). "
            + "Convert it to such a space first.")
      }
      ends = try LevelEnds(in: space, areCodes: node.holdsCodes)
    } catch {
      throw .recipe(error)
    }
    let counts = try (ends.toBins.map { applying($0) } ?? self).reduced(
      by: Histogram(uncheckedSteps: LevelEnds.bins, domain: .encoded, weightsByAlpha: true),
      options: options)
    // A pixel at exactly the part goes beyond, at both ends, also where the product with the count is rounded.
    let rounding = 1e-12
    let low = ends.value(ofBins: counts.percentile(part + rounding))
    let high = ends.value(ofBins: counts.percentile(1 - part - rounding))
    if !(0..<3).contains(where: { high[$0] - low[$0] >= LevelEnds.leastRange }) { return .uniform }
    do throws(RecipeError) {
      if !perChannel { return try AutomaticLevels(ends.levels(from: low.min(), to: high.max())) }
      return try AutomaticLevels(
        red: ends.levels(from: low.x, to: high.x),
        green: ends.levels(from: low.y, to: high.y),
        blue: ends.levels(from: low.z, to: high.z))
    } catch {
      throw .recipe(error)
    }
  }
}

extension Node {
  /// Whether all values are codes of 8 or 16 bits, or 0 where a crop reaches beyond the picture.
  fileprivate var holdsCodes: Bool {
    var node = self
    while !node.state.isPremultiplied {
      if let format = node.samples?.format ?? node.storedFormat {
        return format == .uint8 || format == .uint16
      }
      guard node.window != nil || node.isTag || node.isCached else { return false }
      node = node.inputs[0]
    }
    return false
  }
}

extension AutomaticLevels {
  /// Creates the same levels for all channels; nil changes nothing.
  fileprivate init(_ all: ChannelLevels?) throws(RecipeError) {
    try self.init(red: all, green: all, blue: all)
  }

  /// Creates levels for each channel; nil changes nothing.
  fileprivate init(
    red: ChannelLevels?, green: ChannelLevels?, blue: ChannelLevels?
  ) throws(RecipeError) {
    let same = try ChannelLevels()
    let levels = Levels(red: red ?? same, green: green ?? same, blue: blue ?? same)
    self = levels == Levels(red: same, green: same, blue: same) ? .unchanged : .levels(levels)
  }
}

/// The encoded values of black and white.
private struct LevelEnds {
  let black, white: Double
  /// The encoded value of the first bin. ACEScc has black below 0.
  private let start: Double
  /// The levels that map the values from black to 1 onto 0…1, the range of the histogram's bins; nil where black is not below 0.
  let toBins: Levels?

  /// The least difference of two values that levels can stretch.
  static let leastRange = 1e-6
  /// The bins of the histogram, as many as 16 bits have codes: those of 8 and 16 bits are exact.
  static let bins = 65_536
  /// A value and the middle of its bin differ by up to half a bin, and by the rounding of single precision.
  private var binError: Double { 0.51 * (1 - start) / Double(Self.bins - 1) }
  /// Whether each value is the middle of its bin.
  private let areExact: Bool

  init(in space: ColorSpace, areCodes: Bool) throws(RecipeError) {
    func end(_ light: Double) -> Double {
      let encoded = space.transfer.encode(light)
      // Rounding errors of a curve would show in recipes.
      return abs(encoded - light) < 1e-9 ? light : encoded
    }
    (black, white) = (end(0), end(1))
    guard white - black >= Self.leastRange else {
      throw .other(
        "Automatic levels need a space that encodes white above black; \(space) encodes them as "
          + "\(white) and \(black). Convert the picture to another space first.")
    }
    start = min(black, 0)
    areExact = areCodes && start == 0
    guard start < 0 else {
      toBins = nil
      return
    }
    let all = try ChannelLevels(black: start)
    toBins = Levels(red: all, green: all, blue: all)
  }

  /// Returns the encoded values of places among the bins, 0…1.
  func value(ofBins places: SIMD3<Double>) -> SIMD3<Double> { start + (1 - start) * places }

  /// Returns the levels that stretch a range to black and white; nil where there is nothing to stretch.
  func levels(from low: Double, to high: Double) throws(RecipeError) -> ChannelLevels? {
    let (first, last) = (max(low, black), min(high, white))
    // Not where the range is one value, lies beyond an end, or is NaN, the percentile of no pixel.
    guard last - first >= Self.leastRange,
      first - black > binError || white - last > binError
    else { return nil }
    // The values of the first and the last bin may lie at the bin's outer edge, and must not be clipped.
    let margin = areExact ? 0 : binError
    return try ChannelLevels(
      black: max(first - margin, black), white: min(last + margin, white), outputBlack: black,
      outputWhite: white)
  }
}
