internal import ColorSpaces

// Black point compensation: ISO 18619:2015, in the steps of Adobe's paper of 2006, with the choices of Little CMS
// 2.19, which keeps the hue of a source's black; earlier versions make it neutral.

/// The black of the perceptual reference medium of version 4 (ICC.1:2022, 6.3.3).
private let referenceBlack = SIMD3(0.00336, 0.0034731, 0.00287)

extension ICCTransform.Link {
  /// Returns the XYZ of the darkest color of the link as a source.
  func sourceBlack(_ intent: RenderingIntent) throws(ICCProfileError) -> SIMD3<Double> {
    guard case .profile(let profile) = self, !profile.isLink else { return .zero }
    return try profile.sourceBlack(intent) ?? .zero
  }

  /// Returns the XYZ of the darkest color that the link can reproduce as a target.
  func targetBlack(_ intent: RenderingIntent) throws(ICCProfileError) -> SIMD3<Double> {
    guard case .profile(let profile) = self, !profile.isLink else { return .zero }
    return try profile.targetBlack(intent)
  }
}

extension ICCProfile {
  /// Returns the source black of a profile; nil where it cannot be determined.
  fileprivate func sourceBlack(_ intent: RenderingIntent) throws(ICCProfileError) -> SIMD3<Double>?
  {
    if let black = try blackOfVersion4(intent) { return black }
    if intent == .relativeColorimetric, header.profileClass == "prtr", try model().isInks {
      return try blackOfPerceptualTable()
    }
    return try blackOfDarkest(intent)
  }

  fileprivate func targetBlack(_ intent: RenderingIntent) throws(ICCProfileError) -> SIMD3<Double> {
    if let black = try blackOfVersion4(intent) { return black }
    let model = try model()
    let hasTable = has(Signature(stringLiteral: "B2A\(intent.tableNumber)"))
    let isFitted = model == .device("GRAY") || model == .device("RGB ") || model.isInks
    guard hasTable, isFitted else { return try sourceBlack(intent) ?? .zero }
    guard intent == .relativeColorimetric else { return try fittedBlack(intent, from: .zero) }
    guard let black = try sourceBlack(intent) else { return .zero }
    return try fittedBlack(intent, from: lab(ofXYZ: black))
  }

  /// Returns the fixed black of version 4 for perceptual and saturation tables; profiles without tables have their own.
  private func blackOfVersion4(
    _ intent: RenderingIntent
  ) throws(ICCProfileError) -> SIMD3<Double>? {
    guard header.version.major >= 4, intent == .perceptual || intent == .saturation else {
      return nil
    }
    return hasCurves ? try blackOfDarkest(.relativeColorimetric) : referenceBlack
  }

  /// Whether the profile also has curves, so that its tables are optional.
  private var hasCurves: Bool {
    switch header.colorSpace {
    case "GRAY": has("kTRC")
    case "RGB ":
      (["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"] as [Signature]).allSatisfy(has)
    default: false
    }
  }

  private func canRead(_ intent: RenderingIntent) -> Bool {
    has(Signature(stringLiteral: "A2B\(intent.tableNumber)")) || hasCurves
  }

  /// Returns the color of the darkest device values, no lighter than L* 50.
  private func blackOfDarkest(_ intent: RenderingIntent) throws(ICCProfileError) -> SIMD3<Double>? {
    guard canRead(intent), let darkest = try model().darkest else { return nil }
    let side = try inputSide(intent)
    var stages = side.stages
    stages.add(ConnectionStep(from: side.target, to: .lab).stages)
    let lab = stages(darkest, outputCount: 3)
    // Above L* 95 the profile is that of a negative, where the darkest device values are the lightest color.
    let lightness = lab[0] > 95 || lab[0] < 0 ? 0 : min(lab[0], 50)
    return xyz(ofLab: [lightness, lab[1], lab[2]])
  }

  /// Returns the black of the profile's perceptual table, which respects the total area coverage of the paper.
  private func blackOfPerceptualTable() throws(ICCProfileError) -> SIMD3<Double> {
    guard canRead(.perceptual), has("B2A0") || hasCurves else { return .zero }
    let lightness = try roundTrip(.perceptual)([0, 0, 0], outputCount: 3)[0]
    return xyz(ofLab: [min(lightness, 50), 0, 0])
  }

  /// Returns a round trip from Lab through the profile to Lab by its colorimetric tables.
  private func roundTrip(_ intent: RenderingIntent) throws(ICCProfileError) -> [ChannelStage] {
    try ICCTransform.stages([
      .init(.space(.lab), .relativeColorimetric), .init(.profile(self), intent),
      .init(.profile(self), .relativeColorimetric), .init(.space(.lab), .relativeColorimetric),
    ]).stages
  }

  /// Returns the black at which the curve of reproduced over requested lightness leaves its flat part.
  private func fittedBlack(
    _ intent: RenderingIntent, from first: SIMD3<Double>
  ) throws(ICCProfileError) -> SIMD3<Double> {
    let trip = try roundTrip(intent)
    let wanted = (0..<256).map { Double($0) * 100 / 255 }
    let tint = first.clamped(
      lowerBound: SIMD3(repeating: -50), upperBound: SIMD3(repeating: 50))
    var printed = wanted.map { trip([$0, tint.y, tint.z], outputCount: 3)[0] }
    for index in (1...254).reversed() { printed[index] = min(printed[index], printed[index + 1]) }
    let (darkest, lightest) = (printed[0], printed[255])
    guard darkest < lightest else { return .zero }
    let middle = darkest + 0.2 * (lightest - darkest)
    let isStraight = zip(wanted, printed).allSatisfy { $0 <= middle || abs($0 - $1) < 4 }
    if intent == .relativeColorimetric && isStraight { return xyz(ofLab: first) }

    let shadows = intent == .relativeColorimetric ? 0.1..<0.5 : 0.03..<0.25
    let points = zip(wanted, printed).map { ($0, ($1 - darkest) / (lightest - darkest)) }
      .filter { shadows.contains($0.1) }
    guard points.count >= 3 else { return .zero }
    return xyz(ofLab: [rootOfParabola(through: points), first.y, first.z])
  }
}

/// Returns the upper zero of the least-squares parabola through points, clamped to 0…50.
private func rootOfParabola(through points: [(x: Double, y: Double)]) -> Double {
  guard points.count >= 4 else { return 0 }
  func sum(_ term: ((x: Double, y: Double)) -> Double) -> Double {
    points.reduce(0) { $0 + term($1) }
  }
  let (x, x2) = (sum { $0.x }, sum { $0.x * $0.x })
  let (x3, x4) = (sum { $0.x * $0.x * $0.x }, sum { $0.x * $0.x * $0.x * $0.x })
  let normal = ColorMatrix(rows: [Double(points.count), x, x2], [x, x2, x3], [x2, x3, x4])
  guard abs(normal.determinant) > 1e-4 else { return 0 }
  let moments = SIMD3(sum { $0.y }, sum { $0.y * $0.x }, sum { $0.y * $0.x * $0.x })
  let fit = normal.inverse * moments
  let (a, b, c) = (fit.z, fit.y, fit.x)
  if abs(a) < 1e-10 { return abs(b) < 1e-10 ? 0 : min(max(-c / b, 0), 50) }
  let discriminant = b * b - 4 * a * c
  guard discriminant > 0 else { return 0 }
  return min(max((-b + discriminant.squareRoot()) / (2 * a), 0), 50)
}
