public import ColorSpaces
internal import ImageBuffer

/// Computes a value from all pixels of a picture: a mean, a histogram, a verdict.
///
/// Pixels are added one after the other, row by row from the top, so the value is the same for every tile size and number of
/// threads. What comes before is computed on all cores.
public protocol Reduction: Hashable, Sendable {
  /// What is known after some of the pixels.
  associatedtype State: Sendable
  /// What is known after all of them.
  associatedtype Value: Sendable

  /// The numbers it looks at, without coverage multiplied in.
  var domain: PixelDomain { get }

  /// What is known before the first pixel; `space` is the space whose lights the channels are.
  func start(in space: ColorSpace) -> State

  /// Adds one pixel; alpha is 1 in opaque pictures.
  func add(_ pixel: SIMD4<Float>, to state: inout State)

  /// The value after the last pixel.
  func value(of state: State) -> Value
}

extension Reduction {
  /// Linear light.
  public var domain: PixelDomain { .linear }
}

extension Reduction where State == Value {
  /// What is known.
  public func value(of state: State) -> Value { state }
}

extension Picture {
  /// The value that `reduction` computes from all pixels of this picture.
  public func reduced<Filter: Reduction>(
    by reduction: Filter, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Filter.Value {
    let tally = Tally(reduction, self)
    try Picture.count([tally], options: options)
    return tally.value
  }

  /// The values that several reductions compute. The picture is rendered, and its source read, once.
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

  /// This picture changed by a filter that depends on a value of all its pixels, which is computed when the picture is rendered.
  ///
  /// `domain` is the light that the filter works in, which must be known before the filter is; `name` stands in plans.
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

/// A reduction on its way over a picture.
package protocol Counting: AnyObject, Sendable {
  /// The numbers it looks at.
  var picture: Picture { get }
  /// Adds the pixels of a row: of all rows, from the first to the last.
  func add(_ row: UnsafeBufferPointer<Float>)
}

/// A reduction and what it knows so far. Rows come one at a time, so nobody else looks at it.
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
