/// Where the first stored pixel belongs in the upright picture, as EXIF and TIFF number it (Exif 3.0, 4.6.5, tag 0x0112).
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
  /// The first row is the top, the first column the left.
  case upright = 1
  /// Left and right are exchanged.
  case mirrored
  /// Turned by half a turn.
  case halfTurned
  /// Top and bottom are exchanged.
  case flipped
  /// Rows and columns are exchanged.
  case transposed
  /// To be turned clockwise by a quarter.
  case quarterTurned
  /// Rows and columns are exchanged, and the picture turned by half a turn.
  case transverse
  /// To be turned counterclockwise by a quarter.
  case quarterTurnedBack

  /// Whether stored rows become columns.
  public var exchangesAxes: Bool { rawValue >= 5 }

  /// The size of the upright picture.
  public func uprightSize(of stored: PixelSize) -> PixelSize {
    exchangesAxes ? PixelSize(stored.height, stored.width) : stored
  }

  /// Where a stored pixel belongs.
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

  /// What undoes it.
  public var inverse: Orientation {
    switch self {
    case .quarterTurned: .quarterTurnedBack
    case .quarterTurnedBack: .quarterTurned
    default: self
    }
  }

  /// So many quarter turns clockwise; counterclockwise below zero.
  public init(quarterTurns: Int) {
    self = [.upright, .quarterTurned, .halfTurned, .quarterTurnedBack][quarterTurns & 3]
  }
}
