public import ColorSpaces
public import FilterGraph
internal import ImageBuffer

/// A gain map as a picture, with the meaning of its values.
///
/// A file holds it beside its base picture (``OpenedImageFile/gainMap(isUpright:)``, ``WritingOptions/gainMap``), and
/// `Picture.expandedToHDR(by:headroom:)` applies it.
public struct PictureGainMap: Sendable {
  /// The values of the map, 0…1, as linear sRGB, so that filters work on the values themselves. It may have fewer pixels than the base
  /// picture, and shows the same.
  public var picture: Picture
  /// What the values mean, at the full headroom.
  public var gain: GainMap
  /// Whether the map has one channel for red, green and blue.
  public var isGray: Bool
  /// The space in which the gain is applied; nil for that of the base picture.
  public var space: ColorSpace?
  /// The quality of the map's lossy compression, 1…100. Ignored where the file is lossless.
  public var quality = 90

  /// Creates a gain map from a picture of its values, which keep their numbers.
  public init(_ picture: Picture, _ gain: GainMap, isGray: Bool, space: ColorSpace? = nil) {
    (self.picture, self.gain) = (picture.tagged(as: .linearSRGB), gain)
    (self.isGray, self.space) = (isGray, space)
  }
}

extension PictureGainMap {
  /// Computes the gain map between two renditions of a picture, of the same size: from the `base` that a file shows everywhere to one of
  /// high dynamic range.
  ///
  /// It renders both renditions once to measure the range of gains, which is rounded outwards to a multiple of 2⁻¹⁶ stop. The headroom of
  /// the alternate rendition is the largest gain, as Ultra HDR recommends. Where `hdr` is nowhere brighter than `base`, the headroom is 0 and
  /// the map has no effect: write the file without it.
  ///
  /// - Parameters:
  ///   - base: The rendition of standard dynamic range. Values beyond 0…1 count as clipped, as files store them.
  ///   - hdr: The rendition of high dynamic range, in which 1 is the white of the base.
  ///   - reduction: How many columns and rows of the picture share one of the map, from 1. Gains in stops are averaged.
  ///   - isGray: Whether one gain, that of luminance, holds for red, green and blue.
  ///   - options: How to render.
  /// - Throws: ``ImageFileError/rendering(_:)``, with `RenderError.incomparable` where the renditions differ in size.
  public init(
    from base: Picture, to hdr: Picture, reduction: Int = 4, isGray: Bool = true,
    options: RenderOptions = RenderOptions()
  ) throws(ImageFileError) {
    try Self.check(base, hdr, options)
    let renditions = isGray ? (base.clippedAndGray, hdr.gray(in: base.space)) : (base, hdr)
    // Gains of up to 32 stops, as fractions of them.
    let all = SIMD3<Double>(repeating: 32)
    func map(_ least: SIMD3<Double>, _ greatest: SIMD3<Double>) -> Picture {
      let whole = renditions.0.computingGainMap(
        to: renditions.1, least: least, greatest: greatest)
      if reduction <= 1 { return whole }
      func reduced(_ side: Int) -> Int { (side - 1) / reduction + 1 }
      return whole.resized(
        to: .exact(reduced(base.size.width), reduced(base.size.height)), by: .box)
    }
    let range: Statistics.Value
    do throws(RenderError) { range = try map(-all, all).statistics(options: options) } catch {
      throw .rendering(error)
    }
    func stops(_ part: SIMD3<Double>, _ rule: FloatingPointRoundingRule) -> SIMD3<Double> {
      // A sixteenth of the precision of single precision, in which the range was measured.
      ((part * 64 - 32) * 0x1p16).rounded(rule) / 0x1p16
    }
    let (least, greatest) = (stops(range.least, .down), stops(range.greatest, .up))
    do throws(RecipeError) {
      let gain = try GainMap(
        least: least, greatest: greatest, alternateHeadroom: max(greatest.max(), 0),
        displayHeadroom: max(greatest.max(), 0))
      self.init(map(least, greatest), gain, isGray: isGray)
    } catch {
      throw .rendering(.recipe(error))
    }
  }

  /// Throws where a rendition cannot be rendered, and where they differ in size.
  private static func check(
    _ base: Picture, _ hdr: Picture, _ options: RenderOptions
  ) throws(ImageFileError) {
    do throws(RenderError) {
      for rendition in [base, hdr] { try rendition.checkRenders(options) }
      guard base.size == hdr.size else { throw .incomparable(base.size, hdr.size) }
    } catch {
      throw .rendering(error)
    }
  }
}

extension Picture {
  /// The luminance of the values as a file stores them, in linear light.
  fileprivate var clippedAndGray: Picture {
    fitted(into: space, by: .clipped).gray(in: space)
  }

  fileprivate func gray(in space: ColorSpace) -> Picture {
    converted(to: space.linear).monochrome()
  }
}

extension PictureGainMap {
  /// The description that files hold.
  var description: GainMapDescription {
    GainMapDescription(gain, usesBaseSpace: space == nil)
  }

