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
  /// A step by the option that asks for it.
  struct Step {
    let name: String
    var placement = PixelPlacement.kept
    /// The traits of the step's filter, without those of a recipe.
    var ownTraits: Set<FilterTrait> = []
    /// Whether linear light is unchanged, besides by the steps of its recipe.
    var ownKeepsLight = true
    /// Whether the proportions of the picture may change, besides by the steps of its recipe.
    var ownStretches = false
    /// The recipe that the step applies.
    var recipe: RecipeFile?
    /// The conversion that the step is, for which tones may be mapped first.
    var conversion: Conversion?
    var kernel = KernelUse.none
    /// Whether the step crops to a region that it measures.
    var isTrim = false
    let change: (Picture, PictureSteps, Session) throws -> Picture

    /// The traits of the step's filter or recipe.
    var traits: Set<FilterTrait> { ownTraits.union((try? recipe?.recipe().traits) ?? []) }

    /// Whether linear light is unchanged.
    var keepsLight: Bool { recipe?.keepsLight ?? ownKeepsLight }

    /// Whether the proportions of the picture may change.
    var stretches: Bool { recipe?.stretches ?? ownStretches }

    /// Whether the step only moves and resizes pixels.
    var moves: Bool { placement == .resized || placement == .moved }

    /// Whether pixels stay where they are. The size may change.
    var keepsPlace: Bool { placement == .kept && recipe?.keepsPlace != false }

    /// Whether a picture that the step changed is the same picture in place, or resized.
    func onlyResizes(_ picture: Picture, to changed: Picture) -> Bool {
      switch placement {
      case .kept: changed.region == picture.region && keepsPlace
      case .resized: true
      case .moved, .replaced: false
      }
    }
  }

  /// A conversion by --to, and its place among the steps, on which its tone mapping depends.
  struct Conversion {
    let end: ICCTransform.Link
    /// The number of steps before it.
    let position: Int
    /// Whether no --to is before it.
    let isFirst: Bool
  }

  /// Whether a step resamples by the kernel of --kernel.
  enum KernelUse {
    /// The step resamples nothing.
    case none
    /// The step resamples by the kernel of --kernel.
    case common
    /// The step names a kernel of its own.
    case own
  }

  /// A picture after some of the steps.
  struct Stage {
    /// The option of the last step.
    let name: String
    var picture: Picture
    /// Whether the picture is the source in place, or resized as a whole.
    let isOnlyResized: Bool
    /// Whether the last step may have changed the proportions of the picture.
    var isStretched = false
    /// Whether a conversion so far mapped tones.
    var hasMappedTones = false
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
