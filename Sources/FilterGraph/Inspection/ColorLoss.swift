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
    try tracedLosses(storedAs: [format], options)[0] + [firstLostTag].compactMap(\.self)
  }

  /// Returns the losses on the way to each result, which is stored in the format at its place. Tags are not traced.
  ///
  /// Results are traced together, so that a step on the way to several of them is computed once, not once for each.
  func tracedLosses(
    storedAs formats: [SampleFormat], _ options: RenderOptions
  ) throws(RenderError) -> [[ColorLoss]] {
    let traced = results.indices.flatMap { result in
      ways(to: results[result]).map { (result: result, way: $0) }
    }
    var found = [[ColorLoss]](repeating: [], count: traced.count)
    for bundle in bundles(of: traced.map(\.way)) {
      let trace = try ColorTrace(in: self, along: bundle.map { traced[$0].way }, options)
      let losses = try trace.losses(storedAs: bundle.map { formats[traced[$0].result] })
      for (index, losses) in zip(bundle, losses) { found[index] = losses }
    }
    var losses = [[ColorLoss]](repeating: [], count: results.count)
    for (index, found) in found.enumerated() {
      let result = traced[index].result
      let known = Set(losses[result].map(\.kind))
      losses[result] += found.filter { !known.contains($0.kind) }
    }
    return losses
  }
}

extension Plan {
  /// Groups ways, by their indices, so that those of a group lie within 16 × 16 pixels in each step.
  ///
  /// A rendering of a group computes the bounding box of its pixels.
  private func bundles(of ways: [[Offset?]]) -> [[Int]] {
    var bundles: [(regions: [Region], ways: [Int])] = []
    for (index, way) in ways.enumerated() {
      let none = Region(x: 0, y: 0, width: 0, height: 0)
      let pixels = way.map { $0.map { Region(pixel: $0) } ?? none }
      let place = bundles.firstIndex { bundle in
        zip(bundle.regions, pixels).allSatisfy {
          let box = $0.union($1)
          return max(box.width, box.height) <= 16
        }
      }
      if let place {
        bundles[place].regions = zip(bundles[place].regions, pixels).map { $0.union($1) }
        bundles[place].ways.append(index)
      } else {
        bundles.append((pixels, [index]))
      }
    }
    return bundles.map(\.ways)
  }

  /// The steps that a result is made of, itself among them.
  private func stepsReached(from result: Int) -> Set<Int> {
    var found: Set = [result]
    for index in steps.indices.reversed() where found.contains(index) {
      found.formUnion(steps[index].inputs)
    }
    return found
  }

  /// The paths of some pixels of a result that together pass all steps that any of 9 × 9 pixels passes: the middle
  /// pixel's, and those of others where it misses steps.
  private func ways(to result: Int) -> [[Offset?]] {
    let region = steps[result].region
    func part(_ length: Int, _ place: Int) -> Int { (length - 1) * place / 8 }
    let others = (0..<9).flatMap { row in
      (0..<9).map { column in
        Offset(region.x + part(region.width, column), region.y + part(region.height, row))
      }
    }
    var missing = stepsReached(from: result)
    var ways: [[Offset?]] = []
    for pixel in [region.middle] + others where !missing.isEmpty {
      let way = way(of: pixel, in: result)
      let found = missing.filter { way[$0] != nil }
      if found.isEmpty { continue }
      missing.subtract(found)
      ways.append(way)
    }
    return ways
  }

  /// The position of a pixel of a result in each step; nil in steps that it does not depend on. Where a filter
  /// mixes neighbors, the path follows the one in the middle.
  private func way(of pixel: Offset, in result: Int) -> [Offset?] {
    var way = [Offset?](repeating: nil, count: steps.count)
    way[result] = pixel
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
  var firstLostTag: ColorLoss? {
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
