import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// 29 spaces, all pairs of them and all their white points, against a reference that exists beside the repository
/// on some machines.
@Suite(SharedReference.whenPresent) struct WholeReferenceTests {
  private struct Spaces: Decodable {
    struct Space: Decodable {
      let primaries: [[Double]]
      let white: [Double]
      let toXYZ, fromXYZ, toHub: [[Double]]

      enum CodingKeys: String, CodingKey {
        case primaries
        case white = "white_xy"
        case toXYZ = "rgb_to_xyz"
        case fromXYZ = "xyz_to_rgb"
        case toHub = "rgb_to_xyz_d65_bradford"
      }
    }
    let spaces: [String: Space]
  }

  private let spaces: [String: Spaces.Space]

  init() throws {
    let all = try #require(try SharedReference.json("rgb_spaces.json", as: Spaces.self))
    spaces = all.spaces
    #expect(spaces.count == 29)
  }

  private func space(_ name: String) throws -> ColorSpace {
    let numbers = try #require(spaces[name], "no space \(name)")
    let lights = numbers.primaries.map { Chromaticity($0[0], $0[1]) }
    let white = Chromaticity(numbers.white[0], numbers.white[1])
    return ColorSpace(
      name, primaries: Primaries(red: lights[0], green: lights[1], blue: lights[2], white: white),
      transfer: .linear)
  }

  @Test func matricesEqualTheReference() throws {
    for (name, numbers) in spaces {
      let space = try space(name)
      // The table is exact before its last rounding; ours has some fifty rounding errors, with divisions by small
      // chromaticities in some of these spaces: 1e-13, relative to entries up to 5 in the inverses.
      let pairs = [
        (space.primaries.toXYZ, numbers.toXYZ),
        (space.primaries.toXYZ.inverse, numbers.fromXYZ),
        (space.toHub, numbers.toHub),
      ]
      for (matrix, expected) in pairs {
        #expect(matrix.distance(to: ColorMatrix(table: expected)) <= 1e-13, "\(name)")
      }
    }
  }

  @Test func conversionsEqualTheReference() throws {
    // Rows mix names with colors, so they are parsed untyped.
    let folder = try #require(SharedReference.folder())
    let data = try Data(contentsOf: folder.appending(path: "rgb_space_pairs.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let rows = try #require(json["rows"] as? [[Any]])
    #expect(rows.count > 100)
    for row in rows {
      let from = try #require(row[0] as? String)
      let to = try #require(row[1] as? String)
      let input = SIMD3(try #require(row[2] as? [Double]))
      let expected = SIMD3(try #require(row[3] as? [Double]))
      let result = try space(from).matrix(to: space(to)) * input
      // The documented error of the table.
      #expect(
        (result - expected).largest <= 1e-13 * (1 + expected.largest), "\(from) → \(to)")
    }
  }

  @Test func adaptationsEqualTheReference() throws {
    let folder = try #require(SharedReference.folder())
    let data = try Data(contentsOf: folder.appending(path: "cat.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let meta = try #require(json["meta"] as? [String: Any])
    let whites = try #require(meta["white_xy"] as? [String: [Double]])
    let rows = try #require(json["rows"] as? [[Any]]).filter { $0[0] as? String == "bradford" }
    #expect(rows.count == whites.count * (whites.count - 1))
    for row in rows {
      let from = try #require((row[1] as? String).flatMap { whites[$0] })
      let to = try #require((row[2] as? String).flatMap { whites[$0] })
      let numbers = try #require(Array(row.dropFirst(3)) as? [Double])
      let expected = ColorMatrix(
        table: [Array(numbers[0..<3]), Array(numbers[3..<6]), Array(numbers[6..<9])])
      let matrix = ColorMatrix.adapting(
        from: Chromaticity(from[0], from[1]), to: Chromaticity(to[0], to[1]))
      // The documented error of the table; entries go up to 4.
      #expect(matrix.distance(to: expected) <= 1e-14, "\(row[1]) → \(row[2])")
    }
  }
}
