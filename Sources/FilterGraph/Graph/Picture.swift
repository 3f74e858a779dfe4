public import ColorSpaces
public import ImageBuffer

/// A picture as a recipe: where its pixels come from and what is done to them.
///
/// Nothing is computed before a picture is rendered. A picture is a value, cheap to copy and to send across threads.
public struct Picture: Sendable {
  let node: Node
  /// Where the node's pixel (0, 0) lies in the picture.
  let origin: Offset
  let failure: RecipeError?
  /// How it came to be, for recipes.
  let step: RecordedStep

  /// The picture that a bitmap holds.
  public init<Sample: PixelSample>(_ bitmap: Bitmap<Sample>) { self.init(AnyBitmap(bitmap)) }

  /// The picture that a bitmap holds.
  public init(_ bitmap: AnyBitmap) {
    self.init(
      Node(
        .source(bitmap), region: Region(bitmap.size), hasAlpha: bitmap.channels.hasAlpha,
        in: bitmap.space,
        PixelState(storedIn: bitmap.space, bitmap.channels, bitmap.alpha)),
      failure: bitmap.channels.areOfPictures ? nil : .notLight(channels: "\(bitmap.channels)"))
  }

  init(
    _ node: Node, origin: Offset = .zero, failure: RecipeError? = nil, step: RecordedStep? = nil
  ) {
    self.step = step ?? RecordedStep(.source(node))
    let isEndless = node.region == .everywhere
    let reach = isEndless ? Region(PixelSize(1, 1)) : node.region
    let place = reach.moved(by: origin)
    if Region.everywhere.contains(place) || place.width <= 0 || place.height <= 0 {
      (self.node, self.origin, self.failure) = (node, origin, failure)
    } else {
      // Who goes on with it computes with numbers that are small enough for that.
      self.node = node.with(node.kind, node.region.intersection(.everywhere))
      self.origin = .zero
      self.failure =
        failure ?? .tooFar(region: "\(place)", limit: Region.everywhere.columns.upperBound)
    }
  }

  /// The space whose lights the picture is mixed from, and in which it is stored unless another one is asked for.
  public var space: ColorSpace { node.space }
  var state: PixelState { node.state }

  /// The pixels it has. A picture from a bitmap begins at (0, 0); one without end has all there are.
  public var region: Region { isEndless ? .everywhere : node.region.moved(by: origin) }
  /// Its width and height.
  public var size: PixelSize { node.region.size }
  /// Whether some of it may be transparent.
  public var hasAlpha: Bool { node.hasAlpha }
  /// Whether it goes on in all directions. Such a picture is cropped before it is rendered.
  public var isEndless: Bool { node.region == .everywhere }
}

/// What the numbers are between two steps of a recipe.
struct PixelState: Hashable, Sendable {
  enum Light: String, Hashable, Sendable { case linear, encoded, perceptual }
  var light: Light
  var isPremultiplied: Bool
}

extension PixelState {
  /// What the numbers of a bitmap are.
  init(storedIn space: ColorSpace, _ channels: Channels, _ alpha: Alpha) {
    self.init(
      light: space.transfer.isLinear ? .linear : .encoded,
      isPremultiplied: channels.hasAlpha && alpha == .premultiplied)
  }
}

extension Picture {
  /// This picture with each of its pixels changed by `filter`.
  public func applying(_ filter: some PointFilter) -> Picture {
    let picture = entering(filter.domain)
    var program = PointProgram()
    resolved(filter).describe(to: &program, in: space)
    return picture.appending(program).recorded(filter, of: [self])
  }

  /// This picture filtered by `filter`, which mixes neighbouring pixels. Its upper left corner stays where it is.
  public func applying(_ filter: some AreaFilter) -> Picture {
    let picture = entering(filter.domain)
    do throws(RecipeError) {
      let output = try filter.outputSize(for: size)
      guard output.width > 0, output.height > 0 else {
        throw .emptySize(width: output.width, height: output.height)
      }
      if isEndless, output != size { throw .endless }
      return picture.with(
        Node(
          .area(picture.node, filter), region: isEndless ? .everywhere : Region(output),
          hasAlpha: hasAlpha, in: space, picture.state)
      ).recorded(filter, of: [self])
    } catch {
      return picture.failing(error)
    }
  }

  /// What `filter` makes of this picture and others, pixel by pixel where they lie on each other.
  ///
  /// The others are converted to this picture's space. Where a picture has no pixels, it is transparent.
  public func applying(_ filter: some BlendFilter, with others: [Picture]) -> Picture {
    let inputs = inputs(with: others, in: filter.domain)
    if let failure = inputs.lazy.compactMap(\.failure).first { return failing(failure) }
    let regions = inputs.map(\.region)
    let region = filter.extent.region(of: regions)
    guard region.width > 0, region.height > 0 else {
      return failing(.emptySize(width: region.width, height: region.height))
    }
    let cover = inputs.map { $0.hasAlpha || !$0.region.contains(region) }
    let hasAlpha = filter.hasAlpha(cover)
    let node = Node(
      .blend(inputs.map { $0.window(on: region, edges: .clear).node }, filter),
      region: region == .everywhere ? region : Region(region.size), hasAlpha: hasAlpha,
      in: space, inputs[0].state.premultiplied(hasAlpha, by: filter.domain))
    return Picture(node, origin: region == .everywhere ? .zero : region.origin)
      .recorded(filter, of: [self] + others)
  }

