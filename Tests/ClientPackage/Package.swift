// swift-tools-version: 6.3
import PackageDescription

/// Somebody else's package: the core as a dependency, without any system library and without `unsafe` flags.
let package = Package(
  name: "client",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "colorloom", path: "../..")],
  targets: [
    .executableTarget(
      name: "Client", dependencies: [.product(name: "Colorloom", package: "colorloom")])
  ],
  swiftLanguageModes: [.v6]
)
