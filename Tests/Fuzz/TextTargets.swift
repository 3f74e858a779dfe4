import Colorloom
import Foundation
import ImageFiles
import _TestSupport

/// Looks of every format, curves, recipes, films, manifests, display hints, and CSS colors.
enum TextTargets {
  static let all: [FuzzTarget.Entry] =
    LookFileFormat.allCases.map { format in (format.rawValue, { look(format) }) }
    + [
      ("curves", { curves }), ("recipe", recipes), ("core-image", { coreImage }),
      ("film", { film }), ("manifest", { manifest }), ("hint", { hint }), ("css", { css }),
    ]

  /// A target whose seeds are texts.
  private static func target(
    _ name: String, seeds: [String], memoryBudget: Int = 16 << 20,
    read: @escaping @Sendable (_ text: String, _ index: Int) throws -> Void
  ) -> FuzzTarget {
    FuzzTarget(
      name: name, seeds: seeds.map { Array($0.utf8) }, mutate: { $0.mutateText(&$1) },
      read: { bytes, index, _ in try read(String(decoding: bytes, as: UTF8.self), index) },
      memoryBudget: memoryBudget)
  }

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
    // Filters of other packages have no recipe.
    let seeds = try EveryFilter.pictures(of: source).compactMap { _, picture in
      try? picture.recipe().recipe.json
    }
    return target("recipe", seeds: seeds, memoryBudget: 96 << 20, read: readRecipe)
  }

  /// Chains of Core Image filters, which recipes may be.
  private static var coreImage: FuzzTarget {
    let chains = [
      #"[{"CIExposureAdjust": {"inputEV": 0.5}}, {"CIVibrance": {"inputAmount": 0.4}}]"#,
      #"[{"CIGaussianBlur": {"inputRadius": 3}}, {"CICrop": {"inputRectangle": [1, 2, 8, 6]}}]"#,
      #"[{"CIMultiplyBlendMode": {"inputBackgroundImage": "background"}}]"#,
      #"[{"CIToneCurve": {"inputPoint0": [0, 0], "inputPoint4": [1, 1]}, "name": "curved"}]"#,
      #"[{"CIHueAdjust": {"inputAngle": 1}}, {"CILanczosScaleTransform": {"inputScale": 0.5}}]"#,
      #"[{"CIAffineTransform": {"inputTransform": [1, 0.1, 0, 1, 2, 3]}}]"#,
    ]
    return target(
      "core-image", seeds: chains.map { #"{"version": 1, "coreImage": \#($0)}"# },
      memoryBudget: 96 << 20, read: readRecipe)
  }

  private static var source: Picture { Picture(TestPictures.floats(PixelSize(41, 23))) }

  /// Decodes a recipe, and renders or plans its results.
  @Sendable private static func readRecipe(_ text: String, _ index: Int) throws {
    let recipe = try RecipeDecoder(catalog: .withProfiles).recipe(json: text)
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
  }

  private static var film: FuzzTarget {
    let seeds = [
      #"{"version": 1, "film": {}}"#,
      #"{"version": 1, "film": {"base": "automatic", "white": {"region": [1, 2, 3, 4]}}}"#,
      #"{"version": 1, "film": {"base": {"transmittance": [0.82, 0.47, 0.28]}, "white": "#
        + #"{"transmittance": [0.08, 0.04, 0.02]}, "contrast": [0.6, 0.6, 0.6], "offset": [0, 0, 0.1]}, "#
        + #""frames": [{"name": "1", "base": [0.8, 0.4, 0.2], "densest": [0.08, 0.04, 0.02]}]}"#,
      #"{"version": 1, "film": {"base": {"transmittance": [0.8, 0.4, 0.2]}, "space": "ACEScg"}, "#
        + #""frames": [{"name": "1", "base": [0.8, 0.4, 0.2], "densest": [0, 0, 0], "space": "sRGB"}]}"#,
    ]
    return target("film", seeds: seeds) { text, _ in
      let roll = try FilmRoll(json: text)
      _ = try roll.json()
      for frame in roll.frames { _ = roll.finding(on: frame)?.description }
    }
  }

  private static var manifest: FuzzTarget {
    let seeds = [
      #"{"variants": []}"#,
      #"{"variants": [{"file": "wide.jpg", "format": "JPEG", "space": "Display P3", "gamut": "p3", "#
        + #""hdr": false, "width": 800, "height": 600, "bytes": 4000, "sha256": "00"}, "#
        + #"{"file": "narrow.jpg", "format": "JPEG", "space": "sRGB", "gamut": "srgb", "hdr": false, "#
        + #""width": 400, "height": 300, "bytes": 2000, "sha256": "ff"}], "needsWideColor": true}"#,
    ]
    return target("manifest", seeds: seeds) { text, _ in
      let manifest = try JSONDecoder().decode(VariantManifest.self, from: Data(text.utf8))
      _ = manifest.best(for: DisplayHint("gamut=p3; width=400; dpr=1.5"))
    }
  }

  private static var hint: FuzzTarget {
    target(
      "hint", seeds: ["gamut=p3; hdr=no; dpr=2; width=800", "GAMUT = rec2020, hdr=1, viewport=9"]
    ) { text, _ in _ = DisplayHint(text).ignored.count }
  }

  private static var css: FuzzTarget {
    let seeds = [
      "#f0a", "#ff00aacc", "rebeccapurple", "transparent", "rgb(255 0 0)", "rgb(100%, 20%, 0%)",
      "rgba(1, 2, 3, 0.5)", "rgb(1 2 3 / 40%)", "hsl(120deg 50% 40%)", "hsla(0.3turn, 10%, 5%, 1)",
      "hwb(200grad 10% none)", "lab(50% -30 20)", "lch(70% 40 1.2rad)", "oklab(0.5 none -0.1)",
      "oklch(70% 0.1 250deg / 50%)", "color(display-p3 1 0 0.5)", "color(xyz-d50 0.1 0.2 0.3 / 1)",
      "color(rec2020 calc(1 / 3) 0 0)", "rgb(calc(2 * (3 + 4)) 0 0) /* seven */",
      "color(srgb 1 2 3",
    ]
    return target("css", seeds: seeds) { text, _ in
      _ = try CSSColor(CSSColor(text).description)
    }
  }
}
