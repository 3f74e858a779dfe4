internal import ColorSpaces
public import FilterGraph
public import ICCProfiles
public import ImageBuffer

/// A picture of CMYK or n-color channels: the result of `Picture.inks(by:rendering:)`, or the content of a file.
///
/// The values of the channels run from 0, no ink, to 1. Nothing is computed until it is rendered or written. Filters act on colors, so
/// they come before the conversion to ink channels. Filters that move or resize pixels may also come after it, by ``mapChannels(_:)``.
public struct InkPicture: Sendable {
  /// The profile that defines the colors of the channels; nil where a file has none.
  public let profile: ICCProfile?
  /// The names of the channels, in their order.
  public let names: [String]
  /// The channels in pictures of three each; unused channels of the last one are zero.
  package let plates: [Picture]

  init(_ plates: [Picture], names: [String], profile: ICCProfile?) {
    (self.plates, self.names, self.profile) = (plates, names, profile)
  }

  /// How many channels there are.
  public var count: Int { names.count }

  /// The width and the height.
  public var size: PixelSize { plates[0].size }

  /// Whether some pixels may be transparent. No file format holds such a picture.
  public var hasAlpha: Bool { plates.contains(where: \.hasAlpha) }

  /// The space of a plate's three channels: linear, so that no filter encodes or decodes the values.
  static let space = ColorSpace(
    "ink channels", primaries: ColorSpace.sRGB.primaries, transfer: .linear)

  /// Applies the same change to every channel: a crop, a rotation, a resize.
  ///
  /// - Parameter change: A change that treats the three channels of a picture alike and does not depend on color. It is called once for
  ///   every three channels. A conversion to another space in it, such as that of `thumbnail`, is undone.
  public func mapChannels<Failure: Error>(
    _ change: (Picture) throws(Failure) -> Picture
  ) throws(Failure) -> InkPicture {
    var changed: [Picture] = []
    for plate in plates { changed.append(try change(plate).converted(to: Self.space)) }
    return InkPicture(changed, names: names, profile: profile)
  }
}

extension Picture {
  /// Returns the ink channels with which a press prints this picture, by the lookup tables of its profile.
  ///
  /// The profile determines black generation, the limit of the total area coverage and gamut mapping. Its tables are evaluated as
  /// `ICCTransform` does, in single precision.
  ///
  /// - Parameters:
  ///   - profile: A profile of CMYK or n-color channels (`ICCProfile.isOfInks`).
  ///   - rendering: The rendering intent, and whether black point compensation is applied.
  /// - Throws: `ICCProfileError` where the profile has no ink channels, or no table that leads to them.
  public func inks(
    by profile: ICCProfile, rendering: ProfileRendering = ProfileRendering()
  ) throws(ICCProfileError) -> InkPicture {
    guard profile.isOfInks, let count = profile.channelCount else {
      throw .unsupported(
        "“\(profile)” is a profile of kind “\(profile.kind)”, which has no CMYK or n-color channels. "
          + "Use the output profile of a press or a printer.")
    }
    let transform: ICCTransform
    do throws(ICCProfileError) {
      transform = try ICCTransform(
        from: ICCTransform.Link(space), to: .profile(profile), intent: rendering.intent,
        blackPointCompensation: rendering.blackPointCompensation)
    } catch .missingTag(let tag) {
      throw .unsupported(
        "“\(profile)” has no table from colors to its \(count) ink channels (tag “\(tag)”), so pictures can be "
          + "read by it and not converted to it. Use a profile of the press with tables for both directions."
      )
    }
    let plates = stride(from: 0, to: count, by: 3).map { first in
      applying(
        InkSeparation(
          by: profile, rendering, from: space, first..<min(first + 3, count), transform)
      ).tagged(as: InkPicture.space)
    }
    return InkPicture(plates, names: profile.inkNames, profile: profile)
  }
}

/// Converts colors to up to three of the ink channels of a profile.
private struct InkSeparation: PointFilter, CustomStringConvertible {
  private let profile: ICCProfile
  private let rendering: ProfileRendering
  private let source: ColorSpace
  private let channels: Range<Int>
  private let program: ChannelProgram

  init(
    by profile: ICCProfile, _ rendering: ProfileRendering, from source: ColorSpace,
    _ channels: Range<Int>, _ transform: ICCTransform
  ) {
    (self.profile, self.rendering, self.source) = (profile, rendering, source)
    (self.channels, program) = (channels, transform.pixelProgram.outputs(channels))
  }

  var domain: PixelDomain { .encoded }

  var description: String {
    let names = profile.inkNames[channels].joined(separator: ", ")
    return "to \(names) of “\(profile)”, \(rendering.intent)"
  }

  static func == (a: Self, b: Self) -> Bool {
    (a.profile, a.rendering, a.source, a.channels) == (b.profile, b.rendering, b.source, b.channels)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(profile)
    hasher.combine(rendering)
    hasher.combine(channels)
  }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    for stage in self.program.pointProgram.stages { program.append(stage) }
  }
}
