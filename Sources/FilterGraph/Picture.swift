public import ColorSpaces
public import ImageBuffer

/// A picture as a recipe: where its pixels come from and what is done to them.
///
/// Nothing is computed before a picture is rendered. A picture is a value, cheap to copy and to send across threads.
public struct Picture: Sendable {
  /// Its width and height.
  public let size: PixelSize
  /// The space whose lights the picture is mixed from, and in which it is stored unless another one is asked for.
  public let space: ColorSpace
  /// Whether some of it may be transparent.
  public let hasAlpha: Bool

  let node: Node
  let state: PixelState
  let failure: RecipeError?

  /// The picture that a bitmap holds.
  public init<Sample: PixelSample>(_ bitmap: Bitmap<Sample>) { self.init(AnyBitmap(bitmap)) }

  /// The picture that a bitmap holds.
  public init(_ bitmap: AnyBitmap) {
    let hasAlpha = bitmap.channels.hasAlpha
    self.init(
      size: bitmap.size, space: bitmap.space, hasAlpha: hasAlpha, node: .source(bitmap),
      state: PixelState(
        light: bitmap.space.transfer.isLinear ? .linear : .encoded,
        isPremultiplied: hasAlpha && bitmap.alpha == .premultiplied))
  }

  init(
    size: PixelSize, space: ColorSpace, hasAlpha: Bool, node: Node, state: PixelState,
    failure: RecipeError? = nil
  ) {
    (self.size, self.space, self.hasAlpha) = (size, space, hasAlpha)
    (self.node, self.state, self.failure) = (node, state, failure)
  }
}

/// What the numbers are between two steps of a recipe.
struct PixelState: Hashable, Sendable {
  enum Light: Hashable, Sendable { case linear, encoded, perceptual }
  var light: Light
  var isPremultiplied: Bool
}

/// The steps of a recipe, last one outermost.
indirect enum Node: Sendable {
  case source(AnyBitmap)
  case point(Node, PointProgram)
  case area(Node, any AreaFilter, input: PixelSize, output: PixelSize)
  case measured(Node, Measured)
}

/// Stages that can only be known after something was measured on the picture before them.
struct Measured: Sendable {
  /// What the stages do, and what they need for it.
  let name: String
  /// Measures, and returns the stages that follow.
  let program: @Sendable (RenderOptions) throws(RenderError) -> PointProgram
}

extension Picture {
  /// This picture with each of its pixels changed by `filter`.
  public func applying(_ filter: some PointFilter) -> Picture {
    let picture = entering(filter.domain)
    var program = PointProgram()
    filter.describe(to: &program, in: space)
    return picture.appending(program)
  }

  /// This picture filtered by `filter`, which mixes neighbouring pixels.
  public func applying(_ filter: some AreaFilter) -> Picture {
    let picture = entering(filter.domain)
    do throws(RecipeError) {
      let output = try filter.outputSize(for: size)
      guard output.width > 0, output.height > 0 else {
        throw .emptySize(width: output.width, height: output.height)
      }
      return picture.with(
        size: output,
        node: .area(picture.node, filter, input: size, output: output), state: picture.state)
    } catch {
      return picture.failing(error)
    }
  }

  func applying(_ measured: Measured) -> Picture {
    with(size: size, node: .measured(node, measured), state: state)
  }

  /// This picture in another space: the same colors, other numbers.
  ///
  /// Nothing is clamped: colors that the space cannot mix get numbers below 0 or above 1.
  public func converted(to target: ColorSpace) -> Picture {
    if target == space { return self }
    let picture = entering(.linear)
    let matrix = space.matrix(to: target)
    let mixed = matrix == .identity ? picture : picture.appending(PointProgram([.matrix(matrix)]))
    return Picture(
      size: size, space: target, hasAlpha: hasAlpha, node: mixed.node, state: mixed.state,
      failure: failure)
  }

  /// This picture with the same numbers, read as those of another space.
  public func tagged(as target: ColorSpace) -> Picture {
    let stored = entering(.encoded)
    return Picture(
      size: size, space: target, hasAlpha: hasAlpha, node: stored.node,
      state: PixelState(
        light: target.transfer.isLinear ? .linear : .encoded,
        isPremultiplied: stored.state.isPremultiplied),
      failure: failure)
  }

  /// This picture as the given domain wants it, through the fewest conversions.
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
    return appending(program).with(size: size, node: nil, state: target)
  }

  private func transfer(of light: PixelState.Light) -> TransferFunction? {
    switch light {
    case .linear: nil
    case .encoded: space.transfer
    case .perceptual: .gamma(2)
    }
  }

  func appending(_ program: PointProgram) -> Picture {
    if program.stages.isEmpty { return self }
    if case .point(let input, let before) = node {
      return with(
        size: size, node: .point(input, PointProgram(before.stages + program.stages)), state: state)
    }
    return with(size: size, node: .point(node, program), state: state)
  }

  func with(size: PixelSize, node: Node?, state: PixelState) -> Picture {
    Picture(
      size: size, space: space, hasAlpha: hasAlpha, node: node ?? self.node, state: state,
      failure: failure)
  }

  /// The first failure of a recipe stays; it is thrown when the picture is rendered.
  func failing(_ error: RecipeError) -> Picture {
    Picture(
      size: size, space: space, hasAlpha: hasAlpha, node: node, state: state,
      failure: failure ?? error)
  }
}
