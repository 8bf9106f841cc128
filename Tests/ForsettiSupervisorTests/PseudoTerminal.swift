import Foundation
import Glibc
import Synchronization
import Testing

/// A terminal whose other end the test holds.
final class PseudoTerminal: Sendable {
  private let master: Int32
  private let slave: Int32
  private let seen = Mutex("")

  init(columns: UInt16, rows: UInt16) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which the Glibc module lacks: unlock the other end, and say its number.
    var (lock, number): (Int32, Int32) = (0, 0)
    guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw POSIXError(.EIO)
    }
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
    setSize(columns, rows)
  }

  deinit {
    close(master)
    close(slave)
  }

  /// How the terminal is set.
  var settings: termios {
    var settings = termios()
    tcgetattr(slave, &settings)
    return settings
  }

  /// Bytes that were typed and that nobody has read: the next program on it would.
  var unread: Int32 {
    var count: Int32 = 0
    _ = ioctl(slave, UInt(FIONREAD), &count)
    return count
  }

  /// Starts a program on it, as a shell does.
  func run(_ executable: String, _ arguments: [String]) throws -> SupervisorProcess {
    let process = try SupervisorProcess(
      arguments, executable: executable, environment: ["TERM": "xterm"], terminal: slave)
    processID.withLock { $0 = process.processID }
    return process
  }

  private let processID = Mutex<Int32>(0)

  /// Changes its size, and tells the program, which is not in the foreground of a session of its own.
  func resize(columns: UInt16, rows: UInt16) {
    seen.withLock { $0 = "" }
    setSize(columns, rows)
    kill(processID.withLock { $0 }, SIGWINCH)
  }

  private func setSize(_ columns: UInt16, _ rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func write(_ text: String) { _ = Glibc.write(master, text, text.utf8.count) }

  /// All that came so far.
  var text: String { seen.withLock { $0 } }

  /// Reads until what came fulfils the test.
  func output(_ isEnough: (String) -> Bool) async {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnough(seen.withLock { $0 }) {
      var polled = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 20_000) > 0 else {
        Issue.record("nothing more comes: \(seen.withLock { $0 }.suffix(400))")
        return
      }
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return }
      let text = String(decoding: buffer[..<count], as: UTF8.self)
      seen.withLock { $0 += text }
    }
  }
}
