internal import CPixelKernels
internal import ColorSpaces

/// The box of colors that may have been rounded to a sample, tested for whether all of it is out of gamut.
struct RoundingBox: Sendable {
  private let precision: ColorPrecision
  private let transfer: TransferFunction
  private let toSource: ColorMatrix
  /// The upper limit of each channel of the gamut.
  private let peak: Double
  /// The rows of the matrix to the gamut, split into their positive and negative entries.
  private let raising, lowering: [SIMD3<Double>]
  private let kernel: cpk_boxes
  /// From linear values of the tested colors to those of the source, from there to encoded values, and back; nil for coordinates.
  private let programs: (toSource: LoweredProgram, encode: LoweredProgram, decode: LoweredProgram)?

  /// The tolerance in linear light, at the upper limit as a part of it, for coordinates such as CIELAB, whose boxes are no boxes in linear
  /// light.
  private static let ofCoordinates: Float = 0.001
  /// How far the kernels' boxes may be from those in double precision, per unit of light.
  private static let ofKernels: Float = 5e-6

  init(_ precision: ColorPrecision, from space: ColorSpace, _ gamut: ColorSpace) {
    self.precision = precision
    let source = precision.space
    (transfer, toSource) = (source.transfer, space.matrix(to: source))
    peak = gamut.peak
    let rows = source.matrix(to: gamut).rows
    raising = rows.map { $0.replacing(with: 0, where: $0 .< 0) }
    lowering = rows.map { $0.replacing(with: 0, where: $0 .> 0) }
    // The kernel's upper limit is 1: in its gamut, light is in units of the peak.
    let (up, down) = (
      raising.map { floats($0 / gamut.peak) }, lowering.map { floats($0 / gamut.peak) }
    )
    kernel = cpk_boxes(
      raising: (up[0], up[1], up[2]), lowering: (down[0], down[1], down[2]),
      tolerance: Float(ColorPrecision.computation / peak), doubt: Self.ofKernels / Float(peak))
    programs =
      transfer.curves == nil
      ? nil
      : (
        LoweredProgram(PointProgram([.matrix(toSource)])),
        LoweredProgram(PointProgram([.encode(transfer)])),
        LoweredProgram(PointProgram([.decode(transfer)]))
      )
  }

  /// Whether the whole box around `light` is out of gamut; `inGamut` is its value in the gamut's linear space.
  func excludes(_ light: SIMD3<Float>, _ inGamut: SIMD3<Float>, _ alpha: Float) -> Bool {
    if programs == nil {
      let bound = Float(peak) * (1 + Self.ofCoordinates)
      return any(inGamut .< -Self.ofCoordinates) || any(inGamut .> bound)
    }
    let source = toSource * SIMD3<Double>(light)
    let stored = transfer.encode(source)
    let alpha = Double(alpha)
    let error = SIMD3(
      precision.error(of: stored.x, alpha: alpha, in: 0),
      precision.error(of: stored.y, alpha: alpha, in: 1),
      precision.error(of: stored.z, alpha: alpha, in: 2))
    let (a, b) = (transfer.decode(stored - error), transfer.decode(stored + error))
    // Curves of negatives are decreasing.
    let (low, high) = (pointwiseMin(a, b), pointwiseMax(a, b))
    let tolerance = ColorPrecision.computation * max(1, abs(source.x), abs(source.y), abs(source.z))
    return zip(raising, lowering).contains { raising, lowering in
      let least = (raising * low + lowering * high).sum()
      let greatest = (raising * high + lowering * low).sum()
      return greatest < -tolerance || least > peak + tolerance
    }
  }

  /// Writes for each color 1 if `excludes` is true, -1 if it is false, and 0 where single precision cannot tell.
  func judge(_ count: Int, _ colors: ColorPlanes, in workspace: BoundaryWorkspace) {
    let (light, low, high) = (workspace.light, workspace.low, workspace.high)
    guard let programs else { return workspace.verdicts.update(repeating: 0, count: count) }
    light.compute(count, from: colors, by: programs.toSource)
    low.compute(count, from: light, by: programs.encode)
    for channel in 0..<3 {
      let uniform = precision.isUniform ? Float(precision.error(of: 0, alpha: 1, in: channel)) : nil
      for index in 0..<count {
        let stored = low[channel, index]
        let error =
          uniform
          ?? Float(
            precision.error(of: Double(stored), alpha: Double(colors[3, index]), in: channel))
        (low[channel, index], high[channel, index]) = (stored - error, stored + error)
      }
    }
    low.compute(count, from: low, by: programs.decode)
    high.compute(count, from: high, by: programs.decode)
    withUnsafePointer(to: kernel) {
      kernels.judge_boxes(
        $0, light.base, low.base, high.base, ColorPlanes.capacity, count, workspace.verdicts)
    }
  }
}
