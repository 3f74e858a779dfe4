import Colorloom
import ImageFiles

/// What `--dither` asks for.
enum DitherChoice: Equatable {
  case by(Dither)
  /// Rounding to the nearest level or entry of a palette.
  case toNearest

  /// The dither of samples; nil rounds to nearest.
  var method: Dither? {
    if case .by(let dither) = self { return dither }
    return nil
  }
}

extension PictureOutput {
  /// Throws where the options for samples contradict the palette of a file.
  func checkPalette(of file: PictureFile) throws {
    guard let count = file.writing.paletteColors,
      (file.format ?? ImageFileFormat(ofFileNamed: file.path))?.hasPalette(file.writing) == true
    else { return }
    if let samples = file.samples, samples != .uint8 {
      throw Misuse(
        "“--colors \(count)” writes a palette, which holds 8 bits a sample, and “--samples” asks for \(samples). Leave out one of "
          + "them.")
    }
    if case .by(let dither) = dither, dither != .errorDiffusion {
      throw Misuse(
        "“--colors \(count)” writes a palette, which is dithered by error diffusion. Pass “--dither error-diffusion” or “--dither none”."
      )
    }
  }
}
