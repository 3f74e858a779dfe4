import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Text files of tone curves.
@Suite struct CurveFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func read(_ text: String) throws -> CurveDevelopment {
    let path = folder.path("film.curves")
    try Data(text.utf8).write(to: URL(filePath: path))
    return try CurveDevelopment(contentsOf: path)
  }

  @Test func shippedRecipeEqualsThePublishedOne() throws {
    let shipped = try CurveDevelopment(contentsOf: Fixtures.url("film.curves").path)
    let published = CurveDevelopment.published()
    #expect(
      (shipped.red, shipped.green, shipped.blue) == (published.red, published.green, published.blue)
    )
    #expect(shipped.scale == published.scale)
    checkProperty("reversed", Generator<Double>.double(in: -1...2)) { x in
      // Five collinear points: some rounding errors of values around 1.
      abs(shipped.reversal(x) - (1 - x)) <= 1e-14
    }
  }

  @Test func wordsSelectSplinesAndScales() throws {
    let recipe = try read(
      """
      # A comment
      spline monotone
      over stored
      blue 0,0 1,1   # the order does not count
      green 0,0 .5,.25 1,1
      red 0,0 1,1
      """)
    #expect(recipe.reversal == .fallingDiagonal)
    #expect(recipe.scale == .stored)
    #expect(
      recipe.green
        == (try CubicCurve(through: [[0, 0], [0.5, 0.25], [1, 1]], interpolation: .monotone)))
  }

  /// The file takes the words of the filter, too.
  @Test func filterWordsAreAliases() throws {
    let curves = "red 0,0 1,1\ngreen 0,0 1,1\nblue 0,0 1,1\n"
    let recipe = try read(curves + "over square-root\nreversal 0,1 .5,.25 1,0")
    #expect(recipe.scale == .squareRoot)
    #expect(recipe.reversal == (try CubicCurve(through: [[0, 1], [0.5, 0.25], [1, 0]])))
  }

  @Test(
    arguments: [
      ("red 0,0 1,1\ngreen 0,0 1,1", "Missing: blue. A line such as “blue 0,0 1,1”"),
      ("all 0,1 1,0", "Missing: red, green, blue. A line such as “red 0,0 1,1”"),
      ("all 0,1 1,0\nreversal 0,1 1,0", "“reversal” stands twice"),
      ("red 0,0 1", "no point such as"),
      ("red 0,0 1,x", "is not a number"),
      ("red 0,0 0,1\ngreen 0,0 1,1\nblue 0,0 1,1", "Line 1"),
      ("spline cubic", "one of akima, catmull-rom"),
      ("purple 0,0 1,1", "is none of spline"),
      ("red 0,0 1,1\nblue 0,0 1,1\nRed 0,0 1,.5\ngreen 0,0 1,1", "Line 3"),
      ("red 0,0 1,1\nblue 0,0 1,1\nRed 0,0 1,.5\ngreen 0,0 1,1", "“red” stands twice"),
      ("over light\nover stored", "“over” stands twice"),
      ("spline linear\nspline linear", "“spline” stands twice"),
    ])
  func errorsNameTheMistake(text: String, sentence: String) {
    do {
      _ = try read(text)
      Issue.record("“\(text)” was read.")
    } catch {
      #expect("\(error)".contains(sentence), "\(error)")
      #expect("\(error)".hasSuffix(".") && !"\(error)".hasSuffix(".."), "\(error)")
    }
    #expect(throws: LookFileError.self) { try CurveDevelopment(contentsOf: "/no/such.curves") }
  }
}
