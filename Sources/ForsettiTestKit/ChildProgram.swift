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
    let (theirInput, input) = try SpawnedProgram.pipe()
    let (output, theirOutput) = try SpawnedProgram.pipe()
    (self.input, self.output) = (input, output)
    defer {
      close(theirInput)
      close(theirOutput)
    }
    do {
      processID = try SpawnedProgram(path, arguments, files: (theirInput, theirOutput, STDERR_FILENO))
        .processID
    } catch {
      close(input)
      close(output)
      throw error
    }
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
