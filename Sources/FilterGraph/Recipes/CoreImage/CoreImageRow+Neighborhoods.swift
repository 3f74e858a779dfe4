// What becomes of Core Image's filters that read neighbors, and of those that move pixels.
extension CoreImageRow {
  static let neighborhoods: [CoreImageRow] = [
    CoreImageRow(
      "CIGaussianBlur", parameters: ["inputRadius"],
      is: "`blurred(sigma:)`",
      but: "the radius is the standard deviation, in pixels; the size stays"
    ) { filter throws(RecipeDecodingError) in
      let radius = try filter.number("inputRadius", default: 10)
      try filter.add("gaussian-blur", [("sigma", .number(radius))])
    },
    CoreImageRow(
      "CIBoxBlur", parameters: ["inputRadius"],
      is: "`boxBlurred(radius:)`", but: "a square of 2 · radius + 1 pixels; whole radii"
    ) { filter throws(RecipeDecodingError) in
      let radius = try filter.integer("inputRadius", default: 10)
      try filter.add("box-blur", [("radius", .integer(radius))])
    },
    CoreImageRow(
      "CIMaskedVariableBlur", parameters: ["inputMask", "inputRadius"],
      is: "`blurred(sigma:mask:)`", but: "encoded values of the mask"
    ) { filter throws(RecipeDecodingError) in
      let radius = try filter.number("inputRadius", default: 5)
      let images = [
        try filter.image("inputImage", mirrored: true),
        try filter.image("inputMask", mirrored: true),
      ]
      filter.add("blur-by-mask", [("sigma", .number(radius))], to: images)
    },
    CoreImageRow(
      "CIMedianFilter", is: "`median(radius: 1)`", but: "any radius up to 50"
    ) { filter throws(RecipeDecodingError) in
      try filter.add("median", [("radius", .integer(1))])
    },
    CoreImageRow(
      "CIUnsharpMask", parameters: ["inputRadius", "inputIntensity"],
      is: "`sharpened(sigma:amount:threshold:)`"
    ) { filter throws(RecipeDecodingError) in
      let radius = try filter.number("inputRadius", default: 2.5)
      let intensity = try filter.number("inputIntensity", default: 0.5)
      try filter.add("sharpen", [("sigma", .number(radius)), ("amount", .number(intensity))])
    },
    CoreImageRow(
      "CISharpenLuminance", parameters: ["inputRadius", "inputSharpness"],
      is: "`sharpened(sigma:amount:channels: .luminance)`"
    ) { filter throws(RecipeDecodingError) in
      let radius = try filter.number("inputRadius", default: 1.69)
      let sharpness = try filter.number("inputSharpness", default: 0.4)
      try filter.add(
        "sharpen",
        [
          ("sigma", .number(radius)), ("amount", .number(sharpness)),
          ("channels", .string("luminance")),
        ])
    },
    CoreImageRow(
      "CIMorphologyRectangleMaximum", "CIMorphologyRectangleMinimum",
      parameters: ["inputWidth", "inputHeight"],
      is: "`dilated(by:)`, `eroded(by:)`", but: "squares of odd sides only"
    ) { filter throws(RecipeDecodingError) in
      let width = try filter.integer("inputWidth", default: 5)
      let height = try filter.integer("inputHeight", default: 5)
      guard width == height, width > 0, width % 2 == 1 else {
        throw filter.unmapped(
          "the rectangle is \(width) × \(height); only squares of odd sides have a counterpart")
      }
      let operation = filter.filterName.hasSuffix("Maximum") ? "dilate" : "erode"
      try filter.add(
        "morphology", [("operation", .string(operation)), ("radius", .integer(width / 2))])
    },
    convolution("CIConvolution", colorsOnly: false),
    convolution("CIConvolutionRGB", colorsOnly: true),
    CoreImageRow(
      "CIEdges", parameters: ["inputIntensity"],
      is: "`edges()`", but: "length of the Sobel gradient; the intensity is 1"
    ) { filter throws(RecipeDecodingError) in
      try filter.require("inputIntensity", 1)
      try filter.add("sobel", [])
    },
    CoreImageRow(
      "CISobelGradients", is: "`edges()`", but: "the length of the gradient, not its two parts"
    ) {
      filter throws(RecipeDecodingError) in
      try filter.add("sobel", [])
    },
    CoreImageRow(
      "CIGuidedFilter", parameters: ["inputRadius", "inputEpsilon"],
      is: "`guidedSmoothed(radius:contrast:)`",
      but: "guided by the picture itself; the contrast is the square root of epsilon"
    ) { filter throws(RecipeDecodingError) in
      let radius = try filter.integer("inputRadius", default: 1)
      let epsilon = try filter.number("inputEpsilon", default: 0.0001)
      guard epsilon >= 0 else {
        throw filter.unmapped(
          "inputEpsilon is \(epsilon); only numbers from 0 up have a counterpart")
      }
      try filter.add(
        "guided-filter",
        [("radius", .integer(radius)), ("contrast", .number(epsilon.squareRoot()))])
    },
  ]

