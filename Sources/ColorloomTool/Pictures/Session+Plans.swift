import Colorloom
import ImageFiles

extension Session {
  /// Throws what rendering pictures to rows of a sample format would refuse before the first pixel.
  func check(
    _ pictures: [Picture], as samples: SampleFormat = .uint16, dither: Dither? = nil
  ) throws {
    try Picture.checkBands(
      pictures.map { BandedResult($0, as: samples, alpha: .straight, dither: dither) },
      options: settings.renderOptions)
  }

  /// What rendering a picture to rows of a sample format takes.
  func planReport(
    of picture: Picture, as samples: SampleFormat = .uint16, channels: Channels? = nil,
    dither: Dither? = nil
  ) throws -> RecipeValue {
    let result = BandedResult(
      picture, channels: channels, as: samples, alpha: .straight, dither: dither)
    return try Picture.planReport(of: [result], options: settings.renderOptions).value
  }
}
