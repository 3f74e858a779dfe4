internal import CPixelKernels
internal import ColorSpaces
public import ImageBuffer

/// Resamples a picture by a transform of the plane, such as a rotation, a shear or a perspective.
///
/// Each pixel of the result is the weighted mean of the pixels around its source position, by a kernel. Where the result is smaller,
/// the kernel widens in proportion, up to sixteen times: beyond that it misses pixels between, and fine detail aliases.
package struct Transform: InterpolatingFilter {
  /// The transform from positions of the result to source positions.
  package var source: PlaneTransform
  /// The size of the result; nil for that of the picture.
  package var size: PixelSize?
  /// The part of the picture to transform, with antialiased edges and transparency around it; nil for the whole
  /// picture, extended by its edge pixels.
  package let part: Region?
  /// The resampling kernel.
  package var kernel: ResamplingKernel

  /// Creates a transform by the matrix from positions of the result to source positions. Throws if `part` is empty, and
  /// for entries of the matrix beyond 10¹⁰⁰, which inverses of moderate matrices stay below.
  package init(
    from source: PlaneTransform, size: PixelSize? = nil, part: Region? = nil,
    by kernel: ResamplingKernel = .catmullRom
  ) throws(RecipeError) {
    try part?.size.checkNotEmpty()
    try source.checkEntries(upTo: 1e100)
    (self.source, self.size, self.part, self.kernel) = (source, size, part, kernel)
  }

  /// Returns the requested size. Throws if ``part`` reaches beyond the input.
  package func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    if let part, !input.bounds.contains(part) {
      throw .other(
        "The part \(part) to transform reaches beyond the picture, which is \(input). Choose one within the picture."
      )
    }
    return size ?? input
  }

  /// Returns the region under the kernels around the source positions of the region.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    let part = part ?? input.bounds
    guard let bounds = source.bounds(of: output) else { return part }
    return PixelInterpolation(kernel: kernel)
      .region(bounds.least, bounds.most, stretch: bounds.stretch, in: part)
  }

  /// The fraction of a pixel from `place` that the part covers, by the distance to its edges in pixels of the result.
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

  /// Returns the weighted mean around the source position; transparent where that is behind the viewer.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let center = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
    guard let place = source(center) else { return .zero }
    let stretch = source.stretch(at: center)
    let coverage = coverage(place, stretch: stretch)
    if coverage == 0 { return .zero }
    let bounds = part ?? input.bounds
    return coverage
      * PixelInterpolation(kernel: kernel).pixel(at: place, stretch: stretch) { x, y in
        let inside = bounds.nearest(x, y)
        return read(inside.x, inside.y)
      }
  }

  /// Computes row by row.
  package func render(
    into output: Tile, from input: Tile, with interpolation: TabulatedInterpolation
  ) {
    var transform = source.kernelTransform
    if let part {
      transform.has_part = true
      transform.least = (Double(part.x), Double(part.y))
      transform.most = (Double(part.x + part.width), Double(part.y + part.height))
    }
    let region = output.region
    interpolation.withWarp(input, in: part ?? input.pictureSize.bounds, scratch: output) { warp in
      for y in region.rows {
        var row = output.surface(y, from: region.x)
        kernels.transform(warp, &transform, &row, region.width, Int64(region.x), Int64(y))
      }
    }
  }
}

extension PlaneTransform {
  /// The transform as the kernels know it. The stretch of an affine transform is the same everywhere.
  fileprivate var kernelTransform: cpk_transform {
    func entries(_ row: SIMD3<Double>) -> (Double, Double, Double) { (row.x, row.y, row.z) }
    let stretch = isAffine ? stretch(at: .zero) : .one
    return cpk_transform(
      rows: (entries(rows[0]), entries(rows[1]), entries(rows[2])), is_affine: isAffine,
      stretch: (stretch.x, stretch.y), has_part: false, least: (0, 0), most: (0, 0))
  }
}

extension Transform: CustomStringConvertible {
  /// The text of this step in plans, such as “Lanczos 3 transform”.
  package var description: String { "\(kernel) transform" }
}

