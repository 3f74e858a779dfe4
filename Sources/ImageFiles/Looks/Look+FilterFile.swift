public import FilterGraph

extension Look: FilterFile {
  /// Names the formats, and how a color decision list is chosen.
  public static var fileHelp: String {
    "Apply a LUT file (\(fileExtensions.map { ".\($0)" }.joined(separator: ", "))) or a Hald image. "
      + "Color decision lists take “id” and “style” beside the file: grades.ccc,id=shot2,style=unclamped."
  }
  /// Those of ``LookFileFormat``. A Hald image follows “@” or is the value of `--lut`.
  public static var fileExtensions: [String] { LookFileFormat.allCases.map(\.rawValue) }
  /// Returns the look in a file, of the format that its name ends with.
  public static func filter(inFile path: String, limits: FileLimits) throws -> Look {
    try Look(contentsOf: path, limits: limits)
  }
  /// `id` and `style`, for files of color decision lists.
  public static var fileParameters: [ParameterDescription] { FileParameters.declaration.parameters }
  /// Returns the look in a file, and sets `choice` where it is the first of several color decision lists and no `id` names one of them.
  ///
  /// Throws where `id` or `style` is for a file of another format.
  public static func filter(
    inFile path: String, parameters: RecipeSource, limits: FileLimits, choice: inout String?
  ) throws -> Look {
    let read = try read(inFile: path, parameters: parameters, limits: limits)
    let isChosenByID = Set(read.ids).count == read.ids.count && !read.ids.contains("")
    let remedy = isChosenByID ? "; the parameter “id” chooses another one" : ""
    choice = read.isChosen ? nil : Look.choice(of: read.ids).map { $0 + remedy }
    return read.look
  }

  /// Returns the look in a file, the ids of all color decision lists in it, and whether `id` chose among them.
  ///
  /// Throws where `id` or `style` is for a file of another format.
  package static func read(
    inFile path: String, parameters: RecipeSource, limits: FileLimits
  ) throws -> (look: Look, ids: [String], isChosen: Bool) {
    let parameters = try FileParameters(recipe: parameters)
    var ids: [String] = []
    let look = try Look(
      contentsOf: path, id: parameters.id, style: parameters.style, limits: limits, listing: &ids)
    guard !ids.isEmpty || parameters == FileParameters() else {
      throw LookFileError.unsupported(
        file: path,
        reason:
          "“id” and “style” are for color decision lists (.cc, .ccc, .cdl), and it holds none; "
          + "leave them out")
    }
    return (look, ids, parameters.id != nil)
  }

  /// What a step may state beside a file of color decision lists.
  private struct FileParameters: RecipeRecord, Equatable {
    var id: String?
    var style = ColorDecisions.Style.clamped

    static let declaration = Declaration<FileParameters>(
      of: "look file",
      Parameter("id", \.id, "the color decision list to read, by its id", sample: "shot2"),
      Parameter(
        "style", \.style, "whether a color decision list clamps values to 0…1", default: .clamped)
    ) { FileParameters(id: $0, style: $1) }
  }

  /// Says which of several color decision lists is read, the first or a chosen one, and lists up to `most` of them; nil where there is no
  /// choice.
  package static func choice(
    of ids: [String], isChosen: Bool = false, listing most: Int = 24
  ) -> String? {
    guard ids.count > 1 else { return nil }
    let read = isChosen ? "one" : "the first"
    return "\(read) of \(ids.count) color decision lists: \(listed(ids, most: most))"
  }
}
