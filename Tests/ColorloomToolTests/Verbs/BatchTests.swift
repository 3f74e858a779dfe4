import ColorloomTool
import Foundation
import Testing
import _TestSupport

/// Jobs as lines of JSON: results in their order, and no job stops another.
@Suite struct BatchTests {
  private struct Result: Decodable {
    let status: Int
    let output, errors: [String]
  }

  private func results(_ jobs: [String], _ words: String...) throws -> [Result] {
    let transcript = run(["batch"] + words, input: jobs)
    #expect(transcript.status == .done)
    #expect(transcript.errors.isEmpty)
    return try transcript.output.map {
      try JSONDecoder().decode(Result.self, from: Data($0.utf8))
    }
  }

  @Test(arguments: ["1", "2", "5"])
  func resultsComeInTheOrderOfJobs(workers: String) throws {
    // The first jobs take longest.
    let jobs = (0..<40).map { index in
      let rows = (0..<(40 - index) * 5).map { _ in "\"\(index) 0 0\"" }.joined(separator: ",")
      return #"{"run": ["color", "--from", "p3", "--to", "p3", \#(rows)]}"#
    }
    let results = try results(jobs, "--jobs", workers)
    #expect(results.map { $0.output.last } == (0..<40).map { "\($0).0 0.0 0.0" })
  }

  @Test func idsAreEchoed() {
    let ids = [
      "9007199254740993", "-1.5", "\"a/b\"", "{\"x\":[1,null,true,{}]}", "\"\"", "[]",
    ]
    let output = run("batch", input: ids.map { #"{"id": \#($0), "run": ["help"]}"# }).output
    for (id, line) in zip(ids, output) { #expect(line.contains("\"id\":\(id),")) }
    #expect(run("batch", input: ["junk", #"{"run":[]}"#]).output[1].contains("\"id\":2,"))
    #expect(run("batch", input: [#"{"id":null,"run":[]}"#]).output[0].contains("\"id\":1,"))
  }

  /// Integers beyond signed 64-bit ones would come back as others.
  @Test(arguments: ["18446744073709551615", "[-9223372036854775809]", "{\"x\":1e300}"])
  func inexactIdsAreRefused(id: String) throws {
    let jobs = [#"{"run": ["help"]}"#, #"{"id": \#(id), "run": ["help"]}"#]
    let output = run("batch", input: jobs).output
    #expect(output.count == 2 && output.last?.contains("\"id\":2,") == true)
    let result = try #require(try results(jobs).last)
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(
      result.errors.first?.contains("Line 2 is no job. Its id has a number outside −2⁶³") == true)
  }

  @Test func idsOf64BitsAreEchoed() {
    for id in ["\(Int.max)", "\(Int.min)", "0.25", "9007199254740991.0"] {
      let output = run("batch", input: [#"{"id": \#(id), "run": ["help"]}"#]).output
      #expect(output.first?.contains(#""status":0"#) == true, "\(output)")
    }
    let largest = run("batch", input: [#"{"id": \#(Int.max), "run": ["help"]}"#]).output
    #expect(largest.first?.contains("\"id\":\(Int.max),") == true)
  }

  @Test func jobsAreNoDeeperThanRecipes() throws {
    let lines = [90, 500].map { depth in
      let id = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return #"{"id": \#(id), "run": ["help"]}"#
    }
    #expect(try results(lines).map(\.status) == [0, 2])
  }

  @Test func invalidJobsDoNotStopOthers() throws {
    let folder = try TemporaryFolder()
    let jobs = [
      "", "junk", "[]", "{}", #"{"run": "spaces"}"#, #"{"run": [1]}"#, #"{"run": ["bogus"]}"#,
      #"{"run": ["info", "\#(folder.path("missing.png"))"]}"#,
      #"{"run": ["color", "--from", "p3", "--to", "p3", "x"]}"#, #"{"run": ["batch"]}"#,
      "\u{FFFD}\u{0}",
      #"{"run": ["--tile", "9223372036854775807", "spaces"]}"#,
      #"{"run": ["convert", "a", "b", "--fit", "9223372036854775807"]}"#,
      #"{"run": ["curve", "linear", "encode"], "input": ["0.5"]}"#,
    ]
    let results = try results(jobs, "--jobs", "3")
    #expect(results.map(\.status) == [2, 2, 2, 2, 2, 2, 2, 1, 1, 0, 2, 2, 2, 0])
    #expect(results.allSatisfy { $0.status == 0 || $0.errors.count == 1 })
    #expect(results.last?.output == ["0.5"])
  }

  /// A misspelled member would otherwise be a job without rows, which succeeds.
  @Test(arguments: [
    (#"{"run": ["color"], "inputs": ["1 0 0"]}"#, "no member “inputs”. Did you mean “input”?"),
    (#"{"ruin": ["info"]}"#, "no member “ruin”. Did you mean “run”?"),
    (#"{"id": 1}"#, "It has no “run”."), (#"{"run": "info x"}"#, "“run” is a list of words"),
    (#"{"run": ["info", 1]}"#, "“run” is a list of words"),
    (#"{"run": ["spaces"], "input": "1 0 0"}"#, "“input” is a list of rows"),
    (#"{"run": ["spaces"], }"#, "It is not JSON at column 21: "),
    (#"["spaces"]"#, "A job is a JSON object such as"),
    (#"{"run": ["spaces"], "run": ["help"]}"#, "the name \"run\" occurs twice"),
  ])
  func mistakesInJobsAreNamed(job: String, sentence: String) throws {
    let result = try #require(try results([job]).first)
    #expect(result.status == 2 && result.output.isEmpty)
    let complaint = result.errors.joined()
    #expect(
      complaint.hasPrefix("Line 1 is no job. ") && complaint.contains(sentence), "\(complaint)")
  }

  @Test func reportsAreNested() throws {
    struct Answer: Decodable {
      struct Space: Decodable { let name: String }
      let report: [Space]
    }
    let line = try #require(run("batch", input: [#"{"run": ["spaces", "--json"]}"#]).output.first)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
    #expect(answer.report.map(\.name) == run("spaces").output)
  }

  @Test func severalReportsAreAList() throws {
    struct Answer: Decodable {
      struct File: Decodable { let file: String }
      let report: [File]
    }
    let folder = try TemporaryFolder()
    let files = ["a.png", "b.png", "c.png"].map { folder.path($0) }
    for file in files { #expect(run("triangle", file, "--size", "9x7").status == .done) }
    let job = try JSONEncoder().encode(["run": ["info", "--json"] + files])
    let lines = run("batch", input: [String(decoding: job, as: UTF8.self)]).output
    let answer = try JSONDecoder().decode(Answer.self, from: Data((lines.first ?? "").utf8))
    #expect(answer.report.map(\.file) == files)
  }
}