extension Transform: RecipeFilter {
  /// The declaration of `transform-from`.
  package static let declaration = Declaration<Transform>(
    "transform-from",
    "Resamples by a matrix from the result to the picture; aliases below 1/16 of the size.",
    keepsGray: true,
    Parameter(
      "source", \.source, "the rows of the 3 × 3 matrix from the result to the picture",
      sample: .sheared(x: 0.3, y: 0.1)),
    Parameter(
      "size", \.size, "the size of the result; that of the picture if left out", unit: "pixels"),
    Parameter(
      "part", \.part, "the region within the picture that moves; all of it if left out",
      unit: "pixels"),
    Parameter.kernel(\.kernel, default: .catmullRom)
  ) { source, size, part, kernel throws(RecipeError) in
    try Transform(from: source, size: size, part: part, by: kernel)
  }.with(.moves)
}

/// Transforms a picture; the result is as large as necessary.
struct TransformCompound: CompoundFilter, RecipeFilter {
  var transform: PlaneTransform
  var kernel: ResamplingKernel

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.moved(by: transform, kernel)
  }

  static let declaration = Declaration<TransformCompound>(
    "transform",
    "Moves a picture by an affine or perspective matrix; aliases below 1/16 of its size.",
    keepsGray: true, swift: "picture.transformed(by: .sheared(x: 0.3, y: 0.1))",
    Parameter(
      "matrix", \.transform, "the rows of the 3 × 3 matrix from the picture to the result",
      sample: .sheared(x: 0.3, y: 0.1)),
    Parameter.kernel(\.kernel, default: .catmullRom)
  ) { TransformCompound(transform: $0, kernel: $1) }.with(.moves)
}

/// Rotates a picture about its center, or another point.
struct Rotation: CompoundFilter, RecipeFilter {
  let degrees: Double
  let center: SIMD2<Double>?
  let kernel: ResamplingKernel

  init(
    degrees: Double, around center: SIMD2<Double>?, kernel: ResamplingKernel
  ) throws(RecipeError) {
    (self.degrees, self.center, self.kernel) = (degrees, center, kernel)
    try Self.declaration.check(self)
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.turned(degrees, around: center, kernel)
  }

  static let declaration = Declaration<Rotation>(
    "rotate", "Rotates a picture about its center, or another point.",
    keepsGray: true, swift: "picture.rotated(degrees: 12)",
    Parameter(
      "degrees", \.degrees, "the angle, clockwise", unit: "degrees", in: -1e9...1e9, sample: 12),
    Parameter(
      "around", \.center,
      "the point that stays; default: the center, or the upper left corner at quarter turns",
      unit: "pixels", in: -1e9...1e9),
    Parameter.kernel(\.kernel, default: .catmullRom)
  ) { degrees, center, kernel throws(RecipeError) in
    try Rotation(degrees: degrees, around: center, kernel: kernel)
  }.with(.moves)
}

/// Moves the corners of a picture to other positions.
struct Perspective: CompoundFilter, RecipeFilter {
  let corners: [SIMD2<Double>]
  let kernel: ResamplingKernel

  init(to corners: [SIMD2<Double>], kernel: ResamplingKernel) throws(RecipeError) {
    try checkFour(corners)
    (self.corners, self.kernel) = (corners, kernel)
    try Self.declaration.check(self)
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.seen(at: corners, kernel)
  }

  static let declaration = Declaration<Perspective>(
    "perspective",
    "Moves the four corners of a picture; aliases where it reduces to less than 1/16.",
    keepsGray: true, swift: "picture.perspective(to: [[3, 1], [38, 5], [34, 28], [0, 24]])",
    Parameter(
      "to", \.corners, "upper left, upper right, lower right and lower left corner",
      unit: "pixels", in: -1e9...1e9, sample: [[3, 1], [38, 5], [34, 28], [0, 24]]),
    Parameter.kernel(\.kernel, default: .catmullRom)
  ) { corners, kernel throws(RecipeError) in try Perspective(to: corners, kernel: kernel) }.with(
    .moves)
}

/// Rectifies the quadrilateral between four corners of a picture.
struct Straightening: CompoundFilter, RecipeFilter {
  let corners: [SIMD2<Double>]
  let size: PixelSize
  let kernel: ResamplingKernel

