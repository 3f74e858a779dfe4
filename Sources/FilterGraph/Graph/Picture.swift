public import ColorSpaces
public import ImageBuffer

/// An image as a recipe: a source and the operations on it.
///
/// Pixels are computed only when a picture is rendered. A picture is a value, cheap to copy and safe to share between
/// threads.
public struct Picture: Sendable {
  let node: Node
  /// The position of the node's pixel (0, 0) in the picture.
  let origin: Offset
  package let failure: RecipeError?
  /// The recorded operation, for recipes.
  let step: RecordedStep

  init(
    _ node: Node, origin: Offset = .zero, failure: RecipeError? = nil, step: RecordedStep? = nil
  ) {
    let failure = failure ?? node.space.primaries.flaw.map(RecipeError.init)
    self.step = step ?? RecordedStep(.source(node))
    let isEndless = node.region == .everywhere
    let reach = isEndless ? Region(PixelSize(1, 1)) : node.region
    let place = reach.moved(by: origin)
    if Region.everywhere.contains(place) || place.width <= 0 || place.height <= 0 {
      (self.node, self.origin, self.failure) = (node, origin, failure)
    } else {
      // Clamps the region so that later coordinate arithmetic cannot overflow.
      self.node = node.with(node.kind, node.region.intersection(.everywhere))
      self.origin = .zero
      self.failure =
        failure
        ?? .tooFar(
          region: isEndless ? "infinite extent at (\(place.x), \(place.y))" : "\(place)",
          limit: Region.everywhere.columns.upperBound)
    }
  }

  /// The color space of the picture: of its channels in filters, and of its rendered bitmaps by default.
  public var space: ColorSpace { node.space }
  var state: PixelState { node.state }

  /// The region of its pixels. A picture of a bitmap begins at (0, 0); one of infinite extent has
  /// `Region.everywhere`.
  public var region: Region { isEndless ? .everywhere : node.region.moved(by: origin) }
  /// The width and height in pixels.
  public var size: PixelSize { node.region.size }
  /// Whether some pixels may be transparent.
  public var hasAlpha: Bool { node.hasAlpha }
  /// Whether the picture has infinite extent. Crop such a picture before rendering it.
  public var isEndless: Bool { node.region == .everywhere }
}

/// The encoding of values between two steps of a recipe.
struct PixelState: Hashable, Sendable {
  enum Light: String, Hashable, Sendable { case linear, encoded, perceptual }
  var light: Light
  var isPremultiplied: Bool
}

extension Picture {
  /// Returns the part of this picture on `region`, extended by `edges` outside.
  func window(on region: Region, edges: Edges) -> Picture {
    // A picture of infinite extent may have been moved nevertheless.
    if region == self.region, !isEndless || origin == .zero { return self }
    let covers = isEndless || self.region.contains(region)
    let origin = region == .everywhere ? .zero : region.origin
    let window = Window(offset: origin - self.origin, edges: covers ? nil : edges)
    let node = Node(
      .window(node, window), region: region.moved(by: .zero - origin),
      hasAlpha: hasAlpha || !covers && edges == .clear, in: space, state)
    return Picture(node, origin: origin, failure: failure, step: step)
  }

  /// Returns the picture converted to another space.
  ///
  /// Nothing is clamped: out-of-gamut colors get values below 0 or above 1.
  public func converted(to target: ColorSpace) -> Picture {
    let conversion = Conversion(to: target)
    if target == space { return recorded(conversion, of: [self]) }
    let picture = entering(.linear)
    let matrix = space.matrix(to: target)
    let program = PointProgram(matrix == .identity ? [] : [.matrix(matrix)])
    return picture.appending(program, in: target).recorded(conversion, of: [self])
  }

  /// Returns the picture with another space assigned: the same values with another meaning.
  ///
  /// With a gray space, colors stay: their three channels are then read with its primaries (`ColorSpace.withColors`). Convert to a gray
  /// space for grays.
  public func tagged(as target: ColorSpace) -> Picture {
    let stored = entering(.encoded)
    let light: PixelState.Light = target.transfer.isLinear ? .linear : .encoded
    return stored.with(
      Node(
        .tagged(stored.node), region: node.region, hasAlpha: hasAlpha, in: target,
        PixelState(light: light, isPremultiplied: stored.state.isPremultiplied))
    ).recorded(Retagging(as: target), of: [self])
  }

  /// Returns the picture converted to a domain by the fewest conversions.
  func entering(_ domain: PixelDomain) -> Picture {
    let light: PixelState.Light =
      switch domain.light {
      case .any: state.light
      case .linear: .linear
      case .encoded: space.transfer.isLinear ? .linear : .encoded
      case .perceptual: .perceptual
      }
    let premultiplied =
      switch domain.coverage {
      case .any: state.isPremultiplied
      case .straight: false
      case .premultiplied: hasAlpha
      }
    return entering(PixelState(light: light, isPremultiplied: premultiplied))
  }

  func entering(_ target: PixelState) -> Picture {
    if target == state { return self }
    var program = PointProgram()
    let changesLight = target.light != state.light
    if state.isPremultiplied, changesLight || !target.isPremultiplied {
      program.append(.unpremultiply)
    }
    if changesLight {
      if let transfer = transfer(of: state.light) { program.append(.decode(transfer)) }
      if let transfer = transfer(of: target.light) { program.append(.encode(transfer)) }
    }
    if target.isPremultiplied, changesLight || !state.isPremultiplied {
      program.append(.premultiply)
    }
    return appending(program, state: target)
  }

  private func transfer(of light: PixelState.Light) -> TransferFunction? {
    switch light {
    case .linear: nil
    case .encoded: space.transfer
    case .perceptual: .gamma(2)
    }
  }

  /// Returns the picture with a point program appended; `space` and `state` describe its results.
  func appending(
    _ program: PointProgram, in space: ColorSpace? = nil, state: PixelState? = nil
  ) -> Picture {
    let (space, state) = (space ?? self.space, state ?? self.state)
    if program.stages.isEmpty, space == self.space, state == self.state { return self }
    // Long programs are not copied for each appended stage; plans merge them.
    var (input, before) = (node, PointProgram())
    var forms: [PixelForm] = []
    if let earlier = node.program, earlier.stages.count < 64 {
      (input, before, forms) = (node.inputs[0], earlier, node.forms(of: earlier))
    }
    forms += PixelForm.forms(
      of: program.stages, from: PixelForm(self.space, self.state), to: PixelForm(space, state))
    return with(
      Node(
        .point(input, before.followed(by: program)), region: node.region, hasAlpha: hasAlpha,
        in: space, state, stageForms: forms))
  }

  /// Returns a picture of another node at the same position.
  func with(_ node: Node) -> Picture {
    Picture(node, origin: origin, failure: failure, step: step)
  }

  /// Records an error, which rendering throws. The first error of a recipe wins.
  package func failing(_ error: RecipeError) -> Picture {
    Picture(node, origin: origin, failure: failure ?? error, step: step)
  }
}
