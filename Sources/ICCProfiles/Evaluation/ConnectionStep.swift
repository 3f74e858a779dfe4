internal import ColorSpaces

/// The white point of the profile connection space, as profiles store it (ICC.1:2022, 7.2.16).
let connectionWhite = SIMD3(Double(0xF6D6), Double(0x1_0000), Double(0xD32D)) / 65_536

/// The step between two profiles: from Lab or XYZ to Lab or XYZ, with white point and black point scaling in XYZ.
struct ConnectionStep {
  private let source, target: ColorModel
  private let scale, offset: SIMD3<Double>

  init(
    from source: ColorModel, to target: ColorModel, scale: SIMD3<Double> = .one,
    offset: SIMD3<Double> = .zero
  ) {
    (self.source, self.target) = (source, target)
    (self.scale, self.offset) = (scale, offset)
  }

  /// Creates a step that scales XYZ so that one black becomes another and white is unchanged.
  init(
    from source: ColorModel, to target: ColorModel, black: SIMD3<Double>,
    becoming newBlack: SIMD3<Double>
  ) {
    let scale = (newBlack - connectionWhite) / (black - connectionWhite)
    self.init(
      from: source, to: target, scale: scale, offset: connectionWhite * (SIMD3.one - scale))
  }

  /// Whether the change is so small that Little CMS skips it.
  private var isNegligible: Bool {
    let changes = (scale - 1).magnitudes + offset.magnitudes / (65_535.0 / 32_768)
    return changes.sum() < 0.002
  }

  var stages: [ChannelStage] {
    if source == target && isNegligible { return [] }
    var stages: [ChannelStage] = []
    if source == .lab { stages.append(.colors(labToXYZ)) }
    if !isNegligible {
      stages.append(.mix(ChannelMatrix(ColorMatrix(diagonal: scale), offset: offset)))
    }
    if target == .lab { stages.append(.colors(xyzToLab)) }
    return stages
  }
}

private let labToXYZ = PointProgram([
  .decode(ColorSpace.lab.transfer), .matrix(ColorMatrix(diagonal: connectionWhite)),
])

private let xyzToLab = PointProgram([
  .matrix(ColorMatrix(diagonal: .one / connectionWhite)), .encode(ColorSpace.lab.transfer),
])

func xyz(ofLab lab: SIMD3<Double>) -> SIMD3<Double> { labToXYZ(lab) }

func lab(ofXYZ xyz: SIMD3<Double>) -> SIMD3<Double> { xyzToLab(xyz) }
