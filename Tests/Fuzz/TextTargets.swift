import Colorloom
import Foundation
import ImageFiles
import _TestSupport

/// Looks of every format, curves, recipes, and CSS colors.
enum TextTargets {
  static let all: [FuzzTarget.Entry] =
    LookFileFormat.allCases.map { format in (format.rawValue, { look(format) }) }
    + [("curves", { curves }), ("recipe", recipes), ("css", { css })]

  private static func look(_ format: LookFileFormat) -> FuzzTarget {
    let colors = TestPictures.floats(PixelSize(4, 2), in: .sRGB, channels: .rgb)
    return FuzzTarget(
      name: format.rawValue, seeds: Fixtures.files(in: "Looks", endings: [format.rawValue]),
      mutate: { $0.mutateText(&$1) },
      read: { bytes, index, _ in
        let look = try Look(bytes, as: format)
        guard index % 4 == 0 else { return }
        var options = RenderOptions()
        options.threads = 1
        _ = try Picture(colors).look(look).render(as: Float.self, options: options)
      }, memoryBudget: 128 << 20)
  }

  private static var curves: FuzzTarget {
    FuzzTarget(
      name: "curves",
      seeds: [(try? Array(Data(contentsOf: Fixtures.url("film.curves")))) ?? []],
      mutate: { $0.mutateText(&$1) },
      read: { bytes, _, scratch in
        try Data(bytes).write(to: URL(filePath: scratch.path))
        _ = try CurveDevelopment(contentsOf: scratch.path)
      }, memoryBudget: 16 << 20)
  }

  @Sendable private static func recipes() throws -> FuzzTarget {
    let source = Picture(TestPictures.floats(PixelSize(41, 23)))
    var seeds: [[UInt8]] = []
    for (_, picture) in try EveryFilter.pictures(of: source) {
      // Filters of other packages have no recipe.
      guard let json = try? picture.recipe().recipe.json else { continue }
      seeds.append(Array(json.utf8))
    }
    return FuzzTarget(
      name: "recipe", seeds: seeds, mutate: { $0.mutateText(&$1) },
      read: { bytes, index, _ in
        let recipe = try RecipeDecoder(catalog: .withProfiles).recipe(
          json: String(decoding: bytes, as: UTF8.self))
        _ = recipe.json
        var pictures: [String: Picture] = [:]
        for name in recipe.inputs { pictures[name] = source }
        let results =
          recipe.outputs.isEmpty
          ? [try recipe.picture(pictures)] : Array(try recipe.pictures(pictures).values)
        var options = RenderOptions()
        (options.threads, options.pixelLimit, options.memoryLimit) = (2, 1 << 14, 32 << 20)
        if index % 2 == 0 {
          _ = try Picture.render(results, as: Float.self, options: options)
        } else {
          _ = try Picture.planReport(results, as: UInt8.self, options: options)
        }
      }, memoryBudget: 96 << 20)
  }

  private static var css: FuzzTarget {
    let seeds = [
      "#f0a", "#ff00aacc", "rebeccapurple", "transparent", "rgb(255 0 0)", "rgb(100%, 20%, 0%)",
      "rgba(1, 2, 3, 0.5)", "rgb(1 2 3 / 40%)", "hsl(120deg 50% 40%)", "hsla(0.3turn, 10%, 5%, 1)",
      "hwb(200grad 10% none)", "lab(50% -30 20)", "lch(70% 40 1.2rad)", "oklab(0.5 none -0.1)",
      "oklch(70% 0.1 250deg / 50%)", "color(display-p3 1 0 0.5)", "color(xyz-d50 0.1 0.2 0.3 / 1)",
      "color(rec2020 calc(1 / 3) 0 0)", "rgb(calc(2 * (3 + 4)) 0 0) /* seven */", "color(srgb 1 2",
    ].map { Array($0.utf8) }
    return FuzzTarget(
      name: "css", seeds: seeds, mutate: { $0.mutateText(&$1) },
      read: { bytes, _, _ in
        let color = try CSSColor(String(decoding: bytes, as: UTF8.self))
        _ = try CSSColor(color.description)
      }, memoryBudget: 16 << 20)
  }
}
