import Colorloom
import Foundation
import ImageFiles

/// A self-contained page: pictures are embedded, nothing is fetched, and no script is needed.
struct HTMLPage {
  let title: String
  private var body: [String] = []

  init(title: String) { self.title = title }

  mutating func add(_ html: String) { body.append(html) }

  /// Puts something below the title, before all that was added.
  mutating func prepend(_ html: String) { body.insert(html, at: 0) }

  /// A heading and what stands below it.
  mutating func section(_ heading: String, _ content: String) {
    add("<section><h2>\(xmlEscaped(heading))</h2>\n\(content)\n</section>")
  }

  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(xmlEscaped(title))</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <h1>\(xmlEscaped(title))</h1>
    \(body.joined(separator: "\n"))
    </body>
    </html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; --ink: #1c1c1e; --paper: #fdfdfc; --line: #c9c9c6; --soft: #6b6b6f; --bad: #9a3412; --good: #166534; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #ececec; --paper: #18181b; --line: #45454a; --soft: #a1a1a8; --bad: #fdba74; --good: #86efac; }
    }
    body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
    h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; border-top: 1px solid var(--line); padding-top: 1rem; }
    .verdict { border-left: .35rem solid; padding: .5rem 1rem; font-size: 1.15rem; }
    .verdict.lost { border-color: var(--bad); } .verdict.kept { border-color: var(--good); }
    .verdict strong { display: block; }
    .row { display: flex; flex-wrap: wrap; gap: 1rem; }
    figure { margin: 0 0 1rem; flex: 1 1 20rem; max-width: 40rem; } figcaption { color: var(--soft); font-size: .9rem; }
    img, svg { max-width: 100%; height: auto; } img { image-rendering: auto; }
    table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
    svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .soft { fill: var(--soft); }
    svg .frame { fill: none; stroke: var(--line); } svg .box { fill: none; stroke: var(--ink); } svg .bad { stroke: var(--bad); stroke-width: 2; }
    """
}

/// A picture, or another figure, with a caption.
func figure(_ content: String, caption: String) -> String {
  "<figure>\(content)<figcaption>\(xmlEscaped(caption))</figcaption></figure>"
}

/// An embedded PNG of a picture, in Display P3 with its profile, at most 640 pixels wide and high. Screen readers read `description`.
func image(
  of picture: Picture, describedAs description: String, in session: Session
) throws -> String {
  let side = 640
  let isSmall = max(picture.size.width, picture.size.height) <= side
  let shown = isSmall ? picture : picture.resized(to: .fit(side, side))
  let bitmap = try shown.converted(to: .displayP3).render(
    as: UInt8.self, options: session.settings.renderOptions)
  let bytes = try ImageFile.encode(.uint8(bitmap), as: .png)
  return
    "<img alt=\"\(xmlEscaped(description))\" width=\"\(bitmap.size.width)\" height=\"\(bitmap.size.height)\" "
    + "src=\"data:image/png;base64,\(Data(bytes).base64EncodedString())\">"
}

/// A table of rows, the first of which is a heading.
func table(_ heading: [String], _ rows: [[String]]) -> String {
  func row(_ cells: [String], _ tag: String) -> String {
    "<tr>" + cells.map { "<\(tag)>\(xmlEscaped($0))</\(tag)>" }.joined() + "</tr>"
  }
  return "<table>\(row(heading, "th"))\(rows.map { row($0, "td") }.joined())</table>"
}
