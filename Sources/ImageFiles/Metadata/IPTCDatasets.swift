/// The datasets of IPTC-IIM (IPTC-NAA Information Interchange Model 4.2, section 1.5), up to the first one that is damaged.
struct IPTCDatasets {
  private let bytes: [UInt8]
  private let datasets: [Dataset]

  /// The number of a dataset within its record.
  struct Number: Hashable {
    let record, dataset: UInt8

    static let characterSet = Number(record: 1, dataset: 90)
    static let byline = Number(record: 2, dataset: 80), credit = Number(record: 2, dataset: 110)
    static let copyrightNotice = Number(record: 2, dataset: 116)
  }

  private struct Dataset {
    let number: Number
    /// From the marker to behind the value.
    let range: Range<Int>
    let value: Range<Int>

    /// Content location code and name, city, sublocation, province or state, country code and name.
    var isLocation: Bool {
      number.record == 2 && [26, 27, 90, 92, 95, 100, 101].contains(number.dataset)
    }
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var datasets: [Dataset] = []
    while let next = Self.dataset(at: datasets.last?.range.upperBound ?? 0, of: bytes) {
      datasets.append(next)
    }
    self.datasets = datasets
  }

  var statesLocation: Bool { datasets.contains(where: \.isLocation) }

  /// The datasets but those of a location; nil where there are none.
  func withoutLocation() -> [UInt8]? { kept { !$0.isLocation } }

  /// The datasets of some numbers, with the one that states their character set; nil where there are none.
  func only(_ numbers: Set<Number>) -> [UInt8]? {
    guard datasets.contains(where: { numbers.contains($0.number) }) else { return nil }
    return kept { numbers.contains($0.number) || $0.number == .characterSet }
  }

  /// The texts of all datasets of a number. Without a statement of their character set, bytes that are not UTF-8 are read as Latin-1.
  func texts(_ number: Number) -> [String] {
    datasets.filter { $0.number == number }.map { String(utf8OrLatin1: bytes[$0.value]) }
  }

  private func kept(where isKept: (Dataset) -> Bool) -> [UInt8]? {
    let kept = datasets.filter(isKept).flatMap { bytes[$0.range] }
    return kept.isEmpty ? nil : kept
  }

  private static func dataset(at start: Int, of bytes: [UInt8]) -> Dataset? {
    guard bytes.count - start >= 5, bytes[start] == 0x1C else { return nil }
    var position = start + 5
    var count = bytes.bigEndian16(at: start + 3)
    // The length of an extended dataset follows in as many bytes.
    if count >= 0x8000 {
      let end = position + count & 0x7FFF
      guard end <= bytes.count else { return nil }
      count = bytes[position..<end].number(isBigEndian: true)
      position = end
    }
    guard count <= bytes.count - position else { return nil }
    let end = position + count
    return Dataset(
      number: Number(record: bytes[start + 1], dataset: bytes[start + 2]), range: start..<end,
      value: position..<end)
  }
}
