import ColorSpaces
import Testing

/// The documents that constants come from.
@Suite struct SourceTests {
  @Test func everyNamedSpaceStatesTheSourcesOfItsConstants() {
    #expect(ColorSpace.all.count >= 129)
    for space in ColorSpace.all {
      #expect(!space.primaries.sources.isEmpty, "\(space) has primaries without a source.")
      #expect(
        space.transfer.isLinear || !space.transfer.sources.isEmpty,
        "\(space) has a transfer function without a source: \(space.transfer).")
      // Other white points than D65 are adapted by Bradford on the way to the hub.
      #expect(
        space.primaries.white == .d65
          || space.sources.contains(where: ChromaticAdaptation.bradford.sources.contains))
      #expect(Set(space.sources).count == space.sources.count, "\(space) repeats a source.")
    }
  }

  @Test func everyNamedTransferFunctionStatesItsSources() {
    for function in TransferFunction.named + Array(TransferFunction.logC3ByExposureIndex.values)
    where !function.isLinear {
      #expect(!function.sources.isEmpty, "\(function)")
    }
  }

  @Test func everyAdaptationStatesItsSources() {
    for adaptation in ChromaticAdaptation.named {
      #expect(!adaptation.sources.isEmpty, "\(adaptation)")
    }
  }

  @Test func everyDifferenceFormulaStatesItsSources() {
    let formulas: [ColorDifference] = [
      .cie76, .cie94(), .ciede2000(), .cmc(), .hyAB, .ok, .itp, .jz, .cam16, .din99o,
    ]
    for formula in formulas { #expect(!formula.sources.isEmpty, "\(formula)") }
  }

  @Test func everyVideoMatrixStatesItsSources() {
    let matrices: [VideoEncoding.Matrix] = [
      .rec601, .rec709, .rec2020, .smpte240M, .fcc, .derived(from: .p3), .constantLuminance, .yCgCo,
      .iCtCpPQ, .iCtCpHLG,
    ]
    for matrix in matrices { #expect(!matrix.sources.isEmpty, "\(matrix)") }
    let video = ColorSpace.rec709.asVideo(.rec709, .narrow(bits: 8))
    #expect(Set(video.sources).isSuperset(of: ColorSpace.rec709.sources))
  }

  /// No source is empty, and clauses and editions are not written into the name of a document.
  @Test func sourcesAreWellFormed() {
    for source in ColorSpace.all.flatMap(\.sources) {
      for part in [source.document, source.edition ?? "-", source.clause ?? "-"] {
        #expect(!part.isEmpty && part.first?.isWhitespace == false && part.last != ",", "\(source)")
      }
    }
  }

  @Test func constantsOfOthersHaveNoSource() {
    var primaries = Primaries.p3
    primaries.red = Chromaticity(0.7, 0.3)
    #expect(primaries.sources.isEmpty)
    #expect(Primaries.p3.sources == [Source("SMPTE EG 432-1", edition: "2010")])
    #expect(TransferFunction.gamma(2.3).sources.isEmpty)
    // Sources do not change what is equal.
    #expect(
      Primaries(red: Primaries.p3.red, green: Primaries.p3.green, blue: Primaries.p3.blue) == .p3)
    #expect(TransferFunction.gamma(2.6) == ColorSpace.dciP3.transfer)
  }

  @Test func derivedFunctionsKeepTheSources() {
    #expect(ColorSpace.lch.transfer.sources == ColorSpace.lab.transfer.sources)
    #expect(TransferFunction.sRGB.belowZero(.clamped).sources == TransferFunction.sRGB.sources)
    #expect(ColorSpace.displayP3.linear.sources == Primaries.p3.sources)
    #expect(Set(ColorSpace.din99o.sources).isSuperset(of: ColorSpace.lab.transfer.sources))
  }

  @Test func descriptionsReadDocumentEditionAndClause() {
    #expect("\(Source("Rec. X", edition: "2015", clause: "table 4"))" == "Rec. X, 2015, table 4")
    #expect("\(Source("Rec. X", clause: "table 4"))" == "Rec. X, table 4")
  }
}
