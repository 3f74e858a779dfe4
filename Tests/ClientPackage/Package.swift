// swift-tools-version: 6.3
import PackageDescription

/// A client package: it depends on the core, without system libraries and without `unsafe` flags.
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
