import CLinux
public import ForsettiBlocking
import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import Glibc

/// The web console's process, kept going: started on a socket that listens already, watched by its pidfd, and started
/// again some time after it ended. It is a client of the control socket and locked like a module; whatever becomes of it
/// touches nobody else, and the socket stays, so that whoever asks meanwhile waits.
@ReactorActor public final class ConsoleKeeper {
  private let program: String
  private let listener: Descriptor
  private let runtimeFolder: String
  private let token: String
  private let logger: any ForsettiLogger
  private let clock: any RuntimeClock
  private var filter: FilterProgram?
  private var process: HelperProcess?
  private var watch: EventSource?
  private var timer: ScheduledTimer?
  private var backoff = ConsoleBackoff()
  private var startedAt: UInt64 = 0

  /// Makes a keeper; nothing is started yet.
  /// - Parameters:
  ///   - program: `forsetti-console`.
  ///   - listener: what it serves on; this keeper has a copy.
  ///   - runtimeFolder: where the control socket is.
  ///   - token: who shows it may come in.
  public init(
    program: String, listener: borrowing HostListener, runtimeFolder: String, token: String,
    logger: any ForsettiLogger
  ) throws(SystemError) {
    let copy = fcntl(listener.number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemError("fcntl(F_DUPFD_CLOEXEC)", errno) }
    self.listener = try Descriptor(owning: copy).raised()
    self.program = program
    self.runtimeFolder = runtimeFolder
    self.token = token
    self.logger = logger
    clock = ReactorClock.shared
  }

  /// The console's process, while there is one.
  public var processID: Int32? {
    switch process {
    case .some(let process): process.pid
    case .none: nil
    }
  }

  /// Starts it.
  public func start() {
    startedAt = clock.now
    do throws(SystemError) {
      var process = try HelperProcess(path: program, executable: listener.number, told: try request())
      process.endRequests()
      watch = try Reactor.shared.watch(process.pidfd.number, for: .readable) { [weak self] _ in self?.didEnd()
      }
      self.process = consume process
    } catch { again("cannot be started: \(error)") }
  }

  /// Ends it for good.
  public func stop() {
    timer?.cancel()
    watch?.cancel()
    process = nil
  }

  private func request() throws(SystemError) -> [UInt8] {
    do {
      let filter = try filter ?? FilterCompiler.compile(.console)
      self.filter = filter
      // It stays a process of this user, which holds rights over the control socket; its capabilities go.
      var lockdown = SandboxPlan.console.lockdownRequest(filter: filter, supervisorPID: getpid(), userID: nil)
      lockdown.lastDescriptor = SandboxPlan.executableDescriptor
      return try ConsoleRequest(lockdown: lockdown, runtimeFolder: runtimeFolder, token: token).encoded()
    } catch { throw SystemError("make its request (\(error))", EINVAL) }
  }

  private func didEnd() {
    watch?.cancel()
    watch = nil
    guard var process = process.take(), let status = process.reap() else { return }
    again("ended (\(Self.word(of: process.answers.number) ?? "\(status)"))")
  }

  private func again(_ what: String) {
    let delay = backoff.delay(afterLasting: .nanoseconds(Int64(clamping: clock.now &- startedAt)))
    logger.warning(
      "the web console \(what); it is started again in \(delay.components.seconds) s", moduleID: nil)
    timer = clock.schedule(after: delay) { [weak self] in self?.start() }
  }

  /// What it said before it ended; its end of the pipe is closed, so nothing is waited for.
  private static func word(of pipe: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(pipe, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self).plain() : nil
  }
}
