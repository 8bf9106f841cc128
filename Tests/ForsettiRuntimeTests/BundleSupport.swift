import ForsettiCore
import ForsettiTestKit
import Foundation

@testable import ForsettiRuntime

/// The smallest bytes that pass for a static program; `tail` makes them another one.
func programBytes(tail: String = "") -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: 64 + 56)
  bytes.replaceSubrange(0..<6, with: [0x7f, 0x45, 0x4c, 0x46, 2, 1])
  bytes[16] = 2
  bytes[18] = UInt8(ExecutableImage.nativeMachine & 0xff)
  bytes[25] = 0x10
  bytes[32] = 64
  bytes[54] = 56
  bytes[56] = 1
  (bytes[64], bytes[68]) = (1, 5)
  return bytes + Array(tail.utf8)
}

/// A minisign key pair of a test's own, made by minisign itself.
struct SigningKey {
  let text: String
  private let secretPath: String
  private let folder: Scratch

  init() throws {
    folder = try Scratch()
    secretPath = folder("secret")
    try run("minisign", ["-G", "-W", "-p", folder("public"), "-s", secretPath])
    let lines = try String(contentsOfFile: folder("public"), encoding: .utf8).split(separator: "\n")
    text = String(lines[1])
  }

  /// Signs a statement; returns the signature file's text.
  func sign(_ statement: BundleStatement, legacy: Bool = false) throws -> String {
    let file = try folder.write("statement", statement.text)
    try run(
      "minisign", ["-S", "-s", secretPath, "-m", file, "-x", folder("signature")] + (legacy ? ["-l"] : []))
    return try String(contentsOfFile: folder("signature"), encoding: .utf8)
  }
}

/// Runs a program of the system to its end.
func run(_ name: String, _ arguments: [String]) throws {
  guard try SpawnedProgram.run([name] + arguments).status == 0 else { throw POSIXError(.ENOEXEC) }
}

/// A folder of bundles of a test's own.
struct Bundles {
  let scratch: Scratch
  var path: String { scratch("bundles") }

  init() throws {
    scratch = try Scratch()
    try scratch.folder("bundles")
  }

  static func manifest(_ moduleID: String, version: Int = 1, extra: String = "") -> String {
    """
    {"schemaVersion": "1.0", "moduleID": "\(moduleID)", "displayName": "M", "moduleType": "service",
     "moduleVersion": {"major": \(version), "minor": 0, "patch": 0}, "supportedPlatforms": ["Linux"],
     "minForsettiVersion": {"major": 0, "minor": 1, "patch": 0}, "capabilitiesRequested": [],
     "entryPoint": "Main"\(extra)}
    """
  }

  /// Writes a bundle under its ID.
  func write(
    _ moduleID: String, version: Int = 1, program: [UInt8] = programBytes(), folder: String? = nil
  ) throws {
    let name = "bundles/" + (folder ?? moduleID)
    try scratch.folder(name)
    try scratch.write(name + "/manifest.json", Self.manifest(moduleID, version: version))
    try Data(program).write(to: URL(filePath: scratch(name + "/module")))
    chmod(scratch(name + "/module"), 0o700)
  }

  /// What a signer of this bundle signs.
  func statement(_ moduleID: String) throws -> BundleStatement {
    try BundleReader(executableBytes: 1 << 20).read(TrustedFolder(path + "/" + moduleID), named: moduleID)
      .statement
  }

  func sign(_ moduleID: String, by key: SigningKey, legacy: Bool = false) throws {
    try scratch.write(
      "bundles/\(moduleID)/module.minisig", key.sign(try statement(moduleID), legacy: legacy))
  }

  func load(_ rules: [PolicyRule] = [], limit: Int = 1 << 20) -> BundleFolder.Found {
    let policy = Policy(
      rules: rules, bundles: BundleSettings(folder: path, executableBytes: limit))
    return BundleFolder(policy: policy, policyFolder: "/", stateFolder: "/").load()
  }

  func hash(_ moduleID: String) throws -> String { try statement(moduleID).executableSHA256 }
}
