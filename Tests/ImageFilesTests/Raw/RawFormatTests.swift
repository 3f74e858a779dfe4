import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Uncompressed formats, as other programs write them.
@Suite struct RawFormatTests {
  private func samples(_ text: String, _ more: [UInt8] = []) throws -> [Int] {
    switch try ImageFile.read(bytes: Array(text.utf8) + more, assuming: .sRGB) {
    case .uint8(let bitmap): all(bitmap).map(Int.init)
    case .uint16(let bitmap): all(bitmap).map(Int.init)
    default: []
    }
  }

  private func all<Sample: PixelSample>(_ bitmap: Bitmap<Sample>) -> [Sample] {
    (0..<bitmap.size.height).flatMap { bitmap.row($0) }
  }

  @Test func textPortableMapsAreRead() throws {
    #expect(try samples("P1\n# a comment\n3 2\n101\n0 1 0\n") == [0, 255, 0, 255, 0, 255])
    #expect(try samples("P2 2 1 15\n0 15\n") == [0, 255])
    #expect(try samples("P2 2 1 1000\n0 500") == [0, 32_768])
    #expect(try samples("P3 1 1 255 1 2 3 ") == [1, 2, 3])
    #expect(try samples("P2 2 1 255 0000255 0000000000000000000000128") == [255, 128])
  }

