import ColorSpaces
import Testing

/// Meshes and samples of gamuts.
@Suite struct GamutMeshTests {
  private static let metrics: [ColorSpace] = [.lab, .oklab, .ictcp, .xyzD65, .luv]

  @Test(arguments: metrics) func meshesAreClosedAndOriented(metric: ColorSpace) {
    for space in [ColorSpace.sRGB, .displayP3, .rec2020, .acescg] {
      let mesh = space.gamutMesh(in: metric, steps: 6)
      var edges: [SIMD2<Int>: Int] = [:]
      for triangle in mesh.triangles {
        for (a, b) in [
          (triangle.x, triangle.y), (triangle.y, triangle.z), (triangle.z, triangle.x),
        ] {
          edges[[a, b], default: 0] += 1
        }
      }
      // Each directed edge once, and its opposite once: two triangles on every edge, oriented alike.
      #expect(edges.values.allSatisfy { $0 == 1 })
      #expect(edges.keys.allSatisfy { edges[[$0.y, $0.x]] == 1 })
      #expect(mesh.vertices.count - edges.count / 2 + mesh.triangles.count == 2)
      #expect(mesh.vertices.count == 6 * 6 * 6 + 2)
      #expect(mesh.volume > 0)
    }
  }

  /// A linear metric maps the cube to a parallelepiped, which a mesh of any fineness describes exactly.
  @Test func volumeInLinearLightIsThatOfTheMatrix() {
    for space in [ColorSpace.sRGB, .displayP3, .rec2020] {
      let mesh = space.gamutMesh(in: .xyzD65, steps: 5)
      let exact = abs(space.matrix(to: .xyzD65).determinant)
      // XYZ of D65 has white at (0.9505, 1, 1.0891) instead of 1: the product of the three scales the volume. 300
      // triangles are added, each with a few rounding errors of the total.
      let white = Chromaticity.d65.xyz
      #expect(abs(mesh.volume / (exact * white.x * white.z) - 1) < 1e-12, "\(space)")
    }
  }

  @Test(arguments: [ColorSpace.lab, .oklab, .luv])
  func volumesApproachTheGamutVolume(metric: ColorSpace) {
    let exact = ColorSpace.displayP3.gamutVolume(in: metric)
    let errors = [8, 16, 32].map {
      abs(ColorSpace.displayP3.gamutMesh(in: metric, steps: $0).volume - exact.value)
    }
    // Flat triangles instead of a curved surface: a fourth of the error for twice the steps, at the least a third.
    #expect(errors[1] < errors[0] / 3 && errors[2] < errors[1] / 3, "\(errors)")
    #expect(errors[2] / exact.value < 2e-3)
  }

  @Test func verticesAreTheCornersOfTheGamut() {
    let mesh = ColorSpace.sRGB.gamutMesh(in: .lab, steps: 1)
    #expect(mesh.vertices.count == 8 && mesh.triangles.count == 12)
    let white = ColorPoint(1, 1, 1, in: .sRGB).converted(to: .lab).components
    #expect(mesh.vertices.contains { (($0 - white) * ($0 - white)).sum() < 1e-18 })
  }

  @Test func plyListsEveryVertexAndTriangle() throws {
    let mesh = ColorSpace.sRGB.gamutMesh(in: .oklab, steps: 2)
    let lines = mesh.ply.split(separator: "\n")
    let end = try #require(lines.firstIndex(of: "end_header"))
    #expect(lines.count == end + 1 + mesh.vertices.count + mesh.triangles.count)
    #expect(lines.contains("element vertex 26") && lines.contains("element face 48"))
    // The first corner of the cube is black.
    #expect(lines[end + 1].hasSuffix(" 0 0 0"))
    let numbers = lines[end + 2].split(separator: " ").compactMap { Double($0) }
    #expect(numbers.count == 6 && SIMD3(numbers[0], numbers[1], numbers[2]) == mesh.vertices[1])
  }

  @Test(arguments: [ColorSpace.sRGB, .displayP3, .rec2020, .proPhoto])
  func samplesAreInGamutAndRepeatable(space: ColorSpace) {
    for metric in [ColorSpace.oklab, .lab, .ictcp] {
      let colors = Array(space.gamutSamples(in: metric).prefix(200))
      #expect(colors == Array(space.gamutSamples(in: metric).prefix(200)))
      #expect(Set(colors).count == 200)
      for color in colors {
        #expect(space.holds(color.converted(to: space.linear).components), "\(color)")
      }
    }
  }

  /// Primaries on a line make no matrix, and no color of theirs can be found.
  @Test func unusablePrimariesHaveNoSamples() {
    let red = Chromaticity(0.64, 0.33)
    let space = ColorSpace(
      "Line", primaries: Primaries(red: red, green: red, blue: red), transfer: .linear)
    #expect(Array(space.gamutSamples(in: .oklab).prefix(1)) == [])
    #expect(Array(ColorSpace.sRGB.gamutSamples(in: space).prefix(1)) == [])
  }

  /// A metric that returns other colors than it was given, as tables of profiles do.
  @Test func samplesEndInAMetricThatIsNoInverseOfItself() {
    let metric = ColorSpace(
      "Inexact", primaries: .rec709,
      transfer: TransferFunction(
        Coordinates(
          "inexact", decoding: [.affine(scale: .one, offset: .zero)],
          encoding: [.affine(scale: .one, offset: SIMD3(repeating: 0.01))])))
    #expect(Array(ColorSpace.sRGB.gamutSamples(in: metric).prefix(1)) == [])
  }

  /// The share of one gamut's colors that another one holds is its coverage, up to the discrepancy of so many points.
  @Test func samplesCountVolumes() {
    let count = 20_000
    let held = ColorSpace.displayP3.gamutSamples(in: .oklab).prefix(count).filter {
      ColorSpace.linearSRGB.holds($0.converted(to: .linearSRGB).components)
    }.count
    let coverage = ColorSpace.sRGB.coverage(of: .displayP3, in: .oklab)
    // Random points would miss by √(0.74 · 0.26 / 20 000) = 0.003; these are more even.
    #expect(abs(Double(held) / Double(count) - coverage.value) < 0.003)
  }
}
