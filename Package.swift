// swift-tools-version: 6.3
import PackageDescription

/// What the code for TIFF and OpenEXR files is compiled with.
let tiffTraits: Set = ["StandardFormats", "TIFF"]
let openEXRTraits: Set = ["StandardFormats", "OpenEXR"]

/// Colorloom and the modules that it exports. The package manager compiles a target again when the module of a direct dependency changes,
/// but not when that of an indirect one does. So targets that use Colorloom depend on all four directly, and the product lists all four.
let coreModules = ["Colorloom", "ColorSpaces", "ImageBuffer", "FilterGraph"]
let core = coreModules.map { Target.Dependency(stringLiteral: $0) }

/// The core (ColorSpaces, ImageBuffer, FilterGraph) needs no system library; ICC profiles and image files do. Those of traits are only
/// looked for where the trait is enabled.
let package = Package(
  name: "colorloom",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Colorloom", targets: coreModules),
    .library(name: "ColorSpaces", targets: ["ColorSpaces"]),
    .library(name: "ImageBuffer", targets: ["ImageBuffer"]),
    .library(name: "FilterGraph", targets: ["FilterGraph"]),
    .library(name: "ColorloomTesting", targets: ["ColorloomTesting"]),
    .library(name: "ICCProfiles", targets: ["ICCProfiles"]),
    .library(name: "ImageFiles", targets: ["ImageFiles"]),
    .executable(name: "colorloom", targets: ["ColorloomTool"]),
  ],
  traits: [
    // One trait instead of two: of several ones the package manager passes the names to the compiler in any order, and whenever it plans a
    // build anew, for a new file or between `swift build` and `swift test`, another order would compile everything again.
    .default(enabledTraits: ["StandardFormats"]),
    .trait(name: "StandardFormats", description: "TIFF and OpenEXR files"),
    .trait(name: "TIFF", description: "TIFF files, through libtiff"),
    .trait(name: "OpenEXR", description: "OpenEXR files, through OpenEXRCore"),
    .trait(name: "WebP", description: "WebP files, through libwebp"),
    .trait(name: "JPEGXL", description: "JPEG XL files, through libjxl"),
    .trait(name: "HEIF", description: "HEIF and AVIF files, through libheif"),
    // Most raw files are TIFF files, whose directories tell them apart.
    .trait(
      name: "RAW", description: "camera raw files and DNG, read through libraw",
      enabledTraits: ["TIFF"]),
  ],
  targets: [
    // The core.
    .target(name: "ColorSpaces"),
    // A module in Swift waits for the C code of its own dependencies only. The kernels, which take long, are compiled beside it.
    .target(
      name: "CInstructionSets", path: "Sources/CPixelKernels/InstructionSets",
      cSettings: [.headerSearchPath("../include")]),
    .target(
      name: "CPixelKernels", dependencies: ["CInstructionSets"], exclude: ["InstructionSets"]),
    // Re-exports the C library of the platform under one name.
    .target(name: "PlatformLibc"),
    .target(name: "ImageBuffer", dependencies: ["ColorSpaces", "CPixelKernels", "PlatformLibc"]),
    .target(
      name: "FilterGraph",
      dependencies: ["ColorSpaces", "ImageBuffer", "CPixelKernels", "PlatformLibc"]),
    .target(name: "Colorloom", dependencies: ["ColorSpaces", "ImageBuffer", "FilterGraph"]),
    .target(name: "ColorloomTesting", dependencies: ["ColorSpaces", "ImageBuffer", "FilterGraph"]),

    // Profiles, and files through system libraries.
    .systemLibrary(
      name: "CLittleCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
    .target(name: "ICCProfiles", dependencies: ["CLittleCMS", "ColorSpaces"]),
    .target(name: "CCodecSupport"),
    // A header of the system alone: access control lists of files.
    .systemLibrary(name: "CXattr"),
    // Each library, and the C code that makes it callable from Swift: longjmp and variable arguments stay in C.
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .target(name: "CPNG", dependencies: ["CCodecSupport", "CLibPNG"]),
    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .target(name: "CJPEG", dependencies: ["CCodecSupport", "CLibJPEG"]),
    // Only asked for by the traits; without them nothing looks for these libraries, hence no pkg-config names.
    .systemLibrary(
      name: "CLibTIFF", providers: [.apt(["libtiff-dev"]), .brew(["libtiff"])]),
    .target(
      name: "CTIFF", dependencies: ["CCodecSupport", "CLibTIFF"],
      cSettings: [.define("COLORLOOM_TIFF", .when(traits: tiffTraits))]),
    .systemLibrary(
      name: "COpenEXRCore", providers: [.apt(["libopenexr-dev"]), .brew(["openexr"])]),
    .target(
      name: "COpenEXR", dependencies: ["CCodecSupport", "COpenEXRCore"],
      cSettings: [.define("COLORLOOM_OPENEXR", .when(traits: openEXRTraits))]),
    .systemLibrary(
      name: "CWebP", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .systemLibrary(
      name: "CJPEGXL", providers: [.apt(["libjxl-dev"]), .brew(["jpeg-xl"])]),
    .systemLibrary(
      name: "CLibHEIF",
      providers: [
        .apt(["libheif-dev", "libde265-dev", "libdav1d-dev"]),
        .brew(["libheif", "libde265", "dav1d"]),
      ]),
    .target(
      name: "CHEIF", dependencies: ["CCodecSupport", "CLibHEIF"],
      cSettings: [.define("COLORLOOM_HEIF", .when(traits: ["HEIF"]))]),
    .systemLibrary(
      name: "CLibRAW", providers: [.apt(["libraw-dev"]), .brew(["libraw"])]),
    .target(
      name: "CRAW", dependencies: ["CCodecSupport", "CLibRAW"],
      cSettings: [.define("COLORLOOM_RAW", .when(traits: ["RAW"]))]),
    .target(
      name: "ImageFiles",
      dependencies: [
        "ColorSpaces", "ImageBuffer", "FilterGraph", "ICCProfiles", "CCodecSupport", "CJPEG",
        "CPNG", "CXattr", "PlatformLibc",
        .target(name: "CTIFF", condition: .when(traits: tiffTraits)),
        .target(name: "COpenEXR", condition: .when(traits: openEXRTraits)),
        .target(name: "CWebP", condition: .when(traits: ["WebP"])),
        .target(name: "CJPEGXL", condition: .when(traits: ["JPEGXL"])),
        .target(name: "CHEIF", condition: .when(traits: ["HEIF"])),
        .target(name: "CRAW", condition: .when(traits: ["RAW"])),
      ]),
    .executableTarget(
      name: "ColorloomTool",
      dependencies: core + ["ICCProfiles", "ImageFiles", "PlatformLibc"]),

    // Tests, examples, benchmarks.
    .target(
      name: "_TestSupport",
      dependencies: ["ColorSpaces", "ImageBuffer", "FilterGraph", "ColorloomTesting"],
      path: "Tests/_TestSupport"),
    .testTarget(name: "TestSupportTests", dependencies: core + ["_TestSupport"]),
    // As somebody else's filters see the package: its public declarations only.
    .testTarget(
      name: "ColorloomTestingTests", dependencies: core + ["ColorloomTesting"],
      packageAccess: false),
    .testTarget(name: "ColorSpacesTests", dependencies: ["ColorSpaces", "_TestSupport"]),
    .testTarget(
      name: "ImageBufferTests", dependencies: ["ColorSpaces", "ImageBuffer", "_TestSupport"]),
    .testTarget(
      name: "CPixelKernelsTests",
      dependencies: ["CPixelKernels", "ColorSpaces", "PlatformLibc", "_TestSupport"]),
    .testTarget(
      name: "FilterGraphTests",
      dependencies: ["ColorSpaces", "ImageBuffer", "FilterGraph", "_TestSupport"]),
    .testTarget(
      name: "ICCProfilesTests",
      dependencies: ["ColorSpaces", "ICCProfiles", "CLittleCMS", "_TestSupport"]),
    .testTarget(
      name: "ImageFilesTests",
      dependencies: core + [
        "CLibJPEG", "CXattr", "ICCProfiles", "ImageFiles", "PlatformLibc", "_TestSupport",
      ]),
    .testTarget(
      name: "ColorloomToolTests",
      dependencies: core + ["ICCProfiles", "ImageFiles", "ColorloomTool", "_TestSupport"]),
    // As programs of others see the package, so that guides show its public declarations only.
    .testTarget(
      name: "Examples", dependencies: core + ["ICCProfiles", "ImageFiles", "_TestSupport"],
      path: "Documentation/Examples", exclude: ["ScalingOut"], packageAccess: false),
    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    .executableTarget(
      name: "colorloom-soak",
      dependencies: core + ["CAllocationCounter", "ImageFiles", "_TestSupport"],
      path: "Tests/Soak"),
    .testTarget(name: "SoakTests", dependencies: core + ["colorloom-soak", "_TestSupport"]),
    .executableTarget(
      name: "colorloom-fuzz",
      dependencies: core + [
        "CAllocationCounter", "ICCProfiles", "ImageFiles", "PlatformLibc", "_TestSupport",
      ],
      path: "Tests/Fuzz"),
    .testTarget(
      name: "FuzzTests", dependencies: core + ["ImageFiles", "colorloom-fuzz", "_TestSupport"]),
    .executableTarget(
      name: "colorloom-bench",
      dependencies: core + ["ICCProfiles", "ImageFiles", "_TestSupport"],
      path: "Tests/Benchmarks"),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17
)

// Builds these test targets alone, by their names and commas, for a run that needs no others: `.ci/traits`.
if let wanted = Context.environment["COLORLOOM_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { target in
    target.type == .test && !wanted.contains { $0 == target.name }
  }
}

// Narrowing a size, stride or count without a check is an error in C. The group “conversion” as a whole also refuses the kernels'
// selections by vector masks.
let checkedTargets = [
  "CCodecSupport", "CHEIF", "CInstructionSets", "CJPEG", "COpenEXR", "CPixelKernels", "CPNG",
  "CRAW", "CTIFF",
]
for target in package.targets where checkedTargets.contains(target.name) {
  target.cSettings =
    (target.cSettings ?? [])
    + [
      "shorten-64-to-32", "implicit-int-conversion", "sign-conversion", "float-conversion",
      "implicit-float-conversion",
    ].map { .treatWarning($0, as: .error) }
}

for target in package.targets where ![.system].contains(target.type) {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .define("COLORLOOM_TIFF", .when(traits: tiffTraits)),
    .define("COLORLOOM_OPENEXR", .when(traits: openEXRTraits)),
  ]
  // Tiles return spans, whose lifetimes have no final syntax yet. Dependents need no flag.
  if target.name == "FilterGraph" {
    target.swiftSettings?.append(.enableExperimentalFeature("Lifetimes"))
  }
  // Continuous integration builds everything once, and that way.
  if Context.environment["COLORLOOM_STRICT"] != nil {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
  }
}
