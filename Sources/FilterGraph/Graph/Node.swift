internal import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// One step of a recipe and all that is before it.
///
/// A node that several others read is one object, and is computed once. A finite node's region begins at (0, 0).
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
    /// The same numbers, read as those of another space.
    case tagged(Node)
    /// The same numbers, rounded as samples of a format.
    case stored(Node, SampleFormat)
    /// The same numbers, of which a cache keeps some.
    case cached(Node, CacheShare)
  }

  /// There until the node ends.
  var kind: Kind { contents.unsafelyUnwrapped }
  let region: Region
  let hasAlpha: Bool
  /// The space whose lights its numbers are, and what they are otherwise.
  let space: ColorSpace
  let state: PixelState
  /// What the values mean after each stage of a program, where several conversions became one node; empty for other nodes.
  let stageForms: [PixelForm]

  // Changes only when nobody else has the node any more.
  nonisolated(unsafe) private var contents: Kind?

  init(
    _ kind: Kind, region: Region, hasAlpha: Bool, in space: ColorSpace, _ state: PixelState,
    stageForms: [PixelForm] = []
  ) {
    (contents, self.region, self.hasAlpha) = (kind, region, hasAlpha)
    (self.space, self.state, self.stageForms) = (space, state, stageForms)
  }

  /// A node whose numbers mean the same.
  func with(_ kind: Kind, _ region: Region) -> Node {
    Node(kind, region: region, hasAlpha: hasAlpha, in: space, state, stageForms: stageForms)
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

/// Another part of a picture: the pixel (x, y) is the picture's (x, y) + offset.
struct Window: Hashable, Sendable {
  var offset: Offset
  /// What lies outside of the picture; nil where all of the window lies inside.
  var edges: Edges?
}

/// Stages that can only be known after something was measured on the picture before them.
///
/// A picture stays what it is, so it is measured once.
final class Measured: Sendable {
  /// What the stages do, and what they need for it.
  let name: String
  /// What is measured.
  let picture: Picture
  private let measure: @Sendable (RenderOptions) throws(RenderError) -> PointProgram
  private let known = Mutex<PointProgram?>(nil)

  /// `measure` measures a picture in bands of single precision, and returns the stages that follow.
  init(
    name: String, of picture: Picture,
    measure: @escaping @Sendable (RenderOptions) throws(RenderError) -> PointProgram
  ) {
    (self.name, self.picture, self.measure) = (name, picture, measure)
  }

  var isKnown: Bool { known.withLock { $0 != nil } }

  /// The stages that follow; one that stands for them where nothing may be measured yet.
  func program(_ options: RenderOptions) throws(RenderError) -> PointProgram {
    if let known = known.withLock({ $0 }) { return known }
    if !options.measures {
      return PointProgram { $0.curve(name, .sampled(SampledCurve([0, 1]))) }
    }
    // Who measures at the same time measures the same.
    let program = try measure(options)
    known.withLock { $0 = program }
    return program
  }
}
