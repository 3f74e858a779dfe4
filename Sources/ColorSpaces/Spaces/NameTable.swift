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
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The value for a key.
  package subscript(key: String) -> Value? { values[key] }

  /// The canonical names of the values whose names are closest to `name`, nearest first.
  package func nearest(to name: String) -> [String] {
    // The edit distance takes time in proportion to the length of the name, which a file may make arbitrary. A name
    // twice as long as the longest one is close to none.
    let longest = names.lazy.flatMap(\.keys).map(\.count).max() ?? 0
    let wanted = String(Self.key(String(name.prefix(4 * longest))).prefix(2 * longest))
    let distances = names.map { entry in
      (name: entry.name, distance: entry.keys.map { editDistance($0, wanted) }.min() ?? .max)
    }
    // The sort is stable, so ties keep the table's order, which is that of frequency of use.
    return distances.enumerated()
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .prefix(3).map(\.element.name)
  }
}

/// The Levenshtein distance of two names, ignoring letter case.
package func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
  var row = Array(0...b.count)
  for (i, letter) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in b.enumerated() {
      let replaced = diagonal + (letter == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}
