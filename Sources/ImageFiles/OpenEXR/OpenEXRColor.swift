#if COLORLOOM_OPENEXR
  internal import COpenEXR
  internal import ColorSpaces

  extension cexr_reader {
    /// The color space of the part, and notes on statements that are not used. Vectors have no color.
    ///
    /// The attribute colorInteropID comes before chromaticities: files that have it need none, and only it names transfer functions.
    func color(file: String, isVector: Bool) -> (color: StatedColor, notes: [ImageFileNote]) {
      let id = text(ofAttribute: ImageMetadata.interopKeyword) ?? ""
      if isVector || id == "data" { return (.space(.linearSRGB, by: .data), []) }
      let linear = linearColor(file: file)
      if id.isEmpty || id == "unknown" { return (linear, []) }
      guard let space = try? ColorSpace(named: id), space.isOfColors else {
        guard case .space(_, let statement) = linear else { return (linear, []) }
        let reason = "its colorInteropID “\(beginning(of: id))” names no known space of RGB or XYZ"
        return (linear, [.unusableColor(reason: reason, used: statement)])
      }
      var notes: [ImageFileNote] = []
      if case .space(let other, by: .chromaticities) = linear, space.transfer.curves != nil,
        !other.isInterchangeable(with: space.linear)
      {
        notes.append(
          .conflictingColor(
            used: .colorInteropID, space: space.name, other: .chromaticities,
            otherSpace: other.name))
      }
      return (.space(space, by: .colorInteropID), notes)
    }

    /// A linear space of the primaries that the file states; those of Rec. 709 where it states none (OpenEXR, “Standard attributes”).
    private func linearColor(file: String) -> StatedColor {
      guard has_chromaticities != 0 else { return .space(.linearSRGB, by: .formatRule) }
      let numbers = statedChromaticities.map(shortestDouble)
      let (colors, white) = (Array(numbers[..<6]), Array(numbers[6...]))
      let space = ColorSpace.ofChromaticities(
        "OpenEXR", white: white, primaries: colors, exponent: 1)
      return space.map { .space($0, by: .chromaticities) }
        ?? .unusable(
          .unsupportedColor(
            file: file,
            reason: "its primaries are \(colors) and its white point is \(white)")
        )
    }

    /// The chromaticities of red, green, blue and white.
    var statedChromaticities: [Float] {
      withUnsafeBytes(of: chromaticities) { Array($0.bindMemory(to: Float.self)) }
    }

    /// The text of an attribute; nil where the part has none of this name.
    private func text(ofAttribute name: String) -> String? {
      var reader = self
      var (index, attribute) = (Int32(0), cexr_attribute())
      while cexr_reader_attribute(&reader, index, &attribute) == 1 {
        index += 1
        guard let text = attribute.text, String(cString: attribute.name) == name else { continue }
        return String(
          decoding: UnsafeRawBufferPointer(start: text, count: attribute.text_count), as: UTF8.self)
      }
      return nil
    }
  }

  extension ColorSpace {
    /// The linear spaces that have an identifier of the Color Interop Forum among their names, and these.
    private static let interopIDs: [(space: ColorSpace, id: String)] = all.compactMap { space in
      guard space.transfer.isLinear else { return nil }
      return space.aliases.first { $0.hasPrefix("lin_") && $0.hasSuffix("_scene") }
        .map { (space, $0) }
    }

    /// Whether the values of three channels are RGB or XYZ, which scale with premultiplied alpha, unlike those of Lab.
    fileprivate var isOfColors: Bool {
      !isGray && (transfer.curves != nil || self == .xyzD65)
    }

    /// The identifier of the space by the Color Interop Forum, such as “lin_ap1_scene”; nil where a linear space has none.
    var interopID: String? {
      Self.interopIDs.first { $0.space.isInterchangeable(with: self) }?.id
    }
  }

  /// Returns the shortest decimal of a value: 0.64, not 0.639999985.
  func shortestDouble(_ value: Float) -> Double { Double("\(value)") ?? Double(value) }
#endif
