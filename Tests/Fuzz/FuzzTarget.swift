import _TestSupport

/// A reader of untrusted input, with seed inputs to mutate.
struct FuzzTarget: Sendable {
  /// The name for `--format`.
  let name: String
  /// The seed inputs, which are valid: a reader that refuses one is a finding.
  let seeds: [[UInt8]]
  /// Mutates an input.
  let mutate: @Sendable (inout ByteMutator, inout [UInt8]) -> Void
  /// Reads an input; errors are expected. The index chooses between ways to read.
  let read: @Sendable (_ input: [UInt8], _ index: Int, _ scratch: Scratch) throws -> Void
  /// The maximum memory of reading in bytes, besides the input.
  let memoryBudget: Int

  /// A name, and a closure that creates the target: workers need the seeds of one target only.
  typealias Entry = (name: String, make: @Sendable () throws -> FuzzTarget)

  /// Every public reader of the libraries, including those of enabled traits.
  static let all: [Entry] =
    ImageTargets.all + [("y4m", { ImageTargets.video }), ("icc", ProfileTarget.target)]
    + TextTargets.all

  /// Returns the mutated input of an index. It depends only on the seed, the format's name and the index.
  func input(seed: UInt64, index: Int) -> [UInt8] {
    let hash = name.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    var random = SeededGenerator(seed: seed ^ hash)
    let start = random.next()
    random = SeededGenerator(seed: start &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
    _ = random.next()
    var mutator = ByteMutator(random: random, corpus: seeds)
    // Every seed is first read unmutated.
    if index < seeds.count { return seeds[index] }
    var bytes = seeds[mutator.index(below: seeds.count)]
    mutate(&mutator, &bytes)
    return bytes
  }
}

/// A file for inputs of readers that do not take bytes.
struct Scratch: Sendable {
  let path: String
}
