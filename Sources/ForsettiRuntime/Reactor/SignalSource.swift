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

  /// Lets signals end the process again that whoever started it had blocked, as a thread of Dispatch has.
  public nonisolated static func unblock(_ signals: [Int32]) {
    var set = signalSet(signals)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  /// SIGPIPE would end the supervisor with the first module that dies unread. SIGCHLD ignored, which
  /// exec(2) inherits, would let the kernel reap children before their exit is read.
  nonisolated static func settle() {
    signal(SIGPIPE, SIG_IGN)
    var current = sigaction()
    sigaction(SIGCHLD, nil, &current)
    if unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self) == 1 { signal(SIGCHLD, SIG_DFL) }
  }

  /// Reports each of `signals` on the reactor thread until cancelled; they must be blocked already.
  /// - Throws: the errno of signalfd(2) or epoll_ctl(2).
  public init(_ signals: [Int32], _ handler: @escaping @ReactorActor (Int32) -> Void) throws(SystemError) {
    descriptor = try Self.descriptor(signals)
    let number = descriptor.number
    source = try Reactor.shared.watch(number, for: .readable) { _ in
      while let signal = Self.next(of: number) { handler(signal) }
    }
  }

  /// A descriptor that is readable when one of `signals` has come, for whoever waits without the reactor; they must be
  /// blocked already.
  /// - Throws: the errno of signalfd(2).
  public nonisolated static func descriptor(_ signals: [Int32]) throws(SystemError) -> Descriptor {
    var set = signalSet(signals)
    let number = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard number >= 0 else { throw SystemError("signalfd", errno) }
    return Descriptor(owning: number)
  }

  /// The next signal that has come; `nil` where none has.
  public nonisolated static func next(of descriptor: Int32) -> Int32? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard read(descriptor, &info, size) == size else { return nil }
    return Int32(bitPattern: info.ssi_signo)
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
