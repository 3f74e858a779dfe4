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
}
