import CLinux
import ForsettiBenchSet
import Glibc

/// A program that this one runs: lines in, lines out.
final class ChildProgram {
  private let name: String
  private let pid: pid_t
  private let input: Int32
  private let output: Int32
  private var pending: [UInt8] = []
  private var isReaped = false

  /// Starts a program; `arguments` come after its path. Its errors go where ours go.
  init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws(BenchFailure) {
    var into: (Int32, Int32) = (-1, -1)
    var out: (Int32, Int32) = (-1, -1)
    guard Self.pipe(&into) == 0, Self.pipe(&out) == 0 else { throw BenchFailure("pipe: errno \(errno)") }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, into.0, 0)
    posix_spawn_file_actions_adddup2(&actions, out.1, 1)
    for (name, value) in environment { setenv(name, value, 1) }
    defer { for name in environment.keys { unsetenv(name) } }
    var strings = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, path, &actions, nil, &strings, environ)
    close(into.0)
    close(out.1)
    guard failure == 0 else {
      close(into.1)
      close(out.0)
      throw BenchFailure("\(path): \(String(cString: strerror(failure)))")
    }
    name = path.split(separator: "/").last.map(String.init) ?? path
    (self.pid, input, output) = (pid, into.1, out.0)
  }

  deinit { end() }

  private static func pipe(_ ends: inout (Int32, Int32)) -> Int32 {
    withUnsafeMutableBytes(of: &ends) {
      cl_pipe2($0.assumingMemoryBound(to: Int32.self).baseAddress, O_CLOEXEC)
    }
  }

  /// Sends a line and reads the answer.
  func ask(_ line: String) throws(BenchFailure) -> String {
    let bytes = Array((line + "\n").utf8)
    guard write(input, bytes, bytes.count) == bytes.count else { throw BenchFailure("\(name) has ended") }
    return try readLine()
  }

  /// The next line it prints.
  func readLine() throws(BenchFailure) -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeSubrange(...end) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw BenchFailure("\(name) ended without an answer") }
      pending += chunk[..<count]
    }
  }

  /// Closes its input and waits for its end.
  func end() {
    guard !isReaped else { return }
    isReaped = true
    close(input)
    close(output)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  }
}
