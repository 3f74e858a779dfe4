public import ColorSpaces

/// A picture made for a bright display on a darker one: Report ITU-R BT.2390-10, 5.4.1, for a black of zero.
///
/// Each channel is left alone up to a knee and led smoothly to the display's peak from there, over the perceptual quantizer's scale, in
/// which equal steps look alike. Negative light counts as none, and light beyond the mastering peak as that.
public struct DisplayMapping: PointFilter {
  /// What peaks can be, in cd/m².
  public static let peaks = 20.0...10_000

  /// The luminance of the brightest white that the picture was made for, and of the display's, in cd/m².
  public let mastering, display: Double
  /// The luminance that the number 1 of linear light stands for, in cd/m².
  public let unit: Double

  /// A mapping from one peak luminance to another; `unit` is what 1 stands for, 203 cd/m² where it is the white of paper (Report ITU-R
  /// BT.2408).
  public init(from mastering: Double, to display: Double, unit: Double = 203) throws(RecipeError) {
    self.mastering = try checked("The mastering peak in cd/m²", mastering, in: Self.peaks)
    self.display = try checked("The display's peak in cd/m²", display, in: Self.peaks)
    self.unit = try checked("The luminance of 1 in cd/m²", unit, in: 1...10_000)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// To the perceptual quantizer, a knee, and back; nothing where the display is as bright as the picture.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    if display >= mastering { return }
    let (peak, target) = (
      TransferFunction.pq.encode(mastering / 10_000), TransferFunction.pq.encode(display / 10_000)
    )
    program.affine(scale: unit / 10_000)
    program.append(.encode(.pq))
    program.affine(scale: 1 / peak)
    // The diagonal up to the knee, and from there a cubic that is level where it reaches the peak.
    let largest = target / peak
    let start = 1.5 * largest - 0.5
    let knee = Curve.cubic(CubicCurve([[start, start], [1, largest]], slopes: [[1, 0]]))
    program.append(.clamp(0...1))
    program.append(.curves("knee of BT.2390", knee, knee, knee))
    program.affine(scale: peak)
    program.append(.decode(.pq))
    program.affine(scale: 10_000 / unit)
  }
}

extension DisplayMapping: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<DisplayMapping>(
    "display-mapping", RecipeField("from", \.mastering), RecipeField("to", \.display),
    RecipeField("unit", \.unit, default: 203)
  ) { mastering, display, unit throws(RecipeError) in
    try DisplayMapping(from: mastering, to: display, unit: unit)
  }
}

extension Picture {
  /// This picture, made for a peak of `mastering` cd/m², as a display with a peak of `display` cd/m² can show it.
  public func displayMapping(
    from mastering: Double, to display: Double, unit: Double = 203
  ) -> Picture {
    applying { () throws(RecipeError) in
      try DisplayMapping(from: mastering, to: display, unit: unit)
    }
  }
}
