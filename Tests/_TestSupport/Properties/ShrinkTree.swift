/// A generated value with simpler values to try instead, recursively.
///
/// Since the tree is built together with the value, shrinking works through `map` and `flatMap` without an inverse of
/// the transform. Children are created lazily.
public struct ShrinkTree<Value> {
  /// The value at the root.
  public let value: Value

  private let makeChildren: () -> AnySequence<ShrinkTree<Value>>

  /// The simpler values, the simplest first.
  public var children: AnySequence<ShrinkTree<Value>> { makeChildren() }

  /// Creates a tree of a value with the given children.
  public init(
    _ value: Value, children: @escaping () -> AnySequence<ShrinkTree<Value>>
  ) {
    self.value = value
    makeChildren = children
  }

  /// Creates a tree of a value with children from `candidates`, recursively.
  ///
  /// The recursion must terminate: each candidate must be simpler than its value.
  public init(_ value: Value, candidates: @escaping (Value) -> [Value]) {
    self.init(value) {
      AnySequence(candidates(value).lazy.map { ShrinkTree($0, candidates: candidates) })
    }
  }

  /// Transforms every value of the tree.
  public func map<NewValue>(_ transform: @escaping (Value) -> NewValue) -> ShrinkTree<NewValue> {
    ShrinkTree<NewValue>(transform(value)) {
      AnySequence(children.lazy.map { $0.map(transform) })
    }
  }

  /// The tree that `next` returns for the root; it shrinks through this tree's children first.
  public func flatMap<NewValue>(
    _ next: @escaping (Value) -> ShrinkTree<NewValue>
  ) -> ShrinkTree<NewValue> {
    let inner = next(value)
    return ShrinkTree<NewValue>(inner.value) {
      let outerChildren = AnySequence(children.lazy.map { $0.flatMap(next) })
      return AnySequence([outerChildren, inner.children].joined())
    }
  }
}

extension ShrinkTree {
  /// A pair, which shrinks one component at a time.
  static func pair<First, Second>(
    _ first: ShrinkTree<First>, _ second: ShrinkTree<Second>
  ) -> ShrinkTree where Value == (First, Second) {
    ShrinkTree((first.value, second.value)) {
      let simplerFirst = AnySequence(first.children.lazy.map { pair($0, second) })
      let simplerSecond = AnySequence(second.children.lazy.map { pair(first, $0) })
      return AnySequence([simplerFirst, simplerSecond].joined())
    }
  }

  /// An array, which shrinks by removing elements (long runs before short ones) and then by shrinking one element at a
  /// time; it keeps at least `minimumCount` elements.
  static func array<Element>(
    _ elements: [ShrinkTree<Element>], minimumCount: Int
  ) -> ShrinkTree where Value == [Element] {
    ShrinkTree(elements.map(\.value)) {
      let removable = elements.count - minimumCount
      let runLengths = sequence(first: removable) { $0 / 2 }.prefix { $0 > 0 }
      let shorter = runLengths.lazy.flatMap { length in
        stride(from: 0, through: elements.count - length, by: length).lazy.map { start in
          var rest = elements
          rest.removeSubrange(start..<(start + length))
          return array(rest, minimumCount: minimumCount)
        }
      }
      let simpler = elements.indices.lazy.flatMap { index in
        elements[index].children.lazy.map { child in
          var changed = elements
          changed[index] = child
          return array(changed, minimumCount: minimumCount)
        }
      }
      return AnySequence([AnySequence(shorter), AnySequence(simpler)].joined())
    }
  }
}