  static let geometry: [CoreImageRow] = [
    CoreImageRow(
      "CILanczosScaleTransform", parameters: ["inputScale", "inputAspectRatio"],
      is: "`resized(to: .scaled(by:))`, `resized(to: .exact(w, h))`",
      but: "linear, premultiplied values; recipes take an aspect ratio of 1 only"
    ) { filter throws(RecipeDecodingError) in
      try filter.require("inputAspectRatio", 1)
      let scale = try filter.number("inputScale", default: 1)
      try filter.add("resize", [("to", .member("scaled", .number(scale)))])
    },
    CoreImageRow(
      "CICrop", parameters: ["inputRectangle"], is: "`cropped(to:)`", but: "whole pixels"
    ) { filter throws(RecipeDecodingError) in
      let rectangle = try filter.vector("inputRectangle", 4)
      let whole = rectangle.compactMap { Int(exactly: $0) }
      guard whole.count == 4 else {
        throw filter.unmapped(
          "inputRectangle is \(rectangle); only whole pixels have a counterpart")
      }
      let image = try filter.image("inputImage", mirrored: true)
      filter.add("crop", [("to", .array(whole.map(RecipeValue.integer)))], to: [image])
    },
    CoreImageRow(
      "CIAffineTransform", parameters: ["inputTransform"],
      is: "`transformed(by:)`", but: "a, b, c, d, tx, ty of a `CGAffineTransform`"
    ) { filter throws(RecipeDecodingError) in
      let t = try filter.vector("inputTransform", 6, default: [1, 0, 0, 1, 0, 0])
      let rows = [[t[0], t[2], t[4]], [t[1], t[3], t[5]], [0, 0, 1]]
      let image = try filter.image("inputImage", mirrored: true)
      filter.add("transform", [("matrix", .rows(rows))], to: [image])
    },
    CoreImageRow(
      "CIStraightenFilter", parameters: ["inputAngle"],
      is: "`rotated(degrees:)`", but: "clockwise; does not crop or scale"
    ) { filter throws(RecipeDecodingError) in
      let angle = try filter.number("inputAngle", default: 0)
      let image = try filter.image("inputImage", mirrored: false)
      filter.add("rotate", [("degrees", .number(-angle * 180 / .pi))], to: [image])
    },
    CoreImageRow(
      "CIPerspectiveTransform",
      parameters: ["inputTopLeft", "inputTopRight", "inputBottomRight", "inputBottomLeft"],
      is: "`perspective(to:)`"
    ) { filter throws(RecipeDecodingError) in
      let corners = try filter.corners()
      let image = try filter.image("inputImage", mirrored: true)
      filter.add("perspective", [("to", .rows(corners))], to: [image])
    },
    CoreImageRow(
      "CIPerspectiveCorrection",
      parameters: ["inputTopLeft", "inputTopRight", "inputBottomRight", "inputBottomLeft"],
      is: "`straightened(_:to:)`",
      but: "the size of the result is given; recipes take the longer of opposite sides"
    ) { filter throws(RecipeDecodingError) in
      let corners = try filter.corners()
      func length(_ a: Int, _ b: Int) -> Double {
        let (x, y) = (corners[a][0] - corners[b][0], corners[a][1] - corners[b][1])
        return (x * x + y * y).squareRoot()
      }
      let sides = [max(length(0, 1), length(3, 2)), max(length(0, 3), length(1, 2))]
      guard sides.allSatisfy({ $0.isFinite && $0 < 1e9 }) else {
        throw filter.unmapped("the corners are \(corners); they must lie within 1000000000 pixels")
      }
      let size = sides.map { RecipeValue.integer(max(1, Int($0.rounded()))) }
      let image = try filter.image("inputImage", mirrored: true)
      filter.add("straighten", [("corners", .rows(corners)), ("size", .array(size))], to: [image])
    },
  ]
}

extension CoreImageRow {
  /// The row of the convolutions whose names begin like that: of colors and alpha, or of straight colors alone.
  private static func convolution(_ prefix: String, colorsOnly: Bool) -> CoreImageRow {
    let shapes = [
      ("3X3", 3, 3), ("5X5", 5, 5), ("7X7", 7, 7), ("9Horizontal", 9, 1), ("9Vertical", 1, 9),
    ]
    return CoreImageRow(
      shapes.map { prefix + $0.0 }, parameters: ["inputWeights", "inputBias"],
      is: colorsOnly ? "`convolved(rows, in: .linear)`" : "`convolved(rows)`",
      but: "any odd size; no bias; recipes take the weights row by row from the top"
    ) { filter throws(RecipeDecodingError) in
      try filter.require("inputBias", 0)
      let name = filter.filterName
      guard let (_, width, height) = shapes.first(where: { name.hasSuffix($0.0) }) else { return }
      let weights = try filter.vector("inputWeights", width * height)
      let rows = (0..<height).map { Array(weights[$0 * width..<($0 + 1) * width]) }
      let image = try filter.image("inputImage", mirrored: false)
      let domain = colorsOnly ? "linear" : "linear-premultiplied"
      filter.add("convolution", [("rows", .rows(rows)), ("in", .string(domain))], to: [image])
    }
  }
}

extension CoreImageTranslation {
  /// The four corners in the order of this package in a mirrored picture, whose upper left corner is Core Image's bottom left one.
  fileprivate func corners() throws(RecipeDecodingError) -> [[Double]] {
    [
      try vector("inputBottomLeft", 2), try vector("inputBottomRight", 2),
      try vector("inputTopRight", 2), try vector("inputTopLeft", 2),
    ]
  }
}
