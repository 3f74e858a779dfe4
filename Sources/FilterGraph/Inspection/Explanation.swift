public import ColorSpaces
public import ImageBuffer

/// What becomes of one pixel, step by step, from the sources to the stored numbers.
public struct Explanation: Sendable {
  /// One step, and the pixel after it.
  public struct Step: Sendable {
    /// What the step does, as plans say it.
    public let name: String
    /// Where the pixel lies after the step, counted in the step's own picture from its upper left corner.
    public let position: Offset
    /// Red, green, blue and alpha after it.
    public let value: SIMD4<Double>
    /// The space of the values after this step, also where it is a stage in the middle of several conversions.
    public let space: ColorSpace
    /// The encoding of the values after this step: “linear”, “encoded”, “perceptual” (the square root), “encoded as” the transfer
    /// function that a filter works in, or “partly encoded” between the stages that a color model is converted in.
    public let light: String
    /// Whether color is multiplied by coverage.
    public let isPremultiplied: Bool
    /// What the step is the last one of; nil within programs.
    package let picture: Picture?

    /// Whether a color is negative: outside of the space, or about to be clipped by samples that are whole numbers.
    public var isBelowRange: Bool { value.x < 0 || value.y < 0 || value.z < 0 }
    /// Whether a color is above 1: brighter than white, or about to be clipped.
    public var isAboveRange: Bool { value.x > 1 || value.y > 1 || value.z > 1 }
  }

  /// The steps, each after all that it reads.
  public let steps: [Step]
}

extension Explanation: CustomStringConvertible {
  /// A line for each step.
  public var description: String { steps.map(\.description).joined(separator: "\n") }
}

extension Explanation.Step: CustomStringConvertible {
  /// The pixel, what it is, and what the step did.
  public var description: String {
    let numbers = (0..<4).map { channel in
      let rounded = (value[channel] * 100_000).rounded() / 100_000
      return "\(rounded)"
    }
    return
      "(\(numbers.joined(separator: ", "))) \(light)\(isPremultiplied ? ", premultiplied" : "")"
      + " \(space)\(isBelowRange ? ", below 0" : "")\(isAboveRange ? ", above 1" : "")"
      + " at (\(position.x), \(position.y)): \(name)"
  }
}

extension Picture {
  /// Returns what becomes of the pixel at column `x` and row `y`, as it would be stored.
  ///
  /// The steps are those of the plan that renders the picture, see ``plan``; each stage of a program is a step of the explanation.
  /// Only what this pixel needs is computed. Where a filter mixes neighbours, the pixel in their middle is followed.
  public func explain(
    x: Int, y: Int, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Explanation {
    let stored = storedForm
    if let failure = stored.failure { throw .recipe(failure) }
    guard region.contains(Region(x: x, y: y, width: 1, height: 1)) else {
      throw .recipe(.outside(x: x, y: y, of: "\(region)"))
    }
    let plan = try Plan(of: [stored.node], options: options)
    let path = try PixelPath(in: plan, to: Offset(x, y) - origin)
    return Explanation(steps: try path.steps(options))
  }
}
