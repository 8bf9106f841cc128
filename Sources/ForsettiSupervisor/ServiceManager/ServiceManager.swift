import CLinux
import ForsettiRuntime
import Glibc

/// The service manager that started us, if it wants to hear of us. Everything is said from the reactor, so that a reactor
/// that hangs falls silent and is ended by the watchdog.
///
/// The protocol of sd_notify(3) is one datagram; docs/decisions/0009 says why libsystemd isn't linked for it.
@ReactorActor final class ServiceManager {
  /// A notice that its socket had no room for is said again so much later.
  private static let retry = Duration.milliseconds(100)

  private let settings: ServiceManagerSettings
  private let socket: Descriptor
  private let clock: any RuntimeClock
  /// What could not be said yet, oldest first. Signs of life are not among it, nor a status that another one followed: the
  /// new one says as much.
  private var unsaid: [ServiceNotice] = []
  private var retryTimer: ScheduledTimer?
  private var beatTimer: ScheduledTimer?

  init(_ settings: ServiceManagerSettings, clock: any RuntimeClock = ReactorClock.shared) throws(SystemError)
  {
    let number = cl_unix_datagram_socket()
    guard number >= 0 else { throw SystemError("socket", -number) }
    self.settings = settings
    self.clock = clock
    socket = Descriptor(owning: number)
    beat()
  }

  /// The boot is done, or a reload.
  func ready(_ status: String) {
    tell(.status(status))
    tell(.ready)
  }

  /// Says in `systemctl status` how things are.
  func tell(status: String) { tell(.status(status)) }

  /// A reload begins; `ready` ends it, however it went.
  func reloading() { tell(.reloading(monotonicMicroseconds: clock.now / 1000)) }

  /// The shutdown begins.
  func stopping() { tell(.stopping) }

  /// Says no more; what was not said stays so.
  func close() {
    retryTimer?.cancel()
    beatTimer?.cancel()
    unsaid = []
  }

  private func beat() {
    guard let beat = settings.beat else { return }
    _ = send(.alive)
    beatTimer = clock.schedule(after: beat) { [weak self] in self?.beat() }
  }

  private func tell(_ notice: ServiceNotice) {
    if case .status = notice, case .status? = unsaid.last { unsaid.removeLast() }
    unsaid.append(notice)
    if retryTimer == nil { sayAll() }
  }

  private func sayAll() {
    retryTimer = nil
    while let notice = unsaid.first {
      guard send(notice) else {
        retryTimer = clock.schedule(after: Self.retry) { [weak self] in self?.sayAll() }
        return
      }
      unsaid.removeFirst()
    }
  }

  /// False when the socket is full for now. Whoever is not there any more needs no notice.
  private func send(_ notice: ServiceNotice) -> Bool {
    let bytes = Array(notice.text.utf8)
    return cl_unix_send_to(socket.number, settings.socket, bytes, bytes.count) != -EAGAIN
  }
}
