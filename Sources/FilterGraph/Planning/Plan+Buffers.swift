internal import ColorSpaces

extension Plan {
  /// Assigns CMYK sources, and the programs that read them, the conversion to RGB.
  ///
  /// A source that only programs read has no conversion of its own, so that its tables are copied once.
  static func joinInkPrograms(to steps: inout [Step], results: [Int]) {
    var converted = Set(results)
    for step in steps {
      if case .point = step.work { continue }
      converted.formUnion(step.inputs)
    }
    for index in steps.indices {
      switch steps[index].work {
      case .rows(let source) where converted.contains(index):
        steps[index].inkProgram = source.inkProgram.map { LoweredProgram($0) }
      case .point(let lowered):
        let input = steps[steps[index].inputs[0]]
        guard !input.isLoaded, case .rows(let source) = input.work,
          let colors = source.inkProgram
        else { continue }
        steps[index].inkProgram = LoweredProgram(
          Laws.simplify(PointProgram(colors.stages + lowered.program.stages)))
      default: continue
      }
    }
  }

  /// Lists the readers of each step, and assigns it one of a worker's tile buffers, which is free again after its last reader.
  /// Returns the number of buffers.
  static func assignBuffers(to steps: inout [Step], results: [Int]) -> Int {
    countReaders(of: &steps, results: results)
    streamRows(through: &steps, results: results)
    return assignSlots(to: &steps)
  }

  /// Counts the readers of each step, and marks the steps that are read in rows, loaded into tiles, or stored at once.
  private static func countReaders(of steps: inout [Step], results: [Int]) {
    for index in steps.indices { steps[index].forgetReaders() }
    for step in steps {
      for input in step.inputs {
        steps[input].readers += 1
        if step.stream != nil {
          steps[input].isSeenInRows = true
        } else if step.readsTiles {
          steps[input].isLoaded = true
        }
      }
    }
    for result in results { steps[result].readers += 1 }
    for result in results where steps[result].readers == 1 && steps[result].storage == nil {
      if case .point = steps[result].work { steps[result].isStoredAtOnce = true }
    }
  }

  /// The last step that reads each step's memory; the step itself if none does.
  private static func lastReaders(of steps: [Step]) -> [Int] {
    var lastReader = Array(steps.indices)
    for (index, step) in steps.enumerated() {
      for input in step.inputs { lastReader[input] = max(lastReader[input], index) }
    }
    // What shows a part of its input's memory, or reads it later, keeps it alive.
    for index in steps.indices.reversed() {
      var isLate = steps[index].isStreamed
      if case .window = steps[index].work { isLate = true }
      guard isLate, let input = steps[index].inputs.first else { continue }
      lastReader[input] = max(lastReader[input], lastReader[index])
    }
    return lastReader
  }

  /// Assigns each step a buffer that is free, or its input's where it may work in place. Returns the number of buffers.
  private static func assignSlots(to steps: inout [Step]) -> Int {
    let lastReader = lastReaders(of: steps)
    var slotEnds: [Int] = []
    for index in steps.indices {
      let input = steps[index].inputs.first
      if case .point = steps[index].work, let input, steps[input].readers == 1,
        steps[input].ownsMemory
      {
        steps[index].isInPlace = true
        steps[index].slot = steps[input].slot
        slotEnds[steps[index].slot] = lastReader[index]
      } else if let free = slotEnds.firstIndex(where: { $0 < index }) {
        steps[index].slot = free
        slotEnds[free] = lastReader[index]
      } else {
        steps[index].slot = slotEnds.count
        slotEnds.append(lastReader[index])
      }
    }
    return slotEnds.count
  }

  /// Marks the programs that area steps run over the rows they read, and the area steps whose rows go straight to those that read them.
  private static func streamRows(through steps: inout [Step], results: [Int]) {
    for index in steps.indices where steps[index].stream != nil {
      let input = steps[index].inputs[0]
      guard case .point = steps[input].work else { continue }
      steps[input].isStreamed = steps[input].readers == 1 && steps[input].storage == nil
    }
    for index in steps.indices {
      guard case .point = steps[index].work, !steps[index].isStreamed,
        steps[index].storage == nil
      else { continue }
      let input = steps[index].inputs[0]
      if steps[input].stream != nil { steps[input].isStreamed = steps[input].readers == 1 }
    }
    for result in results where steps[result].stream != nil {
      steps[result].isStreamed = steps[result].readers == 1
    }
  }
}

extension Step {
  /// Whether the tile it computes is its own, not a part of another one.
  fileprivate var ownsMemory: Bool {
    switch work {
    case .painted, .point, .area, .blend, .cached: !isStreamed
    case .source, .rows, .window: false
    }
  }
}
