import Glibc

/// Runs `body`, and lets the threads that it makes have every signal blocked but those of faults. Signals are for the
/// thread that asked for them (signalfd(2)): one that leaves them unblocked would steal them.
public func withSignalsBlocked<Result>(_ body: () -> Result) -> Result {
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
  pthread_sigmask(SIG_SETMASK, &all, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  return body()
}
