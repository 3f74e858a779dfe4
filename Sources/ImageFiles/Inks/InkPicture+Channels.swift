internal import ColorSpaces
public import FilterGraph
internal import ImageBuffer

extension InkPicture {
  /// Returns an ink channel as a gray picture, as separations are shown: white where there is no ink, black at 100 % of ink.
  ///
  /// The encoded values in `sGray` are 1 minus the ink channel's values, so that 25 % of ink is the gray of 75 % in an image editor. Values
  /// of 8 or 16 bits keep their precision.
  ///
  /// - Parameter index: The index of the channel in ``names``.
  /// - Precondition: `index` is in `names.indices`.
  public func channel(_ index: Int) -> Picture {
    precondition(names.indices.contains(index), "There are \(count) ink channels.")
    return plates[index / 3].channel(ColorChannel.allCases[index % 3])
      .inkExchangedWithGray(in: .sGray)
  }

  /// Returns the ink channel of this name, as ``channel(_:)`` does; nil where no channel has it. Case does not count.
  public func channel(named name: String) -> Picture? {
    names.firstIndex { $0.lowercased() == name.lowercased() }.map(channel)
  }

  /// Returns this picture with another ink channel after its own: a varnish, a white, or a spot color.
  ///
  /// The result has no ``profile``, because that defines the colors of fewer channels. TIFF files hold it with the names of all channels.
  ///
  /// - Parameters:
  ///   - plate: A picture as ``channel(_:)`` returns it: white where there is no ink. Colors become the grays of their luminance, and
  ///     transparent pixels are laid onto white. Beyond its edges there is no ink; pixels of the plate outside of this picture are left out.
  ///   - name: The name of the ink.
  public func adding(_ plate: Picture, named name: String) -> InkPicture {
    let opaque =
      plate.hasAlpha ? plate.flattened(onto: ColorPoint(1, 1, 1, in: .sRGB)) : plate
    let amounts = opaque.converted(to: .sGray).inkExchangedWithGray(in: Self.space)
    func joined(_ red: Picture, _ green: Picture, _ blue: Picture) -> Picture {
      Picture(red: red, green: green, blue: blue, alpha: .first, extent: .first)
    }
    var plates = plates
    if count % 3 == 0 {
      // The extent is that of the red, so the amounts are green first.
      let none = Picture.constant(ColorPoint(0, 0, 0, in: Self.space), in: Self.space)
        .cropped(to: plates[0].region)
      plates.append(joined(none, amounts, none).channels(.green, .red, .red))
    } else {
      let last = plates.removeLast()
      plates.append(
        count % 3 == 1 ? joined(last, amounts, last) : joined(last, last, amounts))
    }
    return InkPicture(plates, names: names + [name], profile: nil)
  }
}

extension Picture {
  /// Returns a gray picture with 1 minus its encoded values, tagged as `space`: ink channels become grays, and grays ink channels.
  fileprivate func inkExchangedWithGray(in space: ColorSpace) -> Picture {
    inverted(.encoded).tagged(as: space)
  }
}
