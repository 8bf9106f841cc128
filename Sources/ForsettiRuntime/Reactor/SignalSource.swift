import CLinux
import Glibc

/// Signals as events on the reactor, by signalfd(2).
@ReactorActor public final class SignalSource {
  private let descriptor: Descriptor
  private var source: EventSource?

  /// Blocks signals in the calling thread and all it starts later. Call it first in `main`: a thread that
  /// exists already would still take them. Children get an empty mask by their spawn attributes.
  public nonisolated static func block(_ signals: [Int32]) {
    var set = signalSet(signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Reports each of `signals` on the reactor thread until cancelled; they must be blocked already.
  /// - Throws: the errno of signalfd(2) or epoll_ctl(2).
  public init(_ signals: [Int32], _ handler: @escaping @ReactorActor (Int32) -> Void) throws(SystemError) {
    var set = signalSet(signals)
    let number = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard number >= 0 else { throw SystemError("signalfd", errno) }
    descriptor = Descriptor(owning: number)
    source = try Reactor.shared.watch(number, for: .readable) { _ in
      var info = signalfd_siginfo()
      while read(number, &info, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size {
        handler(Int32(bitPattern: info.ssi_signo))
      }
    }
  }

  /// Ends the reports; the signals stay blocked.
  public func cancel() {
    source?.cancel()
    source = nil
  }
}

private func signalSet(_ signals: [Int32]) -> sigset_t {
  var set = sigset_t()
  sigemptyset(&set)
  for signal in signals { sigaddset(&set, signal) }
  return set
}
