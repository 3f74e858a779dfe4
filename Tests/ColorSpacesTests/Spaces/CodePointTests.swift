import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// The code points of H.273.
@Suite struct CodePointTests {
  @Test(arguments: [
    (CodePoints(1, 13), ColorSpace.sRGB), (CodePoints(1, 8), .linearSRGB),
    (CodePoints(12, 13), .displayP3), (CodePoints(12, 8), .linearDisplayP3),
    (CodePoints(1, 1), .rec709), (CodePoints(9, 14), .rec2020Camera),
    (CodePoints(9, 8), .linearRec2020), (CodePoints(9, 16), .rec2100PQ),
    (CodePoints(9, 18), .rec2100HLG), (CodePoints(12, 16), .displayP3PQ),
    (CodePoints(12, 18), .displayP3HLG), (CodePoints(1, 16), .rec709PQ),
    (CodePoints(1, 18), .rec709HLG), (CodePoints(5, 6), .rec601With625Lines),
    (CodePoints(6, 6), .rec601With525Lines),
  ])
  func codePointsRoundTrip(points: CodePoints, space: ColorSpace) throws {
    #expect(try ColorSpace(cicp: points) == space)
    #expect(space.cicp == points)
  }

  @Test(arguments: [CodePoints(9, 15), CodePoints(9, 1), CodePoints(9, 6), CodePoints(9, 11)])
  func codesOfEqualCurvesAreInterchangeable(points: CodePoints) throws {
    #expect(try ColorSpace(cicp: points) == .rec2020Camera)
  }

  @Test func spacesOfCodePointsReportThem() throws {
    for primaries in UInt8.min ... .max {
      for transfer in UInt8.min...20 {
        let points = CodePoints(primaries, transfer)
        let space = try? ColorSpace(cicp: points)
        #expect((space != nil) == points.isSpecified)
        guard let space, let codes = space.cicp else { continue }
        // Possibly another code of the same primaries or the same curve, but the same space.
        #expect(try ColorSpace(cicp: codes).isInterchangeable(with: space), "\(points), \(codes)")
      }
    }
    #expect(ColorSpace.adobeRGB.cicp == nil)
    #expect(ColorSpace.lab.cicp == nil)
    // Code points name RGB spaces; files of grays state the same ones.
    for gray in ColorSpace.all where gray.isGray { #expect(gray.cicp == nil, "\(gray)") }
  }

  @Test func unspecifiedAndReservedCodesAreErrorsWithNames() throws {
    for points in [CodePoints(2, 13), CodePoints(1, 2), CodePoints(23, 13), CodePoints(1, 19)] {
      let error = try #require(throws: ColorError.self) { try ColorSpace(cicp: points) }
      #expect("\(error)".hasPrefix("Code points \(points) name no color space: primaries "))
      #expect("\(error)".contains("Name the space that is meant."))
    }
    #expect(
      CodePoints(9, 16, 9, 0).explanation
        == "primaries BT.2020, transfer function BT.2100 PQ, matrix BT.2020, narrow range")
    #expect(
      CodePoints(2, 19, 99, 7).explanation
        == "primaries unspecified, transfer function reserved, matrix reserved, reserved range")
  }

  private struct Reference: Decodable {
    struct Lights: Decodable {
      let primaries: [[Double]]
      let white: [Double]
    }
    struct Function: Decodable { let rows: [[Double]] }
    let primaries: [String: Lights]
    let transfer: [String: Function]
  }

  @Test(SharedReference.whenPresent) func primariesAndCurvesEqualTheWholeReference() throws {
    let all = try #require(try SharedReference.json("cicp.json", as: Reference.self))
    #expect(all.primaries.count == 11 && all.transfer.count == 16)
    for (code, lights) in all.primaries {
      let space = try ColorSpace(cicp: CodePoints(try #require(UInt8(code)), 8))
      let found = space.primaries
      let points = [found.red, found.green, found.blue].map { [$0.x, $0.y] }
      #expect(points == lights.primaries, "\(code)")
      #expect([found.white.x, found.white.y] == lights.white, "\(code)")
    }
    for (code, function) in all.transfer {
      let transfer = try ColorSpace(cicp: CodePoints(1, try #require(UInt8(code)))).transfer
      // The table uses the standards' own scale of linear values.
      let unit =
        switch code {
        case "16": 10_000.0 / 203
        case "18": 1 / TransferFunction.hlg.decode(0.75)
        default: 1.0
        }
      // Most standards do not define negative linear values, which the table clamps and the package mirrors.
      for row in function.rows where row[0] >= 0 || ["8", "11", "12", "13"].contains(code) {
        // The documented error of the table.
        let error = abs(transfer.encode(row[0] * unit) - row[1])
        #expect(error <= 1e-12 * (1 + abs(row[1])), "\(code) encodes \(row[0])")
      }
    }
  }
}
