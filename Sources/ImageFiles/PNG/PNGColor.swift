internal import CPNG
internal import ColorSpaces
internal import ICCProfiles
internal import ImageBuffer

extension PNGChunks {
  /// What the file states about its color, its ICC profile, and contradictions.
  typealias Statement = (color: StatedColor, profile: ICCProfile?, notes: [ImageFileNote])

  /// The color space by the most trusted chunk (PNG, third edition, 4.3): cICP, iCCP, sRGB, then gAMA with cHRM. A cICP chunk that
  /// cannot be used gives way to those after it.
  func statedColor(limits: FileLimits) -> Statement {
    let byProfile = bodies["iCCP"].map { statedColor(byPacked: $0, limits: limits) }
    var statement = mostTrusted(byProfile)
    statement.notes += contradictions(of: statement.color, byProfile?.color)
    if case .unstated = statement.color { statement.notes += loneGammaNotes }
    return statement
  }

  /// A note of the chunk gAMA without cHRM, which states no color space, but may contradict the assumed one.
  private var loneGammaNotes: [ImageFileNote] {
    guard let gamma = bodies["gAMA"], gamma.count == 4, gamma.bigEndian32(at: 0) > 0 else {
      return []
    }
    let exponent = (100_000_000 / Double(gamma.bigEndian32(at: 0))).rounded() / 1000
    return [
      .unread(
        "its gamma (gAMA), an exponent of \(exponent), which without primaries (cHRM) states no color "
          + "space")
    ]
  }

  private func mostTrusted(_ byProfile: (color: StatedColor, profile: ICCProfile?)?) -> Statement {
    do throws(ImageFileError) {
      guard let space = try spaceOfCodePoints() else { return statedColor(besides: byProfile) }
      return (.space(space, by: .codePoints), byProfile?.profile, [])
    } catch {
      let others = statedColor(besides: byProfile)
      guard case .space(_, let statement) = others.color else {
        return (.unusable(error), byProfile?.profile, [])
      }
      return (
        others.color, others.profile, [.unusableColor(reason: error.colorReason, used: statement)]
      )
    }
  }

  /// Returns the color space by all chunks except cICP.
  private func statedColor(
    besides byProfile: (color: StatedColor, profile: ICCProfile?)?
  ) -> Statement {
    do throws(ImageFileError) {
      if let (color, profile) = byProfile { return (color, profile, []) }
      if bodies["sRGB"] != nil { return (.space(.sRGB, by: .sRGBMark), nil, []) }
      return (try spaceOfNumbers().map { .space($0, by: .chromaticities) } ?? .unstated, nil, [])
    } catch {
      return (.unusable(error), byProfile?.profile, [])
    }
  }

  /// Returns notes where less trusted chunks describe other spaces than the one in use. LUT and gray profiles are approximations and not
  /// compared.
  private func contradictions(of color: StatedColor, _ byProfile: StatedColor?) -> [ImageFileNote] {
    guard !isGray, case .space(let space, let used) = color else { return [] }
    var others = [byProfile].compactMap(\.self)
    if bodies["sRGB"] != nil { others.append(.space(.sRGB, by: .sRGBMark)) }
    // Files in PQ (16) and HLG (18) state a power too, for old readers.
    let isHighRange = used == .codePoints && [16, 18].contains(bodies["cICP"]?[1])
    if !isHighRange, let numbers = try? spaceOfNumbers() {
      others.append(.space(numbers, by: .chromaticities))
    }
    return others.compactMap { other in
      guard case .space(let otherSpace, let statement) = other, statement != used,
        !space.isNear(otherSpace)
      else { return nil }
      return .conflictingColor(
        used: used, space: space.name, other: statement, otherSpace: otherSpace.name)
    }
  }

  private func statedColor(
    byPacked body: [UInt8], limits: FileLimits
  ) -> (color: StatedColor, profile: ICCProfile?) {
    do throws(ICCProfileError) {
      let bytes = try unpackedProfile(body, limit: min(limits.profileBytes, ICCProfile.byteLimit))
      return ImageFiles.statedColor(byProfile: bytes, isGray: isGray, file: file, limits: limits)
    } catch {
      return (.unusable(.profile(file: file, error)), nil)
    }
  }

  private func spaceOfCodePoints() throws(ImageFileError) -> ColorSpace? {
    guard let body = bodies["cICP"] else { return nil }
    guard body.count == 4 else {
      throw .damaged(file: file, reason: "its chunk “cICP” has \(body.count) bytes, not 4")
    }
    let points = CodePoints(body[0], body[1], body[2], body[3])
    // Code points of “unspecified” state nothing; reserved ones cannot be used.
    if points.primaries == 2 || points.transfer == 2 { return nil }
    // Narrow range has headroom and footroom in the codes of the samples.
    guard points.matrix == 0, let space = try? ColorSpace(cicp: points, bitDepth: max(bitDepth, 8))
    else {
      throw .unsupportedColor(
        file: file,
        reason: "its code points \(points) mean \(points.explanation), where RGB (0) is needed")
    }
    return space
  }

