public import ColorSpaces
public import ImageBuffer

/// Moves a picture by a transform of the plane: turned, sheared, seen from aside.
///
/// Each pixel of the result looks up where it comes from and takes the mean of what is there by a kernel.
public struct Transform: AreaFilter {
  /// Where a place of the result comes from.
  public var source: PlaneTransform
  /// The size of the result; nil for that of the picture.
  public var size: PixelSize?
  /// The part of the picture that is moved, with smooth edges and nothing around it; nil for all of it, its edges going on.
  public var part: Region?
  /// How much the pixels around a place count.
  public var kernel: ResamplingKernel

  /// A transform, told by where each place of the result comes from.
  public init(
    from source: PlaneTransform, size: PixelSize? = nil, part: Region? = nil,
    by kernel: ResamplingKernel = .catmullRom
  ) {
    (self.source, self.size, self.part, self.kernel) = (source, size, part, kernel)
  }

  /// The size that was asked for.
  public func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    if let part {
      guard part.width > 0, part.height > 0 else {
        throw .emptySize(width: part.width, height: part.height)
      }
      for corner in [part.origin, part.origin + Offset(part.width - 1, part.height - 1)]
      where !input.bounds.contains(Region(x: corner.x, y: corner.y, width: 1, height: 1)) {
        throw .outside(x: corner.x, y: corner.y, of: "\(input)")
      }
    }
    return size ?? input
  }

  /// What the kernels touch around the places that the region comes from.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    let part = part ?? input.bounds
    guard let bounds = source.bounds(of: output) else { return part }
    return Interpolation(kernel: kernel)
      .region(bounds.least, bounds.most, stretch: bounds.stretch, in: part)
  }

  /// How much of a pixel that comes from `place` the part covers: the distance to its edges, in pixels of the result.
  private func coverage(_ place: SIMD2<Double>, stretch: SIMD2<Double>) -> Double {
    guard let part else { return 1 }
    let (least, most) = (
      SIMD2(Double(part.x), Double(part.y)),
      SIMD2(Double(part.x + part.width), Double(part.y + part.height))
    )
    let inside = pointwiseMin(place - least, most - place) / stretch + 0.5
    let covered = inside.clamped(lowerBound: .zero, upperBound: .one)
    return covered.x * covered.y
  }

  /// The mean around the place it comes from; nothing where that is behind the one who looks.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let center = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
    guard let place = source(center) else { return .zero }
    let stretch = source.stretch(at: center)
    let coverage = coverage(place, stretch: stretch)
    if coverage == 0 { return .zero }
    let bounds = part ?? input.bounds
    return coverage
      * Interpolation(kernel: kernel).pixel(at: place, stretch: stretch) { x, y in
        let inside = bounds.nearest(x, y)
        return read(inside.x, inside.y)
      }
  }

  /// The kernel's weights.
  public func preparationByteCount(for input: PixelSize) -> Int {
    TabulatedInterpolation.byteCount(kernel)
  }

  /// The kernel's weights.
  public struct Preparation: Sendable {
    let interpolation: TabulatedInterpolation
  }

  /// The kernel's weights.
  public func prepare(for input: PixelSize) -> Preparation {
    Preparation(interpolation: TabulatedInterpolation(kernel))
  }

  /// The weights of a row.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    TabulatedInterpolation.columnLimit(kernel)
  }

  /// Pixel by pixel.
  public func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    let interpolation = preparation.interpolation
    let weights = output.scratch(TabulatedInterpolation.columnLimit(kernel))
    let bounds = part ?? input.pictureSize.bounds
    for y in output.region.rows {
      let row = PixelRow(output, y)
      for x in output.region.columns {
        let center = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
        row[x] = .zero
        guard let place = source(center) else { continue }
        let stretch = source.stretch(at: center)
        let coverage = Float(coverage(place, stretch: stretch))
        if coverage == 0 { continue }
        row[x] =
          coverage
          * interpolation.pixel(at: place, stretch: stretch, of: input, in: bounds, weights)
      }
    }
  }
}

extension Transform: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "\(kernel) transform" }
}

