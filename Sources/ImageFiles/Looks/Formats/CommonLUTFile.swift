internal import ColorSpaces
internal import FilterGraph

extension Look {
  /// A chain of the Common LUT Format (S-2014-006 and SMPTE ST 2136-1): matrices, ranges, curves,
  /// tables, color decisions, powers and logarithms, and the `IndexMap` and `hueAdjust` of
  /// version 2. Curves over half floats are refused by name.
  init(
    commonLUT document: XMLElement, file: String, _ memory: LookMemory
  ) throws(LookFileError) {
    guard document.name == "ProcessList" else {
      throw .incomplete(file: file, reason: "it is no <ProcessList> but a <\(document.name)>")
    }
    if let version = document.attributes["compCLFversion"], !isKnown(version) {
      throw .unsupported(
        file: file,
        reason: "its compCLFversion is “\(version.prefix(40))”; versions up to 3.0 and "
          + "\(smpteVersion) are known")
    }
    // SMPTE ST 2136-1 has the identifier in an element, earlier versions in an attribute.
    var identifier = document.attributes["id"] ?? document.child("Id")?.text
    if identifier.map(Self.isHash) == true { identifier = nil }
    self.init(title: document.attributes["name"] ?? identifier ?? "")
    let descriptions: Set = ["Id", "Description", "InputDescriptor", "OutputDescriptor", "Info"]
    var previous: CommonLUTStep?
    for element in document.children where !descriptions.contains(element.name) {
      let step = try CommonLUTStep(element, file: file, memory)
      if element.attributes["bypass"] != "true" { steps += try step.steps() }
      if let previous { try step.checkBitDepth(after: previous) }
      previous = step
    }
  }
}

/// The value of `compCLFversion` in files of SMPTE ST 2136-1.
private let smpteVersion = "ST2136-1:2024"

/// Whether a `compCLFversion` is that of SMPTE, or `major.minor.revision` up to 3.0.0.
private func isKnown(_ version: String) -> Bool {
  if version == smpteVersion { return true }
  let parts = version.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
  let numbers = parts.compactMap { UInt($0) }
  return numbers.count == parts.count && numbers.count <= 3
    && numbers.lexicographicallyPrecedes([3, 0, 1])
}

struct CommonLUTStep {
  let element: XMLElement
  let file: String
  private let memory: LookMemory
  private let inputDepth, outputDepth: String
  /// The input and output values that stand for 1, by the bit depths of the step.
  let inputOne, outputOne: Double

  init(_ element: XMLElement, file: String, _ memory: LookMemory) throws(LookFileError) {
    (self.element, self.file, self.memory) = (element, file, memory)
    inputDepth = element.attributes["inBitDepth"] ?? "32f"
    outputDepth = element.attributes["outBitDepth"] ?? "32f"
    func one(_ depth: String) throws(LookFileError) -> Double {
      let depths = [
        "8i": 255.0, "10i": 1023, "12i": 4095, "16i": 65_535, "16f": 1, "32f": 1,
      ]
      guard let one = depths[depth] else {
        throw .unsupported(
          file: file, reason: "<\(element.name)> has the unknown bit depth \(depth.prefix(40))")
      }
      return one
    }
    inputOne = try one(inputDepth)
    outputOne = try one(outputDepth)
  }

  /// Throws where the step's input has another bit depth than the output of the step before it.
  func checkBitDepth(after previous: CommonLUTStep) throws(LookFileError) {
    guard inputDepth == previous.outputDepth else {
      throw unsupported(
        "<\(element.name)> has the inBitDepth \(inputDepth), but <\(previous.element.name)> before "
          + "it the outBitDepth \(previous.outputDepth); both must be the same")
    }
  }

  func steps() throws(LookFileError) -> [Look.Step] {
    switch element.name {
    case "Matrix": return try matrix()
    case "Range": return try range()
    case "LUT1D":
      let (curves, size) = try curves()
      return try indexSteps(size: size) + [curves]
    case "LUT3D":
      let table = try table()
      return try indexSteps(size: table.size) + [.table(table)]
    case "ASC_CDL": return try decisions()
    case "Exponent": return [try exponent()]
    case "Log": return [try logarithm()]
    default: throw unsupported("<\(element.name)> is not known")
    }
  }

  func unsupported(_ reason: String) -> LookFileError {
    .unsupported(file: file, reason: reason)
  }

  /// The element's array, and its dimensions, of which there must be so many.
  private func array(
    dimensions: ClosedRange<Int>
  ) throws(LookFileError) -> (array: XMLElement, sides: [Int]) {
    guard let array = element.child("Array") else {
      throw .incomplete(file: file, reason: "<\(element.name)> has no <Array>")
    }
    guard let text = array.attributes["dim"] else {
      throw .incomplete(file: file, reason: "the array of <\(element.name)> states no dimensions")
    }
    let words = text.split(maxSplits: dimensions.upperBound + 1, whereSeparator: \.isWhitespace)
    let sides = words.compactMap { Int($0) }
    guard sides.count == words.count, dimensions.contains(sides.count) else {
      throw unsupported(
        "the array of <\(element.name)> has \(dimensions.lowerBound) dimensions; its dim is "
          + "“\(text.prefix(40))”")
    }
    return (array, sides)
  }

