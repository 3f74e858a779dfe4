internal import CLittleCMS
internal import ColorSpaces

/// A profile opened by Little CMS for parsing. Little CMS does not convert any color.
///
/// Each parser has a Little CMS context of its own, with an error handler and an allocator with a limit, so that
/// concurrent reads of profiles share no state. The handle is closed when the parser goes out of scope.
struct ProfileParser: ~Copyable {
  private let monitor: ParserMonitor
  private let context: cmsContext
  private let handle: cmsHPROFILE

  /// Opens a profile after ``ProfileLayout`` validated its size, header and tag directory.
  init(_ bytes: [UInt8], byteLimit: Int) throws(ICCProfileError) {
    let monitor = ParserMonitor(byteLimit: byteLimit, profileByteCount: bytes.count)
    guard let context = monitor.makeContext() else {
      throw .refused("memory to open it could not be allocated")
    }
    let handle = bytes.withUnsafeBytes {
      cmsOpenProfileFromMemTHR(context, $0.baseAddress, cmsUInt32Number($0.count))
    }
    guard let handle else {
      cmsDeleteContext(context)
      throw (monitor.failure ?? .refused("Little CMS cannot open it")).error { .refused($0) }
    }
    (self.monitor, self.context, self.handle) = (monitor, context, handle)
  }

  deinit {
    _ = cmsCloseProfile(handle)
    cmsDeleteContext(context)
  }

  /// The header fields that determine the use of the profile.
  var header: ProfileHeader {
    // The version is binary-coded decimal: a byte for the major number, four bits for the minor one.
    let version = cmsGetEncodedICCversion(handle)
    return ProfileHeader(
      version: .init(major: Int(version >> 24), minor: Int(version >> 20 & 15)),
      profileClass: Signature(rawValue: cmsGetDeviceClass(handle).rawValue),
      colorSpace: Signature(rawValue: cmsGetColorSpace(handle).rawValue),
      connectionSpace: Signature(rawValue: cmsGetPCS(handle).rawValue),
      // The upper half of the field is not part of the intent (ICC.1:2022, 7.2.15). Unknown intents count as
      // perceptual.
      intent: RenderingIntent(rawValue: Int(cmsGetHeaderRenderingIntent(handle) & 0xFFFF))
        ?? .perceptual)
  }

  /// The signatures of the tag directory, in order.
  var tags: [Signature] {
    (0..<max(0, cmsGetTagCount(handle))).map {
      Signature(rawValue: cmsGetTagSignature(handle, cmsUInt32Number($0)).rawValue)
    }
  }

  /// The bytes of a tag, beginning with its type signature; nil if there is no such tag.
  func rawTag(_ tag: Signature) throws(ICCProfileError) -> [UInt8]? {
    guard cmsIsTag(handle, tag.littleCMS) != 0 else { return nil }
    let count = cmsReadRawTag(handle, tag.littleCMS, nil, 0)
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, used in
      used = Int(cmsReadRawTag(handle, tag.littleCMS, buffer.baseAddress, count))
    }
    guard count >= 8 else { throw malformed(tag, "it has \(count) bytes; a tag has at least 8") }
    guard bytes.count == count else {
      throw malformed(tag, "\(bytes.count) of its \(count) bytes can be read")
    }
    return bytes
  }

  /// The color in a tag of type `XYZ `.
  func color(_ tag: Signature) throws(ICCProfileError) -> SIMD3<Double> {
    let color = try decoded(tag).load(as: cmsCIEXYZ.self)
    return SIMD3(color.X, color.Y, color.Z)
  }

  /// The matrix of the tag `chad`, in row-major order.
  func adaptation() throws(ICCProfileError) -> [Double] {
    let numbers = try decoded("chad").assumingMemoryBound(to: cmsFloat64Number.self)
    return (0..<9).map { numbers[$0] }
  }

  /// The text of a tag, in English if available; nil if there is none.
  func text(_ tag: Signature) -> String? {
    guard let block = try? decoded(tag) else { return nil }
    let text = OpaquePointer(block)
    let byteCount = Int(cmsMLUgetWide(text, "en", "\0\0", nil, 0))
    guard byteCount > 0, byteCount <= 1 << 20 else { return nil }
    let size = MemoryLayout<wchar_t>.size
    return withUnsafeTemporaryAllocation(
      byteCount: byteCount, alignment: MemoryLayout<wchar_t>.alignment
    ) { buffer in
      guard let units = buffer.baseAddress else { return nil }
      cmsMLUgetWide(
        text, "en", "\0\0", units.assumingMemoryBound(to: wchar_t.self), cmsUInt32Number(byteCount))
      return decodedText(
        (0..<byteCount / size).map {
          size == 2
            ? UInt32(units.load(fromByteOffset: 2 * $0, as: UInt16.self))
            : units.load(fromByteOffset: 4 * $0, as: UInt32.self)
        })
    }
  }

  /// Returns Little CMS's decoding of a tag. The handle owns it.
  private func decoded(_ tag: Signature) throws(ICCProfileError) -> UnsafeMutableRawPointer {
    guard cmsIsTag(handle, tag.littleCMS) != 0 else { throw .missingTag(tag.description) }
    monitor.failure = nil
    let block = cmsReadTag(handle, tag.littleCMS)
    // Little CMS 2.14 reports a tag with too few values and still returns it.
    guard let block, monitor.failure == nil else {
      throw (monitor.failure ?? .refused("Little CMS cannot read it")).error {
        .malformedTag(tag.description, reason: $0)
      }
    }
    return block
  }

  private func malformed(_ tag: Signature, _ reason: String) -> ICCProfileError {
    .malformedTag(tag.description, reason: reason)
  }
}

