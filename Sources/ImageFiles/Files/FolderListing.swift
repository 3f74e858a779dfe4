internal import PlatformLibc

/// Returns the names in a folder as the bytes that the system has, in no order, and with “.” and “..”.
package func namesInFolder(_ path: String) throws(ImageFileError) -> [[UInt8]] {
  guard let folder = opendir(path) else {
    throw .cannotRead(file: path, reason: systemReason())
  }
  defer { closedir(folder) }
  var names: [[UInt8]] = []
  while true {
    // The end of the folder leaves it unchanged.
    errno = 0
    guard let entry = readdir(folder) else { break }
    names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
  }
  guard errno == 0 else { throw .cannotRead(file: path, reason: systemReason()) }
  return names
}
