internal import ColorSpaces
internal import ImageBuffer

// Each result records its filter, so that it can be written as a recipe. The methods are not specialized for each type of filter: that
// would take time to build, and save none when they run once per step.
extension Picture {
  /// Returns the picture with `filter` applied to each pixel.
  @_semantics("optimize.sil.specialize.generic.never")
  public func applying(_ filter: some PointFilter) -> Picture {
    if let refusal = refusal(of: filter, inputs: 1) { return failing(refusal) }
    let picture = entering(filter.domain)
    let resolved = resolved(filter)
    let program = PointProgram(describedBy: resolved, in: space) {
      resolved.describe(to: &$0, in: space)
    }
    return picture.appending(program).recorded(filter, of: [self])
  }

  /// Returns the picture filtered by `filter`. The top left corner keeps its position.
  @_semantics("optimize.sil.specialize.generic.never")
  public func applying(_ filter: some AreaFilter) -> Picture {
    if let refusal = refusal(of: filter, inputs: 1) { return failing(refusal) }
    if (filter as? any NeutralFilter)?.isNeutral == true { return recorded(filter, of: [self]) }
    let picture = entering(filter.domain)
    let placed = filter.placed(on: node)
    do throws(RecipeError) {
      let output = try placed.outputSize(for: size)
      guard output.width > 0, output.height > 0 else {
        throw .emptySize(width: output.width, height: output.height)
      }
      if isEndless, output != size { throw .endless }
      return picture.with(
        Node(
          .area(picture.node, placed), region: isEndless ? .everywhere : Region(output),
          hasAlpha: hasAlpha, in: space, picture.state)
      ).recorded(filter, of: [self])
    } catch {
      return picture.failing(error)
    }
  }

  /// Returns the blend of this picture and others by `filter`, pixel by pixel.
  ///
  /// The others are converted to this picture's space; if it is gray, others with colors to the RGB space of its primaries
  /// (`ColorSpace.withColors`). A gray space by lightness or by a lookup table has none: colors become gray. Where a picture has no pixels,
  /// it is transparent.
  @_semantics("optimize.sil.specialize.generic.never")
  public func applying(_ filter: some BlendFilter, with others: [Picture]) -> Picture {
    if let refusal = refusal(of: filter, inputs: 1 + others.count) { return failing(refusal) }
    let inputs = inputs(with: others, in: filter.domain)
    if let failure = inputs.lazy.compactMap(\.failure).first { return failing(failure) }
    let regions = inputs.map(\.region)
    let region = filter.extent.region(of: regions)
    guard region.width > 0, region.height > 0 else {
      let places = regions.map(\.description).joined(separator: ", ")
      return failing(
        .other("The pictures do not overlap: they are \(places). Move one onto the others."))
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

  /// Returns the picture filtered by `filter`, which also reads neighborhoods of other pictures.
  ///
  /// The others are converted to this picture's space, or as those of a ``BlendFilter`` if it is gray, and cropped to its region. Where one
  /// has no pixels, it is transparent.
  @_semantics("optimize.sil.specialize.generic.never")
  public func applying(_ filter: some AreaBlendFilter, with others: [Picture]) -> Picture {
    if let refusal = refusal(of: filter, inputs: 1 + others.count) { return failing(refusal) }
    let inputs = inputs(with: others, in: filter.domain)
    if let failure = inputs.lazy.compactMap(\.failure).first { return failing(failure) }
    let region = region
    let covers = inputs.map { $0.hasAlpha || !$0.region.contains(region) }
    let hasAlpha = filter.hasAlpha(covers)
    let node = Node(
      .areaBlend(inputs.map { $0.window(on: region, edges: .clear).node }, filter),
      region: isEndless ? .everywhere : Region(region.size), hasAlpha: hasAlpha, in: space,
      inputs[0].state.premultiplied(hasAlpha, by: filter.domain))
    return Picture(node, origin: isEndless ? .zero : region.origin)
      .recorded(filter, of: [self] + others)
  }

  /// Returns the picture that `filter` builds from this picture and others.
  @_semantics("optimize.sil.specialize.generic.never")
  public func applying(_ filter: some CompoundFilter, with others: [Picture] = []) -> Picture {
    if let refusal = refusal(of: filter, inputs: 1 + others.count) { return failing(refusal) }
    return filter.picture(of: self, with: others).recorded(filter, of: [self] + others)
  }

  /// The error of a declared filter with a parameter out of range, or for fewer pictures than it reads.
  private func refusal(of filter: some Sendable, inputs: Int) -> RecipeError? {
    do throws(RecipeError) { try (filter as? any RecipeFilter)?.check(inputs: inputs) } catch {
      return error
    }
    return nil
  }

  /// Returns this picture and others in the domain of a filter of several inputs, all in the space of this picture. If that is a gray
  /// space, colors of the others stay colors: see ``tagged(as:)``. Grays by lightness or by a table have no encoding of colors.
  func inputs(with others: [Picture], in domain: PixelDomain) -> [Picture] {
    let first = entering(domain)
    let hasEncodingOfColors = space.transfer.curves != nil
    return [first]
      + others.map { other in
        let converted = other.converted(
          to: hasEncodingOfColors ? space.holding(other.space) : space)
        return domain.light == .any
          ? converted.entering(first.state.premultiplied(converted.hasAlpha, by: domain))
          : converted.entering(domain)
      }
  }

  /// Returns the picture with the stages of a measurement. Its name alone is recorded: a recorded step that held the measured
  /// picture, and with it the steps before, would not be freed iteratively.
  func applying(_ measured: Measured) -> Picture {
    with(
      Node(.measured(node, measured), region: node.region, hasAlpha: hasAlpha, in: space, state)
    ).recorded(as: .measured(measured.name), of: [self])
  }
}

extension PixelState {
  /// The same encoding, with the alpha that a domain requires.
  func premultiplied(_ hasAlpha: Bool, by domain: PixelDomain) -> PixelState {
    switch domain.coverage {
    case .any: PixelState(light: light, isPremultiplied: isPremultiplied && hasAlpha)
    case .straight: PixelState(light: light, isPremultiplied: false)
    case .premultiplied: PixelState(light: light, isPremultiplied: hasAlpha)
    }
  }
}
