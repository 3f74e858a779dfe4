internal import Synchronization

/// How much of a damaged file could be read.
public struct Salvage: Sendable {
  /// How many rows are there from the first one on, as they are stored. Those below are zeros: black, or transparent.
  public let rows: Int
  /// How many rows the picture has.
  public let count: Int
  /// What is wrong with the file.
  public let error: ImageFileError
}

extension Salvage: CustomStringConvertible {
  /// What is wrong, and what became of it.
  public var description: String {
    rows < count
      ? "\(error.finding) \(rows) of \(count) rows are read; those below are black, or transparent."
      : "\(error.finding) All \(count) rows are read."
  }
}

/// Remembers what rendering could not read of a file.
final class SalvageLog: Sendable {
  private let kept = Mutex<Salvage?>(nil)

  /// The least that some rendering has read.
  var salvage: Salvage? { kept.withLock(\.self) }

  func note(_ salvage: Salvage) {
    kept.withLock { kept in
      if salvage.rows < kept?.rows ?? .max { kept = salvage }
    }
  }
}

extension ImageFileError {
  /// Whether the file is broken, as opposed to large, or of another kind.
  var isDamage: Bool {
    switch self {
    case .truncated, .damaged: true
    default: false
    }
  }
}
