import CLinux
import ForsettiCore
import Foundation
import Testing

@testable import ForsettiRuntime
@testable import ForsettiServices

/// A folder of a test's own, of mode 0700. It stays until the tests are over: services outlive the expression that
/// opened them.
final class Scratch: Sendable {
  let path: String

  private static let root: String = {
    var template = Array("/tmp/forsetti-services-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return "/nonexistent" }
    atexit { try? FileManager.default.removeItem(atPath: Scratch.root) }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  init() throws {
    path = Self.root + "/" + UUID().uuidString
    guard mkdir(path, 0o700) == 0 else { throw POSIXError(.EIO) }
  }

  /// The path of an entry.
  func at(_ name: String) -> String { path + "/" + name }

  /// The services in this folder.
  func services(
    _ change: (inout HostServicesConfiguration) throws -> Void = { _ in }
  ) async throws -> HostServices {
    var configuration = HostServicesConfiguration(stateFolder: path)
    configuration.transport = try SharedNetworkWorker.result.get()
    try change(&configuration)
    return try await HostServices.open(configuration)
  }
}

/// A network worker as the supervisor has it, with a keeper of its own.
func networkWorker(_ change: (inout NetworkWorkerOptions) -> Void = { _ in }) throws -> NetworkWorker {
  var options = NetworkWorkerOptions(
    path: ChildProgram.folder + "/forsetti-network-worker", userID: geteuid() == 0 ? 1_879_048_192 : nil)
  change(&options)
  return NetworkWorker(try NetworkKeeper(options), options, logger: SilentLogger())
}

/// One for all tests that leave it alone.
enum SharedNetworkWorker {
  static let result = Result { try networkWorker() }
}

/// Nobody listens.
struct SilentLogger: ForsettiLogger {
  func isEnabled(_ level: LogLevel) -> Bool { false }
  func log(_ level: LogLevel, _ message: String, moduleID: String?, metadata: [String: String]) {}
  func relay(_ level: LogLevel, _ message: String, from moduleID: String, metadata: [String: String]) {}
  func forget(moduleID: String) {}
}

/// A caller as the broker would make it.
func caller(
  _ moduleID: String = "a.module", origin: ModuleOrigin = .builtIn, stores: [String] = []
) -> ServiceCaller {
  ServiceCaller(
    manifest: ModuleManifest(
      moduleID: moduleID, displayName: "Module", moduleVersion: SemVer(major: 1, minor: 2, patch: 3),
      moduleType: .service,
      supportedPlatforms: [.linux], minForsettiVersion: SemVer(major: 0, minor: 1, patch: 0),
      capabilitiesRequested: Capability.allCases, entryPoint: "A",
      runtimeRequirements: RuntimeRequirements(
        dataIsolation: DataIsolation(mode: .privateToModule, ownedStoreIDs: stores))),
    origin: origin, grants: Set(Capability.allCases))
}

/// A program of the tests, running, with its output to be read line by line.
final class ChildProgram {
  private let process: pid_t
  private let output: Int32
  /// Ends with us, also where we are killed: the program may take that for its own end.
  private let input: Int32
  private var buffer: [UInt8] = []
  private var isReaped = false

  /// The folder of the build that this test belongs to.
  static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .path

  /// Starts a program of the build folder, or one with a path.
  convenience init(_ name: String, _ arguments: String...) throws { try self.init(name, arguments) }

  init(_ name: String, _ arguments: [String]) throws {
    let path = name.hasPrefix("/") ? name : Self.folder + "/" + name
    var ends: [Int32] = [0, 0]
    var inputEnds: [Int32] = [0, 0]
    try #require(cl_pipe2(&ends, O_CLOEXEC) == 0 && cl_pipe2(&inputEnds, O_CLOEXEC) == 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, inputEnds[0], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, nil, &words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    close(inputEnds[0])
    (process, output, input) = (child, ends[0], inputEnds[1])
    try #require(code == 0, "\(path)")
  }

  deinit {
    kill()
    close(output)
    close(input)
  }

  /// The next line; `nil` at the end.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      var chunk = [UInt8](repeating: 0, count: 4_096)
      let count = read(output, &chunk, chunk.count)
      guard count > 0 else { return nil }
      buffer += chunk[..<count]
    }
  }

  /// Holds it still.
  func hold() { _ = Foundation.kill(process, SIGSTOP) }

  /// Kills it, if it still runs, and waits for its end.
  func kill() {
    guard !isReaped else { return }
    isReaped = true
    // Ours and not reaped yet, so the number can't be another's.
    _ = Foundation.kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }
}
