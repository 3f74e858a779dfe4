import Colorloom

struct SpacesVerb: Verb {
  static let name = "spaces"
  static let summary = "lists the named color spaces"
  static let example = "colorloom spaces"
  static var arguments: [Argument<SpacesVerb>] { [] }

  func run(in session: Session) throws {
    for space in ColorSpace.all { session.print(space.name) }
  }
}
