import Dispatch
import Foundation
import Glibc

/// A running program, by default `forsetti-supervisor`. Both outputs are drained from the start, so that it never waits for a test.
public final class SupervisorProcess: Sendable {
  private let process: Process
  private let output: Drain
  private let errors: Drain

  /// Starts it.
  /// - Parameter input: what it reads, to its end; at most what a pipe takes at once.
  public init(
    _ arguments: [String], executable: String = Product.supervisor, environment: [String: String] = [:],
    input: String = ""
  ) throws {
    process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { $1 }
    let (outputPipe, errorPipe) = (Pipe(), Pipe())
    process.standardOutput = outputPipe
    process.standardError = errorPipe
    let inputPipe = Pipe()
    process.standardInput = inputPipe
    try inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try inputPipe.fileHandleForWriting.close()
    try process.run()
    output = Drain(outputPipe.fileHandleForReading)
    errors = Drain(errorPipe.fileHandleForReading)
  }

  /// A supervisor that has booted.
  /// - Parameters:
  ///   - scratch: where its state is.
  ///   - arguments: further ones of `run`.
  public static func booted(
    in scratch: Scratch, policy: String = Product.strictPolicy, _ arguments: [String] = []
  ) async throws -> SupervisorProcess {
    let supervisor = try SupervisorProcess(
      ["run", "--policy", policy, "--state", scratch("state")] + arguments)
    _ = await supervisor.output(containing: "Running until")
    return supervisor
  }

  /// Its process ID.
  public var processID: Int32 { process.processIdentifier }

  /// Waits until standard output holds this text; what there is then, also when the output has ended.
  public func output(containing text: String) async -> String { await output.wait { $0.contains(text) } }

  /// Waits until standard error holds this text; what there is then, also when it has ended.
  public func errors(containing text: String) async -> String { await errors.wait { $0.contains(text) } }

  /// Sends it a signal.
  public func send(_ signal: Int32) { kill(processID, signal) }

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

  /// Waits for its end.
  public func end() async -> End {
    let (outputText, errorText) = (await output.wait { _ in false }, await errors.wait { _ in false })
    // Both outputs have ended, so this returns at once.
    process.waitUntilExit()
    return End(
      status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
      output: outputText, errors: errorText)
  }

  /// Runs it to its end.
  public static func run(
    _ arguments: [String], executable: String = Product.supervisor, environment: [String: String] = [:],
    input: String = ""
  ) async throws -> End {
    try await SupervisorProcess(arguments, executable: executable, environment: environment, input: input)
      .end()
  }
}

/// Reads a pipe to its end on a thread of its own, and wakes those who wait for what it brings.
///
/// `@unchecked Sendable`: everything but the handle is guarded by the lock; the handle is used on the queue alone.
private final class Drain: @unchecked Sendable {
  private typealias Waiter = (isEnough: (String) -> Bool, continuation: CheckedContinuation<String, Never>)
  private let handle: FileHandle
  private let lock = NSLock()
  private var bytes: [UInt8] = []
  private var hasEnded = false
  private var waiters: [Waiter] = []

  init(_ handle: FileHandle) {
    self.handle = handle
    DispatchQueue(label: "drain").async { [self] in
      while case let data = self.handle.availableData, !data.isEmpty { take(Array(data)) }
      take(nil)
    }
  }

  private func take(_ data: [UInt8]?) {
    lock.lock()
    if let data { bytes += data } else { hasEnded = true }
    let text = String(decoding: bytes, as: UTF8.self)
    let ready = waiters.filter { hasEnded || $0.isEnough(text) }
    waiters.removeAll { hasEnded || $0.isEnough(text) }
    lock.unlock()
    for waiter in ready { waiter.continuation.resume(returning: text) }
  }

  func wait(_ isEnough: @escaping (String) -> Bool) async -> String {
    await withCheckedContinuation { continuation in
      lock.lock()
      let text = String(decoding: bytes, as: UTF8.self)
      guard !hasEnded, !isEnough(text) else {
        lock.unlock()
        continuation.resume(returning: text)
        return
      }
      waiters.append((isEnough, continuation))
      lock.unlock()
    }
  }
}
