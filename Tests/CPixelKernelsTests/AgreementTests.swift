import CPixelKernels
import Foundation
import PlatformLibc
import Testing

/// Every instruction set gives the same bits as the baseline, for every layout, format and length.
@Suite struct AgreementTests {
  private static let programs: [(name: String, program: @Sendable () -> Program)] = [
    ("copy", { Program() }),
    ("affine", { Program().add(CPK_AFFINE, [someAffine([1.5, -0.5, 3], [0.1, 1, -1])]) }),
    ("matrix", { Program().add(CPK_MATRIX, [someMatrix]) }),
    (
      "power",
      {
        Program().add(
          CPK_POWER, [sRGBDecode(CPK_PASS), sRGBEncode(CPK_ZERO), power(1 / 2.6)])
      }
    ),
    (
      "powers of 3",
      { Program().add(CPK_POWER, [cube(), cube(CPK_PASS), cube(CPK_ZERO, scale: 0.3)]) }
    ),
    (
      "power of a sum",
      {
        Program().add(
          CPK_POWER, [cubeOfSum(CPK_PASS), cubeOfSum(CPK_CONTINUE), cubeOfSum(CPK_ZERO)])
      }
    ),
    // Numbers of pieces around those that one and two vectors of 8 or 16 hold.
    ("cubic", { Program().add(CPK_CUBIC, [someCubic(1), someCubic(8), someCubic(9)]) }),
    (
      "cubic of more pieces",
      { Program().add(CPK_CUBIC, [someCubic(16), someCubic(17), someCubic(32)]) }
    ),
    (
      "cubic of many pieces",
      { Program().add(CPK_CUBIC, [someCubic(33), someCubic(50), someCubic(65)]) }
    ),
    (
      "sampled",
      {
        let program = Program()
        let values = program.keep((0..<64).map { Float($0 * $0) / 4096 })
        return program.add(
          CPK_SAMPLED,
          [CPK_MIRROR, CPK_ZERO, CPK_PASS].map {
            cpk_sampled(values: values, count: 64, below_zero: Int32($0))
          })
      }
    ),
    (
      "look",
      {
        let program = Program()
        let sizes = [17, 17, 17]
        return program.add(
          CPK_LATTICE,
          [
            someLattice(
              sizes, from: [2, 1, 0], outputs: 3, tetrahedral: true, floats: true, in: program)
          ])
      }
    ),
    (
      "table of inks",
      {
        let program = Program()
        return program.add(
          CPK_LATTICE,
          [someLattice([5, 6, 7, 8], outputs: 3, tetrahedral: true, floats: false, in: program)]
        ).add(CPK_OPAQUE)
      }
    ),
    (
      "linear table",
      {
        let program = Program()
        return program.add(
          CPK_LATTICE,
          [someLattice([9, 2, 3], outputs: 4, tetrahedral: false, floats: false, in: program)])
      }
    ),
    (
      "inverse of a table",
      {
        let program = Program()
        let values = program.keep((0..<64).map { Float($0 * $0) * 16 })
        return program.add(
          CPK_INVERSE,
          [false, true, false].map { cpk_inverse(values: values, count: 64, falling: $0) })
      }
    ),
    ("segments", { Program().add(CPK_SEGMENTS, Array(someSegments(CPK_CONTINUE).prefix(3))) }),
    ("segments, mirrored", { Program().add(CPK_SEGMENTS, Array(someSegments(CPK_MIRROR)[2...])) }),
    ("rational", { Program().add(CPK_RATIONAL, someRationals(CPK_ZERO)) }),
    ("rational, mirrored", { Program().add(CPK_RATIONAL, someRationals(CPK_MIRROR)) }),
    ("pieces", { addPieces(to: Program(), CPK_ZERO) }),
    ("pieces, mirrored", { addPieces(to: Program(), CPK_MIRROR) }),
    ("cube", { Program().add(CPK_CUBE) }),
    ("polar", { Program().add(CPK_POLAR) }),
    ("rectangular", { Program().add(CPK_AFFINE, [hueScale]).add(CPK_RECTANGULAR) }),
    ("roots between matrices", { addResponse(to: Program(), power(1.0 / 3)) }),
    ("roots to hues", { addResponse(to: Program(), power(1.0 / 3), toHue: true) }),
    ("cubes between matrices", { addResponse(to: Program(), nil) }),
    (
      "cubes from hues",
      { addResponse(to: Program().add(CPK_AFFINE, [hueScale]), nil, fromHue: true) }
    ),
    ("roots from hues", { addResponse(to: Program(), power(1.0 / 3), fromHue: true) }),
    ("compression", { Program().add(CPK_COMPRESS, [someCompression(clips: false)]) }),
    ("compression, clipped", { Program().add(CPK_COMPRESS, [someCompression(clips: true)]) }),
    ("search", { Program().add(CPK_FIT, [someFit(CPK_SEARCHED)]) }),
    ("soft knee", { Program().add(CPK_FIT, [someFit(CPK_SOFTENED)]) }),
    ("ray trace", { Program().add(CPK_FIT, [someFit(CPK_TRACED)]) }),
    ("clamp", { Program().add(CPK_CLAMP, [cpk_clamp(low: -0.1, high: 1.1)]) }),
    ("replacement", { Program().add(CPK_REPLACE, [cpk_replacement(from: 1, to: 0.75)]) }),
    ("premultiply", { Program().add(CPK_PREMULTIPLY) }),
    ("unpremultiply", { Program().add(CPK_UNPREMULTIPLY) }),
    ("convert", { Program().addConvert(sRGBDecode(), someMatrix, sRGBEncode()) }),
    ("decode", { Program().addConvert(sRGBDecode(), someMatrix, nil) }),
    ("encode", { Program().addConvert(nil, someMatrix, sRGBEncode()) }),
    ("convert matrix", { Program().addConvert(nil, someMatrix, nil) }),
    ("decode alone", { Program().addConvert(sRGBDecode(), nil, nil) }),
    (
      "decode and premultiply",
      { Program().addConvert(sRGBDecode(), nil, nil, premultiplies: true) }
    ),
    (
      "unpremultiply and encode",
      { Program().addConvert(nil, someMatrix, sRGBEncode(), unpremultiplies: true) }
    ),
    (
      "convert, not mirrored",
      { Program().addConvert(sRGBDecode(CPK_ZERO), someMatrix, sRGBEncode(CPK_CONTINUE)) }
    ),
  ]

