internal import ColorSpaces
internal import ImageBuffer

/// What a plan says of a step besides what the step computes: nodes that change no value.
enum StepNote: Sendable, CustomStringConvertible {
  /// The values are read as those of another space.
  case tagged(from: PixelForm, to: PixelForm)
  /// The values are stored in the format that they have anyway, and no law reaches across.
  case stored(SampleFormat)
  /// The stages that follow were measured on the picture before them.
  case measured(String)
  /// The rows of a source are loaded into a tile of their own.
  case loaded

  var description: String {
    switch self {
    case .tagged(_, let form): "read as \(form.space)"
    case .stored(let format): "store as \(format)"
    case .measured(let name): name
    case .loaded: "load rows"
    }
  }

  /// What the values mean after it; nil where they mean what they meant before.
  var form: PixelForm? { if case .tagged(_, let form) = self { form } else { nil } }
}

/// Point programs, measured programs and tags that follow each other, as one program.
///
/// The laws rewrite its stages. What the values mean after each stage, and where the tags belong, stays known.
struct FlatProgram {
  private var stages: [TracedStage] = []
  /// The form after each stage of the original program.
  private var originalForms: [PixelForm] = []
  /// The notes, each with the number of original stages before it.
  private var originalNotes: [(position: Int, note: StepNote)] = []

  /// What made the stages that cannot be compared by their values. No law removes or reorders such stages.
  private var makers: [StageMaker?] = []

  /// The stages after the laws.
  var program: PointProgram {
    var program = PointProgram(stages.map(\.stage))
    program.makers = makers
    return program
  }

  /// The form of the values after each stage of ``program``.
  var forms: [PixelForm] {
    var forms = stages.map { traced in
      var form = originalForms[traced.end - 1]
      form.isPartial = traced.isPartial
      return form
    }
    // After the last stage nothing changes values. Only a tag changes what they mean.
    if let last = stages.last, let end = originalForms.last, !last.isPartial,
      !originalNotes.contains(where: { $0.position >= last.end })
    {
      forms[forms.count - 1] = end
    }
    return forms
  }

  /// The notes, each with the number of stages of ``program`` before it.
  ///
  /// A tag between two stages that became one precedes that stage.
  var notes: [(position: Int, note: StepNote)] {
    var count = 0
    return originalNotes.map { position, note in
      while count < stages.count, stages[count].end <= position { count += 1 }
      return (count, note)
    }
  }

  /// Appends the stages of a node that changes each pixel by itself. Measures it where that is allowed and has not happened.
  mutating func append(_ node: Node, _ options: RenderOptions) throws(RenderError) {
    if node.isTag {
      let input = node.inputs[0]
      let (before, after) = (
        PixelForm(input.space, input.state), PixelForm(node.space, node.state)
      )
      originalNotes.append((originalForms.count, .tagged(from: before, to: after)))
    }
    guard let program = try node.program(options) else { return }
    // Before the measurement a stage of this name stands for the program.
    if let measured = node.measured, measured.isKnown {
      originalNotes.append((originalForms.count, .measured(measured.name)))
    }
    makers += program.makersOfOpaqueStages
    for (stage, form) in zip(program.stages, node.forms(of: program)) {
      originalForms.append(form)
      stages.append(TracedStage(stage: stage, end: originalForms.count))
    }
  }

  /// Rewrites the stages by the laws of programs that the options use, and counts what each one changed.
  mutating func simplify(_ options: RenderOptions, counting acted: inout [Law: Int]) {
    if options.fusion != .full { return }
    stages = Laws.simplify(stages, counting: &acted) { options.uses($0) }
  }
}
