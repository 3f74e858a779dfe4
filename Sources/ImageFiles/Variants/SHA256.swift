/// The Secure Hash Algorithm of 256 bits (FIPS PUB 180-4), for bytes that come piece by piece.
package struct SHA256: CustomStringConvertible {
  /// How many bytes were added.
  package private(set) var byteCount = 0
  private var state: [UInt32]
  private var block: [UInt8] = []

  private static let blockSize = 64

  /// The first 32 bits of the fractional parts of the square roots of the first 8 primes (5.3.3).
  private static let start: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
  private static let constants: [UInt32] = primes.prefix(64).map { prime in
    // The largest number whose cube is not above prime · 2⁹⁶, without its whole part.
    var root = UInt64(0)
    for bit in (0..<35).reversed() {
      let next = root | 1 << UInt64(bit)
      let square = next.multipliedFullWidth(by: next)
      let low = square.low.multipliedFullWidth(by: next)
      let high = square.high * next + low.high
      if high < prime << 32 { root = next }
    }
    return UInt32(truncatingIfNeeded: root)
  }

  private static let primes: [UInt64] = (2...311).filter { number in
    !(2..<number).contains { number % $0 == 0 }
  }

  init() { state = Self.start }

  /// The hash of a file's bytes.
  package init(ofFile path: String) throws(ImageFileError) {
    self.init()
    let input = try ByteInput(path)
    while true {
      let part = try input.part(upTo: .max)
      if part.isEmpty { return }
      add(part)
    }
  }

  /// Adds bytes.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      byteCount += 1
      block.append(byte)
      if block.count == Self.blockSize { takeBlock() }
    }
  }

  /// The 64 hexadecimal digits of the hash of all bytes so far.
  package var description: String {
    var padded = self
    let bits = UInt64(byteCount) * 8
    padded.add([0x80])
    while padded.block.count != Self.blockSize - 8 { padded.add([0]) }
    padded.add((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
    return padded.state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  /// One step of the computation (6.2.2).
  private mutating func takeBlock() {
    func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    var words = stride(from: 0, to: Self.blockSize, by: 4).map { start in
      block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (a, b) = (words[index - 15], words[index - 2])
      let first = turned(a, 7) ^ turned(a, 18) ^ a >> 3
      let second = turned(b, 17) ^ turned(b, 19) ^ b >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
      let first = h &+ sum &+ (e & f ^ ~e & g) &+ Self.constants[index] &+ words[index]
      let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ (a & b ^ a & c ^ b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    block.removeAll(keepingCapacity: true)
  }
}
