import Colorloom

/// What the command line asks for.
struct Arguments {
  enum Command {
    case help
    case spaces
    case info(path: String)
    case color(from: ColorSpace, to: ColorSpace, rows: [String])
    case curve(TransferFunction, encodes: Bool, rows: [String])
    case render(Job)
  }

  /// One picture from a file through steps to a file.
  struct Job {
    var input = ""
    var output = ""
    var steps: [Step] = []
    /// Whether the input is developed as a negative first, and as which one.
    var film: NegativeFilm?
    var assumed: ColorSpace?
    var samples = SampleFormat.uint16
    var threads: Int?
    var showsPlanOnly = false
    var isQuiet = false
  }

  /// One change to the picture; steps happen in the order of the command line.
  struct Step {
    let apply: (Picture) -> Picture
  }

  let command: Command

  init(_ words: [String]) throws {
    var words = Words(words)
    switch words.next() {
    case nil, "help", "--help", "-h": command = .help
    case "spaces":
      try words.expectEnd()
      command = .spaces
    case "info":
      let path = try words.value(of: "info", "a file")
      try words.expectEnd()
      command = .info(path: path)
    case "curve": command = try Self.curve(&words)
    case "color": command = try Self.color(&words)
    case "convert": command = .render(try Self.job(&words, film: nil))
    case "develop": command = .render(try Self.job(&words, film: .colorNegative()))
    case .some(let word):
      throw Misuse(
        "There is no command “\(word)”. Commands are: develop, convert, color, curve, info, spaces, help."
      )
    }
  }

  private static func color(_ words: inout Words) throws -> Command {
    var source: ColorSpace?
    var target: ColorSpace?
    var rows: [String] = []
    while let word = words.next() {
      switch word {
      case "--from": source = try words.space(of: word)
      case "--to": target = try words.space(of: word)
      default: rows.append(word)
      }
    }
    guard let source, let target else {
      throw Misuse(
        "Both spaces are needed, for example: colorloom color --from p3 --to sRGB \"1 0 0\"")
    }
    return .color(from: source, to: target, rows: rows)
  }

  private static func curve(_ words: inout Words) throws -> Command {
    let function = try TransferFunction(named: words.value(of: "curve", "the name of a curve"))
    let direction = try words.value(of: "curve", "“encode” or “decode”")
    guard ["encode", "decode"].contains(direction) else {
      throw Misuse("A curve is to “encode” or to “decode”, not to “\(direction)”.")
    }
    var rows: [String] = []
    while let word = words.next() { rows.append(word) }
    return .curve(function, encodes: direction == "encode", rows: rows)
  }

  private static func job(_ words: inout Words, film: NegativeFilm?) throws -> Job {
    var job = Job()
    job.film = film
    var paths: [String] = []
    while let word = words.next() {
      if !word.hasPrefix("--") {
        paths.append(word)
        continue
      }
      switch word {
      case "--assume": job.assumed = try words.space(of: word)
      case "--depth": job.samples = try words.depth(of: word)
      case "--threads": job.threads = try words.wholeNumber(of: word, from: 1)
      case "--plan": job.showsPlanOnly = true
      case "--quiet": job.isQuiet = true
      case "--film-base" where film != nil:
        job.film?.base = .transmittance(try words.tone(of: word))
      case "--film-white" where film != nil:
        job.film?.white = .transmittance(try words.tone(of: word))
      case "--film-contrast" where film != nil: job.film?.contrast = try words.tone(of: word)
      default: job.steps.append(try step(word, &words))
      }
    }
    guard paths.count == 2 || (job.showsPlanOnly && paths.count == 1) else {
      throw Misuse(
        "Two files are needed, one to read and one to write; got \(paths.count). "
          + "For example: colorloom convert photo.png small.png --fit 2048x2048")
    }
    job.input = paths[0]
    job.output = paths.count == 2 ? paths[1] : ""
    return job
  }

  private static func step(_ word: String, _ words: inout Words) throws -> Step {
    switch word {
    case "--invert": return Step { $0.inverted() }
    case "--exposure":
      let stops = try words.number(of: word)
      return Step { $0.exposure(stops) }
    case "--curve":
      let curve = try words.curve(of: word)
      return Step { $0.toneCurve(curve) }
    case "--curves":
      let red = try words.curve(of: word)
      let (green, blue) = (try words.curve(of: word), try words.curve(of: word))
      return Step { $0.toneCurves(red: red, green: green, blue: blue) }
    case "--fit":
      let (width, height) = try words.size(of: word)
      return Step { $0.resized(to: .fit(width, height)) }
    case "--size":
      let (width, height) = try words.size(of: word)
      return Step { $0.resized(to: .exact(width, height)) }
    case "--space":
      let space = try words.space(of: word)
      return Step { $0.converted(to: space) }
    case "--fit-gamut":
      let space = try words.space(of: word)
      return Step { $0.fitted(into: space) }
    case "--gamut-mask":
      let gamut = try words.space(of: word)
      return Step { $0.gamutMask(outside: gamut) }
    default: throw Misuse("There is no option “\(word)”. “colorloom help” lists them all.")
    }
  }

  static let usage = """
    colorloom: color-managed image filters

    colorloom develop <scan.png> <print.png> [steps]   a film negative becomes a positive
    colorloom convert <in.png> <out.png> [steps]       any picture, changed step by step
    colorloom info <in.png>                            size, samples and color space of a file
    colorloom color --from <space> --to <space> [row]… three numbers or a CSS color a row, else from standard input
    colorloom curve <name> encode|decode [number]…     a transfer function, one number a row
    colorloom spaces                                   the named color spaces

    Steps happen in the order given:
      --invert                      the negative, as stored
      --exposure <stops>            more light; each stop doubles it
      --curve <points>              a tone curve: "0,0 .25,.2 .5,.5 .75,.8 1,1"
      --curves <r> <g> <b>          a tone curve for each channel
      --fit <w>x<h>                 as large as fits inside, Lanczos 3 in linear light
      --size <w>x<h>                exactly this size
      --space <name>                converted to this color space
      --fit-gamut <name>            converted to this color space, chroma reduced where it must be
      --gamut-mask <name>           gray but for the colors that this space cannot hold

    Options:
      --film-base <r,g,b>           light that passes unexposed film; measured if not given
      --film-white <r,g,b>          light that passes what shall be white; measured if not given
      --film-contrast <r,g,b>       gamma of the film's layers
      --assume <space>              what an untagged file means
      --depth 8|16                  bits a sample in the file written; 16 if not given
      --threads <n>                 all cores if not given
      --plan                        only shows what would run
      --quiet                       no progress

    Exit status: 0 done, 1 failed, 2 misused.
    """
}

/// The command line cannot be understood; the text says why and what would be right.
struct Misuse: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
