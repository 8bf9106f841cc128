import ForsettiCore
import ForsettiIPC
import Glibc

/// One run of the program that names functions: a locked process for one question, ended whatever it does. All of it
/// blocks, up to its deadline.
struct SymbolWorker: ~Copyable {
  private var process: HelperProcess

  /// Asks a worker of its own.
  /// - Parameters:
  ///   - path: the worker's program.
  ///   - executable: an open descriptor of the file whose functions are asked for.
  ///   - milliseconds: until it must have answered.
  static func ask(
    _ request: SymbolRequest, path: String, executable: Int32, milliseconds: Int
  ) throws(SymbolFailure) -> [SymbolAnswer.Function?] {
    let deadline = monotonicNanoseconds() &+ UInt64(clamping: milliseconds) &* 1_000_000
    var worker: SymbolWorker
    do throws(SystemError) {
      worker = try SymbolWorker(path: path, request: request, executable: executable)
    } catch { throw .worker(path: path, error) }
    guard let bytes = worker.read(until: deadline) else { throw .timedOut(milliseconds: milliseconds) }
    guard !bytes.isEmpty else {
      throw worker.failure(until: deadline) ?? .timedOut(milliseconds: milliseconds)
    }
    switch try? SymbolAnswer.decode(bytes.span) {
    case .refused(let step, let errno): throw .notLocked(step: step, errno: errno)
    case .functions(let functions) where functions.count == request.places.count: return functions
    case .functions, nil: throw .garbled
    }
  }

  private init(path: String, request: SymbolRequest, executable: Int32) throws(SystemError) {
    let bytes: [UInt8]
    do { bytes = try request.encoded() } catch { throw SystemError("encode the request (\(error))", EINVAL) }
    process = try HelperProcess(path: path, executable: executable, told: bytes)
    process.endRequests()
  }

  /// All that it writes; `nil` where it neither ended nor closed its pipe in time.
  private borrowing func read(until deadline: UInt64) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while HelperProcess.wait(for: process.answers.number, until: deadline) {
      let count = Glibc.read(process.answers.number, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
      // More than any answer has: what is there already is none.
      if bytes.count > SymbolAnswer.maximumBytes { return bytes }
    }
    return nil
  }

  /// How it ended without a word; `nil` where it goes on.
  private mutating func failure(until deadline: UInt64) -> SymbolFailure? {
    guard HelperProcess.wait(for: process.pidfd.number, until: deadline) else { return nil }
    return process.reap().map { .ended($0) }
  }
}
