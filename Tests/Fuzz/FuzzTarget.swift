import _TestSupport

/// A reader of untrusted input, with intact inputs to damage.
struct FuzzTarget: Sendable {
  /// What `--format` calls it.
  let name: String
  /// Intact inputs.
  let seeds: [[UInt8]]
  /// Damages an input.
  let mutate: @Sendable (inout ByteMutator, inout [UInt8]) -> Void
  /// Reads an input, whatever that gives. The index chooses between ways to read.
  let read: @Sendable (_ input: [UInt8], _ index: Int, _ scratch: Scratch) throws -> Void
  /// The most bytes that reading may hold at a time, beside the input.
  let memoryBudget: Int

  /// A name, and what makes the target: workers need the seeds of one target alone.
  typealias Entry = (name: String, make: @Sendable () throws -> FuzzTarget)

  /// Every reader of the package; those of traits where they are compiled in.
  static let all: [Entry] =
    ImageTargets.all + [("y4m", { ImageTargets.video }), ("icc", ProfileTarget.target)]
    + TextTargets.all

  /// The mutated input of an index. It depends on the seed, the format's name and the index alone.
  func input(seed: UInt64, index: Int) -> [UInt8] {
    let hash = name.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    var random = SeededGenerator(seed: seed ^ hash)
    let start = random.next()
    random = SeededGenerator(seed: start &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
    _ = random.next()
    var mutator = ByteMutator(random: random, corpus: seeds)
    // Every seed is read intact once.
    if index < seeds.count { return seeds[index] }
    var bytes = seeds[mutator.index(below: seeds.count)]
    mutate(&mutator, &bytes)
    return bytes
  }
}

/// A file that inputs are written to where a reader takes no bytes.
struct Scratch: Sendable {
  let path: String
}
