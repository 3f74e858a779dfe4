internal import ColorSpaces

/// One step of a transform. Steps work on strips of colors, each of up to ``channelLimit`` numbers.
enum TransformStage: Sendable {
  /// A curve for each channel.
  case curves([ProfileCurve])
  /// Mixes the channels; their number may change.
  case mix(ChannelMatrix)
  /// A table of all channels together; their number may change.
  case lattice(Lattice)
  /// What color spaces are made of, for three channels.
  case colors(PointProgram)

  /// The most channels there are, and so how far apart the colors of a strip lie. Profiles have up to 15.
  static let channelLimit = 16

  /// Changes `count` colors.
  func apply(to colors: UnsafeMutablePointer<Double>, count: Int) {
    let limit = Self.channelLimit
    switch self {
    case .curves(let curves):
      for (channel, curve) in curves.enumerated() {
        for index in 0..<count {
          let number = colors + index * limit + channel
          number.pointee = curve(number.pointee)
        }
      }
    case .mix(let matrix):
      withUnsafeTemporaryAllocation(of: Double.self, capacity: limit) { scratch in
        guard let scratch = scratch.baseAddress else { return }
        for index in 0..<count { matrix.apply(to: colors + index * limit, with: scratch) }
      }
    case .lattice(let lattice): lattice.apply(to: colors, count: count)
    case .colors(let program):
      for index in 0..<count {
        let color = colors + index * limit
        let result = program(SIMD3(color[0], color[1], color[2]))
        (color[0], color[1], color[2]) = (result.x, result.y, result.z)
      }
    }
  }
}

extension [TransformStage] {
  /// Adds a step, unless it changes nothing; two matrices become one.
  mutating func add(_ stage: TransformStage) {
    switch (last, stage) {
    case (.mix(let before), .mix(let matrix)):
      removeLast()
      add(.mix(matrix * before))
    case (_, .mix(let matrix))
    where matrix.rows.count == matrix.rows.first?.count && matrix.isIdentity:
      break
    case (_, .curves(let curves)) where curves.allSatisfy { $0 == .identity }: break
    default: append(stage)
    }
  }

  mutating func add(_ stages: [TransformStage]) {
    for stage in stages { add(stage) }
  }

  /// One color.
  func callAsFunction(_ color: [Double], outputCount: Int) -> [Double] {
    withUnsafeTemporaryAllocation(
      of: Double.self, capacity: TransformStage.channelLimit
    ) { buffer in
      _ = buffer.update(fromContentsOf: color)
      guard let base = buffer.baseAddress else { return color }
      for stage in self { stage.apply(to: base, count: 1) }
      return buffer.prefix(outputCount).map(\.self)
    }
  }
}
