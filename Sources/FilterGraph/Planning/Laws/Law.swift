/// A rewrite that a plan may do. Its name is what `colorloom laws` lists.
package enum Law: String, CaseIterable, Sendable {
  case identities, inverses, merging, alpha, coordinates, channels, crops, sharing, passes

  /// The effect, the condition and the bound of a law.
  package struct Declaration: Sendable {
    /// The effect, as a phrase.
    package let summary: String
    /// When it applies.
    package let condition: String
    /// The largest change of a sample, weighted by alpha and relative to values above 1; 0 where the bits stay the same.
    package let bound: Float
    /// The suite and the name of the property test that guards the law.
    package let test: String
  }

  /// The bound of laws that omit or reorder operations in single precision, each of which rounds by 2⁻²⁴; curves and
  /// gains after them amplify that.
  private static let rounding: Float = 1e-4

  /// The law's one declaration.
  package var declaration: Declaration {
    let programs = "LawsTests.rewritesPreserveTheMeaningOfPrograms"
    return switch self {
    case .identities:
      Declaration(
        summary: "drops stages that change nothing",
        condition: "factors are 1, offsets 0, a matrix is the identity, or a curve is linear",
        bound: Self.rounding, test: programs)
    case .inverses:
      Declaration(
        summary: "cancels a transfer function and its inverse",
        condition: "the two are neighbors, and the function is invertible for every number",
        bound: Self.rounding, test: programs)
    case .merging:
      Declaration(
        summary: "multiplies neighboring matrices and factors into one stage",
        condition: "both are linear, or both are affine channel by channel", bound: Self.rounding,
        test: programs)
    case .alpha:
      Declaration(
        summary: "cancels premultiplication and its inverse",
        condition: "nothing but matrices and factors lies between them", bound: Self.rounding,
        test: programs)
    case .coordinates:
      Declaration(
        summary: "replaces coordinates by the stages that compute them",
        condition: "no other law of programs applies any more", bound: Self.rounding,
        test: "LawsTests.coordinatesEqualTheirStages")
    case .channels:
      Declaration(
        summary: "computes three programs of one channel each in one pass",
        condition: "the channels come from one picture, and none depends on another channel",
        bound: Self.rounding, test: "ChannelLawTests.fusionDoesNotChangePixels")
    case .crops:
      // A crop that has moved changes no bit, but the programs before and after it are then rewritten as one.
      Declaration(
        summary: "moves crops before the programs that they follow, to the sources",
        condition: "the program does not depend on the position of a pixel", bound: Self.rounding,
        test: "RandomGraphTests.cropsEqualPartsOfTheWhole")
    case .sharing:
      Declaration(
        summary: "computes equal steps once",
        condition: "two steps do the same to the same input", bound: 0,
        test: "RandomGraphTests.equalStepsAreComputedOnce")
    case .passes:
      Declaration(
        summary: "runs neighboring stages in one pass over the pixels",
        condition: "every stage changes each pixel by itself", bound: Self.rounding,
        test: "RandomGraphTests.lawsPreserveTheMeaningOfGraphs")
    }
  }
}

extension RenderOptions {
  /// Whether plans use a law.
  func uses(_ law: Law) -> Bool {
    if disabledLaws.contains(law) { return false }
    return switch fusion {
    case .full: true
    case .withoutLaws: law == .sharing || law == .passes
    case .stageByStage: law == .sharing
    }
  }
}
