internal import ColorSpaces

/// The conversion of three device values to Lab by the tables of a profile, with its derivatives.
///
/// It evaluates the stages of a ``ChannelProgram`` to XYZ and allocates nothing for a color, so that searches are fast.
struct DeviceToLab: Sendable {
  /// A color, and how it changes with each device value: the columns of the matrix.
  struct Value {
    var color: SIMD3<Double>
    var slopes: ColorMatrix
  }

  private enum Step {
    case curves(StoredCurve, StoredCurve, StoredCurve)
    case mix(ColorMatrix, offset: SIMD3<Double>)
    case grid(StoredGrid)
    case labToXYZ
    case xyzToLab
  }

  private let steps: [Step]
  /// The entries of all curves and grids. Steps without arrays of their own are cheap to copy.
  private let entries: [UInt16]

  /// Whether the conversion ends with one from XYZ, to which tables of XYZ are linear.
  private let endsWithXYZ: Bool
  /// Whether device values outside of 0…1 have the colors of 0 and 1, because a grid comes first.
  let startsWithGrid: Bool

  /// Creates the conversion from stages of three channels that lead to XYZ.
  init(toXYZ stages: [ChannelStage]) {
    var entries: [UInt16] = []
    var steps = stages.map { stage -> Step in
      switch stage {
      case .curves(let curves):
        .curves(
          StoredCurve(curves[0], in: &entries), StoredCurve(curves[1], in: &entries),
          StoredCurve(curves[2], in: &entries))
      case .mix(let mix):
        .mix(
          ColorMatrix(rows: SIMD3(mix.rows[0]), SIMD3(mix.rows[1]), SIMD3(mix.rows[2])),
          offset: SIMD3(mix.offset))
      case .lattice(let lattice): .grid(StoredGrid(lattice, in: &entries))
      // The only color space between device values and XYZ is Lab.
      case .colors: .labToXYZ
      }
    }
    if case .labToXYZ? = steps.last {
      steps.removeLast()
      endsWithXYZ = false
    } else {
      steps.append(.xyzToLab)
      endsWithXYZ = true
    }
    (self.steps, self.entries) = (steps, entries)
    startsWithGrid = if case .grid? = steps.first { true } else { false }
  }

  /// Returns the color of device values.
  func callAsFunction(_ numbers: SIMD3<Double>) -> Value {
    entries.withUnsafeBufferPointer { entries in
      var value = Value(color: numbers, slopes: .identity)
      for step in steps {
        switch step {
        case .curves(let red, let green, let blue):
          let (x, y, z) = (
            red(value.color.x, entries), green(value.color.y, entries),
            blue(value.color.z, entries)
          )
          value.color = SIMD3(x.value, y.value, z.value)
          value.scaleRows(by: SIMD3(x.slope, y.slope, z.slope))
        case .mix(let matrix, let offset):
          value.color = matrix * value.color + offset
          value.slopes = matrix * value.slopes
        case .grid(let grid):
          let found = grid(value.color, entries)
          value.color = found.color
          value.slopes = found.slopes * value.slopes
        case .labToXYZ: value.convertLabToXYZ()
        case .xyzToLab: value.convertXYZToLab()
        }
      }
      return value
    }
  }

  /// A color that is searched for.
  struct Target {
    let lab: SIMD3<Double>
    /// XYZ relative to white.
    fileprivate let light: SIMD3<Double>

    init(xyz: SIMD3<Double>) {
      light = xyz / connectionWhite
      lab = DeviceToLab.rootsToLab * DeviceToLab.root(light).value - SIMD3(16, 0, 0)
    }
  }

  /// The change in Lab that would lead from one color to another if Lab went on as it is there: the difference of both where the tables
  /// lead to Lab, and the derivative of Lab times the difference in XYZ where they lead to XYZ.
  func change(from lab: SIMD3<Double>, to target: Target) -> SIMD3<Double> {
    guard endsWithXYZ else { return target.lab - lab }
    let (light, slope) = Self.cube(Self.labToRoots * (lab + SIMD3(16, 0, 0)))
    return Self.rootsToLab * ((target.light - light) / slope)
  }

  fileprivate static let labToRoots = ColorMatrix(
    rows: [1.0 / 116, 1.0 / 500, 0], [1.0 / 116, 0, 0], [1.0 / 116, 0, -1.0 / 200])
  fileprivate static let rootsToLab = ColorMatrix(
    rows: [0, 116, 0], [500, -500, 0], [0, 200, -200])

  // CIELAB's f(t) (CIE 15:2004, 8.2.1, with the exact fractions).

  fileprivate static func root(
    _ light: SIMD3<Double>
  ) -> (value: SIMD3<Double>, slope: SIMD3<Double>) {
    var (value, slope) = (
      841.0 / 108 * light + 4.0 / 29, SIMD3<Double>(repeating: 841.0 / 108)
    )
    for channel in 0..<3 where light[channel] > 216.0 / 24389 {
      let root = cubeRoot(light[channel])
      (value[channel], slope[channel]) = (root, 1 / (3 * root * root))
    }
    return (value, slope)
  }

  fileprivate static func cube(
    _ root: SIMD3<Double>
  ) -> (value: SIMD3<Double>, slope: SIMD3<Double>) {
    let isDark = root .<= 6.0 / 29
    return (
      (root * root * root).replacing(with: 108.0 / 841 * (root - 4.0 / 29), where: isDark),
      (3 * root * root).replacing(with: 108.0 / 841, where: isDark)
    )
  }
}

