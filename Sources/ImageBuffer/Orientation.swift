/// The orientation of stored pixels relative to the upright picture, as EXIF and TIFF number it (Exif 3.0, 4.6.5, tag
/// 0x0112).
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
  /// The first row is the top, the first column the left.
  case upright = 1
  /// Mirrored horizontally.
  case mirrored
  /// Rotated by a half turn.
  case halfTurned
  /// Mirrored vertically.
  case flipped
  /// Transposed: rows and columns are exchanged.
  case transposed
  /// To be rotated clockwise by a quarter turn.
  case quarterTurned
  /// Transposed, and rotated by a half turn.
  case transverse
  /// To be rotated counterclockwise by a quarter turn.
  case quarterTurnedBack

  /// Whether width and height are exchanged.
  public var exchangesAxes: Bool { rawValue >= 5 }

  /// The size of the upright picture.
  public func uprightSize(of stored: PixelSize) -> PixelSize {
    exchangesAxes ? PixelSize(stored.height, stored.width) : stored
  }

  /// Returns the position of a stored pixel in the upright picture.
  package func uprightPosition(x: Int, y: Int, in stored: PixelSize) -> (x: Int, y: Int) {
    let (right, bottom) = (stored.width - 1 - x, stored.height - 1 - y)
    return switch self {
    case .upright: (x, y)
    case .mirrored: (right, y)
    case .halfTurned: (right, bottom)
    case .flipped: (x, bottom)
    case .transposed: (y, x)
    case .quarterTurned: (bottom, x)
    case .transverse: (bottom, right)
    case .quarterTurnedBack: (y, right)
    }
  }

  /// The inverse.
  public var inverse: Orientation {
    switch self {
    case .quarterTurned: .quarterTurnedBack
    case .quarterTurnedBack: .quarterTurned
    default: self
    }
  }

  /// Creates a clockwise rotation by quarter turns; negative ones are counterclockwise.
  public init(quarterTurns: Int) {
    self = [.upright, .quarterTurned, .halfTurned, .quarterTurnedBack][quarterTurns & 3]
  }
}
