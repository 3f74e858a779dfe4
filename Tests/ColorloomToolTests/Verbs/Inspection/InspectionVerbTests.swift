import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The verbs that inspect the color of a pipeline: trace, explain, certify, verify.
@Suite struct InspectionVerbTests {
  private let folder: TemporaryFolder
  private let photo = TestPictures.codes(
    as: UInt16.self, PixelSize(320, 210), in: .displayP3, channels: .rgb)
  private let input: String

  init() throws {
    folder = try TemporaryFolder()
    input = folder.path("photo.png")
    try ImageFile.write(.uint16(photo), to: input)
  }

  private struct Trace: Decodable {
    let steps: [Step]

    struct Step: Decodable {
      let name: String
      let losses: [Loss]
    }
    struct Loss: Decodable {
      let kind, stage: String
      let extent: Extent?
    }
    struct Extent: Decodable {
      let affectedPixelCount, pixelCount: Int
      let deltaE2000, deltaITP: Difference
      let worst: Place?
    }
    struct Difference: Decodable { let mean, maximum: Double }
    struct Place: Decodable { let x, y: Int }
  }

  /// Storing clips what a conversion left outside of sRGB; a gamut mapping loses it before.
  @Test(arguments: [[], ["--gamut", "clip"]])
  func lostGamutIsCountedAtItsStep(gamut: [String]) throws {
    let result = run(["trace", input, "--to", "sRGB", "--samples", "uint16", "--json"] + gamut)
    #expect(result.status == .done, "\(result.complaint)")
    let steps = try result.report(as: Trace.self).steps
    #expect(steps.map(\.name) == ["--to sRGB", "store as uint16"])
    let lossy = gamut.isEmpty ? 1 : 0
    #expect(steps[1 - lossy].losses.allSatisfy { $0.kind != "gamut" })
    let loss = try #require(steps[lossy].losses.first { $0.kind == "gamut" })
    let extent = try #require(loss.extent)

    // Every pixel that clipping moves farther than rounding lies outside of sRGB.
    let wide = try Picture(photo).converted(to: .linearSRGB).render(as: Float.self)
    let outside = (0..<210).reduce(0) { count, y in
      count
        + (0..<320).filter { x in
          (0..<3).contains { wide[x, y, $0] < -1e-4 || wide[x, y, $0] > 1 + 1e-4 }
        }.count
    }
    #expect(extent.pixelCount == 320 * 210)
    let affected = extent.affectedPixelCount
    #expect(affected > 0 && abs(affected - outside) <= outside / 10)
    let clipped = Picture(photo).fitted(into: .sRGB, by: .clipped)
    let differences = try PictureComparison(of: clipped, with: Picture(photo))
    // Rounding to 16 bits moves a color by less than 0.01.
    #expect(abs(extent.deltaE2000.maximum - differences.maximum) < 0.01)
    #expect(extent.deltaE2000.mean <= extent.deltaE2000.maximum && extent.deltaITP.maximum > 0)
    let worst = try #require(extent.worst)
    let at = try clipped.difference(from: Picture(photo)).render(as: Float.self)
    #expect(abs(Double(at[worst.x, worst.y, 0]) * 100 - differences.maximum) < 0.01)
  }

