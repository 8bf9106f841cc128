import CLinux
public import ForsettiBlocking
import ForsettiCore
import ForsettiIPC
import ForsettiSandbox
import Glibc

/// The web console's process, kept going: started on a socket that listens already, watched by its pidfd, and started
/// again some time after it ended. It is locked like a module and can make no socket; its connections to the control socket
/// are handed to it, each one when it asks. Whatever becomes of it touches nobody else, and the socket stays, so that
/// whoever asks meanwhile waits.
@ReactorActor public final class ConsoleKeeper {
  /// Makes a connection to the control socket for the process of this ID; it needs no hello, and its scope is the console's.
  public typealias Connect = @ReactorActor (Int32) throws(SystemError) -> Descriptor
  /// Packets of the console that one turn handles.
  private static let packetsPerTurn = 16

  private let program: String
  private let listener: Descriptor
  private let connect: Connect
  private let token: String
  private let logger: any ForsettiLogger
  private let clock: any RuntimeClock
  private var filter: FilterProgram?
  private var process: HelperProcess?
  private var watch: EventSource?
  private var packets: EventSource?
  /// What it said before it ended.
  private var word: String?
  private var timer: ScheduledTimer?
  private var backoff = ConsoleBackoff()
  private var startedAt: UInt64 = 0

  /// Makes a keeper; nothing is started yet.
  /// - Parameters:
  ///   - program: `forsetti-console`.
  ///   - listener: what it serves on; this keeper has a copy.
  ///   - token: who shows it may come in.
  ///   - connect: makes its connections.
  public init(
    program: String, listener: borrowing HostListener, token: String, logger: any ForsettiLogger,
    connect: @escaping Connect
  ) throws(SystemError) {
    let copy = fcntl(listener.number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemError("fcntl(F_DUPFD_CLOEXEC)", errno) }
    self.listener = try Descriptor(owning: copy).raised()
    self.program = program
    self.connect = connect
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
    word = nil
    do throws(SystemError) {
      let process = try HelperProcess(packetsTo: program, executable: listener.number)
      let request = try request()
      let sent = cl_packet_send(process.answers.number, request, request.count, [], 0)
      guard sent == 0 else { throw SystemError("sendmsg", -sent) }
      watch = try Reactor.shared.watch(process.pidfd.number, for: .readable) { [weak self] _ in self?.didEnd()
      }
      packets = try Reactor.shared.watch(process.answers.number, for: .readable) { [weak self] _ in
        self?.hear()
      }
      self.process = consume process
    } catch { again("cannot be started: \(error)") }
  }

  /// Ends it for good.
  public func stop() {
    timer?.cancel()
    watch?.cancel()
    packets?.cancel()
    process = nil
  }

  private func request() throws(SystemError) -> [UInt8] {
    do {
      let filter = try filter ?? FilterCompiler.compile(.console)
      self.filter = filter
      // It stays a process of this user, which holds rights over the control socket; its capabilities go.
      var lockdown = SandboxPlan.console.lockdownRequest(filter: filter, supervisorPID: getpid(), userID: nil)
      lockdown.lastDescriptor = SandboxPlan.executableDescriptor
      return try ConsoleRequest(lockdown: lockdown, token: token).encoded()
    } catch { throw SystemError("make its request (\(error))", EINVAL) }
  }

  private func didEnd() {
    // What it said last is there still.
    hear()
    watch?.cancel()
    packets?.cancel()
    (watch, packets) = (nil, nil)
    guard var process = process.take(), let status = process.reap() else { return }
    again("ended (\(word ?? "\(status)"))")
  }

  /// Hands it the connections that it asks for.
  private func hear() {
    for _ in 0..<Self.packetsPerTurn {
      guard let (socket, processID) = ends else { return }
      var bytes = [UInt8](repeating: 0, count: ConsolePacket.wordBytes)
      var strays: [Int32] = [-1, -1]
      let count = cl_packet_receive(socket, &bytes, bytes.count, &strays)
      for stray in strays where stray >= 0 { close(stray) }
      if count == -Int(EAGAIN) || count == -Int(EINTR) { return }
      guard count > 0 else {
        // It is gone, which its pidfd tells; its end of the socket would ask for ever.
        packets?.cancel()
        packets = nil
        return
      }
      guard count == 1, bytes[0] == ConsolePacket.wanted else {
        word = String(decoding: bytes.prefix(count), as: UTF8.self).plain()
        continue
      }
      hand(to: socket, of: processID)
    }
  }

  /// Our end of its socket, and its number.
  private var ends: (socket: Int32, processID: Int32)? {
    switch process {
    case .some(let process): (process.answers.number, process.pid)
    case .none: nil
    }
  }

  /// One connection, or why there is none. A console that does not read what it asked for gets no more.
  private func hand(to socket: Int32, of processID: Int32) {
    do throws(SystemError) {
      let connection = try connect(processID)
      _ = cl_packet_send(socket, [ConsolePacket.granted], 1, [connection.number], 1)
    } catch {
      _ = cl_packet_send(socket, [UInt8(clamping: max(1, error.errno))], 1, [], 0)
    }
  }

  private func again(_ what: String) {
    let delay = backoff.delay(afterLasting: .nanoseconds(Int64(clamping: clock.now &- startedAt)))
    logger.warning(
      "the web console \(what); it is started again in \(delay.components.seconds) s", moduleID: nil)
    timer = clock.schedule(after: delay) { [weak self] in self?.start() }
  }
}
