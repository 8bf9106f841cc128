// swift-tools-version: 6.2
import PackageDescription

// Coverage-guided fuzzing of everything that reads bytes of others. `make fuzz` builds it with -sanitize=fuzzer; a
// package of its own, so that nobody else pays for the instrumentation.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "forsetti-fuzz",
  dependencies: [.package(name: "forsetti", path: "..")],
  targets: [.target(name: "FuzzDriver", swiftSettings: strict)]
    + ["Frames", "CBOR", "Manifest", "Policy", "Symbols", "Control", "OCI"].map { name in
      .executableTarget(
        name: "Fuzz\(name)",
        dependencies: [
          "FuzzDriver",
          .product(name: "ForsettiCore", package: "forsetti"),
          .product(name: "ForsettiIPC", package: "forsetti"),
          .product(name: "ForsettiSandbox", package: "forsetti"),
          .product(name: "ForsettiSymbols", package: "forsetti"),
        ],
        swiftSettings: strict,
        // gold, the default here, gives up on the debug information of the sanitizer's archive.
        linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
    })
