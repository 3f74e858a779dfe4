/// The words of a text header, separated by spaces, line ends or comments from # to the end of a line.
struct HeaderWords {
  private let bytes: ByteSource
  private let window: ByteWindow
  private(set) var position = 0

  init(_ bytes: ByteSource) { (self.bytes, window) = (bytes, ByteWindow(bytes)) }

  /// The next word. No header has long ones.
  mutating func next() throws(ImageFileError) -> String {
    try skipSpaces()
    let start = position
    while position < bytes.count, position - start < 64 {
      let byte = try window[position]
      if isSpace(byte) || byte == Self.commentStart { break }
      position += 1
    }
    guard position > start, position < bytes.count else {
      throw .damaged(file: bytes.name, reason: "it ends after \(bytes.count) bytes, in its header")
    }
    return String(decoding: try bytes.array(start..<position), as: UTF8.self)
  }

  /// A number from 1 up.
  mutating func wholeNumber() throws(ImageFileError) -> Int {
    let word = try next()
    guard let number = Int(word), number > 0 else {
      throw .damaged(file: bytes.name, reason: "its header has “\(word)” where a number belongs")
    }
    return number
  }

  /// Where the pixels begin: after the one space, line end or comment that follows the last word.
  mutating func endOfWords() throws(ImageFileError) -> Int {
    if try window[position] == Self.commentStart { try skipComment() }
    position += 1
    return position
  }

  private static let commentStart = UInt8(ascii: "#")

  /// Moves to the end of the line.
  private mutating func skipComment() throws(ImageFileError) {
    while position < bytes.count, try window[position] != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipSpaces() throws(ImageFileError) {
    while position < bytes.count {
      if try window[position] == Self.commentStart {
        try skipComment()
      } else if try isSpace(window[position]) {
        position += 1
      } else {
        return
      }
    }
  }
}

/// Whether a byte stands between words.
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
