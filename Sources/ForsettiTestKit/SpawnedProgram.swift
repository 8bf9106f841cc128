import CLinux
import Foundation
import Glibc

/// How a program is started for a test, and nothing of this process but what it is to have: Foundation's `Process` makes
/// pipes that whatever another thread starts at the same moment inherits, whose end then never comes, and gives on the
/// signals that its thread has blocked.
public struct SpawnedProgram: Sendable {
  /// Its process ID, its own until it is reaped.
  public let processID: Int32

  /// Starts it in a process group of its own, with no signal blocked or ignored.
  /// - Parameters:
  ///   - path: of the executable.
  ///   - environment: all of it, `nil` for ours.
  ///   - files: what it has as 0, 1 and 2; numbers above those, closed on exec.
  /// - Throws: the errno of posix_spawn(3), of the exec as well.
  public init(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil,
    files: (input: Int32, output: Int32, errors: Int32)
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in [files.input, files.output, files.errors].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let words = ([path] + arguments).map { strdup($0) }
    let variables = environment.map { $0.map { strdup("\($0)=\($1)") } }
    defer { for text in words + (variables ?? []) { free(text) } }
    var child: pid_t = 0
    let code =
      if let variables {
        posix_spawn(&child, path, &actions, &attributes, words + [nil], variables + [nil])
      } else {
        posix_spawn(&child, path, &actions, &attributes, words + [nil], environ)
      }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    processID = child
  }

  /// Runs a program of the system to its end on the calling thread: one that takes a moment.
  /// - Parameters:
  ///   - words: its name, as env(1) finds it, and its arguments.
  ///   - input: what it reads.
  ///   - errors: whether the output has its standard error too, which is ours else.
  /// - Returns: what it exited with, a signal as shells have it (128 and its number), and its output.
  public static func run(
    _ words: [String], input: [UInt8] = [], errors: Bool = false
  ) throws -> (status: Int32, output: [UInt8]) {
    let (file, pipe) = (cl_memfd_create("input"), try pipe())
    defer {
      close(file)
      close(pipe.reader)
    }
    let isWritten = write(file, input, input.count) == input.count && lseek(file, 0, SEEK_SET) == 0
    let program: SpawnedProgram
    do {
      defer { close(pipe.writer) }
      guard isWritten else { throw POSIXError(.EIO) }
      program = try SpawnedProgram(
        "/usr/bin/env", words, files: (file, pipe.writer, errors ? pipe.writer : STDERR_FILENO))
    }
    var (output, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = read(pipe.reader, &chunk, chunk.count), count != 0 {
      if count > 0 { output += chunk[..<count] } else if errno != EINTR { break }
    }
    var end = siginfo_t()
    while waitid(P_PID, id_t(program.processID), &end, WEXITED) < 0, errno == EINTR {}
    let status = end._sifields._sigchld.si_status
    return (end.si_code == Int32(CLD_EXITED) ? status : 128 + status, output)
  }

  /// Both ends of a pipe, closed on exec from their birth.
  public static func pipe() throws -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [-1, -1]
    let result = cl_pipe2(&ends, O_CLOEXEC)
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: -result) ?? .EMFILE) }
    return (ends[0], ends[1])
  }
}
