internal import ColorSpaces

/// Returns the MD5 digest of bytes (RFC 1321). It identifies profiles; it has no security purpose.
package func md5(_ bytes: [UInt8]) -> [UInt8] {
  var padded = bytes + [0x80]
  padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
  padded += withUnsafeBytes(of: UInt64(bytes.count * 8).littleEndian) { Array($0) }

  var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
  for block in stride(from: 0, to: padded.count, by: 64) {
    let words = stride(from: block, to: block + 64, by: 4).map {
      UInt32(padded.uint32(at: $0).byteSwapped)
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (mix, word): (UInt32, Int) =
        switch step / 16 {
        case 0: (b & c | ~b & d, step)
        case 1: (d & b | ~d & c, (5 * step + 1) % 16)
        case 2: (b ^ c ^ d, (3 * step + 5) % 16)
        default: (c ^ (b | ~d), 7 * step % 16)
        }
      let sum = a &+ mix &+ constants[step] &+ words[word]
      let turn = UInt32(turns[step / 16][step % 4])
      (a, b, c, d) = (d, b &+ (sum << turn | sum >> (32 - turn)), b, c)
    }
    for (index, word) in [a, b, c, d].enumerated() { state[index] &+= word }
  }
  return state.flatMap(\.byteSwapped.bigEndianBytes)
}

/// The first 32 fraction bits of the sines of 1 to 64.
private let constants: [UInt32] = (1...64).map {
  UInt32(abs(sine(ofPi: Double($0) / .pi)) * 4_294_967_296)
}

/// The rotation of each step of a round.
private let turns = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]
