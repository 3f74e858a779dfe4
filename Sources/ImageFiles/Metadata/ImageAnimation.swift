/// The timing of an animation, of which a frame is read.
public struct ImageAnimation: Hashable, Sendable {
  /// How long the frame that is read is shown, in seconds, as the file states it. Browsers show frames of 0.01 s and less for 0.1 s.
  public let frameDuration: Double
  /// How long all frames are shown together, in seconds.
  public let duration: Double
  /// How many times the animation is repeated after it was played once; nil where it loops forever.
  public let repetitions: Int?
}

extension ImageAnimation: CustomStringConvertible {
  /// Words such as “0.1 s of 1.2 s, repeated forever”.
  public var description: String {
    let repeated =
      switch repetitions {
      case nil: "repeated forever"
      case 0?: "played once"
      case 1?: "repeated once"
      case let count?: "repeated \(count) times"
      }
    return "\(frameDuration) s of \(duration) s, \(repeated)"
  }
}
