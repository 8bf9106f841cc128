// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 mode, `any` spelled out, imports internal unless said otherwise.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// `make sanitize`: a sanitizer needs the dynamic loader.
let isSanitized = Context.environment["FORSETTI_SANITIZE"] != nil

/// Module processes are fully static: they start in a millisecond and never load code.
let staticExecutable: [LinkerSetting] = isSanitized ? [] : [.unsafeFlags(["-static-executable"])]

/// The supervisor carries the Swift runtime, so a target machine needs Debian's C libraries only.
let staticRuntime: [LinkerSetting] = isSanitized ? [] : [.unsafeFlags(["-static-stdlib"])]

/// The web console's pages, which are compiled into it.
let consoleAssets = [
  "index.html", "style.css", "start.js", "app.js", "dom.js", "api.js", "boot.js", "dashboard.js",
  "figures.js", "rows.js",
  "charts.js",
  "module.js", "decisions.js", "structure.js", "tabs.js",
  "surface.js", "frame.js", "keep.js", "views.js", "feeds.js", "secrets.js",
]

let package = Package(
  name: "forsetti",
  products: [
    .executable(name: "forsetti-supervisor", targets: ["forsetti-supervisor"]),
    .executable(name: "forsetti-module-host", targets: ["forsetti-module-host"]),
    .executable(name: "forsetti-syscall-probe", targets: ["forsetti-syscall-probe"]),
    .executable(name: "forsetti-symbolizer", targets: ["forsetti-symbolizer"]),
    .executable(name: "forsetti-network-worker", targets: ["forsetti-network-worker"]),
    .executable(name: "forsetti-console", targets: ["forsetti-console"]),
    .library(name: "ForsettiCore", targets: ["ForsettiCore"]),
    .library(name: "ForsettiIPC", targets: ["ForsettiIPC"]),
    .library(name: "ForsettiModuleKit", targets: ["ForsettiModuleKit"]),
    .library(name: "ForsettiRuntime", targets: ["ForsettiRuntime"]),
    .library(name: "ForsettiSandbox", targets: ["ForsettiSandbox"]),
    .library(name: "ForsettiServices", targets: ["ForsettiServices"]),
    .library(name: "ForsettiSymbols", targets: ["ForsettiSymbols"]),
  ],
  targets: [
    // C: kernel calls that Swift's Glibc module lacks, and module maps for Debian's libraries.
    .target(name: "CLinux"),
    .target(name: "CStatic"),
    .systemLibrary(
      name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),

    // The table of hostile cases and the manifests of their modules, for both sides.
    .target(name: "ForsettiHostileSet", dependencies: ["ForsettiCore"], swiftSettings: strict),
    // Foreign calls in assembly, for the programs of the hostile host. Never ships.
    .target(name: "CHostile"),

    // The rooms. ArchitectureTests holds each to the imports that DESIGN allows it.
    .target(name: "ForsettiCore", swiftSettings: strict),
    // Lifetimes: frames and readers borrow the decoder's bytes, and the compiler holds them to it.
    .target(
      name: "ForsettiIPC", dependencies: ["ForsettiCore"],
      swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
    .target(
      name: "ForsettiSandbox", dependencies: ["ForsettiCore", "CLinux", "CSeccomp"],
      swiftSettings: strict),
    .target(
      name: "ForsettiLockdown", dependencies: ["ForsettiCore", "CLinux"], swiftSettings: strict),
    .target(
      name: "ForsettiKernelLock", dependencies: ["ForsettiCore", "ForsettiLockdown", "ForsettiModuleKit"],
      swiftSettings: strict),
    .target(
      name: "ForsettiModuleKit", dependencies: ["ForsettiCore", "ForsettiIPC", "CLinux"],
      swiftSettings: strict),
    .target(
      name: "ForsettiModules", dependencies: ["ForsettiModuleKit"], path: "Sources/Modules",
      swiftSettings: strict),
    // Reads the symbols of executables that nobody vouches for; only the worker below links it.
    .target(name: "ForsettiSymbols", swiftSettings: strict),
    // The thread for what blocks, which Runtime and Services share.
    .target(name: "ForsettiBlocking", dependencies: ["ForsettiCore", "CLinux"], swiftSettings: strict),
    // SQLite with its fences, which Runtime and Services share.
    .target(name: "ForsettiSQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    // An HTTP server for this host alone, for programs beside the supervisor.
    .target(
      name: "ForsettiHTTP", dependencies: ["ForsettiCore", "ForsettiBlocking", "CLinux", "CMicroHTTPD"],
      swiftSettings: strict),
    // A client's end of the control socket, for the supervisor's commands and the web console.
    .target(
      name: "ForsettiControlClient",
      dependencies: ["ForsettiCore", "ForsettiIPC", "ForsettiBlocking", "CLinux"], swiftSettings: strict),
    // The web console: an HTTP server with its pages inside, and a client of the control socket.
    .target(
      name: "ForsettiConsole",
      dependencies: [
        "ForsettiCore", "ForsettiIPC", "ForsettiBlocking", "ForsettiHTTP", "ForsettiControlClient", "CLinux",
      ],
      resources: consoleAssets.map { .embedInCode("Assets/\($0)") }, swiftSettings: strict),
    .executableTarget(
      name: "forsetti-console",
      dependencies: [
        "ForsettiConsole", "ForsettiCore", "ForsettiIPC", "ForsettiLockdown", "ForsettiHTTP", "CLinux",
      ],
      path: "Sources/ForsettiConsoleProgram", swiftSettings: strict, linkerSettings: staticRuntime),
    .target(
      name: "ForsettiServices",
      dependencies: [
        "ForsettiCore", "ForsettiBlocking", "ForsettiSQLite", "CLinux", "CSQLite", "CSodium",
      ],
      swiftSettings: strict),
    .target(
      name: "ForsettiRuntime",
      dependencies: [
        "ForsettiCore", "ForsettiIPC", "ForsettiSandbox", "ForsettiBlocking", "ForsettiSQLite", "CLinux",
        "CSodium",
      ],
      swiftSettings: strict),
    .target(
      name: "ForsettiTestKit",
      dependencies: ["ForsettiCore", "ForsettiIPC", "ForsettiRuntime", "ForsettiSandbox", "CLinux"],
      swiftSettings: strict),

    // A server that speaks Jamf Pro's API, for tests and the demo. Never ships.
    .target(name: "JamfSimulator", dependencies: ["ForsettiCore", "ForsettiHTTP"], swiftSettings: strict),
    .executableTarget(
      name: "jamf-simulator",
      dependencies: ["JamfSimulator", "ForsettiBlocking", "ForsettiCore", "ForsettiHTTP", "CLinux"],
      path: "Sources/JamfSimulatorProgram", swiftSettings: strict),

    // The programs.
    // The supervisor's commands are a library, so that tests reach them: a test cannot link -static-stdlib.
    .target(
      name: "ForsettiSupervisor",
      dependencies: [
        "ForsettiCore", "ForsettiHostileSet", "ForsettiIPC", "ForsettiLockdown", "ForsettiSandbox",
        "ForsettiBlocking", "ForsettiRuntime", "ForsettiServices", "ForsettiControlClient", "CLinux",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "forsetti-supervisor", dependencies: ["ForsettiSupervisor"],
      path: "Sources/ForsettiSupervisorProgram", swiftSettings: strict, linkerSettings: staticRuntime),
    .executableTarget(
      name: "forsetti-module-host",
      dependencies: [
        "ForsettiCore", "ForsettiIPC", "ForsettiKernelLock", "ForsettiModuleKit", "ForsettiModules",
        "CStatic",
      ],
      path: "Sources/ForsettiModuleHost", swiftSettings: strict, linkerSettings: staticExecutable),
    .executableTarget(
      name: "forsetti-hostile-host",
      dependencies: [
        "ForsettiCore", "ForsettiHostileSet", "ForsettiIPC", "ForsettiKernelLock", "ForsettiModuleKit",
        "CLinux",
        "CStatic", "CHostile",
      ],
      path: "Sources/ForsettiHostileHost",
      swiftSettings: strict + (isSanitized ? [] : [.unsafeFlags(["-static-stdlib"])]),
      linkerSettings: staticExecutable),

    // Names the functions of a crash report, in a locked process of its own.
    .executableTarget(
      name: "forsetti-symbolizer",
      dependencies: [
        "ForsettiCore", "ForsettiIPC", "ForsettiLockdown", "ForsettiSymbols", "CLinux", "CStatic",
      ],
      path: "Sources/ForsettiSymbolizer", swiftSettings: strict, linkerSettings: staticExecutable),

    // Speaks HTTP and TLS with strangers, in a locked process of its own; nothing else links libcurl.
    .executableTarget(
      name: "forsetti-network-worker",
      dependencies: ["ForsettiCore", "ForsettiIPC", "ForsettiLockdown", "CLinux", "CCurl"],
      path: "Sources/ForsettiNetworkWorker", swiftSettings: strict, linkerSettings: staticRuntime),

    // The third parties of the hostile suite: one C file that speaks no protocol.
    .executableTarget(
      name: "forsetti-hostile-probe", dependencies: ["CStatic"], path: "Sources/HostileProbe",
      linkerSettings: staticExecutable),
    // Makes every system call under a plan's filter, for the proof that it lets through what the plan says.
    .executableTarget(
      name: "forsetti-syscall-probe", dependencies: ["CStatic"], path: "Sources/ForsettiSyscallProbe",
      linkerSettings: staticExecutable),

    // Measurements. Never ship.
    .target(name: "CBench", path: "Benchmarks/support"),
    .target(name: "ForsettiBenchSet", dependencies: ["ForsettiCore"], swiftSettings: strict),
    .executableTarget(
      name: "forsetti-bench-host",
      dependencies: [
        "ForsettiBenchSet", "ForsettiCore", "ForsettiKernelLock", "ForsettiModuleKit", "CLinux", "CStatic",
      ],
      path: "Sources/ForsettiBenchHost", swiftSettings: strict, linkerSettings: staticExecutable),
    .executableTarget(
      name: "forsetti-bench",
      dependencies: [
        "ForsettiBenchSet", "ForsettiBlocking", "ForsettiCore", "ForsettiRuntime", "ForsettiSandbox",
        "CBench", "CLinux",
      ],
      path: "Sources/ForsettiBench", swiftSettings: strict, linkerSettings: staticRuntime),

    // Tests.
    // Runs a command in a kernel that lacks a call, or with a seccomp listener above it.
    .executableTarget(
      name: "forsetti-deny", dependencies: ["CSeccomp", "CLinux"], path: "Tests/ForsettiDeny",
      swiftSettings: strict),
    .testTarget(
      name: "ForsettiCoreTests", dependencies: ["ForsettiCore", "ForsettiTestKit"], swiftSettings: strict),
    .testTarget(
      name: "ForsettiIPCTests", dependencies: ["ForsettiIPC", "ForsettiTestKit", "CLinux"],
      swiftSettings: strict),
    .testTarget(
      name: "ForsettiSandboxTests",
      dependencies: [
        "ForsettiCore", "ForsettiSandbox", "ForsettiLockdown", "CSeccomp", "CLinux", "ForsettiTestKit",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ForsettiModuleKitTests",
      dependencies: [
        "ForsettiModuleKit", "ForsettiModules", "ForsettiCore", "ForsettiIPC", "ForsettiSandbox", "CLinux",
      ],
      swiftSettings: strict),
    // What the shipped modules decide, without a process.
    .testTarget(
      name: "ModulesTests",
      dependencies: ["ForsettiModules", "ForsettiModuleKit", "ForsettiCore", "ForsettiIPC"],
      swiftSettings: strict),
    // Started by ForsettiModuleKitTests; a test that depends on it would be linked static too.
    .executableTarget(
      name: "forsetti-kit-probe",
      dependencies: ["ForsettiCore", "ForsettiKernelLock", "ForsettiModuleKit", "CStatic"],
      path: "Tests/ForsettiModuleKitProbe", swiftSettings: strict, linkerSettings: staticExecutable),
    // Killed, starved and started as somebody else by the tests of the state.
    .executableTarget(
      name: "forsetti-store-probe", dependencies: ["ForsettiCore", "ForsettiRuntime"],
      path: "Tests/ForsettiStoreProbe", swiftSettings: strict),
    .testTarget(
      name: "ForsettiSQLiteTests", dependencies: ["ForsettiSQLite", "CSQLite"], swiftSettings: strict),
    .testTarget(
      name: "ForsettiHTTPTests",
      dependencies: ["ForsettiHTTP", "ForsettiBlocking", "ForsettiCore", "ForsettiTestKit", "CLinux"],
      swiftSettings: strict),
    .testTarget(
      name: "ForsettiConsoleTests",
      dependencies: [
        "ForsettiConsole", "ForsettiControlClient", "ForsettiHTTP", "ForsettiCore", "ForsettiIPC",
      ], swiftSettings: strict),
    .testTarget(
      name: "ForsettiRuntimeTests",
      dependencies: [
        "ForsettiRuntime", "ForsettiServices", "ForsettiHostileSet", "ForsettiTestKit", "CLinux", "CSQLite",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ForsettiSupervisorTests",
      dependencies: [
        "ForsettiSupervisor", "ForsettiCore", "ForsettiHostileSet", "ForsettiSandbox", "ForsettiRuntime",
        "ForsettiTestKit", "CLinux", "CSQLite",
      ],
      swiftSettings: strict),
    // Each shipped module's whole story, in its locked process, before the made-up server.
    .testTarget(
      name: "ModuleStoryTests",
      dependencies: [
        "ForsettiSupervisor", "ForsettiCore", "ForsettiIPC", "ForsettiTestKit", "ForsettiControlClient",
        "ForsettiModules", "CLinux",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ForsettiSymbolsTests", dependencies: ["ForsettiSymbols", "ForsettiCore"], swiftSettings: strict),
    // Killed by the tests of the services while it writes.
    .executableTarget(
      name: "forsetti-service-probe", dependencies: ["ForsettiCore", "ForsettiServices"],
      path: "Tests/ForsettiServiceProbe", swiftSettings: strict),
    .testTarget(
      name: "ForsettiServicesTests",
      dependencies: [
        "ForsettiServices", "ForsettiRuntime", "ForsettiTestKit", "ForsettiIPC", "ForsettiCore",
        "ForsettiBlocking", "CLinux", "CSQLite", "CSodium", "CCurl",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "JamfSimulatorTests",
      dependencies: ["JamfSimulator", "ForsettiModules", "ForsettiCore", "ForsettiHTTP", "ForsettiTestKit"],
      swiftSettings: strict),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
  ]
)