  /// The error for an array of dimensions that the element cannot have.
  private func unknownSize(_ sides: [Int]) -> LookFileError {
    let size = sides.map { "\($0)" }.joined(separator: " × ")
    return unsupported("an array of \(size) in <\(element.name)> is not known")
  }

  /// The values of an array, of which there must be `count`, divided by `one`.
  private func values(
    _ array: XMLElement, count: Int, one: Double
  ) throws(LookFileError) -> [Float] {
    try memory.check(MemoryLayout<Float>.stride * count)
    var values: [Float] = []
    // A number and its separator have at least two bytes.
    values.reserveCapacity(min(count, array.content.count / 2 + 1))
    let found = try array.forEachNumber(file: file) { index, number in
      if index < count { values.append(Float(number / one)) }
    }
    try expect(count, found: found)
    return values
  }

  private func expect(_ count: Int, found: Int) throws(LookFileError) {
    guard found == count else {
      throw .incomplete(
        file: file,
        reason: "the array of <\(element.name)> has \(found) numbers and should have \(count)")
    }
  }

  private func matrix() throws(LookFileError) -> [Look.Step] {
    // Version 2 has a third dimension, the number of channels.
    let (array, sides) = try array(dimensions: 2...3)
    guard sides[0] == 3, sides[1] == 3 || sides[1] == 4, sides.count == 2 || sides[2] == 3 else {
      throw unknownSize(sides)
    }
    var numbers: [Double] = []
    let found = try array.forEachNumber(file: file) { index, number in
      if index < 12 { numbers.append(number) }
    }
    try expect(3 * sides[1], found: found)
    func row(_ index: Int) -> SIMD3<Double> {
      let first = index * sides[1]
      return SIMD3(numbers[first], numbers[first + 1], numbers[first + 2]) * inputOne / outputOne
    }
    let offset = sides[1] == 4 ? SIMD3(numbers[3], numbers[7], numbers[11]) / outputOne : .zero
    return [
      .matrix(ColorMatrix(rows: row(0), row(1), row(2))), .affine(scale: .one, offset: offset),
    ]
  }

  private func range() throws(LookFileError) -> [Look.Step] {
    func value(_ name: String, _ one: Double) throws(LookFileError) -> Double? {
      guard let child = element.child(name) else { return nil }
      return try child.numbers(count: 1, file: file)[0] / one
    }
    let (minIn, maxIn) = (
      try value("minInValue", inputOne), try value("maxInValue", inputOne)
    )
    let (minOut, maxOut) = (
      try value("minOutValue", outputOne), try value("maxOutValue", outputOne)
    )
    guard (minIn == nil) == (minOut == nil), (maxIn == nil) == (maxOut == nil) else {
      throw .incomplete(
        file: file,
        reason: "a <Range> states minInValue and minOutValue, maxInValue and maxOutValue, or all "
          + "four; one of a pair is missing")
    }
    let clamps = element.attributes["style"]?.lowercased() != "noclamp"
    var steps: [Look.Step] = []
    if let minIn, let maxIn, let minOut, let maxOut {
      // The scale of a narrower range could overflow single precision.
      guard maxIn - minIn >= 1e-6 else {
        throw .incomplete(
          file: file, reason: "a <Range> ends before it begins, or is narrower than 1e-6")
      }
      let scale = (maxOut - minOut) / (maxIn - minIn)
      steps.append(
        .affine(
          scale: SIMD3(repeating: scale), offset: SIMD3(repeating: minOut - minIn * scale)))
    } else if let input = minIn ?? maxIn, let output = minOut ?? maxOut {
      guard clamps else {
        throw unsupported("a <Range> of style noClamp states all four values; this one has two")
      }
      // Values of different bit depths are rounded.
      guard abs(output - input) < 1e-6 * max(1, abs(input)) else {
        throw unsupported(
          "a <Range> of one limit clamps only, so its input and output value are equal; these are "
            + "\(input) and \(output), as fractions of their bit depths")
      }
    } else {
      throw .incomplete(file: file, reason: "a <Range> states no pair of values")
    }
    if !clamps { return steps }
    let (lowest, highest) = (minOut ?? -.infinity, maxOut ?? .infinity)
    guard lowest <= highest else {
      throw .incomplete(file: file, reason: "a <Range> ends before it begins")
    }
    return steps + [.clamp(lowest...highest)]
  }

