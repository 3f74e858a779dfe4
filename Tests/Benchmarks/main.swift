// Times Colorloom's pixel work and prints a line of JSON for each case. See Documentation/Performance.md.

let arguments: BenchmarkArguments
do {
  arguments = try BenchmarkArguments(Array(CommandLine.arguments.dropFirst()))
} catch {
  fail("\(error)")
}
let bench = Bench(arguments: arguments)
// Each subject has a file of its own.
let subjects: [(Bench) throws -> Void] = [
  copies,
  conversions,
  decodedHalves,
  fusedChain,
  resizes,
  blurs,
  highlights,
  chains,
  tracing,
  tables,
  hues,
  gamuts,
  highDynamicRange,
  colorModels,
  neighborhoods,
]
do {
  for subject in subjects { try subject(bench) }
} catch {
  fail("\(error)")
}
guard bench.missed.isEmpty else { fail(bench.missed.joined(separator: "\n")) }
