// Times Colorloom's pixel work and prints a line of JSON for each case. See Documentation/Performance.md.

let arguments: BenchmarkArguments
do {
  arguments = try BenchmarkArguments(Array(CommandLine.arguments.dropFirst()))
} catch {
  fail("\(error)")
}
let bench = Bench(arguments: arguments)
do {
  try copies(bench)
  try conversions(bench)
  try fusedChain(bench)
  try resizes(bench)
  try highlights(bench)
  try chains(bench)
  try tracing(bench)
  try tables(bench)
  try hues(bench)
  try gamuts(bench)
  try highDynamicRange(bench)
} catch {
  fail("\(error)")
}
