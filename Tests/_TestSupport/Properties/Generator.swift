/// A generator of random values for property tests, with shrinking.
///
/// It is deterministic: the same state of a `SeededGenerator` always gives the same value.
public struct Generator<Value>: Sendable {
  private let makeTree: @Sendable (inout SeededGenerator) -> ShrinkTree<Value>

  /// Creates a generator from a closure that returns a value with its shrink tree.
  public init(tree: @escaping @Sendable (inout SeededGenerator) -> ShrinkTree<Value>) {
    makeTree = tree
  }

  /// Creates a generator from a closure that returns a value and one that lists simpler values for it.
  ///
  /// `shrink` returns the simplest candidate first, and only values simpler than its argument.
  public init(
    generate: @escaping @Sendable (inout SeededGenerator) -> Value,
    shrink: @escaping @Sendable (Value) -> [Value] = { _ in [] }
  ) {
    makeTree = { ShrinkTree(generate(&$0), candidates: shrink) }
  }

  /// Returns a random value with its shrink tree.
  public func tree(using random: inout SeededGenerator) -> ShrinkTree<Value> {
    makeTree(&random)
  }

  /// Returns a random value.
  public func generate(using random: inout SeededGenerator) -> Value {
    makeTree(&random).value
  }

  /// Transforms generated values; shrinking is preserved.
  public func map<NewValue>(
    _ transform: @escaping @Sendable (Value) -> NewValue
  ) -> Generator<NewValue> {
    Generator<NewValue> { random in tree(using: &random).map(transform) }
  }

  /// Generates a value that determines the next generator, for example a size and then the content.
  public func flatMap<NewValue>(
    _ next: @escaping @Sendable (Value) -> Generator<NewValue>
  ) -> Generator<NewValue> {
    Generator<NewValue> { random in
      let outer = tree(using: &random)
      // Every simpler outer value starts the inner generator from the same state, so that a case shrinks to similar
      // cases.
      let innerSeed = random.next()
      return outer.flatMap { value in
        var innerRandom = SeededGenerator(seed: innerSeed)
        return next(value).tree(using: &innerRandom)
      }
    }
  }
}

extension Generator {
  /// One of the given values with equal probability; shrinks towards the first.
  public static func element(of values: [Value]) -> Generator where Value: Sendable {
    precondition(!values.isEmpty, "There is nothing to choose from.")
    return Generator<Int>.uniformInt(in: 0...(values.count - 1)).map { values[$0] }
  }

  /// An array with a number of elements in `count`; shrinks by removing elements, then by shrinking them.
  public static func array<Element>(
    of element: Generator<Element>, count: ClosedRange<Int>
  ) -> Generator where Value == [Element] {
    precondition(count.lowerBound >= 0, "An array cannot have a negative number of elements.")
    return Generator { random in
      let length = Int.random(in: count, using: &random)
      let elements = (0..<length).map { _ in element.tree(using: &random) }
      return .array(elements, minimumCount: count.lowerBound)
    }
  }

  /// A value from each of two generators; shrinks one at a time.
  public static func zip<First, Second>(
    _ first: Generator<First>, _ second: Generator<Second>
  ) -> Generator where Value == (First, Second) {
    Generator { random in
      let firstTree = first.tree(using: &random)
      let secondTree = second.tree(using: &random)
      return .pair(firstTree, secondTree)
    }
  }

  /// A value from each of three generators; shrinks one at a time.
  public static func zip<First, Second, Third>(
    _ first: Generator<First>, _ second: Generator<Second>, _ third: Generator<Third>
  ) -> Generator where Value == (First, Second, Third) {
    Generator<((First, Second), Third)>.zip(.zip(first, second), third)
      .map { ($0.0, $0.1, $1) }
  }
}
