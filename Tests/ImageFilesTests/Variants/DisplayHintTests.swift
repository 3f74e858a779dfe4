import ImageFiles
import Testing

/// The properties of displays, as text.
@Suite struct DisplayHintTests {
  /// The limits of a display's properties are accepted, and values beyond are not.
  @Test func displayPropertiesHaveLimits() {
    for (name, limits) in [("dpr", 0.1...100), ("width", 1...1e6)] {
      for limit in [limits.lowerBound, limits.upperBound] {
        let hint = DisplayHint("\(name)=\(limit)")
        #expect(hint.ignored.isEmpty && (name == "dpr" ? hint.pixelRatio : hint.width) == limit)
      }
      for number in [limits.lowerBound.nextDown, limits.upperBound.nextUp, 0, -1] {
        let hint = DisplayHint("\(name)=\(number)")
        #expect(hint.ignored == ["\(name)=\(number)".lowercased()])
        #expect(hint.pixelRatio == 1 && hint.width == nil)
      }
    }
  }

  /// Exactly one of <, = and > holds of each pair, in the order of the cases.
  @Test func gamutsAreInOrder() {
    let gamuts = DisplayHint.Gamut.allCases
    #expect(gamuts == [.sRGB, .p3, .rec2020])
    for (i, a) in gamuts.enumerated() {
      for (j, b) in gamuts.enumerated() {
        #expect((a < b) == (i < j) && (a > b) == (i > j), "\(a), \(b)")
      }
    }
  }

  @Test func unknownDisplayPropertiesAreIgnored() {
    let hint = DisplayHint("gamut=p3; depth = 10 bit; hdr; dpr=x; gamut=dci; ;width=-5")
    #expect(hint.gamut == .p3)
    #expect(hint.pixelRatio == 1 && hint.width == nil && !hint.showsHighDynamicRange)
    #expect(hint.ignored == ["depth = 10 bit", "hdr", "dpr=x", "gamut=dci", "width=-5"])
  }

  /// A value that is not understood is told apart from a property that is none.
  @Test func problemsNameWhatIsAllowed() {
    let hint = DisplayHint("gamut=wide; width=abc; dpr=0; hdr; mood=good")
    #expect(
      hint.problems == [
        "“gamut=wide” is ignored: “gamut” is srgb, p3 or rec2020.",
        "“width=abc” is ignored: “width” is a number from 1 to 1000000, in layout pixels.",
        "“dpr=0” is ignored: “dpr” is a number from 0.1 to 100, in device pixels per layout pixel.",
        "“hdr” is ignored: “hdr” is yes or no.",
        "“mood=good” is no known display property. The properties are gamut, hdr, dpr and width.",
      ])
  }
}
