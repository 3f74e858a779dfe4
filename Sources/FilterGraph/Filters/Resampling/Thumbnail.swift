public import ColorSpaces
internal import ImageBuffer

/// Fits a picture into a box, never enlarged, and reads no more of its file than that takes.
struct Thumbnail: CompoundFilter, RecipeFilter {
  let size: PixelSize

  init(fitting size: PixelSize) throws(RecipeError) {
    try size.checkNotEmpty()
    self.size = size
  }

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    guard picture.size.width > size.width || picture.size.height > size.height else {
      return picture
    }
    do throws(RecipeError) {
      let fitted = try Resize(to: .fit(size.width, size.height)).outputSize(for: picture.size)
      // Twice the pixels: the averages of the decoder are averaged again in linear light.
      return picture.reduced(toAtLeast: PixelSize(2 * fitted.width, 2 * fitted.height))
        .resized(to: .exact(fitted.width, fitted.height))
    } catch {
      return picture.failing(error)
    }
  }

  static let declaration = Declaration<Thumbnail>(
    "thumbnail",
    "Fits a picture into a box without enlarging it; JPEG files are decoded at a reduced size.",
    keepsGray: true, swift: "picture.thumbnail(20, 15, in: nil)",
    Parameter("size", \.size, "the box", unit: "pixels", sample: PixelSize(20, 15))
  ) { size throws(RecipeError) in try Thumbnail(fitting: size) }.with(.moves)
}

extension Picture {
  /// Returns a thumbnail: this picture fitted into a box, never enlarged, in a space that every display shows.
  ///
  /// From a JPEG file, a half, a quarter or an eighth of the rows and columns is decoded, as long as that is at least twice the width and
  /// height of the thumbnail (``reduced(toAtLeast:)``). Pictures from files are upright already and carry no metadata: a thumbnail's
  /// file has none unless `WritingOptions.metadata` names it.
  ///
  ///     let bytes = try Picture(bytes: upload).thumbnail(256).encoded(as: .jpeg)
  ///
  /// - Parameters:
  ///   - width: The width of the box.
  ///   - height: The height of the box; nil for a square.
  ///   - space: The space that the thumbnail is converted to; nil to keep the picture's own.
  public func thumbnail(
    _ width: Int, _ height: Int? = nil, in space: ColorSpace? = .sRGB
  ) -> Picture {
    let fitted = applying { () throws(RecipeError) in
      try Thumbnail(fitting: PixelSize(width, height ?? width))
    }
    guard let space else { return fitted }
    return fitted.converted(to: space)
  }
}
