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
}