  init(
    _ corners: [SIMD2<Double>], to size: PixelSize, kernel: ResamplingKernel
  ) throws(RecipeError) {
    try checkFour(corners)
    try size.checkNotEmpty()
    (self.corners, self.size, self.kernel) = (corners, size, kernel)
    try Self.declaration.check(self)
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.flattened(corners, size, kernel)
  }

  static let declaration = Declaration<Straightening>(
    "straighten",
    "Makes a rectangle of what is between four corners; aliases below 1/16 of its size.",
    keepsGray: true,
    swift: "picture.straightened([[3, 1], [38, 5], [34, 28], [0, 24]], to: PixelSize(30, 24))",
    Parameter(
      "corners", \.corners, "upper left, upper right, lower right and lower left corner",
      unit: "pixels", in: -1e9...1e9, sample: [[3, 1], [38, 5], [34, 28], [0, 24]]),
    Parameter(
      "size", \.size, "the size of the result", unit: "pixels", sample: PixelSize(30, 24)),
    Parameter.kernel(\.kernel, default: .catmullRom)
  ) { corners, size, kernel throws(RecipeError) in
    try Straightening(corners, to: size, kernel: kernel)
  }.with(.moves)
}

/// Throws unless there are four corners.
func checkFour(_ corners: [SIMD2<Double>]) throws(RecipeError) {
  guard corners.count == 4 else {
    throw .other(
      "A picture has four corners: upper left, upper right, lower right, lower left; got "
        + "\(corners.count).")
  }
}

extension Picture {
  /// Returns this picture transformed, resampled in linear light. Around it the result is transparent.
  ///
  /// A picture of infinite extent keeps it. Edges are antialiased over one pixel; to avoid transparent edges, extend a picture before and
  /// crop it after.
  ///
  /// Where the result is smaller, the kernel widens up to sixteen times. Detail aliases where it shrinks to less than 1/16, such as near
  /// the horizon of a perspective; there resize the picture first.
  public func transformed(
    by transform: PlaneTransform, kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying(TransformCompound(transform: transform, kernel: kernel))
  }

  fileprivate func moved(by transform: PlaneTransform, _ kernel: ResamplingKernel) -> Picture {
    do throws(RecipeError) { try transform.checkEntries() } catch { return failing(error) }
    guard let source = transform.inverse else {
      return failing(.noWayBack)
    }
    if isEndless {
      let home = PlaneTransform.moved(x: Double(origin.x), y: Double(origin.y))
      let away = PlaneTransform.moved(x: -Double(origin.x), y: -Double(origin.y))
      guard transform.isAffine else { return failing(.endless) }
      return applying { () throws(RecipeError) in
        try Transform(from: home.followed(by: source).followed(by: away), by: kernel)
      }
    }
    guard let bounds = transform.bounds(of: region) else { return failing(.noWayBack) }
    guard all(bounds.least.magnitudes .< 0x1p29), all(bounds.most.magnitudes .< 0x1p29) else {
      return failing(.tooFar(region: inWords(bounds.least, bounds.most), limit: 1 << 29))
    }
    // Edges on whole pixels, within rounding, add no pixels.
    let (left, top) = (
      Int((bounds.least.x + 1e-6).rounded(.down)), Int((bounds.least.y + 1e-6).rounded(.down))
    )
    let (right, bottom) = (
      Int((bounds.most.x - 1e-6).rounded(.up)), Int((bounds.most.y - 1e-6).rounded(.up))
    )
    // A transparent border gives opaque pictures an alpha channel, in which edges are antialiased.
    let padded = padded(to: region.expanded(by: 1))
    let place = PlaneTransform.moved(x: Double(left), y: Double(top)).followed(by: source)
      .followed(
        by: .moved(x: -Double(padded.region.x), y: -Double(padded.region.y)))
    let size = PixelSize(max(right - left, 1), max(bottom - top, 1))
    let part = Region(x: 1, y: 1, width: region.width, height: region.height)
    return padded.applying { () throws(RecipeError) in
      try Transform(from: place, size: size, part: part, by: kernel)
    }.placed(at: Offset(left, top))
  }