extension Transform: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Transform>(
    "transform-from", RecipeField("source", \.source), RecipeField("size", \.size),
    RecipeField("part", \.part), RecipeField("kernel", \.kernel, default: .catmullRom)
  ) { Transform(from: $0, size: $1, part: $2, by: $3) }
}

/// A picture moved by a transform, as large as it becomes.
struct TransformedPicture: CompoundFilter, RecipeFilter {
  var transform: PlaneTransform
  var kernel: ResamplingKernel

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.moved(by: transform, kernel)
  }

  static let recipeForm = RecipeForm<TransformedPicture>(
    "transform", RecipeField("matrix", \.transform),
    RecipeField("kernel", \.kernel, default: .catmullRom)
  ) { TransformedPicture(transform: $0, kernel: $1) }
}

/// A picture turned about its middle.
struct Rotation: CompoundFilter, RecipeFilter {
  var degrees: Double
  var kernel: ResamplingKernel

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.turned(degrees, kernel)
  }

  static let recipeForm = RecipeForm<Rotation>(
    "rotate", RecipeField("degrees", \.degrees, in: -1e9...1e9),
    RecipeField("kernel", \.kernel, default: .catmullRom)
  ) { Rotation(degrees: $0, kernel: $1) }
}

/// A picture whose corners go to other places.
struct Perspective: CompoundFilter, RecipeFilter {
  var corners: [SIMD2<Double>]
  var kernel: ResamplingKernel

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.seen(at: corners, kernel)
  }

  static let recipeForm = RecipeForm<Perspective>(
    "perspective", RecipeField("to", \.corners),
    RecipeField("kernel", \.kernel, default: .catmullRom)
  ) { corners, kernel throws(RecipeError) in
    Perspective(corners: try checkedCorners(corners), kernel: kernel)
  }
}

/// What lies between four corners, as a rectangle.
struct Straightening: CompoundFilter, RecipeFilter {
  var corners: [SIMD2<Double>]
  var size: PixelSize
  var kernel: ResamplingKernel

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.flattened(corners, size, kernel)
  }

  static let recipeForm = RecipeForm<Straightening>(
    "straighten", RecipeField("corners", \.corners), RecipeField("size", \.size),
    RecipeField("kernel", \.kernel, default: .catmullRom)
  ) { corners, size, kernel throws(RecipeError) in
    Straightening(corners: try checkedCorners(corners), size: size, kernel: kernel)
  }
}

private func checkedCorners(
  _ corners: [SIMD2<Double>]
) throws(RecipeError) -> [SIMD2<Double>] {
  try checked("The number of corners", Double(corners.count), in: 4...4)
  for corner in corners {
    for number in [corner.x, corner.y] { try checked("A corner", number, in: -1e9...1e9) }
  }
  return corners
}

extension Picture {
  /// This picture moved by a transform of the plane, in linear light. It is transparent around what was the picture.
  ///
  /// A picture without end stays one: extend it first to have more of it around the edges, and crop it after.
  public func transformed(
    by transform: PlaneTransform, kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying(TransformedPicture(transform: transform, kernel: kernel))
  }

  fileprivate func moved(by transform: PlaneTransform, _ kernel: ResamplingKernel) -> Picture {
    guard let source = transform.inverse else {
      return failing(.noWayBack)
    }
    if isEndless {
      let home = PlaneTransform.shifted(x: Double(origin.x), y: Double(origin.y))
      let away = PlaneTransform.shifted(x: -Double(origin.x), y: -Double(origin.y))
      guard transform.isAffine else { return failing(.endless) }
      return applying(
        Transform(from: home.followed(by: source).followed(by: away), by: kernel))
    }
    guard let bounds = transform.bounds(of: region) else { return failing(.noWayBack) }
    guard all(abs(bounds.least) .< 0x1p29), all(abs(bounds.most) .< 0x1p29) else {
      return failing(.noWayBack)
    }
    // What lies on whole pixels but for rounding has no more pixels than that.
    let (left, top) = (
      Int((bounds.least.x + 1e-6).rounded(.down)), Int((bounds.least.y + 1e-6).rounded(.down))
    )
    let (right, bottom) = (
      Int((bounds.most.x - 1e-6).rounded(.up)), Int((bounds.most.y - 1e-6).rounded(.up))
    )
    // An opaque picture has no coverage to fade; with a pixel of nothing around it, it has.
    let padded = padded(to: region.expanded(by: 1))
    let place = PlaneTransform.shifted(x: Double(left), y: Double(top)).followed(by: source)
      .followed(
        by: .shifted(x: -Double(padded.region.x), y: -Double(padded.region.y)))
    let size = PixelSize(max(right - left, 1), max(bottom - top, 1))
    let part = Region(x: 1, y: 1, width: region.width, height: region.height)
    return padded.applying(Transform(from: place, size: size, part: part, by: kernel))
      .placed(at: Offset(left, top))
  }

