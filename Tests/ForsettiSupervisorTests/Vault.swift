import ForsettiCore
import Foundation
import Glibc

/// The real program with the module host of the tests beside it, whose module `Vault` takes an account
/// (Tests/ForsettiModuleKitProbe).
struct Vault {
  let scratch: Scratch
  let supervisor: SupervisorProcess

  private static let policy = """
    {"policyVersion": 1, "userIDs": {"first": 70000, "count": 64}, MORE
     "activation": {"order": ["com.example.vault"]},
     "rules": [{"modules": "com.example.vault", "grant": []}],
     "secrets": [
       {"secretID": "account", "module": "com.example.vault", "title": "An account", "fields": [
         {"fieldID": "user", "label": "User", "kind": "text", "required": true},
         {"fieldID": "mode", "label": "Mode", "kind": "choice", "choices": ["a", "b"]},
         {"fieldID": "password", "label": "Password", "kind": "secret", "required": true}]},
       {"secretID": "key", "module": "com.example.vault", "title": "A key", "fields": [
         {"fieldID": "user", "label": "User", "kind": "text", "required": true},
         {"fieldID": "password", "label": "Key", "kind": "multilineSecret", "required": true}]},
       {"secretID": "stranger", "module": "com.example.nobody", "title": "Nobody's", "fields": [
         {"fieldID": "f", "label": "F", "kind": "secret"}]}]}
    """

  /// Boots it.
  /// - Parameter more: further keys of the policy, each with a comma behind it.
  init(_ more: String = "") async throws {
    scratch = try Scratch()
    let program = try scratch.copy(Product.supervisor, to: "bin/forsetti-supervisor")
    try scratch.copy(Product.folder + "/forsetti-kit-probe", to: "bin/forsetti-module-host")
    try scratch.copy(Product.folder + "/forsetti-console", to: "bin/forsetti-console")
    let manifest = ModuleManifest(
      moduleID: "com.example.vault", displayName: "Vault",
      moduleVersion: SemVer(major: 1, minor: 0, patch: 0), moduleType: .service, supportedPlatforms: [.linux],
      minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0), capabilitiesRequested: [],
      entryPoint: "Vault")
    try scratch.write("manifests/vault.json", JSONWriter.text(manifest.jsonValue))
    supervisor = try SupervisorProcess(
      [
        "run", "--policy",
        try scratch.write("policy.json", Self.policy.replacingOccurrences(of: "MORE", with: more)),
        "--manifests", scratch("manifests"), "--state", scratch("state"), "--log-level", "debug",
      ], executable: program)
    _ = await supervisor.output(containing: "Running until")
  }

  /// Arguments of `secret`.
  func words(_ words: [String]) -> [String] { ["secret"] + words + ["--state", scratch("state")] }

  /// Runs `secret`.
  func ask(_ words: [String], input: String = "") async throws -> SupervisorProcess.End {
    try await SupervisorProcess.run(self.words(words), input: input)
  }

  /// Runs `secret`.
  func ask(_ words: String..., input: String = "") async throws -> SupervisorProcess.End {
    try await ask(words, input: input)
  }

  /// A file of the scratch folder.
  func read(_ name: String) throws -> String { try String(contentsOfFile: scratch(name), encoding: .utf8) }

  /// Ends it; what it has logged.
  @discardableResult
  func end() async -> String {
    supervisor.send(SIGTERM)
    return await supervisor.end().errors
  }
}
