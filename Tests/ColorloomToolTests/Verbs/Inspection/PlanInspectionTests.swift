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
    for name in names { #expect(text.contains("\(name) rewrote ")) }
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
}
