import CLinux
import ForsettiCore
import ForsettiIPC
import ForsettiLockdown
import Glibc

/// Starts, watches and ends workers, one at a time, for a supervisor that may not: what it starts would be in its own
/// Landlock domain, which reaches no host. It reads orders and nothing else, and ends with its supervisor.
struct Keeper {
  /// Why there is no keeper.
  struct Refusal: Error {
    let report: NetworkKeeperReport
  }

  private let orders: KeeperSocket
  private let setUp: NetworkKeeperSetUp
  private let authorities: [UInt8]?
  /// The worker that runs.
  private var worker: (pid: pid_t, pidfd: Int32)?

  /// Loads what workers need of the system, then gives up what they don't.
  static func make(
    _ setUp: NetworkKeeperSetUp, _ orders: KeeperSocket
  ) -> Result<Keeper, Refusal> {
    Result { () throws(Refusal) in
      let authorities = try Self.authorities(setUp.authorities)
      guard TransferLoop.initialise() else { throw Refusal(report: .failed("libcurl cannot start")) }
      do throws(LockdownFailure) {
        try Lockdown.dropIdentity(to: setUp.lockdown.userID)
      } catch { throw Refusal(report: .refused(error.step, errno: error.errno)) }
      let reduction = Reduction(
        landlock: .network, mayLackLandlock: setUp.lockdown.mayBeMissing.contains(.landlock),
        capabilities: [])
      do throws(ReductionFailure) { _ = try reduction.apply() } catch {
        throw Refusal(report: .failed("\(error.layer.rawValue): \(ErrnoName.text(error.errno))"))
      }
      // What it passes on is the modules' own: nobody of its user looks into it or its workers.
      let hidden = cl_prctl(PR_SET_DUMPABLE, 0)
      guard hidden == 0 else { throw Refusal(report: .refused(.dumpable, errno: -hidden)) }
      return Keeper(orders: orders, setUp: setUp, authorities: authorities)
    }
  }

  /// A file of certificates, read while it may be.
  private static func authorities(_ path: String?) throws(Refusal) -> [UInt8]? {
    guard let path else { return nil }
    guard let file = fopen(path, "re") else {
      throw Refusal(report: .failed("\(path): \(ErrnoName.text(errno))"))
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 8 << 20)
    return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
  }

  /// Runs until the supervisor is gone.
  mutating func run() {
    while true {
      var polled = [
        pollfd(fd: orders.number, events: Int16(POLLIN), revents: 0),
        // poll(2) passes over a negative number.
        pollfd(fd: worker?.pidfd ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      if cl_ppoll(&polled, 2, -1) == -EINTR { continue }
      if polled[1].revents != 0 { reap() }
      guard polled[0].revents != 0 else { continue }
      switch orders.receive() {
      case .order(.start, let ends?) where worker == nil: start(ends)
      case .order(.end, nil): if let worker { _ = cl_pidfd_send_signal(worker.pidfd, SIGKILL) }
      case .nothing: continue
      case .order, .end: return
      }
    }
  }

  private mutating func start(_ ends: (input: Int32, output: Int32)) {
    let keeper = getpid()
    let pid = cl_fork()
    if pid == 0 {
      var lockdown = setUp.lockdown
      (lockdown.supervisorPID, lockdown.userID) = (keeper, nil)
      Worker.run(lockdown, authorities: authorities, ends)
    }
    close(ends.input)
    close(ends.output)
    let pidfd = pid < 0 ? pid : cl_pidfd_open(pid)
    if pid > 0, pidfd >= 0 {
      worker = (pid, pidfd)
    } else {
      if pid > 0 { cl_abandon(pid) }
      orders.report(.ended(.exited(code: 71)))
    }
  }

  private mutating func reap() {
    guard let (_, pidfd) = worker else { return }
    var (code, status) = (Int32(0), Int32(0))
    guard cl_reap(pidfd, &code, &status, nil) != 0 else { return }
    close(pidfd)
    worker = nil
    orders.report(.ended(code == Int32(CLD_EXITED) ? .exited(code: status) : .signalled(status)))
  }
}
