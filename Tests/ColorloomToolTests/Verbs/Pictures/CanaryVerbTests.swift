import ColorloomTool
import Testing
import _TestSupport

/// `canary check` over several stages.
@Suite struct CanaryVerbTests {
  /// The stage that only turned the canary lost nothing; the next one clipped it.
  @Test func turnedStagesLoseNothing() throws {
    let folder = try TemporaryFolder()
    let (canary, turned, clipped) = (
      folder.path("canary.png"), folder.path("turned.png"), folder.path("clipped.png")
    )
    #expect(run("canary", "make", canary).status == .done)
    #expect(run("convert", canary, turned, "--rotate", "90").status == .done)
    #expect(
      run("convert", turned, clipped, "--to", "sRGB", "--gamut", "clip", "--samples", "u8").status
        == .done)
    let kept = run("canary", "check", canary, turned)
    #expect(kept.status == .done)
    #expect(
      kept.output == [
        "\(canary): intact, wide color survived",
        "\(turned): turned or mirrored, wide color survived",
      ])
    let lost = run("canary", "check", canary, turned, clipped)
    #expect(lost.status == .failed)
    #expect(lost.output.last == "lost between \(turned) and \(clipped)")
    struct Report: Decodable { let lostAt: String? }
    let report = try run("canary", "check", canary, turned, clipped, "--json")
      .report(as: Report.self)
    #expect(report.lostAt == clipped)
  }

  /// A stage that cannot be read has a verdict, too, and all others keep theirs.
  @Test func unreadableStagesHideNoVerdict() throws {
    let folder = try TemporaryFolder()
    let (canary, missing, clipped) = (
      folder.path("canary.png"), folder.path("missing.png"), folder.path("clipped.png")
    )
    #expect(run("canary", "make", canary).status == .done)
    #expect(
      run("convert", canary, clipped, "--to", "sRGB", "--gamut", "clip", "--samples", "u8").status
        == .done)
    let broken = run("canary", "check", canary, missing, canary)
    #expect(broken.status == .failed && broken.errors.isEmpty)
    #expect(broken.output.count == 3)
    #expect(broken.output[0] == "\(canary): intact, wide color survived")
    #expect(broken.output[1].hasPrefix("\(missing): unreadable: “\(missing)” cannot be read"))
    #expect(broken.output[2] == broken.output[0])
    let lost = run("canary", "check", canary, missing, clipped)
    #expect(lost.status == .failed && lost.output.count == 4)
    #expect(lost.output[3] == "lost between \(canary) and \(clipped)")
    struct Report: Decodable {
      struct Stage: Decodable {
        let fate: String
        let error: String?
        let contrasts: [Double]
      }
      let stages: [Stage]
      let lostAt: String?
    }
    let report = try run("canary", "check", canary, missing, "--json").report(as: Report.self)
    #expect(report.stages.map(\.fate) == ["intact", "unreadable"] && report.lostAt == nil)
    #expect(report.stages[0].error == nil && report.stages[0].contrasts.count == 3)
    #expect(report.stages[1].error?.contains(missing) == true)
    #expect(report.stages[1].contrasts.isEmpty)
  }
}
