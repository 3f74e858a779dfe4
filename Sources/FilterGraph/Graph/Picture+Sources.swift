public import ColorSpaces
public import ImageBuffer

// Pictures without inputs.
extension Picture {
  /// Creates the picture of a bitmap.
  public init<Sample: PixelSample>(_ bitmap: Bitmap<Sample>) { self.init(AnyBitmap(bitmap)) }

  /// Creates the picture of a bitmap.
  public init(_ bitmap: AnyBitmap) { self.init(bitmap, precision: nil) }

  /// Creates the picture of a bitmap that was converted from other samples, and has their precision; nil for its own.
  package init(_ bitmap: AnyBitmap, precision: ColorPrecision?) {
    self.init(
      Node(
        .source(bitmap), region: Region(bitmap.size), hasAlpha: bitmap.channels.hasAlpha,
        in: bitmap.space,
        PixelState(storedIn: bitmap.space, bitmap.channels, bitmap.alpha), precision: precision),
      failure: bitmap.channels.areOfPictures ? nil : .notLight(channels: "\(bitmap.channels)"))
  }

  /// Creates the picture of a row source. Rows are read during rendering.
  public init(_ source: some RowSource) {
    let (size, channels) = (source.size, source.channels)
    let failure: RecipeError? =
      if size.width < 1 || size.height < 1 {
        .emptySize(width: size.width, height: size.height)
      } else {
        source.isOfPictures ? nil : .notLight(channels: "\(channels)")
      }
    self.init(
      Node(
        .rows(source), region: Region(size), hasAlpha: channels.hasAlpha, in: source.space,
        PixelState(storedIn: source.space, channels, source.alpha)),
      failure: failure)
  }

  /// Creates the picture that `painter` generates, with its channels in `space`.
  public init(_ painter: some Painter, in space: ColorSpace) {
    let light: PixelState.Light =
      switch painter.domain.light {
      case .linear: .linear
      case .perceptual: .perceptual
      case .any, .encoded: space.transfer.isLinear ? .linear : .encoded
      }
    let size = painter.size
    let isEmpty = size.map { $0.width < 1 || $0.height < 1 } ?? false
    self.init(
      Node(
        .painted(painter), region: size.map(Region.init) ?? .everywhere,
        hasAlpha: painter.hasAlpha, in: space,
        PixelState(
          light: light,
          isPremultiplied: painter.hasAlpha && painter.domain.coverage == .premultiplied)),
      failure: isEmpty ? .emptySize(width: size?.width ?? 0, height: size?.height ?? 0) : nil,
      step: RecordedStep(.filter(Painting(painter, in: space))))
  }
}

extension PixelState {
  /// Creates the encoding of a bitmap.
  init(storedIn space: ColorSpace, _ channels: Channels, _ alpha: Alpha) {
    self.init(
      light: space.transfer.isLinear ? .linear : .encoded,
      isPremultiplied: channels.hasAlpha && alpha == .premultiplied)
  }
}
