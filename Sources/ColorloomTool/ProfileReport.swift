import Colorloom
import Foundation
import ICCProfiles

/// The report of a profile.
struct ProfileReport: Encodable {
  let name, kind, version, model, connection: String
  /// “tables” or “curves”; missing where there are neither.
  let structure: String?
  let channels: Int?
  let intent: String
  let intents, tags: [String]
  let hasValidIdentifier: Bool?
  /// Why the profile converts no colors, and why it is no color space of pictures although its channels are those of one; missing where
  /// it does and is.
  let refusal, spaceRefusal: String?
  /// The code points of the tag `cicp`, their meaning, and whether they define the space of pictures.
  let codePoints, codePointsInWords: String?
  let codePointsDefineTheSpace: Bool?
  let recognized: String?
  let distance, bound: Double?
  /// The gamut coverage of named spaces: of their triangles in u′v′, for profiles with primaries, and of their volumes in Lab.
  let coverage, coverageInLab: [String: Double]?
  let namedColors: [NamedColor]?

  /// A color of a named color profile, in its connection space and in the values of its device.
  struct NamedColor: Encodable {
    let name: String
    let connection, device: [Double]
  }

  init(_ profile: ICCProfile) {
    (name, kind, version) = ("\(profile)", profile.kind, profile.version)
    (model, connection) = (profile.modelName, profile.connectionName)
    channels = profile.channelCount
    structure =
      profile.hasTables
      ? "tables" : profile.tags.contains { $0.hasSuffix("TRC") } ? "curves" : nil
    let refusal = Self.refusal(of: profile)
    (self.refusal, spaceRefusal) = (refusal, refusal == nil ? Self.spaceRefusal(of: profile) : nil)
    let points = try? profile.codePoints()
    codePoints = points.map { "\($0)" }
    codePointsDefineTheSpace = points.map { _ in (try? profile.spaceOfCodePoints()) != nil }
    codePointsInWords = points?.explanation
    intent = "\(profile.intent)"
    intents = refusal == nil ? profile.intents.map { "\($0)" } : []
    (tags, hasValidIdentifier) = (profile.tags, profile.hasValidIdentifier)
    let recognition = profile.recognized
    (recognized, distance, bound) = (
      recognition?.space.name, recognition?.distance, recognition?.bound
    )
    // LUT and gray profiles have no primaries, and so no triangle, unless code points state some.
    let hasPrimaries =
      codePointsDefineTheSpace == true || profile.modelName == "RGB" && !profile.hasTables
    let space = hasPrimaries ? try? profile.colorSpace() : nil
    coverage = space.map { space in Self.parts { space.coverage(of: $0, in: .uv) } }
    coverageInLab =
      space.map { space in Self.parts { space.coverage(of: $0, in: .lab).value } }
      ?? (refusal == nil ? try? profile.gamut() : nil).map { gamut in Self.parts(gamut.coverage) }
    let colors = (try? profile.namedColors()) ?? []
    namedColors =
      colors.isEmpty
      ? nil
      : colors.map { NamedColor(name: $0.name, connection: $0.connection.array, device: $0.device) }
  }

  private static func refusal(of profile: ICCProfile) -> String? {
    do throws(ICCProfileError) {
      _ = try ICCTransform([.profile(profile)], intent: profile.intent)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func spaceRefusal(of profile: ICCProfile) -> String? {
    guard profile.isGray || profile.channelCount == 3, !profile.isDeviceLink,
      !["Lab", "XYZ"].contains(profile.modelName)
    else { return nil }
    do throws(ICCProfileError) {
      _ = try profile.colorSpace()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func parts(_ coverage: (ColorSpace) -> Double) -> [String: Double] {
    [ColorSpace.sRGB, .displayP3, .rec2020].reduce(into: [:]) { $0[$1.name] = coverage($1) }
  }

  private var recognition: String? {
    guard let recognized, let distance else { return nil }
    if codePointsDefineTheSpace == true, distance > 1 {
      return "\(recognized), by its code points; its \(structure ?? "tags"), for other programs, "
        + "differ by ΔE \(rounded(distance)) at the worst color of a grid"
    }
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
      "model: \(model)\(channels.map { ", \($0) channels" } ?? "") to \(connection)"
        + (structure.map { ", by \($0)" } ?? ""),
    ]
    if let refusal {
      lines.append("cannot be used: \(refusal)")
    } else {
      lines.append("intents: \(intentList)")
      if let recognition { lines.append("recognized as: \(recognition)") }
    }
    if let spaceRefusal { lines.append("no color space of pictures: \(spaceRefusal)") }
    if let codePoints, let codePointsInWords {
      lines.append(
        "code points (H.273): \(codePoints), "
          + (codePointsDefineTheSpace == true
            ? "which define the space of pictures"
            : "not used: \(codePointsInWords); those of known primaries and curves, of RGB in full range (0/1), define "
              + "the space of an RGB profile of a display or an input device"))
    }
    if let isValid = hasValidIdentifier {
      lines.append("identifier: \(isValid ? "valid" : "not that of these bytes")")
    }
    for (parts, measure) in [(coverage, "u′v′"), (coverageInLab, "Lab")] {
      lines += coverageLines(parts ?? [:], in: measure)
    }
    for color in namedColors ?? [] {
      func row(_ values: [Double]) -> String { values.map { "\($0)" }.joined(separator: " ") }
      lines.append(
        "color: “\(color.name)”, \(connection) \(row(color.connection))"
          + (color.device.isEmpty ? "" : ", \(model) \(row(color.device))"))
    }
    return lines + ["tags: \(tags.joined(separator: " "))"]
  }
}
