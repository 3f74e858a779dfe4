internal import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// A vertex of the graph: one operation and its inputs.
///
/// A node with several consumers is one object and is computed once. The region of a finite node begins at (0, 0).
final class Node: Sendable {
  enum Kind: Sendable {
    case source(AnyBitmap)
    case rows(any RowSource)
    case painted(any Painter)
    case point(Node, PointProgram)
    case area(Node, any AreaFilter)
    case areaBlend([Node], any AreaBlendFilter)
    case window(Node, Window)
    case blend([Node], any BlendFilter)
    case measured(Node, Measured)
    /// The input's values, interpreted in another space.
    case tagged(Node)
    /// The input's values, quantized to a sample format.
    case stored(Node, SampleFormat)
    /// The input's values, held by a cache.
    case cached(Node, CacheShare)
  }

  /// Non-nil until `deinit`; cleared there so that long chains are freed iteratively.
  var kind: Kind { contents.unsafelyUnwrapped }
  let region: Region
  let hasAlpha: Bool
  /// The color space of the values, and their encoding.
  let space: ColorSpace
  let state: PixelState
  /// The encoding after each stage of a program into which several conversions were merged; empty for other nodes.
  let stageForms: [PixelForm]
  /// The precision of a source's colors, where the format of its samples does not state it; otherwise nil.
  let precision: ColorPrecision?
  /// The step of a recipe that made it, for errors; nil outside of recipes.
  let path: String?

  // Mutated only by `deinit`, when no other reference exists.
  nonisolated(unsafe) private var contents: Kind?

  init(
    _ kind: Kind, region: Region, hasAlpha: Bool, in space: ColorSpace, _ state: PixelState,
    stageForms: [PixelForm] = [], precision: ColorPrecision? = nil,
    path: String? = Recipe.appliedPath
  ) {
    (contents, self.region, self.hasAlpha) = (kind, region, hasAlpha)
    (self.space, self.state, self.stageForms) = (space, state, stageForms)
    (self.precision, self.path) = (precision, path)
  }

  /// A node with the same encoding.
  func with(_ kind: Kind, _ region: Region) -> Node {
    Node(
      kind, region: region, hasAlpha: hasAlpha, in: space, state, stageForms: stageForms,
      precision: precision, path: path)
  }

  /// Three, or four with alpha.
  var planeCount: Int { hasAlpha ? 4 : 3 }

  deinit { endChain() }
}

extension Node: Chained {
  func takeInputs() -> [Node] {
    guard contents != nil else { return [] }
    defer { contents = nil }
    return inputs
  }
}

/// A window on a picture: its pixel (x, y) is the picture's pixel (x, y) + offset.
struct Window: Hashable, Sendable {
  var offset: Offset
  /// The extension beyond the picture; nil where the window lies inside.
  var edges: Edges?
}

/// Stages that depend on a measurement of the picture before them.
///
/// Pictures are immutable, so a finished measurement is kept. Renderings that begin before it is finished measure for themselves: none
/// waits for another.
final class Measured: Sendable {
  /// The name in plans, which states the effect and the measurement.
  let name: String
  /// The picture to measure.
  let picture: Picture
  /// The bytes of a large accumulator.
  let stateByteCount: Int
  private let measure: @Sendable (RenderOptions) throws(RenderError) -> PointProgram
  private let known = Mutex<PointProgram?>(nil)
  /// The step of a recipe that measures; nil outside of recipes.
  private let path = Recipe.appliedPath

  /// Creates stages that `measure` returns after rendering the picture in bands of single precision.
  init(
    name: String, of picture: Picture, stateByteCount: Int = 0,
    measure: @escaping @Sendable (RenderOptions) throws(RenderError) -> PointProgram
  ) {
    (self.name, self.picture, self.measure) = (name, picture, measure)
    self.stateByteCount = stateByteCount
  }

  var isKnown: Bool { known.withLock { $0 != nil } }

  /// Returns the stages; a placeholder where options forbid measuring.
  func program(_ options: RenderOptions) throws(RenderError) -> PointProgram {
    if let known = known.withLock({ $0 }) { return known }
    if !options.measures { return placeholder }
    // A measurement is kept for renderings of any intermediate format. Concurrent measurements return the same stages.
    var exact = options
    exact.intermediate = .float
    do throws(RenderError) {
      let program = try measure(exact)
      known.withLock { $0 = program }
      return program
    } catch {
      throw located(error)
    }
  }

  /// A stage with the name of the measurement, for plans that may not measure.
  ///
  /// Curves are compared by what they compute: plans would take the placeholders of different measurements for the same step if their
  /// functions had no names of their own.
  private var placeholder: PointProgram {
    let function = FunctionCurve("\(name) \(ObjectIdentifier(self))") { $0 }
    return PointProgram { $0.curve(name, .function(function)) }
  }

  /// Returns an error of measuring, with the place of the step in its recipe. Errors of the measured picture are not the step's.
  private func located(_ error: RenderError) -> RenderError {
    guard let path else { return error }
    switch error {
    case .recipe(.step), .recipe(.endless), .recipe(.tooManyPixels): return error
    case .recipe(let cause): return .recipe(.step(at: path, cause))
    case .source(let source):
      guard let cause = source.underlying as? any MeasurementError else { return error }
      return .recipe(.step(at: path, .other(cause.description)))
    default: return error
    }
  }
}

/// Why a picture cannot be measured. It is an error of the step that measures, where other errors of sources are those of files.
package protocol MeasurementError: Error, CustomStringConvertible {}
