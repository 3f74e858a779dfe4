import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

/// Profiles of every kind against Little CMS: all intents and directions, with and without black point compensation.
@Suite struct ReferenceTransformTests {
  /// Larger tolerances, by words in the profile's name and the target, with their reasons.
  static let exceptions: [(file: String, target: String, limit: Double, reason: String)] = [
    (
      "sRGB_ICC_v4_Appearance", "device from sRGB", 1.5e-4,
      "Little CMS rounds what goes into tables to 16 bits, which are coarse where the table is steep"
    )
  ]

  @Test func shippedProfilesAgreeWithLittleCMS() throws {
    let answers = try ReferenceAnswers.shipped()
    #expect(answers.count == 33)
    #expect(try compare(answers) > 20_000)
  }

  @Test(SharedReference.whenProfilesArePresent) func allProfilesAgreeWithLittleCMS() throws {
    #expect(try compare(ReferenceAnswers.shared()) > 150_000)
  }

  /// Compares every result; returns the number of colors.
  private func compare(_ profiles: [ReferenceAnswers]) throws -> Int {
    var compared = 0
    var worst: [String: Double] = [:]
    for answers in profiles {
      let profile = answers.profile
      for answer in answers.transforms {
        let name =
          "\(answers.file) \(answer.target) \(answer.intent) \(answer.blackPointCompensation)"
        let transform: ICCTransform
        do throws(ICCProfileError) {
          transform = try answer.transform(profile)
        } catch {
          // Floating-point elements are refused by name.
          #expect(answers.file.contains("mpet"), "\(name): \(error)")
          continue
        }
        let colors = try colors(answer.target, profile, answer.intent)
        var limit = 1e-4
        for exception in Self.exceptions
        where answers.file.contains(exception.file) && answer.target.contains(exception.target) {
          limit = exception.limit
        }
        var apart = (error: 0.0, text: "")
        for (input, theirs) in answer.pairsInGamut {
          let ours = transform(input)
          // The same values, or, where several values encode nearly the same color, the same color. A NaN is wrong even
          // if the way back turns it into a color.
          var error = distance(ours, theirs, in: answer.target)
          if error.isFinite { error = min(error, distance(colors(ours), colors(theirs))) }
          if error > apart.error {
            apart = (error, "\(input): \(ours), not \(theirs)")
          }
        }
        compared += answer.pairsInGamut.count
        worst[answer.target] = max(worst[answer.target] ?? 0, apart.error)
        #expect(apart.error <= limit, "\(name) at \(apart.text)")
      }
    }
    print("\(compared) colors agree with Little CMS; at most apart: \(worst).")
    return compared
  }

  /// The XYZ of a transform's results, for comparison.
  private func colors(
    _ target: String, _ profile: ICCProfile, _ intent: RenderingIntent
  ) throws -> ([Double]) -> [Double] {
    let source: ICCTransform.Link
    switch target {
    case "XYZ": return { $0 }
    case "Lab": source = .space(.lab)
    case "sRGB": source = .space(.sRGB)
    case "device": return { $0 }
    default: source = .profile(profile)
    }
    guard let toXYZ = try? ICCTransform(from: source, to: .space(.xyzD50), intent: intent) else {
      return { $0 }
    }
    return { toXYZ($0) }
  }

  /// The largest difference of a channel, with Lab as fractions of its range.
  private func distance(_ a: [Double], _ b: [Double], in target: String = "XYZ") -> Double {
    let ranges: [Double] = target == "Lab" ? [100, 255, 255] : a.map { _ in 1 }
    return a.indices.reduce(0) { larger($0, abs(a[$1] - b[$1]) / ranges[$1]) }
  }
}
