package import ColorSpaces

/// Maps a black point and a white point of encoded values to others, with a gamma in between.
///
/// `output black + (output white − output black) · ((x − black) / (white − black))^(1 / gamma)`, as in image editors,
/// except that values beyond black and white are not clipped, and are mirrored below black.
package struct Levels: PointFilter {
  /// The levels of each channel.
  package var red, green, blue: ChannelLevels

  /// Creates levels for each channel.
  package init(red: ChannelLevels, green: ChannelLevels, blue: ChannelLevels) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// Encoded values.
  package var domain: PixelDomain { .encoded }

  /// Appends a line to 0…1, a power, and a line to the output.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    func each(_ value: (ChannelLevels) -> Double) -> SIMD3<Double> {
      [value(red), value(green), value(blue)]
    }
    let width = each { $0.white - $0.black }
    program.append(.affine(scale: 1 / width, offset: -each(\.black) / width))
    program.append(.curves("gamma of levels", red.curve, green.curve, blue.curve))
    program.append(
      .affine(scale: each { $0.outputWhite - $0.outputBlack }, offset: each(\.outputBlack)))
  }
}

/// The levels of one channel.
public struct ChannelLevels: Hashable, Sendable {
  /// The encoded values of the black point and of the white point.
  public let black, white: Double
  /// The gamma; above 1 brightens midtones.
  public let gamma: Double
  /// The values that the black point and the white point become.
  public let outputBlack, outputWhite: Double

  /// Creates levels. The white point must differ from the black point by at least 10⁻⁶; below it, the picture becomes
  /// a negative.
  public init(
    black: Double = 0, white: Double = 1, gamma: Double = 1, outputBlack: Double = 0,
    outputWhite: Double = 1
  ) throws(RecipeError) {
    try checked("The distance from black to white", abs(white - black), in: 1e-6...1e6)
    (self.black, self.white, self.gamma) = (black, white, gamma)
    (self.outputBlack, self.outputWhite) = (outputBlack, outputWhite)
    try Self.declaration.check(self)
  }

  fileprivate var curve: Curve {
    gamma == 1 ? .identity : .power(PowerCurve(exponent: 1 / gamma))
  }
}

extension Levels: RecipeFilter {
  /// The declaration of `levels`: for all channels, or for some.
  package static let declaration = Declaration<Levels>(
    "levels", "Sets black point, white point and gamma of encoded values.",
    swift: "picture.levels(black: 0.1, white: 0.9, gamma: 1.2)",
    Parameter(
      "all", { $0.areEqual ? $0.red : nil }, "the levels of channels without levels of their own",
      unit: "encoded values", sample: try? ChannelLevels(black: 0.1, white: 0.9, gamma: 1.2)),
    Parameter(
      "red", { $0.areEqual ? nil : $0.red }, "the red channel's levels", unit: "encoded values"),
    Parameter(
      "green", { $0.areEqual ? nil : $0.green }, "the green channel's levels",
      unit: "encoded values"),
    Parameter(
      "blue", { $0.areEqual ? nil : $0.blue }, "the blue channel's levels", unit: "encoded values")
  ) { all, red, green, blue throws(RecipeError) in
    let unchanged = try ChannelLevels()
    let others = all ?? unchanged
    return Levels(red: red ?? others, green: green ?? others, blue: blue ?? others)
  }.keepingGray { $0.areEqual }

  private var areEqual: Bool { red == green && green == blue }
}

extension ChannelLevels: RecipeRecord {
  /// A black point, a white point and an optional gamma: `0.1,0.9,1.2`.
  public static var textForm: TextForm {
    TextForm("BLACK,WHITE[,GAMMA]") { text in
      if text.hasPrefix("{") { return TextForm.json.read(text) }
      let form = TextForm.list(of: .number, as: "")
      guard case .array(let values)? = form.read(text), (2...3).contains(values.count) else {
        return nil
      }
      let gamma = values.count == 3 ? values[2] : .integer(1)
      return .object([
        RecipeValue.Member("black", values[0]), RecipeValue.Member("white", values[1]),
        RecipeValue.Member("gamma", gamma), RecipeValue.Member("output-black", .integer(0)),
        RecipeValue.Member("output-white", .integer(1)),
      ])
    }
  }

  /// The declaration of a channel's levels.
  public static let declaration = Declaration<ChannelLevels>(
    of: "levels",
    Parameter("black", \.black, "the black point", unit: "encoded values", default: 0),
    Parameter("white", \.white, "the white point", unit: "encoded values", default: 1),
    Parameter("gamma", \.gamma, "above 1 brightens midtones", default: 1, in: 0.1...10),
    Parameter(
      "output-black", \.outputBlack, "what the black point becomes", unit: "encoded values",
      default: 0),
    Parameter(
      "output-white", \.outputWhite, "what the white point becomes", unit: "encoded values",
      default: 1)
  ) { black, white, gamma, outputBlack, outputWhite throws(RecipeError) in
    try ChannelLevels(
      black: black, white: white, gamma: gamma, outputBlack: outputBlack, outputWhite: outputWhite)
  }
}

extension Picture {
  /// Returns this picture with separate levels for each channel.
  public func levels(red: ChannelLevels, green: ChannelLevels, blue: ChannelLevels) -> Picture {
    applying(Levels(red: red, green: green, blue: blue))
  }

  /// Returns this picture with its black point and white point mapped to others.
  public func levels(
    black: Double = 0, white: Double = 1, gamma: Double = 1, outputBlack: Double = 0,
    outputWhite: Double = 1
  ) -> Picture {
    applying { () throws(RecipeError) in
      let all = try ChannelLevels(
        black: black, white: white, gamma: gamma, outputBlack: outputBlack,
        outputWhite: outputWhite)
      return Levels(red: all, green: all, blue: all)
    }
  }
}
