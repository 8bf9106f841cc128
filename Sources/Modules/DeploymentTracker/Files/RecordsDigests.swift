internal import ForsettiModuleKit

/// The SHA-256 of each file of a records package, and of the whole, as `sha256sum` tells them.
struct RecordsDigests: Sendable, Hashable {
  /// SHA-256 of some bytes; it may be another's work, and fail.
  typealias Hash = nonisolated(nonsending) ([UInt8]) async throws(ServiceError) -> [UInt8]

  /// By the files' names in the package.
  let files: [String: String]
  /// That of the lines that `sha256sum` writes of the files by their names in the package, sorted.
  let whole: String

  nonisolated(nonsending) init(of package: RecordsPackage, by hash: Hash) async throws(ServiceError) {
    var files: [String: String] = [:]
    var lines = ""
    for file in package.files {
      let digest = Self.hex(try await hash(file.bytes))
      files[file.path] = digest
      lines += "\(digest)  \(file.path)\n"
    }
    self.files = files
    whole = Self.hex(try await hash(Array(lines.utf8)))
  }

  /// Two digits of lower-case hex a byte.
  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
