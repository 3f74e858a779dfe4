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
}
