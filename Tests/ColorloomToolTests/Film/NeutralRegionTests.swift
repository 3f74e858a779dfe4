import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Contrasts that “develop” fits to neutral regions.
@Suite struct NeutralRegionTests {
  private let folder: TemporaryFolder
  /// The scan of a wedge of five patches, each two stops darker than the one before.
  private let wedge: String
  private let contrast = [0.57, 0.63, 0.70]

  init() throws {
    let (base, toe) = (SIMD3(0.71, 0.39, 0.22), SIMD3(0.021, 0.016, 0.013))
    let gamma = contrast
    let scan = Bitmap<Float>(PixelSize(60, 20), in: .linearDisplayP3, channels: .rgb) { x, y in
      // A border of unexposed film above.
      let light = y < 8 ? 0 : 0.9 * power(0.25, Double(x / 12))
      return (0..<3).map { Float(base[$0] * power(1 + light / toe[$0], -gamma[$0])) }
    }
    folder = try TemporaryFolder()
    wedge = folder.path("wedge.png")
    let codes = try Picture(scan).converted(to: .displayP3).render(as: UInt16.self)
    try ImageFile.write(.uint16(codes), to: wedge)
  }

  private let regions = ["--film-neutral-regions", "2,10,8x8;26,10,8x8;38,10,8x8"]
  private let green = ["--film-contrast", "0.6,0.63,0.6"]
  private var print: String { folder.path("print.png") }

  private struct Report: Decodable {
    struct Film: Decodable { let base, white, contrast: [Double] }
    let film: Film
  }

  private func develop(_ words: [String]) -> Transcript {
    run(["develop", wedge, print, "--exposure=-0.5"] + words)
  }

  private func expectContrasts(_ found: [Double]) {
    // A code of 16 bits is a part of 10⁻³ of the densest patch in blue.
    #expect(found.count == 3 && zip(found, contrast).allSatisfy { abs($0 - $1) < 1e-3 }, "\(found)")
  }

  /// The film of the report is that of the method in Swift, and the print has no tint.
  @Test func contrastsAreFittedAndReported() throws {
    let transcript = develop(green + regions + ["--json"])
    #expect(transcript.status == .done, "\(transcript.errors)")
    let found = try transcript.report(as: Report.self).film
    expectContrasts(found.contrast)
    #expect(found.contrast[1] == 0.63)
    var film = NegativeFilm.colorNegative()
    film.contrast = [0.6, 0.63, 0.6]
    let patches = [2, 26, 38].map { Region(x: $0, y: 10, width: 8, height: 8) }
    let fitted = try film.fittingContrasts(on: Picture(contentsOf: wedge), neutral: patches)
    #expect(found.contrast == (0..<3).map { fitted.contrast[$0] })
    let bitmap = try folder.bitmap("print.png")
    for x in stride(from: 6, to: 60, by: 12) {
      let codes = (0..<3).map { Int(bitmap[x, 14, $0]) }
      // The darkest patch has a linear value of 0.0028, of which 2 % are 50 codes.
      #expect((codes.max() ?? 0) - (codes.min() ?? 0) < 60, "\(codes)")
    }
    let plan = run(["develop", wedge, "--plan", "--json"] + green + regions)
    #expect(try plan.report(as: Report.self).film.contrast == found.contrast)
  }

  @Test func stopsFitAllContrasts() throws {
    let stops = ["--film-neutral-stops", "0,-4,-6"]
    let transcript = develop(["--film", "c-41", "--json"] + regions + stops)
    #expect(transcript.status == .done, "\(transcript.errors)")
    expectContrasts(try transcript.report(as: Report.self).film.contrast)
    let both = develop(green + regions + stops)
    #expect(both.status == .misused && both.complaint.contains("--film-contrast"))
    #expect(develop(stops).status == .misused)
    let short = develop(regions + ["--film-neutral-stops", "0,-4"])
    #expect(short.status == .misused)
    #expect(short.complaint.contains("got 2 for 3 regions"), "\(short.errors)")
  }

  @Test func fittedFilmIsSaved() throws {
    let file = folder.path("film.json")
    #expect(develop(green + regions + ["--save-film", file]).status == .done)
    let first = try folder.bitmap("print.png")
    let roll = try FilmRoll(json: String(contentsOf: URL(filePath: file), encoding: .utf8))
    expectContrasts((0..<3).map { roll.film.contrast[$0] })
    #expect(develop(["--film", file]).status == .done)
    #expect(try folder.bitmap("print.png") == first)
  }

  /// Frames are developed by the film that a chart shows.
  @Test func chartsTellTheFilmOfFrames() throws {
    #expect(develop(green + regions).status == .done)
    let first = try folder.bitmap("print.png")
    let frames = try ["a", "b"].map { name in
      let path = folder.path("\(name).png")
      try FileManager.default.copyItem(atPath: wedge, toPath: path)
      return path
    }
    let words = ["--out", folder.path("{name}-print.png"), "--exposure=-0.5"] + green + regions
    let lost = run(["develop"] + frames + words)
    #expect(lost.status == .misused)
    #expect(lost.complaint.contains("lie on one scan, not on 2. Name the scan"), "\(lost.errors)")
    let found = run(["develop"] + frames + words + ["--film-from", wedge])
    #expect(found.status == .done, "\(found.errors)")
    for name in ["a", "b"] { #expect(try folder.bitmap("\(name)-print.png") == first) }
  }

  @Test func unfitRegionsAreRefused() {
    for (list, reason) in [
      ("2,10,8x8", "two neutral regions or more"),
      ("2,10,8x8;50,10,12x8", "“--film-neutral-regions 50,10,12x8” reaches outside of"),
      ("2,10,8x8;2,0,8x6", "is no denser than the film base"),
      ("2,10,8x8;3,11,5x5", "differ in density by 0.1 or more"),
    ] {
      let refused = develop(["--film-neutral-regions", list])
      #expect(refused.status != .done && refused.complaint.contains(reason), "\(refused.errors)")
    }
    let curves = develop(regions + ["--film", "published"])
    #expect(curves.status == .misused && curves.complaint.contains("neutral regions"))
  }
}
