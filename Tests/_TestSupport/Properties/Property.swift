import Foundation
public import Testing

/// The reason why a property fails, thrown from its body instead of returning `false`.
public struct Failure: Error, Equatable, CustomStringConvertible {
  /// The reason, for example `"off by 7 ulp"`.
  public let description: String

  /// Creates a failure with the given reason.
  public init(_ reason: String) {
    description = reason
  }
}

/// The default seed of property runs; `COLORLOOM_SEED` and an argument override it.
public let defaultPropertySeed: UInt64 = 2_718_281_828

/// Checks a property for random values, and records one issue if it fails.
///
/// The body returns whether the property holds for a value; to state a reason it throws a `Failure` (any other error
/// counts as a failure as well). It runs repeatedly while a failing value is shrunken, so it should not use `#expect`,
/// which records an issue each time.
///
/// The environment variable `COLORLOOM_SEED` takes precedence over `seed`.
public func checkProperty<Value>(
  _ name: String, _ generator: Generator<Value>, cases: Int = 200,
  seed: UInt64 = defaultPropertySeed, sourceLocation: SourceLocation = #_sourceLocation,
  property: (Value) throws -> Bool
) {
  let report: String?
  do {
    let environment = ProcessInfo.processInfo.environment
    let counterexample = firstCounterexample(
      generator, cases: cases, seed: try seedOverride(in: environment) ?? seed,
      property: property)
    report = counterexample?.report(property: name)
  } catch {
    report = "\(error)"
  }
  if let report {
    Issue.record(Comment(rawValue: report), sourceLocation: sourceLocation)
  }
}

/// Checks a property of two random values; see the function for one value.
public func checkProperty<First, Second>(
  _ name: String, _ first: Generator<First>, _ second: Generator<Second>, cases: Int = 200,
  seed: UInt64 = defaultPropertySeed, sourceLocation: SourceLocation = #_sourceLocation,
  property: (First, Second) throws -> Bool
) {
  checkProperty(
    name, .zip(first, second), cases: cases, seed: seed, sourceLocation: sourceLocation
  ) { (values: (First, Second)) in
    try property(values.0, values.1)
  }
}

/// Checks a property of three random values; see the function for one value.
public func checkProperty<First, Second, Third>(
  _ name: String, _ first: Generator<First>, _ second: Generator<Second>,
  _ third: Generator<Third>, cases: Int = 200, seed: UInt64 = defaultPropertySeed,
  sourceLocation: SourceLocation = #_sourceLocation,
  property: (First, Second, Third) throws -> Bool
) {
  checkProperty(
    name, .zip(first, second, third), cases: cases, seed: seed, sourceLocation: sourceLocation
  ) { (values: (First, Second, Third)) in
    try property(values.0, values.1, values.2)
  }
}

/// Returns the first random value that violates the property, shrunken; nil if there is none.
///
/// This is `checkProperty` without the issue and without the environment variable.
public func firstCounterexample<Value>(
  _ generator: Generator<Value>, cases: Int = 200, seed: UInt64 = defaultPropertySeed,
  property: (Value) throws -> Bool
) -> Counterexample<Value>? {
  precondition(cases > 0, "A property that is never tried says nothing.")
  var random = SeededGenerator(seed: seed)
  for caseNumber in 1...cases {
    let tree = generator.tree(using: &random)
    guard let reason = reasonForFailure(of: property, on: tree.value) else { continue }
    let simplest = simplified(tree, failingFor: reason, property: property)
    return Counterexample(
      seed: seed, caseNumber: caseNumber, original: tree.value, shrunken: simplest.value,
      reason: simplest.reason)
  }
  return nil
}

/// The seed in `COLORLOOM_SEED`; nil if the variable is not set.
package func seedOverride(in environment: [String: String]) throws -> UInt64? {
  guard let text = environment["COLORLOOM_SEED"] else { return nil }
  guard let seed = UInt64(text) else {
    throw Failure("COLORLOOM_SEED is \"\(text)\", which is not an integer from 0 to 2^64 - 1.")
  }
  return seed
}

/// The maximum number of runs of the body for shrinking: enough for typical cases, and a bound for those with tiny
/// steps.
private let shrinkAttemptLimit = 2_000

/// Follows failing children down the tree until none fails, a local minimum.
private func simplified<Value>(
  _ tree: ShrinkTree<Value>, failingFor reason: String, property: (Value) throws -> Bool
) -> (value: Value, reason: String) {
  var tree = tree
  var reason = reason
  var attempts = 0
  descent: while true {
    for child in tree.children {
      attempts += 1
      if attempts > shrinkAttemptLimit { break descent }
      if let childReason = reasonForFailure(of: property, on: child.value) {
        tree = child
        reason = childReason
        continue descent
      }
    }
    break
  }
  return (tree.value, reason)
}

/// The reason why the property fails for the value; nil if it holds.
private func reasonForFailure<Value>(
  of property: (Value) throws -> Bool, on value: Value
) -> String? {
  do {
    return try property(value) ? nil : "the property returned false"
  } catch let failure as Failure {
    return failure.description
  } catch {
    return "the property threw \(error)"
  }
}
