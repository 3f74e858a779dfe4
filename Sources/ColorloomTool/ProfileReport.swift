import Colorloom
import Foundation
import ICCProfiles

/// The report of a profile.
struct ProfileReport: Encodable {
  let name, kind, version, model, connection, structure: String
  let channels: Int?
  let intent: String
  let intents, tags: [String]
  let hasValidIdentifier: Bool?
  let recognized: String?
  let distance, bound: Double?
  /// The gamut coverage of named spaces: of their triangles in u′v′, for profiles with primaries, and of their volumes in Lab.
  let coverage, coverageInLab: [String: Double]?

  init(_ profile: ICCProfile) {
    (name, kind, version) = ("\(profile)", profile.kind, profile.version)
    (model, connection) = (profile.modelName, profile.connectionName)
    channels = profile.channelCount
    structure = profile.hasTables ? "tables" : "curves"
    (intent, intents) = ("\(profile.intent)", profile.intents.map { "\($0)" })
    (tags, hasValidIdentifier) = (profile.tags, profile.hasValidIdentifier)
    let recognition = profile.recognized
    (recognized, distance, bound) = (
      recognition?.space.name, recognition?.distance, recognition?.bound
    )
    // LUT and gray profiles have no primaries, and so no triangle.
    let hasLights = profile.modelName == "RGB" && !profile.hasTables
    let space = hasLights ? try? profile.colorSpace() : nil
    coverage = space.map { space in Self.parts { space.coverage(of: $0, in: .uv) } }
    coverageInLab =
      space.map { space in Self.parts { space.coverage(of: $0, in: .lab).value } }
      ?? (try? profile.gamut()).map { gamut in Self.parts(gamut.coverage) }
  }

  private static func parts(_ coverage: (ColorSpace) -> Double) -> [String: Double] {
    [ColorSpace.sRGB, .displayP3, .rec2020].reduce(into: [:]) { $0[$1.name] = coverage($1) }
  }

  private var recognition: String? {
    guard let recognized, let distance else { return nil }
    let proven =
      bound.map { "every color within \(rounded($0)) in XYZ where white has Y = 1, " } ?? ""
    return "\(recognized), \(proven)ΔE \(rounded(distance)) at the worst color of a grid"
  }

  /// Two digits that count, rounded up, so that a bound remains one.
  private func rounded(_ value: Double) -> Double {
    guard value > 0 else { return value }
    let unit = pow(10, 1 - floor(log10(value)))
    return (value * unit).rounded(.up) / unit
  }

  /// The intents with the default one marked, such as “perceptual (default), relative colorimetric”.
  private var intentList: String {
    let marked = intents.map { $0 == intent ? "\($0) (default)" : $0 }
    return (intents.contains(intent) ? marked : ["\(intent) (default)"] + marked)
      .joined(separator: ", ")
  }

  var lines: [String] {
    var lines = [
      "name: \(name)", "kind: \(kind)", "version: \(version)",
      "model: \(model)\(channels.map { ", \($0) channels" } ?? "") to \(connection), by \(structure)",
      "intents: \(intentList)",
      "recognized as: \(recognition ?? "nothing named")",
    ]
    if let isValid = hasValidIdentifier {
      lines.append("identifier: \(isValid ? "valid" : "not that of these bytes")")
    }
    for (parts, measure) in [(coverage, "u′v′"), (coverageInLab, "Lab")] {
      lines += coverageLines(parts ?? [:], in: measure)
    }
    return lines + ["tags: \(tags.joined(separator: " "))"]
  }
}
