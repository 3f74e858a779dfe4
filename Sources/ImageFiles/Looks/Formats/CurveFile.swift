internal import ColorSpaces
public import FilterGraph

extension CurveDevelopment {
  /// Parses the curves of a film development from a text file: a line for each channel, with points as `x,y` separated by blanks.
  ///
  ///     spline natural
  ///     red 0,0 .38,.07 .63,.24 .78,.49 1,1
  ///     green 0,0 .67,.07 .85,.19 .92,.39 1,.90
  ///     blue 0,0 .69,.06 .90,.20 .96,.44 1,.92
  ///
  /// A line `all` beside them is the curve that all channels go through first, the falling diagonal if it is missing. `spline` is
  /// natural, not-a-knot, clamped, catmull-rom, akima, makima, monotone, fritsch-carlson or linear, `over` is root, light or stored;
  /// natural and root if they are missing. Each line may stand once, in any order. The words of the filter, `reversal` for `all` and
  /// `square-root` for `root`, may stand for these.
  public init(
    contentsOf path: String, limits: FileLimits = FileLimits(bytes: 1 << 20)
  ) throws(LookFileError) {
    let source: ByteSource
    do throws(ImageFileError) {
      source = try ByteSource(contentsOf: path, limit: limits.bytes)
    } catch {
      throw .file(error)
    }
    self = try CurveDevelopment(LookText(source, file: path, memoryLimit: limits.memoryLimit))
  }

  private init(_ text: LookText) throws(LookFileError) {
    var text = text
    var spline = CubicCurve.Interpolation.natural
    var scale = ToneScale.squareRoot
    var lines: [String: LookText.Line] = [:]
    while let line = try text.next() {
      let word = line.keyword.lowercased()
      let name = word == "reversal" ? "all" : word
      guard lines.updateValue(line, forKey: name) == nil else {
        throw text.failure(line, "“\(word.prefix(40))” stands twice")
      }
      switch name {
      case "spline": spline = try text.choice(line, Self.splines)
      case "over": scale = try text.choice(line, Self.scales)
      case "all", "red", "green", "blue": break
      default:
        throw text.failure(
          line, "“\(name.prefix(40))” is none of spline, over, all, red, green and blue")
      }
    }
    func curve(_ name: String) throws(LookFileError) -> CubicCurve? {
      guard let line = lines[name] else { return nil }
      let points = try text.points(line)
      do throws(ColorError) {
        return try CubicCurve(through: points, interpolation: spline)
      } catch {
        throw text.failure(line, "\(error)")
      }
    }
    guard let red = try curve("red"), let green = try curve("green"), let blue = try curve("blue")
    else {
      let missing = ["red", "green", "blue"].filter { lines[$0] == nil }
      throw text.incomplete(
        "it has no curve for each of red, green and blue. Missing: \(missing.joined(separator: ", ")). A line such as "
          + "“\(missing[0]) 0,0 1,1” changes nothing after “all”")
    }
    self.init(
      reversal: try curve("all") ?? .fallingDiagonal, red: red, green: green, blue: blue,
      over: scale)
  }

  private static let splines = Dictionary(
    uniqueKeysWithValues: CubicCurve.Interpolation.allCases.map { ($0.rawValue, $0) })

  private static let scales: [String: ToneScale] = [
    "root": .squareRoot, "square-root": .squareRoot, "light": .light, "stored": .stored,
  ]
}

extension LookText {
  /// One of some words behind the first.
  fileprivate func choice<Value>(
    _ line: Line, _ values: [String: Value]
  ) throws(LookFileError) -> Value {
    let words = line.words
    guard words.count == 2, let value = values[words[1].lowercased()] else {
      throw failure(
        line, "one of \(values.keys.sorted().joined(separator: ", ")) should stand here")
    }
    return value
  }

  /// The points behind the first word.
  fileprivate func points(_ line: Line) throws(LookFileError) -> [SIMD2<Double>] {
    var points: [SIMD2<Double>] = []
    for word in line.words.dropFirst() {
      let parts = word.split(separator: ",", omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw failure(line, "“\(word.prefix(40))” is no point such as .5,.4")
      }
      points.append([try number(parts[0], line), try number(parts[1], line)])
    }
    return points
  }
}
