import ColorSpaces
import FilterGraph
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// The style of color decision lists in files of the ASC.
@Suite struct ColorDecisionFileTests {
  /// OpenColorIO's `FileTransform` does not clamp color decision lists of files; the ASC clamps.
  @Test(arguments: ["grade.cc", "grades.ccc", "grades.cdl"])
  func decisionListsOfFilesClampByDefault(name: String) throws {
    let path = Fixtures.url("Looks/\(name)").path
    func decisions(_ look: Look) throws -> ColorDecisions {
      guard case .decisions(let decisions) = look.steps.first else {
        throw LookFileError.incomplete(file: name, reason: "no decisions")
      }
      return decisions
    }
    let clamped = try decisions(Look(contentsOf: path))
    let unclamped = try decisions(Look(contentsOf: path, style: .unclamped))
    #expect(clamped.style == .clamped && unclamped.style == .unclamped)
    let same = try ColorDecisions(
      slope: clamped.slope, offset: clamped.offset, power: clamped.power,
      saturation: clamped.saturation, style: .unclamped)
    #expect(unclamped == same)
    let white = SIMD3<Double>(repeating: 4)
    #expect(try Look(contentsOf: path)(white).max() <= 1)
    #expect(try Look(contentsOf: path, style: .unclamped)(white).min() > 1)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let format = try LookFileFormat(ofFile: path)
    #expect(try decisions(Look(bytes, as: format, style: .unclamped)) == unclamped)
  }

  /// XML is in memory as a whole.
  @Test func documentsHaveALowerByteLimitThanTables() {
    for format in LookFileFormat.allCases {
      let isXML = ["cc", "ccc", "cdl", "clf"].contains(format.rawValue)
      #expect(format.byteLimit == (isXML ? 256 << 20 : 2 << 30), "\(format)")
    }
  }

  @Test func stepsChooseListsByTheParametersBesideTheFile() throws {
    let path = Fixtures.url("Looks/grades.ccc").path
    var ids: [String] = []
    _ = try Look(contentsOf: path, limits: nil, listing: &ids)
    let last = try #require(ids.last)
    func look(_ members: RecipeValue.Member...) throws -> (look: Look, choice: String?) {
      var choice: String?
      let look = try Look.filter(
        inFile: path, parameters: RecipeSource(.object(members), at: "look"), limits: FileLimits(),
        choice: &choice)
      return (look, choice)
    }
    #expect(ids.count > 1)
    let first = try look()
    #expect(try first.look == Look(contentsOf: path) && first.choice?.contains(last) == true)
    let chosen = try look(
      RecipeValue.Member("id", .string(last)), RecipeValue.Member("style", .string("unclamped")))
    #expect(try chosen.look == Look(contentsOf: path, id: last, style: .unclamped))
    #expect(chosen.choice == nil)
    #expect(throws: RecipeDecodingError.self) { try look(RecipeValue.Member("title", .string(""))) }
    #expect(throws: LookFileError.self) { try look(RecipeValue.Member("id", .string("none"))) }
  }
}
