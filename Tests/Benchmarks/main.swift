// Times Colorloom's pixel work and prints a line of JSON for each case. See Documentation/Performance.md.

import Colorloom

// Each subject has a file of its own.
let subjects: [(works: [String], run: (Bench) throws -> Void)] = [
  (["W0"], copies),
  (["W1"], conversions),
  (["W2"], decodedHalves),
  (["W3"], fusedChain),
  (["W4"], resizes),
  (["W8"], blurs),
  (["W5"], highlights),
  (["W6"], chains),
  (["W7"], tracing),
  (["T1", "T2", "T3"], tables),
  (["P1"], hues),
  (["P2"], gamuts),
  (["P3"], highDynamicRange),
  (["P4"], colorModels),
  (["N1", "N2", "N3", "N4", "N5", "N6"], neighborhoods),
]
let works = subjects.flatMap(\.works).sorted()
let arguments: BenchmarkArguments
do {
  arguments = try BenchmarkArguments(Array(CommandLine.arguments.dropFirst()), works: works)
} catch {
  fail("\(error)", status: 2)
}
if let instructionSetError { fail(instructionSetError, status: 2) }
if arguments.isHelp {
  print(BenchmarkArguments.usage(works: works), terminator: "")
} else {
  let bench = Bench(arguments: arguments)
  do {
    for subject in subjects { try subject.run(bench) }
  } catch {
    fail("\(error)")
  }
  guard bench.caseCount > 0 else {
    fail(
      "No case of \(arguments.only.isEmpty ? "any workload" : arguments.only.joined(separator: ", "))"
        + " begins with “\(arguments.beginning)”.", status: 2)
  }
  guard bench.missed.isEmpty else { fail(bench.missed.joined(separator: "\n")) }
}
