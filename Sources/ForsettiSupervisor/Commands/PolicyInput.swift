import ForsettiCore
import ForsettiRuntime

/// The policy as a command reads it.
enum PolicyInput {
  /// Why there is no policy.
  enum Failure: Error {
    case file(TrustedFileError)
    case faults(PolicyFaults)
  }

  /// Its policy, for a command that cannot do without.
  static func require(_ path: String) throws(CommandFailure) -> Policy { try requireText(path).policy }

  /// The same with the bytes that it was decoded from.
  static func requireText(_ path: String) throws(CommandFailure) -> (policy: Policy, text: [UInt8]) {
    do { return try readText(path) } catch { throw CommandFailure(error, path: path) }
  }

  /// Reads and decodes a policy file that nobody else could have changed, and keeps its bytes.
  static func readText(_ path: String) throws(Failure) -> (policy: Policy, text: [UInt8]) {
    let bytes: [UInt8]
    do { bytes = try TrustedFile.read(path, limit: PolicyDecoder.limits.bytes) } catch { throw .file(error) }
    let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    do { return (try PolicyDecoder.decode(bytes: bytes, file: name), bytes) } catch { throw .faults(error) }
  }

  /// The same for a supervisor that runs; off the reactor, for a policy may be large, and its disk slow.
  static func readAnew(_ path: String) async throws(CommandFailure) -> Policy {
    try await Reactor.away { () throws(CommandFailure) in try require(path) }
  }
}

extension BundleFolder {
  /// The folder that a policy at this path means.
  init(policy: Policy, at path: String, state: String) {
    self.init(
      policy: policy, policyFolder: WorkingFolder.parent(of: WorkingFolder.absolute(path)), stateFolder: state
    )
  }
}
