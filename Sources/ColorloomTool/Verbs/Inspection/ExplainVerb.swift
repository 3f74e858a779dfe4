import Colorloom
import ImageFiles

final class ExplainVerb: Verb {
  static let name = "explain"
  static let summary = "follow one pixel through every stage of the plan"
  static let discussion = """
    Each line is the pixel after a stage: red, green, blue and alpha, their encoding and space, where the pixel lies in that step's \
    picture, and the stage. \(PictureSteps.order) Where a step mixes neighbors, the pixel in their middle is followed.
    """
  static let example = "colorloom explain photo.png --at 12,8 --exposure 1 --to sRGB"
  static var arguments: [Argument<ExplainVerb>] {
    PictureInput.arguments.map { $0.within(\.input) } + [
      .option(
        "--at", .position, "the pixel of the result: column and row, from 0", isRequired: true,
        \.position),
      .flag("--json", "print a JSON object", \.printsJSON),
    ]
  }

  var input = PictureInput()
  var stepsAreOfFiles: Bool { input.stepsAreOfFiles }
  var position = Offset.zero
  var printsJSON = false

  private struct Report: Encodable {
    let steps: [Step]

    struct Step: Encodable {
      let stage: String
      let value: [Double]
      let space, encoding: String
      let premultiplied: Bool
      let x, y: Int
    }
  }

  func run(in session: Session) throws {
    let pictures = try input.opened(in: session).steps
    let result = pictures[pictures.count - 1].picture
    let origin: Offset = result.isEndless ? .zero : result.region.origin
    let explanation: Explanation
    do throws(RenderError) {
      explanation = try result.explain(
        x: origin.x + position.x, y: origin.y + position.y, options: session.settings.renderOptions)
    } catch {
      guard case .recipe(.outside) = error else { throw error }
      throw Misuse(
        "“--at \(position.x),\(position.y)” lies outside of the result, which has \(result.size) pixels."
      )
    }
    guard printsJSON else { return session.printText("\(explanation)") }
    session.print(
      json: Report(
        steps: explanation.steps.map { step in
          Report.Step(
            stage: step.name, value: (0..<4).map { step.value[$0] }, space: step.space.name,
            encoding: step.encoding, premultiplied: step.isPremultiplied, x: step.position.x,
            y: step.position.y)
        }))
  }
}
