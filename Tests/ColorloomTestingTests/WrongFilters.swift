import Colorloom
import ColorloomTesting
import Synchronization

// Filters with one typical mistake each, which the conformance kit must name.

/// A mean over a row with a selectable mistake.
struct WrongMean: AreaFilter {
  enum Mistake: String, CaseIterable {
    /// Declares a smaller region than its definition reads.
    case declaresTooLittle
    /// Its fast implementation reads an undeclared row.
    case readsAnotherRow
    /// Its fast implementation reads past the end of its rows.
    case readsPastTheEnd
    /// Uses the middle of the tile in place of that of the picture.
    case dependsOnTile
    /// Its fast implementation computes something else.
    case computesSomethingElse
    /// Does not write the last column.
    case leavesPixelsUnwritten
    /// Overwrites its input.
    case writesIntoItsInput
    /// Writes outside of its tile.
    case writesOutside
    /// Allocates more scratch memory than it declares.
    case takesMoreMemory
    /// Makes everything opaque.
    case losesAlpha
    /// Divides by the largest of all pixels in the tile.
    case spreadsNaN
    /// Clamps its results to 0…1.
    case clamps
    /// Accumulates over all calls.
    case remembers
    /// Creates an empty picture.
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
          // A NaN anywhere in the tile spreads to every pixel.
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

  /// The law that it violates.
  var law: FilterLaw {
    switch mistake {
    case .declaresTooLittle, .readsAnotherRow, .readsPastTheEnd: .region
    case .dependsOnTile, .computesSomethingElse: .meaning
    case .leavesPixelsUnwritten, .writesIntoItsInput, .writesOutside: .writing
    case .takesMoreMemory: .scratch
    case .losesAlpha: .alpha
    case .spreadsNaN: .containment
    case .clamps: .range
    case .remembers: .threads
    case .makesNothing: .renders
    }
  }
}

/// A translation with a mistake outside of the picture.
struct WrongShift: AreaFilter {
  enum Mistake: String, CaseIterable {
    /// Declares no region outside of the picture, though its definition reads the edge.
    case declaresOnlyInside
    /// Reads the nearest pixel of the picture instead of that of its tile.
    case readsBesideItsTile
    /// Is black outside of the picture, though its definition repeats the edge.
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

  /// The law that it violates.
  var law: FilterLaw {
    switch mistake {
    case .declaresOnlyInside, .readsBesideItsTile: .region
    case .isBlackOutside: .meaning
    }
  }
}

/// Filters with a wrong declaration.
struct WrongTone: PointFilter {
  enum Mistake: String, CaseIterable {
    /// Adds a constant to values that may be premultiplied, and declares any encoding of alpha.
    case ignoresCoverage
    /// Computes with encoded values, and declares linear light.
    case ignoresLight
    /// Counts the strips it received.
    case dependsOnThreads
    /// Uses the column of the strip in place of that of the picture.
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

/// Clamps one channel at one end, and leaves the others unchanged.
struct OneSidedClamp: PointFilter {
  enum Bound: String, CaseIterable { case both, above, below }
  let channel: Int
  let bound: Bound
  /// The channel from which it computes the clamped one.
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

/// The square root of each channel, NaN for negative values.
struct PlainRoot: PointFilter {
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(
      .map("root") { SIMD3($0.x.squareRoot(), $0.y.squareRoot(), $0.z.squareRoot()) })
  }
}

/// Multiplies by a factor that is infinite in single precision, and by its reciprocal. Laws cancel the two; without them the result is NaN.
struct OverflowingFactors: PointFilter {
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.affine(scale: .one * 1e300, offset: .zero))
    program.append(.affine(scale: .one * 1e-300, offset: .zero))
  }
}

/// Makes NaN of values below 0.1, and declares that the encoding and alpha do not matter.
struct Hole: PointFilter {
  var domain: PixelDomain { .any }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.map("hole") { $0.replacing(with: .nan, where: $0 .< 0.1) })
  }
}

/// A blend that declares an opaque result wrongly.
struct WrongBlend: BlendFilter {
  func hasAlpha(_ inputs: [Bool]) -> Bool { false }
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[0] * 0.5 }
}

/// A mean that clamps its result to a limit on both sides.
struct ClampedBlend: BlendFilter {
  var limit = 1.0
  var domain: PixelDomain { .encoded }
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let mean = (inputs[0] + inputs[1]) / 2
    return mean.clamped(
      lowerBound: SIMD4(repeating: -limit), upperBound: SIMD4(repeating: limit))
  }
}

/// A filter of two pictures that clamps the first one to 0…1.
struct ClampedArea: AreaBlendFilter {
  func inputRegion(_ input: Int, for output: Region, of size: PixelSize) -> Region { output }
  func pixel(
    x: Int, y: Int, of size: PixelSize, read: (_ input: Int, _ x: Int, _ y: Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(0, x, y).clamped(lowerBound: .zero, upperBound: .one)
  }
}

/// A blend that is opaque, as it says, only where both inputs are.
struct WrongOpacity: BlendFilter {
  func hasAlpha(_ inputs: [Bool]) -> Bool { inputs.allSatisfy(\.self) }
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[0] * inputs[1] }
}

/// A point-like filter that has no result for colors below −1.
struct WrongRoot: AreaFilter {
  func inputRegion(for output: Region, of input: PixelSize) -> Region { output }
  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let pixel = read(x, y)
    return SIMD4(
      (pixel.x + 1).squareRoot(), (pixel.y + 1).squareRoot(), (pixel.z + 1).squareRoot(), pixel.w)
  }
}

/// A blend that declares wrong sources of its channels.
struct WrongChannels: BlendFilter {
  enum Mistake: String, CaseIterable {
    /// Declares the wrong input.
    case anotherInput
    /// Declares an input that does not exist.
    case noInput
    /// Changes the channel.
    case changes
    /// Declares an opaque result, and keeps alpha.
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

/// A painter with coordinates relative to its tile.
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

/// A filter whose equality ignores a parameter.
struct Forgetful: PointFilter {
  var amount: Double
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.affine(scale: [amount, amount, amount], offset: .zero))
  }
  static func == (a: Forgetful, b: Forgetful) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// A sum shared by all reductions.
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
