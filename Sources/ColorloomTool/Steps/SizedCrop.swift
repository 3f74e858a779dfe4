import Colorloom

/// A crop to a size, at the center or where `x` and `y` say: `--crop 800x600`, `--crop 800x600,y=0`.
///
/// The filter “crop”, which recipes hold, takes regions. The tool knows the size of the picture, and so the region.
struct SizedCrop {
  private let size: PixelSize
  /// Which part is kept: 0 the left or the top, 0.5 the middle, 1 the right or the bottom.
  private var (x, y) = (0.5, 0.5)

  /// Reads the value of an option; nil for one that does not begin with a size, such as a region.
  init?(_ value: String, of option: String) throws {
    let words = StepWords(value, parameters: ["to", "x", "y"])
    var named = words.named
    let leading =
      words.leading.isEmpty && named.first?.name == "to"
      ? [named.removeFirst().text] : words.leading
    guard !words.lacksPart, leading.count == 1, Self.isSize(leading[0]) else { return nil }
    size = try Parser<PixelSize>.size.value(of: leading, for: option)
    var given: Set<String> = []
    for (name, text) in named {
      guard ["x", "y"].contains(name) else {
        throw Misuse("“\(option)” has no parameter “\(name)” beside a size. It has x, y.")
      }
      guard given.insert(name).inserted else { throw Misuse("“\(option)” states “\(name)” twice.") }
      guard let part = decimalNumber(text), (0...1).contains(part) else {
        throw Misuse(
          "“\(option)” needs a number from 0 to 1 for “\(name)”, the position of the crop, not “\(text)”."
        )
      }
      if name == "x" { x = part } else { y = part }
    }
  }

  /// Whether a word has the form WxH.
  private static func isSize(_ word: String) -> Bool {
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    return sides.count == 2 && sides.allSatisfy { Int($0) != nil }
  }

  /// Returns the part of a picture. Where the picture is smaller, all of it is kept.
  func part(of picture: Picture) -> Picture {
    let size = PixelSize(min(size.width, picture.size.width), min(size.height, picture.size.height))
    return picture.padded(to: size, x: x, y: y)
  }
}