  /// Returns the gain map for a base picture whose pixels are moved or resized by `geometry`, which the result follows in its share of
  /// pixels.
  ///
  /// Turns and reflections are exact, and crops at the edges of the map's pixels. Other crops and resized pictures interpolate the map
  /// once. Around other geometry, such as a rotation by a few degrees or a frame, the map is enlarged and reduced again. To find out,
  /// `geometry` receives stand-ins besides the map, all of the size of `base`. A conversion to another space in it, such as that of
  /// `thumbnail`, is undone: the map's values are no colors.
  public func moved(
    with base: Picture, by geometry: (Picture) throws -> Picture
  ) rethrows -> PictureGainMap {
    var map = self
    let placement = try GainMapPlacement(of: base.size) {
      try geometry($0).converted(to: $0.space)
    }
    if let placement {
      map.picture = placement.part(of: picture.placed(at: .zero))
    } else {
      map.picture = try enlargedAndMoved(with: base) { try geometry($0).converted(to: $0.space) }
    }
    return map
  }

  /// Returns the map moved in the size of the base picture, and reduced. Pixels that share a value of the map have it alone, so that the
  /// way to the base's size and back adds no blur to that of `geometry`.
  private func enlargedAndMoved(
    with base: Picture, by geometry: (Picture) throws -> Picture
  ) rethrows -> Picture {
    let (all, few) = (base.size, picture.size)
    let result = try geometry(picture.resized(to: .exact(all.width, all.height), by: .nearest))
    // One scale for both sides, which a quarter turn exchanges.
    let area = Double(few.width) / Double(all.width) * Double(few.height) / Double(all.height)
    let scale = min(area.squareRoot(), 1)
    func reduced(_ side: Int) -> Int {
      max(Int((Double(side) * scale - 1e-6).rounded(.up)), 1)
    }
    return result.resized(
      to: .exact(reduced(result.size.width), reduced(result.size.height)), by: .box)
  }
}

extension EncodingJob {
  /// Returns this job with the encoded gain map that it shall hold.
  func withGainMap(options rendering: RenderOptions) throws(ImageFileError) -> EncodingJob {
    guard holdsGainMap, let map = options.gainMap else { return self }
    var writing = WritingOptions(
      quality: map.quality, chroma: .full, isLossless: options.isLossless,
      orientation: options.orientation, isGray: map.isGray, memoryLimit: options.memoryLimit,
      effort: options.effort)
    var picture = map.picture
    if format == .jpeg {
      // The map's own file states what its values mean.
      writing.mapDescription = map.description
      writing.orientation = .upright
      if let space = map.space { picture = picture.tagged(as: space) }
    }
    writing.isUntagged = format != .jpeg || map.space == nil
    let file = PictureFile(
      picture, at: "\(self.file)", as: format, samples: .uint8, writing: writing)
    var rendering = rendering
    rendering.progress = nil
    var job = self
    job.gainMapFile = try Picture.encoded([file], options: rendering)[0].bytes
    return job
  }
}

extension OpenedImageFile {
  /// Opens the gain map of the file, upright unless `isUpright` is false; nil where the file has none.
  public func gainMap(isUpright: Bool = true) -> PictureGainMap? {
    guard let found = info.gainMap else { return nil }
    var part = job
    switch found.place {
    case .bytes(let range): part.bytes = ByteSource(range, of: job.bytes)
    case .item(let item): (part.item, part.page) = (item, nil)
    }
    let values = Picture(FileRows(part, found.info, .linearSRGB))
    return PictureGainMap(
      isUpright ? values.oriented(info.orientation) : values, found.gain,
      isGray: found.channels == .gray, space: found.space)
  }

  /// Opens the picture of high dynamic range that the file's base picture and gain map give, in linear light with 1 as the white of the
  /// base; nil where the file has no gain map.
  ///
  /// - Parameters:
  ///   - headroom: The display's headroom in stops above white; nil for as much as the file has.
  ///   - assumption: The space of a base picture that states none.
  ///   - isUpright: Whether the picture is rotated as its orientation says.
  public func hdrPicture(
    headroom: Double? = nil, assuming assumption: ColorSpace? = nil, isUpright: Bool = true
  ) throws -> Picture? {
    guard let map = gainMap(isUpright: isUpright) else { return nil }
    return try picture(assuming: assumption, isUpright: isUpright)
      .expandedToHDR(by: map, headroom: headroom)
  }
}

extension Picture {
  /// Returns this base picture with the gain of a map, in linear light: 1 is the white of the base, and the map's gain leads beyond it.
  ///
  /// - Parameters:
  ///   - map: The gain map. It is resized to this picture.
  ///   - headroom: The display's headroom in stops above white; nil for as much as the map has.
  public func expandedToHDR(
    by map: PictureGainMap, headroom: Double? = nil
  ) throws(RecipeError) -> Picture {
    let gain = try map.gain.displayed(withHeadroom: headroom)
    return converted(to: (map.space ?? space).linear).gainMapped(gain, map: map.picture)
  }
}

extension GainMap {
  /// Returns the same gain map for a display; nil for one that has the headroom of both renditions.
  public func displayed(withHeadroom headroom: Double?) throws(RecipeError) -> GainMap {
    try GainMap(
      least: least, greatest: greatest, gamma: gamma, baseOffset: baseOffset,
      alternateOffset: alternateOffset, baseHeadroom: baseHeadroom,
      alternateHeadroom: alternateHeadroom,
      displayHeadroom: headroom ?? max(baseHeadroom, alternateHeadroom))
  }
}