  @Test func losslessStepsReportNoLoss() throws {
    let result = run("trace", input, "--exposure", "-0.5", "--samples", "float32")
    #expect(result.status == .done, "\(result.complaint)")
    #expect(
      result.output == ["--exposure: nothing is lost", "store as float32: nothing is lost"])
    let smaller = run("trace", input, "--resize", "10x8", "--monochrome", "--samples", "uint8")
    #expect(smaller.text.contains("--monochrome: chroma is lost at"))
  }

  @Test func roundingIsMeasuredAsFilesRound() throws {
    let result = run("trace", input, "--to", "sRGB", "--samples", "uint8", "--json")
    #expect(result.status == .done, "\(result.complaint)")
    let stored = try #require(try result.report(as: Trace.self).steps.last)
    let written = try Picture(photo).converted(to: .sRGB).render(as: UInt8.self)
    let differences = try PictureComparison(of: Picture(written), with: Picture(photo))
    let extents = stored.losses.compactMap(\.extent)
    let largest = try #require(extents.map(\.deltaE2000.maximum).max())
    // Both compute the differences in single precision.
    #expect(abs(largest - differences.maximum) < 1e-3)
    let precision = try #require(stored.losses.first { $0.kind == "precision" }?.extent)
    // Half a step of 8-bit codes; half a step of light of 8 bits is 6 near black.
    #expect(precision.deltaE2000.maximum < 1)
  }

  @Test func explanationsEndWithThePixel() throws {
    struct Report: Decodable {
      struct Step: Decodable {
        let stage: String
        let value: [Double]
        let space, encoding: String
      }
      let steps: [Step]
    }
    let words = ["explain", input, "--exposure", "1", "--to", "sRGB"]
    let result = run(words + ["--at", "7,5", "--json"])
    #expect(result.status == .done, "\(result.complaint)")
    let steps = try result.report(as: Report.self).steps
    let last = try #require(steps.last)
    let pixels = try Picture(photo).exposure(1).converted(to: .sRGB).render(as: Float.self)
    for channel in 0..<3 {
      #expect(abs(last.value[channel] - Double(pixels[7, 5, channel])) < 1e-5)
    }
    #expect(last.space == "sRGB" && last.encoding == "encoded")
    #expect(run(words + ["--at", "7,5"]).text.split(separator: "\n").count == steps.count)
    #expect(run(words + ["--at", "320,0"]).status == .misused)
    #expect(run(words).status == .misused)
  }

  /// The pixel is one of the result, wherever that was cut from.
  @Test func explainedPixelsCountFromTheCorner() throws {
    struct Report: Decodable {
      struct Step: Decodable { let value: [Double] }
      let steps: [Step]
    }
    let words = ["explain", input, "--crop", "6,4,24x18"]
    let last = try #require(
      try run(words + ["--at", "0,0", "--json"]).report(as: Report.self).steps.last)
    for channel in 0..<3 {
      #expect(abs(last.value[channel] - Double(photo[6, 4, channel]) / 65_535) < 1e-5)
    }
    let outside = run(words + ["--at", "24,0"])
    #expect(outside.status == .misused)
    #expect(outside.complaint.contains("“--at 24,0”") && outside.complaint.contains("24 × 18"))
  }

  @Test(arguments: ["9223372036854775807,0", "0,-9223372036854775808", "2147483648,0"])
  func positionsWhoseSumsOverflowAreRefused(position: String) {
    let refused = run("explain", input, "--crop", "6,4,24x18", "--at", position)
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains("“--at \(position)” is too far away."))
  }

  @Test func conversionsToInksAreRefused() {
    let press = Fixtures.url("Profiles/cmyk-mft2.icc").path
    for words in [
      ["trace", input], ["explain", input, "--at", "0,0"],
      ["report", input, "--out", folder.path("report.html")],
    ] {
      let result = run(words + ["--to", press])
      #expect(result.status == .misused, "\(words)")
      #expect(result.complaint.contains("has ink channels"), "\(result.complaint)")
    }
  }

  @Test func plotsOfPicturesArePictures() {
    let result = run("inspect", input, "--plot", folder.path("plot.svg"))
    #expect(result.status == .misused)
    #expect(result.complaint.contains("only the plot of a profile"), "\(result.complaint)")
  }

  @Test func certificatesAreThoseOfTheSpaces() throws {
    struct Report: Decodable {
      let bits, bound: Int
      let changed: Int?
      let proof: String
    }
    let narrow = run("certify", "--from", "srgb:uint8", "--via", "p3:u8", "--json")
    let trip = ColorSpace.sRGB.roundTrip(via: .displayP3, samples: .uint8)
    #expect(narrow.status == .failed && !trip.isLossless)
    let report = try narrow.report(as: Report.self)
    #expect(report.bound == trip.bound && report.bits == 8 && report.proof == "exhaustive")
    if case .exhaustive(let changed) = trip.proof { #expect(report.changed == changed) }
    #expect(run("certify", "--from", "srgb:uint8", "--via", "p3:uint16").status == .done)
    let floats = run("certify", "--from", "srgb:uint16", "--via", "p3:float32")
    #expect(
      floats.status == .done
        && floats.text.contains("is lossless: every color comes back unchanged"))
    let gray = run("certify", "--from", "srgb:uint10", "--via", "sGray:float32")
    #expect(gray.status == .failed && gray.text.contains("changes channels by at most"))
    for words in [
      ["--from", "srgb:float32", "--via", "p3:uint8"], ["--from", "srgb", "--via", "p3:uint8"],
      ["--from", "srgb:uint8", "--via", "oklab:uint8"], ["--from", "srgb:uint8"],
    ] {
      #expect(run(["certify"] + words).status == .misused, "\(words)")
    }
  }

  @Test func recipesAreVerified() throws {
    struct Report: Decodable {
      struct Result: Decodable {
        let sameBits: Bool
        let rewrites, reference: Difference
      }
      struct Difference: Decodable { let largest, unitsInLastPlace: Double }
      let results: [Result]
    }
    let recipe = folder.path("recipe.json")
    try
      #"{"version": 1, "steps": [{"exposure": {"stops": 0.5}}, {"sharpen": {"sigma": 1, "amount": 1}}]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    for words in [["verify", recipe], ["verify", recipe, input]] {
      let result = run(words + ["--json"])
      #expect(result.status == .done, "\(result.complaint)")
      let found = try #require(result.report(as: Report.self).results.first)
      #expect(found.sameBits && found.reference.largest < 1e-5)
      #expect(found.reference.largest > 0)
    }
    // The cube roots of Oklab are steep near black: 9.8e-6 here, which the default allows.
    let rotation = folder.path("rotation.json")
    try #"{"version": 1, "steps": [{"hue-rotation": {"degrees": 90}}]}"#
      .write(toFile: rotation, atomically: true, encoding: .utf8)
    #expect(run("verify", rotation).status == .done)
    #expect(run("verify", rotation, "--tolerance", "1e-6").status == .failed)
    // Nothing is exact: a bound of zero is not kept.
    #expect(run("verify", recipe, input, "--tolerance", "0").status == .failed)
    #expect(run("verify", recipe, input, input).status == .misused)
  }

  /// A rounding to codes that goes the other way is no broken law, nor a difference from the reference.
  @Test func storesAreVerified() throws {
    let folder = try TemporaryFolder()
    let recipe = folder.path("stored.json")
    for format in ["uint8", "uint16", "float16"] {
      try #"""
      {"version": 1, "steps": [{"convert": {"to": "ProPhoto RGB"}}, {"exposure": {"stops": 0.5}}, {"store": {"as": "\#(format)"}},
        {"exposure": {"stops": 3}}]}
      """#.write(toFile: recipe, atomically: true, encoding: .utf8)
      let transcript = run("verify", recipe, "--size", "256")
      #expect(transcript.status == .done, "\(transcript.text)")
      #expect(!transcript.text.contains("does not hold"), "\(transcript.text)")
    }
  }
}
