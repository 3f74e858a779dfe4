/// Receives the bytes of an encoder that only appends: an object whose address C can keep.
final class OrderedOutput {
  let sink: any ByteSink
  /// How many bytes there are.
  private(set) var position = 0

  init(_ sink: any ByteSink) { self.sink = sink }

  /// The context pointer that C passes back to ``put``. Valid as long as the object.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Appends bytes.
  func append(_ bytes: [UInt8], file: String) throws(ImageFileError) {
    guard bytes.withUnsafeBytes({ add($0) }) else {
      throw .cannotWrite(file: file, reason: sink.failure ?? "it takes no bytes")
    }
  }

  /// Appends bytes for C; returns 1, or 0 where they cannot be written.
  static let put: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Int32 = {
    context, bytes, count in
    guard let context else { return 0 }
    let output = Unmanaged<OrderedOutput>.fromOpaque(context).takeUnretainedValue()
    return output.add(UnsafeRawBufferPointer(start: bytes, count: count)) ? 1 : 0
  }

  /// Appends bytes; returns whether they could be written.
  private func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard sink.put(bytes, at: position) else { return false }
    position += bytes.count
    return true
  }
}

/// Receives the bytes of an encoder that seeks: an object whose address C can keep.
final class PlacedOutput {
  let sink: any ByteSink

  init(_ sink: any ByteSink) { self.sink = sink }

  /// The context pointer that C passes back to ``put``. Valid as long as the object.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Writes bytes at an offset for C; returns 1, or 0 where they cannot be written.
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
  /// Writes bytes at an offset.
  func store(_ bytes: [UInt8], at position: Int, file: String) throws(ImageFileError) {
    guard bytes.withUnsafeBytes({ put($0, at: position) }) else {
      throw .cannotWrite(file: file, reason: failure ?? "it takes no bytes")
    }
  }
}
