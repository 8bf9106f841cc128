// swift-tools-version: 6.2
import PackageDescription

// A module of a third party: a package of its own, which needs of Forsetti its module kit and nothing else.
let package = Package(
  name: "ThirdPartyModule",
  dependencies: [.package(name: "forsetti", path: "../..")],
  targets: [
    .executableTarget(
      name: "MeterModule",
      dependencies: [.product(name: "ForsettiModuleKit", package: "forsetti")],
      swiftSettings: [.swiftLanguageMode(.v6)],
      // A module can open no file, so nothing can be loaded: all of it is in the executable.
      linkerSettings: [.unsafeFlags(["-static-executable"])])
  ]
)
