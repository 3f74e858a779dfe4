import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Film that is known: the frames that are compared with it, and scans of other color spaces.
@Suite struct FilmSpaceTests {
  private let scans: [Picture]
  private let roll: FilmRoll

  init() throws {
    let (film, names) = (FilmProcess.c41.film(), FilmRollFixture.names)
    scans = try names.indices.map { Picture(try FilmRollFixture.scan($0)) }
    roll = try FilmRoll(
      measuring: film, on: zip(names, scans).map { try film.frame($0, of: $1) })
  }

  private func light(_ picture: Picture) throws -> Bitmap<Float> {
    try picture.converted(to: .linearDisplayP3).render(as: Float.self)
  }

  private func largestDifference(_ one: Bitmap<Float>, _ other: Bitmap<Float>) -> Double {
    zip(one.samples, other.samples).map { abs(Double($0) - Double($1)) }.max() ?? .nan
  }

  /// Known tones, of a picked spot or of a roll, are not taken for those of each frame.
  @Test func framesAreMeasuredThoughTheFilmIsKnown() throws {
    let picked = FilmProcess.c41.film(
      base: .transmittance(FilmRollFixture.base), white: .transmittance([0.07, 0.04, 0.02]))
    let darker = scans[0].exposure(-0.5)
    let measured = try FilmProcess.c41.film().frame("", of: darker)
    for film in [picked, roll.film] {
      #expect(try film.frame("", of: darker) == measured)
      let known = try FilmRoll(measuring: film, on: [film.frame("", of: scans[0]), measured])
      #expect(known.film == film && known.frames.map(\.base).count == 2)
      #expect(known.finding(on: known.frames[0]) == nil)
      guard case .otherBase(let density)? = known.finding(on: known.frames[1]) else {
        Issue.record("The darker frame is not named.")
        continue
      }
      // Half a stop, within a bin of 1/65,535 of the base.
      #expect((density - SIMD3(repeating: 0.150515)).largest < 2e-4)
    }
  }

  /// A median of a region is measured as before.
  @Test func regionsOfFramesStayRegions() throws {
    let border = Region(x: 0, y: 0, width: 72, height: 3)
    let film = FilmProcess.c41.film(
      base: .region(border), white: .transmittance([0.07, 0.04, 0.02]))
    let base = try film.frame("", of: scans[2]).base
    #expect(try film.measured(on: scans[2]).base == .transmittance(base))
  }

  /// The same light in another space gives the same scene, in the space of its scan.
  @Test(arguments: [ColorSpace.acescg, .rec2020, .linearSRGB])
  func scansOfOtherSpacesAreConverted(space: ColorSpace) throws {
    let other = scans[0].converted(to: space)
    let (expected, found) = (scans[0].developed(roll.film), other.developed(roll.film))
    #expect(found.space == space && expected.space == .displayP3)
    // Rounding by two matrices, 1e-7 of white, in dense film whose values have a slope of 100.
    #expect(try largestDifference(light(expected), light(found)) < 1e-4)
    let frame = try roll.film.frame("", of: other)
    #expect(roll.finding(on: frame) == nil)
    #expect((frame.base - FilmRollFixture.base).largest < 5e-5)
    // Of a frame that was measured alone, the tones are converted.
    #expect(roll.finding(on: try FilmProcess.c41.film().frame("", of: other)) == nil)
    let film = try FilmProcess.c41.film().measured(on: scans[0])
    #expect(
      try largestDifference(light(scans[0].developed(film)), light(other.developed(film))) < 1e-4)
  }

  /// Recipes of scans in the film's own space are those of film without a space.
  @Test func recipesOfTheOwnSpaceKeepTheirHash() throws {
    var film = roll.film
    film.space = nil
    #expect(roll.film.space == ColorSpace.displayP3.linear)
    #expect(
      try scans[0].developed(roll.film).contentHash() == scans[0].developed(film).contentHash())
  }

  /// Without a space, transmittances are those of each scan, as in files of earlier versions.
  @Test func filmWithoutASpaceIsOfEachScan() throws {
    let text = """
      {"version": 1, "film": {"base": {"transmittance": [0.8, 0.46, 0.27]},
      "white": {"transmittance": [0.07, 0.04, 0.02]}, "contrast": [0.6, 0.6, 0.6]},
      "frames": [{"name": "1", "base": [0.8, 0.46, 0.27], "densest": [0.07, 0.04, 0.02]}]}
      """
    let old = try FilmRoll(json: text)
    #expect(old.film.space == nil && old.frames[0].space == nil)
    let other = scans[0].converted(to: .acescg)
    let border = try other.developed(old.film).render(as: Float.self)
    #expect(abs(border[1, 1, 0]) > 1e-3)
  }

  @Test func savedFilmStatesItsSpace() throws {
    let text = try roll.json()
    #expect(try FilmRoll(json: text) == roll)
    // Once: frames have the space of their film.
    #expect(text.ranges(of: "\"space\"").count == 1)
    var mixed = roll
    mixed.frames[0].space = .acescg
    #expect(try FilmRoll(json: mixed.json()) == mixed)
    #expect(
      try FilmRoll(json: #"{"version": 1, "film": {"space": "ACEScg"}}"#).film.space == .acescg)
    // Densities are of linear values.
    #expect(
      try FilmRoll(json: #"{"version": 1, "film": {"space": "Display P3"}}"#).film.space
        == ColorSpace.displayP3.linear)
  }

  /// Frames that the public initializer makes state no space, before and after the roll has one.
  @Test func framesWithoutASpaceAreReadAsTheyWereWritten() throws {
    let frame = FilmRoll.Frame(name: "a", base: [0.8, 0.46, 0.27], densest: [0.07, 0.04, 0.02])
    var late = FilmRoll(.colorNegative(), frames: [frame])
    #expect(try late.frames[0].space == nil && FilmRoll(json: late.json()) == late)
    late.film = roll.film
    var added = roll
    added.frames.append(frame)
    for roll in [FilmRoll(roll.film, frames: [frame]), late, added] {
      #expect(roll.frames.last?.space == roll.film.space)
      let read = try FilmRoll(json: roll.json())
      #expect(read == roll && read.hashValue == roll.hashValue)
    }
  }

  @Test func rollsOfTwoSpacesAreRefused() throws {
    let film = FilmProcess.c41.film()
    let other = scans[1].converted(to: .acescg)
    let frames = try [film.frame("a", of: scans[0]), film.frame("b", of: other)]
    let error = #expect(throws: RecipeError.self) { try FilmRoll(measuring: film, on: frames) }
    #expect("\(error!)".contains("“b” was measured in ACEScg"), "\(error!)")
    // In one of them.
    let converted = try [frames[0], film.frame("b", of: other.converted(to: .displayP3))]
    #expect(try FilmRoll(measuring: film, on: converted).film.space == roll.film.space)
  }

  /// Grays have three equal channels in every space.
  @Test func grayScansHaveNoSpace() throws {
    let gray = scans[0].converted(
      to: ColorSpace(
        "gray", primaries: .rec709, transfer: ColorSpace.sRGB.transfer, isGray: true))
    let film = try FilmProcess.blackAndWhite.film().measured(on: gray)
    #expect(film.space == nil)
    #expect(try roll.film.frame("", of: gray).base.largest > 0.4)
  }
}
