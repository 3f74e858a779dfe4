import Testing

@Suite("Checker of documentation fences")
struct FenceCheckerTests {
  let example = TextFile(
    name: "Example.swift",
    text: """
      import Colorloom
      public import Foundation
      import Testing

      /// A doubled number.
      struct Doubled {
        var value: Int
      }

      let neverRun = 1

      struct ExampleTests {
        let member = 2

        @Test("Numbers add up", arguments: [
          1, 2,
        ])
        func sum(number: Int) {
          let one = 1
          if one == 1 {

            print(one)
          }
          #expect(one + 1 == 2)
        }

        @Test(.disabled("broken"))
        func skipped() {
          let skipped = 1
        }

        @Test func short() { print(1) }

        func helper() {
          let helped = 1
        }
      }
      """)

  private func problems(_ markdown: String) -> [FenceProblem] {
    fenceProblems(in: TextFile(name: "README.md", text: markdown), examples: [example])
  }

  private func problems(withFence code: String) -> [FenceProblem] {
    problems("# Title\n\n```swift\n\(code)\n```\n")
  }

  @Test(
    "Code of a test or a declaration of its file is accepted",
    arguments: [
      "let one = 1",
      "if one == 1 {\n\n  print(one)\n}",
      "    if one == 1 {\n   \n      print(one)  \n    }\n\n",
      "import Colorloom\nimport Foundation\n\nlet one = 1",
      "import Foundation",
      "struct Doubled {\n  var value: Int\n}",
      "import Colorloom\n\n/// A doubled number.\nstruct Doubled {",
    ])
  func accepted(code: String) {
    #expect(problems(withFence: code) == [])
  }

  @Test(
    "Other code is rejected",
    arguments: [
      ("let two = 2", "no example file has this code"),
      (
        "let one = 1\nif one == 1 {\n\n  print(1)\n}",
        "no example file has this code; the nearest, at Example.swift:19, differs from line 7 on"
      ),
      (
        "if one == 1 {\n\nprint(one)\n}",
        "no example file has this code; the nearest, at Example.swift:20, differs from line 6 on"
      ),
      (
        "import Colorloom\n\nlet one = 1\nprint(one)",
        "no example file has this code; the nearest, at Example.swift:19, differs from line 7 on"
      ),
      ("import Glibc\nlet one = 1", "Example.swift:19 has this code, but its file lacks"),
      ("import Glibc", "no example file has these imports"),
      ("let neverRun = 1", "Example.swift:10 has this code, but neither in a @Test function"),
      ("let member = 2", "Example.swift:13 has this code, but neither in a @Test function"),
      ("let skipped = 1", "Example.swift:29 has this code, but neither in a @Test function"),
      ("let helped = 1", "Example.swift:35 has this code, but neither in a @Test function"),
      ("  \n", "the fence is empty"),
    ])
  func rejected(code: String, message: String) throws {
    let found = problems(withFence: code)
    #expect(found.count == 1)
    let problem = try #require(found.first)
    #expect(problem.description.hasPrefix("README.md:3: \(message)"))
  }

  @Test("Each wrong fence is reported with its own line, and right ones between are not")
  func lines() {
    let found = problems(
      """
      ```swift
      let wrong = 1
      ```

      ~~~~ swift
      let one = 1
      ~~~~
      1. In a list:
         ```swift
         let worse = 1
         ```
      """)
    #expect(found.map(\.line) == [1, 9])
  }

  @Test("Only fences marked as Swift are looked at")
  func otherFences() {
    let markdown = """
      ```sh
      swift build
      ```
      ```swift manifest
      .package(path: ".")
      ```
      ````markdown
      ```swift
      let wrong = 1
      ```
      ````
      Inline ```swift``` is not a fence.
      """
    #expect(problems(markdown) == [])
    #expect(swiftFences(in: TextFile(name: "README.md", text: markdown)).fences.isEmpty)
  }

  @Test("A fence that cannot be read is a problem, not a gap")
  func malformed() {
    #expect(problems("Text\n> ```swift\n> let one = 1\n> ```").first?.line == 2)
    #expect(problems("- ```Swift\n  let one = 1\n  ```").first?.line == 1)
    #expect(problems("\n\n```swift\nlet one = 1").map(\.line) == [3])
  }

  @Test("A file without a test cannot be an example")
  func withoutTest() {
    let markdown = TextFile(name: "README.md", text: "```swift\nstruct Lonely {}\n```")
    let lonely = TextFile(name: "Lonely.swift", text: "struct Lonely {}")
    #expect(fenceProblems(in: markdown, examples: [lonely]).count == 1)
  }

  @Test("Windows line ends change nothing")
  func windowsLineEnds() {
    #expect(problems("Text\r\n```swift\r\nlet one = 1\r\n```\r\n") == [])
    #expect(problems("Text\r\n```swift\r\nlet wrong = 1\r\n```\r\n").map(\.line) == [2])
  }
}
