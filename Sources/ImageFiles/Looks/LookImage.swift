internal import ColorSpaces
public import FilterGraph
public import ImageBuffer

extension Look {
  /// The look that an image of a Hald color lookup table (Hald CLUT) holds: every entry of a table is a pixel, row by row, red varying
  /// fastest.
  ///
  /// An untouched image of this kind (``lookImage()`` of an identity) goes through any program that changes each pixel by itself; what comes
  /// out is the table of that change.
  ///
  /// - Parameters:
  ///   - bitmap: As many pixels as a table has entries: n³. Usually a square of 512 × 512 pixels for a side of 64.
  ///   - title: The title of the look.
  public init(lookImage bitmap: AnyBitmap, title: String = "") throws(LookFileError) {
    let pixels = bitmap.size.pixelCount
    guard let size = ColorTable.sizes.first(where: { $0 * $0 * $0 == pixels }) else {
      throw .unsupported(
        file: title.isEmpty ? "image" : title,
        reason: "a Hald image has n³ pixels, such as 512 × 512, and it has \(bitmap.size)")
    }
    do {
      let entries = try bitmap.converted(to: Float.self, channels: .rgb).samples
      self.init(try ColorTable(size: size, entries: entries), title: title)
    } catch let error as ColorError {
      throw .parameter(file: title, RecipeError(error))
    } catch {
      throw .unsupported(file: title, reason: "\(error)")
    }
  }

  /// The look as an image of a Hald color lookup table: a square whose side is a cube.
  ///
  /// Its values are tagged as sRGB and mean nothing but themselves: no program may convert them. Files of integers clip values outside
  /// 0…1, and files with lossy compression change them. Throws where the look is not one table of
  /// n² entries a side over 0…1, such as 16, 25, 36, 49 or 64, that is interpolated tetrahedrally; `Look.baking(size:in:)` makes one.
  public func lookImage() throws(LookFileError) -> Bitmap<Float> {
    let file = title.isEmpty ? "image" : title
    guard steps.count == 1, case .table(let table) = steps[0], table.lowest == .zero,
      table.highest == .one, table.isTetrahedral
    else {
      throw .cannotHold(
        file: file,
        reason:
          "a Hald image holds one 3D LUT over 0…1, interpolated tetrahedrally; bake the look into a 3D LUT "
          + "first")
    }
    guard let level = (2...16).first(where: { $0 * $0 == table.size }) else {
      throw .cannotHold(
        file: file,
        reason:
          "a Hald image has n² grid points per side, such as 16, 25, 36, 49 or 64, and the LUT has "
          + "\(table.size); bake it with one of these sizes")
    }
    let side = level * level * level
    do throws(BitmapError) {
      return try Bitmap(samples: table.entries, width: side, height: side, space: .sRGB)
    } catch {
      throw .file(.rendering(.bitmap(error)))
    }
  }
}