  /// This picture turned clockwise about its middle. Quarter turns move pixels and change none.
  public func rotated(
    degrees: Double, kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying(Rotation(degrees: degrees, kernel: kernel))
  }

  fileprivate func turned(_ degrees: Double, _ kernel: ResamplingKernel) -> Picture {
    let quarters = degrees / 90
    if quarters == quarters.rounded(), abs(quarters) < 1e9, !isEndless {
      return turned(quarters: Int(quarters.truncatingRemainder(dividingBy: 4)))
    }
    guard degrees.isFinite else {
      return failing(.parameter("An angle", value: degrees, allowed: -1e9...1e9))
    }
    let middle =
      isEndless
      ? SIMD2<Double>.zero
      : SIMD2(
        Double(2 * region.x + region.width) / 2, Double(2 * region.y + region.height) / 2)
    return transformed(
      by: PlaneTransform.shifted(x: -middle.x, y: -middle.y).followed(by: .turned(degrees: degrees))
        .followed(by: .shifted(x: middle.x, y: middle.y)),
      kernel: kernel)
  }

  /// This picture with its corners moved to other places: upper left, upper right, lower right, lower left.
  public func perspective(
    to corners: [SIMD2<Double>], kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying(Perspective(corners: corners, kernel: kernel))
  }

  fileprivate func seen(at corners: [SIMD2<Double>], _ kernel: ResamplingKernel) -> Picture {
    if isEndless { return failing(.endless) }
    guard let home = PlaneTransform.square(to: region.corners).inverse else {
      return failing(.noWayBack)
    }
    return transformed(by: home.followed(by: .square(to: corners)), kernel: kernel)
  }

  /// What this picture shows between four corners, straightened to a rectangle: a page, a painting, a screen.
  ///
  /// The corners are upper left, upper right, lower right, lower left, in this picture.
  public func straightened(
    _ corners: [SIMD2<Double>], to size: PixelSize, kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying(Straightening(corners: corners, size: size, kernel: kernel))
  }

  fileprivate func flattened(
    _ corners: [SIMD2<Double>], _ size: PixelSize, _ kernel: ResamplingKernel
  ) -> Picture {
    guard size.width > 0, size.height > 0 else {
      return failing(.emptySize(width: size.width, height: size.height))
    }
    if isEndless { return failing(.endless) }
    let target = Region(size)
    guard let home = PlaneTransform.square(to: target.corners).inverse else {
      return failing(.noWayBack)
    }
    let source = home.followed(by: .square(to: corners))
      .followed(by: .shifted(x: -Double(region.x), y: -Double(region.y)))
    guard source.inverse != nil, source.bounds(of: target) != nil else {
      return failing(.noWayBack)
    }
    return applying(Transform(from: source, size: size, by: kernel)).placed(at: .zero)
  }
}

extension Region {
  /// Upper left, upper right, lower right, lower left.
  fileprivate var corners: [SIMD2<Double>] {
    let (left, top) = (Double(x), Double(y))
    let (right, bottom) = (Double(x + width), Double(y + height))
    return [SIMD2(left, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(left, bottom)]
  }
}

private func abs(_ v: SIMD2<Double>) -> SIMD2<Double> { pointwiseMax(v, -v) }
