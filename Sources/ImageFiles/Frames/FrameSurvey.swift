internal import ImageBuffer

/// A frame of an animation that lies on those before it.
protocol LayeredFrame {
  /// From 1.
  var number: Int { get }
  /// Its place on the screen, which it may exceed.
  var region: Region { get }
  var disposal: FrameDisposal { get }
  /// Whether nothing below shows within its region.
  var replaces: Bool { get }
  /// Whether no pixel of its region is transparent.
  var isOpaque: Bool { get }

  /// How many pixels are unpacked to draw it on a screen of so many rows.
  func unpackedPixels(onRows rows: Int) -> Int
}

extension LayeredFrame {
  /// Whether it has no pixel.
  var isEmpty: Bool { region.width == 0 || region.height == 0 }
}

/// What becomes of the screen before the next frame (GIF89a, 23; PNG, third edition, 11.3.6.2).
enum FrameDisposal {
  case keep
  /// The frame's pixels become transparent.
  case clear
  /// The screen becomes what it was before.
  case restore
}

/// Finds the frame that is read, and what of the frames before it shows.
struct FrameSurvey<Frame: LayeredFrame, Place> {
  struct Found {
    let frame: Frame
    /// The place of the first frame that shows.
    let start: Place
    /// Whether no other frame shows.
    let isAlone: Bool
    /// Whether no pixel of the screen is transparent.
    let isOpaque: Bool
    /// The pixels that are unpacked or cleared for it, its own and those of the frames that show in it.
    let drawnPixels: Int
  }

  let wanted: Int
  private(set) var found: Found?
  private(set) var count = 0
  /// Before the next frame: whether no pixel was drawn, or all are opaque.
  private var (isBlank, isOpaque) = (true, false)
  /// The place of the first frame that shows, and the pixels that are drawn from there.
  private var start: Place?
  private var drawnPixels = 0

  init(wanted: Int) { self.wanted = wanted }

  /// Takes the next frame, which is at `place` in the file.
  mutating func add(_ frame: Frame, at place: Place, on screen: PixelSize) {
    count += 1
    guard found == nil else { return }
    let region = frame.region
    let covers =
      region.x == 0 && region.y == 0 && region.width >= screen.width
      && region.height >= screen.height
    let isAlone = isBlank || covers && frame.replaces
    let becomesOpaque =
      covers && frame.isOpaque || isOpaque && (frame.isOpaque || !frame.replaces)
    let unpacked = frame.unpackedPixels(onRows: screen.height)
    if frame.number == wanted {
      found = Found(
        frame: frame, start: isAlone ? place : start ?? place, isAlone: isAlone,
        isOpaque: becomesOpaque, drawnPixels: unpacked.addingSaturated(isAlone ? 0 : drawnPixels))
    }
    // Behind a frame that is undone, those before it show again.
    if frame.disposal != .restore {
      if isAlone { (start, drawnPixels) = (place, 0) }
      let visible = region.intersection(Region(screen)).size.pixelCount
      drawnPixels = drawnPixels.addingSaturated(frame.disposal == .clear ? visible : unpacked)
    }
    switch frame.disposal {
    case .keep: (isBlank, isOpaque) = (isBlank && frame.isEmpty, becomesOpaque)
    case .clear: (isBlank, isOpaque) = (isBlank || covers, isOpaque && frame.isEmpty)
    case .restore: break
    }
  }
}
