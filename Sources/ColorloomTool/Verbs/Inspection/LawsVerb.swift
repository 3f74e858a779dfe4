import Colorloom

final class LawsVerb: Verb {
  static let name = "laws"
  static let summary = "list the rewrites of plans, with their conditions and tests"
  static let discussion = """
    Before a picture is rendered, its plan is rewritten by these laws. None changes what the picture means; each states by how much \
    the values may differ, weighted by alpha and relative to values above 1, and names the property test of this package that guards \
    it. “verify” checks the laws that act on a recipe.
    """
  static let example = "colorloom laws"
  static var arguments: [Argument<LawsVerb>] {
    [.flag("--json", "print a JSON array", \.printsJSON)]
  }

  var printsJSON = false

  private struct Report: Encodable {
    let name, summary, condition, test: String
    let bound: Float
  }

  func run(in session: Session) {
    let laws = Law.allCases.map { law in
      let declaration = law.declaration
      return Report(
        name: law.rawValue, summary: declaration.summary, condition: declaration.condition,
        test: declaration.test, bound: declaration.bound)
    }
    if printsJSON { return session.print(json: laws) }
    for law in laws {
      session.print("\(law.name): \(law.summary)")
      session.print("   where \(law.condition)")
      session.print(
        "   " + (law.bound == 0 ? "same bits" : "within \(law.bound)") + "; guarded by \(law.test)")
    }
  }
}