  /// Returns this picture rotated clockwise about its center, or `center` in pixels. A picture of infinite extent has no center of its own.
  ///
  /// Quarter turns without a `center` move pixels without resampling. They keep the upper left corner, as ``turned(quarters:)`` does, so that
  /// crops count from it as before. To keep the center at every angle, such as in steps of an animation, pass `region.center`.
  public func rotated(
    degrees: Double, around center: SIMD2<Double>? = nil, kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying { () throws(RecipeError) in
      try Rotation(degrees: degrees, around: center, kernel: kernel)
    }
  }

  fileprivate func turned(
    _ degrees: Double, around center: SIMD2<Double>?, _ kernel: ResamplingKernel
  ) -> Picture {
    if isEndless, center == nil {
      return failing(
        .other(
          "A picture of infinite extent has no center to rotate about. Pass a point as “around”."))
    }
    let quarters = degrees / 90
    if quarters == quarters.rounded(), center == nil {
      return turned(quarters: Int(quarters.truncatingRemainder(dividingBy: 4)))
    }
    let middle = center ?? region.center
    return transformed(
      by: PlaneTransform.moved(x: -middle.x, y: -middle.y).followed(by: .rotated(degrees: degrees))
        .followed(by: .moved(x: middle.x, y: middle.y)),
      kernel: kernel)
  }

  /// Returns this picture with its corners moved to other positions: top left, top right, bottom right, bottom left.
  /// Around it the result is transparent.
  ///
  /// As by ``transformed(by:kernel:)``, detail aliases where it shrinks to less than 1/16.
  public func perspective(
    to corners: [SIMD2<Double>], kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying { () throws(RecipeError) in try Perspective(to: corners, kernel: kernel) }
  }

  fileprivate func seen(at corners: [SIMD2<Double>], _ kernel: ResamplingKernel) -> Picture {
    if isEndless { return failing(.endless) }
    guard let home = PlaneTransform.square(toFour: region.corners)?.inverse,
      let square = PlaneTransform.square(toFour: corners)
    else {
      return failing(.noWayBack)
    }
    return transformed(by: home.followed(by: square), kernel: kernel)
  }

  /// Returns the part of this picture between four corners, rectified to a rectangle: a page, a painting, a screen.
  ///
  /// The corners are the top left, top right, bottom right and bottom left ones, in this picture. Beyond its edges the edge pixels repeat.
  ///
  /// Where `size` is less than 1/16 of the part's size, detail aliases: straighten to a larger size, and resize the result.
  public func straightened(
    _ corners: [SIMD2<Double>], to size: PixelSize, kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying { () throws(RecipeError) in try Straightening(corners, to: size, kernel: kernel) }
  }

  fileprivate func flattened(
    _ corners: [SIMD2<Double>], _ size: PixelSize, _ kernel: ResamplingKernel
  ) -> Picture {
    if isEndless { return failing(.endless) }
    let target = Region(size)
    guard let home = PlaneTransform.square(toFour: target.corners)?.inverse,
      let square = PlaneTransform.square(toFour: corners)
    else {
      return failing(.noWayBack)
    }
    let source = home.followed(by: square)
      .followed(by: .moved(x: -Double(region.x), y: -Double(region.y)))
    guard source.inverse != nil, source.bounds(of: target) != nil else {
      return failing(.noWayBack)
    }
    return applying { () throws(RecipeError) in
      try Transform(from: source, size: size, by: kernel)
    }.placed(at: .zero)
  }
}

extension Region {
  /// The top left, top right, bottom right and bottom left corner.
  fileprivate var corners: [SIMD2<Double>] {
    let (left, top) = (Double(x), Double(y))
    let (right, bottom) = (Double(x + width), Double(y + height))
    return [SIMD2(left, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(left, bottom)]
  }
}

/// The text of a rectangle, as of a ``Region``, which might be too large for one.
private func inWords(_ least: SIMD2<Double>, _ most: SIMD2<Double>) -> String {
  func text(_ value: Double) -> String {
    Int(exactly: value.rounded()).map(String.init) ?? "\(value)"
  }
  let size = most - least
  return "\(text(size.x)) × \(text(size.y)) at (\(text(least.x)), \(text(least.y)))"
}
