import Testing

/// One folder under Sources, and what DESIGN lets it use.
struct Room: Sendable, CustomTestStringConvertible {
  var folder: String
  /// Rooms of ours it may use.
  var rooms: Set<String> = []
  /// Libraries of the system it may use, beside the standard library and Glibc.
  var libraries: Set<String> = []
  /// Programs that never ship may use anything of the toolchain.
  var isShipped = true

  var testDescription: String { folder }
  var allowed: Set<String> {
    rooms.union(libraries).union(["Glibc", "CLinux", "_Concurrency", "Synchronization"])
  }
}

private let core = "ForsettiCore"
private let ipc = "ForsettiIPC"

/// DESIGN's table "Rooms". Core and IPC see no system at all.
private let rooms = [
  Room(folder: core),
  Room(folder: ipc, rooms: [core]),
  Room(folder: "ForsettiSandbox", rooms: [core], libraries: ["CSeccomp"]),
  Room(folder: "ForsettiLockdown", rooms: [core]),
  Room(folder: "ForsettiKernelLock", rooms: [core, "ForsettiLockdown", "ForsettiModuleKit"]),
  Room(folder: "ForsettiModuleKit", rooms: [core, ipc]),
  Room(folder: "Modules", rooms: ["ForsettiModuleKit", core]),
  Room(folder: "ForsettiSymbols"),
  Room(folder: "ForsettiBlocking", rooms: [core]),
  Room(folder: "ForsettiSQLite", libraries: ["CSQLite"]),
  Room(folder: "ForsettiControlClient", rooms: [core, ipc, "ForsettiBlocking"]),
  Room(folder: "ForsettiHTTP", rooms: [core, "ForsettiBlocking"], libraries: ["CMicroHTTPD"]),
  Room(
    folder: "ForsettiServices", rooms: [core, "ForsettiBlocking", "ForsettiSQLite"],
    libraries: ["CSQLite", "CSodium"]),
  Room(
    folder: "ForsettiRuntime", rooms: [core, ipc, "ForsettiSandbox", "ForsettiBlocking", "ForsettiSQLite"],
    libraries: ["CSodium"]),
  Room(folder: "ForsettiHostileSet", rooms: [core]),
  Room(
    folder: "ForsettiSupervisor",
    rooms: [
      core, ipc, "ForsettiHostileSet", "ForsettiLockdown", "ForsettiSandbox", "ForsettiBlocking",
      "ForsettiRuntime", "ForsettiServices", "ForsettiControlClient",
    ]),
  Room(
    folder: "ForsettiConsole",
    rooms: [core, ipc, "ForsettiBlocking", "ForsettiHTTP", "ForsettiControlClient"]),
  Room(
    folder: "ForsettiConsoleProgram",
    rooms: [core, ipc, "ForsettiConsole", "ForsettiLockdown", "ForsettiHTTP"]),
  Room(folder: "ForsettiSupervisorProgram", rooms: ["ForsettiSupervisor"]),
  Room(
    folder: "ForsettiModuleHost",
    rooms: [core, ipc, "ForsettiKernelLock", "ForsettiModuleKit", "ForsettiModules"]),
  Room(
    folder: "ForsettiNetworkWorker", rooms: [core, ipc, "ForsettiLockdown"], libraries: ["CCurl"]),
  Room(folder: "ForsettiSymbolizer", rooms: [core, ipc, "ForsettiLockdown", "ForsettiSymbols"]),
  Room(
    folder: "ForsettiHostileHost",
    rooms: [core, ipc, "ForsettiHostileSet", "ForsettiKernelLock", "ForsettiModuleKit"],
    libraries: ["Foundation", "FoundationEssentials", "Dispatch", "CHostile"], isShipped: false),
  Room(folder: "ForsettiBenchSet", rooms: [core], isShipped: false),
  Room(
    folder: "ForsettiBenchHost",
    rooms: [core, "ForsettiBenchSet", "ForsettiKernelLock", "ForsettiModuleKit"], isShipped: false),
  Room(
    folder: "ForsettiBench",
    rooms: [core, ipc, "ForsettiSandbox", "ForsettiBlocking", "ForsettiBenchSet", "ForsettiRuntime"],
    libraries: ["CBench"], isShipped: false),
  Room(folder: "JamfSimulator", rooms: [core, "ForsettiHTTP"], isShipped: false),
  Room(
    folder: "JamfSimulatorProgram", rooms: [core, "ForsettiBlocking", "ForsettiHTTP", "JamfSimulator"],
    isShipped: false),
  Room(
    folder: "ForsettiTestKit", rooms: [core, ipc, "ForsettiRuntime", "ForsettiSandbox"],
    libraries: ["Foundation", "Testing"], isShipped: false),
]

/// Folders of C: headers and module maps, nothing to import.
private let cFolders: Set<String> = [
  "CLinux", "CStatic", "CHostile", "HostileProbe", "ForsettiSyscallProbe", "CSeccomp", "CSQLite", "CSodium",
  "CCurl", "CMicroHTTPD",
]

/// Classes that others are meant to derive from, each with its reason.
private let openClasses: [String: String] = [
  "ForsettiLifecycleModule": "the seeds' base class of simple modules; each of the eleven derives from it",
  "InventorySearchModule":
    "the two searches differ in what they search alone; modules are found by their class",
  "PendingCall":
    "one table holds calls of every response type; a base class costs no existential on the hot path",
  "ViewDeskModule":
    "modules of one view differ in their desk alone; modules are found by their class",
  "Responder": "one table holds handlers of every method, each generic over its request",
]

