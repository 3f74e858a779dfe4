/// Values by their names and aliases. Letter case, spaces and punctuation do not matter.
package struct NameTable<Value: Sendable>: Sendable {
  private var names: [(name: String, keys: [String])] = []
  private var values: [String: Value] = [:]

  /// Creates a table. The first name of a value is its canonical one; where two values share a name, the first value
  /// wins.
  package init(_ entries: some Sequence<(names: [String], value: Value)>) {
    for (names, value) in entries {
      let keys = names.map(Self.key)
      self.names.append((names[0], keys))
      values.merge(keys.map { ($0, value) }) { first, _ in first }
    }
  }

  /// The lookup key of a name: its letters and digits, in lowercase.
  package static func key(_ name: String) -> String {
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    // Without Unicode's tables, which take most of the time in which the tables of names are made.
    let letters = name.utf8.lazy.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
      default: nil
      }
    }
    return String(decoding: Array(letters), as: UTF8.self)
  }

  /// The value for a key.
  package subscript(key: String) -> Value? { values[key] }

  /// The canonical names of the values whose names are closest to `name`, nearest first.
  package func nearest(to name: String) -> [String] {
    ranked(to: name).prefix(3).map(\.name)
  }

  /// The canonical names of at most three values that `name` may be a misspelling of, nearest first.
  package func suggestions(for name: String) -> [String] {
    // A longer name is near none, and its key would take long to make.
    guard name.utf8.count <= 2 * longestKey else { return [] }
    let wanted = Self.key(name)
    let near = names.compactMap { entry in
      entry.keys.compactMap { misspellingDistance(of: wanted, from: $0) }.min()
        .map { (name: entry.name, distance: $0) }
    }
    return Self.sorted(near).prefix(3).map(\.name)
  }

  private var longestKey: Int { names.lazy.flatMap(\.keys).map(\.count).max() ?? 0 }

  private func ranked(to name: String) -> [(name: String, distance: Int)] {
    // The edit distance takes time in proportion to the length of the name, which a file may make arbitrary. A name
    // twice as long as the longest one is close to none.
    let longest = longestKey
    let wanted = String(Self.key(String(name.prefix(4 * longest))).prefix(2 * longest))
    return Self.sorted(
      names.map { entry in
        (name: entry.name, distance: entry.keys.map { editDistance($0, wanted) }.min() ?? .max)
      })
  }

  /// The names by their distances. Ties keep the table's order, which is that of frequency of use.
  private static func sorted(
    _ distances: [(name: String, distance: Int)]
  ) -> [(name: String, distance: Int)] {
    distances.enumerated()
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element)
  }
}

/// The optimal string alignment distance of two names, ignoring letter case: the number of insertions, deletions,
/// replacements and exchanges of neighboring letters.
package func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
  var earlier: [Int] = []
  var previous = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var row = [i + 1]
    for (j, other) in b.enumerated() {
      var least = min(previous[j] + (letter == other ? 0 : 1), row[j] + 1, previous[j + 1] + 1)
      if i > 0, j > 0, letter == b[j - 1], a[i - 1] == other {
        least = min(least, earlier[j - 1] + 1)
      }
      row.append(least)
    }
    (earlier, previous) = (previous, row)
  }
  return previous[b.count]
}

/// Returns the edit distance of a word from the name that it may be a misspelling of; nil where the name is not near.
///
/// Near is up to a third of the word's letters, and at least 1, but less than the length of both: a word of which nothing is left is
/// another word. Words of more than twice the name's length are not compared, because that takes time in proportion to their length.
package func misspellingDistance(of word: String, from name: String) -> Int? {
  guard word.utf8.count <= 2 * name.utf8.count else { return nil }
  let distance = editDistance(name, word)
  let most = max(1, (word.filter(\.isLetter).count + 1) / 3)
  return distance <= most && distance < min(word.count, name.count) ? distance : nil
}
