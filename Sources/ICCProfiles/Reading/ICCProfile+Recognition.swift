public import ColorSpaces

extension ICCProfile {
  /// A named color space that agrees with a profile, and the difference between the two.
  ///
  /// Where code points name the space, the difference is that of the curves or tables beside them, and may be large.
  public struct Recognition: Hashable, Sendable {
    /// The named space that is closest to the profile.
    public let space: ColorSpace
    /// The largest color difference (CIEDE2000) that was found on a grid of 9 device values 0…1 per channel: 1 is just
    /// noticeable. A measurement, not a bound: between the grid's colors the difference may be larger.
    public let distance: Double
    /// A bound: for no device values 0…1 does X, Y or Z, relative to the luminance of white, differ by more. Nil for gray profiles,
    /// for those that are recognized by their tables, and for spaces whose curve has pieces of which it is not known that they rise.
    public let bound: Double?
  }

  /// The named spaces that profiles can agree with: those with a curve per channel.
  static let knownSpaces = ColorSpace.all.filter { $0.transfer.curves != nil }

  /// Returns a named space for which `isSame` returns true: of several, the one with the profile's own name, or else
  /// the most common one.
  static func known(
    _ space: ColorSpace, where isSame: (ColorSpace) -> Bool
  ) -> ColorSpace? {
    let matches = knownSpaces.filter(isSame)
    return matches.first { $0.name == space.name } ?? matches.first
  }

  /// The name of a profile of the grays of a space.
  static func name(ofGraysOf space: ColorSpace) -> String {
    space.isGray ? space.name : "\(space.name) gray"
  }

  /// The named space that ``colorSpace(intent:)`` returns for the profile; nil for a profile that agrees with none.
  public var recognized: Recognition? {
    guard let space = try? colorSpace(), Self.knownSpaces.contains(space),
      let profileToLab = try? ICCTransform(from: .profile(self), to: .space(.lab), intent: intent),
      let spaceToLab = try? ICCTransform(from: .space(space), to: .space(.lab))
    else { return nil }
    let steps = 8
    let numbers = (0...steps).map { Double($0) / Double(steps) }
    let colors =
      isGray
      ? numbers.map { [$0, $0, $0] }
      : numbers.flatMap { red in numbers.flatMap { green in numbers.map { [red, green, $0] } } }
    let distance = colors.reduce(0) { largest, color in
      let (a, b) = (
        profileToLab(Array(color.prefix(profileToLab.inputCount))), spaceToLab(color)
      )
      return max(
        largest, ColorDifference.ciede2000()(SIMD3(a[0], a[1], a[2]), SIMD3(b[0], b[1], b[2])))
    }
    return Recognition(space: space, distance: distance, bound: bound(with: space))
  }

  /// The bound of the difference in XYZ of D50, channel by channel: XYZ by a matrix of colorants is a sum over the channels.
  ///
  /// Both curves rise or fall between the inputs at which they are compared, so that their values there lie between those at the inputs.
  private func bound(with space: ColorSpace) -> Double? {
    guard !hasTables, let colorants = try? colorantMatrix(),
      let curves = try? curves(["rTRC", "gTRC", "bTRC"]),
      let breaks = space.transfer.curves?.decoding.breaks
    else { return nil }
    let known =
      ColorMatrix.adapting(from: space.primaries.white, to: Chromaticity(xyz: connectionWhite))
      * space.primaries.toXYZ
    let columns = [
      (colorants.column0, known.column0), (colorants.column1, known.column1),
      (colorants.column2, known.column2),
    ]
    var sum = SIMD3<Double>.zero
    for (curve, (own, its)) in zip(curves, columns) {
      var largest = SIMD3<Double>.zero
      var last = (curve(0), space.transfer.decode(0))
      for x in curve.inputs(1 << 16, breaks: breaks) {
        let next = (curve(x), space.transfer.decode(x))
        let (a, b) = (own * last.0, own * next.0)
        let (c, d) = (its * last.1, its * next.1)
        let above = pointwiseMax(a, b) - pointwiseMin(c, d)
        let below = pointwiseMax(c, d) - pointwiseMin(a, b)
        largest = pointwiseMax(largest, pointwiseMax(above, below))
        last = next
      }
      sum += largest
    }
    return sum.max()
  }
}

extension ChannelCurve {
  /// About as many inputs above 0 as asked for, up to 1, in order: equal steps that meet every entry of a table, and the neighbors of the
  /// breaks of this curve, of the other one, and of 1, where white is rounded.
  fileprivate func inputs(_ count: Int, breaks: [Double]) -> [Double] {
    var (steps, breaks) = (count, breaks + [1])
    if case .table(let table) = self, table.values.count > 1 {
      let entries = table.values.count - 1
      steps = entries * max((count + entries - 1) / entries, 1)
    } else if case .parametric(let curve) = self {
      breaks.append(curve.d)
    }
    var inputs = (1...steps).map { Double($0) / Double(steps) }
    for place in breaks {
      inputs += [place.nextDown, place, place.nextUp].filter { $0 > 0 && $0 <= 1 }
    }
    return inputs.sorted()
  }
}

extension Curve {
  /// The inputs between which the curve rises or falls; nil where they are not known.
  fileprivate var breaks: [Double]? {
    switch self {
    case .identity, .rationalPower: []
    case .power(let curve): [curve.threshold]
    case .segmented(let curve): curve.segments.map(\.start)
    case .cubic, .sampled, .function: nil
    }
  }
}
