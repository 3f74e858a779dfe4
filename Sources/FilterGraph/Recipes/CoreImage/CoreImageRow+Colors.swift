internal import ColorSpaces

// What becomes of Core Image's filters that change each pixel by itself.
extension CoreImageRow {
  static let adjustments: [CoreImageRow] = [
    CoreImageRow(
      "CIExposureAdjust", parameters: ["inputEV"],
      is: "`exposure(ev)`", but: "none: linear values times 2^EV"
    ) { filter throws(RecipeDecodingError) in
      try filter.add("exposure", [("stops", .number(filter.number("inputEV", default: 0)))])
    },
    CoreImageRow(
      "CIColorControls", parameters: ["inputSaturation", "inputBrightness", "inputContrast"],
      is: "`saturation(factor)`, `brightness(offset)`, `contrast(factor, pivot:)`",
      but:
        "brightness is added to the square root of linear values, and contrast is a power around 0.18; recipes compute Apple's formulas by a "
        + "`channelMix` of linear values, in this order: saturation around luminance, plus brightness, contrast as a line around 0.5"
    ) { filter throws(RecipeDecodingError) in
      let saturation = try filter.number("inputSaturation", default: 1)
      let brightness = try filter.number("inputBrightness", default: 0)
      let contrast = try filter.number("inputContrast", default: 1)
      let weights = ColorSpace.sRGB.luminanceWeights
      let rows = (0..<3).map { row in
        (0..<3).map { column in
          contrast * ((row == column ? saturation : 0) + (1 - saturation) * weights[column])
        }
      }
      let offset = contrast * (brightness - 0.5) + 0.5
      try filter.add(
        "channel-mix",
        [("matrix", .rows(rows)), ("offset", .list([offset, offset, offset]))])
    },
    CoreImageRow(
      "CIGammaAdjust", parameters: ["inputPower"],
      is: "`gamma(exponent: power)`", but: "on linear values"
    ) { filter throws(RecipeDecodingError) in
      try filter.add("gamma", [("exponent", .number(filter.number("inputPower", default: 1)))])
    },
    CoreImageRow(
      "CIVibrance", parameters: ["inputAmount"],
      is: "`vibrance(amount)`", but: "in Oklab; another formula"
    ) { filter throws(RecipeDecodingError) in
      try filter.add("vibrance", [("amount", .number(filter.number("inputAmount", default: 0)))])
    },
    CoreImageRow(
      "CIHueAdjust", parameters: ["inputAngle"],
      is: "`hueRotation(angle * 180 / .pi)`", but: "in Oklab; lightness and chroma stay"
    ) { filter throws(RecipeDecodingError) in
      let angle = try filter.number("inputAngle", default: 0)
      try filter.add("hue-rotation", [("degrees", .number(angle * 180 / .pi))])
    },
    CoreImageRow(
      "CITemperatureAndTint", parameters: ["inputNeutral", "inputTargetNeutral"],
      is: "`whiteBalance(kelvin:tint:)`",
      but:
        "here `kelvin` and `tint` are the scene's illuminant, and the target is D65, 10 units of tint greener than 6500, 0; recipes adapt "
        + "`inputNeutral` to any `inputTargetNeutral`, by a `channelMix` in Bradford's sensors"
    ) { filter throws(RecipeDecodingError) in
      let neutral = try filter.vector("inputNeutral", 2, default: [6500, 0])
      let target = try filter.vector("inputTargetNeutral", 2, default: [6500, 0])
      guard neutral != target else { return try filter.addNothing() }
      let adapted = ChromaticAdaptation.bradford.matrix(
        from: try filter.illuminant("inputNeutral", neutral),
        to: try filter.illuminant("inputTargetNeutral", target))
      let toXYZ = ColorSpace.sRGB.toHub
      let rows = (toXYZ.inverse * adapted * toXYZ).rows.map { [$0.x, $0.y, $0.z] }
      try filter.add("channel-mix", [("matrix", .rows(rows))])
    },
    CoreImageRow(
      "CIWhitePointAdjust", parameters: ["inputColor"],
      is: "`channelMix(ColorMatrix(diagonal: …))`",
      but: "none: linear values times the linear color; `whiteBalance(neutral:)` is the inverse"
    ) { filter throws(RecipeDecodingError) in
      let color = try filter.colorPoint("inputColor", default: "color(srgb 1 1 1)")
      let light = color.converted(to: .sRGB.linear).components
      let rows = (0..<3).map { row in (0..<3).map { $0 == row ? light[row] : 0 } }
      try filter.add("channel-mix", [("matrix", .rows(rows))])
    },
    CoreImageRow(
      "CILinearToSRGBToneCurve", is: "`converted(to: .sRGB).tagged(as: .linearSRGB)`",
      but: "none: the encoded values are taken for linear ones"
    ) { filter throws(RecipeDecodingError) in
      try filter.add("tag", [("as", .string("linear sRGB"))])
      try filter.add("convert", [("to", .string("sRGB"))])
    },
    CoreImageRow(
      "CISRGBToneCurveToLinear", is: "`converted(to: .linearSRGB).tagged(as: .sRGB)`",
      but: "none: the linear values are taken for encoded ones"
    ) { filter throws(RecipeDecodingError) in
      try filter.add("convert", [("to", .string("linear sRGB"))])
      try filter.add("tag", [("as", .string("sRGB"))])
    },
    CoreImageRow(
      "CIToneCurve",
      parameters: ["inputPoint0", "inputPoint1", "inputPoint2", "inputPoint3", "inputPoint4"],
      is: "`toneCurve(try CubicCurve(through: points))`",
      but: "2 to 64 points; natural spline over the square root of linear values"
    ) { filter throws(RecipeDecodingError) in
      var points: [[Double]] = []
      for index in 0...4 {
        let place = Double(index) / 4
        points.append(try filter.vector("inputPoint\(index)", 2, default: [place, place]))
      }
      try filter.add("tone-curves", [("all", .member("points", .rows(points)))])
    },
    CoreImageRow(
      "CIColorMatrix",
      parameters: [
        "inputRVector", "inputGVector", "inputBVector", "inputAVector", "inputBiasVector",
      ],
      is: "`channelMix(ColorMatrix(rows: …), offset:)`, `channelMix(red:green:blue:alpha:offset:)`",
      but: "linear values unless `in:` says otherwise"
    ) { filter throws(RecipeDecodingError) in
      let bias = try filter.vector("inputBiasVector", 4, default: [0, 0, 0, 0])
      var rows: [(String, RecipeValue)] = []
      for (index, channel) in ["red", "green", "blue", "alpha"].enumerated() {
        var unit = [0.0, 0, 0, 0]
        unit[index] = 1
        let letter = ["R", "G", "B", "A"][index]
        let weights = try filter.vector("input\(letter)Vector", 4, default: unit)
        rows.append((channel, .list(weights + [bias[index]])))
      }
      try filter.add("four-channel-mix", rows)
    },
  ]

