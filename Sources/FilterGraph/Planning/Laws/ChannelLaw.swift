package import ColorSpaces

/// The law of channels: where each channel of a picture is made by a program of its own that never mixes channels, one program
/// makes all of them.
extension Laws {
  /// The program whose red is that of the first program, whose green that of the second and whose blue that of the third; nil
  /// where a channel of one depends on other channels.
  package static func channels(
    _ red: PointProgram, _ green: PointProgram, _ blue: PointProgram
  ) -> PointProgram? {
    var rests = [red, green, blue].map { simplify($0).stages[...] }
    var stages: Stages = []
    // What all three begin with may be anything.
    while let first = rests[0].first, first.isSame(as: rests[1].first),
      first.isSame(as: rests[2].first)
    {
      stages.append(first)
      for channel in rests.indices { rests[channel].removeFirst() }
    }
    // Then stages of one channel leave the others alone, so the order between channels is free: the longest go first, so that
    // equal ones meet.
    while let longest = rests.map(\.count).max(), longest > 0 {
      let heads = rests.map { $0.count == longest ? $0.first : nil }
      guard let joined = joined(heads) else { return nil }
      stages += joined
      for channel in rests.indices where heads[channel] != nil { rests[channel].removeFirst() }
    }
    return PointProgram(stages)
  }

  /// Stages with the effect of one stage for each channel; nil where there are none.
  private static func joined(_ heads: [PointProgram.Stage?]) -> Stages? {
    if let first = heads[0], first.isEachChannelAlone, first.isSame(as: heads[1]),
      first.isSame(as: heads[2])
    {
      return [first]
    }
    var (scale, offset) = (SIMD3<Double>.one, SIMD3<Double>.zero)
    var curves = [Curve](repeating: .identity, count: 3)
    var names: [String] = []
    for (channel, head) in heads.enumerated() {
      switch head {
      case nil: continue
      case .affine(let factor, let term):
        (scale[channel], offset[channel]) = (factor[channel], term[channel])
      case .decode(let transfer):
        guard let curve = transfer.curves?.decoding else { return nil }
        curves[channel] = curve
      case .encode(let transfer):
        guard let curve = transfer.curves?.encoding else { return nil }
        curves[channel] = curve
      case .curves(_, let red, let green, let blue):
        curves[channel] = [red, green, blue][channel]
      default: return nil
      }
      if let name = head?.description, !names.contains(name) { names.append(name) }
    }
    return applying(
      .identities,
      to: [
        .affine(scale: scale, offset: offset),
        .curves(names.joined(separator: " / "), curves[0], curves[1], curves[2]),
      ])
  }
}

extension PointProgram {
  /// Whether the other one is known to do the same.
  func isSame(as other: PointProgram) -> Bool {
    guard stages.count == other.stages.count,
      zip(stages, other.stages).allSatisfy({ $0.isOpaque && $1.isOpaque || $0.isSame(as: $1) })
    else { return false }
    return zip(makersOfOpaqueStages, other.makersOfOpaqueStages).allSatisfy {
      $0 != nil && $0 == $1
    }
  }
}

extension PointProgram.Stage {
  /// Whether no channel depends on another one.
  fileprivate var isEachChannelAlone: Bool {
    switch self {
    case .affine, .curves, .clamp, .premultiply, .unpremultiply: true
    case .decode(let transfer), .encode(let transfer): transfer.curves != nil
    default: false
    }
  }

  /// Whether the other one does the same by its value.
  fileprivate func isSame(as other: Self?) -> Bool {
    switch (self, other) {
    case (.affine(let a, let b), .affine(let c, let d)): a == c && b == d
    case (.matrix(let a), .matrix(let b)): a == b
    case (.decode(let a), .decode(let b)), (.encode(let a), .encode(let b)): a == b
    case (.curves(_, let a, let b, let c), .curves(_, let d, let e, let f)):
      a == d && b == e && c == f
    case (.clamp(let a), .clamp(let b)): a == b
    case (.table(let a), .table(let b)): a == b
    case (.premultiply, .premultiply), (.unpremultiply, .unpremultiply): true
    case (.polar, .polar), (.rectangular, .rectangular): true
    default: false
    }
  }
}

extension Node {
  /// This blend as one program over the picture that all its inputs are made of, if it only rearranges channels of one.
  var channelsFused: Node? {
    guard let filter = blendFilter, let sources = filter.channelSources(inputs: inputs.count),
      [sources.red, sources.green, sources.blue].allSatisfy(inputs.indices.contains)
    else { return nil }
    let parts = inputs.map { input -> (base: Node, program: PointProgram) in
      input.program.map { (input.inputs[0], $0) } ?? (input, PointProgram())
    }
    let base = parts[0].base
    guard parts.allSatisfy({ $0.base.withoutCache === base.withoutCache }),
      hasAlpha == base.hasAlpha, sources.keepsCommonAlpha || !hasAlpha,
      let program = Laws.channels(
        parts[sources.red].program, parts[sources.green].program, parts[sources.blue].program)
    else { return nil }
    return Node(.point(base, program), region: region, hasAlpha: hasAlpha, in: space, state)
  }

  /// This node as it runs where the law of channels is used, joined with the program before it.
  var withChannelsFused: Node {
    if let program, let fused = inputs[0].channelsFused, let before = fused.program {
      return Node(
        .point(fused.inputs[0], before.followed(by: program)), region: region,
        hasAlpha: hasAlpha, in: space, state)
    }
    return channelsFused ?? self
  }
}