  @Test func binaryPortableMapsAreRead() throws {
    // Ten one-bit pixels fill two bytes; the rest of the second is padding.
    #expect(
      try samples("P4\n10 1\n", [0b1010_0000, 0b0111_1111])
        == [0, 255, 0, 255, 255, 255, 255, 255, 255, 0])
    #expect(try samples("P5\n2 1\n3\n", [1, 3]) == [85, 255])
    #expect(try samples("P5\n1 1\n65535\n", [0x12, 0x34]) == [0x1234])
    #expect(
      try samples(
        "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n", [9, 8])
        == [9, 8])
  }

  /// A comment ends the word before it, and may stand for the space before the samples (ppm(5)).
  @Test func commentsNeedNoSpaceBeforeThem() throws {
    #expect(try samples("P6#foo\n#foo\n1 1#foo\n \t#foo 44\n255\n", [1, 2, 3]) == [1, 2, 3])
    #expect(try samples("P5\n1 1\n255#foo\n", [9]) == [9])
    #expect(try samples("P2#foo\n2 1#foo\n15#foo\n0 15\n") == [0, 255])
    #expect(throws: ImageFileError.self) { try samples("P5\n1 1\n255#foo") }
  }

  /// Netpbm files may hold several pictures, of which the first is read.
  @Test func followingMapsAreNoted() throws {
    let maps: [[UInt8]] = [
      Array("P5\n2 1\n255\n".utf8) + [1, 3], Array("P6\n1 1\n65535\n".utf8) + [1, 2, 3, 4, 5, 6],
      Array("P5\n2 1\n3\n".utf8) + [1, 3], Array("P4\n10 2\n".utf8) + [1, 2, 3, 4],
    ]
    for map in maps {
      #expect(try ImageFile.info(bytes: map).notes.isEmpty)
      #expect(try ImageFile.info(bytes: map + [0x0A]).notes.isEmpty)
      #expect(try ImageFile.info(bytes: map + map).notes.count == 1)
    }
  }

  @Test(arguments: [
    ("P2 2 1 15\n0 16\n", [], "column 2 in row 1 is 16, and its header states 15"),
    ("P2 1 1 15\n1000000\n", [], "column 1 in row 1 is 1000000, and its header states 15"),
    ("P2 1 1 15\n99999999999999999999\n", [], "column 1 in row 1 is 1000000000, and"),
    ("P3 1 2 100\n1 2 3 4 5 101 ", [], "column 1 in row 2 is 101, and its header states 100"),
    ("P5\n2 1\n3\n", [1, 4], "column 2 in row 1 is 4, and its header states 3"),
    ("P5\n1 1\n256\n", [1, 1], "column 1 in row 1 is 257, and its header states 256"),
    ("P1\n3 1\n012\n", [], "byte 9 is the digit 2, where 0 or 1 is needed"),
  ])
  func samplesBeyondTheLargestAreErrors(header: String, bytes: [UInt8], sentence: String) {
    let error = #expect(throws: ImageFileError.self) { try samples(header, bytes) }
    #expect(error?.description.contains(sentence) == true, "\(error as Any)")
  }

  private func map(_ tuple: String, depth: Int) -> [UInt8] {
    Array(
      "P7\nWIDTH 1\nHEIGHT 1\nDEPTH \(depth)\nMAXVAL 255\n\(tuple)ENDHDR\n".utf8)
      + (1...UInt8(depth))
  }

  /// Four samples are RGB_ALPHA only if no tuple type is stated.
  @Test(arguments: [
    ("CMYK", 4), ("CMYK_ALPHA", 4), ("rgb", 3), ("YCbCr", 3), ("COORDINATES", 2),
  ])
  func unknownTuplesAreRefused(tuple: String, depth: Int) {
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.info(bytes: map("TUPLTYPE \(tuple)\n", depth: depth))
    }
    #expect(
      error?.description.contains("are “\(tuple.prefix { $0 != " " })") == true, "\(error as Any)")
  }

  @Test(arguments: [
    ("BLACKANDWHITE", 1), ("GRAYSCALE", 1), ("BLACKANDWHITE_ALPHA", 2), ("GRAYSCALE_ALPHA", 2),
    ("RGB", 3), ("RGB_ALPHA", 4),
  ])
  func knownTuplesHaveTheirDepth(tuple: String, depth: Int) throws {
    for text in ["", "TUPLTYPE \(tuple)\n"] {
      #expect(try ImageFile.info(bytes: map(text, depth: depth)).channels.count == depth)
    }
    #expect(throws: ImageFileError.self) {
      try ImageFile.info(bytes: map("TUPLTYPE \(tuple)\n", depth: depth % 4 + 1))
    }
  }

  @Test func tupleNamesEnd() {
    let names = String(repeating: "TUPLTYPE RGB\n", count: 100_000)
    #expect(throws: ImageFileError.self) { try ImageFile.info(bytes: map(names, depth: 3)) }
  }

  @Test func floatMapsAreBottomUpInEitherByteOrder() throws {
    let numbers: [Float] = [1, -2, 0.5, 1000]
    for (scale, isBig) in [("-1.0", false), ("1.0", true)] {
      let bytes = numbers.flatMap { number in
        let bits = isBig ? number.bitPattern.bigEndian : number.bitPattern.littleEndian
        return withUnsafeBytes(of: bits) { Array($0) }
      }
      let file = Array("Pf\n2 2\n\(scale)\n".utf8) + bytes
      guard case .float32(let bitmap) = try ImageFile.read(bytes: file, assuming: .linearSRGB)
      else {
        Issue.record("Floats became something else.")
        return
      }
      #expect(all(bitmap) == [0.5, 1000, 1, -2])
    }
  }

  @Test func arraysOfAnyByteOrderAndVersionAreRead() throws {
    let text = "{'descr': '>u2', 'fortran_order': False, 'shape': (1, 2, 1), }\n"
    let header: [UInt8] = [0x93] + Array("NUMPY".utf8) + [2, 0, UInt8(text.utf8.count), 0, 0, 0]
    let file = header + Array(text.utf8) + [0x12, 0x34, 0, 5]
    guard case .uint16(let bitmap) = try ImageFile.read(bytes: file, assuming: .sRGB) else {
      Issue.record("16 bits became something else.")
      return
    }
    #expect(all(bitmap) == [0x1234, 5])
  }

  private func array(_ type: String, _ shape: String, _ samples: [UInt8]) -> [UInt8] {
    let text = "{'descr': '\(type)', 'fortran_order': False, 'shape': \(shape), }\n"
    let header: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.utf8.count), 0]
    return header + Array(text.utf8) + samples
  }

  /// NumPy computes in float64, so `img / 255` has this type.
  @Test(arguments: ["<f8", ">f8"])
  func arraysOfFloat64AreRounded(type: String) throws {
    let numbers = [1.0 / 3, -2e-3, 1e30, 0.5, .infinity, 1e300]
    let stored = numbers.flatMap { number in
      let bits = number.bitPattern
      return withUnsafeBytes(of: type == ">f8" ? bits.bigEndian : bits.littleEndian) { Array($0) }
    }
    let file = array(type, "(2, 3)", stored)
    guard case .float32(let bitmap) = try ImageFile.read(bytes: file, assuming: .linearSRGB)
    else { throw Failure("no floats") }
    #expect(all(bitmap) == numbers.map { Float($0) })
    let rounding = ImageFileNote.unread(
      "the bits of its samples of 64 bits that single precision does not hold")
    #expect(try ImageFile.info(bytes: file).notes == [rounding])
    #expect(throws: ImageFileError.truncated(file: "data", rows: 1, of: 2)) {
      try ImageFile.info(bytes: Array(file.dropLast(8)))
    }
  }

  @Test func masksOfTruthValuesAreBlackAndWhite() throws {
    let file = array("|b1", "(2, 2, 1)", [0, 1, 1, 0])
    guard case .uint8(let bitmap) = try ImageFile.read(bytes: file, assuming: .sRGB) else {
      throw Failure("8 bits became something else.")
    }
    #expect(all(bitmap) == [0, 255, 255, 0])
    #expect(try ImageFile.info(bytes: file).notes == [])
  }

  @Test func arraysThatAreNoPicturesAreRefused() throws {
    for text in [
      "{'descr': '<f16', 'fortran_order': False, 'shape': (1, 2), }",
      "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2), }",
      "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 5), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (-3, -4, 3), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (3, -4), }", "{}",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999, 4, 5), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (2.5, 4), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': (2, , 4), }",
      "{'descr': '|u1', 'fortran_order': False, 'shape': 2, 4, }",
    ] {
      let header: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.utf8.count), 0]
      let file = header + Array(text.utf8) + [UInt8](repeating: 0, count: 64)
      #expect(throws: ImageFileError.self, "\(text)") {
        try ImageFile.read(bytes: file, assuming: .sRGB)
      }
    }
  }

  @Test(arguments: ["(3, 2)", "(3,2)", "( 3, 2, 1, )", "(3L, 2L)"])
  func shapesOfArraysAreReadAsPythonWritesThem(shape: String) throws {
    let text = "{'descr': '|u1', 'fortran_order': False, 'shape': \(shape), }\n"
    let header: [UInt8] = [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(text.utf8.count), 0]
    let file = header + Array(text.utf8) + [1, 2, 3, 4, 5, 6]
    #expect(try ImageFile.info(bytes: file).size == PixelSize(2, 3))
  }

  @Test func transparencyIsRefusedInPFM() throws {
    let gray = Bitmap<Float>(PixelSize(2, 2), in: .linearSRGB, channels: .grayAlpha)
    let error = #expect(throws: ImageFileError.self) { try Picture(gray).encoded(as: .pfm) }
    #expect(error?.description.contains("this picture has an alpha channel") == true)
  }
}
