import Colorloom
import ColorloomTool
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// The verbs that show the laws and the cost of plans.
@Suite struct PlanInspectionTests {
  private let folder: TemporaryFolder
  private let input, recipe: String

  init() throws {
    folder = try TemporaryFolder()
    (input, recipe) = (folder.path("photo.png"), folder.path("grade.json"))
    try ImageFile.write(
      .uint16(TestPictures.codes(as: UInt16.self, PixelSize(120, 80), in: .displayP3)), to: input)
    try Data(
      #"{"version": 1, "steps": [{"exposure": {"stops": 1}}, {"saturation": {"factor": 0.5}}, {"crop": {"to": [5, 5, 50, 40]}}]}"#
        .utf8
    ).write(to: URL(filePath: recipe))
  }

  @Test func lawsAreListed() throws {
    struct Entry: Decodable {
      let name, summary, condition, test: String
      let bound: Float
    }
    let laws = try run("laws", "--json").report(as: [Entry].self)
    #expect(laws.map(\.name) == Law.allCases.map(\.rawValue))
    #expect(laws.map(\.test) == Law.allCases.map(\.declaration.test))
    let text = run("laws").text
    for law in laws { #expect(text.contains(law.name) && text.contains(law.condition)) }
  }

  /// The plan of `convert` is that of the sample format, the dithering and the background of the file.
  @Test func convertPlansWhatIsWritten() throws {
    struct Plan: Decodable { let peakBytes, bytesWritten: Int }
    func plan(_ words: String...) throws -> Plan {
      let steps = ["--gaussian-blur", "3", "--threads", "1", "--plan", "--json"]
      return try run(["convert", input] + words + steps).report(as: Plan.self)
    }
    let output = folder.path("o.tif")
    for (name, bytes) in [("uint8", 1), ("uint16", 2), ("float16", 2), ("float32", 4)] {
      // Rows end at multiples of a cache line.
      let expected = 120 * 80 * 3 * bytes...120 * 80 * 3 * bytes + 80 * 128
      #expect(expected.contains(try plan(output, "--samples", name).bytesWritten), "\(name)")
      #expect(expected.contains(try plan("--samples", name).bytesWritten), "\(name)")
    }
    #expect(try plan(output).bytesWritten == plan(output, "--samples", "uint16").bytesWritten)
    #expect(
      try plan(folder.path("o.jpg")).bytesWritten == plan(output, "--samples", "uint8").bytesWritten
    )
    let peaks = try ["uint8", "uint16", "float32"].map {
      try plan(output, "--samples", $0).peakBytes
    }
    #expect(peaks[0] < peaks[1] && peaks[1] < peaks[2])
    let diffused = try plan(output, "--samples", "uint8", "--dither", "error-diffusion")
    #expect(diffused.peakBytes > peaks[0])
  }

  /// A gray file has one channel, and no step makes grays of grays.
  @Test func convertPlansGrayFiles() throws {
    struct Plan: Decodable {
      struct Step: Decodable { let name: String }
      let bytesWritten: Int
      let steps: [Step]
    }
    let (gray, size) = (folder.path("gray.png"), PixelSize(128, 80))
    try ImageFile.write(
      .uint16(TestPictures.codes(as: UInt16.self, size, channels: .gray)), to: gray)
    let plan = try run("convert", gray, folder.path("o.png"), "--plan", "--json")
      .report(as: Plan.self)
    #expect(plan.bytesWritten == 128 * 80 * 2)
    #expect(!plan.steps.contains { $0.name.contains("monochrome") }, "\(plan.steps)")
    let colors = try run("convert", gray, folder.path("o.png"), "--tag", "p3", "--plan", "--json")
      .report(as: Plan.self)
    #expect(colors.bytesWritten == 3 * plan.bytesWritten)
  }

  @Test func verifyChecksTheLawsThatActed() throws {
    struct Report: Decodable {
      let results: [Result]
      struct Result: Decodable {
        let sameBits: Bool
        let laws: [Entry]
      }
      struct Entry: Decodable {
        let name: String
        let count: Int
        let bound, difference: Float
      }
    }
    let transcript = run("verify", recipe, input, "--json")
    #expect(transcript.status == .done, "\(transcript.errors)")
    let result = try #require(transcript.report(as: Report.self).results.first)
    #expect(result.sameBits)
    let names = Set(result.laws.map(\.name))
    #expect(names.isSuperset(of: ["merging", "crops", "passes"]), "\(names)")
    #expect(result.laws.allSatisfy { $0.count > 0 && $0.difference <= $0.bound })
    let text = run("verify", recipe, input).text
    for name in names { #expect(text.contains("law “\(name)” rewrote ")) }
  }

  @Test func costsAreThoseOfTheReport() throws {
    struct Report: Decodable {
      let steps: [Step]
      let passes, peakBytes, bytesRead: Int
      let seconds: [Double]?
      struct Step: Decodable { let bytes, bytesRead, bytesWritten: Int }
    }
    let report = try run("plan", recipe, input, "--json", "--measure").report(as: Report.self)
    #expect(report.seconds?.count == report.steps.count)
    #expect(try run("plan", recipe, input, "--json").report(as: Report.self).seconds == nil)
    let text = run("plan", recipe, input, "--cost", "--threads", "2").text
    for step in report.steps {
      #expect(text.contains("reads \(step.bytesRead) bytes, writes \(step.bytesWritten)"))
    }
    #expect(text.contains("\(report.passes) pass") && !text.contains("processor time"))
    #expect(run("plan", recipe, input, "--cost", "--measure").text.contains("processor time: "))
    #expect(run("plan", recipe, input, "--measure").status == .misused)
  }

  @Test func costsNameRegionsAndTiles() throws {
    struct Report: Decodable {
      let steps: [Step]
      struct Step: Decodable {
        struct Size: Decodable { let width, height: Int }
        struct Part: Decodable { let x, y, width, height: Int }
        let region: Part
        let tile: Size
      }
    }
    let words = ["plan", recipe, input, "--threads", "1"]
    let text = run(words + ["--cost"]).text
    for step in try run(words + ["--json"]).report(as: Report.self).steps {
      let (region, tile) = (step.region, PixelSize(step.tile.width, step.tile.height))
      let size = PixelSize(region.width, region.height)
      #expect(
        text.contains("   \(size) pixels at (\(region.x), \(region.y)), in tiles of \(tile)\n"))
    }
    #expect(text.contains(" bytes with 1 thread") && !text.contains("1 threads"))
  }
}
