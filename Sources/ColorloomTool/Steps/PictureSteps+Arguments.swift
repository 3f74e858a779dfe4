extension PictureSteps {
  /// The steps for verbs that have their own options for the conversion to a space.
  static var argumentsWithoutConversion: [Argument<PictureSteps>] {
    let conversions = Set(ColorConversions.arguments.map(\.synopsis.name) + ["--to"])
    return arguments.filter { !conversions.contains($0.synopsis.name) }
  }

  /// The steps for verbs that read no picture file.
  static var argumentsWithoutReading: [Argument<PictureSteps>] {
    arguments.filter { $0.synopsis.name != "--shrink-on-load" }
  }

  /// The steps for frames of a stream, which all have one size and are not measured.
  static var argumentsForFrames: [Argument<PictureSteps>] {
    argumentsWithoutReading.filter { !["--trim", "--auto-levels"].contains($0.synopsis.name) }
  }
}
