/// An error that prevents creating a bitmap. The description states what is wrong and what would be right.
@nonexhaustive
public indirect enum BitmapError: Error, Hashable, Sendable {
  /// The size has no pixels.
  case noPixels(PixelSize)
  /// The bitmap would exceed the address space.
  case unaddressable(PixelSize, Channels, SampleFormat)
  /// The bitmap would exceed the available memory.
  case notEnoughMemory(bytes: Int)
  /// The stride is too small: rows would overlap.
  case overlappingRows(bytesPerRow: Int, needed: Int)
  /// Rows or planes would not begin at a whole sample.
  case misaligned(bytes: Int, SampleFormat)
  /// The number of samples is not that of the pixels; nil channels where their number would have said which ones.
  case sampleCount(Int, PixelSize, Channels?)
  /// The wrapped memory is shorter than the bitmap.
  case memoryTooShort(bytes: Int, needed: Int)
  /// The mapped file is shorter than the bitmap.
  case fileTooShort(String, bytes: Int, needed: Int)
  /// The file cannot be mapped.
  case cannotMap(String, reason: String)
  /// A requested channel cannot be derived from the channels of the bitmap.
  case noChannel(Channels.Role, in: Channels)
}

extension BitmapError: CustomStringConvertible {
  /// What is wrong, with numbers, and what would help.
  public var description: String {
    switch self {
    case .noPixels(let size):
      "A bitmap needs at least one pixel; \(size) has none. Ask for a width and a height from 1 up."
    case .unaddressable(let size, let channels, let format):
      "A bitmap of \(size) pixels of \(channels.count) \(channels.count == 1 ? "sample" : "samples") "
        + "(\(format)) is more than memory can address. Make it smaller, or the bytes per row where "
        + "you state them."
    case .notEnoughMemory(let bytes):
      "There is no memory for a bitmap of \(bytes) bytes. Make it smaller, of samples of fewer bytes, "
        + "or with fewer bytes per row where you state them."
    case .overlappingRows(let bytesPerRow, let needed):
      "Rows of \(needed) bytes cannot lie \(bytesPerRow) bytes apart. Ask for at least \(needed)."
    case .misaligned(let bytes, let format):
      "Samples (\(format)) begin at multiples of \(format.byteCount) bytes, which \(bytes) is not."
    case .sampleCount(let count, let size, let channels?):
      "\(size) pixels of \(channels) need \(channels.count) samples each; there are \(count) samples. "
        + "Check width, height and channels."
    case .sampleCount(let count, let size, nil):
      "\(count) samples are not 1 to 4 for each of \(size) pixels. Check width and height, or name the "
        + "channels."
    case .memoryTooShort(let bytes, let needed):
      "The bitmap takes \(needed) bytes, and the memory has \(bytes). Check its size, channels and "
        + "bytes per row."
    case .fileTooShort(let path, let bytes, let needed):
      "The bitmap ends at byte \(needed), and “\(path)” has \(bytes). Check its offset, size, "
        + "channels and bytes per row."
    case .cannotMap(let path, let reason): "“\(path)” cannot be mapped: \(reason)."
    case .noChannel(.gray, let channels):
      "Channels \(channels) hold no gray, and which gray a color has depends on its space. Convert "
        + "the colors to gray first."
    case .noChannel(let role, let channels) where role.isCovered:
      "Channels \(channels) hold no \(role). Colors become ink channels, and ink channels become "
        + "colors, by an ICC profile. Convert them first."
    case .noChannel(let role, let channels):
      "Channels \(channels) hold no \(role). Name only those that are there."
    }
  }
}
