internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// The bitmaps of the last frames. New frames are read into those that nobody else holds any more: the system would have to clear new
/// memory first.
struct FrameBitmaps {
  /// Enough for a stream of frames in which one arrives, one waits, and one is rendered. One after another, frames need one bitmap.
  private static let limit = 3
  /// In the order of their frames.
  private var bitmaps: [Any] = []

  var count: Int { bitmaps.count }

  /// Returns a bitmap for red, green and blue of `space`, whose samples are still to be read.
  static func newBitmap<Sample: FrameSample>(
    of format: VideoFormat, in space: ColorSpace
  ) throws(ImageFileError) -> Bitmap<Sample> {
    do throws(BitmapError) { return try FrameSamples(format).newBitmap(in: space) } catch {
      throw .rendering(.bitmap(error))
    }
  }

  /// Returns the bitmap of an earlier frame in the same space that nobody else holds, or a new one.
  mutating func take<Sample: FrameSample>(
    of format: VideoFormat, in space: ColorSpace
  ) throws(ImageFileError) -> Bitmap<Sample> {
    for index in bitmaps.indices {
      guard var bitmap = bitmaps[index] as? Bitmap<Sample>,
        bitmap.space == format.space(of: space)
      else { continue }
      // The only reference, if the picture is gone.
      bitmaps.remove(at: index)
      if !bitmap.mustCopy() { return bitmap }
      bitmaps.insert(bitmap, at: index)
    }
    return try Self.newBitmap(of: format, in: space)
  }

  /// Keeps the bitmap of the last frame, instead of the oldest one.
  mutating func keep<Sample: FrameSample>(_ bitmap: Bitmap<Sample>) {
    if bitmaps.count == Self.limit { bitmaps.removeFirst() }
    bitmaps.append(bitmap)
  }
}
