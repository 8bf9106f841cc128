import Foundation
import Glibc
import Testing

@testable import ForsettiSupervisor

/// `check` over real files.
@Suite struct CheckTests {
  private func check(_ inputs: Inputs) -> CheckReport {
    CheckCommand(CheckOptions(inputs: inputs)).report(in: .product())
  }

  static func manifest(_ moduleID: String, entryPoint: String = "Example") -> String {
    """
    {"schemaVersion": "1.1", "manifestTemplateVersion": "1.1", "moduleID": "\(moduleID)", "displayName": "Example",
     "moduleVersion": {"major": 1, "minor": 0, "patch": 0}, "moduleType": "service",
     "supportedPlatforms": ["Linux"], "minForsettiVersion": {"major": 0, "minor": 1, "patch": 0},
     "capabilitiesRequested": [], "entryPoint": "\(entryPoint)"}
    """
  }

  @Test("the shipped set is valid and compatible under both policies", arguments: ["strict", "development"])
  func shippedSet(policy: String) {
    let report = check(Inputs(policy: "\(Product.checkout)/policy/\(policy).json"))
    #expect(report.findings == [])
    #expect(report.manifestCount == 11 && report.compatibleCount == 11)
    #expect(report.status == .success)
  }

  @Test("faults of the policy and of every manifest come together, and the policy's status wins")
  func everyFault() throws {
    let scratch = try Scratch()
    let policy = try scratch.write("policy.json", "{\"version\": 1, \"unknown\": true,}")
    try scratch.write("m/a.json", "{")
    try scratch.write("m/b.json", Self.manifest("nodots"))
    try scratch.write("m/c.json", Self.manifest("com.example.fine"))
    let report = check(Inputs(policy: policy, manifests: scratch("m")))
    #expect(report.status == .configuration)
    #expect(report.findings.contains { $0.place.hasPrefix(policy + ":1:") })
    #expect(report.findings.contains { $0.place.hasPrefix("a.json:1:") })
    #expect(report.findings.contains { $0.place.hasPrefix("b.json:") && $0.pointer == "/moduleID" })
    #expect(report.findings.allSatisfy { $0.severity == .error })
  }

  @Test("an incompatible module is an error that names the policy's word on it") func incompatible() throws {
    let scratch = try Scratch()
    let asking = Self.manifest("com.example.asking").replacing(
      "\"capabilitiesRequested\": []", with: "\"capabilitiesRequested\": [\"networking\"]")
    try scratch.write("m/a.json", asking)
    let report = check(Inputs(manifests: scratch("m")))
    #expect(report.status == .dataError)
    #expect(report.findings.contains { $0.message.hasPrefix("capabilityDenied: ") && $0.severity == .error })
    #expect(report.compatibleCount == 0)
  }

