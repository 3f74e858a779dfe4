import Testing
import _TestSupport

@Suite("Shrinking")
struct ShrinkingTests {
  @Test(
    "An integer shrinks to the exact threshold",
    arguments: [0...100_000, -100_000...100_000, Int.min...Int.max, 30...50])
  func integer(range: ClosedRange<Int>) throws {
    let counterexample = firstCounterexample(.int(in: range)) { $0 < 37 }
    #expect(try #require(counterexample).shrunken == 37)
  }

  @Test("A range without zero shrinks to its end nearest zero")
  func nearestToZero() throws {
    #expect(try #require(firstCounterexample(.int(in: 5...99)) { _ in false }).shrunken == 5)
    #expect(try #require(firstCounterexample(.int(in: -99 ... -5)) { _ in false }).shrunken == -5)
    #expect(try #require(firstCounterexample(.double(in: 2...9)) { _ in false }).shrunken == 2)
  }

  @Test("A number shrinks to a short one, or to just beyond the threshold")
  func number() throws {
    let whole = firstCounterexample(.double(in: 0...1000)) { $0 < 37 }
    #expect(try #require(whole).shrunken == 37)
    let threshold = firstCounterexample(.float(in: 0...1)) { $0 <= 0.040_45 }
    let shrunken = try #require(threshold).shrunken
    #expect(shrunken > 0.040_45 && shrunken < 0.040_451)
  }

  @Test("Adversarial numbers shrink to the simplest of their kind")
  func adversarial() throws {
    let notFinite = firstCounterexample(.adversarialFloat(includingNonFinite: true)) {
      !$0.isInfinite
    }
    #expect(try #require(notFinite).shrunken == .infinity)
    let notANumber = firstCounterexample(.adversarialDouble(includingNonFinite: true)) {
      !$0.isNaN
    }
    #expect(try #require(notANumber).shrunken.isNaN)
    let negative = firstCounterexample(.adversarialFloat()) { !($0 <= -1) }
    #expect(try #require(negative).shrunken == -1)
    let negativeZero = firstCounterexample(.adversarialFloat()) { $0 != 0 }
    #expect(try #require(negativeZero).shrunken.sign == .plus)
    let huge = firstCounterexample(.adversarialDouble()) { $0 < 0x1p1000 }
    #expect((0x1p1000...0x1.0001p1000).contains(try #require(huge).shrunken))
  }

  @Test("Adversarial numbers come from every family, and are finite unless asked otherwise")
  func families() {
    var random = SeededGenerator(seed: 1)
    let generator = Generator.adversarialFloat()
    let values = (0..<2_000).map { _ in generator.generate(using: &random) }
    #expect(values.allSatisfy { $0.isFinite })
    #expect(values.contains { $0 == 0 && $0.sign == .minus })
    #expect(values.contains { $0.isSubnormal })
    #expect(values.contains { $0 != 0.040_45 && ulpDistance($0, 0.040_45) <= 4 })
    #expect(values.contains { $0 != 1 && ulpDistance($0, 1) <= 4 })
    #expect(values.contains { $0 > 1e30 })
    #expect(values.contains { $0 < -1 })
  }

  @Test("An element shrinks towards the first")
  func element() throws {
    let counterexample = firstCounterexample(.element(of: ["a", "b", "c", "d"])) { $0 < "b" }
    #expect(try #require(counterexample).shrunken == "b")
  }

  @Test("An array loses the elements that do not matter and simplifies the rest")
  func array() throws {
    let generator = Generator.array(of: .int(in: 0...1000), count: 0...30)
    let oneLarge = firstCounterexample(generator) { $0.allSatisfy { $0 < 37 } }
    #expect(try #require(oneLarge).shrunken == [37])
    let tooLong = firstCounterexample(generator) { $0.count < 7 }
    #expect(try #require(tooLong).shrunken == [Int](repeating: 0, count: 7))
    let sum = firstCounterexample(generator) { $0.reduce(0, +) < 100 }
    let shrunken = try #require(sum).shrunken
    #expect(shrunken.reduce(0, +) == 100)
    #expect(!shrunken.contains(0))
  }

  @Test("An array keeps its least number of elements")
  func minimumCount() throws {
    let generator = Generator.array(of: .int(in: 0...9), count: 3...8)
    let counterexample = firstCounterexample(generator) { _ in false }
    #expect(try #require(counterexample).shrunken == [0, 0, 0])
  }

  @Test("Shrinking carries through zip, map and flatMap")
  func composition() throws {
    let pair = firstCounterexample(.zip(.int(in: 0...99), .int(in: 0...99))) { $0 < 5 || $1 < 8 }
    #expect(try #require(pair).shrunken == (5, 8))
    let triple = firstCounterexample(
      .zip(.int(in: 0...99), .int(in: 0...99), .element(of: [false, true]))
    ) { $0 < 5 || $1 < 8 || !$2 }
    #expect(try #require(triple).shrunken == (5, 8, true))
    let text = firstCounterexample(Generator.int(in: 0...5000).map { "#\($0)" }) { $0.count < 4 }
    #expect(try #require(text).shrunken == "#100")
    let square = Generator.int(in: 1...9).flatMap { side in
      Generator.array(of: .int(in: 0...9), count: (side * side)...(side * side))
    }
    let large = firstCounterexample(square) { $0.count < 16 }
    #expect(try #require(large).shrunken == [Int](repeating: 0, count: 16))
  }
}
