import ColorSpaces
import Foundation
import ICCProfiles
import _TestSupport

/// ICC profiles: matrices and curves, LUTs of all types, links.
enum ProfileTarget {
  static func seeds() throws -> [[UInt8]] {
    let spaces: [ColorSpace] = [
      .sRGB, .displayP3, .adobeRGB, .linearRec2020, .rec2100PQ, .proPhoto,
    ]
    var seeds = try spaces.flatMap { space in
      try [ICCProfile.FormatVersion.v2, .v4].map {
        try ICCProfile(describing: space, version: $0).bytes
      }
    }
    seeds += [ColorSpace.sRGB, .adobeRGB].compactMap {
      try? ICCProfile(describingGraysOf: $0, version: .v4).bytes
    }
    for kind in TableProfile.Kind.allCases {
      for (space, channels) in [("RGB ", 3), ("CMYK", 4), ("5CLR", 5)] {
        for connection in ["Lab ", "XYZ "] {
          seeds.append(
            TableProfile.profile(
              kind, space: space, channels: channels, connection: connection,
              version: kind == .mAB ? 4 : 2
            ).bytes)
        }
      }
    }
    return seeds + Fixtures.files(in: "Profiles", endings: ["icc"])
  }

  @Sendable static func target() throws -> FuzzTarget {
    FuzzTarget(
      name: "icc", seeds: try seeds(), mutate: { $0.mutateProfile(&$1) },
      read: { bytes, index, _ in try read(bytes, index) }, memoryBudget: 64 << 20)
  }

  /// Reads a profile, and uses it in both directions.
  private static func read(_ bytes: [UInt8], _ index: Int) throws {
    let profile = try ICCProfile(bytes: bytes)
    _ = profile.description
    _ = try? profile.colorSpace()
    let intent = RenderingIntent.allCases[index % RenderingIntent.allCases.count]
    let device = ICCTransform.Link.profile(profile)
    for links in [[device, .space(.lab)], [.space(.lab), device], [device]] {
      guard
        let transform = try? ICCTransform(
          links, intent: intent, blackPointCompensation: index % 8 < 4)
      else { continue }
      for number in [0, 0.3, 1, -.infinity, .nan] {
        _ = transform([Double](repeating: number, count: transform.inputCount))
      }
    }
  }
}

extension Fixtures {
  /// The files of a folder under `Fixtures` with these extensions, sorted by name; empty if there is no such folder.
  static func files(in folder: String, endings: Set<String>) -> [[UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)) ?? []
    return names.sorted().filter { endings.contains(($0 as NSString).pathExtension.lowercased()) }
      .compactMap { try? Array(Data(contentsOf: url(folder).appending(path: $0))) }
  }
}
