import CSQLite
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `run --once` on input that is wrong: one clear error, the documented status, nothing half done.
@Suite struct BadInputTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var status: ForsettiSupervisor.ExitStatus
    var says: String
    /// Arguments after `run --once`; the program to run where it is not the one of the build.
    var prepare: @Sendable (Scratch) throws -> (arguments: [String], executable: String)
    var testDescription: String { name }

    init(
      _ name: String, _ status: ForsettiSupervisor.ExitStatus, says: String,
      _ prepare: @escaping @Sendable (Scratch) throws -> [String]
    ) {
      self.name = name
      self.status = status
      self.says = says
      self.prepare = { (try prepare($0), Product.supervisor) }
    }

    /// With a module host of the case's making, or none, beside a copy of the supervisor.
    init(
      host name: String, _ status: ForsettiSupervisor.ExitStatus, says: String,
      _ prepare: @escaping @Sendable (Scratch) throws -> Void
    ) {
      self.name = name
      self.status = status
      self.says = says
      self.prepare = { scratch in
        let executable = try scratch.copy(Product.supervisor, to: "bin/forsetti-supervisor")
        try prepare(scratch)
        return (["--manifests", Product.manifests], executable)
      }
    }
  }

  private static let cases: [Case] = [
    Case("no policy", .noInput, says: "does not exist") { ["--policy", $0("none.json")] },
    Case("a broken policy", .configuration, says: "p.json:1:") {
      ["--policy", try $0.write("p.json", "{\"version\": 1,}")]
    },
    Case("a policy others may write", .noPermission, says: "chmod o-w") {
      ["--policy", try $0.write("p.json", "{}", mode: 0o602)]
    },
    Case("no manifests folder", .noInput, says: "there is none") { ["--manifests", $0("none")] },
    Case("an empty manifests folder", .noInput, says: "holds no manifest") {
      ["--manifests", try $0.folder("m")]
    },
    Case("a file for a manifests folder", .noInput, says: "it is no folder") {
      ["--manifests", try $0.write("m", "")]
    },
    Case("two bad manifests, both named", .dataError, says: "a.json:1:") {
      try $0.write("m/a.json", "{")
      try $0.write("m/b.json", CheckTests.manifest("nodots"))
      return ["--manifests", $0("m")]
    },
    Case("a set that lacks a module of the order", .dataError, says: "com.forsetti.jamfpro.service.jamf") {
      try $0.write("m/a.json", CheckTests.manifest("com.example.a"))
      return ["--manifests", $0("m")]
    },
    Case("a file for a state folder", .noPermission, says: "not a folder") {
      ["--state", try $0.write("s", "")]
    },
    Case("a state folder others may write", .noPermission, says: "chmod go-w") {
      chmod(try $0.folder("s"), 0o777)
      return ["--state", $0("s")]
    },
    Case("a state folder that cannot be made", .cannotCreate, says: "/proc/forsetti") { _ in
      ["--state", "/proc/forsetti"]
    },
    Case("state that is no database", .ioError, says: "state.sqlite") {
      try $0.write("s/state.sqlite", String(repeating: "no database ", count: 100))
      return ["--state", $0("s")]
    },
    Case("state of a newer version", .dataError, says: "newer") {
      try $0.folder("s")
      try makeNewerState($0("s/state.sqlite"))
      return ["--state", $0("s")]
    },
    Case("a runtime folder that cannot be made", .cannotCreate, says: "/proc/forsetti") { _ in
      ["--runtime-dir", "/proc/forsetti"]
    },
    Case(host: "no module host", .unavailable, says: "forsetti-module-host") { _ in },
    Case(host: "a module host that is not executable", .unavailable, says: "forsetti-module-host") {
      try $0.write("bin/forsetti-module-host", "", mode: 0o600)
    },
    Case(host: "a module host that others may change", .noPermission, says: "chmod o-w") {
      try $0.copy(Product.moduleHost, to: "bin/forsetti-module-host")
      chmod($0("bin/forsetti-module-host"), 0o757)
    },
    Case(host: "a module host in a folder that others may change", .noPermission, says: "chmod g-w") {
      try $0.copy(Product.moduleHost, to: "bin/forsetti-module-host")
      chmod($0("bin"), 0o775)
    },
    Case(host: "a module host that is no program", .unavailable, says: "forsetti-module-host") {
      try $0.write("bin/forsetti-module-host", "text", mode: 0o700)
    },
    Case(host: "a module host that ends at once", .unavailable, says: "com.forsetti.jamfpro.service.jamf") {
      try $0.copy("/bin/true", to: "bin/forsetti-module-host")
    },
    Case(
      host: "a module host that speaks another protocol", .unavailable,
      says: "com.forsetti.jamfpro.service.jamf"
    ) {
      // The supervisor may execute what lies beside the host, and nothing else.
      let shell = try $0.copy(URL(filePath: "/bin/sh").resolvingSymlinksInPath().path, to: "bin/sh")
      try $0.write(
        "bin/forsetti-module-host",
        "#!\(shell)\nprintf 'HTTP/1.1 400 Bad Request\\r\\n\\r\\n' >&4; while :; do read _ <&3; done\n",
        mode: 0o700)
    },
  ]

  private static func makeNewerState(_ path: String) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_exec(database, "PRAGMA application_id = 0x466f7273; PRAGMA user_version = 99", nil, nil, nil)
        == SQLITE_OK
    else { throw POSIXError(.EIO) }
    chmod(path, 0o600)
  }

  @Test("wrong input is one clear error with the documented status, and no process stays", arguments: cases)
  func wrongInput(wrong: Case) async throws {
    let scratch = try Scratch()
    let (given, executable) = try wrong.prepare(scratch)
    let policy = given.contains("--policy") ? [] : ["--policy", Product.strictPolicy]
    let state = given.contains("--state") ? [] : ["--state", scratch("state")]
    let end = try await SupervisorProcess.run(
      ["run", "--once", "--json", "--quiet"] + policy + state + given, executable: executable)
    #expect(end.status == wrong.status.rawValue, "\(end.errors)")
    #expect(!end.isSignal)
    #expect(end.errors.contains(wrong.says), "\(end.errors)")
    #expect(end.errors.hasPrefix("forsetti-supervisor: "))
    let first = end.errors.prefix { $0 != "\n" }
    #expect(end.errors.dropFirst(first.count + 1).split(separator: "\n").allSatisfy { $0.hasPrefix("  ") })
    if !end.output.isEmpty { #expect(try ReportedBoot(end.output).state == "failed") }
  }

  @Test("a boot that failed leaves the first boot to be done") func nothingHalfDone() async throws {
    let scratch = try Scratch()
    let executable = try scratch.copy(Product.supervisor, to: "bin/forsetti-supervisor")
    let line = [
      "run", "--once", "--json", "--quiet", "--policy", Product.strictPolicy, "--manifests",
      Product.manifests,
      "--state", scratch("state"),
    ]
    #expect(try await SupervisorProcess.run(line, executable: executable).status != 0)
    try scratch.copy(Product.moduleHost, to: "bin/forsetti-module-host")
    let end = try await SupervisorProcess.run(line, executable: executable)
    #expect(end.status == 0, "\(end.errors)")
    #expect(try ReportedBoot(end.output).modules.map(\.moduleID) == ReportedBoot.order)
  }

  @Test("a clone made under umask 002 is refused once, with the chmod that mends all of it")
  func groupWritableClone() async throws {
    let scratch = try Scratch()
    let root = try scratch.folder("clone")
    let executable = try scratch.copy(Product.supervisor, to: "clone/.build/debug/forsetti-supervisor")
    try scratch.copy(Product.moduleHost, to: "clone/.build/debug/forsetti-module-host")
    try scratch.copy(Product.strictPolicy, to: "clone/policy/strict.json")
    try scratch.copy(Product.manifests, to: "clone/Resources/ForsettiManifests")
    try await shell("chmod -R g+w '\(root)'")
    let line = ["run", "--once", "--quiet", "--state", scratch("state")]
    let refused = try await SupervisorProcess.run(line, executable: executable)
    #expect(refused.status == ForsettiSupervisor.ExitStatus.noPermission.rawValue)
    let mend = try #require(refused.errors.split(separator: "mend: ").last)
    #expect(mend == "chmod -R go-w \(root)\n")
    try await shell(String(mend))
    let mended = try await SupervisorProcess.run(line, executable: executable)
    #expect(mended.status == 0, "\(mended.errors)")
  }

  private func shell(_ command: String) async throws {
    #expect(try await SupervisorProcess.run(["-c", command], executable: "/bin/bash").status == 0)
  }
}
