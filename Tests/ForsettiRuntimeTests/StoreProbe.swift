import CLinux
import Foundation
import Testing

/// `forsetti-store-probe`, running.
final class StoreProbe {
  let processID: pid_t
  private let output: Int32
  private let input: Int32
  private var buffer: [UInt8] = []
  private var isReaped = false

  init(_ arguments: String...) throws {
    let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let path = folder.appending(path: "forsetti-store-probe").path
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    try #require(cl_pipe2(&toChild, O_CLOEXEC) == 0 && cl_pipe2(&fromChild, O_CLOEXEC) == 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var child: pid_t = 0
    let code = posix_spawn(&child, path, &actions, nil, &words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    close(toChild[0])
    close(fromChild[1])
    (processID, input, output) = (child, toChild[1], fromChild[0])
    try #require(code == 0, "\(path)")
  }

  deinit {
    kill()
    close(input)
    close(output)
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

  /// All lines to the end.
  func lines() -> [String] {
    var all: [String] = []
    while let line = line() { all.append(line) }
    return all
  }

  /// Kills the process, if it still runs, and waits for its end.
  func kill() {
    guard !isReaped else { return }
    isReaped = true
    // Ours and not reaped yet, so the number can't be another's.
    _ = Foundation.kill(processID, SIGKILL)
    waitpid(processID, nil, 0)
  }
}
