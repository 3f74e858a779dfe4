/// Where the bytes of an encoder go that only ever adds some: an object whose address C can keep.
final class OrderedOutput {
  let sink: any ByteSink
  private var position = 0

  init(_ sink: any ByteSink) { self.sink = sink }

  /// What C passes back to ``put``. Valid while the object is.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Adds bytes for C; returns 1, or 0 where it cannot.
  static let put: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Int32 = {
    context, bytes, count in
    guard let context else { return 0 }
    let output = Unmanaged<OrderedOutput>.fromOpaque(context).takeUnretainedValue()
    return output.add(UnsafeRawBufferPointer(start: bytes, count: count)) ? 1 : 0
  }

  /// Adds bytes; returns whether it could.
  private func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard sink.put(bytes, at: position) else { return false }
    position += bytes.count
    return true
  }
}

/// Where the bytes of an encoder go that goes back: an object whose address C can keep.
final class PlacedOutput {
  let sink: any ByteSink

  init(_ sink: any ByteSink) { self.sink = sink }

  /// What C passes back to ``put``. Valid while the object is.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Puts bytes at a place for C; returns 1, or 0 where it cannot.
  static let put:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int, Int) -> Int32 = {
      context, bytes, count, position in
      guard let context else { return 0 }
      let output = Unmanaged<PlacedOutput>.fromOpaque(context).takeUnretainedValue()
      let part = UnsafeRawBufferPointer(start: bytes, count: count)
      return output.sink.put(part, at: position) ? 1 : 0
    }
}

extension ByteSink {
  /// Puts bytes at a place, or throws why it cannot.
  func store(_ bytes: [UInt8], at position: Int, file: String) throws(ImageFileError) {
    guard bytes.withUnsafeBytes({ put($0, at: position) }) else {
      throw .cannotWrite(file: file, reason: failure ?? "it takes no bytes")
    }
  }
}
