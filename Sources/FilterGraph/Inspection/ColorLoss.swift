internal import ColorSpaces
public import ImageBuffer

/// An operation of a recipe at which different colors become equal: the difference cannot be recovered.
public struct ColorLoss: Hashable, Sendable {
  /// The kinds of information that can be lost.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Colors outside of sRGB.
    case gamut
    /// Headroom: values above white.
    case headroom
    /// Opacity.
    case alpha
    /// Precision: small steps of tone.
    case precision
    /// Hue and chroma: colors become grays, or one of two colors.
    case chroma
    /// The meaning of the values: they were interpreted in another space.
    case tag
  }

  /// The kind of the loss.
  public let kind: Kind
  /// The step that loses it, with its name in plans.
  public let step: String
  /// Two colors before the step that become equal; for a lost tag, one color in both interpretations, as XYZ.
  public let before: [SIMD4<Double>]
  /// The same colors after the step.
  public let after: [SIMD4<Double>]
}

extension ColorLoss: CustomStringConvertible {
  /// What is lost, and where.
  public var description: String { "\(kind.rawValue) is lost at “\(step)”" }
}

extension Picture {
  /// Returns the first step at which each kind of color is lost on the way to samples of a type; empty if nothing is
  /// lost.
  ///
  /// Groups of colors that the sources can contain are sent through the plan that renders: out of sRGB's gamut,
  /// brighter than white, not opaque, close together. A kind is lost at the step where a group loses a dimension:
  /// clipping maps all colors to one, gamut mapping maps a volume to a surface, monochrome leaves a line. For a
  /// painter, the groups are limited to the kinds of color it paints. The middle pixel is traced, and others where that
  /// one does not pass all steps; filters that measure the picture measure the real one.
  public func colorLosses<Sample: PixelSample>(
    storedAs _: Sample.Type, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [ColorLoss] {
    let stored = storedForm
    return try Plan([stored], options: options).colorLosses(storedAs: Sample.format, options)
  }
}

extension Plan {
  /// Returns the losses on the way to the plan's first result.
  func colorLosses(
    storedAs format: SampleFormat, _ options: RenderOptions
  ) throws(RenderError) -> [ColorLoss] {
    var losses: [ColorLoss] = []
    for way in ways {
      let found = try ColorTrace(in: self, along: way, options).losses(storedAs: format)
      losses += found.filter { loss in !losses.contains { $0.kind == loss.kind } }
    }
    if let loss = firstLostTag { losses.append(loss) }
    return losses
  }
}

extension Plan {
  /// The paths of some pixels of the first result that together pass all steps that any of 9 × 9 pixels passes: the
  /// middle pixel's, and those of others where it misses steps.
  fileprivate var ways: [[Offset?]] {
    let region = steps[results[0]].region
    func part(_ length: Int, _ place: Int) -> Int { (length - 1) * place / 8 }
    let others = (0..<9).flatMap { row in
      (0..<9).map { column in
        Offset(region.x + part(region.width, column), region.y + part(region.height, row))
      }
    }
    var missing = Set(steps.indices)
    var ways: [[Offset?]] = []
    for pixel in [region.middle] + others where !missing.isEmpty {
      let way = way(of: pixel)
      let found = missing.filter { way[$0] != nil }
      if found.isEmpty { continue }
      missing.subtract(found)
      ways.append(way)
    }
    return ways
  }

  /// The position of a pixel of the first result in each step; nil in steps that it does not depend on. Where a filter
  /// mixes neighbors, the path follows the one in the middle.
  private func way(of pixel: Offset) -> [Offset?] {
    var way = [Offset?](repeating: nil, count: steps.count)
    way[results[0]] = pixel
    for index in steps.indices.reversed() {
      guard let position = way[index] else { continue }
      for (number, input) in steps[index].inputs.enumerated() where way[input] == nil {
        way[input] = steps[index].position(
          of: position, inInput: number, of: steps[input].region)
      }
    }
    return way
  }

  /// The first tag that changes the meaning of the values.
  fileprivate var firstLostTag: ColorLoss? {
    for (_, note) in steps.lazy.flatMap(\.notes) {
      guard case .tagged(let before, let after) = note else { continue }
      let meanings = [before, after].map(\.meaningOfSomeNumbers)
      let difference = meanings[0] - meanings[1]
      guard max(abs(difference.x), abs(difference.y), abs(difference.z)) > 1e-3 else { continue }
      return ColorLoss(
        kind: .tag, step: "\(note)", before: [meanings[0]], after: [meanings[1]])
    }
    return nil
  }
}

extension PixelForm {
  /// XYZ and opacity of values that are not gray.
  fileprivate var meaningOfSomeNumbers: SIMD4<Double> {
    let numbers = SIMD3(0.75, 0.5, 0.25)
    let light = state.light == .encoded ? space.transfer.decode(numbers) : numbers
    return SIMD4(space.toHub * light, 1)
  }
}