  /// A profile's name, a zero, the packing method (0), and the packed profile.
  private func unpackedProfile(
    _ body: [UInt8], limit: Int
  ) throws(ICCProfileError) -> [UInt8] {
    guard let zero = body.prefix(80).firstIndex(of: 0), body.dropFirst(zero + 1).first == 0 else {
      throw .refused("the PNG chunk “iCCP” around it is malformed")
    }
    switch inflated(body[(zero + 2)...], limit: limit) {
    case .bytes(let bytes): return bytes
    case .damaged: throw .refused("its packed bytes in the PNG are damaged")
    case .tooLarge: throw .tooLarge(byteCount: nil, limit: limit)
    }
  }

  /// Returns the space of gAMA and cHRM together; nil where only one of them is present.
  private func spaceOfNumbers() throws(ImageFileError) -> ColorSpace? {
    guard let gamma = bodies["gAMA"], let points = bodies["cHRM"] else { return nil }
    guard gamma.count == 4, points.count == 32 else {
      throw .damaged(file: file, reason: "its chunks “gAMA” and “cHRM” have the wrong length")
    }
    let exponent = 100_000 / Double(gamma.bigEndian32(at: 0))
    let numbers = (0..<8).map { Double(points.bigEndian32(at: 4 * $0)) / 100_000 }
    let (white, primaries) = (Array(numbers[..<2]), Array(numbers[2...]))
    guard
      let space = ColorSpace.ofChromaticities(
        "PNG", white: white, primaries: primaries, exponent: exponent)
    else {
      throw .unsupportedColor(
        file: file,
        reason: "its chunks “gAMA” and “cHRM” state an exponent of \(exponent), white \(white) and "
          + "primaries \(primaries)")
    }
    return space
  }
}

extension EncodingJob {
  /// The color chunks, in the order of the file.
  var pngColorChunks: [(name: String, body: [UInt8])] {
    get throws(ImageFileError) {
      guard let space else { return [] }
      if options.profile != nil, let given = try profile {
        return [("iCCP", packed(given, name: given.description))]
      }
      let points = codePoints(of: space)
      if points == ColorSpace.sRGB.cicp {
        // The values that PNG's third edition, 11.3.2.5, recommends beside sRGB, for old readers.
        let white: [UInt32] = [31_270, 32_900]
        let primaries: [UInt32] = [64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
        return [
          ("sRGB", [0]), ("gAMA", bigEndianBytes([45_455])),
          ("cHRM", bigEndianBytes(white + primaries)),
        ]
      }
      var chunks: [(String, [UInt8])] = []
      if let points { chunks.append(("cICP", points.bytes)) }
      // No profile can describe grays brighter than white; cICP alone describes them.
      let profile = points == nil ? try profile : try? profile
      if let profile { chunks.append(("iCCP", packed(profile, name: space.name))) }
      return chunks
    }
  }
}

extension EncodingJob {
  /// Returns the code points of the space, narrow range included, for the bit depth of the file.
  private func codePoints(of space: ColorSpace) -> CodePoints? {
    if let points = space.cicpForFiles { return points }
    guard let points = space.cicp, points.matrix == 0,
      let found = try? ColorSpace(cicp: points, bitDepth: 8 * samples.byteCount), found == space
    else { return nil }
    return points
  }
}

private func packed(_ profile: ICCProfile, name: String) -> [UInt8] {
  let letters = name.utf8.filter { (0x21..<0x7F).contains($0) || $0 == 0x20 }.prefix(79)
  return (letters.isEmpty ? Array("ICC profile".utf8) : Array(letters)) + [0, 0]
    + deflated(profile.bytes)
}

extension ColorSpace {
  /// Returns whether another space is roughly the same: transfer functions within 0.02 of an encoded value, and primaries within 0.03.
  ///
  /// The tolerance covers the rounding of profiles. Profiles do not state the luminance of white, so it is not compared. Spaces defined by
  /// lookup tables always count as near.
  fileprivate func isNear(_ other: ColorSpace) -> Bool {
    guard transfer.curves != nil, other.transfer.curves != nil else { return true }
    func shape(_ transfer: TransferFunction, _ x: Double) -> Double {
      power(max(transfer.decode(x) / transfer.decode(1), 0), 1 / 2.4)
    }
    let haveSameCurve = [0.25, 0.5, 0.75].allSatisfy {
      abs(shape(transfer, $0) - shape(other.transfer, $0)) <= 0.02
    }
    let corners: [SIMD3<Double>] = [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
    return haveSameCurve
      && corners.allSatisfy { corner in
        let there = ColorPoint(corner, in: linear).converted(to: other.linear).components
        return (0..<3).allSatisfy { abs(there[$0] - corner[$0]) <= 0.03 }
      }
  }
}

extension ImageFileError {
  /// The reason why a color statement cannot be used.
  fileprivate var colorReason: String {
    switch self {
    case .unsupportedColor(_, let reason), .damaged(_, let reason): reason
    default: finding
    }
  }
}