extension DeviceToLab.Value {
  fileprivate mutating func scaleRows(by scale: SIMD3<Double>) {
    slopes.column0 *= scale
    slopes.column1 *= scale
    slopes.column2 *= scale
  }

  fileprivate mutating func convertLabToXYZ() {
    let (light, slope) = DeviceToLab.cube(DeviceToLab.labToRoots * (color + SIMD3(16, 0, 0)))
    slopes = DeviceToLab.labToRoots * slopes
    color = light * connectionWhite
    scaleRows(by: slope * connectionWhite)
  }

  fileprivate mutating func convertXYZToLab() {
    let (root, slope) = DeviceToLab.root(color / connectionWhite)
    scaleRows(by: slope / connectionWhite)
    color = DeviceToLab.rootsToLab * root - SIMD3(16, 0, 0)
    slopes = DeviceToLab.rootsToLab * slopes
  }
}

/// A grid of three inputs and outputs with tetrahedral interpolation, as in ``Lattice``.
private struct StoredGrid {
  /// The index of the first entry.
  private let start: Int
  private let strides: SIMD3<Int>
  /// The number of cells along each input.
  private let cells: SIMD3<Double>

  init(_ lattice: Lattice, in entries: inout [UInt16]) {
    let counts = SIMD3(lattice.gridCounts)
    precondition(
      lattice.outputCount == 3 && lattice.isTetrahedral, "\(lattice) leads to no color.")
    start = entries.count
    entries += lattice.values
    strides = SIMD3(3 * counts.y * counts.z, 3 * counts.z, 3)
    cells = SIMD3<Double>(counts) - 1
  }

  func callAsFunction(
    _ place: SIMD3<Double>, _ entries: UnsafeBufferPointer<UInt16>
  ) -> DeviceToLab.Value {
    // A NaN has no cell.
    let known = place.replacing(with: 0, where: place .!= place)
    let position = known.clamped(lowerBound: .zero, upperBound: .one) * cells
    let cell = pointwiseMin(position.rounded(.down), cells - 1)
    let part = position - cell
    // The axes in the order of decreasing parts.
    var (first, second, third) = (0, 1, 2)
    if part[first] < part[second] { swap(&first, &second) }
    if part[second] < part[third] { swap(&second, &third) }
    if part[first] < part[second] { swap(&first, &second) }
    func node(_ offset: Int) -> SIMD3<Double> {
      SIMD3(Double(entries[offset]), Double(entries[offset + 1]), Double(entries[offset + 2]))
    }
    let base =
      start + Int(cell.x) * strides.x + Int(cell.y) * strides.y + Int(cell.z) * strides.z
    let corner = node(base)
    let a = node(base + strides[first])
    let b = node(base + strides[first] + strides[second])
    let c = node(base + strides.wrappedSum())
    var slopes = ColorMatrix(diagonal: .zero)
    slopes[column: first] = a - corner
    slopes[column: second] = b - a
    slopes[column: third] = c - b
    let color = corner + slopes * part
    // Beyond the grid, colors do not change.
    let scale = (cells / 65_535).replacing(
      with: 0, where: (place .< 0) .| (place .> 1))
    slopes.column0 *= scale.x
    slopes.column1 *= scale.y
    slopes.column2 *= scale.z
    return DeviceToLab.Value(color: color / 65_535, slopes: slopes)
  }
}

extension ColorMatrix {
  subscript(column index: Int) -> SIMD3<Double> {
    get { index == 0 ? column0 : index == 1 ? column1 : column2 }
    set {
      switch index {
      case 0: column0 = newValue
      case 1: column1 = newValue
      default: column2 = newValue
      }
    }
  }
}

/// A curve whose table is stored among others.
private enum StoredCurve {
  case identity
  case parametric(ParametricCurve)
  case table(Range<Int>)

  init(_ curve: ChannelCurve, in entries: inout [UInt16]) {
    switch curve {
    case .identity: self = .identity
    case .parametric(let curve): self = .parametric(curve)
    case .table(let table):
      self = .table(entries.count..<entries.count + table.values.count)
      entries += table.values
    case .parametricInverse, .tableInverse:
      preconditionFailure("Tables from the device to the PCS hold no inverse curves.")
    }
  }

  /// The output for `x`, and its derivative.
  func callAsFunction(
    _ x: Double, _ entries: UnsafeBufferPointer<UInt16>
  ) -> (value: Double, slope: Double) {
    switch self {
    case .identity: return (x, 1)
    case .parametric(let curve): return curve.sloped(x)
    case .table(let range):
      guard x == x else { return (x, 0) }
      let last = Double(range.count - 1)
      let position = min(max(x, 0), 1) * last
      let index = min(Int(position), range.count - 2)
      let low = Double(entries[range.lowerBound + index])
      let high = Double(entries[range.lowerBound + index + 1])
      return (
        (low + (high - low) * (position - Double(index))) / 65_535,
        x < 0 || x > 1 ? 0 : (high - low) * last / 65_535
      )
    }
  }
}

extension ParametricCurve {
  fileprivate func sloped(_ x: Double) -> (value: Double, slope: Double) {
    guard x >= d else { return (c * x + f, c) }
    let base = a * x + b
    guard base > 0 else { return (self(x), 0) }
    let power = power(base, g)
    return (power + e, g * a * power / base)
  }
}
