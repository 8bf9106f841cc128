import ForsettiCore
import ForsettiRuntime
import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `packages` by the real program: what a stranger's folder may bring, and what becomes of what is installed.
@Suite("Packages", .timeLimit(.minutes(2))) struct PackageCommandTests {
  private let id = "com.example.meter"
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// The least that passes for a static program.
  private func program(_ tail: String = "") -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64 + 56)
    bytes.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
    (bytes[16], bytes[18], bytes[25], bytes[32]) = (2, UInt8(ExecutableImage.nativeMachine & 0xff), 0x10, 64)
    (bytes[54], bytes[56], bytes[64], bytes[68]) = (56, 1, 1, 5)
    return bytes + Array(tail.utf8)
  }

  private func package(
    _ name: String, id: String? = nil, version: Int = 1, capabilities: String = "", tail: String = ""
  ) throws -> String {
    try scratch.write(
      name + "/manifest.json",
      """
      {"schemaVersion": "1.0", "moduleID": "\(id ?? self.id)", "displayName": "Meter", "moduleType": "service",
       "moduleVersion": {"major": \(version), "minor": 0, "patch": 0}, "supportedPlatforms": ["Linux"],
       "minForsettiVersion": {"major": 0, "minor": 1, "patch": 0}, "capabilitiesRequested": [\(capabilities)],
       "entryPoint": "Main"}
      """)
    try Data(program(tail)).write(to: URL(filePath: scratch(name + "/module")))
    return scratch(name)
  }

  private func policy(_ rules: String = "") throws -> String {
    try scratch.write("policy.json", "{\"policyVersion\": 1, \"rules\": [\(rules)]}")
  }

  private func packages(_ words: [String], policy rules: String = "") async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(
      ["packages"] + words + [
        "--policy", try policy(rules), "--manifests", Product.exampleManifests, "--state", scratch("state"),
      ])
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func pin(_ sha256: Any?) throws -> String {
    let sha256 = try #require(sha256 as? String)
    return """
      {"modules": "\(id)", "origin": {"sha256": "\(sha256)"}, "grant": ["storage"], "reason": "we know it"}
      """
  }

  private var installed: String { scratch("state/bundles/\(id)") }

  @Test("the audit log says which bytes were installed, and what became of the data of what was removed")
  func audited() async throws {
    let path = try package("new")
    let report = try object(try await packages(["install", path, "--yes", "--json"]).output)
    #expect(try await packages(["remove", id, "--yes", "--erase-data"]).status == 0)
    let log = try String(contentsOfFile: scratch("state/audit-log/audit.jsonl"), encoding: .utf8)
    let details = try log.split(separator: "\n").map {
      try #require(try object(String($0))["details"] as? [String: String])
    }
    #expect(details.count == 2 && details.first?["path"] == path && details.last?["data"] == "erase")
    for key in ["origin", "executableSHA256"] {
      #expect(details.first?[key] != nil && details.first?[key] == report[key] as? String)
    }
    #expect(details.first?["sha256"] == report["manifestSHA256"] as? String)
  }

  @Test("install shows what is asked for beside what is granted, and what to do for it to run") func install()
    async throws
  {
    let path = try package("new", capabilities: "\"storage\", \"networking\"")
    let first = try await packages(["install", path, "--yes"])
    #expect(first.status == 0)
    #expect(first.output.contains("it will not run: it is neither signed nor pinned"))
    #expect(FileManager.default.contentsEqual(atPath: path + "/module", andPath: installed + "/module"))
    let report = try object(try await packages(["install", path, "--yes", "--json"]).output)
    #expect(report["installed"] as? Bool == true)
    let hash = try pin(report["executableSHA256"])
    let granted = try await packages(["install", path, "--yes"], policy: hash)
    #expect(granted.output.contains("storage     granted  we know it (policy.json:1:"))
    #expect(granted.output.contains("networking  denied"))
    #expect(!granted.output.contains("it will not run"))
    let list = try await packages(["list"], policy: hash)
    #expect(list.output.contains("\(id)  1.0.0  sha256:"))
  }

  @Test("nobody is there to be asked: nothing is changed without --yes") func unconfirmed() async throws {
    let end = try await packages(["install", try package("new")])
    #expect(end.status == 64)
    #expect(end.errors.contains("--yes"))
    #expect(!FileManager.default.fileExists(atPath: installed))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("state/bundles")).isEmpty)
  }

  @Test(
    "a newer bundle, another of the same version and one from elsewhere go only with --replace, and the change is shown"
  )
  func replace() async throws {
    let old = try package("old", version: 2)
    let report = try object(try await packages(["install", old, "--yes", "--json"]).output)
    let rule = try pin(report["executableSHA256"])
    // Same executable, older version.
    let downgrade = try await packages(["install", try package("down", version: 1), "--yes"], policy: rule)
    #expect(downgrade.status == 65)
    #expect(
      downgrade.errors.contains("version 2.0.0 is installed, which is newer; replace it with --replace"))
    #expect(downgrade.output.contains("    - 2.0.0") && downgrade.output.contains("    + 1.0.0"))
    // Another executable is another origin where the hash is all there is.
    let other = try package("other", version: 3, tail: "x")
    let elsewhere = try await packages(["install", other, "--yes"], policy: rule)
    #expect(elsewhere.status == 65)
    #expect(elsewhere.errors.contains("comes from elsewhere"))
    #expect(FileManager.default.contentsEqual(atPath: old + "/module", andPath: installed + "/module"))
    #expect(try await packages(["install", other, "--yes", "--replace"], policy: rule).status == 0)
    #expect(FileManager.default.contentsEqual(atPath: other + "/module", andPath: installed + "/module"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("state/bundles")) == [id])
  }

  @Test(
    "an upgrade signed by the same key needs no more than a yes; a signature of something else is refused")
  func signed() async throws {
    try Self.run(["minisign", "-G", "-W", "-p", scratch("public"), "-s", scratch("secret")])
    let key = try String(contentsOfFile: scratch("public"), encoding: .utf8).split(separator: "\n")[1]
    let rule = "{\"modules\": \"com.example.*\", \"origin\": {\"key\": \"\(key)\"}}"
    for version in [1, 2] {
      let path = try package("v\(version)", version: version, tail: "\(version)")
      let statement = try await packages(["statement", path]).output
      #expect(statement.hasPrefix("Forsetti bundle statement 1\nmoduleID: \(id)\nversion: \(version).0.0\n"))
      try scratch.write("s", statement)
      try Self.run([
        "minisign", "-S", "-s", scratch("secret"), "-m", scratch("s"), "-x", path + "/module.minisig",
      ])
      let end = try await packages(["install", path, "--yes"], policy: rule)
      #expect(end.status == 0)
      #expect(end.output.contains("key:\(key)"))
    }
    let forged = try package("forged", version: 3)
    try scratch.copy(scratch("v2/module.minisig"), to: "forged/module.minisig")
    let refused = try await packages(["install", forged, "--yes", "--replace"], policy: rule)
    #expect(refused.status == 65)
    #expect(refused.errors.contains("its signature is refused"))
    #expect(try await packages(["list"], policy: rule).output.contains("2.0.0"))
  }

  private static func run(_ words: [String]) throws {
    try #require(SpawnedProgram.run(words).status == 0)
  }

  @Test("links, pipes, huge files, scripts, odd IDs and a host's ID are refused, and leave nothing")
  func hostile() async throws {
    func refused(_ name: String, _ change: (String) throws -> Void) async throws -> String {
      let path = try package(name)
      try change(path)
      let end = try await packages(["install", path, "--yes"])
      #expect(end.status != 0 && end.status < 100, "\(name)")
      return end.errors
    }
    #expect(
      try await refused("link") {
        unlink($0 + "/module")
        symlink("/etc/passwd", $0 + "/module")
      }.contains("module is a link"))
    #expect(
      try await refused("fifo") {
        unlink($0 + "/manifest.json")
        mkfifo($0 + "/manifest.json", 0o600)
      }.contains("no regular file"))
    #expect(try await refused("huge") { truncate($0 + "/module", 1 << 40) }.contains("larger than"))
    #expect(
      try await refused("script") { _ in try scratch.write("script/module", "#!/bin/sh\n") }.contains(
        "no ELF"))
    #expect(try await refused("bare") { unlink($0 + "/module") }.contains("no bundle"))
    let escape = try await packages(["install", try package("up", id: "../../../tmp/x"), "--yes"])
    #expect(escape.status == 65)
    let taken = try await packages([
      "install", try package("taken", id: "com.forsetti.example.Service"), "--yes",
    ])
    #expect(taken.errors.contains("a module of the host's own"))
    // What else lies in the folder is not copied.
    let path = try package("more")
    try scratch.write("more/evil.sh", "x")
    #expect(try await packages(["install", path, "--yes"]).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: installed).sorted() == ["manifest.json", "module"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("state/bundles")) == [id])
  }

  @Test("remove takes the bundle away and says what becomes of its data") func remove() async throws {
    #expect(try await packages(["remove", id, "--yes"]).status == 65)
    #expect(try await packages(["install", try package("new"), "--yes"]).status == 0)
    for name in ["../bundles/\(id)", ".", "..", "/", id + "/module"] {
      #expect(try await packages(["remove", name, "--yes"]).status == 65)
    }
    let end = try await packages(["remove", id, "--yes"])
    #expect(end.status == 0)
    #expect(end.output.contains("its data stay"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("state/bundles")).isEmpty)
    #expect(try await packages(["install", scratch("new"), "--yes"]).status == 0)
    let erased = try object(try await packages(["remove", id, "--yes", "--erase-data", "--json"]).output)
    #expect(erased["dataErased"] as? Bool == true)
  }

  @Test("of a link that stands where a bundle should, the link alone is removed")
  func removeLink() async throws {
    let target = try package("mine")
    let names = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
    try FileManager.default.createDirectory(
      atPath: scratch("state/bundles"), withIntermediateDirectories: true)
    for path in ["state/bundles", "state"] { chmod(scratch(path), 0o700) }
    symlink(target, installed)
    #expect(try await packages(["remove", id, "--yes"]).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).sorted() == names)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("state/bundles")).isEmpty)
  }

  @Test("what the disk does not take is undone: the bundle that was there stays, and nothing beside it")
  func undone() async throws {
    let (probe, folder) = (Product.folder + "/forsetti-store-probe", scratch("state/bundles"))
    let (old, new) = (try package("old"), try package("new", version: 2, tail: "x"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for path in [folder, scratch("state")] { chmod(path, 0o700) }
    #expect(try output(of: [probe, "install", old, folder]).contains("Too many open files"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    #expect(try await packages(["install", old, "--yes"]).status == 0)
    for (words, reason) in [
      ([probe, "install", new, folder], "Too many open files"),
      ([Product.folder + "/forsetti-deny", "fsync", probe, "remove", folder], "not implemented"),
    ] {
      #expect(try output(of: words).contains(reason))
      #expect(FileManager.default.contentsEqual(atPath: old + "/module", andPath: installed + "/module"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [id])
    }
    #expect(try output(of: [probe, "remove", folder]) == "kept\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  private func output(of words: [String]) throws -> String {
    String(decoding: try SpawnedProgram.run(words).output, as: UTF8.self)
  }

  @Test("the words of packages are checked before anything is done") func words() async throws {
    #expect(try await packages(["instal", "x"]).errors.contains("did you mean \"install\"?"))
    #expect(try await packages(["install"]).status == 64)
    #expect(try await packages(["list", "x"]).status == 64)
  }
}
