// What becomes of Core Image's filters of several images, of its generators and of its measures.
extension CoreImageRow {
  private static let over = ["inputBackgroundImage"]

  /// A row of filters that lay an image on another one, with the step that does it here.
  private static func layer(
    _ name: String, is counterpart: String, but difference: String, mode: String = "normal",
    operator: String = "source-over"
  ) -> CoreImageRow {
    CoreImageRow(name, parameters: over, is: counterpart, but: difference) {
      filter throws(RecipeDecodingError) in
      let images = [
        try filter.image("inputBackgroundImage", mirrored: true),
        try filter.image("inputImage", mirrored: true),
      ]
      filter.add(
        "layer", [("mode", .string(mode)), ("operator", .string(`operator`))], to: images)
    }
  }

  private static func blend(_ name: String, _ mode: String, _ symbol: String) -> CoreImageRow {
    layer(
      "CI\(name)BlendMode", is: "`composited(onto:by: .\(symbol))`",
      but: "in linear light; `in: .sRGB` blends encoded values", mode: mode)
  }

  private static func compositing(_ name: String, _ step: String, _ symbol: String) -> CoreImageRow
  {
    layer(
      "CI\(name)Compositing", is: "`composited(onto:operator: .\(symbol))`", but: "in linear light",
      operator: step)
  }

  private static func mask(_ name: String, _ channel: String) -> CoreImageRow {
    CoreImageRow(
      name, parameters: ["inputBackgroundImage", "inputMaskImage"],
      is: "`backdrop.blended(with: picture, mask:, channel: .\(channel))`",
      but: channel == "alpha"
        ? "none" : "encoded values of the mask; recipes take its linear ones"
    ) { filter throws(RecipeDecodingError) in
      let images = [
        try filter.image("inputBackgroundImage", mirrored: true),
        try filter.image("inputImage", mirrored: true),
        try filter.image("inputMaskImage", mirrored: true),
      ]
      filter.add("blend-by-linear-mask", [("channel", .string(channel))], to: images)
    }
  }

  static let layers: [CoreImageRow] =
    [
      compositing("SourceOver", "source-over", "sourceOver"),
      compositing("SourceAtop", "source-atop", "sourceAtop"),
      compositing("SourceIn", "source-in", "sourceIn"),
      compositing("SourceOut", "source-out", "sourceOut"),
      compositing("Addition", "plus-lighter", "plusLighter"),
    ] + [
      blend("Multiply", "multiply", "multiply"), blend("Screen", "screen", "screen"),
      blend("Overlay", "overlay", "overlay"), blend("Darken", "darken", "darken"),
      blend("Lighten", "lighten", "lighten"), blend("ColorDodge", "color-dodge", "colorDodge"),
      blend("ColorBurn", "color-burn", "colorBurn"), blend("HardLight", "hard-light", "hardLight"),
      blend("SoftLight", "soft-light", "softLight"),
      blend("Difference", "difference", "difference"),
      blend("Exclusion", "exclusion", "exclusion"), blend("Hue", "hue", "hue"),
      blend("Saturation", "saturation", "saturation"), blend("Color", "color", "color"),
      blend("Luminosity", "luminosity", "luminosity"),
      blend("LinearBurn", "linear-burn", "linearBurn"),
      blend("LinearDodge", "linear-dodge", "linearDodge"),
      blend("PinLight", "pin-light", "pinLight"),
      blend("VividLight", "vivid-light", "vividLight"),
      blend("LinearLight", "linear-light", "linearLight"), blend("HardMix", "hard-mix", "hardMix"),
      blend("Subtract", "subtract", "subtract"), blend("Divide", "divide", "divide"),
    ] + [
      mask("CIBlendWithMask", "green"), mask("CIBlendWithRedMask", "red"),
      mask("CIBlendWithBlueMask", "blue"), mask("CIBlendWithAlphaMask", "alpha"),
    ]