  private func results(
    _ kernels: Kernels, _ program: Program, _ source: Row, _ format: SampleFormat,
    _ layout: Layout, unaligned: Bool
  ) -> [UInt32] {
    let target = Row(format, layout, source.count, unaligned: unaligned, guarded: true)
    kernels.run(program, from: source, to: target)
    #expect(target.everything.prefix(64).allSatisfy { $0 == 0xA5 })
    #expect(target.everything.suffix(64).allSatisfy { $0 == 0xA5 })
    if layout == .rgbx {
      for i in 0..<source.count {
        let fourth = target.bytes[(4 * i + 3) * format.size..<(4 * i + 4) * format.size]
        if !fourth.allSatisfy({ $0 == 0xA5 }) { Issue.record("the fourth sample was written") }
      }
    }
    return target.canonical
  }

  @Test(arguments: SampleFormat.allCases, Layout.allCases)
  func stagesAgree(_ format: SampleFormat, _ layout: Layout) {
    let compared = Kernels.agreeing(on: format)
    for (name, make) in Self.programs {
      let program = make()
      for count in [1, 7, 33, 256, 300] {
        let source = Row(format, layout, count)
        source.fill(mixed(4 * count, seed: UInt64(count)))
        let all = compared.map { results($0, program, source, format, layout, unaligned: false) }
        for (kernels, result) in zip(compared, all) where result != all[0] {
          Issue.record("\(kernels.name) differs: \(name), \(format), \(layout), \(count)")
        }
      }
    }
  }

  @Test(arguments: SampleFormat.allCases, SampleFormat.allCases)
  func lengthsAgree(_ from: SampleFormat, _ to: SampleFormat) {
    let compared = Kernels.agreeing(on: to)
    let program = Program().addConvert(sRGBDecode(), someMatrix, sRGBEncode())
    for (first, second) in [
      (Layout.rgba, Layout.rgba), (.rgba, .planar), (.planar, .rgba), (.rgb, .rgbx),
      (.grayAlpha, .grayAlpha), (.gray, .bgra),
    ] {
      for count in Array(0...33) + [1000] {
        for unaligned in [false, true] {
          let source = Row(from, first, count, unaligned: unaligned)
          source.fill(mixed(4 * count + 1, seed: UInt64(count)))
          let all = compared.map { results($0, program, source, to, second, unaligned: unaligned) }
          for (kernels, result) in zip(compared, all) where result != all[0] {
            Issue.record("\(kernels.name) differs: \(first) \(from) to \(second) \(to), \(count)")
          }
        }
      }
    }
  }

