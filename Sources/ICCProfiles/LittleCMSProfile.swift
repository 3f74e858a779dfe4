internal import CLittleCMS

/// A profile opened by Little CMS, with a context of its own; closed when the value goes.
///
/// Only tags whose type and size were checked before are asked for, so few of Little CMS's parsers ever run.
struct LittleCMSProfile: ~Copyable {
  /// What Little CMS has to say about errors.
  private final class Log {
    var messages: [String] = []
  }

  private let context: cmsContext
  private let handle: cmsHPROFILE
  private let log: Log

  init(_ profile: ICCProfile) throws(ICCProfileError) {
    let log = Log()
    // The log is a property of this value, so it outlives the context that points to it.
    guard let context = cmsCreateContext(nil, Unmanaged.passUnretained(log).toOpaque()) else {
      throw .refused("it found no memory for a context")
    }
    cmsSetLogErrorHandlerTHR(context) { context, _, message in
      guard let message, let log = cmsGetContextUserData(context) else { return }
      Unmanaged<Log>.fromOpaque(log).takeUnretainedValue().messages.append(String(cString: message))
    }
    // Little CMS copies the bytes.
    let handle = profile.bytes.withUnsafeBytes {
      cmsOpenProfileFromMemTHR(context, $0.baseAddress, cmsUInt32Number($0.count))
    }
    guard let handle else {
      cmsDeleteContext(context)
      throw withExtendedLifetime(log) { .refused(log.messages.last ?? "it does not say why") }
    }
    (self.context, self.handle, self.log) = (context, handle, log)
  }

  deinit {
    cmsCloseProfile(handle)
    cmsDeleteContext(context)
    withExtendedLifetime(log) {}
  }

  private func refusal(of tag: Signature) -> ICCProfileError {
    .refused("tag “\(tag)”: \(log.messages.last ?? "it cannot be read")")
  }

  private func pointer(_ tag: Signature) throws(ICCProfileError) -> UnsafeMutableRawPointer {
    guard let pointer = cmsReadTag(handle, cmsTagSignature(rawValue: tag.rawValue)) else {
      throw refusal(of: tag)
    }
    return pointer
  }

  /// A tag of type `XYZ `.
  func color(_ tag: Signature) throws(ICCProfileError) -> SIMD3<Double> {
    let color = try pointer(tag).assumingMemoryBound(to: cmsCIEXYZ.self).pointee
    return SIMD3(color.X, color.Y, color.Z)
  }

  /// A tag of type `sf32` with nine numbers or more: the first nine.
  func nineNumbers(_ tag: Signature) throws(ICCProfileError) -> [Double] {
    let numbers = try pointer(tag).assumingMemoryBound(to: cmsFloat64Number.self)
    return (0..<9).map { numbers[$0] }
  }

  /// A tag of type `para`: its function's number in ICC.1:2022, 10.18, and the function's parameters.
  func parametricCurve(
    _ tag: Signature
  ) throws(ICCProfileError) -> (function: Int, parameters: [Double]) {
    let curve = try pointer(tag).assumingMemoryBound(to: OpaquePointer.self)
    // The curve type is opaque in C; its address is all that Little CMS wants back.
    let opaque = OpaquePointer(curve)
    // Little CMS counts the functions from 1.
    let function = Int(cmsGetToneCurveParametricType(opaque)) - 1
    guard let count = parametricParameterCounts[function],
      let parameters = cmsGetToneCurveParams(opaque)
    else { throw refusal(of: tag) }
    return (function, (0..<count).map { parameters[$0] })
  }
}

/// How many parameters each function of a `para` tag has (ICC.1:2022, 10.18).
let parametricParameterCounts: [Int: Int] = [0: 1, 1: 3, 2: 4, 3: 5, 4: 7]
