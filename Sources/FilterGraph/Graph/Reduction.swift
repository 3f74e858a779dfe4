public import ColorSpaces
internal import ImageBuffer

/// Computes a value from all pixels of a picture: a mean, a histogram, a verdict.
///
/// Pixels are added sequentially, row by row from the top, so that the value does not depend on the tile size and the
/// number of threads. The steps before it run on all cores.
public protocol Reduction: Hashable, Sendable {
  /// The accumulator.
  associatedtype State: Sendable
  /// The final value.
  associatedtype Value: Sendable

  /// The domain of the pixels it reads, with straight alpha.
  var domain: PixelDomain { get }

  /// Returns the initial accumulator. The channels are in the primaries of `space`.
  func start(in space: ColorSpace) -> State

  /// Adds one pixel. Alpha is 1 in opaque pictures.
  func add(_ pixel: SIMD4<Float>, to state: inout State)

  /// Returns the value after the last pixel.
  func value(of state: State) -> Value
}

extension Reduction {
  /// Linear light.
  public var domain: PixelDomain { .linear }
}

extension Reduction where State == Value {
  /// Returns the accumulator.
  public func value(of state: State) -> Value { state }
}

extension Picture {
  /// Returns the value of `reduction` for this picture.
  public func reduced<Filter: Reduction>(
    by reduction: Filter, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Filter.Value {
    let tally = Tally(reduction, self)
    try Picture.count([tally], options: options)
    return tally.value
  }

  /// Returns the values of several reductions in one rendering, which reads the source once.
  public func reduced<First: Reduction, Second: Reduction, each More: Reduction>(
    by first: First, _ second: Second, _ more: repeat each More,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> (First.Value, Second.Value, repeat (each More).Value) {
    let (first, second) = (Tally(first, self), Tally(second, self))
    let others = (repeat Tally(each more, self))
    var all: [any Counting] = [first, second]
    for tally in repeat each others { all.append(tally) }
    try Picture.count(all, options: options)
    return (first.value, second.value, repeat (each others).value)
  }

  private static func count(_ tallies: [any Counting], options: RenderOptions) throws(RenderError) {
    try renderBands(tallies.map(\.picture), as: Float.self, options: options) {
      tally, _, band in
      for y in 0..<band.size.height { band.withUnsafeRow(y) { tallies[tally].add($0) } }
    }
  }

  /// Returns the picture with a filter that depends on a reduction of it, which runs when the picture is rendered.
  ///
  /// `domain` is the domain of the filter, which must be known before the filter is; `name` stands in plans.
  public func applying<Measure: Reduction, Filter: PointFilter>(
    measuring reduction: Measure, in domain: PixelDomain, named name: String? = nil,
    _ filter: @escaping @Sendable (Measure.Value) throws(RecipeError) -> Filter
  ) -> Picture {
    let picture = entering(domain)
    return picture.applying(
      Measured(name: name ?? "\(Filter.self), after measuring \(reduction)", of: picture) {
        options throws(RenderError) in
        var options = options
        options.progress = nil
        let value = try picture.reduced(by: reduction, options: options)
        do throws(RecipeError) {
          let filter = try filter(value)
          precondition(
            filter.domain == domain, "\(filter) does not work in the light that was named for it.")
          return PointProgram { filter.describe(to: &$0, in: picture.space) }
        } catch {
          throw .recipe(error)
        }
      })
  }
}

/// A reduction with its accumulator, type-erased.
package protocol Counting: AnyObject, Sendable {
  /// The picture converted to the reduction's domain.
  var picture: Picture { get }
  /// Adds the pixels of a row. Every row is added, from the first to the last.
  func add(_ row: UnsafeBufferPointer<Float>)
}

/// A reduction with its accumulator. Rows are added by one thread at a time, hence the unchecked conformance.
package final class Tally<Filter: Reduction>: Counting, @unchecked Sendable {
  package let picture: Picture
  private let reduction: Filter
  private var state: Filter.State

  package init(_ reduction: Filter, _ source: Picture) {
    let reduction = source.resolved(reduction)
    self.reduction = reduction
    state = reduction.start(in: source.space)
    switch reduction.domain.light {
    case .any, .encoded: picture = source
    case .linear: picture = source.converted(to: source.space.linear)
    case .perceptual:
      picture = source.converted(
        to: ColorSpace(
          "perceptual \(source.space)", primaries: source.space.primaries, transfer: .gamma(2)))
    }
  }

  package var value: Filter.Value { reduction.value(of: state) }

  package func add(_ row: UnsafeBufferPointer<Float>) {
    let channels = picture.usualChannels.count
    for start in stride(from: 0, to: row.count, by: channels) {
      reduction.add(
        SIMD4(row[start], row[start + 1], row[start + 2], channels == 4 ? row[start + 3] : 1),
        to: &state)
    }
  }
}
