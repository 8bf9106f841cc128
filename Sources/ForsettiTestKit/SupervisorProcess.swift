import CLinux
import Foundation
import Glibc
import Synchronization

/// A running program, by default `forsetti-supervisor`. Both outputs are drained from the start, so that it never waits for a
/// test. It is killed when the test lets go of it.
///
/// What waits here ends with the test's own time: a wait in vain is an issue that says what was waited for, and what the
/// program has said last.
public final class SupervisorProcess: Sendable {
  /// What is known of the program.
  private struct Known: Sendable {
    var output = Stream()
    var errors = Stream()
    /// The CLD_ code and the status of waitid(2), once it is reaped.
    var end: (code: Int32, status: Int32)?

    var isOver: Bool { output.hasEnded && errors.hasEnded && end != nil }
  }

  private struct Stream: Sendable {
    var bytes: [UInt8] = []
    var hasEnded = false

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var last: String { String(decoding: bytes.suffix(2_000), as: UTF8.self) }
  }

  /// Its process ID.
  public let processID: Int32
  private let name: String
  private let process: ProcessHandle
  private let known = Watched(Known())

  /// Starts it.
  /// - Parameters:
  ///   - input: what it reads, to its end; at most what a pipe takes at once.
  ///   - terminal: what it has as its input and both outputs in the place of pipes.
  public init(
    _ arguments: [String], executable: String = Product.supervisor, environment: [String: String] = [:],
    input: String = "", terminal: Int32? = nil
  ) throws {
    let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { $1 }
    name = ([URL(filePath: executable).lastPathComponent] + arguments).joined(separator: " ")
    let pipes = try terminal == nil ? Pipes(input: input) : nil
    // The program's ends are held until it has them, and no longer: else their end would never come.
    processID = try withExtendedLifetime(pipes) {
      try SpawnedProgram(
        executable, arguments, environment: environment,
        files: pipes?.theirs ?? (terminal ?? -1, terminal ?? -1, terminal ?? -1)
      ).processID
    }
    let (output, errors) = (pipes?.output.reader, pipes?.errors.reader)
    let number = cl_pidfd_open(processID)
    guard number >= 0 else {
      cl_abandon(processID)
      throw POSIXError(POSIXErrorCode(rawValue: -number) ?? .EIO)
    }
    process = ProcessHandle(pidfd: number)
    Thread.detachNewThread { [process, known] in
      Self.attend(process, pidfd: number, output, errors, known)
    }
  }

  deinit { send(SIGKILL) }

  /// A supervisor that has booted.
  /// - Parameters:
  ///   - scratch: where its state is.
  ///   - arguments: further ones of `run`.
  public static func booted(
    in scratch: Scratch, policy: String = Product.strictPolicy, _ arguments: [String] = [],
    fileID: String = #fileID, line: Int = #line
  ) async throws -> SupervisorProcess {
    let supervisor = try SupervisorProcess(
      ["run", "--policy", policy, "--state", scratch("state")] + arguments)
    _ = await supervisor.output(containing: "Running until", fileID: fileID, line: line)
    return supervisor
  }

  /// What standard output has brought up to now.
  public var outputSoFar: String { known.value.output.text }

  /// Waits until standard output holds this text; what there is then, also when the output has ended.
  public func output(containing text: String, fileID: String = #fileID, line: Int = #line) async -> String {
    await wait(\.output, text, WaitingPlace(fileID, line))
  }

  /// Waits until standard error holds this text; what there is then, also when it has ended.
  public func errors(containing text: String, fileID: String = #fileID, line: Int = #line) async -> String {
    await wait(\.errors, text, WaitingPlace(fileID, line))
  }

  /// Sends it a signal; one that has ended needs none.
  public func send(_ signal: Int32) { process.send(signal) }

  /// What it came to.
  public struct End: Sendable {
    /// The exit status, or the signal.
    public var status: Int32
    /// Whether a signal ended it.
    public var isSignal: Bool
    /// All of standard output.
    public var output: String
    /// All of standard error.
    public var errors: String
  }

  /// Waits for its end. Where the test's time is over first, it is killed.
  public func end(fileID: String = #fileID, line: Int = #line) async -> End {
    let hasEnded = await known.wait { $0.isOver }
    let now = known.value
    if !hasEnded {
      send(SIGKILL)
      WaitingPlace(fileID, line).waitedInVain(for: "the end of \(name)", seen: Self.last(now))
    }
    let end = now.end ?? (code: Int32(CLD_KILLED), status: SIGKILL)
    return End(
      status: end.status, isSignal: end.code != Int32(CLD_EXITED), output: now.output.text,
      errors: now.errors.text)
  }