  static let effects: [CoreImageRow] = [
    CoreImageRow(
      "CIColorCube", "CIColorCubeWithColorSpace",
      parameters: ["inputCubeDimension", "inputCubeData", "inputColorSpace"],
      is: "`converted(to: space).look(try Look(contentsOf: file))`",
      but:
        "from `.cube` and other files, tetrahedral unless they say otherwise; recipes interpolate trilinearly, and data must be opaque"
    ) { filter throws(RecipeDecodingError) in
      let size = try filter.integer("inputCubeDimension", default: 2)
      let data = try filter.list("inputCubeData")
      guard (2...256).contains(size), data.count == 4 * size * size * size else {
        throw filter.unmapped(
          "inputCubeData has \(data.count) numbers; a cube of \(size) points a side has red, green, blue and alpha of each"
        )
      }
      var entries: [Double] = []
      for (index, value) in data.enumerated() {
        if index % 4 < 3 {
          entries.append(value)
        } else if value != 1 {
          throw filter.unmapped(
            "inputCubeData has an alpha of \(value); only 1 has a counterpart. The step “chroma-key” replaces "
              + "the cube of a chroma key")
        }
      }
      let table = RecipeValue.object([
        RecipeValue.Member("size", .integer(size)),
        RecipeValue.Member("entries", .list(entries)),
        RecipeValue.Member("interpolation", .string("trilinear")),
      ])
      let space = try filter.text("inputColorSpace", default: "linear sRGB")
      try filter.add("convert", [("to", .string(space))])
      try filter.add("look", [("steps", .array([.member("table", table)]))])
      try filter.add("convert", [("to", .string("sRGB"))])
    },
    CoreImageRow("CIPhotoEffectMono", is: "`monochrome(weights:)`", but: "by luminance") {
      filter throws(RecipeDecodingError) in
      try filter.add("monochrome", [])
    },
    CoreImageRow(
      "CIColorMonochrome", parameters: ["inputColor", "inputIntensity"],
      is: "`monochrome().channelMix(…)`",
      but: "luminance times the linear color; the intensity interpolates from the picture"
    ) { filter throws(RecipeDecodingError) in
      let color = try filter.colorPoint("inputColor", default: "color(srgb 0.6 0.45 0.3)")
      let intensity = try filter.number("inputIntensity", default: 1)
      let light = color.converted(to: .sRGB.linear).components
      let weights = ColorSpace.sRGB.luminanceWeights
      let rows = (0..<3).map { row in
        (0..<3).map { column in
          (row == column ? 1 - intensity : 0) + intensity * light[row] * weights[column]
        }
      }
      try filter.add("channel-mix", [("matrix", .rows(rows))])
    },
    CoreImageRow(
      "CIColorInvert", is: "`inverted(.light)`", but: "`inverted()` inverts encoded values"
    ) { filter throws(RecipeDecodingError) in
      try filter.add("invert", [("meaning", .string("light"))])
    },
    CoreImageRow(
      "CIColorThreshold", parameters: ["inputThreshold"],
      is: "`threshold(level:)`", but: "it compares luminance; recipes compare each channel"
    ) { filter throws(RecipeDecodingError) in
      let level = try filter.number("inputThreshold", default: 0.5)
      // So steep that neighboring values of 16 bits become 0 and 1; the level itself becomes 1.
      let slope = 1e7
      try filter.addLook([
        .affine([slope, slope, slope], [2 - slope * level, 2 - slope * level, 2 - slope * level]),
        .clamp,
      ])
    },
    CoreImageRow(
      "CIColorClamp", parameters: ["inputMinComponents", "inputMaxComponents"],
      is: "`fitted(into: space, by: .clipped)`",
      but: "clamps to 0…1 of a space; recipes clamp each channel to its range, and alpha to 0…1"
    ) { filter throws(RecipeDecodingError) in
      let least = try filter.vector("inputMinComponents", 4, default: [0, 0, 0, 0])
      let greatest = try filter.vector("inputMaxComponents", 4, default: [1, 1, 1, 1])
      guard least != [0, 0, 0, 0] || greatest != [1, 1, 1, 1] else {
        return try filter.add("gamut-fit", [("by", .string("clipped"))])
      }
      let widths = zip(greatest, least).prefix(3).map { $0 - $1 }
      guard widths.allSatisfy({ (0...1e9).contains($0) }), least[3] == 0, greatest[3] == 1 else {
        throw filter.unmapped(
          "the range is \(least)…\(greatest); only rising ranges of colors, with alpha from 0 to 1, have a counterpart"
        )
      }
      let scales = widths.map { $0 == 0 ? 1 : 1 / $0 }
      try filter.addLook([
        .affine(scales, zip(scales, least).map { -$0 * $1 }), .clamp,
        .affine(widths, Array(least.prefix(3))),
      ])
    },
    CoreImageRow(
      "CIToneMapHeadroom", parameters: ["inputSourceHeadroom", "inputTargetHeadroom"],
      is: "`displayMapping(from:to:)`", but: "peaks in cd/m²: 203 times the headroom"
    ) { filter throws(RecipeDecodingError) in
      let source = try filter.number("inputSourceHeadroom")
      let target = try filter.number("inputTargetHeadroom", default: 1)
      try filter.add(
        "display-mapping", [("from", .number(203 * source)), ("to", .number(203 * target))])
    },
  ]
}

