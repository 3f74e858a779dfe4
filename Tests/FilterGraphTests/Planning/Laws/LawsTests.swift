import ColorSpaces
import FilterGraph
import Testing
import _TestSupport

/// Every rewrite preserves the meaning of a program.
@Suite struct LawsTests {
  private static let exposed = PointProgram.Stage.affine(
    scale: [2, 2, 2], offset: .zero)
  private static let inverted = PointProgram.Stage.affine(
    scale: [-1, -1, -1], offset: .one)
  private static let matrix = PointProgram.Stage.matrix(
    ColorSpace.displayP3.matrix(to: .sRGB))
  private static let stages: [PointProgram.Stage] = [
    exposed, inverted, matrix, .matrix(ColorSpace.sRGB.matrix(to: .displayP3)),
    .matrix(.identity), .affine(scale: .one, offset: .zero), .decode(.sRGB), .encode(.sRGB),
    .decode(.linear), .encode(.gamma(2.2)), .decode(.gamma(2.2)), .premultiply, .unpremultiply,
    .clamp(0...1), .curves("nothing", .identity, .identity, .identity),
  ]

  /// Each law of programs alone, and all of them: nil.
  @Test(arguments: [nil, .identities, .inverses, .merging, .alpha, .coordinates] as [Law?])
  func rewritesPreserveTheMeaningOfPrograms(law: Law?) {
    // Removed identities leave no trace; other rewrites change the rounding.
    let isExact = law == .identities || law == .coordinates
    let programs = Generator.array(of: .int(in: 0...Self.stages.count - 1), count: 0...9)
    let channel = Generator.double(in: -0.5...1.5)
    checkProperty(
      "simplified = plain", programs, .zip(channel, channel, channel), .double(in: 0.1...1),
      cases: 2000
    ) { indices, channels, alpha in
      let program = PointProgram(indices.map { Self.stages[$0] })
      let color = SIMD3(channels.0, channels.1, channels.2)
      let plain = program(color, alpha: alpha)
      let rewritten =
        law.map { PointProgram(Laws.applying($0, to: program.stages)) } ?? Laws.simplify(program)
      let simplified = rewritten(color, alpha: alpha)
      if isExact {
        if plain != simplified { throw Failure("\(program) gives \(plain), then \(simplified)") }
        return true
      }
      // sRGB's two printed thresholds leave a gap: between them decoding and encoding differ by 3·10⁻⁸ (IEC 61966-2-1),
      // which nine stages may amplify a thousandfold.
      for index in 0..<3 where abs(plain[index]) < 1e3 {
        let error = abs(plain[index] - simplified[index])
        if error > 1e-4 * max(1, abs(plain[index])) {
          throw Failure("\(program) gives \(plain), simplified \(simplified)")
        }
      }
      return true
    }
  }

  @Test func inverseCurvesCancel() {
    #expect(text([.decode(.sRGB), .encode(.sRGB)]) == "")
    #expect(text([.encode(.sRGB), .decode(.sRGB)]) == "")
    #expect(text([.encode(.sRGB), .decode(.gamma(2.2))]) == "encode sRGB → decode gamma 2.2")
  }

  @Test func clampedCurvesDoNotCancel() {
    let clamped = TransferFunction.sRGB.belowZero(.clamped)
    #expect(text([.decode(clamped), .encode(clamped)]) == "decode sRGB → encode sRGB")
  }

  @Test func coordinatesCancelAsTheCurvesInThemDo() {
    for (policy, isEmpty) in [(NegativePolicy.mirrored, true), (.clamped, false)] {
      let space = ColorSpace("tested", primaries: .rec709, transfer: .sRGB.belowZero(policy))
      let video = space.asVideo(.rec709, .full(bits: 8)).transfer
      #expect(text([.decode(video), .encode(video)]).isEmpty == isEmpty)
    }
  }

  @Test(arguments: ColorSpace.all)
  func coordinatesEqualTheirStages(_ space: ColorSpace) {
    let program: Laws.Stages = [.decode(space.transfer), .encode(space.transfer)]
    let expanded = Laws.applying(.coordinates, to: program)
    for case .decode(let transfer) in expanded { #expect(transfer.curves != nil) }
    let channel = Generator.double(in: -1...2)
    checkProperty("\(space)", .zip(channel, channel, channel)) { x, y, z in
      let color = SIMD3(x, y, z)
      return PointProgram(expanded)(color) == PointProgram(program)(color)
    }
  }

  @Test func linearStagesMerge() {
    #expect(text([Self.exposed, Self.inverted]) == "affine ×-2 +1")
    #expect(text([Self.inverted, Self.inverted]) == "")
    #expect(text([Self.exposed, Self.matrix]) == "matrix")
    #expect(text([Self.matrix, Self.matrix, Self.exposed]) == "matrix")
    #expect(text([Self.inverted, Self.matrix]) == "affine ×-1 +1 → matrix")
  }

  @Test func premultiplicationCancelsAcrossMixing() {
    #expect(text([.unpremultiply, Self.matrix, .premultiply]) == "matrix")
    #expect(text([.premultiply, .unpremultiply]) == "")
    #expect(
      text([.unpremultiply, .decode(.sRGB), .premultiply])
        == "unpremultiply → decode sRGB → premultiply")
    #expect(
      text([.unpremultiply, Self.inverted, .premultiply])
        == "unpremultiply → affine ×-1 +1 → premultiply")
  }

  private func text(_ stages: [PointProgram.Stage]) -> String {
    Laws.simplify(PointProgram(stages)).description
  }
}
