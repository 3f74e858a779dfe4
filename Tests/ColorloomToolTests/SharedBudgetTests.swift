import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The memory and the threads of a batch are divided among the jobs that run at once.
@Suite struct SharedBudgetTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Data(#"{"version": 1, "steps": ["invert"]}"#.utf8)
      .write(to: URL(filePath: folder.path("recipe.json")))
    for name in ["a.png", "b.png"] {
      let photo = TestPictures.codes(as: UInt8.self, PixelSize(320, 200), channels: .rgb)
      try ImageFile.write(.uint8(photo), to: folder.path(name))
    }
  }

  private struct Plan: Decodable { let threads: Int }

  private struct Answer: Decodable {
    let status: Int
    let errors: [String]
    let report: Plan?
  }

  private func answers(_ jobs: [[String]], _ words: [String]) throws -> [Answer] {
    let lines = try jobs.map { words in
      String(decoding: try JSONEncoder().encode(["run": words]), as: UTF8.self)
    }
    return try run(["batch"] + words, input: lines).output.map {
      try JSONDecoder().decode(Answer.self, from: Data($0.utf8))
    }
  }

  @Test func threadsAreDivided() throws {
    let job = ["plan", folder.path("recipe.json"), "--size", "6000x4000", "--json"]
    let words = ["--threads", "4", "--memory", "4GiB"]
    #expect(try answers([job], words).first?.report?.threads == 4)
    #expect(try answers([job], words + ["--jobs", "4"]).first?.report?.threads == 1)
    // A job may set its own number.
    let own = try answers([job + ["--threads", "3"]], words + ["--jobs", "4"])
    #expect(own.first?.report?.threads == 3)
  }

  /// Returns the memory that a command needs.
  private func memory(neededBy words: [String]) throws -> Int {
    // A refusal names the memory that the next check asks for.
    var needed = 1000
    while let match = run(words + ["--memory", "\(needed)"]).complaint
      .firstMatch(of: /Pass --memory ([0-9]+)/)
    {
      let more = try #require(Int(match.output.1))
      try #require(more > needed)
      needed = more
    }
    return needed
  }

  /// A job with a limit of its own is refused by that, and one that has the whole memory is not.
  @Test func jobsThatNeedMoreThanTheirShareRunAlone() throws {
    func words(_ output: String) -> [String] {
      ["convert", folder.path("a.png"), folder.path(output), "--gaussian-blur", "3"]
    }
    let needed = try memory(neededBy: words("o.png") + ["--threads", "2"])
    let batch = ["--memory", "\(needed)", "--threads", "2", "--jobs"]
    let alone = try answers([words("o.png"), words("p.png")], batch + ["2"])
    #expect(alone.map(\.status) == [0, 0], "\(alone.map(\.errors))")
    let half = needed / 2
    let limited = try answers([words("o.png") + ["--memory", "\(half)"]], batch + ["2"])
    #expect(limited.map(\.status) == [1])
    #expect(limited[0].errors.joined().contains("the limit is \(half)"), "\(limited[0].errors)")
    let many = [
      "convert", folder.path("a.png"), folder.path("b.png"), "--gaussian-blur", "3", "--out",
      folder.path("{name}-2.png"),
    ]
    let files = try answers([many, words("o.png")], batch + ["3"])
    #expect(files.map(\.status) == [0, 0], "\(files.map(\.errors))")
  }

  /// The film that a job saves before its first attempt needs too much memory is no result that existed before the job.
  @Test func jobsDoNotFindTheirOwnResults() throws {
    let (film, print) = (folder.path("film.json"), folder.path("print.png"))
    let job = [
      "develop", Fixtures.url("negative.png").path, print, "--roll", "--save-film", film,
      "--gaussian-blur", "12", "--threads", "2", "--existing", "refuse",
    ]
    let needed = try memory(neededBy: Array(job.dropLast(2)))
    for file in [film, print] { try FileManager.default.removeItem(atPath: file) }
    let batch = ["--memory", "\(needed)", "--threads", "2", "--jobs", "2"]
    let answer = try answers([job], batch)
    #expect(answer.map(\.status) == [0], "\(answer.map(\.errors))")
    #expect([film, print].allSatisfy { FileManager.default.fileExists(atPath: $0) })
    // What another job wrote did exist.
    let again = try answers([job], batch)
    #expect(again.map(\.status) == [1])
    #expect(again[0].errors.joined().contains("exists already"), "\(again[0].errors)")
  }
}
