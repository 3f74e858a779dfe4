internal import CPNG
internal import ColorSpaces
internal import ICCProfiles

extension PNGChunks {
  /// What the file's numbers mean. A file that does not say, or says it in a way that cannot be used, means `assumption`.
  func colorSpace(assuming assumption: ColorSpace?) throws(ImageFileError) -> ColorSpace {
    do throws(ImageFileError) {
      if let space = try taggedSpace() { return space }
    } catch {
      if let assumption { return assumption }
      throw error
    }
    guard let assumption else { throw .untagged(file: file) }
    return assumption
  }

  /// The most trusted chunk decides (PNG, third edition, 4.3): cICP, iCCP, sRGB, then gAMA with cHRM.
  private func taggedSpace() throws(ImageFileError) -> ColorSpace? {
    if let space = try spaceOfCodePoints() { return space }
    if let body = bodies["iCCP"] {
      do throws(ICCProfileError) {
        let profile = try ICCProfile(bytes: try unpackedProfile(body))
        return try isGray ? profile.graySpace() : profile.colorSpace()
      } catch { throw .profile(file: file, error) }
    }
    if bodies["sRGB"] != nil { return .sRGB }
    return try spaceOfNumbers()
  }

  private func spaceOfCodePoints() throws(ImageFileError) -> ColorSpace? {
    guard let body = bodies["cICP"] else { return nil }
    guard body.count == 4 else {
      throw .damaged(file: file, reason: "its chunk “cICP” has \(body.count) bytes, not 4")
    }
    let values = Array(body)
    switch CodePoints(values[0], values[1], values[2], values[3]).meaning {
    case .space(let space): return space
    case .unspecified: return nil
    case .unsupported(let reason): throw .unsupportedColor(file: file, reason: reason)
    }
  }

  /// A profile's name, a zero, the packing method (0), and the packed profile.
  private func unpackedProfile(_ body: ArraySlice<UInt8>) throws(ICCProfileError) -> [UInt8] {
    guard let zero = body.prefix(80).firstIndex(of: 0),
      body.dropFirst(zero - body.startIndex + 1).first == 0
    else { throw .refused("the PNG chunk “iCCP” around it is malformed") }
    let packed = body[(zero + 2)...]
    var capacity = 1 << 16
    while true {
      var count = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { target, used in
        count = packed.withUnsafeBufferPointer {
          cpng_inflate($0.baseAddress, $0.count, target.baseAddress, capacity)
        }
        used = max(count, 0)
      }
      if count >= 0 { return bytes }
      guard count == -2 else { throw .refused("its packed bytes in the PNG are damaged") }
      // A small file can hold an endless profile.
      guard capacity <= ICCProfile.byteLimit else {
        throw .tooLarge(byteCount: capacity, limit: ICCProfile.byteLimit)
      }
      capacity *= 4
    }
  }

  /// gAMA and cHRM together. One alone leaves half of the meaning open.
  private func spaceOfNumbers() throws(ImageFileError) -> ColorSpace? {
    guard let gamma = bodies["gAMA"], let lights = bodies["cHRM"] else { return nil }
    guard gamma.count == 4, lights.count == 32 else {
      throw .damaged(file: file, reason: "its chunks “gAMA” and “cHRM” have the wrong length")
    }
    let exponent = 100_000 / Double(gamma.uint32(at: 0))
    let points = (0..<4).map {
      Chromaticity(
        Double(lights.uint32(at: 8 * $0)) / 100_000, Double(lights.uint32(at: 8 * $0 + 4)) / 100_000
      )
    }
    let primaries = Primaries(red: points[1], green: points[2], blue: points[3], white: points[0])
    guard (0.05...20).contains(exponent), primaries.areUsable else {
      throw .unsupportedColor(
        file: file,
        reason: "its chunks “gAMA” and “cHRM” state a power of \(exponent), white \(points[0]) and "
          + "lights \(points[1]), \(points[2]), \(points[3])")
    }
    let transfer: TransferFunction = exponent == 1 ? .linear : .gamma(exponent)
    let space = ColorSpace("PNG gamma \(exponent)", primaries: primaries, transfer: transfer)
    return ColorSpace.named.first { $0.isInterchangeable(with: space) } ?? space
  }
}

extension Primaries {
  /// Whether the lights are colors, and mix others than themselves.
  fileprivate var areUsable: Bool {
    let areColors = [red, green, blue, white].allSatisfy {
      (0...1).contains($0.x) && (1e-5...1).contains($0.y)
    }
    guard areColors else { return false }
    // Twice the area of the triangle on the diagram.
    let area = (green.x - red.x) * (blue.y - red.y) - (blue.x - red.x) * (green.y - red.y)
    return abs(area) > 1e-4 && white.y > 0.1
  }
}

/// The chunks that tell what a file's numbers mean, by name, in the order in which they stand in the file.
func pngColorChunks(
  for space: ColorSpace, isGray: Bool
) throws(ICCProfileError) -> [(name: String, body: [UInt8])] {
  let points = CodePoints(of: space)
  if points == CodePoints(of: .sRGB) {
    // The numbers that PNG's third edition, 11.3.2.5, recommends beside sRGB, for readers that know no better.
    let white: [UInt32] = [31_270, 32_900]
    let lights: [UInt32] = [64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
    return [
      ("sRGB", [0]), ("gAMA", bigEndian([45_455])), ("cHRM", bigEndian(white + lights)),
    ]
  }
  // A gray picture must have a gray profile: readers ignore any other.
  let profile =
    try isGray ? ICCProfile(describingGraysOf: space) : ICCProfile(describing: space)
  var chunks: [(String, [UInt8])] = [("iCCP", packed(profile, name: space.name))]
  if let points { chunks.insert(("cICP", points.bytes), at: 0) }
  return chunks
}

private func packed(_ profile: ICCProfile, name: String) -> [UInt8] {
  let letters = name.utf8.filter { (0x21..<0x7F).contains($0) || $0 == 0x20 }.prefix(79)
  var count = compressBound(uLong(profile.bytes.count))
  let body = [UInt8](unsafeUninitializedCapacity: Int(count)) { target, used in
    let state = compress2(
      target.baseAddress, &count, profile.bytes, uLong(profile.bytes.count), Z_BEST_COMPRESSION)
    precondition(state == Z_OK, "zlib could not pack \(profile.bytes.count) bytes.")
    used = Int(count)
  }
  return (letters.isEmpty ? Array("ICC profile".utf8) : Array(letters)) + [0, 0] + body
}

private func bigEndian(_ numbers: [UInt32]) -> [UInt8] {
  numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
