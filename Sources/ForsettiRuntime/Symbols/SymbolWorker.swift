import CLinux
import ForsettiCore
import ForsettiIPC
import Glibc

/// One run of the program that names functions: a locked process for one question, ended whatever it does. All of it
/// blocks, up to its deadline.
struct SymbolWorker: ~Copyable {
  private let pid: pid_t
  private let pidfd: Descriptor
  private let answers: Descriptor
  private var isReaped = false

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
    let input = try Pipe.open(nonBlocking: false)
    let output = try Pipe.open(nonBlocking: false)
    let log = try Descriptor.open("/dev/null", O_WRONLY).raised()
    // The whole request is in the pipe before the worker runs: the smallest pipe takes it.
    guard bytes.withUnsafeBytes({ write(input.writer.number, $0.baseAddress, $0.count) }) == bytes.count
    else {
      throw SystemError("write", errno)
    }
    var child: pid_t = 0
    let result = cl_spawn_host(
      path, input.reader.number, output.writer.number, log.number, executable, &child)
    guard result == 0 else { throw SystemError("posix_spawn", -result) }
    let number = cl_pidfd_open(child)
    guard number >= 0 else {
      cl_abandon(child)
      throw SystemError("pidfd_open", -number)
    }
    pid = child
    pidfd = Descriptor(owning: number)
    answers = output.keepingReader()
  }

  /// Until it is reaped its number is its own.
  deinit { if !isReaped { cl_abandon(pid) } }

  /// All that it writes; `nil` where it neither ended nor closed its pipe in time.
  private borrowing func read(until deadline: UInt64) -> [UInt8]? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while Self.wait(for: answers.number, until: deadline) {
      let count = Glibc.read(answers.number, &piece, piece.count)
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
    guard Self.wait(for: pidfd.number, until: deadline) else { return nil }
    var (code, status) = (Int32(0), Int32(0))
    guard cl_reap(pidfd.number, &code, &status, nil) == 1 else { return nil }
    isReaped = true
    return .ended(ProcessStatus(code: code, status: status))
  }

  /// Waits until a descriptor is readable or hung up; false where the time is over first.
  private static func wait(for descriptor: Int32, until deadline: UInt64) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let now = monotonicNanoseconds()
      guard now < deadline else { return false }
      let count = cl_ppoll(&polled, 1, Int64(clamping: deadline - now))
      if count == -EINTR { continue }
      return count > 0
    }
  }
}
