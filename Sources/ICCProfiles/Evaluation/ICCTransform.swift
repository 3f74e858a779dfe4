public import ColorSpaces

/// A conversion of colors through ICC profiles, in double precision, over any number of channels.
///
/// The models of both sides define the values: ink channels, RGB and gray from 0 to 1, L* from 0 to 100 with a* and b*, XYZ with white at
/// Y = 1. Color spaces define their own values. Lookup tables and curves are evaluated directly as the profiles store them, not resampled,
/// so that the only error is interpolation within the profile's own grid.
///
///     let proof = try ICCTransform(from: .profile(press), to: .space(.displayP3))
///     let paper = proof([0, 0, 0, 0])
///
/// A profile is evaluated by its tables, or else by its colorants and curves, as Little CMS does. Code points in its tag `cicp` are ignored
/// here, while ``ICCProfile/colorSpace(intent:)`` prefers them: pass the space that it returns for the colors of pictures.
///
/// Transforms are cheap to copy and can be used from many threads at once. They are cached by content, so that creating the same one again
/// is cheap. The cache lasts as long as the process. It holds at most 32 MiB of profiles and tables, and evicts the least recently used
/// ones; a transform of more than 8 MiB is not kept.
public struct ICCTransform: Sendable {
  /// One link of the chain of conversions.
  public enum Link: Hashable, Sendable {
    /// A profile: of a device or a space at either end, an abstract one or a device link between.
    case profile(ICCProfile)
    /// A color space without a profile, by its own definition.
    case space(ColorSpace)
  }

  /// The transform as a program over channels.
  package let program: ChannelProgram

  /// How many values an input color has.
  public var inputCount: Int { program.inputCount }
  /// How many values an output color has.
  public var outputCount: Int { program.outputCount }

  /// Creates the transform of a chain of links.
  ///
  /// - Parameters:
  ///   - links: A device link alone, or a source and a target with abstract profiles and device links between them.
  ///   - intent: The rendering intent.
  ///   - blackPointCompensation: Whether black point compensation (ISO 18619) is applied. Perceptual and saturation tables of version 4 as
  ///     targets always apply it; the absolute intent never does.
  public init(
    _ links: [Link], intent: RenderingIntent = .relativeColorimetric,
    blackPointCompensation: Bool = false
  ) throws(ICCProfileError) {
    try self.init(
      links, intent: intent, blackPointCompensation: blackPointCompensation, cache: Self.cache)
  }

  /// Creates the transform of a chain of links, or takes it from a cache.
  package init(
    _ links: [Link], intent: RenderingIntent, blackPointCompensation: Bool = false, cache: Cache
  ) throws(ICCProfileError) {
    let key = Key(links: links, intent: intent, blackPointCompensation: blackPointCompensation)
    if let known = cache.value(for: key) {
      self = known
      return
    }
    let chain = try Self.stages(
      links.map { Station($0, intent, blackPointCompensation: blackPointCompensation) })
    program = ChannelProgram(
      chain.stages, inputCount: chain.source.channelCount,
      outputCount: chain.target.channelCount)
    cache.insert(self, for: key, byteCount: key.byteCount + program.byteCount)
  }

  /// Creates the transform from one profile or space to another.
  public init(
    from source: Link, to target: Link, intent: RenderingIntent = .relativeColorimetric,
    blackPointCompensation: Bool = false
  ) throws(ICCProfileError) {
    try self.init(
      [source, target], intent: intent, blackPointCompensation: blackPointCompensation)
  }

  /// The links and the rendering of a transform, by which the cache finds it.
  package struct Key: Hashable, Sendable {
    fileprivate let links: [Link]
    fileprivate let intent: RenderingIntent
    fileprivate let blackPointCompensation: Bool

    fileprivate var byteCount: Int {
      links.reduce(0) { count, link in
        switch link {
        case .profile(let profile): count + profile.bytes.count
        case .space(let space): count + space.transfer.byteCount
        }
      }
    }
  }

  /// The bytes of all transforms that are kept, with their profiles. Servers.md states it.
  package static let cacheByteLimit = 32 << 20
  /// A cache of transforms by their links and rendering.
  package typealias Cache = ContentCache<Key, ICCTransform>
  private static let cache = Cache(byteLimit: cacheByteLimit)

  /// Converts one color. Traps where the number of channels is not ``inputCount``.
  public func callAsFunction(_ color: [Double]) -> [Double] {
    precondition(
      color.count == inputCount,
      "The transform needs colors of \(inputCount) numbers; got \(color.count).")
    return program(color)
  }

  /// Converts interleaved pixels. Traps where the spans have different numbers of pixels.
  public func callAsFunction(_ pixels: Span<Float>, into result: inout MutableSpan<Float>) {
    let count = pixels.count / inputCount
    precondition(
      pixels.count == count * inputCount && result.count == count * outputCount,
      "\(pixels.count) numbers are not pixels of \(inputCount) channels, or not as many as the "
        + "\(result.count) numbers of \(outputCount) channels to fill.")
    let limit = ChannelProgram.channelLimit
    let stripCount = min(count, 64)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: max(stripCount, 1) * limit) { strip in
      strip.initialize(repeating: 0)
      guard let base = strip.baseAddress else { return }
      for start in stride(from: 0, to: count, by: 64) {
        let here = min(count - start, stripCount)
        for pixel in 0..<here {
          for channel in 0..<inputCount {
            base[pixel * limit + channel] = Double(pixels[(start + pixel) * inputCount + channel])
          }
        }
        for stage in program.stages { stage.apply(to: base, count: here) }
        for pixel in 0..<here {
          for channel in 0..<outputCount {
            result[(start + pixel) * outputCount + channel] = Float(base[pixel * limit + channel])
          }
        }
      }
    }
  }
}
