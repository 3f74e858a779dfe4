/// A program over 1 to 15 channels: the curves, matrices and lookup tables of an ICC profile.
///
/// Reading a profile creates it. It is evaluated here in double precision, and by the pixel kernels in single
/// precision.
public struct ChannelProgram: Sendable {
  /// The number of input and output channels.
  public let inputCount, outputCount: Int
  package let stages: [ChannelStage]

  package init(_ stages: [ChannelStage], inputCount: Int, outputCount: Int) {
    self.stages = stages
    (self.inputCount, self.outputCount) = (inputCount, outputCount)
  }

  /// The stride between colors of a strip in memory, in channels. Profiles have up to 15 channels.
  package static let channelLimit = 16

  /// Converts one color. Traps where the number of channels is not ``inputCount``.
  public func callAsFunction(_ color: [Double]) -> [Double] {
    precondition(
      color.count == inputCount,
      "The program needs colors of \(inputCount) channels; got \(color.count).")
    return stages(color, outputCount: outputCount)
  }
}

extension ChannelProgram {
  /// The program as stages of a point program, to three channels. Traps for another number of output channels.
  ///
  /// Stages of color spaces are separate stages, so that rewrite laws apply to them. A fourth channel takes the place
  /// of alpha; of more than four, the caller fills the planes.
  package var pointProgram: PointProgram {
    precondition(outputCount == 3, "Pixels have 3 channels; the program makes \(outputCount).")
    var program = PointProgram()
    var (tables, count) = ([ChannelStage](), inputCount)
    // Only stages of three channels follow tables.
    func addTables() {
      guard !tables.isEmpty else { return }
      program.append(.channels(ChannelProgram(tables, inputCount: count, outputCount: 3)))
      (tables, count) = ([], 3)
    }
    for (index, stage) in stages.enumerated() {
      let isLast = index + 1 == stages.count
      if case .mix(let matrix) = stage, let affine = matrix.affine,
        tables.isEmpty || isLast || stages[index + 1].isOfColors
      {
        addTables()
        program.append(affine)
      } else if case .colors(let colors) = stage {
        addTables()
        program.stages += colors.stages
      } else {
        tables.append(stage)
      }
    }
    addTables()
    return program
  }
}

extension ChannelProgram {
  /// Converts one color of three channels, or of four.
  func callAsFunction(_ color: SIMD3<Double>, fourth: Double) -> SIMD3<Double> {
    let result = self([color.x, color.y, color.z] + (inputCount == 4 ? [fourth] : []))
    return SIMD3(result[0], result[1], result[2])
  }
}

extension ChannelProgram: CustomStringConvertible {
  /// The stages, as plans describe them.
  public var description: String {
    let grids = stages.compactMap { stage in
      if case .lattice(let lattice) = stage { "\(lattice)" } else { nil }
    }
    return grids.isEmpty ? "curves of \(inputCount) channels" : grids.joined(separator: ", ")
  }
}

/// One step of a channel program. Steps work on strips of colors, with a stride of ``ChannelProgram/channelLimit``
/// channels.
package enum ChannelStage: Sendable {
  /// A curve for each channel.
  case curves([ChannelCurve])
  /// A matrix; the number of channels may change.
  case mix(ChannelMatrix)
  /// A multidimensional lookup table; the number of channels may change.
  case lattice(Lattice)
  /// The stages of a color space, for three channels.
  case colors(PointProgram)

  /// Converts `count` colors in place.
  package func apply(to colors: UnsafeMutablePointer<Double>, count: Int) {
    let limit = ChannelProgram.channelLimit
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

extension ChannelStage {
  fileprivate var isOfColors: Bool { if case .colors = self { true } else { false } }
}

extension ChannelMatrix {
  /// The equivalent affine stage for three independent channels; nil otherwise.
  fileprivate var affine: PointProgram.Stage? {
    guard offset.count == 3, rows.allSatisfy({ $0.count == 3 }) else { return nil }
    for row in 0..<3 {
      for column in 0..<3 where row != column && rows[row][column] != 0 { return nil }
    }
    return .affine(
      scale: SIMD3(rows[0][0], rows[1][1], rows[2][2]),
      offset: SIMD3(offset[0], offset[1], offset[2]))
  }
}

extension [ChannelStage] {
  /// Appends a step. Identities are dropped, and adjacent matrices are merged.
  package mutating func add(_ stage: ChannelStage) {
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

  package mutating func add(_ stages: [ChannelStage]) {
    for stage in stages { add(stage) }
  }

  /// Converts one color.
  package func callAsFunction(_ color: [Double], outputCount: Int) -> [Double] {
    withUnsafeTemporaryAllocation(
      of: Double.self, capacity: ChannelProgram.channelLimit
    ) { buffer in
      _ = buffer.update(fromContentsOf: color)
      guard let base = buffer.baseAddress else { return color }
      for stage in self { stage.apply(to: base, count: 1) }
      return buffer.prefix(outputCount).map(\.self)
    }
  }
}
