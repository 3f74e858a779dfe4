internal import CPixelKernels
internal import ColorSpaces
public import ImageBuffer

extension Picture {
  /// The default tolerance of ``contentBounds(tolerance:options:)``.
  package static let contentTolerance = 10.0 / 255

  /// Returns the smallest region that holds all pixels that differ from the top left one: the picture without its
  /// uniform border. Nil where no pixel differs.
  ///
  /// ```swift
  /// let trimmed = try scan.contentBounds().map { scan.cropped(to: $0) } ?? scan
  /// ```
  ///
  /// Encoded values of the picture's space are compared, premultiplied, and alpha. All fully transparent pixels are
  /// therefore equal. NaN differs from every value.
  ///
  /// - Parameters:
  ///   - tolerance: The largest difference in one channel of pixels that count as equal, 0…1; nil for 10 of 255 steps,
  ///     which also skips the noise that compression leaves in a border.
  ///   - options: How the picture is rendered. The region does not depend on tiles and threads.
  public func contentBounds(
    tolerance: Double? = nil, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Region? {
    let tolerance = tolerance ?? Self.contentTolerance
    let search: ContentSearch
    do throws(RecipeError) { search = try ContentSearch(in: self, tolerance: tolerance) } catch {
      throw .recipe(error)
    }
    try Picture.count([search], options: options)
    return search.found?.moved(by: region.origin)
  }
}

/// The search for pixels that differ from the first one. Rows are added by one thread at a time, hence the unchecked
/// conformance.
private final class ContentSearch: Counting, @unchecked Sendable {
  let picture: Picture
  let stateByteCount = 0
  /// The region of the pixels that differ, from the top left corner; nil where none does so far.
  private(set) var found: Region?
  private let tolerance: Float
  private let channels: Int
  /// The first pixel, premultiplied.
  private var background: [Float]?
  /// The number of rows added.
  private var rowCount = 0

  init(in picture: Picture, tolerance: Double) throws(RecipeError) {
    let tolerance = try checked("The tolerance of a uniform border", tolerance, in: 0...1)
    // Rounding to floats may not separate samples that differ by exactly the tolerance. At 0 only equal ones count as equal.
    self.tolerance = tolerance == 0 ? 0 : Float(tolerance) + 0x1p-22
    (self.picture, channels) = (picture, picture.usualChannels.count)
  }

  func add(_ row: UnsafeBufferPointer<Float>) {
    defer { rowCount += 1 }
    let width = row.count / channels
    let background = background ?? firstPixel(of: row)
    self.background = background
    var (left, right) = (0, 0)
    let differs = cpk_active().pointee.content_ends(
      row.baseAddress, channels, width, background, tolerance, &left, &right)
    guard differs else { return }
    let content = Region(x: left, y: rowCount, width: right + 1 - left, height: 1)
    found = found?.union(content) ?? content
  }

  private func firstPixel(of row: UnsafeBufferPointer<Float>) -> [Float] {
    guard channels == 4 else { return Array(row.prefix(3)) }
    // The color of a fully transparent pixel may be infinite or NaN.
    let alpha = row[3]
    return alpha == 0 ? [0, 0, 0, 0] : row.prefix(3).map { $0 * alpha } + [alpha]
  }
}
