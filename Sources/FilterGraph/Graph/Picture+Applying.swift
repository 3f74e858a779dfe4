internal import ColorSpaces
internal import ImageBuffer

// The pictures that filters make. Each is recorded with its filter, for recipes.
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

  /// Returns this picture filtered by `filter`, which also reads the neighborhood of each pixel in other pictures.
  ///
  /// The others are converted to this picture's space and laid over it. Where one has no pixels, it is transparent.
  public func applying(_ filter: some AreaBlendFilter, with others: [Picture]) -> Picture {
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

  /// What `filter` makes of this picture and others.
  public func applying(_ filter: some CompoundFilter, with others: [Picture] = []) -> Picture {
    filter.picture(of: self, with: others).recorded(filter, of: [self] + others)
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
}

extension PixelState {
  /// The same encoding, with alpha premultiplied or straight as a domain requires.
  func premultiplied(_ hasAlpha: Bool, by domain: PixelDomain) -> PixelState {
    switch domain.coverage {
    case .any: PixelState(light: light, isPremultiplied: isPremultiplied && hasAlpha)
    case .straight: PixelState(light: light, isPremultiplied: false)
    case .premultiplied: PixelState(light: light, isPremultiplied: hasAlpha)
    }
  }
}
