import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Graphs of thousands of steps are planned, rendered, serialized and freed on the small stacks of worker threads.
@Suite struct DeepGraphTests {
  private static let source = Picture(TestPictures.codes(as: UInt8.self, PixelSize(4, 3)))

  /// Runs `body` on a thread with the stack size of Dispatch's, 512 KiB.
  private func onSmallStack<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let (result, done) = (Box<Value>(), DispatchSemaphore(value: 0))
    let thread = Thread {
      let value = Result { try body() }
      result.value.withLock { $0 = value }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    return try #require(result.value.withLock { $0 }).get()
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Steps of every kind of node, of which each ten together are the identity.
  private static func chain(_ count: Int) -> Picture {
    (0..<count).reduce(source) { picture, index in
      switch index % 5 {
      case 0: picture.mirrored()
      case 1: picture.tagged(as: index % 2 == 0 ? .displayP3 : .sRGB)
      case 2: picture.stored(as: .uint8)
      case 3:
        picture.padded(to: picture.region.moved(by: Offset(1, 0)), edges: .wrapped).placed(
          at: .zero)
      default: picture.applying(First(), with: [picture])
      }
    }
  }

  @Test func picturesOfTenThousandStepsRender() throws {
    let (lines, bitmap) = try onSmallStack {
      let picture = Self.chain(10_000)
      return (
        picture.plan.split(separator: "\n").count, try picture.render(as: UInt8.self)
      )
    }
    #expect(lines > 7_000)
    #expect(bitmap == (try Self.source.tagged(as: .displayP3).render(as: UInt8.self)))
  }

  @Test func programsOfTenThousandStagesRun() throws {
    let last = try onSmallStack {
      let picture = (0..<10_000).reduce(Self.source) { picture, index in
        picture.exposure(index % 2 == 0 ? 1 : -1)
      }
      return (try picture.render(as: UInt8.self), picture.plan)
    }
    #expect(last.0 == (try Self.source.render(as: UInt8.self)))
  }

  /// A measurement holds the picture that it measures, and with it all steps before.
  @Test func chainsOfTenThousandMeasurementsAreFreed() throws {
    let size = try onSmallStack {
      (0..<10_000).reduce(Self.source) { picture, _ in
        picture.applying(measuring: Statistics()) { $1.exposure(Double($0.greatest.max())) }
      }.size
    }
    #expect(size == Self.source.size)
  }

  /// As many steps as recipes allow.
  @Test func recipesAtTheStepLimitRender() throws {
    let steps = [
      #""invert""#, #"{"tag": {"as": "Display P3"}}"#, #"{"orient": {"to": "mirrored"}}"#,
      #"{"exposure": {"stops": 0}}"#, #"{"store": {"as": "uint8"}}"#,
      #"{"move": {"by": [1, 1]}}"#, #"{"place": {"at": [0, 0]}}"#, #"{"tag": {"as": "sRGB"}}"#,
    ]
    let count = RecipeDecoder().stepLimit
    let list = (0..<count).map { steps[$0 % steps.count] }.joined(separator: ", ")
    let json = #"{"version": 1, "steps": [\#(list)]}"#
    let (lines, explained, bitmap, recipe) = try onSmallStack {
      let picture = try Recipe(json: json).picture(["input": Self.source])
      return (
        try picture.planReport(as: UInt8.self).steps.count,
        try picture.explain(x: 1, y: 2).steps.count, try picture.render(as: UInt8.self),
        try picture.recipe().recipe.json
      )
    }
    // Of eight recipe steps two run, the orientation and the stored program; the first has seven parts, with two tags.
    #expect(lines > count / 4 && explained > count / 4, "\(lines) and \(explained) of \(count)")
    #expect(bitmap.size == PixelSize(4, 3))
    #expect(try Recipe(json: recipe) == Recipe(json: json))
    // Programs and tags, behind which a reducible source is searched.
    let points =
      (1..<count).map { steps[[1, 3][$0 % 2]] } + [#"{"reduce-source": {"to-at-least": [1, 1]}}"#]
    let other = #"{"version": 1, "steps": [\#(points.joined(separator: ", "))]}"#
    let size = try onSmallStack {
      try Recipe(json: other).picture(["input": Self.source]).render(as: UInt8.self).size
    }
    #expect(size == PixelSize(4, 3))
  }
}

/// The first of several pictures.
private struct First: BlendFilter {
  var domain: PixelDomain { .any }
  var extent: BlendExtent { .first }
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[0] }
}