  /// Runs it to its end.
  public static func run(
    _ arguments: [String], executable: String = Product.supervisor, environment: [String: String] = [:],
    input: String = "", fileID: String = #fileID, line: Int = #line
  ) async throws -> End {
    try await SupervisorProcess(arguments, executable: executable, environment: environment, input: input)
      .end(fileID: fileID, line: line)
  }

  private func wait(
    _ stream: any KeyPath<Known, Stream> & Sendable, _ text: String, _ place: WaitingPlace
  ) async -> String {
    let isMet = await known.wait {
      $0[keyPath: stream].hasEnded || $0[keyPath: stream].text.contains(text)
    }
    let now = known.value
    if !isMet { place.waitedInVain(for: "\(text.debugDescription) of \(name)", seen: Self.last(now)) }
    return now[keyPath: stream].text
  }

  private static func last(_ known: Known) -> String {
    let end = known.end.map { "ended (\($0.code), \($0.status))" } ?? "runs"
    return "it \(end); output: \(known.output.last)\nerrors: \(known.errors.last)"
  }

  /// Reads both outputs to their ends and reaps the program, on a thread of its own: those of Dispatch are counted, and
  /// who waits for one may be who lets go of another.
  private static func attend(
    _ process: ProcessHandle, pidfd: Int32, _ output: Handle?, _ errors: Handle?, _ known: Watched<Known>
  ) {
    var files: [(handle: Handle, stream: WritableKeyPath<Known, Stream>)] = []
    for (handle, stream) in [(output, \Known.output), (errors, \Known.errors)] {
      if let handle {
        files.append((handle, stream))
      } else {
        known.change { $0[keyPath: stream].hasEnded = true }
      }
    }
    var isReaped = false
    while !isReaped || !files.isEmpty {
      var polled = (files.map(\.handle.number) + (isReaped ? [] : [pidfd])).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      let isEnding = !isReaped && polled.last?.revents != 0
      for (place, file) in files.enumerated().reversed() where polled[place].revents != 0 {
        let bytes = file.handle.read()
        if bytes.isEmpty { files.remove(at: place).handle.close() }
        known.change { known in
          known[keyPath: file.stream].bytes += bytes
          if bytes.isEmpty { known[keyPath: file.stream].hasEnded = true }
        }
      }
      if isEnding, let end = process.reap() {
        isReaped = true
        known.change { $0.end = end }
      }
    }
  }
}

/// A child by its pidfd, which is closed when it is reaped: nothing is open any more when a test hears of the end.
private final class ProcessHandle: Sendable {
  private let pidfd: Mutex<Int32?>

  init(pidfd: Int32) { self.pidfd = Mutex(pidfd) }

  func send(_ signal: Int32) {
    pidfd.withLock { if let number = $0 { _ = cl_pidfd_send_signal(number, signal) } }
  }

  /// How it ended, as waitid(2) says it; `nil` where it still runs. One whose status somebody else took was killed, for all
  /// that is known.
  func reap() -> (code: Int32, status: Int32)? {
    pidfd.withLock { pidfd in
      guard let number = pidfd else { return nil }
      var (code, status) = (Int32(CLD_KILLED), SIGKILL)
      guard cl_reap(number, &code, &status, nil) != 0 else { return nil }
      close(number)
      pidfd = nil
      return (code, status)
    }
  }
}

/// A descriptor that is closed when nobody holds it any more, or before.
private final class Handle: Sendable {
  let number: Int32
  private let isOpen = Mutex(true)

  init(_ number: Int32) { self.number = number }

  deinit { close() }

  func close() {
    isOpen.withLock { isOpen in
      if isOpen { Glibc.close(number) }
      isOpen = false
    }
  }

  /// What is there; nothing at the end.
  func read() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
      repeat {
        count = Glibc.read(number, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      count = max(0, count)
    }
  }
}

/// What a program has as 0, 1 and 2, and the ends of it that the test holds.
private struct Pipes {
  let input: Handle
  let output: (reader: Handle, writer: Handle)
  let errors: (reader: Handle, writer: Handle)

  /// - Parameter input: is in its pipe before it runs.
  init(input text: String) throws {
    let pipe = try Self.open()
    guard text.isEmpty || write(pipe.writer.number, text, text.utf8.count) == text.utf8.count else {
      throw POSIXError(.EIO)
    }
    input = pipe.reader
    output = try Self.open()
    errors = try Self.open()
  }

  /// What the program is to have.
  var theirs: (input: Int32, output: Int32, errors: Int32) {
    (input.number, output.writer.number, errors.writer.number)
  }

  private static func open() throws -> (reader: Handle, writer: Handle) {
    let ends = try SpawnedProgram.pipe()
    return (Handle(ends.reader), Handle(ends.writer))
  }
}
