internal import ColorSpaces
public import ImageBuffer

/// A step of a recipe at which colors that were different become one: something is lost there for good.
public struct ColorLoss: Hashable, Sendable {
  /// What is lost.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Colors beyond sRGB.
    case gamut
    /// Light brighter than white.
    case headroom
    /// Coverage.
    case alpha
    /// Small steps of tone.
    case precision
    /// Hue and chroma: what was a color becomes a gray, or one of two colors.
    case chroma
    /// What the numbers mean: they were read as those of another space.
    case tag
  }

  /// What is lost.
  public let kind: Kind
  /// The step that loses it, as plans say it.
  public let step: String
  /// Two colors before the step that the step makes one; with a lost tag, one color under its two meanings, as XYZ.
  public let before: [SIMD4<Double>]
  /// The same colors after it.
  public let after: [SIMD4<Double>]
}

extension ColorLoss: CustomStringConvertible {
  /// What is lost, and where.
  public var description: String { "\(kind.rawValue) is lost at “\(step)”" }
}

extension Picture {
  /// Returns the first step at which each kind of color is lost, on the way into samples of a type; empty where nothing is.
  ///
  /// Groups of colors that the sources hold are sent through the plan that renders: beyond sRGB, brighter than white, less than
  /// opaque, close together. A kind is lost at the step where a group has fewer dimensions than before: clipping makes one color of
  /// all, a gamut mapping draws a volume onto a surface, monochrome leaves a line. Of a painter, the colors count that it paints. The
  /// pixel in the middle is followed, and others where that one does not come through all steps; what filters measure is measured on
  /// the real picture.
  public func colorLosses<Sample: PixelSample>(
    storedAs _: Sample.Type, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [ColorLoss] {
    let stored = storedForm
    return try Plan([stored], options: options).colorLosses(storedAs: Sample.format, options)
  }
}

extension Plan {
  /// What is lost on the way to the plan's first result.
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
  /// The ways of some pixels of the first result that lead through all steps to which any of 9 × 9 pixels leads: the middle one's, and
  /// those of others where it leaves steps out.
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

  /// Where a pixel of the first result lies in each step; nil in those that it does not go through. Where a filter mixes neighbours, the
  /// pixel in their middle is followed.
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

  /// The first tag after which the same values mean another color.
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
  /// What numbers that stand for no gray mean, as XYZ and coverage.
  fileprivate var meaningOfSomeNumbers: SIMD4<Double> {
    let numbers = SIMD3(0.75, 0.5, 0.25)
    let light = state.light == .encoded ? space.transfer.decode(numbers) : numbers
    return SIMD4(space.toHub * light, 1)
  }
}
