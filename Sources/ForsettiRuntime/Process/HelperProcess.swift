import CLinux
import ForsettiCore
import Glibc

/// A program that helps the supervisor, from its start to its reaping: the supervisor's ends of its two pipes, and the
/// pidfd by which it is watched. Whoever lets go of it has ended it.
struct HelperProcess: ~Copyable, Sendable {
  let pid: pid_t
  /// Readable when it has ended.
  let pidfd: Descriptor
  /// What it writes on 4.
  let answers: Descriptor
  /// What it reads on 3; `nil` when it has been told all.
  private var requests: Descriptor?
  private var isReaped = false

  /// Starts it on the calling thread: it ends with that thread, where it asked for that (PR_SET_PDEATHSIG). Its pipes
  /// block, and what it prints is nobody's to read.
  /// - Parameters:
  ///   - executable: an open file that it has as 5.
  ///   - first: is in its pipe before it runs, and no more than the smallest pipe takes (4 KiB).
  init(path: String, executable: Int32? = nil, told first: [UInt8] = []) throws(SystemError) {
    let input = try Pipe.open(nonBlocking: false)
    let output = try Pipe.open(nonBlocking: false)
    try Self.write(first, to: input.writer.number)
    let child = try Self.start(path, input.reader.number, output.writer.number, executable ?? -1)
    pid = child.pid
    pidfd = Descriptor(owning: child.pidfd)
    requests = input.keepingWriter()
    answers = output.keepingReader()
  }

  /// Starts it likewise, with one end of a socket that keeps packets apart as 3 and 4; `answers` is the other end.
  /// - Parameter executable: an open file that it has as 5; -1 for none.
  init(packetsTo path: String, executable: Int32 = -1) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let result = cl_packet_pair(&ends)
    guard result >= 0 else { throw SystemError("socketpair", -result) }
    let ours = Descriptor(owning: ends[0])
    let theirs = try Descriptor(owning: ends[1]).raised()
    let child = try Self.start(path, theirs.number, theirs.number, executable)
    pid = child.pid
    pidfd = Descriptor(owning: child.pidfd)
    answers = ours
    requests = nil
  }

  private static func start(
    _ path: String, _ input: Int32, _ output: Int32, _ executable: Int32
  ) throws(SystemError) -> (pid: pid_t, pidfd: Int32) {
    let log = try Descriptor.open("/dev/null", O_WRONLY).raised()
    return try ChildSpawner.spawnHere(path, input, output, log.number, executable)
  }

  /// Until it is reaped its number is its own.
  deinit { if !isReaped { cl_abandon(pid) } }

  /// Writes all of it, and waits while its pipe is full.
  borrowing func send(_ bytes: [UInt8]) throws(SystemError) {
    switch requests {
    case .some(let pipe): try Self.write(bytes, to: pipe.number)
    case .none: throw SystemError("write", EPIPE)
    }
  }

  private static func write(_ bytes: [UInt8], to pipe: Int32) throws(SystemError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemError("write", count < 0 ? errno : EIO) }
      sent += count
    }
  }

  /// Closes the pipe it reads: it has been told all.
  mutating func endRequests() { requests = nil }

  /// How it ended; `nil` while it runs.
  mutating func reap() -> ProcessStatus? {
    var (code, status) = (Int32(0), Int32(0))
    guard cl_reap(pidfd.number, &code, &status, nil) == 1 else { return nil }
    isReaped = true
    return ProcessStatus(code: code, status: status)
  }

  /// Waits until a descriptor is readable or hung up; false where the time, in nanoseconds of the monotonic clock, is
  /// over first.
  static func wait(for descriptor: Int32, until deadline: UInt64) -> Bool {
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
