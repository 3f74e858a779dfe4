import Colorloom
import ICCProfiles
import ImageFiles

/// Where a step or filter leaves the pixels of a picture.
enum PixelPlacement {
  /// Pixels stay where they are. The size may change, such as by a larger layer.
  case kept
  /// The picture is resized as a whole.
  case resized
  case moved
  /// Other pixels take their place.
  case replaced
}

extension FilterCatalog.Entry {
  var placement: PixelPlacement {
    if traits.contains(.moves) { return .moved }
    return inputs.upperBound > 0 ? .kept : .replaced
  }

  /// Whether the filter resamples by a kernel.
  var takesKernel: Bool { parameters.contains { $0.name == "kernel" } }
}

/// An error of the picture after a step.
struct StepError: Error {
  /// The option that asks for the step.
  let option: String
  let error: RecipeError
}

extension PictureSteps {
  /// A picture after some of the steps.
  struct Stage {
    /// The option of the last step.
    let name: String
    var picture: Picture
    /// Whether the picture is the source in place, or resized as a whole.
    let isOnlyResized: Bool
    /// The regions to which the steps --trim so far cropped, in their order.
    var trims: [Region] = []
  }
}

/// A conversion to the ink channels of a profile.
struct InkSeparation {
  let profile: ICCProfile
  let rendering: ProfileRendering

  func callAsFunction(_ picture: Picture) throws -> InkPicture {
    try picture.inks(by: profile, rendering: rendering)
  }
}