  @Test(arguments: Kernels.available, SampleFormat.allCases)
  func inPlaceAndStreamedEqualOutOfPlace(_ kernels: Kernels, _ format: SampleFormat) {
    for layout in Layout.allCases {
      let row = Row(format, layout, 1000)
      row.fill(mixed(4000, seed: 9))
      for (name, make) in Self.programs {
        let target = Row(format, layout, 1000)
        let copy = Row(format, layout, 1000)
        let streamed = Row(format, layout, 1000, guarded: true, streams: true)
        for other in [copy, target, streamed] {
          other.bytes.copyMemory(from: UnsafeRawBufferPointer(row.bytes))
        }
        kernels.run(make(), from: row, to: target)
        kernels.run(make(), from: copy, to: copy)
        kernels.run(make(), from: row, to: streamed)
        #expect(copy.canonical == target.canonical, "\(name), \(layout)")
        #expect(streamed.bytes.elementsEqual(target.bytes), "\(name), \(layout), streamed")
        #expect(streamed.everything.prefix(64).allSatisfy { $0 == 0xA5 })
        #expect(streamed.everything.suffix(64).allSatisfy { $0 == 0xA5 })
      }
    }
  }

  /// Fused stages equal the same stages run sequentially, between all formats.
  @Test(arguments: Kernels.available, SampleFormat.allCases)
  func fusedConversionEqualsItsStages(_ kernels: Kernels, _ format: SampleFormat) {
    let source = Row(format, .rgba, 1003)
    source.fill(mixed(4012, seed: 10))
    for kind in [CPK_MIRROR, CPK_ZERO, CPK_CONTINUE, CPK_PASS] {
      for steps in 0..<32 {
        func has<Value>(_ step: Int, _ value: Value) -> Value? {
          steps & 1 << step == 0 ? nil : value
        }
        let (decode, encode) = (has(0, sRGBDecode(kind)), has(1, sRGBEncode(kind)))
        let matrix = has(2, someMatrix)
        let (unpremultiplies, premultiplies) = (has(3, true) ?? false, has(4, true) ?? false)
        let stages = Program()
        if unpremultiplies { stages.add(CPK_UNPREMULTIPLY) }
        if let decode { stages.add(CPK_POWER, [decode, decode, decode]) }
        if let matrix { stages.add(CPK_MATRIX, [matrix]) }
        if let encode { stages.add(CPK_POWER, [encode, encode, encode]) }
        if premultiplies { stages.add(CPK_PREMULTIPLY) }
        let conversion = Program().addConvert(
          decode, matrix, encode, unpremultiplies: unpremultiplies, premultiplies: premultiplies)
        for target in SampleFormat.allCases {
          let (fused, separate) = (Row(target, .rgba, 1003), Row(target, .rgba, 1003))
          kernels.run(conversion, from: source, to: fused)
          kernels.run(stages, from: source, to: separate)
          #expect(fused.canonical == separate.canonical, "\(target), steps \(steps)")
        }
      }
    }
  }

  /// The same for rows in which most powers are of usual exponents, and a few are not: then the whole group takes another path.
  @Test(arguments: Kernels.available)
  func conversionsOfUsualAndOtherExponentsEqualTheirStages(_ kernels: Kernels) {
    let edges: [Float] = [0x1p-15, 0x1p-7, (0x1p-15 as Float).nextDown, (2 as Float).nextDown, 0]
    let others: [Float] = [2, -3.5, 1e9, .infinity, .nan, 0x1p-16, -0x1p-140]
    var random = SplitMix64(26)
    let values = (0..<4012).map { index -> Float in
      if index % 211 == 210 { return others[index / 211 % others.count] }
      if index % 7 == 6 { return edges[index / 7 % edges.count] }
      return exp2(Float.random(in: -18..<1, using: &random))
    }
    let source = Row(.f32, .rgba, 1003)
    source.fill(values)
    let lines = [0x1p-16, 0x1p-10, 0x1p-5].map { power(2.2, threshold: $0, slope: 0.25) }
    for decode in lines + [sRGBDecode(), power(2.2)] {
      for encode in lines + [sRGBEncode(), power(1 / 2.2)] {
        let conversion = Program().addConvert(decode, someMatrix, encode)
        let stages = Program().add(CPK_POWER, [decode, decode, decode])
          .add(CPK_MATRIX, [someMatrix]).add(CPK_POWER, [encode, encode, encode])
        let (fused, separate) = (Row(.f32, .rgba, 1003), Row(.f32, .rgba, 1003))
        kernels.run(conversion, from: source, to: fused)
        kernels.run(stages, from: source, to: separate)
        #expect(fused.canonical == separate.canonical)
      }
    }
  }

