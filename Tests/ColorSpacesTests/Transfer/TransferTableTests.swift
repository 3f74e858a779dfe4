import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Transfer functions against values that other programs computed from the standards.
@Suite struct TransferTableTests {
  private struct Table: Decodable {
    let columns: [String]
    let encode, decode: [[Double]]
  }

  private struct Everything: Decodable {
    struct Curve: Decodable {
      let encode, decode: [[Double]]?
      let rows: [[[Double]]]?
    }
    let curves: [String: Curve]
  }

  private static let functions: [String: TransferFunction] = [
    "sRGB": .sRGB, "Rec. 709": .rec709, "ProPhoto": .proPhoto, "gamma 1.8": .gamma(1.8),
    "gamma 2.2": .gamma(2.2), "gamma 2.6": .gamma(2.6), "gamma 2.19921875": .gamma(563.0 / 256),
  ]

  /// The documented error of the table: 10⁻¹² of the value, or of 1 for smaller values.
  private func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) <= 1e-12 * (1 + abs(b)) }

  @Test func curvesEqualTheFixture() throws {
    let table = try Fixtures.json("Tables/transfer.json", as: Table.self)
    #expect(Set(table.columns.dropFirst()) == Set(Self.functions.keys))
    for (column, name) in table.columns.enumerated().dropFirst() {
      let transfer = try #require(Self.functions[name])
      #expect(transfer.name == name)
      for row in table.encode {
        #expect(isClose(transfer.encode(row[0]), row[column]), "\(name) encodes \(row[0])")
      }
      for row in table.decode {
        #expect(isClose(transfer.decode(row[0]), row[column]), "\(name) decodes \(row[0])")
      }
    }
  }

  /// Curves of cameras, of grading and of high dynamic range.
  @Test func cameraCurvesEqualTheFixture() throws {
    let table = try Fixtures.json("Tables/camera_transfer.json", as: Table.self)
    let functions = TransferFunction.named + [.bt1886(black: 0.001)]
    for (column, name) in table.columns.enumerated().dropFirst() {
      let transfer = try #require(functions.first { $0.name == name }, "no function \(name)")
      // BT.1886 describes displays: the table has its inverse for a black level of 0 only.
      for row in table.encode where name != "BT.1886, black 0.001" {
        #expect(isClose(transfer.encode(row[0]), row[column]), "\(name) encodes \(row[0])")
      }
      for row in table.decode {
        #expect(isClose(transfer.decode(row[0]), row[column]), "\(name) decodes \(row[0])")
      }
    }
  }

  /// Curves that the other tables do not contain.
  @Test func otherCameraCurvesEqualTheFixture() throws {
    let table = try Fixtures.json("Tables/more_transfer.json", as: [String: Directions].self)
    #expect(table.count == 34)
    for (name, rows) in table {
      let transfer = try TransferFunction(named: name)
      for row in rows.encode {
        #expect(isClose(transfer.encode(row[0]), row[1]), "\(name) encodes \(row[0])")
      }
      for row in rows.decode {
        #expect(isClose(transfer.decode(row[0]), row[1]), "\(name) decodes \(row[0])")
      }
    }
  }

  private struct Directions: Decodable { let encode, decode: [[Double]] }

  @Test(SharedReference.whenPresent) func curvesEqualTheWholeReference() throws {
    let all = try #require(
      try SharedReference.json("transfer.json", as: Everything.self)
    )
    let names: [String: TransferFunction] = [
      "srgb": .sRGB, "gamma1.8": .gamma(1.8), "gamma2.2": .gamma(2.2), "gamma2.4": .gamma(2.4),
      "gamma2.6": .gamma(2.6), "adobe563_256": ColorSpace.adobeRGB.transfer, "romm": .proPhoto,
      "bt709-oetf": .rec709, "bt2020-oetf": ColorSpace.rec2020Camera.transfer,
      "bt709-oetf-rounded": .rec709Rounded, "bt1886-black0.001": .bt1886(black: 0.001),
      "lstar": .lStar, "pq": .pq, "hlg-oetf": .hlg, "acescc": .acescc, "acescct": .acescct,
      "acesproxy10": .acesProxy10, "slog2": .sLog2, "slog3": .sLog3, "logc3-ei800": .logC3,
      "logc4": .logC4, "vlog": .vLog, "canonlog2": .canonLog2, "canonlog3": .canonLog3,
      "log3g10": .log3G10, "flog": .fLog, "flog2": .fLog2, "nlog": .nLog,
      "davinci-intermediate": .daVinciIntermediate,
      "blackmagic-film-gen5": .blackmagicFilmGeneration5, "apple-log": .appleLog,
      "cineon": .cineon,
    ]
    // HLG's display light is a function of colors, not of single channels.
    #expect(Set(all.curves.keys) == Set(names.keys).union(["hlg-ootf-1000"]))
    for row in try #require(all.curves["hlg-ootf-1000"]?.rows) {
      let (scene, signal, display) = (SIMD3(row[0]), SIMD3(row[1]), SIMD3(row[2]))
      let luminance = (scene * [0.2627, 0.6780, 0.0593]).sum()
      let rendering = try TransferFunction(named: "hlg-ootf-1000")
      let scale = luminance == 0 ? 0 : rendering.encode(luminance) / luminance
      for channel in 0..<3 {
        #expect(isClose(TransferFunction.hlg.encode(scene[channel]), signal[channel]))
        #expect(isClose(scene[channel] * scale, display[channel]))
      }
    }
    for (name, transfer) in names {
      let curve = try #require(all.curves[name], "no curve \(name)")
      // BT.1886 describes displays: the table has its inverse for a black level of 0 only.
      for row in try #require(curve.encode) where name != "bt1886-black0.001" {
        #expect(isClose(transfer.encode(row[0]), row[1]), "\(name) encodes \(row[0])")
      }
      for row in try #require(curve.decode) {
        #expect(isClose(transfer.decode(row[0]), row[1]), "\(name) decodes \(row[0])")
      }
    }
  }

  /// BT.709's printed three-digit constants give another curve, within a 10-bit code.
  @Test(SharedReference.whenPresent) func theRoundedConstantsOfBT709AreClose() throws {
    let all = try #require(
      try SharedReference.json("transfer.json", as: Everything.self)
    )
    let rounded = try #require(all.curves["bt709-oetf-rounded"])
    for row in try #require(rounded.encode) where abs(row[0]) <= 1 {
      #expect(abs(TransferFunction.rec709.encode(row[0]) - row[1]) < 1.0 / 1023 / 2)
    }
  }

  @Test func sRGBHasItsPrintedThresholds() {
    // The printed threshold belongs to the line; the next number up belongs to the power.
    #expect(TransferFunction.sRGB.encode(0.0031308) == 12.92 * 0.0031308)
    #expect(ulpDistance(TransferFunction.sRGB.decode(0.04045), 0.04045 / 12.92) <= 1)
    let above = TransferFunction.sRGB.encode(0.0031308.nextUp)
    #expect(above != 12.92 * 0.0031308.nextUp)
    // The standard's two pieces have a gap of 2.9·10⁻⁸ there, and no more.
    #expect(abs(above - 12.92 * 0.0031308) < 4e-8)
  }
}
