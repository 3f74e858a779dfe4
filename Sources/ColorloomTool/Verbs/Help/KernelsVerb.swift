import Colorloom

final class KernelsVerb: Verb {
  static let name = "kernels"
  static let summary = "list the resampling kernels, with their support and overshoot"
  static let discussion = """
    A kernel weighs the pixels around a place by their distance; “--resize 800x600,kernel=mitchell” chooses one. Beside these, \
    “lanczos5” and the like and “cubic (B, C)” are kernels. Where a picture shrinks, a kernel is widened in proportion. An interpolating \
    kernel keeps values where the size does not change; overshoot is how far an enlarged edge exceeds the brighter side.
    """
  static let example = "colorloom kernels"
  static var arguments: [Argument<KernelsVerb>] {
    [.flag("--json", "print a JSON array", \.printsJSON)]
  }

  var printsJSON = false

  private struct Report: Encodable {
    let name, word: String
    let reach: Double
    let interpolates: Bool
    let overshoot: Double
  }

  func run(in session: Session) {
    let kernels = ResamplingKernel.named.map { kernel in
      Report(
        name: kernel.name, word: kernel.word, reach: kernel.reach,
        interpolates: kernel.interpolates, overshoot: kernel.overshoot)
    }
    if printsJSON { return session.print(json: kernels) }
    for kernel in kernels {
      let percent = (kernel.overshoot * 1000).rounded() / 10
      session.print(
        "\(kernel.word): \(kernel.name), support \(kernel.reach.plainText) pixels, "
          + (kernel.interpolates ? "interpolates, " : "smooths, ")
          + (percent > 0 ? "overshoots by \(percent) %" : "no overshoot"))
    }
  }
}
