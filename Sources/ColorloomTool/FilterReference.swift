import Colorloom

/// The reference of all filters as Markdown, which `Documentation/Filters.md` holds.
func filterReference(of catalog: FilterCatalog) -> String {
  var lines = [
    "# Filters", "",
    "Every filter, by subject: its parameters in recipes, a command to try, and a call in Swift. This page is generated from the",
    "declarations in the sources by `colorloom filters --markdown`; a test compares the two.", "",
    "Each filter is a step of `convert` and of the other verbs that change pictures. If a filter has one required parameter, its name may be",
    "omitted; others are written `name=value` with commas between. In recipes the filter is `{\"name\": {\"parameter\": value}}`.",
  ]
  var subject: FilterCatalog.Subject?
  for entry in catalog.entries {
    if entry.subject != subject {
      lines += ["", "## \(entry.subject)"]
      subject = entry.subject
    }
    lines += ["", "### \(entry.name)", "", entry.summary]
    lines.append(sentence(entry.kind) + aliases(of: entry) + file(of: entry))
    lines += entry.noteLines.flatMap { ["", $0] }
    if !entry.parameters.isEmpty {
      lines += [
        "", "| Parameter | Value | Meaning | Range | Default |", "| --- | --- | --- | --- | --- |",
      ]
      lines += entry.parameters.map(row)
    }
    let recipe = entry.sample.flatMap(TextForm.json.word).map { "{\"\(entry.name)\": \($0)}" }
    // Tables and profiles are too long to read.
    if let recipe, recipe.count < 200 { lines += ["", "```json", recipe, "```"] }
    if let command = entry.sampleCommand, command.count < 200 {
      lines += ["", "```sh", command, "```"]
    }
    if !entry.swiftCall.isEmpty { lines += ["", "In Swift: `\(entry.swiftCall)`"] }
  }
  return lines.joined(separator: "\n")
}

private func sentence(_ kind: String) -> String {
  kind.prefix(1).uppercased() + kind.dropFirst() + "."
}

private func aliases(of entry: FilterCatalog.Entry) -> String {
  let names = entry.aliases.map { "`--\($0.name)`" }
  return names.isEmpty ? "" : " Also \(names.joined(separator: ", "))."
}

private func file(of entry: FilterCatalog.Entry) -> String {
  entry.fileStep.map { " `\($0.option)`: \($0.meaning)" } ?? ""
}

private func row(_ parameter: ParameterDescription) -> String {
  let unit = parameter.unit.isEmpty ? "" : " (\(parameter.unit))"
  let fallback: String
  if parameter.isRequired {
    fallback = "required" + (parameter.alternative.map { " unless `\($0)`" } ?? "")
  } else if let word = parameter.defaultWord {
    fallback = "`\(escaped(word))`"
  } else {
    fallback = "–"
  }
  let cells = [
    "`\(parameter.name)`", "`\(escaped(parameter.textForm.placeholder))`",
    escaped(parameter.meaning) + unit, parameter.rangeText ?? "–", fallback,
  ]
  return "| \(cells.joined(separator: " | ")) |"
}

/// Bars separate cells.
private func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
