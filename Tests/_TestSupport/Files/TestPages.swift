/// TIFF files with several directories: pages, reduced pictures, and raw files.
package enum TestPages {
  /// A directory of a TIFF file: gray pixels of one value, and fields of integers or text.
  package struct Directory: Sendable {
    package var value: UInt8 = 0
    package var size = 2
    package var numbers: [Int: Int] = [:]
    package var text: [Int: String] = [:]
    package var children: [Directory] = []

    package init(
      value: UInt8 = 0, size: Int = 2, numbers: [Int: Int] = [:], text: [Int: String] = [:],
      children: [Directory] = []
    ) {
      (self.value, self.size, self.numbers) = (value, size, numbers)
      (self.text, self.children) = (text, children)
    }
  }

  /// Returns a classic TIFF file with a chain of directories.
  package static func tiff(_ directories: [Directory], isBigEndian: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      value.bytes(count, isBigEndian: isBigEndian)
    }
    var file = Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(0, 4)
    func put(_ directory: Directory) -> (start: Int, link: Int) {
      let children = directory.children.map { put($0).start }
      let pixels = file.count
      file += [UInt8](repeating: directory.value, count: directory.size * directory.size)
      var entries: [Int: (type: Int, count: Int, value: [UInt8])] = [:]
      let standard = [
        256: directory.size, 257: directory.size, 258: 8, 259: 1, 262: 1, 273: pixels, 277: 1,
        278: directory.size, 279: directory.size * directory.size,
      ]
      for (tag, value) in standard.merging(directory.numbers, uniquingKeysWith: { $1 }) {
        entries[tag] = (4, 1, number(value, 4))
      }
      for (tag, text) in directory.text {
        let start = file.count
        file += Array(text.utf8) + [0]
        entries[tag] = (2, text.utf8.count + 1, number(start, 4))
      }
      if !children.isEmpty {
        let start = file.count
        file += children.flatMap { number($0, 4) }
        entries[330] = (4, children.count, number(children.count == 1 ? children[0] : start, 4))
      }
      if file.count % 2 == 1 { file.append(0) }
      let start = file.count
      file += number(entries.count, 2)
      for (tag, entry) in entries.sorted(by: { $0.key < $1.key }) {
        file += number(tag, 2) + number(entry.type, 2) + number(entry.count, 4) + entry.value
      }
      file += number(0, 4)
      return (start, file.count - 4)
    }
    var link = 4
    for directory in directories {
      let (start, next) = put(directory)
      file.replaceSubrange(link..<link + 4, with: number(start, 4))
      link = next
    }
    return file
  }
}
