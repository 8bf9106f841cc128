public import ForsettiCore

/// Why what is unlocked could not be read. What was last read without fault stays in force.
public enum EntitlementFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file, or a folder above it, is absent, unreadable or could be changed by somebody else.
  case file(TrustedFileError)
  /// The file says something else than it should.
  case content(path: String, JSONFault)
  /// The folder can't be watched: inotify(7).
  case notWatched(path: String, SystemError)
  /// No thread to read on.
  case noThread(SystemError)

  /// One line: what, where, and the way out.
  public var description: String {
    switch self {
    case .file(let error): "entitlements: \(error)"
    case .content(let path, let fault):
      "entitlements: \(path):\(fault.line):\(fault.column): \(fault.pointer.isEmpty ? "" : fault.pointer + ": ")\(fault.reason)"
    case .notWatched(let path, let error):
      "entitlements: \(path) is not watched: \(error); look at fs.inotify.max_user_watches and max_user_instances"
    case .noThread(let error): "entitlements: \(error)"
    }
  }
}

/// The form of the file: `{"unlockedModuleIDs": […], "unlockedProductIDs": […]}`, either may be absent.
enum EntitlementFile {
  static let sizeLimit = 1 << 20
  static let keys = ["unlockedModuleIDs", "unlockedProductIDs"]

  /// Reads the file's text; a misspelt key is a fault, as it would lock what should be unlocked.
  static func decode(_ bytes: [UInt8]) throws(JSONFault) -> Entitlements {
    let limits = JSONLimits(bytes: sizeLimit, depth: 2, stringBytes: 1_024, arrayElements: 10_000)
    let document = try JSONParser.parse(bytes, limits: limits)
    do throws(JSONFault) {
      let root = JSONCursor(document.root)
      _ = try root.object()
      if let unknown = root.unknownMembers(besides: keys).first {
        throw root.unknownKey(unknown, besides: keys)
      }
      return Entitlements(
        moduleIDs: try root.optional(keys[0])?.strings() ?? [],
        productIDs: try root.optional(keys[1])?.strings() ?? [])
    } catch { throw document.locating(error) }
  }

  /// Reads the file itself.
  static func read(_ path: String) throws(EntitlementFault) -> Entitlements {
    let bytes: [UInt8]
    do { bytes = try TrustedFile.read(path, limit: sizeLimit) } catch { throw .file(error) }
    do { return try decode(bytes) } catch { throw .content(path: path, error) }
  }
}
