/// Values by their names and aliases, whose letter case, spaces and punctuation do not matter.
package struct NameTable<Value: Sendable>: Sendable {
  private var names: [(name: String, keys: [String])] = []
  private var values: [String: Value] = [:]

  /// The first of a value's names is the one it is known by. Where two values have one name, it is the first one's.
  package init(_ entries: some Sequence<(names: [String], value: Value)>) {
    for (names, value) in entries {
      let keys = names.map(Self.key)
      self.names.append((names[0], keys))
      values.merge(keys.map { ($0, value) }) { first, _ in first }
    }
  }

  /// What is left of a name where only its letters and digits matter.
  package static func key(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }

  /// The value of a key.
  package subscript(key: String) -> Value? { values[key] }

  /// The names of the values that are called most like `name`, nearest first.
  package func nearest(to name: String) -> [String] {
    // Comparing takes time in proportion to the name's length, which a file decides. No name is like one twice as long as any.
    let longest = names.lazy.flatMap(\.keys).map(\.count).max() ?? 0
    let wanted = String(Self.key(String(name.prefix(4 * longest))).prefix(2 * longest))
    let distances = names.map { entry in
      (name: entry.name, distance: entry.keys.map { editDistance($0, wanted) }.min() ?? .max)
    }
    // The sort keeps the order of equals, which is that of use.
    return distances.enumerated()
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .prefix(3).map(\.element.name)
  }
}

/// How many letters must change to make one name from the other (Levenshtein), letter case aside.
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
