import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// One film for all frames of a roll.
@Suite struct FilmRollTests {
  private let scans: [Picture]

  init() throws {
    scans = try FilmRollFixture.names.indices.map { Picture(try FilmRollFixture.scan($0)) }
  }

  private func roll(
    of film: NegativeFilm = FilmProcess.c41.film(), _ frames: [Int] = [0, 1, 2, 3, 4]
  ) throws -> FilmRoll {
    try FilmRoll(
      measuring: film, on: frames.map { try film.frame(FilmRollFixture.names[$0], of: scans[$0]) })
  }

  /// Base and white of the model, though a frame has no border, one is blank and one dim.
  @Test func filmIsMeasuredThroughOutliers() throws {
    let (film, model) = (try roll().film, try FilmRollFixture.film())
    let base = try #require(film.base.transmittance)
    let white = try #require(film.white.transmittance)
    // Half a bin of 1/65535, and half a code of 16 bits where the curve of Display P3 has a slope of 2.
    #expect((base - model.base).largest < 2.5e-5)
    // The exposure of the channel with the largest error, a bin of its transmittance of 0.025, holds for all: 0.06 %.
    #expect(((white - model.white) / model.white).largest < 1e-3)
  }

  @Test func scenesAreRestored() throws {
    let film = try roll().film
    for frame in scans.indices {
      let light = try scans[frame].developed(film).converted(to: .linearDisplayP3)
        .render(as: Float.self)
      let scene = FilmRollFixture.scene(frame)
      var largest = 0.0
      for y in 0..<scene.size.height {
        for x in 0..<scene.size.width {
          for channel in 0..<3 {
            let meant = Double(scene[x, y, channel])
            // 0.06 % of white's transmittance is 0.1 % of exposure at γ = 0.6; the same of the toe at 1/50.
            largest = larger(
              largest, abs(Double(light[x, y, channel]) - meant) / (meant + 0.02))
          }
        }
      }
      #expect(largest < 2e-3, "\(FilmRollFixture.names[frame])")
    }
  }

  /// With one film, one transmittance is one light; measured alone, frames disagree.
  @Test func framesAgreeInTheGrayPatch() throws {
    func grays(_ film: (Picture) throws -> NegativeFilm) throws -> [Float] {
      try [0, 1, 2, 4].map { frame in
        let light = try scans[frame].developed(film(scans[frame])).converted(to: .linearDisplayP3)
          .render(as: Float.self)
        return light[FilmRollFixture.patch.x, FilmRollFixture.patch.y, 1]
      }
    }
    let film = try roll().film
    let together = try grays { _ in film }
    #expect(Set(together).count == 1)
    #expect(abs(Double(together[0]) - FilmRollFixture.gray) < 4e-4)
    let alone = try grays { try FilmProcess.c41.film().measured(on: $0) }
    // The white of the dim frame is half of that of the others.
    #expect(alone[1] > 1.8 * alone[0])
  }

