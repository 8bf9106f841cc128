import Foundation
public import Glibc

/// A folder of a test's own, trusted (0700) and gone when the test ends.
public final class Scratch: Sendable {
  /// The folder.
  public let path: String

  /// Makes it below /tmp.
  public init() throws {
    var template = Array("/tmp/forsetti-test.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    path = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path inside.
  public func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file, and the folders above it.
  @discardableResult
  public func write(_ name: String, _ text: String = "text", mode: mode_t = 0o600) throws -> String {
    let file = self(name)
    try folder(String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)]))
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    chmod(file, mode)
    return file
  }

  /// Makes a folder, and those above it with mode 0700.
  @discardableResult
  public func folder(_ name: String, mode: mode_t = 0o700) throws -> String {
    try FileManager.default.createDirectory(
      atPath: self(name), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    if mode != 0o700 { chmod(self(name), mode) }
    return self(name)
  }

  /// Copies a file, mode included.
  @discardableResult
  public func copy(_ source: String, to name: String) throws -> String {
    try folder(String(name[..<(name.lastIndex(of: "/") ?? name.startIndex)]))
    // By another process: here, whatever another test spawns meanwhile would inherit the copy open for writing, and
    // such a program can't be executed (ETXTBSY).
    guard try SpawnedProgram.run(["cp", "-pR", source, self(name)]).status == 0 else {
      throw POSIXError(.EIO)
    }
    return self(name)
  }
}

/// The programs and files under test, found from the running test program.
public enum Product {
  /// The folder of the build that this test belongs to.
  public static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
    .path
  /// The supervisor.
  public static let supervisor = folder + "/forsetti-supervisor"
  /// The worker that speaks with strangers.
  public static let networkWorker = folder + "/forsetti-network-worker"
  /// The host of the shipped modules.
  public static let moduleHost = folder + "/forsetti-module-host"
  /// The made-up Jamf Pro server.
  public static let jamfSimulator = folder + "/jamf-simulator"
  /// The host of the hostile ones.
  public static let hostileHost = folder + "/forsetti-hostile-host"

  /// The checkout above the build folder.
  public static let checkout: String = {
    var candidate = URL(filePath: folder)
    while candidate.path != "/",
      !FileManager.default.fileExists(atPath: candidate.path + "/policy/strict.json")
    {
      candidate.deleteLastPathComponent()
    }
    return candidate.path
  }()
  /// The policy for production.
  public static let strictPolicy = checkout + "/policy/strict.json"
  /// The policy for developers.
  public static let developmentPolicy = checkout + "/policy/development.json"
  /// The shipped manifests.
  public static let manifests = checkout + "/Resources/ForsettiManifests"
  /// The policy of the examples.
  public static let examplePolicy = checkout + "/policy/examples.json"
  /// The manifests of the examples.
  public static let exampleManifests = checkout + "/Resources/ExampleManifests"
}
