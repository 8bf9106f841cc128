import CLinux
import Foundation
import Glibc

/// A program of the tests, running, with its output to be read line by line.
public final class ChildProgram {
  /// Its process ID.
  public let processID: Int32
  private let output: Int32
  /// Ends with us, also where we are killed: the program may take that for its own end.
  private let input: Int32
  private var buffer: [UInt8] = []
  private var isReaped = false

  /// The folder of the build that this test belongs to.
  public static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path

  /// Starts a program of the build folder, or one with a path.
  /// - Throws: the errno of pipe2(2) or posix_spawn(3).
  public init(_ name: String, _ arguments: [String]) throws {
    let path = name.hasPrefix("/") ? name : Self.folder + "/" + name
    var ends: [Int32] = [0, 0]
    var inputEnds: [Int32] = [0, 0]
    guard cl_pipe2(&ends, O_CLOEXEC) == 0, cl_pipe2(&inputEnds, O_CLOEXEC) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
    }
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
    (processID, output, input) = (child, ends[0], inputEnds[1])
    isReaped = code != 0
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
  }

  /// Starts a program of the build folder, or one with a path.
  public convenience init(_ name: String, _ arguments: String...) throws { try self.init(name, arguments) }

  deinit {
    kill()
    close(output)
    close(input)
  }

  /// The next line; `nil` at the end.
  public func line() -> String? {
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

  /// All lines to the end.
  public func lines() -> [String] {
    var all: [String] = []
    while let line = line() { all.append(line) }
    return all
  }

  /// Holds it still.
  public func hold() { _ = Foundation.kill(processID, SIGSTOP) }

  /// Kills it, if it still runs, and waits for its end.
  public func kill() {
    guard !isReaped else { return }
    isReaped = true
    // Ours and not reaped yet, so the number can't be another's.
    _ = Foundation.kill(processID, SIGKILL)
    waitpid(processID, nil, 0)
  }
}