  @Test func framesThatDifferAreNamed() throws {
    let roll = try roll()
    let findings = roll.frames.map { roll.finding(on: $0) }
    #expect(findings[0] == nil && findings[1] == nil && findings[4] == nil)
    guard case .otherBase(let density) = findings[2], case .blank(let most) = findings[3] else {
      Issue.record("\(findings)")
      return
    }
    // γ · log₁₀(1 + 50 · 0.1) by the model for the border, and somewhat less for darker parts.
    #expect(density.min() > 0.05 && density.max() < 0.48)
    #expect(most < 0.01)
    #expect(
      "\(findings[2]!)".hasPrefix(
        "shows no unexposed film. Its brightest tone differs from the base by densities of +0."))
    #expect("\(findings[3]!)".hasPrefix("is blank. Nothing is denser than 0."))
    let leak = FilmRoll.Frame(name: "leak", base: [0.97, 0.97, 0.97], densest: [0.1, 0.05, 0.03])
    #expect(
      roll.finding(on: leak).map { "\($0)" }?.hasPrefix("shows light beside the film. ") == true)
  }

  /// Where the order of frames, or one leak among five, moves nothing.
  @Test func measureDoesNotDependOnOrderOrOneLeak() throws {
    let (film, forward) = (FilmProcess.c41.film(), try roll())
    #expect(try FilmRoll(measuring: film, on: forward.frames.reversed()).film == forward.film)
    var frames = forward.frames
    frames[1] = FilmRoll.Frame(name: "leak", base: [0.97, 0.97, 0.97], densest: frames[1].densest)
    #expect(try FilmRoll(measuring: film, on: frames).film.base == forward.film.base)
  }

  @Test func knownTonesAreKept() throws {
    let white = SIMD3(0.07, 0.04, 0.02)
    let film = FilmProcess.c41.film(
      base: .transmittance([0.8, 0.5, 0.3]), white: .transmittance(white))
    #expect(try roll(of: film).film == film)
    // The blank frame alone gives the base.
    let base = try FilmRoll(
      measuringBaseOf: FilmProcess.c41.film(), on: [FilmProcess.c41.film().frame("", of: scans[3])])
    #expect(base.film.white == .automatic)
    let tone = try #require(base.film.base.transmittance)
    #expect((tone - FilmRollFixture.base).largest < 2.5e-5)
  }

  @Test func nothingToMeasureIsAnError() throws {
    #expect(throws: RecipeError.self) { try roll(of: FilmProcess.c41.film(), []) }
    let error = #expect(throws: RecipeError.self) { try roll(of: FilmProcess.c41.film(), [3]) }
    #expect("\(error!)".contains("0.1 above the base"))
  }

  /// Frames of a caller; no scan has such tones.
  @Test(arguments: [Double.nan, .infinity, -.infinity]) func tonesOfFramesAreFinite(tone: Double) {
    for frame in [
      FilmRoll.Frame(name: "odd", base: [0.8, tone, 0.3], densest: [0.1, 0.1, 0.1]),
      FilmRoll.Frame(name: "odd", base: [0.8, 0.5, 0.3], densest: [0.1, 0.1, tone]),
    ] {
      let error = #expect(throws: RecipeError.self) {
        try FilmRoll(measuring: FilmProcess.c41.film(), on: [frame])
      }
      #expect(error.map { "\($0)".contains("tones of “odd” must be finite") } == true)
    }
  }

  @Test func filmIsReadAsItWasWritten() throws {
    let roll = try roll()
    #expect(try FilmRoll(json: roll.json()) == roll)
    var own = FilmRoll(
      FilmProcess.blackAndWhite.film(base: .region(Region(x: 1, y: 2, width: 3, height: 4))))
    own.film.offset = [0.01, 0, 0.02]
    #expect(try FilmRoll(json: own.json()) == own)
    // Omitted members have the defaults of color film that is to be measured.
    #expect(try FilmRoll(json: #"{"version": 1, "film": {}}"#).film == .colorNegative())
  }

  @Test(
    arguments: [
      ("{", "Line 1"), (#"{"version": 2, "film": {}}"#, "version"), (#"{"version": 1}"#, "film"),
      (#"{"version": 1, "film": {"contrast": [0, 1, 1]}}"#, "contrast"),
      (#"{"version": 1, "film": {"bass": [0, 1, 1]}}"#, "base"),
      (
        #"{"version": 1, "film": {"base": {"transmittance": [0.8, 0, 0.5]}}}"#,
        "film.base.transmittance: "
      ),
      (#"{"version": 1, "film": {"white": {"transmittance": [-0.25, 1, 1]}}}"#, "-0.25"),
      (#"{"version": 1, "film": {}, "frames": [{"name": "a", "base": [1, 1]}]}"#, "frames[0].base"),
    ])
  func badFilmIsRefused(text: String, named: String) {
    let error = #expect(throws: RecipeDecodingError.self) { try FilmRoll(json: text) }
    #expect(error.map { "\($0)".contains(named) } == true, "\(error!)")
  }

  @Test func processesHaveSources() {
    #expect(Set(FilmProcess.all.map(\.name)).count == FilmProcess.all.count)
    for process in FilmProcess.all {
      #expect(process.source.count > 20 && process.film().contrast == process.contrast)
    }
    // ISO 6: 0.80 over 1.30.
    #expect(abs(FilmProcess.blackAndWhite.contrast.x * 1.3 - 0.8) < 1e-15)
  }
}
