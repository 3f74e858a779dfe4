import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// What of a scan is film: neither its holder, nor missing rows, nor the light beside it.
@Suite struct FilmToneTests {
  private static let size = PixelSize(96, 72)
  private let scan: Bitmap<Float>
  private let film = NegativeFilm.colorNegative()

  init() throws {
    scan = try Picture(FilmFixture.scan(Self.size)).converted(to: .linearDisplayP3).render()
  }

  /// The scan with other pixels where `light` returns some.
  private func scan(_ light: (Int, Int) -> SIMD3<Float>?) -> Picture {
    Picture(
      Bitmap<Float>(Self.size, in: .linearDisplayP3, channels: .rgb) { x, y in
        guard let light = light(x, y) else { return (0..<3).map { scan[x, y, $0] } }
        return [light.x, light.y, light.z]
      })
  }

  /// A part of the border, so that the picture and some of the base remain.
  private func isLeft(_ x: Int) -> Bool { x < 2 }

  private func white(_ film: NegativeFilm) throws -> SIMD3<Double> {
    try #require(film.white.transmittance)
  }

  @Test(arguments: [0, 0.0005, 0.002, 0.004] as [Float])
  func aFilmHolderIsNoWhite(light: Float) throws {
    let held = scan { x, _ in isLeft(x) ? SIMD3(repeating: light) : nil }
    let (clean, found) = (try film.measured(on: Picture(scan)), try film.measured(on: held))
    #expect(found.base == clean.base)
    // 2 % of the scan less the holder are other pixels than 2 % of the scan: a third of a stop, where the holder is several.
    let ratio = try white(found) / white(clean)
    #expect(ratio.min() > 0.8 && ratio.max() < 1.25, "\(ratio)")
    let frame = try film.frame("held", of: held)
    let roll = try FilmRoll(measuring: film, on: [frame])
    guard case .black(let part)? = roll.finding(on: frame) else {
      Issue.record("\(String(describing: roll.finding(on: frame)))")
      return
    }
    #expect(abs(part - 2.0 / 96) < 1e-12)
    #expect(roll.finding(on: frame)?.description.contains("on 2 % of its area") == true)
    #expect(try FilmRoll(json: roll.json()) == roll)
  }

  /// Of noisy pixels, and with a blurred edge.
  @Test func aNoisyHolderIsNoWhite() throws {
    var generator = SeededGenerator(seed: 5)
    let held = scan { x, y in
      guard x < 4 else { return nil }
      // Half of the transmittance of the film beside it at the edge.
      if x == 3 { return SIMD3(scan[4, y, 0], scan[4, y, 1], scan[4, y, 2]) / 2 }
      return SIMD3(repeating: 0.002 + Float.random(in: -0.001...0.001, using: &generator))
    }
    let ratio = try white(film.measured(on: held)) / white(film.measured(on: Picture(scan)))
    #expect(ratio.min() > 0.8 && ratio.max() < 1.25, "\(ratio)")
  }

  /// Rows of zeros, as salvaging makes of missing ones, count neither for white nor for the base.
  @Test func missingRowsAreNoFilm() throws {
    let part = scan { _, y in y >= 24 ? .zero : nil }
    let rows = Picture(scan).cropped(to: Region(x: 0, y: 0, width: 96, height: 24))
    #expect(try film.measured(on: part) == film.measured(on: rows))
    let frame = try film.frame("part", of: part)
    #expect(abs(frame.black - 2.0 / 3) < 1e-12)
  }

  /// Without a gap, a dense part is film; a roll names it.
  @Test func denseFilmIsNamed() throws {
    let dense = scan { x, y in
      guard x < 24 else { return nil }
      let light = power(10, -Double(y) / 71 * 2.6)
      return SIMD3(Float(0.82 * light), Float(0.47 * light), Float(0.28 * light))
    }
    let frame = try film.frame("dense", of: dense)
    #expect(frame.black == 0)
    let roll = try FilmRoll(measuring: film, on: [frame])
    guard case .dense(let density)? = roll.finding(on: frame) else {
      Issue.record("\(String(describing: roll.finding(on: frame)))")
      return
    }
    #expect(density > 2 && density < 2.6)
  }

  @Test(arguments: [1, 0.97, 0.95, 0.7] as [Float])
  func lightBesideColorFilmIsNoBase(level: Float) throws {
    let holes = scan { x, y in isLeft(x) && y % 8 < 6 ? SIMD3(repeating: level) : nil }
    let (clean, found) = (try film.measured(on: Picture(scan)), try film.measured(on: holes))
    #expect(found.base == clean.base)
    let ratio = try white(found) / white(clean)
    #expect(ratio.min() > 0.8 && ratio.max() < 1.25, "\(ratio)")
    // The roll keeps how much was left out, 2 columns of 96 and six rows of eight.
    let frame = try film.frame("holes", of: holes)
    #expect(abs(frame.light - 1.5 / 96) < 1e-12 && frame.black == 0, "\(frame.light)")
    let roll = try FilmRoll(measuring: film, on: [frame])
    #expect(try roll.json().contains("\"light\"") && FilmRoll(json: roll.json()) == roll)
    #expect(try film.frame("clean", of: Picture(scan)).light == 0)
  }

  /// Of holes of dust, as of transparent pixels, nothing is kept.
  @Test func fewPixelsOfLightAreNotKept() throws {
    let dust = scan { x, y in x == 0 && y < 60 ? SIMD3(repeating: 1) : nil }
    #expect(try film.frame("dust", of: dust).light == 0)
  }

  /// A base that the scanner is balanced for is not the lamp, though blue lamps in a dark scene are as orange as a base.
  @Test func balancedBasesStay() throws {
    let dark = scan { x, _ in
      x < 30 ? SIMD3<Float>(0.14, 0.11, 0.06) : SIMD3(repeating: 0.8)
    }
    let base = try film.frame("dark", of: dark).base
    #expect((base - SIMD3(repeating: 0.8)).largest < 2e-5, "\(base)")
  }

  /// The base of black-and-white film is neutral, also in a scan that is developed as color film; that cannot be told from the light.
  @Test func neutralBasesStay() throws {
    let gray = scan { x, y in
      let light = scan[x, y, 1]
      return SIMD3(repeating: light)
    }
    let frame = try film.frame("gray", of: gray)
    let green = try FilmFixture.film().base.y
    #expect(abs(frame.base.x - green) < 3e-5)
    let roll = try FilmRoll(measuring: film, on: [frame])
    #expect(roll.finding(on: frame) == .neutralBase)
    let silver = NegativeFilm.blackAndWhite()
    let silverFrame = try silver.frame("gray", of: gray)
    #expect(silverFrame.base == frame.base)
    #expect(try FilmRoll(measuring: silver, on: [silverFrame]).finding(on: silverFrame) == nil)
  }
}
