internal import Synchronization

/// How much of a damaged file could be read.
public struct Salvage: Sendable {
  /// How many rows can be read, in stored order from the first one. The others count as zeros: black, or transparent.
  public let rows: Int
  /// How many rows the picture has.
  public let count: Int
  /// The damage of the file.
  public let error: ImageFileError
  /// Whether the stored order is from the bottom up, so that the rows at the top are missing.
  var lacksTopRows = false
}

extension Salvage: CustomStringConvertible {
  /// A description of the damage, and of the rows that were read.
  public var description: String {
    rows < count
      ? "\(error.finding) \(rows) of \(count) rows are read; those \(lacksTopRows ? "above" : "below") count as "
        + "black, or transparent, before any change."
      : "\(error.finding) All \(count) rows are read."
  }
}

/// Records the damage that renderings found below intact rows of a file.
final class DamageLog: Sendable {
  private let kept = Mutex<Salvage?>(nil)

  /// The smallest number of intact rows that any rendering has found.
  var salvage: Salvage? { kept.withLock(\.self) }

  func note(_ salvage: Salvage) {
    kept.withLock { kept in
      if salvage.rows < kept?.rows ?? .max { kept = salvage }
    }
  }
}

extension ImageFileError {
  /// Whether the file is damaged, as opposed to too large or unsupported.
  var isDamage: Bool {
    switch self {
    case .truncated, .damaged: true
    default: false
    }
  }
}
