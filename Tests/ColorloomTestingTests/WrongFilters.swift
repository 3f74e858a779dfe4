import Colorloom
import ColorloomTesting
import Synchronization

// Filters with a mistake each, as people make them. The laws must name it.

/// A row mean that can be told to go wrong.
struct WrongMean: AreaFilter {
  enum Mistake: String, CaseIterable {
    /// Declares less than it means to read.
    case declaresTooLittle
    /// Its fast way reads a row that it did not declare.
    case readsAnotherRow
    /// Its fast way reads past the end of its rows.
    case readsPastTheEnd
    /// Takes the middle of the tile for that of the picture.
    case dependsOnTile
    /// Its fast way computes something else.
    case computesSomethingElse
    /// Forgets the last column.
    case leavesPixelsUnwritten
    /// Uses what it reads as memory.
    case writesIntoItsInput
    /// Writes around its tile.
    case writesOutside
    /// Takes more memory than it promised.
    case takesMoreMemory
    /// Makes everything opaque.
    case losesAlpha
    /// Divides by the largest of all pixels it sees.
    case spreadsNaN
    /// Limits what it computes to 0…1.
    case clamps
    /// Adds up what it ever saw.
    case remembers
    /// Makes a picture of no pixels.
    case makesNothing
  }
  let mistake: Mistake
  private static let calls = Atomic(0)

  func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    mistake == .makesNothing ? PixelSize(0, input.height) : input
  }

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    switch mistake {
    case .declaresTooLittle: output
    case .spreadsNaN: output.expanded(by: 1)
    default:
      Region(x: output.x - 1, y: output.y, width: output.width + 2, height: output.height)
    }
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var mean = (read(x - 1, y) + read(x, y) + read(x + 1, y)) / 3
    if mistake == .clamps { mean.clamp(lowerBound: .zero, upperBound: .one) }
    if mistake == .losesAlpha { mean.w = 1 }
    return mean
  }

  func render(into output: Tile, from input: Tile, with preparation: Void) {
    if mistake == .takesMoreMemory { _ = output.scratch(10_000) }
    let seen = Self.calls.add(1, ordering: .relaxed).newValue
    for y in output.region.rows {
      for x in output.region.columns {
        if mistake == .leavesPixelsUnwritten, x == output.region.columns.upperBound - 1 { continue }
        var mean = (input[x - 1, y] + input[x, y] + input[x + 1, y]) / 3
        switch mistake {
        case .readsAnotherRow: mean = (mean + input[x, y + 1]) / 2
        case .readsPastTheEnd:
          mean.x = input.row(y, plane: 0).withUnsafeBufferPointer { row in
            row.baseAddress.map { $0[row.count + 1] } ?? 0
          }
        case .dependsOnTile: mean *= Float(output.region.x + 1)
        case .computesSomethingElse: mean *= 1.01
        case .writesIntoItsInput: input[x, y] = mean
        case .writesOutside:
          var row = output.mutableRow(y, plane: 0)
          row.withUnsafeMutableBufferPointer { row in row.baseAddress?[row.count] = 1 }
        case .losesAlpha: mean.w = 1
        case .spreadsNaN:
          for row in input.region.rows where input[x, row].y.isNaN { mean = input[x, row] }
          // What is not a number anywhere in the tile comes out everywhere.
          for column in input.region.columns where input[column, y].y.isNaN {
            mean = input[column, y]
          }
        case .clamps: mean.clamp(lowerBound: .zero, upperBound: .one)
        case .remembers: mean += Float(seen)
        default: break
        }
        output[x, y] = mean
      }
    }
  }

  /// The law it breaks.
  var law: FilterLaw {
    switch mistake {
    case .declaresTooLittle, .readsAnotherRow, .readsPastTheEnd: .region
    case .dependsOnTile, .computesSomethingElse: .meaning
    case .leavesPixelsUnwritten, .writesIntoItsInput, .writesOutside: .writing
    case .takesMoreMemory: .scratch
    case .losesAlpha: .coverage
    case .spreadsNaN: .containment
    case .clamps: .range
    case .remembers: .threads
    case .makesNothing: .renders
    }
  }
}

/// A shift that goes wrong where it looks outside of the picture.
struct WrongShift: AreaFilter {
  enum Mistake: String, CaseIterable {
    /// Declares nothing where it looks outside, though it means to read the edge.
    case declaresOnlyInside
    /// Reads the nearest pixel of the picture, not of its tile.
    case readsBesideItsTile
    /// Is black where it looks outside, though it means to repeat the edge.
    case isBlackOutside
  }
  let mistake: Mistake
  let columns: Int

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    let seen = output.moved(by: Offset(columns, 0))
    return mistake == .declaresOnlyInside ? seen.intersection(Region(input)) : seen
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(x + columns, y)
  }

  func render(into output: Tile, from input: Tile, with preparation: Void) {
    for y in output.region.rows {
      for x in output.region.columns {
        let isInside = 0..<input.pictureSize.width ~= x + columns
        switch mistake {
        case .readsBesideItsTile where !isInside:
          output[x, y] = input[columns < 0 ? 0 : input.pictureSize.width - 1, y]
        case .isBlackOutside where !isInside: output[x, y] = .zero
        default: output[x, y] = input[x + columns, y]
        }
      }
    }
  }

  /// The law it breaks.
  var law: FilterLaw {
    switch mistake {
    case .declaresOnlyInside, .readsBesideItsTile: .region
    case .isBlackOutside: .meaning
    }
  }
}

