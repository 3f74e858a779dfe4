public import ColorSpaces
internal import ImageBuffer

/// Computes a value from all pixels of a picture: a mean, a histogram, a verdict.
///
/// Pixels are added sequentially, row by row from the top, so that the value does not depend on the tile size and the
/// number of threads. The steps before it run on all cores.
public protocol Reduction: Hashable, Sendable {
  /// The accumulator, which each pixel changes.
  associatedtype State: Sendable
  /// The result that is computed from the accumulator after the last pixel.
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

/// A reduction that adds the pixels of a row together, which takes less time than to add them one by one.
protocol RowReduction: Reduction {
  /// The stages of a picture in the reduction's domain before its rows are added. They run on all cores; pixels that are added one by one
  /// have not been through them.
  var preparation: PointProgram { get }

  func add(_ pixels: PixelRow, to state: inout State)
}

/// A reduction with an accumulator of many bytes, which count towards the memory limit.
protocol SizedReduction: Reduction {
  var stateByteCount: Int { get }
}

extension Reduction {
  /// Linear light by default, so that means are means of light.
  public var domain: PixelDomain { .linear }
}

extension RowReduction {
  /// No stages.
  var preparation: PointProgram { PointProgram() }
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

  /// Renders the pictures of tallies together and adds their rows, from the first to the last.
  static func count(_ tallies: [any Counting], options: RenderOptions) throws(RenderError) {
    let results = tallies.map { BandedResult($0.picture, as: .float32, alpha: .straight) }
    let bytes = tallies.reduce(0) { $0 + $1.stateByteCount }
    try BandRendering(results, besides: bytes, options: options).run { tally, _, band in
      let rows = Bitmap<Float>(band, in: tallies[tally].picture.space, alpha: .straight)
      for y in 0..<rows.size.height { rows.withUnsafeRow(y) { tallies[tally].add($0) } }
    }
  }

  /// Returns the picture with point filters that depend on a reduction of it, which runs when the picture is rendered.
  ///
  /// ```swift
  /// photo.applying(measuring: Statistics()) { statistics, picture in
  ///   picture.exposure(-log2(statistics.greatest.max()))
  /// }
  /// ```
  ///
  /// Such a picture has no recipe, because `filters` cannot be written.
  ///
  /// - Parameters:
  ///   - reduction: The reduction of this picture.
  ///   - domain: The domain of the picture that `filters` gets. The domain of its first filter saves a conversion.
  ///   - name: The name in plans.
  ///   - filters: Returns its picture with filters applied that depend on the value. It runs once the value is known, so
  ///     that rendering throws ``RecipeError/notPointwise`` if it applies other filters than point filters.
  public func applying<Measure: Reduction>(
    measuring reduction: Measure, in domain: PixelDomain = .linear, named name: String? = nil,
    _ filters: @escaping @Sendable (Measure.Value, Picture) throws(RecipeError) -> Picture
  ) -> Picture {
    let picture = entering(domain)
    return picture.applying(
      Measured(
        name: name ?? "filters, after measuring \(reduction)", of: picture,
        stateByteCount: (reduction as? any SizedReduction)?.stateByteCount ?? 0
      ) {
        options throws(RenderError) in
        var options = options
        options.progress = nil
        let value = try picture.reduced(by: reduction, options: options)
        do throws(RecipeError) {
          return try picture.stages { picture throws(RecipeError) in try filters(value, picture) }
        } catch {
          throw .recipe(error)
        }
      })
  }

  /// Returns the stages that point filters append to this picture, with the same encoding before and after them.
  private func stages(
    of filters: (Picture) throws(RecipeError) -> Picture
  ) throws(RecipeError) -> PointProgram {
    // A node that is no program, so that stages are not merged with those before it.
    let start = with(node.with(.window(node, Window(offset: .zero, edges: nil)), node.region))
    let result = try filters(start).converted(to: space).entering(state)
    if let failure = result.failure { throw failure }
    let chain = result.node.chain { $0.program == nil ? .end : .descend }
    guard chain.end === start.node, result.origin == origin else { throw .notPointwise }
    return PointProgram(chain.members.reversed().flatMap { $0.program?.stages ?? [] })
  }
}

/// A measurement that rows are added to, such as a reduction with its accumulator.
package protocol Counting: AnyObject, Sendable {
  /// The picture converted to the reduction's domain, after its preparation.
  var picture: Picture { get }
  /// The bytes of a large accumulator.
  var stateByteCount: Int { get }
  /// Adds the pixels of a row. Every row is added, from the first to the last.
  func add(_ row: UnsafeBufferPointer<Float>)
}

/// A reduction with its accumulator. Rows are added by one thread at a time, hence the unchecked conformance.
package final class Tally<Filter: Reduction>: Counting, @unchecked Sendable {
  package let picture: Picture
  private let reduction: Filter
  /// Adds a row at once; nil for reductions of pixels.
  private let addRow: ((PixelRow, inout Filter.State) -> Void)?
  private var state: Filter.State

  package init(_ reduction: Filter, _ source: Picture) {
    let reduction = source.resolved(reduction)
    self.reduction = reduction
    let rows = reduction as? any RowReduction
    addRow = rows.flatMap { Self.adder(of: $0) }
    state = reduction.start(in: source.space)
    var picture: Picture
    switch reduction.domain.light {
    case .any, .encoded: picture = source
    case .linear: picture = source.converted(to: source.space.linear)
    case .perceptual:
      picture = source.converted(
        to: ColorSpace(
          "perceptual \(source.space)", primaries: source.space.primaries, transfer: .gamma(2)))
    }
    if let program = rows?.preparation, !program.stages.isEmpty {
      picture = picture.entering(.encoded).appending(program)
    }
    self.picture = picture
  }

  package var value: Filter.Value { reduction.value(of: state) }

  package var stateByteCount: Int { (reduction as? any SizedReduction)?.stateByteCount ?? 0 }

  package func add(_ row: UnsafeBufferPointer<Float>) {
    let channels = picture.usualChannels.count
    if let addRow {
      if let pixels = PixelRow(row, channels: channels) { addRow(pixels, &state) }
      return
    }
    add(row, channels: channels, to: &state)
  }

  /// Adds pixels one by one. The accumulator is accessed for the whole row, as each access is checked for exclusivity.
  private func add(
    _ row: UnsafeBufferPointer<Float>, channels: Int, to state: inout Filter.State
  ) {
    for start in stride(from: 0, to: row.count, by: channels) {
      reduction.add(
        SIMD4(row[start], row[start + 1], row[start + 2], channels == 4 ? row[start + 3] : 1),
        to: &state)
    }
  }

  /// The function that adds rows to the tally's accumulator in place; nil if the reduction is not the tally's own.
  private static func adder<Rows: RowReduction>(
    of reduction: Rows
  ) -> ((PixelRow, inout Filter.State) -> Void)? {
    let add = { (pixels: PixelRow, state: inout Rows.State) in reduction.add(pixels, to: &state) }
    return add as? (PixelRow, inout Filter.State) -> Void
  }
}
