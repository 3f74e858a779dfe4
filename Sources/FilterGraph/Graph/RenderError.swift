public import ImageBuffer

/// An error that prevents rendering. The description states what is wrong and what would be right.
@nonexhaustive
public indirect enum RenderError: Error, Hashable, Sendable {
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

/// Returns the result of `body`, and rethrows its error as that of a rendering.
package func bitmapChecked<Result>(
  _ body: () throws(BitmapError) -> Result
) throws(RenderError) -> Result {
  do throws(BitmapError) { return try body() } catch { throw .bitmap(error) }
}

extension RenderError: CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var description: String { advice.map { "\(finding) \($0)" } ?? finding }

  /// What is wrong: the description without the advice, which names Swift symbols.
  package var finding: String {
    switch self {
    case .recipe(let error): error.finding
    case .tooMuchMemory(let bytes, let limit):
      "Rendering would need \(bytes) bytes of memory; the limit is \(limit)."
    case .moreThanMachineMemory(let bytes, let machine):
      "Rendering would need \(bytes) bytes of memory; this process can have \(machine)."
    case .tooManyTiles(let count, let tile, let limit):
      "The picture would be cut into \(count) tiles of \(tile) pixels; at most \(limit) are planned "
        + "for."
    case .source(let error), .sink(let error): error.description
    case .cancelled: "Rendering was cancelled."
    case .sizeMismatch(let picture, let bitmap):
      "The picture has \(picture) pixels, the bitmap \(bitmap)."
    case .incomparable(let first, let second):
      "Pictures of \(first) and of \(second) pixels cannot be compared."
    case .alphaWouldBeLost: "The picture has transparency and the bitmap has none."
    case .unsupportedChannels(let channels):
      "Pictures are rendered to red, green and blue, with alpha where they have it, in any order; "
        + "not to \(channels)."
    case .bitmap(let error): error.description
    }
  }

  /// A remedy in terms of the library.
  package var advice: String? {
    switch self {
    case .recipe(let error): error.advice
    case .tooMuchMemory:
      "Raise RenderOptions.memoryLimit, lower RenderOptions.tile or, where it is set, .threads, or write to a file row by row."
    case .moreThanMachineMemory:
      "Lower RenderOptions.tile or, where it is set, .threads, or use a smaller picture or filters of smaller reach."
    case .tooManyTiles: "Set RenderOptions.tile to a larger size, or to nil."
    case .sizeMismatch: "Make the bitmap as large as the picture, or resize the picture first."
    case .incomparable: "Resize one of them first."
    case .alphaWouldBeLost: "Render to a bitmap with alpha."
    case .cancelled, .unsupportedChannels, .bitmap, .source, .sink: nil
    }
  }
}
