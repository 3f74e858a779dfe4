public import ImageBuffer

/// Why a picture could not be rendered. The description says what is wrong and what would be right.
@nonexhaustive
public enum RenderError: Error, Hashable, Sendable {
  /// The recipe asks for something it cannot have.
  case recipe(RecipeError)
  /// The caller asked to stop.
  case cancelled
  /// The bitmap to render into has another size than the picture.
  case sizeMismatch(picture: PixelSize, bitmap: PixelSize)
  /// The pictures to compare have different sizes.
  case incomparable(PixelSize, PixelSize)
  /// The bitmap to render into has no alpha, the picture has.
  case alphaWouldBeLost
  /// Pictures are not rendered to these channels.
  case unsupportedChannels(Channels)
  /// There can be no bitmap for the result.
  case bitmap(BitmapError)
  /// More memory would be needed than the options allow.
  case tooMuchMemory(bytes: Int, limit: Int)
  /// More memory would be needed than this machine has, or than a control group or a resource limit leaves to this process.
  case moreThanMachineMemory(bytes: Int, machine: Int)
  /// The tiles are so small that there would be more of them than a plan may have.
  case tooManyTiles(Int, tile: PixelSize, limit: Int)
  /// A source could not be read.
  case source(SourceError)
  /// What took the rendered rows failed.
  case sink(SourceError)
}

/// Somebody else's error, as reading or writing threw it.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was thrown.
  public let underlying: any Error

  /// An error that wraps `underlying`.
  public init(_ underlying: any Error) { self.underlying = underlying }

  /// What the error says.
  public var description: String { "\(underlying)" }

  /// Whether both say the same.
  public static func == (a: SourceError, b: SourceError) -> Bool {
    a.description == b.description
  }

  /// Hashes what the error says.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension RenderError: CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var description: String {
    switch self {
    case .recipe(let error): error.description
    case .tooMuchMemory(let bytes, let limit):
      "Rendering would need \(bytes) bytes of memory; the limit is \(limit). Use fewer threads or "
        + "smaller tiles, write to a file row by row, or raise RenderOptions.memoryLimit."
    case .moreThanMachineMemory(let bytes, let machine):
      "Rendering would need \(bytes) bytes of memory; this process can have \(machine). Use fewer "
        + "threads or smaller tiles (RenderOptions), a smaller picture, or filters of smaller reach."
    case .tooManyTiles(let count, let tile, let limit):
      "The picture would be cut into \(count) tiles of \(tile) pixels; at most \(limit) are planned "
        + "for. Set RenderOptions.tile to a larger size, or to nil."
    case .source(let error), .sink(let error): error.description
    case .cancelled: "Rendering was cancelled."
    case .sizeMismatch(let picture, let bitmap):
      "The picture has \(picture) pixels, the bitmap \(bitmap). Make the bitmap as large as the "
        + "picture, or resize the picture first."
    case .incomparable(let first, let second):
      "Pictures of \(first) and of \(second) pixels cannot be compared. Resize one of them first."
    case .alphaWouldBeLost:
      "The picture has transparency and the bitmap has none. Render to a bitmap with alpha."
    case .unsupportedChannels(let channels):
      "Pictures are rendered to red, green and blue, with alpha where they have it, in any order; "
        + "not to \(channels)."
    case .bitmap(let error): error.description
    }
  }
}

/// How to render: nothing here changes a single pixel.
public struct RenderOptions: Sendable {
  /// The size of the tiles that are computed at a time; chosen by the plan when nil.
  public var tile: PixelSize?
  /// How many threads work at once, up to 4096; all cores when nil.
  public var threads: Int?
  /// The most pixels that any picture on the way may have: a gigapixel, as files may have.
  public var pixelLimit = 1 << 30
  /// The most bytes that rendering may take, its result included; when nil, what the machine has.
  ///
  /// Where ``threads`` is nil, fewer threads work if that keeps the limit.
  public var memoryLimit: Int?
  /// Told the finished fraction, 0…1 and rising, after each tile; of bands, after those who take them have taken one.
  public var progress: (@Sendable (Double) -> Void)?
  /// Asked before each tile whether to stop, and while an asynchronous rendering waits for its turn or for a block of a cache.
  public var isCancelled: (@Sendable () -> Bool)?

  /// What of a plan's economies is used. Tests turn them off one by one: they may not change what a plan means.
  package var fusion = Fusion.full

  /// Called where one thread hands something over to another: tests delay threads there.
  package var handOver: HandOver?

  package enum Fusion: Sendable {
    /// Laws, and one pass for neighbouring stages.
    case full
    /// One pass for neighbouring stages, all of which happen.
    case withoutLaws
    /// A pass for each stage, all of which happen.
    case stageByStage
  }

  /// Whether a plan may measure what its steps depend on. A forecast does not: it computes nothing.
  var measures = true
  /// Whether an evaluator throws where it would need too much memory. A forecast only reports it.
  var refuses = true

  /// All cores, and tiles as the plan likes them.
  public init() {}

  /// Throws where a picture has more pixels than it may have.
  func check(_ size: PixelSize) throws(RenderError) {
    guard size.pixelCount <= pixelLimit else {
      throw .recipe(.tooManyPixels(width: size.width, height: size.height, limit: pixelLimit))
    }
  }

  /// Why rendering refuses to take so many bytes; nil where it does not.
  func refusal(ofBytes bytes: Int) -> RenderError? {
    if bytes > MachineMemory.bytes {
      return .moreThanMachineMemory(bytes: bytes, machine: MachineMemory.bytes)
    }
    guard let memoryLimit, bytes > memoryLimit else { return nil }
    return .tooMuchMemory(bytes: bytes, limit: memoryLimit)
  }

  /// How many tiles may be computed at once.
  var workerLimit: Int { min(max(threads ?? activeProcessorCount, 1), 4096) }
}
