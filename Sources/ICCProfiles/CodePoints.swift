package import ColorSpaces

/// Four numbers that name a color space: the code points of Rec. ITU-T H.273, as PNG's cICP chunk and ICC's cicp tag hold them.
package struct CodePoints: Hashable, Sendable, CustomStringConvertible {
  package let primaries, transfer, matrix, range: UInt8

  package init(_ primaries: UInt8, _ transfer: UInt8, _ matrix: UInt8 = 0, _ range: UInt8 = 1) {
    (self.primaries, self.transfer) = (primaries, transfer)
    (self.matrix, self.range) = (matrix, range)
  }

  package var description: String { "\(primaries)/\(transfer)/\(matrix)/\(range)" }

  package var bytes: [UInt8] { [primaries, transfer, matrix, range] }

  /// The spaces that have code points, and which.
  private static let table: [(space: ColorSpace, points: CodePoints)] = [
    (.sRGB, CodePoints(1, 13)), (.linearSRGB, CodePoints(1, 8)),
    (.displayP3, CodePoints(12, 13)), (.linearDisplayP3, CodePoints(12, 8)),
    (.rec709, CodePoints(1, 1)),
    // 14 and 15 are the same curve, for 10 and for 12 bits.
    (.rec2020Camera, CodePoints(9, 14)), (.linearRec2020, CodePoints(9, 8)),
  ]

  /// The code points of a space; nil where H.273 has none for it.
  package init?(of space: ColorSpace) {
    // Names differ, meanings count.
    guard
      let entry = Self.table.first(where: {
        $0.space.primaries == space.primaries
          && $0.space.transfer.isInterchangeable(with: space.transfer)
      })
    else { return nil }
    self = entry.points
  }

  /// What code points may stand for.
  package enum Meaning {
    /// A space that can be used here.
    case space(ColorSpace)
    /// The file leaves it open (code point 2), or has codes that the standard reserves.
    case unspecified
    /// A meaning that is known, and cannot be used here.
    case unsupported(String)
  }

  /// What the four numbers stand for (Rec. ITU-T H.273, tables 2 to 4).
  package var meaning: Meaning {
    guard let lights = namedPrimaries, let curve = namedTransfer else {
      return unsupportedReason.map(Meaning.unsupported) ?? .unspecified
    }
    guard matrix == 0 else {
      return .unsupported("code points \(self) mean YCbCr, where RGB (matrix 0) is needed")
    }
    guard range == 1 else {
      return .unsupported("code points \(self) mean narrow-range video, where full range is needed")
    }
    let space = ColorSpace("H.273 \(self)", primaries: lights, transfer: curve)
    return .space(ColorSpace.named.first { $0.isInterchangeable(with: space) } ?? space)
  }

  private var namedPrimaries: Primaries? {
    switch primaries {
    case 1: .rec709
    case 5:
      Primaries(red: .init(0.640, 0.330), green: .init(0.290, 0.600), blue: .init(0.150, 0.060))
    case 6, 7:
      Primaries(red: .init(0.630, 0.340), green: .init(0.310, 0.595), blue: .init(0.155, 0.070))
    case 9: .rec2020
    case 11: .dciP3
    case 12: .p3
    default: nil
    }
  }

  private var namedTransfer: TransferFunction? {
    switch transfer {
    case 1, 6, 14, 15: .rec709
    case 4: .gamma(2.2)
    case 5: .gamma(2.8)
    case 8: .linear
    case 13: .sRGB
    default: nil
    }
  }

  private var unsupportedReason: String? {
    switch (primaries, transfer) {
    case (_, 16):
      "code points \(self) mean high dynamic range by PQ (Rec. ITU-R BT.2100), which this version "
        + "does not evaluate"
    case (_, 18):
      "code points \(self) mean high dynamic range by HLG (Rec. ITU-R BT.2100), which this version "
        + "does not evaluate"
    case (4, _), (8, _), (10, _), (22, _), (_, 7), (_, 9...12), (_, 17):
      "code points \(self) mean a space that this version does not know"
    default: nil
    }
  }
}