  /// Bytes decoded by the table of a curve equal those that the curve decodes, of opaque and of other pixels.
  @Test(arguments: Kernels.available, [false, true])
  func tableOfCodesEqualsItsCurve(_ kernels: Kernels, _ premultiplies: Bool) {
    let source = Row(.u8, .rgba, 1003)
    for index in source.bytes.indices {
      let pixel = index / 4
      let isOpaque = pixel < 500 || pixel % 5 < 3  // whole vectors of pixels, and single ones
      source.bytes[index] =
        index % 4 == 3 && isOpaque ? 255 : UInt8(truncatingIfNeeded: index * 7 / 3)
    }
    for kind in [CPK_MIRROR, CPK_ZERO] {
      let curve = sRGBDecode(kind)
      let codes = Row(.u8, .gray, 256)
      for code in codes.bytes.indices { codes.bytes[code] = UInt8(code) }
      let decoded = Row(.f32, .gray, 256)
      kernels.run(Program().add(CPK_POWER, [curve, curve, curve]), from: codes, to: decoded)
      let stages = Program().add(CPK_POWER, [curve, curve, curve])
      if premultiplies { stages.add(CPK_PREMULTIPLY) }
      let fused = Program().addConvert(
        curve, nil, nil, premultiplies: premultiplies,
        codes: Array(decoded.bytes.bindMemory(to: Float.self)))
      let (table, separate) = (Row(.f32, .rgba, 1003), Row(.f32, .rgba, 1003))
      kernels.run(fused, from: source, to: table)
      kernels.run(stages, from: source, to: separate)
      #expect(table.canonical == separate.canonical)
    }
  }

  /// The fused stage of matrix, curve, matrix and hue equals the stages run sequentially.
  @Test(arguments: Kernels.available, Layout.allCases)
  func fusedResponseEqualsItsStages(_ kernels: Kernels, _ layout: Layout) {
    let source = Row(.f32, layout, 1003)
    source.fill(mixed(4012, seed: 10))
    let root = power(1.0 / 3)
    for (curve, fromHue, toHue) in [
      (nil, false, false), (nil, true, false), (root, false, false), (root, false, true),
      (root, true, false),
    ] as [(cpk_power?, Bool, Bool)] {
      let stages = Program()
      if fromHue { stages.add(CPK_RECTANGULAR) }
      stages.add(CPK_MATRIX, [oklabCones])
      if let curve { stages.add(CPK_POWER, [curve, curve, curve]) } else { stages.add(CPK_CUBE) }
      stages.add(CPK_MATRIX, [oklabOpponents])
      if toHue { stages.add(CPK_POLAR) }
      let fused = Row(.f32, layout, 1003)
      let separate = Row(.f32, layout, 1003)
      kernels.run(
        addResponse(to: Program(), curve, fromHue: fromHue, toHue: toHue), from: source, to: fused)
      kernels.run(stages, from: source, to: separate)
      #expect(fused.canonical == separate.canonical)
    }
  }

  /// COLORLOOM_ISA selects the instruction set; the default is the last available one, which is the fastest.
  @Test func fastestAvailableInstructionSetIsTheDefault() throws {
    let active = try #require(cpk_active())
    #expect(active == cpk_active())
    #expect(Kernels.available.first?.name == "baseline")
    let wanted = ProcessInfo.processInfo.environment["COLORLOOM_ISA"] ?? ""
    let name = String(cString: active.pointee.name)
    #expect(name == (wanted.isEmpty ? Kernels.available.last?.name : wanted))
  }

  /// A host that uses the library goes on; it may have set the variable for another program.
  @Test func unknownInstructionSetIsIgnored() async {
    await #expect(processExitsWith: .success) {
      setenv("COLORLOOM_ISA", "foo", 1)
      let active = try #require(cpk_active())
      #expect(String(cString: active.pointee.name) == Kernels.available.last?.name)
    }
  }
}