extension CoreImageTranslation {
  /// A step of a look.
  fileprivate enum LookStep {
    /// `channel · scale + offset`, with a scale and an offset for each channel.
    case affine([Double], [Double])
    /// Clamps to 0…1.
    case clamp

    var value: RecipeValue {
      switch self {
      case .affine(let scale, let offset):
        .member(
          "affine",
          .object([
            RecipeValue.Member("scale", .list(scale)), RecipeValue.Member("offset", .list(offset)),
          ]))
      case .clamp: .member("clamp", .list([0, 1]))
      }
    }
  }

  /// Applies a look to linear values.
  fileprivate mutating func addLook(_ steps: [LookStep]) throws(RecipeDecodingError) {
    try add("convert", [("to", .string("linear sRGB"))])
    try add("look", [("steps", .array(steps.map(\.value)))])
    try add("convert", [("to", .string("sRGB"))])
  }

  /// The chromaticity of a color temperature in kelvin and a tint, both as a parameter states them.
  fileprivate func illuminant(
    _ name: String, _ value: [Double]
  ) throws(RecipeDecodingError) -> Chromaticity {
    do throws(RecipeError) {
      return try WhiteBalance(kelvin: value[0], tint: value[1]).light
    } catch {
      throw unusable(name, error)
    }
  }
}
