public import ImageBuffer

/// An error that prevents rendering. The description states what is wrong and what would be right.
@nonexhaustive
public enum RenderError: Error, Hashable, Sendable {
  /// An operation of the recipe is invalid.
  case recipe(RecipeError)
  /// The caller cancelled the rendering.
  case cancelled
  /// The bitmap to render into differs in size from the picture.
  case sizeMismatch(picture: PixelSize, bitmap: PixelSize)
  /// The pictures to compare differ in size.
  case incomparable(PixelSize, PixelSize)
  /// The bitmap to render into has no alpha channel, but the picture may be transparent.
  case alphaWouldBeLost
  /// Pictures cannot be rendered to these channels.
  case unsupportedChannels(Channels)
  /// The bitmap for the result cannot be created.
  case bitmap(BitmapError)
  /// Rendering would exceed the memory limit of the options.
  case tooMuchMemory(bytes: Int, limit: Int)
  /// Rendering would exceed the machine's memory, or the limit of a control group or a resource limit.
  case moreThanMachineMemory(bytes: Int, machine: Int)
  /// The tile size would give more tiles than a plan may have.
  case tooManyTiles(Int, tile: PixelSize, limit: Int)
  /// A source could not be read.
  case source(SourceError)
  /// The consumer of the rendered rows failed.
  case sink(SourceError)
}

/// An error that a source or a sink outside of the package threw.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error that was thrown.
  public let underlying: any Error

  /// Creates an error that wraps `underlying`.
  public init(_ underlying: any Error) { self.underlying = underlying }

  /// The description of the underlying error.
  public var description: String { "\(underlying)" }

  /// Whether the descriptions are equal.
  public static func == (a: SourceError, b: SourceError) -> Bool {
    a.description == b.description
  }

  /// Hashes the description.
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

/// How renderings hold intermediate pixels; see ``RenderOptions/intermediate``.
@nonexhaustive
public enum IntermediateFormat: Hashable, Sendable {
  /// Single precision.
  case float
  /// Blocks of caches are half floats where the plan proves that no sample of a result differs by more than
  /// `maximumError` from that of ``float``, before samples are rounded to the result's format; single precision elsewhere.
  case half(maximumError: Double)
}

/// Options of rendering. None of them changes a pixel, except ``intermediate``, within a bound.
public struct RenderOptions: Sendable {
  /// The tile size, of at least one pixel; nil lets the plan choose.
  public var tile: PixelSize?
  /// The number of worker threads, up to 4096; nil for one per core.
  public var threads: Int?
  /// The maximum number of pixels of any intermediate picture; by default a gigapixel, as for files.
  public var pixelLimit = 1 << 30
  /// The maximum memory of a rendering in bytes, including its result; nil for the machine's memory.
  ///
  /// Where ``threads`` is nil, rendering uses fewer threads to keep the limit.
  public var memoryLimit: Int?
  /// The format of intermediate pixels that outlive a rendering: the blocks of caches. Measurements always use single precision.
  public var intermediate = IntermediateFormat.float
  /// Called with the finished fraction, increasing to 1, after each tile; of bands, after the consumer took one.
  public var progress: (@Sendable (Double) -> Void)?
  /// Called before each tile, and while an asynchronous rendering waits for its turn or for a block of a cache. Return
  /// true to cancel.
  public var isCancelled: (@Sendable () -> Bool)?

  /// The optimizations of a plan. Tests disable them one by one; they must not change the result.
  package var fusion = Fusion.full

  /// The laws that plans do not use. Which ones they use must not change the result.
  package var disabledLaws: Set<Law> = []

  /// What adds up the time of each step; nil for renderings that nobody measures.
  package var meter: StepMeter?

  /// A hook where one thread hands work over to another, with which tests delay threads.
  package var handOver: HandOver?

  package enum Fusion: Sendable {
    /// Rewrite laws, and one pass for adjacent stages.
    case full
    /// One pass for adjacent stages, without rewrite laws.
    case withoutLaws
    /// A pass per stage, without rewrite laws.
    case stageByStage
  }

  /// Whether a plan may run measurements that its steps depend on. A forecast computes nothing and does not.
  var measures = true
  /// Whether an evaluator throws where it would exceed the memory limit. A forecast only reports it.
  var refuses = true

  /// Creates default options: all cores and the plan's tile size.
  public init() {}

  /// Throws if a picture has more pixels than the limit.
  func check(_ size: PixelSize) throws(RenderError) {
    guard size.pixelCount <= pixelLimit else {
      throw .recipe(.tooManyPixels(width: size.width, height: size.height, limit: pixelLimit))
    }
  }

  /// The error for a rendering of so many bytes; nil where they are within the limit.
  func refusal(ofBytes bytes: Int) -> RenderError? {
    if bytes > MachineMemory.bytes {
      return .moreThanMachineMemory(bytes: bytes, machine: MachineMemory.bytes)
    }
    guard let memoryLimit, bytes > memoryLimit else { return nil }
    return .tooMuchMemory(bytes: bytes, limit: memoryLimit)
  }

  /// The maximum number of workers.
  var workerLimit: Int { min(max(threads ?? activeProcessorCount, 1), 4096) }
}
