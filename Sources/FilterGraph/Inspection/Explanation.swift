public import ColorSpaces
public import ImageBuffer

/// The values of one pixel after each step, from the sources to the encoded result.
public struct Explanation: Sendable {
  /// One step, and the pixel's value after it.
  public struct Step: Sendable {
    /// The step, with its name in plans.
    public let name: String
    /// The position of the pixel after the step, relative to the top left corner of the step's own picture.
    public let position: Offset
    /// Red, green, blue and alpha after the step.
    public let value: SIMD4<Double>
    /// The color space of the values after this step, including stages within a sequence of conversions.
    public let space: ColorSpace
    /// The encoding of the values after this step: “linear”, “encoded”, “perceptual” (the square root), “encoded as” the transfer
    /// function that a filter works in, or “partly encoded” between the stages that a color model is converted in.
    public let encoding: String
    /// Whether color is premultiplied by alpha.
    public let isPremultiplied: Bool
    /// The picture of which this is the last step; nil within programs.
    package let picture: Picture?

    /// Whether a channel is negative: the color is out of gamut, and integer samples will clip it.
    package var isBelowRange: Bool { value.x < 0 || value.y < 0 || value.z < 0 }
    /// Whether a channel is above 1: brighter than white, or about to be clipped.
    package var isAboveRange: Bool { value.x > 1 || value.y > 1 || value.z > 1 }
  }

  /// The steps in topological order.
  public let steps: [Step]
}

extension Explanation: CustomStringConvertible {
  /// One line per step.
  public var description: String { steps.map(\.description).joined(separator: "\n") }
}

extension Explanation.Step: CustomStringConvertible {
  /// The value, its encoding, and the step.
  public var description: String {
    let numbers = (0..<4).map { channel in
      let rounded = (value[channel] * 100_000).rounded() / 100_000
      return "\(rounded)"
    }
    return
      "(\(numbers.joined(separator: ", "))) "
      + valuesText(encoding, isPremultiplied ? "premultiplied" : "", in: space.name)
      + "\(isBelowRange ? ", below 0" : "")\(isAboveRange ? ", above 1" : "")"
      + " at (\(position.x), \(position.y)): \(name)"
  }
}

extension Picture {
  /// Returns the values of the pixel at column `x` and row `y` after each step, including the encoding of the result.
  ///
  /// The steps are those of the plan that renders the picture, see ``plan``; each stage of a program is a step of its
  /// own. Only the region that this pixel depends on is computed. Where a filter mixes neighbors, the neighbor in the
  /// middle is followed.
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