  /// The curves of a `LUT1D`, and how many entries each has.
  private func curves() throws(LookFileError) -> (step: Look.Step, size: Int) {
    if element.attributes["halfDomain"] == "true" || element.attributes["rawHalfs"] == "true" {
      throw unsupported("curves over half floats are not known")
    }
    let (array, sides) = try array(dimensions: 2...2)
    let sizes = Look.Step.curveSizes
    guard sizes.contains(sides[0]) else {
      throw unsupported(
        "<LUT1D> has \(sides[0]) entries; \(sizes.lowerBound) to \(sizes.upperBound) can be read")
    }
    guard sides[1] == 1 || sides[1] == 3 else { throw unknownSize(sides) }
    let values = try values(array, count: sides[0] * sides[1], one: outputOne)
    func curve(_ channel: Int) -> Curve {
      let column = min(channel, sides[1] - 1)
      return .sampled(SampledCurve((0..<sides[0]).map { values[$0 * sides[1] + column] }))
    }
    switch element.attributes["hueAdjust"]?.lowercased() ?? "none" {
    case "none": return (.curves(curve(0), curve(1), curve(2)), sides[0])
    case "dw3": return (.hueAdjustedCurves(curve(0), curve(1), curve(2)), sides[0])
    case let adjustment: throw unsupported("the hueAdjust “\(adjustment.prefix(40))” is not known")
    }
  }

  private func table() throws(LookFileError) -> ColorTable {
    let (array, sides) = try array(dimensions: 4...4)
    let size = sides[0]
    guard ColorTable.sizes.contains(size), sides == [size, size, size, 3] else {
      throw unknownSize(sides)
    }
    var values = try values(array, count: 3 * size * size * size, one: outputOne)
    values.exchangeRedAndBlue(size: size)
    return try ColorTable(
      size: size, values: values,
      interpolation: element.attributes["interpolation"] == "tetrahedral"
        ? .tetrahedral : .trilinear, file: file)
  }

  /// Returns the channel that parameters apply to: R, G or B, or none for all channels.
  func channel(of parameters: XMLElement) throws(LookFileError) -> String {
    guard let channel = parameters.attributes["channel"] else { return "" }
    let name = channel.uppercased()
    guard ["R", "G", "B"].contains(name) else {
      throw unsupported(
        "the channel “\(channel.prefix(40))” of <\(parameters.name)> is not known; it is R, G or B")
    }
    return name
  }

  /// A logarithm of all channels, or one for each.
  private func logarithm() throws(LookFileError) -> Look.Step {
    let style = element.attributes["style"] ?? ""
    let plain: [String: SegmentedCurve] = [
      "log10": SegmentedCurve([.log(base: 10)]), "log2": SegmentedCurve([.log(base: 2)]),
      "antiLog10": SegmentedCurve([.exponential(base: 10)]),
      "antiLog2": SegmentedCurve([.exponential(base: 2)]),
    ]
    if let curve = plain[style] {
      return .curves(.segmented(curve), .segmented(curve), .segmented(curve))
    }
    let styles: Set = ["linToLog", "logToLin", "cameraLinToLog", "cameraLogToLin"]
    guard styles.contains(style) else {
      throw unsupported("the style \(style) of <Log> is not known")
    }
    var curves: [String: Curve] = [:]
    for parameters in element.all("LogParams") {
      curves[try channel(of: parameters)] = .segmented(
        try logParameters(parameters, isCamera: style.hasPrefix("camera"))
          .curve(isInverse: style.hasSuffix("ToLin")))
    }
    guard let red = curves["R"] ?? curves[""], let green = curves["G"] ?? curves[""],
      let blue = curves["B"] ?? curves[""]
    else {
      throw .incomplete(file: file, reason: "a <Log> has no <LogParams> for some of its channels")
    }
    return .curves(red, green, blue)
  }

  /// The parameters of a `LogParams` element, checked.
  private func logParameters(
    _ element: XMLElement, isCamera: Bool
  ) throws(LookFileError) -> LogarithmParameters {
    let ofCameras = ["linSideBreak", "linearSlope"]
    if !isCamera, let name = ofCameras.first(where: { element.attributes[$0] != nil }) {
      throw unsupported(
        "a <LogParams> has a \(name), which only cameraLinToLog and cameraLogToLin have")
    }
    func value(_ name: String) throws(LookFileError) -> Double? {
      guard let text = element.attributes[name] else { return nil }
      guard let value = decimalNumber(text), abs(value) <= 1e6 else {
        throw unsupported("the \(name) “\(text.prefix(40))” of a <LogParams> is no usable number")
      }
      return value
    }
    let log = LogarithmParameters(
      base: try value("base") ?? 2, logSlope: try value("logSideSlope") ?? 1,
      logOffset: try value("logSideOffset") ?? 0, linearSlope: try value("linSideSlope") ?? 1,
      linearOffset: try value("linSideOffset") ?? 0,
      lineEnd: try value("linSideBreak"), lineSlope: try value("linearSlope"))
    let rises = log.logSlope > 0 && log.linearSlope > 0 && log.lineSlope ?? 1 >= 1e-6
    guard log.base > 1, abs(log.logSlope) >= 1e-6, abs(log.linearSlope) >= 1e-6, rises || !isCamera
    else {
      throw unsupported(
        "a logarithm has a base above 1, slopes that are not 0 and, with a line, rise; a <LogParams> "
          + "has others")
    }
    guard !isCamera || log.lineEnd != nil else {
      throw .incomplete(
        file: file, reason: "a <LogParams> of a camera's logarithm states no linSideBreak")
    }
    if let argument = log.argumentAtBreak, argument <= 0 {
      throw unsupported("the break of a <LogParams> lies where its logarithm has no value")
    }
    return log
  }
}