  @Test("odd but harmless things are warnings and keep success") func warnings() throws {
    let scratch = try Scratch()
    try scratch.write(
      "m/a.json", Self.manifest("com.example.a").replacing("{\"schema", with: "{\"extra\": 1, \"schema"))
    try scratch.write("m/b.json", Self.manifest("com.example.b"))
    symlink("a.json", scratch("m/link.json"))
    let policy = try scratch.write("p.json", "{\"policyVersion\": 1}")
    let report = check(Inputs(policy: policy, manifests: scratch("m")))
    #expect(report.status == .success)
    #expect(report.findings.contains { $0.pointer == "/extra" })
    #expect(
      report.findings.contains { $0.place == scratch("m/link.json") && $0.message.contains("symbolic link") })
    #expect(report.findings.contains { $0.message.contains("Example") && $0.place == "manifests" })
    #expect(report.findings.allSatisfy { $0.severity == .warning })
  }

  @Test("an activation that names what is not there, or selects a service, is an error: the boot would fail")
  func activation() throws {
    let scratch = try Scratch()
    try scratch.write("m/a.json", Self.manifest("com.example.a"))
    let policy = try scratch.write(
      "p.json",
      #"""
      {"policyVersion": 1,
       "activation": {"order": ["com.example.gone"], "selectedUIModuleID": "com.example.a"}}
      """#)
    let report = check(Inputs(policy: policy, manifests: scratch("m")))
    #expect(report.status == .dataError)
    let errors = report.findings.filter { $0.severity == .error }.map(\.message)
    #expect(errors.contains { $0.contains("com.example.gone") })
    #expect(errors.contains { $0.contains("is a service") })
  }

  struct Fault: CustomTestStringConvertible {
    var name: String
    var status: ForsettiSupervisor.ExitStatus
    var says: String
    var prepare: @Sendable (Scratch) throws -> Inputs
    var testDescription: String { name }
  }

  private static let folderFaults: [Fault] = [
    Fault(name: "no manifests folder", status: .noInput, says: "there is none") { scratch in
      Inputs(manifests: scratch("none"))
    },
    Fault(name: "empty folder", status: .noInput, says: "holds no manifest") { scratch in
      Inputs(manifests: try scratch.folder("m"))
    },
    Fault(name: "a file for a folder", status: .noInput, says: "it is no folder") { scratch in
      Inputs(manifests: try scratch.write("m", "x"))
    },
    Fault(name: "a folder others may write", status: .noPermission, says: "mend: chmod go-w") { scratch in
      try scratch.write("m/a.json", CheckTests.manifest("com.example.a"))
      chmod(scratch("m"), 0o777)
      return Inputs(manifests: scratch("m"))
    },
    Fault(name: "a manifest the group may write", status: .noPermission, says: "mend: chmod g-w") { scratch in
      try scratch.write("m/a.json", CheckTests.manifest("com.example.a"), mode: 0o660)
      return Inputs(manifests: scratch("m"))
    },
    Fault(name: "one ID twice", status: .dataError, says: "keep one") { scratch in
      try scratch.write("m/a.json", CheckTests.manifest("com.example.a", entryPoint: "A"))
      try scratch.write("m/b.json", CheckTests.manifest("com.example.A", entryPoint: "B"))
      return Inputs(manifests: scratch("m"))
    },
    Fault(name: "no policy", status: .noInput, says: "does not exist") { scratch in
      Inputs(policy: scratch("none.json"))
    },
    Fault(name: "a policy others may write", status: .noPermission, says: "mend: chmod o-w") { scratch in
      Inputs(policy: try scratch.write("p.json", "{}", mode: 0o602))
    },
    Fault(name: "a policy that is a link", status: .noInput, says: "symbolic link") { scratch in
      symlink(Product.strictPolicy, scratch("p.json"))
      return Inputs(policy: scratch("p.json"))
    },
    Fault(name: "a FIFO for a policy", status: .noInput, says: "FIFO") { scratch in
      mkfifo(scratch("p.json"), 0o600)
      return Inputs(policy: scratch("p.json"))
    },
    Fault(name: "a huge policy", status: .configuration, says: "larger than the limit") { scratch in
      Inputs(policy: try scratch.write("p.json", String(repeating: " ", count: (1 << 20) + 1)))
    },
  ]

  @Test("a folder or file that cannot be used is one finding with its status", arguments: folderFaults)
  func faults(fault: Fault) throws {
    let scratch = try Scratch()
    let report = check(try fault.prepare(scratch))
    #expect(report.status == fault.status)
    #expect(report.findings.count == 1)
    #expect(report.findings.first?.message.contains(fault.says) == true, "\(report.findings)")
  }

  @Test("an unreadable manifests folder is named with its errno", .enabled(if: geteuid() != 0))
  func unreadable() throws {
    let scratch = try Scratch()
    chmod(try scratch.folder("m"), 0)
    let report = check(Inputs(manifests: scratch("m")))
    #expect(report.status == .noInput)
    #expect(report.findings.first?.message.contains("EACCES") == true)
    chmod(scratch("m"), 0o700)
  }
}