/// Filters whose mistake is what they say of themselves.
struct WrongTone: PointFilter {
  enum Mistake: String, CaseIterable {
    /// Adds light to numbers that may be multiplied by coverage, and says it does not matter.
    case ignoresCoverage
    /// Works on the numbers it finds, and says it works on light.
    case ignoresLight
    /// Counts the strips it saw.
    case dependsOnThreads
    /// Takes the column of the strip for that of the picture.
    case dependsOnTile
    case clamps
  }
  let mistake: Mistake
  private static let strips = Atomic(0)

  var domain: PixelDomain {
    switch mistake {
    case .ignoresCoverage, .ignoresLight: .any
    default: .linear
    }
  }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    switch mistake {
    case .ignoresCoverage, .ignoresLight:
      program.append(.affine(scale: .one, offset: [0.1, 0.1, 0.1]))
    case .dependsOnThreads:
      program.rows("count") { strip in
        let seen = Self.strips.add(1, ordering: .relaxed).newValue
        for i in strip.indices { strip.red[i] += Float(seen % 7) }
      }
    case .dependsOnTile:
      program.rows("ramp") { strip in
        for i in strip.indices { strip.red[i] += Float(i) }
      }
    case .clamps: program.append(.clamp(0...1))
    }
  }
}

/// Limits one channel at one end, and leaves the others as they are.
struct OneSidedClamp: PointFilter {
  enum Bound: String, CaseIterable { case both, above, below }
  let channel: Int
  let bound: Bound
  /// The channel that it computes the limited one from.
  var source: Int
  var domain: PixelDomain { .encoded }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    let (channel, source) = (channel, source)
    let low: Float = bound == .above ? -.infinity : 0
    let high: Float = bound == .below ? .infinity : 1
    program.rows("one clamp") { strip in
      let planes = [strip.red, strip.green, strip.blue]
      for i in strip.indices { planes[channel][i] = min(max(planes[source][i], low), high) }
    }
  }
}

/// The square root of each channel, which negatives do not have.
struct PlainRoot: PointFilter {
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(
      .map("root") { SIMD3($0.x.squareRoot(), $0.y.squareRoot(), $0.z.squareRoot()) })
  }
}

/// A blend that says it is opaque where it is not.
struct WrongBlend: BlendFilter {
  func hasAlpha(_ inputs: [Bool]) -> Bool { false }
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[0] * 0.5 }
}

/// A blend that is wrong about the channels that it takes from its inputs.
struct WrongChannels: BlendFilter {
  enum Mistake: String, CaseIterable {
    /// Names the wrong input.
    case anotherInput
    /// Names an input that there is not.
    case noInput
    /// Changes the channel.
    case changes
    /// Says that it is opaque, and keeps alpha.
    case isNotOpaque
  }
  let mistake: Mistake
  var domain: PixelDomain { .encoded }

  func channelSources(inputs: Int) -> ChannelSources? {
    ChannelSources(
      red: mistake == .anotherInput ? 0 : mistake == .noInput ? inputs : 1, green: 0, blue: 0,
      keepsCommonAlpha: mistake != .isNotOpaque)
  }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    SIMD4(
      inputs[1].x, inputs[0].y * (mistake == .changes ? 1.5 : 1), inputs[0].z, inputs[0].w)
  }
}

/// A painter that counts from its tile's corner.
struct WrongPainter: Painter {
  func pixel(x: Int, y: Int) -> SIMD4<Double> { SIMD4(Double(x & 7) / 7, 0, 0, 1) }

  func render(into output: Tile) {
    for y in output.region.rows {
      for x in output.region.columns {
        output[x, y] = SIMD4(Float(x - output.region.x & 7) / 7, 0, 0, 1)
      }
    }
  }
}

/// A filter whose equality forgets a parameter.
struct Forgetful: PointFilter {
  var amount: Double
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.affine(scale: [amount, amount, amount], offset: .zero))
  }
  static func == (a: Forgetful, b: Forgetful) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// A sum that all reductions share.
struct SharedSum: Reduction {
  final class State: Sendable {
    let sum = Mutex(Float.zero)
  }
  private static let shared = State()

  func start(in space: ColorSpace) -> State { Self.shared }
  func add(_ pixel: SIMD4<Float>, to state: inout State) {
    state.sum.withLock { $0 += abs(pixel.x) }
  }
  func value(of state: State) -> Float { state.sum.withLock(\.self) }
  static func == (a: SharedSum, b: SharedSum) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}
