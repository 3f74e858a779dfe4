import ColorSpaces
import Foundation
import ICCProfiles
import _TestSupport

/// A profile, and Little CMS's conversions of values in it.
struct ReferenceAnswers {
  let file: String
  let profile: ICCProfile
  let transforms: [Transform]

  /// One direction and intent, with values as in ``ICCTransform``.
  struct Transform {
    let target: String
    let intent: RenderingIntent
    let blackPointCompensation: Bool
    let inputs, outputs: [[Double]]
    /// Whether the inputs are device values, 0…1.
    let startsAtDevice: Bool

    /// The pairs of in-range device values: beyond 0…1 programs extrapolate differently.
    var pairsInGamut: [(input: [Double], output: [Double])] {
      zip(inputs, outputs).filter { input, output in
        (!startsAtDevice || input.allSatisfy { (0...1).contains($0) })
          && (target == "Lab" || target == "XYZ"
            || output.allSatisfy { (-1e-4...1.0001).contains($0) })
      }
    }

    /// Our equivalent transform.
    func transform(_ profile: ICCProfile) throws(ICCProfileError) -> ICCTransform {
      let device = ICCTransform.Link.profile(profile)
      let links: [ICCTransform.Link] =
        switch target {
        case "Lab": [device, .space(.lab)]
        case "XYZ": [device, .space(.xyzD50)]
        case "sRGB": [device, .space(.sRGB)]
        case "device from Lab": [.space(.lab), device]
        case "device from sRGB": [.space(.sRGB), device]
        default: [device]
        }
      return try ICCTransform(
        links, intent: intent, blackPointCompensation: blackPointCompensation)
    }
  }

  /// The profiles that `Fixtures/Profiles/make.py` creates.
  static func shipped() throws -> [ReferenceAnswers] { try all(in: Fixtures.url("Profiles")) }

  /// Profiles beside the repository; empty on machines without them.
  static func shared() throws -> [ReferenceAnswers] {
    try SharedReference.profiles().map { try all(in: $0) } ?? []
  }

  /// All profiles of a folder that can be opened and have reference conversions.
  private static func all(in folder: URL) throws -> [ReferenceAnswers] {
    func data(_ path: String) throws -> Data { try Data(contentsOf: folder.appending(path: path)) }
    let index = try JSONDecoder().decode(Index.self, from: data("index.json"))
    let numbers =
      try JSONSerialization.jsonObject(with: data("inputs.json")) as? [String: Any] ?? [:]
    return try index.profiles.compactMap { entry in
      guard let ref = entry.ref else { return nil }
      let answers = try JSONDecoder().decode(Answers.self, from: data(ref))
      let bytes = [UInt8](try data(entry.file))
      return ReferenceAnswers(
        file: entry.file, profile: try ICCProfile(bytes: bytes),
        transforms: answers.transforms.compactMap { answers.transform($0, numbers) })
    }
  }

  private struct Index: Decodable {
    struct Entry: Decodable {
      let file: String
      let ref: String?
    }
    let profiles: [Entry]
  }

  private struct Answers: Decodable {
    struct Transform: Decodable {
      let to: String
      let intent: Int
      let bpc: Compensation
      let out: [[Double]]?
      let rows: Int?
      let sameAs: Twin?

      enum CodingKeys: String, CodingKey {
        case to, intent, bpc, out, rows
        case sameAs = "same_as"
      }
    }
    struct Twin: Decodable {
      let intent: Int
      let bpc: Compensation
    }
    /// True, false, or the reason why compensation was forced.
    struct Compensation: Decodable, Equatable {
      let text: String
      var isOn: Bool { text != "false" }

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        text = try (try? value.decode(Bool.self)).map { "\($0)" } ?? value.decode(String.self)
      }
    }
    let inputs: String?
    let transforms: [Transform]

    /// Nil where Little CMS has no result.
    func transform(
      _ entry: Transform, _ numbers: [String: Any]
    ) -> ReferenceAnswers.Transform? {
      let twin = entry.sameAs.flatMap { same in
        transforms.first { $0.to == entry.to && $0.intent == same.intent && $0.bpc == same.bpc }
      }
      guard let out = entry.out ?? twin?.out, let intent = RenderingIntent(rawValue: entry.intent)
      else { return nil }
      let model =
        switch entry.to {
        case "device from Lab": "Lab"
        case "device from sRGB": "RGB"
        default: inputs ?? ""
        }
      let rows = numbers[model] as? [[Double]] ?? []
      // There, inks are in percent.
      let isInk = model == "CMYK" || model.hasSuffix("CLR")
      let inputs = isInk ? rows.map { $0.map { $0 / 100 } } : rows
      let isInkOutput = entry.to.hasPrefix("device") && out[0].count >= 4
      let outputs = isInkOutput ? out.map { $0.map { $0 / 100 } } : out
      let count = min(entry.rows ?? out.count, rows.count)
      return ReferenceAnswers.Transform(
        target: entry.to, intent: intent, blackPointCompensation: entry.bpc.isOn,
        inputs: Array(inputs.prefix(count)), outputs: Array(outputs.prefix(count)),
        startsAtDevice: model != "Lab" && model != "XYZ")
    }
  }
}
