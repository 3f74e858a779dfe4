import ColorloomTool
import Foundation
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

  /// A stage that cannot be decoded has a verdict, too, and all others keep theirs.
  @Test func unreadableStagesHideNoVerdict() throws {
    let folder = try TemporaryFolder()
    let (canary, damaged, clipped) = (
      folder.path("canary.png"), folder.path("damaged.png"), folder.path("clipped.png")
    )
    #expect(run("canary", "make", canary).status == .done)
    let bytes = try Data(contentsOf: URL(filePath: canary))
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: damaged))
    #expect(
      run("convert", canary, clipped, "--to", "sRGB", "--gamut", "clip", "--samples", "u8").status
        == .done)
    let broken = run("canary", "check", canary, damaged, canary)
    #expect(broken.status == .failed && broken.errors.count == 1)
    #expect(broken.complaint.hasPrefix("“\(damaged)” is truncated"), "\(broken.errors)")
    let intact = "\(canary): intact, wide color survived"
    #expect(
      broken.output == [
        intact, "\(damaged): unreadable, the stage cannot be decoded", intact,
      ])
    let lost = run("canary", "check", canary, damaged, clipped)
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
    let report = try run("canary", "check", canary, damaged, "--json").report(as: Report.self)
    #expect(report.stages.map(\.fate) == ["intact", "unreadable"] && report.lostAt == nil)
    #expect(report.stages[0].error == nil && report.stages[0].contrasts.count == 3)
    #expect(report.stages[1].error?.contains(damaged) == true)
    #expect(report.stages[1].contrasts.isEmpty)
  }

  /// A mistyped path and a limit that the command sets say nothing about a stage.
  @Test func errorsOfTheCommandAreNoVerdicts() throws {
    let folder = try TemporaryFolder()
    let (canary, missing) = (folder.path("canary.png"), folder.path("missing.png"))
    #expect(run("canary", "make", canary).status == .done)
    for (words, sentence) in [
      ([missing], "colorloom: “\(missing)” cannot be read"),
      (["--max-pixels", "10"], "Pass --max-pixels 49152 to read it anyway."),
    ] {
      let transcript = run(["canary", "check", canary] + words)
      #expect(transcript.status == .failed && transcript.output.isEmpty)
      #expect(transcript.errors.count == 1 && transcript.complaint.contains(sentence))
    }
  }

  /// A canary that even unchanged fails its check is reported where it is made.
  @Test(arguments: [
    ("1x1", "1 × 1"), ("48x16", nil), ("20x200", nil), ("96x32", nil),
  ])
  func smallCanariesAreReported(size: String, named: String?) throws {
    let folder = try TemporaryFolder()
    let canary = folder.path("canary.png")
    let made = run("canary", "make", canary, "--size", size)
    #expect(made.status == .done)
    let notes = named.map {
      ["A canary of \($0) pixels is too small to be checked; 96 × 32 pixels are enough."]
    }
    #expect(made.errors == notes ?? [])
    #expect(run("canary", "check", canary).status == (named == nil ? .done : .failed))
  }
}
