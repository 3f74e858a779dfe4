internal import ColorSpaces

/// What the values of a pixel mean after a stage: their space, and how they are encoded.
struct PixelForm: Sendable {
  var space: ColorSpace
  var state: PixelState
  /// The transfer function that a filter encoded them with, where it is not the space's.
  var transfer: TransferFunction?
  /// Whether the values are between two encodings: a transfer function of coordinates was computed in part.
  var isPartial = false

  init(_ space: ColorSpace, _ state: PixelState) { (self.space, self.state) = (space, state) }

  /// The encoding in words.
  var encoding: String {
    if isPartial { return "partly encoded" }
    return transfer.map { "encoded as \($0)" } ?? state.light.rawValue
  }

  /// The form after each of some stages, which lead from one form to another.
  static func forms(
    of stages: [PointProgram.Stage], from start: PixelForm, to end: PixelForm
  ) -> [PixelForm] {
    var form = start
    return stages.enumerated().map { index, stage in
      if index == stages.count - 1 { return end }
      form.apply(stage)
      return form
    }
  }

  /// Follows a stage: those that change colors and not what values mean leave the form as it is.
  private mutating func apply(_ stage: PointProgram.Stage) {
    switch stage {
    case .decode:
      state.light = .linear
      transfer = nil
    case .encode(let function):
      let isOwn = function == space.transfer
      let isPerceptual = function == .gamma(2) && !isOwn
      state.light = isPerceptual ? .perceptual : .encoded
      transfer = isOwn || isPerceptual ? nil : function
    case .premultiply: state.isPremultiplied = true
    case .unpremultiply: state.isPremultiplied = false
    default: break
    }
  }
}

/// Values of an encoding in a space, in words: “encoded sRGB”. The names of some linear spaces say that they are linear: “linear sRGB”.
func valuesText(_ encoding: String, _ alpha: String = "", in space: String) -> String {
  let isStated = encoding == PixelState.Light.linear.rawValue && space.hasPrefix("linear ")
  return (isStated ? [alpha, space] : [encoding + (alpha.isEmpty ? "" : ", \(alpha)"), space])
    .filter { !$0.isEmpty }.joined(separator: " ")
}

extension Node {
  /// The form after each stage of the node's program.
  func forms(of program: PointProgram) -> [PixelForm] {
    if stageForms.count == program.stages.count { return stageForms }
    let end = PixelForm(space, state)
    let start = inputs.first.map { PixelForm($0.space, $0.state) } ?? end
    return PixelForm.forms(of: program.stages, from: start, to: end)
  }
}
