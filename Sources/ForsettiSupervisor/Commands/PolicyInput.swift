import ForsettiCore
import ForsettiRuntime

/// The policy as a command reads it.
enum PolicyInput {
  /// Reads and decodes a policy file that nobody else could have changed.
  static func read(_ path: String) throws(CommandFailure) -> Policy {
    let bytes: [UInt8]
    do throws(TrustedFileError) {
      bytes = try TrustedFile.read(path, limit: PolicyDecoder.limits.bytes)
    } catch {
      throw CommandFailure(policyFile: error)
    }
    do throws(PolicyFaults) {
      return try PolicyDecoder.decode(bytes: bytes, file: lastComponent(path))
    } catch {
      throw CommandFailure(error, path: path)
    }
  }

  private static func lastComponent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
