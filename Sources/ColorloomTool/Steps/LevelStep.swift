import Colorloom

/// How `--auto-levels` measures a picture.
struct LevelStep: Equatable {
  /// The part of the pixels that may go beyond black, and the part that may go beyond white.
  var clippedPart = Picture.clippedPart
  /// Whether each channel has a scale of its own.
  var isPerChannel = false

  private static let channels = "channels"
  static let placeholder = "PART[,\(channels)]"
  static let needed =
    "a part of the pixels from 0 to 0.49 such as 0.005, or 0.5%, “\(channels)”, or both with a comma in between"

  init() {}

  /// Reads a part, the word for a scale of each channel, or both: `0.5%,channels`. Nil for other words.
  init?(_ word: String) {
    var parts = word.split(separator: ",", omittingEmptySubsequences: false)[...]
    if parts.last == Self.channels[...] {
      isPerChannel = true
      parts = parts.dropLast()
    }
    guard parts.count < 2 else { return nil }
    guard let text = parts.first else { return }
    guard let part = decimalFraction(text), (0...0.49).contains(part) else { return nil }
    clippedPart = part
  }
}

extension Parser<LevelStep> {
  /// The part of the pixels that automatic levels clip, and whether they measure each channel.
  static var levelStep: Parser {
    Parser(LevelStep.placeholder, needed: LevelStep.needed) { LevelStep($0) }
  }
}

extension PictureSteps {
  /// --auto-levels, whose value may also be the next word: no file is likely to have a number or a percentage as its name.
  static var levelArgument: Argument<PictureSteps> {
    let argument = Argument<PictureSteps>.flag(
      "--auto-levels", .levelStep,
      "stretch tones so that at most \(percent(Picture.clippedPart)) % of each channel, or PART, falls below 0 and as much above 1"
    ) { steps, levels in
      steps.addLevels(levels ?? LevelStep())
    }
    var synopsis = argument.synopsis
    synopsis.takesWord = { LevelStep($0) != nil || decimalFraction($0[...]) != nil }
    return Argument(synopsis: synopsis, take: argument.take)
  }
}

extension Picture {
  /// Returns the picture with its darkest pixels at black and its brightest ones at white. A uniform picture stays as it is, with a note.
  func leveled(_ step: LevelStep, at path: String?, in session: Session) throws -> Picture {
    let name = path.map { "“\($0)”" } ?? "the picture"
    guard space.graysHaveEqualChannels else {
      throw Misuse(
        "“--auto-levels” stretches the channels of RGB and gray spaces, and \(name) is in “\(space)”. Put a conversion such "
          + "as --to sRGB before it.")
    }
    let levels = try measuredLevels(
      clipping: step.clippedPart, perChannel: step.isPerChannel,
      options: session.settings.renderOptions)
    if levels == .uniform {
      session.note(
        "“--auto-levels” changes nothing of \(name): apart from \(percent(step.clippedPart)) % at each end, the pixels that "
          + "show have one color, or none shows.")
    }
    return applying(levels)
  }
}