  static let others: [CoreImageRow] = [
    CoreImageRow("CIConstantColorGenerator", parameters: ["inputColor"], is: "`Picture.constant`") {
      filter throws(RecipeDecodingError) in
      let color = try filter.color("inputColor", default: "color(srgb 1 0 0)")
      filter.generate("solid-color", [("color", color)], isSymmetric: true)
    },
    CoreImageRow(
      "CICheckerboardGenerator",
      parameters: ["inputCenter", "inputColor0", "inputColor1", "inputWidth", "inputSharpness"],
      is: "`Picture.checker`",
      but: "sharp edges; squares begin at 0, 0, and `moved(by:)` moves them to the center"
    ) { filter throws(RecipeDecodingError) in
      try filter.pattern("checker", side: "side", axes: 2, extra: [])
    },
    CoreImageRow(
      "CIStripesGenerator",
      parameters: ["inputCenter", "inputColor0", "inputColor1", "inputWidth", "inputSharpness"],
      is: "`Picture.stripes`",
      but: "sharp edges; stripes begin at 0, and `moved(by:)` moves them to the center"
    ) { filter throws(RecipeDecodingError) in
      try filter.pattern(
        "stripes", side: "width", axes: 1, extra: [("direction", .string("vertical"))])
    },
    CoreImageRow(
      "CILinearGradient", parameters: ["inputPoint0", "inputPoint1", "inputColor0", "inputColor1"],
      is: "`try Picture.gradient(.linear(from:to:), stops, mixedIn:in:)`",
      but: "any number of stops, in any space; recipes interpolate linear light"
    ) { filter throws(RecipeDecodingError) in
      let start = try filter.vector("inputPoint0", 2, default: [0, 0])
      let end = try filter.vector("inputPoint1", 2, default: [200, 200])
      let line = RecipeValue.object([
        RecipeValue.Member("from", .list(start)), RecipeValue.Member("to", .list(end)),
      ])
      try filter.gradient(.member("linear", line), from: 0)
    },
    CoreImageRow(
      "CIRadialGradient",
      parameters: ["inputCenter", "inputRadius0", "inputRadius1", "inputColor0", "inputColor1"],
      is: "`try Picture.gradient(.radial(center:radius:), stops, mixedIn:in:)`",
      but: "any number of stops, in any space; recipes interpolate linear light"
    ) { filter throws(RecipeDecodingError) in
      let center = try filter.vector("inputCenter", 2, default: [150, 150])
      let inner = try filter.number("inputRadius0", default: 5)
      let outer = try filter.number("inputRadius1", default: 100)
      guard outer > inner, inner >= 0 else {
        throw filter.unmapped(
          "the radii are \(inner) and \(outer); only a second one that is greater has a counterpart"
        )
      }
      let circle = RecipeValue.object([
        RecipeValue.Member("center", .list(center)),
        RecipeValue.Member("radius", .number(outer)),
      ])
      try filter.gradient(.member("radial", circle), from: inner / outer)
    },
    CoreImageRow(
      "CIRandomGenerator", is: "`Picture.noise(seed:in:)`", but: "the same noise everywhere"
    ) { filter throws(RecipeDecodingError) in
      filter.generate(
        "noise", [("seed", .integer(0)), ("gray", .bool(false))], isSymmetric: true)
    },
    CoreImageRow("CIColumnAverage", is: "`columnMeans()`", but: "of the whole picture") {
      filter throws(RecipeDecodingError) in
      try filter.add("mean", [("of", .string("columns"))])
    },
    CoreImageRow("CIRowAverage", is: "`rowMeans()`", but: "of the whole picture") {
      filter throws(RecipeDecodingError) in
      try filter.add("mean", [("of", .string("rows"))])
    },
    CoreImageRow(
      "CIAreaAverage", "CIAreaHistogram", is: "`statistics()`, `histogram()`",
      because: "it returns values, not a picture"),
    CoreImageRow(
      "CIDither", is: "`render(as:dither:)`, `write(to:dither:)`",
      because: "dither belongs to rounding and is no filter"),
  ]
}

extension CoreImageTranslation {
  /// Adds a pattern of two colors that begins at whole coordinates of the center, on one axis or both.
  fileprivate mutating func pattern(
    _ filter: String, side: String, axes: Int, extra: [(String, RecipeValue)]
  ) throws(RecipeDecodingError) {
    try require("inputSharpness", 1)
    let width = try integer("inputWidth", default: 80)
    let center = try vector("inputCenter", 2, default: [150, 150])
    let start = center.prefix(axes).compactMap { Int(exactly: $0) }
    guard start.count == axes else {
      throw unmapped("inputCenter is \(center); only whole pixels have a counterpart")
    }
    let colors = [
      ("first", try color("inputColor0", default: "color(srgb 1 1 1)")),
      ("second", try color("inputColor1", default: "color(srgb 0 0 0)")),
    ]
    generate(filter, colors + [(side, .integer(width))] + extra)
    let offset = start + Array(repeating: 0, count: 2 - axes)
    try add("move", [("by", .array(offset.map(RecipeValue.integer)))])
  }

  /// Adds a gradient between two colors in linear light, and returns to sRGB.
  fileprivate mutating func gradient(
    _ shape: RecipeValue, from start: Double
  ) throws(RecipeDecodingError) {
    let stops = [
      (try color("inputColor0", default: "color(srgb 1 1 1)"), start),
      (try color("inputColor1", default: "color(srgb 0 0 0)"), 1),
    ].map { color, place in
      RecipeValue.object([
        RecipeValue.Member("color", color), RecipeValue.Member("at", .number(place)),
      ])
    }
    generate(
      "gradient",
      [("shape", shape), ("stops", .array(stops)), ("in", .string("linear sRGB"))])
    try add("convert", [("to", .string("sRGB"))])
  }
}