@Suite struct ArchitectureTests {
  @Test("a room imports only what DESIGN allows it", arguments: rooms) func imports(room: Room) throws {
    let files = try SourceTree.files(below: "Sources/\(room.folder)", endings: ["swift"])
    #expect(!files.isEmpty)
    for file in files {
      for name in SourceRules.imports(of: SourceRules.code(of: file.text)) where !room.allowed.contains(name)
      {
        Issue.record("\(file.path) imports \(name), which \(room.folder) may not use")
      }
    }
  }

  @Test("the package gives a target only what DESIGN allows its room", arguments: rooms)
  func dependencies(room: Room) throws {
    let declared = try #require(try PackageTargets.read()[room.folder], "no target for \(room.folder)")
    let extra = declared.subtracting(room.allowed).subtracting(["CStatic"])
    #expect(extra.isEmpty, "Package.swift gives \(room.folder) \(extra.sorted())")
  }

  @Test("every folder under Sources is a room of the table") func everyFolderIsKnown() throws {
    let files = try SourceTree.files(below: "Sources", endings: ["swift", "c", "h", "modulemap"])
    let folders = Set(files.compactMap { $0.path.split(separator: "/").dropFirst().first.map(String.init) })
    #expect(folders == cFolders.union(rooms.map(\.folder)))
  }

  @Test("no shipped room knows Foundation or Dispatch, not even by another name")
  func noFoundation() throws {
    for room in rooms where room.isShipped {
      let names = room.allowed.filter { $0.hasPrefix("Foundation") || $0 == "Dispatch" }
      #expect(names.isEmpty)
    }
  }

  @Test("no test starts a program by Foundation, whose pipes leak into whatever is started beside it")
  func programs() throws {
    let files = try ["Tests", "Sources/ForsettiTestKit"].flatMap {
      try SourceTree.files(below: $0, endings: ["swift"])
    }
    for file in files where SourceRules.code(of: file.text).contains(#/\bProcess\(\)/#) {
      Issue.record("\(file.path) uses Process; SpawnedProgram and SupervisorProcess start programs")
    }
  }

  @Test("every class is final, but for those that are meant to be derived from") func classes() throws {
    for file in try SourceTree.files(below: "Sources", endings: ["swift"]) {
      for name in SourceRules.classesNotFinal(in: SourceRules.code(of: file.text))
      where openClasses[name] == nil {
        Issue.record("\(file.path): class \(name) is not final")
      }
    }
  }

  @Test("no file is longer than a person reads: 400 lines of Swift, 300 of C") func lengths() throws {
    for file in try SourceTree.files(below: "Sources", endings: ["swift", "c", "h"]) {
      let limit = file.path.hasSuffix(".swift") ? 400 : 300
      let count = file.lines.count - 1
      #expect(count <= limit, "\(file.path) has \(count) lines; the limit is \(limit)")
    }
  }

  @Test("nothing is left open, and nothing ends the process where input decides") func words() throws {
    for file in try SourceTree.files(below: "Sources", endings: ["swift", "c", "h"])
    where !file.path.hasPrefix("Sources/ForsettiHostileHost/") {
      let found = SourceRules.forbiddenWords(in: file)
      #expect(found.isEmpty, "\(file.path): \(found)")
    }
  }
}

/// The rules themselves: each finds what it is for.
@Suite struct SourceRulesTests {
  @Test("imports are found in every form, and not in comments or literals") func imports() {
    let text = """
      public import ForsettiCore
      @testable import A
      @_spi(X) @_spi(Y) import B // import C
      import struct Foundation.Data
      // import D
      /* import E /* import F */
      import G */
      let text = "import H"
      let long = \"\"\"
        import I
        \"\"\"
      """
    #expect(SourceRules.imports(of: SourceRules.code(of: text)) == ["ForsettiCore", "A", "B", "Foundation"])
  }

  @Test("a class that is not final is found, a class function is not") func classes() {
    let code = """
      public class Open {}
      final class Shut {}
      public final class Shut2 {}
      class func make() {}
      protocol P: class {}
      """
    #expect(SourceRules.classesNotFinal(in: code) == ["Open"])
  }

  @Test("forbidden words are found in code, and open ends in comments too") func words() {
    func found(_ text: String) -> [String] {
      SourceRules.forbiddenWords(in: SourceTree.File(path: "x.swift", text: text))
    }
    #expect(found("fatalError(\"x\")") == ["fatalError("])
    #expect(found("let a = try! b()") == ["try!"])
    #expect(found("let a = b as! C") == ["as!"])
    #expect(found("// " + "TO" + "DO: later") == ["TO" + "DO"])
    #expect(found("// never fatalError( here\nlet s = \"try! this\"") == [])
  }

  @Test("the package's targets are read with their folders and dependencies") func package() {
    let manifest = """
      .target(name: "A", swiftSettings: strict),
      .target(
        name: "B",
        dependencies: [
          "A", "CLinux",
        ], path: "Sources/Bee",
        swiftSettings: strict),
      """
    #expect(PackageTargets.parse(manifest) == ["A": [], "Bee": ["A", "CLinux"]])
  }
}
