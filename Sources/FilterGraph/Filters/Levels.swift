public import ColorSpaces

/// Where black and white lie in the stored numbers, where they shall lie, and how the tones between are spread.
///
/// `output black + (output white − output black) · ((x − black) / (white − black))^(1 / gamma)`, as in editors of pictures, but
/// for what lies beyond black and white: it is kept, mirrored below black, and not cut.
public struct Levels: PointFilter {
  /// The levels of one channel.
  public struct Channel: Hashable, Sendable {
    /// The stored numbers that become the output's.
    public let black, white: Double
    /// Above 1 the tones between become brighter.
    public let gamma: Double
    /// What black and white become.
    public let outputBlack, outputWhite: Double

    /// What ``gamma`` can be.
    public static let gammas = 0.1...10

    /// Levels, of which white lies at least 10⁻⁶ from black; above it, or below it for a negative.
    public init(
      black: Double = 0, white: Double = 1, gamma: Double = 1, outputBlack: Double = 0,
      outputWhite: Double = 1
    ) throws(RecipeError) {
      try checked("The distance from black to white", abs(white - black), in: 1e-6...1e6)
      self.gamma = try checked("The gamma of levels", gamma, in: Self.gammas)
      (self.black, self.white) = (black, white)
      (self.outputBlack, self.outputWhite) = (outputBlack, outputWhite)
    }

    fileprivate var curve: Curve {
      gamma == 1 ? .identity : .power(PowerCurve(exponent: 1 / gamma))
    }
  }

  /// The levels of each channel.
  public var red, green, blue: Channel

  /// Levels for each channel.
  public init(red: Channel, green: Channel, blue: Channel) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// As stored.
  public var domain: PixelDomain { .encoded }

  /// To 0…1, a power, and on to the output.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    func each(_ value: (Channel) -> Double) -> SIMD3<Double> {
      [value(red), value(green), value(blue)]
    }
    let width = each { $0.white - $0.black }
    program.append(.affine(scale: 1 / width, offset: -each(\.black) / width))
    program.append(.curves("gamma of levels", red.curve, green.curve, blue.curve))
    program.append(
      .affine(scale: each { $0.outputWhite - $0.outputBlack }, offset: each(\.outputBlack)))
  }
}

extension Levels: RecipeFilter {
  /// The name and the parameters in recipes: levels for all channels, or for some.
  public static let recipeForm = RecipeForm<Levels>(
    "levels", RecipeField("all") { $0.areEqual ? $0.red : nil },
    RecipeField("red") { $0.areEqual ? nil : $0.red },
    RecipeField("green") { $0.areEqual ? nil : $0.green },
    RecipeField("blue") { $0.areEqual ? nil : $0.blue }
  ) { all, red, green, blue throws(RecipeError) in
    let unchanged = try Channel()
    let others = all ?? unchanged
    return Levels(red: red ?? others, green: green ?? others, blue: blue ?? others)
  }

  private var areEqual: Bool { red == green && green == blue }
}

extension Levels.Channel: RecipeRecord {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Levels.Channel>(
    "levels of a channel", RecipeField("black", \.black, default: 0),
    RecipeField("white", \.white, default: 1), RecipeField("gamma", \.gamma, default: 1),
    RecipeField("output-black", \.outputBlack, default: 0),
    RecipeField("output-white", \.outputWhite, default: 1)
  ) { black, white, gamma, outputBlack, outputWhite throws(RecipeError) in
    try Levels.Channel(
      black: black, white: white, gamma: gamma, outputBlack: outputBlack, outputWhite: outputWhite)
  }
}

extension Picture {
  /// This picture with levels of their own for each channel.
  public func levels(red: Levels.Channel, green: Levels.Channel, blue: Levels.Channel) -> Picture {
    applying(Levels(red: red, green: green, blue: blue))
  }

  /// This picture with black and white where they shall be.
  public func levels(
    black: Double = 0, white: Double = 1, gamma: Double = 1, outputBlack: Double = 0,
    outputWhite: Double = 1
  ) -> Picture {
    applying { () throws(RecipeError) in
      let all = try Levels.Channel(
        black: black, white: white, gamma: gamma, outputBlack: outputBlack,
        outputWhite: outputWhite)
      return Levels(red: all, green: all, blue: all)
    }
  }
}