// MARK: - Curves

extension ProfileParser {
  /// The curve in a tag.
  func curve(_ tag: Signature) throws(ICCProfileError) -> ChannelCurve {
    guard let bytes = try rawTag(tag) else { throw .missingTag(tag.description) }
    let reader = TagReader(tag, bytes)
    // Little CMS rejects longer tables, and does not round the values of others.
    let longestTable = 32_767
    if reader.type == "curv", try reader.uint32(at: 8) > longestTable {
      var offset = 0
      return try reader.curve(at: &offset)
    }
    let curve = OpaquePointer(try decoded(tag))
    let type = Int(cmsGetToneCurveParametricType(curve))
    if type > 0, let parameters = cmsGetToneCurveParams(curve) {
      // Little CMS numbers function types from one, profiles number the same five from zero.
      guard type <= ParametricCurve.parameterCounts.count else {
        throw malformed(tag, "function \(type - 1) is unknown; 0 to 4 exist")
      }
      let count = ParametricCurve.parameterCounts[type - 1]
      return try reader.curve(function: type - 1, (0..<count).map { parameters[$0] })
    }
    guard let entries = cmsGetToneCurveEstimatedTable(curve) else {
      throw malformed(tag, "its curve has no entries")
    }
    let count = Int(cmsGetToneCurveEstimatedTableEntries(curve))
    return try reader.curve((0..<count).map { entries[$0] })
  }
}

// MARK: - Named colors

extension ProfileParser {
  /// The colors of the tag `ncl2`; empty if there is no such tag.
  func namedColors(_ connection: ColorModel) throws(ICCProfileError) -> [NamedProfileColor] {
    guard let bytes = try rawTag("ncl2") else { return [] }
    let deviceCount = try TagReader("ncl2", bytes).uint32(at: 16)
    let list = OpaquePointer(try decoded("ncl2"))
    // Lab is encoded as in lut16Type (ICC.1:2022, 10.17).
    let decoding = TableEncoding.legacy.decoding(connection)
    return (0..<cmsNamedColorCount(list)).map { index in
      var name = [CChar](repeating: 0, count: Int(cmsMAX_PATH))
      var (prefix, suffix) = ([CChar](repeating: 0, count: 33), [CChar](repeating: 0, count: 33))
      var (stored, device) = ([UInt16](repeating: 0, count: 3), [UInt16](repeating: 0, count: 16))
      cmsNamedColorInfo(list, index, &name, &prefix, &suffix, &stored, &device)
      func component(_ axis: Int) -> Double {
        decoding.rows[axis][axis] * Double(stored[axis]) / 65_535 + decoding.offset[axis]
      }
      return NamedProfileColor(
        name: [prefix, name, suffix].map { $0.withUnsafeBufferPointer(printableText) }.joined(),
        connection: SIMD3(component(0), component(1), component(2)),
        device: device.prefix(deviceCount).map { Double($0) / 65_535 })
    }
  }
}

extension Signature {
  fileprivate var littleCMS: cmsTagSignature { cmsTagSignature(rawValue: rawValue) }
}

/// Decodes wide characters of Little CMS up to the first zero.
private func decodedText(_ units: [UInt32]) -> String? {
  let units = units.prefix { $0 != 0 }.prefix(512)
  // Version 2 texts come as one sign-extended byte per unit. They should be ASCII, and are often UTF-8.
  let isBytes = units.contains { $0 > 0x10_FFFF }
  let text = printable(
    isBytes
      ? String(decoding: units.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
      : String(decoding: units.flatMap(utf16), as: UTF16.self))
  return text.isEmpty ? nil : text
}

/// A wide character as UTF-16: Little CMS 2.14 joins surrogates, other versions may not.
private func utf16(_ unit: UInt32) -> [UInt16] {
  Unicode.Scalar(unit).map { Array($0.utf16) } ?? [UInt16(truncatingIfNeeded: unit)]
}

/// Decodes bytes up to the first zero.
private func printableText(_ bytes: UnsafeBufferPointer<CChar>) -> String {
  printable(
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
}

/// Removes control characters, since names are shown on terminals.
private func printable(_ text: String) -> String {
  String(
    String.UnicodeScalarView(
      text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
}
