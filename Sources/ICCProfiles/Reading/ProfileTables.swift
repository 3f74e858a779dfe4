internal import ColorSpaces

extension TagReader {
  /// Reads the LUT of a tag of any type, between two color models.
  ///
  /// - Parameter isTetrahedral: Whether three inputs are interpolated tetrahedrally.
  func table(
    from source: ColorModel, to target: ColorModel, towardsDevice: Bool, isTetrahedral: Bool
  ) throws(ICCProfileError) -> [ChannelStage] {
    let (inputs, outputs) = (try uint8(at: 8), try uint8(at: 9))
    guard inputs == source.channelCount, outputs == target.channelCount else {
      throw malformed(
        "it is a table of \(inputs) to \(outputs) channels; the profile's kind needs "
          + "\(source.channelCount) to \(target.channelCount)")
    }
    let shape = TableShape(inputs: inputs, outputs: outputs, isTetrahedral: isTetrahedral)
    var encoding = TableEncoding.current
    let steps: [ChannelStage]
    switch type {
    case "mft1": steps = try sampledTable(shape, byteCount: 1)
    case "mft2":
      encoding = .legacy
      steps = try sampledTable(shape, byteCount: 2)
    case "mAB " where !towardsDevice:
      steps = try [
        curves(shape.inputs, at: 28), lattice(shape), curves(shape.outputs, at: 20),
        matrix(shape.outputs),
        curves(shape.outputs, at: 12),
      ].compactMap(\.self)
    case "mBA " where towardsDevice:
      steps = try [
        curves(shape.inputs, at: 12), matrix(shape.inputs), curves(shape.inputs, at: 20),
        lattice(shape),
        curves(shape.outputs, at: 28),
      ].compactMap(\.self)
    case let type: throw malformed("“\(type)” is no type of table for this tag")
    }
    var stages: [ChannelStage] = []
    stages.add(.mix(encoding.encoding(source)))
    stages.add(steps)
    stages.add(.mix(encoding.decoding(target)))
    return stages
  }

  struct TableShape {
    let inputs, outputs: Int
    let isTetrahedral: Bool
  }

  /// Reads a `lut8Type` or `lut16Type` (ICC.1:2022, 10.10 and 10.11).
  private func sampledTable(
    _ shape: TableShape, byteCount: Int
  ) throws(ICCProfileError) -> [ChannelStage] {
    let gridCount = try uint8(at: 10)
    var offset = byteCount == 1 ? 48 : 52
    let entryCounts =
      byteCount == 1 ? [256, 256] : [try uint16(at: 48), try uint16(at: 50)]
    var stages: [ChannelStage] = []
    if shape.inputs == 3 {
      let n = try fixed(9, at: 12)
      stages.append(
        .mix(
          ChannelMatrix(
            rows: [Array(n[0..<3]), Array(n[3..<6]), Array(n[6..<9])], offset: [0, 0, 0])))
    }
    stages.append(
      try sampledCurves(
        shape.inputs, entryCount: entryCounts[0], byteCount: byteCount, at: &offset))
    if gridCount > 0 {
      let gridCounts = [Int](repeating: gridCount, count: shape.inputs)
      stages.append(try lattice(shape, gridCounts, byteCount: byteCount, at: &offset))
    } else {
      try checkEqualCounts(shape)
    }
    stages.append(
      try sampledCurves(
        shape.outputs, entryCount: entryCounts[1], byteCount: byteCount, at: &offset))
    return stages
  }

  private func sampledCurves(
    _ count: Int, entryCount: Int, byteCount: Int, at offset: inout Int
  ) throws(ICCProfileError) -> ChannelStage {
    // Some writers store no entries for the identity.
    guard entryCount != 0 else {
      return .curves([ChannelCurve](repeating: .identity, count: count))
    }
    guard entryCount >= 2 else { throw malformed("its curves have a single entry; 2 are needed") }
    let values = try samples(count * entryCount, byteCount: byteCount, at: offset)
    offset += values.count * byteCount
    return .curves(
      (0..<count).map {
        .table(CurveTable(values: Array(values[$0 * entryCount..<($0 + 1) * entryCount])))
      })
  }

  private func lattice(
    _ shape: TableShape, _ gridCounts: [Int], byteCount: Int, at offset: inout Int
  ) throws(ICCProfileError) -> ChannelStage {
    guard gridCounts.allSatisfy({ $0 >= 2 }) else {
      throw malformed("a grid of \(gridCounts) points cannot be interpolated; 2 are needed")
    }
    guard
      let count = Lattice.valueCount(gridCounts: gridCounts, outputCount: shape.outputs)
    else {
      throw malformed(
        "a grid of \(gridCounts) points times \(shape.outputs) has more than "
          + "\(Lattice.largestCount) values")
    }
    let values = try samples(count, byteCount: byteCount, at: offset)
    offset += count * byteCount
    return .lattice(
      Lattice(
        gridCounts: gridCounts, outputCount: shape.outputs, values: values,
        isTetrahedral: shape.isTetrahedral))
  }

  private func checkEqualCounts(_ shape: TableShape) throws(ICCProfileError) {
    guard shape.inputs == shape.outputs else {
      throw malformed("without a grid \(shape.inputs) channels do not become \(shape.outputs)")
    }
  }

  // The elements of `lutAToBType` and `lutBToAType` (ICC.1:2022, 10.12 and 10.13) are located by offsets; zero marks an
  // absent element.

  private func curves(
    _ count: Int, at place: Int
  ) throws(ICCProfileError) -> ChannelStage? {
    var offset = try uint32(at: place)
    guard offset != 0 else { return nil }
    var curves: [ChannelCurve] = []
    for _ in 0..<count {
      curves.append(try curve(at: &offset))
      // Each curve is aligned to 4 bytes.
      offset = (offset + 3) & ~3
    }
    return .curves(curves)
  }

  private func matrix(_ count: Int) throws(ICCProfileError) -> ChannelStage? {
    let offset = try uint32(at: 16)
    guard offset != 0 else { return nil }
    guard count == 3 else { throw malformed("its matrix mixes 3 channels, but there are \(count)") }
    let n = try fixed(12, at: offset)
    return .mix(
      ChannelMatrix(
        rows: [Array(n[0..<3]), Array(n[3..<6]), Array(n[6..<9])], offset: Array(n[9..<12])))
  }

  private func lattice(_ shape: TableShape) throws(ICCProfileError) -> ChannelStage? {
    var offset = try uint32(at: 24)
    guard offset != 0 else {
      try checkEqualCounts(shape)
      return nil
    }
    var gridCounts: [Int] = []
    for index in 0..<shape.inputs { gridCounts.append(try uint8(at: offset + index)) }
    let byteCount = try uint8(at: offset + 16)
    guard byteCount == 1 || byteCount == 2 else {
      throw malformed("its grid has values of \(byteCount) bytes; 1 and 2 exist")
    }
    offset += 20
    return try lattice(shape, gridCounts, byteCount: byteCount, at: &offset)
  }
}