  /// This picture and others with the values that a filter of several inputs reads, all in the space of this picture.
  func inputs(with others: [Picture], in domain: PixelDomain) -> [Picture] {
    let first = entering(domain)
    return [first]
      + others.map { other in
        let converted = other.converted(to: space)
        return domain.light == .any
          ? converted.entering(first.state.premultiplied(converted.hasAlpha, by: domain))
          : converted.entering(domain)
      }
  }

  func applying(_ measured: Measured) -> Picture {
    with(
      Node(.measured(node, measured), region: node.region, hasAlpha: hasAlpha, in: space, state)
    ).recorded(measured, of: [self])
  }

  /// The part of this picture on `region`, which may reach beyond it.
  func window(on region: Region, edges: Edges) -> Picture {
    // One without end may have been moved all the same.
    if region == self.region, !isEndless || origin == .zero { return self }
    let covers = isEndless || self.region.contains(region)
    let origin = region == .everywhere ? .zero : region.origin
    let window = Window(offset: origin - self.origin, edges: covers ? nil : edges)
    let node = Node(
      .window(node, window), region: region.moved(by: .zero - origin),
      hasAlpha: hasAlpha || !covers && edges == .clear, in: space, state)
    return Picture(node, origin: origin, failure: failure, step: step)
  }

  /// This picture in another space: the same colors, other numbers.
  ///
  /// Nothing is clamped: colors that the space cannot mix get numbers below 0 or above 1.
  public func converted(to target: ColorSpace) -> Picture {
    let conversion = Conversion(to: target)
    if target == space { return recorded(conversion, of: [self]) }
    let picture = entering(.linear)
    let matrix = space.matrix(to: target)
    let program = PointProgram(matrix == .identity ? [] : [.matrix(matrix)])
    return picture.appending(program, in: target).recorded(conversion, of: [self])
  }

  /// This picture with the same numbers, read as those of another space.
  public func tagged(as target: ColorSpace) -> Picture {
    let stored = entering(.encoded)
    let light: PixelState.Light = target.transfer.isLinear ? .linear : .encoded
    return stored.with(
      Node(
        .tagged(stored.node), region: node.region, hasAlpha: hasAlpha, in: target,
        PixelState(light: light, isPremultiplied: stored.state.isPremultiplied))
    ).recorded(Retagging(as: target), of: [self])
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
    return appending(program, state: target)
  }

  private func transfer(of light: PixelState.Light) -> TransferFunction? {
    switch light {
    case .linear: nil
    case .encoded: space.transfer
    case .perceptual: .gamma(2)
    }
  }

  /// This picture with a program run over its pixels, whose numbers then mean what `space` and `state` say.
  func appending(
    _ program: PointProgram, in space: ColorSpace? = nil, state: PixelState? = nil
  ) -> Picture {
    let (space, state) = (space ?? self.space, state ?? self.state)
    if program.stages.isEmpty, space == self.space, state == self.state { return self }
    // Long programs are not copied for each stage that is added; plans join them.
    var (input, before) = (node, [PointProgram.Stage]())
    var forms: [PixelForm] = []
    if let earlier = node.program, earlier.stages.count < 64 {
      (input, before, forms) = (node.inputs[0], earlier.stages, node.forms(of: earlier))
    }
    forms += PixelForm.forms(
      of: program.stages, from: PixelForm(self.space, self.state), to: PixelForm(space, state))
    return with(
      Node(
        .point(input, PointProgram(before + program.stages)), region: node.region,
        hasAlpha: hasAlpha, in: space, state, stageForms: forms))
  }

  private func with(_ node: Node) -> Picture {
    Picture(node, origin: origin, failure: failure, step: step)
  }

  /// The first failure of a recipe stays; it is thrown when the picture is rendered.
  func failing(_ error: RecipeError) -> Picture {
    Picture(node, origin: origin, failure: failure ?? error, step: step)
  }
}

extension PixelState {
  /// This light, and the coverage that a domain wants of a picture with alpha or without.
  func premultiplied(_ hasAlpha: Bool, by domain: PixelDomain) -> PixelState {
    switch domain.coverage {
    case .any: PixelState(light: light, isPremultiplied: isPremultiplied && hasAlpha)
    case .straight: PixelState(light: light, isPremultiplied: false)
    case .premultiplied: PixelState(light: light, isPremultiplied: hasAlpha)
    }
  }
}
