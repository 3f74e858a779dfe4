import Synchronization
import Testing
import _TestSupport

@Suite("Property checks")
struct PropertyTests {
  @Test("A run with the same seed is the same")
  func repeatable() {
    let generator = Generator.array(of: .adversarialDouble(), count: 0...20)
    func values(seed: UInt64) -> [[Double]] {
      var random = SeededGenerator(seed: seed)
      return (0..<50).map { _ in generator.generate(using: &random) }
    }
    #expect(values(seed: 7) == values(seed: 7))
    #expect(values(seed: 7) != values(seed: 8))
  }

  @Test("The random bits are those of SplitMix64")
  func splitMix() {
    // The first outputs of the C reference implementation for the seed 1234567.
    var random = SeededGenerator(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    #expect(random.next() == 9_817_491_932_198_370_423)
  }

  @Test("A property that holds is tried on every case and has no counterexample")
  func trueProperty() {
    var tried = 0
    checkProperty("squares are not negative", .int(in: -1000...1000), cases: 321) {
      tried += 1
      return $0 * $0 >= 0
    }
    #expect(tried == 321)
    #expect(firstCounterexample(.int(in: 0...9)) { $0 < 10 } == nil)
  }

  @Test("Two and three generators give their values in order")
  func severalGenerators() {
    checkProperty("two", .int(in: 0...9), .double(in: 10...11)) { $0 < 10 && $1 >= 10 }
    checkProperty("three", .int(in: 0...9), .int(in: 10...19), .element(of: ["a", "b"])) {
      (0...9).contains($0) && (10...19).contains($1) && $2 < "c"
    }
  }

  @Test("The report names the property, the seed, the case, both values and the way to run again")
  func report() throws {
    let counterexample = try #require(
      firstCounterexample(.int(in: 0...100_000), seed: 99) { value in
        guard value < 37 else { throw Failure("\(value) is too much") }
        return true
      })
    let report = counterexample.report(property: "small numbers")
    #expect(counterexample.seed == 99)
    #expect(counterexample.shrunken == 37)
    #expect(
      report == """
        The property "small numbers" does not hold: 37 is too much.
          simplest failing value: 37
          value as generated: \(counterexample.original) (case \
        \(counterexample.caseNumber), seed 99)
          to run it again: COLORLOOM_SEED=99 swift test -c release
        """)
  }

  @Test("The seed of a report leads to the same counterexample")
  func sameCounterexample() throws {
    let generator = Generator.zip(.float(in: 0...1), .adversarialFloat(includingNonFinite: true))
    func run(seed: UInt64) -> Counterexample<(Float, Float)>? {
      firstCounterexample(generator, seed: seed) { $0 < 0.75 || $1 < 0.5 }
    }
    let first = try #require(run(seed: 5))
    let second = try #require(run(seed: first.seed))
    #expect(first.report(property: "p") == second.report(property: "p"))
  }

  @Test("A failing check records one issue, at the place of the check")
  func oneIssue() {
    let reports = Mutex<[String]>([])
    withKnownIssue {
      checkProperty("never", .int(in: 0...9)) { _ in false }
    } matching: { issue in
      reports.withLock { $0 += issue.comments.map(\.rawValue) }
      return issue.sourceLocation?.fileName == "PropertyTests.swift"
    }
    let texts = reports.withLock { $0 }
    #expect(texts.count == 1)
    #expect(
      texts.allSatisfy {
        $0.hasPrefix("The property \"never\" does not hold: the property returned false.")
      })
  }

  @Test("Any error is a failure, with the error as the reason")
  func anyError() throws {
    struct Broken: Error {}
    let counterexample = firstCounterexample(.int(in: 0...9)) { _ in throw Broken() }
    #expect(try #require(counterexample).reason == "the property threw Broken()")
  }

  @Test("Shrinking ends even where candidates never do")
  func boundedShrinking() throws {
    let endless = Generator(generate: { _ in 0 }, shrink: { [$0 + 1] })
    let counterexample = firstCounterexample(endless) { _ in false }
    #expect(try #require(counterexample).shrunken == 2_000)
  }

  @Test("COLORLOOM_SEED gives the seed, and nonsense in it is an error")
  func environment() throws {
    #expect(try seedOverride(in: [:]) == nil)
    #expect(try seedOverride(in: ["COLORLOOM_SEED": "42"]) == 42)
    #expect(throws: Failure.self) { try seedOverride(in: ["COLORLOOM_SEED": "forty-two"]) }
  }

  @Test("A huge value is cut in the report")
  func abridgedReport() {
    let zeros = [Int](repeating: 0, count: 10_000)
    let counterexample = Counterexample(
      seed: 1, caseNumber: 1, original: zeros, shrunken: zeros, reason: "too long")
    #expect(counterexample.report(property: "p").count < 5_000)
  }
}
